/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kbuild.h - files of call sites by the objects of a build tree.
 */
#ifndef KMA_TREE_KBUILD_H
#define KMA_TREE_KBUILD_H

#include "source.h"

/**
 * kma_kbuild_create() - look up by the objects of a built kernel tree
 * @dir: top of the tree that was built (the O= directory)
 * @vmlinux: the image that was linked from it, or its System.map; NULL takes those in @dir
 * @ret: the source
 *
 * Return: NULL; or an error: not readable, or no built kernel tree.
 */
struct kma_err *kma_kbuild_create(const char *dir, const char *vmlinux, struct kma_source **ret);

#endif /* KMA_TREE_KBUILD_H */
