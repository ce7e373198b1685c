/* SPDX-License-Identifier: GPL-2.0 */
/*
 * static.h - what a kernel's own objects hold in memory from the start, by section,
 * as part of the tree of owners. Every byte of a section that takes memory is
 * counted once, in the object that it was compiled into:
 *
 *	init	what is given back after boot: .init*, *.init, and .exit* of the kernel proper
 *	bss	what is zero and not in the file, and common symbols
 *	text	code
 *	rodata	.rodata*, and constants that may be merged
 *	data	what else can be written
 *	other	what else cannot: symbols for modules, unwinding, exception tables, notes
 *
 * The first that fits counts. Objects are not linked yet: merged strings, discarded
 * sections and alignment make vmlinux differ from their sum.
 */
#ifndef KMA_TREE_STATIC_H
#define KMA_TREE_STATIC_H

#include "node.h"
#include "objects.h"

/* How it went. */
struct kma_static_stats {
	size_t objects;	   /* that were counted */
	size_t unreadable; /* that are gone or damaged, and are missing in the sums */
};

/**
 * kma_static_values() - static bytes of one object
 * @path: the object
 * @module: it belongs to a module
 * @ret: text, rodata, data, bss, init and other are set, all else is 0
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_static_values(const char *path, bool module, struct kma_values *ret);

/**
 * kma_static_join() - put the objects of a tree into the tree of owners
 * @objects: the objects
 * @root: root of the tree, empty or with callers; is rolled up
 * @stats: filled in
 *
 * Its text, its data and so on are nodes below the file that an object was compiled from,
 * beside the callers of that file. So directories that allocate nothing are in the tree as
 * well.
 *
 * Return: NULL or an error. An object that cannot be read is counted, and no error.
 */
struct kma_err *kma_static_join(const struct kma_objects *objects, struct kma_node *root,
				struct kma_static_stats *stats);

#endif /* KMA_TREE_STATIC_H */
