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

/**
 * kma_srcpath_normalise() - resolve ".", ".." and "//" in place
 * @path: name of a file. ".." at the front of a relative name is dropped
 *
 * Works on the text alone: no file is looked up, so symbolic links are not followed.
 */
void kma_srcpath_normalise(char *path);

/**
 * kma_srcpath_strip_dir() - remove a leading directory in place
 * @path: normalised name; unchanged if it is not below @dir
 * @dir: directory without a final slash; NULL and "" have no effect
 */
void kma_srcpath_strip_dir(char *path, const char *dir);

/**
 * kma_srcpath_relative() - make all absolute names of a file's units relative
 * @paths: normalised names, changed in place
 * @nr: how many
 *
 * The top of the source tree is the directory below which most absolute names are in directories
 * that relative names have, too. If no directory qualifies, it is the longest directory that all
 * absolute names share.
 */
void kma_srcpath_relative(char **paths, size_t nr);

#endif /* KMA_SYMBOL_SRCPATH_H */
