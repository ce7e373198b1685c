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
 * kma_static_add() - put what was read into the tree of owners
 * @st: what was read
 * @modules: those of modules, too
 * @root: root of the tree; is not rolled up
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_static_add(const struct kma_static *st, bool modules, struct kma_node *root);

/**
 * kma_static_join() - add the objects of a built tree to the tree of owners
 * @objects: the objects
 * @root: root of the tree, empty or with callers; is rolled up
 * @stats: filled in
 *
 * Its text, its data and so on are nodes below the file that an object was compiled from, in
 * addition to the callers of that file. The tree therefore also has directories that allocate
 * nothing.
 *
 * Return: NULL or an error. An object that cannot be read is counted, and no error.
 */
struct kma_err *kma_static_join(const struct kma_objects *objects, struct kma_node *root,
				struct kma_static_stats *stats);

#endif /* KMA_TREE_STATIC_H */
