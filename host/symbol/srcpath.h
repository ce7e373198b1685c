/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * srcpath.h - names of source files, made relative to the top of the source tree.
 *
 * Compilers write names in several ways, even in one vmlinux: C units relative to
 * the build directory ("mm/slub.c", "../mm/slub.c"), assembler units absolute
 * ("/build/linux-6.1/arch/x86/entry/entry_64.S"). All must end in one tree.
 */
#ifndef KMA_SYMBOL_SRCPATH_H
#define KMA_SYMBOL_SRCPATH_H

#include <stddef.h>

#include "lib/err.h"

/**
 * kma_srcpath_normalise() - resolve ".", ".." and "//" in place, by text alone
 * @path: name of a file; ".." at the front of a relative one is dropped
 */
void kma_srcpath_normalise(char *path);

/**
 * kma_srcpath_strip_dir() - drop a leading directory in place
 * @path: normalised
 * @dir: directory without a final slash; NULL and "" do nothing
 */
void kma_srcpath_strip_dir(char *path, const char *dir);

/**
 * kma_srcpath_relative() - make all absolute names of a file's units relative
 * @paths: normalised names, changed in place
 * @nr: how many
 *
 * The top of the source tree is the directory below which most absolute names
 * fall into directories that relative names have, too; if there are no relative
 * names, the longest directory that all absolute ones share.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_srcpath_relative(char **paths, size_t nr);

#endif /* KMA_SYMBOL_SRCPATH_H */
