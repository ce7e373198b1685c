/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kbuild.h - a source of places (source.h) that uses the objects of a built kernel tree.
 */
#ifndef KMA_TREE_KBUILD_H
#define KMA_TREE_KBUILD_H

#include "source.h"

/**
 * kma_kbuild_create() - open a built kernel tree as a source of places
 * @dir: top of the tree that was built (the O= directory); the text has to live as long as @ret
 * @vmlinux: the image that was linked from it, or its System.map; NULL: those in @dir, if any
 * @ret: the source, to be freed by kma_source_destroy()
 *
 * Finds the objects and reads the symbols of the linked kernel. The symbols of the objects are
 * read when the first call site is looked up.
 *
 * Return: NULL; or an error: @dir is not readable or not a built kernel tree, or a file that is
 * given as @vmlinux is neither an image nor a System.map.
 */
struct kma_err *kma_kbuild_create(const char *dir, const char *vmlinux, struct kma_source **ret);

#endif /* KMA_TREE_KBUILD_H */
