/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * srcpath.h - make the names of source files relative to the top of the source tree.
 *
 * Compilers write names in several ways, even within one vmlinux: units in C relative to the build
 * directory ("mm/slub.c", "../mm/slub.c"), units in assembler absolute
 * ("/build/linux-6.1/arch/x86/entry/entry_64.S"). All of them must end up in one tree.
 */
#ifndef KMA_SYMBOL_SRCPATH_H
#define KMA_SYMBOL_SRCPATH_H

#include <stddef.h>

#include "lib/err.h"

/*
 * Resolves ".", ".." and "//" in place. ".." at the front of a relative name is dropped. Works on
 * the text alone: no file is looked up, so symbolic links are not followed.
 */
void kma_srcpath_normalise(char *path);

/*
 * Removes a leading directory of a normalised name in place, if it is below @dir, which has no
 * final slash. NULL and "" have no effect.
 */
void kma_srcpath_strip_dir(char *path, const char *dir);

/*
 * Makes all absolute names of a file's units relative, in place; all are normalised. The top of the
 * source tree is the directory below which most absolute names are in directories that relative
 * names have, too. If no directory qualifies, it is the longest directory that all absolute names
 * share.
 */
void kma_srcpath_relative(char **paths, size_t nr);

#endif /* KMA_SYMBOL_SRCPATH_H */
