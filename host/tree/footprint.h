/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * footprint.h - static sizes by owner: the tree of directories, or a list of symbols, sections,
 * objects or modules.
 *
 * Each byte is in exactly one row, so all lists and the tree have the same total. With a linked
 * image the bytes are those of the image. Bytes that the linker created or that alignment takes
 * have rows in brackets, and modules are left out because they are not part of the image.
 */
#ifndef KMA_TREE_FOOTPRINT_H
#define KMA_TREE_FOOTPRINT_H

#include "kbuild/static.h"
#include "node.h"

struct kma_linked;

/* What a row of static sizes stands for; index into kma_footprint_bys[]. */
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
	bool pieces;	   /* needs sections that are cut at their symbols */
	/* Returns the owner of a section, or of a piece of it; NULL for a tree. */
	const char *(*key)(const struct kma_static_object *object,
			   const struct kma_static_section *section,
			   const struct kma_static_piece *piece);
};

extern const struct kma_footprint_by kma_footprint_bys[KMA_NR_FOOTPRINT_KEYS];

/* The static sizes to show, and how. */
struct kma_footprint {
	const struct kma_static *st;	   /* sections of the objects */
	const struct kma_linked *image;	   /* the linked image; NULL: sizes of the objects alone */
	const struct kma_footprint_by *by; /* what a row stands for */
	const char *branch;		   /* show only this directory or file; NULL: all */
	bool plain; /* symbols as bloat-o-meter has them: one row for a name, without ".123" */
};

/*
 * Builds the tree or the list, rolled up. Its leaves are sections of files, or one for each owner
 * of the list. A symbol that several files have is shown as "NAME (FILE)" for each, unless
 * @fp->plain. If the branch does not exist, the error suggests the most similar one.
 */
struct kma_err *kma_footprint_tree(const struct kma_footprint *fp, struct kma_node **ret);

/* Bytes of one kind that a symbol has, or the part of a section that no symbol covers. */
struct kma_footprint_part {
	const char *name;	 /* of the symbol; "[.data]" of a section */
	const char *file;	 /* its source file, or a name in brackets */
	const char *module;	 /* NULL: the kernel proper */
	enum kma_metric_id kind; /* KMA_TEXT to KMA_OTHER */
	uint64_t bytes;		 /* in memory */
};

/*
 * Calls @fn for each symbol of objects that were not linked, up to its first error; the texts of a
 * part are valid until it returns. @fp->by is the list of symbols, and @fp->image is NULL. The
 * bytes add up to those of kma_footprint_tree().
 */
struct kma_err *kma_footprint_each(const struct kma_footprint *fp,
				   struct kma_err *(*fn)(void *arg,
							 const struct kma_footprint_part *part),
				   void *arg);

#endif /* KMA_TREE_FOOTPRINT_H */
