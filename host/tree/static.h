/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * static.h - static sizes in the tree of owners, below the files that the objects were
 * compiled from.
 */
#ifndef KMA_TREE_STATIC_H
#define KMA_TREE_STATIC_H

#include "kbuild/static.h"
#include "node.h"

/*
 * Sections of one kind become one leaf of the file that the object was compiled from; an object
 * without a source file has a row in brackets. Padding between sections of the image is in a row
 * "[alignment]" of the object's directory. Unreadable objects are left out, and objects of modules
 * unless @modules. The tree is not rolled up.
 */
void kma_static_add(const struct kma_static *st, bool modules, struct kma_node *root);

/*
 * Reads the objects, adds their sections as kma_static_add() does, next to the callers of each
 * file, and rolls the tree up, which then also has directories that allocate nothing. An object
 * that cannot be read is counted in @stats, and is not an error.
 */
struct kma_err *kma_static_join(const struct kma_objects *objects, struct kma_node *root,
				struct kma_static_stats *stats);

#endif /* KMA_TREE_STATIC_H */
