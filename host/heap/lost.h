/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost.h - the objects of the running kernel that nothing refers to.
 *
 * An object is lost if it was born before the scan began, was live and unchanged in all passes, and
 * was unreached (graph.h) in at least two of them. One pass is not enough: a word that is left over
 * hides a loss, and an object whose only reference is in a register looks lost. The number is a
 * lower bound, because words that are left over can hide an object in all passes.
 *
 * Objects of the call sites in unseen.h, and what they refer to, are not lost.
 *
 * The objects of a first scan can be kept (struct kma_lost_set), so that a second one reports only
 * what was lost since. A word that was left over can have hidden a loss from the first scan. So the
 * second one is also told since when an object has to be born to count, which needs the module's
 * switch age from then on: kma_running_age_on() of another struct kma_running keeps it on.
 *
 * Locking: none. kma_lost_scan() starts threads, and waits for them.
 */
#ifndef KMA_HEAP_LOST_H
#define KMA_HEAP_LOST_H

#include "graph.h"
#include "lib/arena.h"
#include "lib/notes.h"
#include "slub.h"
#include "target.h"
#include "unseen.h"

struct kma_lost_wish {
	struct kma_heap_source source;
	unsigned int passes; /* 1 to KMA_LOST_PASSES */
	uint64_t between;    /* ns between two passes */
	uint64_t since;	     /* count only objects born since, ns of CLOCK_MONOTONIC; 0: all */
	bool no_age;	     /* leave the module's switch age as it is */
	const int *stop;     /* set by a handler of a signal */
	/* Called before each pass, from 1; @pass is 0 at the end. NULL: not called. */
	void (*progress)(void *arg, unsigned int pass, unsigned int passes);
	void *arg;
};

#define KMA_LOST_PASSES 100

/* One object that may be lost; its memory is not touched by this program. */
struct kma_lost_object {
	uint64_t key; /* address, XORed with KMA_HEAP_KEY */
	uint32_t site, len;
	uint32_t sum;		 /* checksum of its words */
	unsigned char unreached; /* passes in which nothing reached it */
	bool head;		 /* see kma_graph_heads() */
	bool older;		 /* not born since the wish's moment, or unknown */
};

/* Objects sorted by address. */
struct kma_lost_set {
	struct kma_lost_object *list;
	size_t nr, room;
};

/* A call site with lost objects. */
struct kma_lost_row {
	const char *caller;
	uint64_t lost, live; /* objects born since; @live: with those that are lost */
	uint64_t bytes;	     /* allocated for the lost objects */
	uint64_t oldest;     /* ns; 0: unknown */
	uint64_t heads;	     /* lost objects that no other lost object keeps */
	uint32_t site;
	const struct kma_unseen *unseen; /* the objects are held in this way; NULL: they are lost */
};

/* What the passes were like, for the output. */
struct kma_lost_pass {
	uint64_t objects, unreached;
	uint64_t ns; /* duration */
	struct kma_graph_counts counts;
	struct kma_slub_counts free;
};

struct kma_lost {
	struct kma_lost_row *rows;  /* most lost objects first; after them those that are unseen */
	size_t nr;		    /* rows with lost objects */
	size_t nr_unseen;	    /* rows after these, which the sums leave out */
	uint64_t lost, live, bytes; /* of all rows; @live: of all call sites */
	uint64_t older;		    /* lost objects that are not counted: not born since */
	uint64_t ended;		    /* after the last pass; ns of CLOCK_MONOTONIC */
	struct kma_lost_pass *passes;
	unsigned int nr_passes;
	struct kma_notes notes; /* what the result lacks, a sentence each */
	struct kma_arena texts; /* the names of the call sites */
};

/*
 * @before: objects that are left out, because they were lost before; NULL: none. @set is set to the
 * objects that are lost, those of @before too; NULL: not wanted. @ret is zeroed. It is an error if
 * there is no permission, or a kernel that is not supported, or if the scan was
 * interrupted.
 */
struct kma_err *kma_lost_scan(const struct kma_lost_wish *wish, const struct kma_lost_set *before,
			      struct kma_lost_set *set, struct kma_lost *ret);

/* @lost may be zeroed. */
void kma_lost_deinit(struct kma_lost *lost);

/* @set may be zeroed, and is zeroed afterwards. */
void kma_lost_set_deinit(struct kma_lost_set *set);

#endif /* KMA_HEAP_LOST_H */
