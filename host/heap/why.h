/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * why.h - what holds the objects of a call site, or one object, by a scan (scan.h).
 *
 * Each object has one path to a root: a shortest one from the most lasting kind of root that
 * reaches it (roots.h), so that a stale word on a stack does not hide a variable. The paths of all
 * objects of a call site make a tree: objects at the same place of the tree that are held by
 * objects of the same call site, at the same offset, share a row. Objects that hold each other are
 * folded into one row, for example the entries of a list. The tree can also be made from the root,
 * which shows what a variable or a module holds.
 *
 * Memory: 32 bytes for each object that is asked for.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_WHY_H
#define KMA_HEAP_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/err.h"

struct kma_why_row;

struct kma_why_wish {
	/*
	 * a function, a call site as in the module's tables, or the cache of older objects; NULL:
	 * @object
	 */
	const char *caller;
	const char *from; /* a root or a module: what it holds is asked for; NULL: the holders are */
	uint32_t object;  /* number in kma_scan.paths; KMA_HEAP_NONE: there is no such object */
	unsigned int depth; /* most levels of the tree */
	/*
	 * Name the field at an offset of the holder or root of a row; of several, without the
	 * numbers of elements of arrays. The text is NULL if it is not known, and lives as long as
	 * @arg. May be NULL.
	 */
	const char *(*field)(void *arg, const struct kma_why_row *row, int64_t offset,
			     bool several);
	void *arg;
};

/* What a row of the tree is. */
enum kma_why_kind {
	KMA_WHY_OBJECTS, /* objects of a call site: those that were asked for, or holders */
	KMA_WHY_LIST,	 /* objects that hold each other */
	KMA_WHY_ROOT,
	KMA_WHY_LOST, /* nothing holds them */
	KMA_WHY_DEEP, /* the tree is not shown further */
};

struct kma_why_row {
	enum kma_why_kind kind;
	unsigned int depth; /* 0: the objects that were asked for */
	uint64_t objects;   /* that were asked for, with a path through this row */
	int64_t offset;	    /* bytes in the holder; -1: unknown, or several */
	const char *name;   /* the call site, or the root */
	const char *field;  /* at @offset, or at all of several; NULL: unknown, or different ones */
};

struct kma_why {
	struct kma_why_row *rows; /* in the order of the tree, most objects first */
	size_t nr, room;
	uint64_t objects; /* that were asked for */
	struct kma_arena texts;
};

struct kma_scan;

/* @scan has paths; @ret is zeroed. It is an error if there is no such object, or no such root. */
struct kma_err *kma_why_make(const struct kma_scan *scan, const struct kma_why_wish *wish,
			     struct kma_why *ret);

/* @why may be zeroed. */
void kma_why_deinit(struct kma_why *why);

#endif /* KMA_HEAP_WHY_H */
