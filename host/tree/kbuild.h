/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kbuild.h - a source of places (source.h) that uses the objects of a built kernel tree.
 */
#ifndef KMA_TREE_KBUILD_H
#define KMA_TREE_KBUILD_H

#include "source.h"

/*
 * @dir is the top of the tree that was built (the O= directory); the text has to live as long as
 * @ret. @vmlinux is the image that was linked from it, or its System.map; NULL: those in @dir, if
 * any. Symbols of objects are read when the first call site is looked up.
 */
struct kma_err *kma_kbuild_create(const char *dir, const char *vmlinux, struct kma_source **ret);

#endif /* KMA_TREE_KBUILD_H */
