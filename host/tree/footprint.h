/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * footprint.h - static sizes by owner: the tree of directories, or a list of symbols,
 * sections, objects, modules.
 *
 * Every byte is in one row, so rows add up to the same total whatever they are by.
 */
#ifndef KMA_TREE_FOOTPRINT_H
#define KMA_TREE_FOOTPRINT_H

#include "kbuild/static.h"
#include "node.h"

struct kma_linked;

/* What a row of static sizes is; places in kma_footprint_bys[]. */
enum kma_footprint_key {
	KMA_FOOTPRINT_DIR,
	KMA_FOOTPRINT_FILE,
	KMA_FOOTPRINT_SUBSYSTEM,
	KMA_FOOTPRINT_OBJECT,
	KMA_FOOTPRINT_SYMBOL,
	KMA_FOOTPRINT_SECTION,
	KMA_FOOTPRINT_MODULE,
	KMA_NR_FOOTPRINT_KEYS,
};

struct kma_footprint_by {
	const char *name;  /* as typed, and the key in csv and json */
	const char *title; /* heading of a table */
	bool tree;	   /* directories with files, not a list */
	bool pieces;	   /* sections have to be cut at their symbols */
	/* Owner of a section, or of a piece of it. */
	const char *(*key)(const struct kma_static_object *object,
			   const struct kma_static_section *section,
			   const struct kma_static_piece *piece);
};

extern const struct kma_footprint_by kma_footprint_bys[KMA_NR_FOOTPRINT_KEYS];

/* What to make a tree of. */
struct kma_footprint {
	const struct kma_static *st;
	const struct kma_linked *image; /* what the linker made of it; NULL: objects alone */
	const struct kma_footprint_by *by;
	const char *branch; /* directory or file to stay below; NULL: all */
	bool plain; /* symbols as bloat-o-meter has them: one row for a name, without ".123" */
};

/**
 * kma_footprint_tree() - put static sizes in rows
 * @fp: of what, and how
 * @ret: root of the tree, rolled up; its leaves are sections of files, or one for each
 *	owner of the list
 *
 * Symbols that several files have are "NAME (FILE)", unless @plain.
 *
 * Return: NULL or an error: no such branch, with the nearest.
 */
struct kma_err *kma_footprint_tree(const struct kma_footprint *fp, struct kma_node **ret);

#endif /* KMA_TREE_FOOTPRINT_H */
