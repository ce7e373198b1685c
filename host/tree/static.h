/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * static.h - static sizes in the tree of owners, below the files that the objects were
 * compiled from.
 */
#ifndef KMA_TREE_STATIC_H
#define KMA_TREE_STATIC_H

#include "kbuild/static.h"
#include "node.h"

/**
 * kma_static_add() - add static sizes to the tree of owners
 * @st: the objects and their sections, from kma_static_read()
 * @modules: true: also add the objects of modules
 * @root: root of the tree; it is not rolled up
 *
 * Sections of one kind become one leaf of the file that the object was compiled from; an object
 * without a source file has a row in brackets. Padding between sections of the image is in a row
 * "[alignment]" of the object's directory. Unreadable objects are left out.
 */
void kma_static_add(const struct kma_static *st, bool modules, struct kma_node *root);

/**
 * kma_static_join() - add the objects of a built tree to the tree of owners
 * @objects: the objects
 * @root: root of the tree, empty or with callers; it is rolled up
 * @stats: filled in
 *
 * Reads the objects and adds their sections as kma_static_add() does, next to the callers of each
 * file. The tree therefore also has directories that allocate nothing.
 *
 * Return: NULL or an error. An object that cannot be read is counted in @stats; it is not an error.
 */
struct kma_err *kma_static_join(const struct kma_objects *objects, struct kma_node *root,
				struct kma_static_stats *stats);

#endif /* KMA_TREE_STATIC_H */
