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

/* What a symbol, or a section without symbols, has of one kind. */
struct kma_footprint_part {
	const char *name;   /* of the symbol; "[.data]" of a section */
	const char *file;   /* its source file, or a name in brackets */
	const char *module; /* NULL: the kernel proper */
	enum kma_metric_id kind;
	uint64_t bytes; /* in memory */
};

/**
 * kma_footprint_each() - call a function for each symbol of objects that were not linked
 * @fp: of what; @fp->by is the list of symbols, without an image
 * @fn: the function; texts of a part are good until it returns
 * @arg: is given to @fn
 *
 * The bytes add up to those of kma_footprint_tree().
 *
 * Return: NULL or an error, also of @fn.
 */
struct kma_err *kma_footprint_each(const struct kma_footprint *fp,
				   struct kma_err *(*fn)(void *arg,
							 const struct kma_footprint_part *part),
				   void *arg);

#endif /* KMA_TREE_FOOTPRINT_H */
