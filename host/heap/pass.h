/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pass.h - read the live objects and all memory of the kernel, once or several times.
 *
 * Locking: none. kma_pass_read() starts threads, and waits for them.
 */
#ifndef KMA_HEAP_PASS_H
#define KMA_HEAP_PASS_H

#include "census.h"
#include "groups.h"
#include "lib/notes.h"
#include "listing.h"
#include "running.h"

struct kma_pass {
	struct kma_running running;
	struct kma_listing_sites sites;
	struct kma_graph graph;	     /* of the current pass; @keep may be set before it */
	struct kma_slub_counts free; /* of the current pass */
	bool before, has_module;     /* older objects are taken; the module is loaded */
	bool found;		     /* the direct map */
	uint32_t listed;	     /* sites from here on are caches (census.h) */
	struct kma_census census;
	unsigned int passes; /* made */
	int dumpable;	     /* of the process, before */
};

/*
 * Opens the kernel, and reads the call sites. @notes gets sentences about what a scan will not see.
 * @pass has to be closed also after an error: no permission, or a kernel that is not supported.
 * Without the module, the objects that it does not list are all there are.
 */
struct kma_err *kma_pass_open(struct kma_pass *pass, const struct kma_heap_source *source,
			      struct kma_notes *notes);

/* Wipes what was read. @pass may be zeroed. */
void kma_pass_close(struct kma_pass *pass);

/*
 * Makes a pass, which replaces an earlier one. @site gives an object of the list its site in the
 * graph; NULL: the number of its call site. @stop is set by a handler of a signal. Objects are not
 * marked yet (kma_graph_mark()). It is an error if there are no live objects, or too many, or the
 * scan was interrupted.
 */
struct kma_err *kma_pass_read(struct kma_pass *pass,
			      uint32_t (*site)(void *arg, const struct kma_listing_object *object),
			      void *arg, const int *stop);

/*
 * Call @fn for each live object: those that the module lists, and the older ones, if they are
 * taken. Makes no pass.
 */
struct kma_err *kma_pass_list(struct kma_pass *pass, kma_listing_fn fn, void *arg);

/* After the last pass: adds sentences about what the passes could not read. */
void kma_pass_lacks(const struct kma_pass *pass, struct kma_notes *notes);

/*
 * Opens the kernel, makes one pass that keeps the roots, and names them: kma_pass_open() and
 * kma_pass_read(). @groups is zeroed.
 */
struct kma_err *kma_pass_named(struct kma_pass *pass, const struct kma_heap_source *source,
			       struct kma_root_groups *groups, const int *stop,
			       struct kma_notes *notes);

#endif /* KMA_HEAP_PASS_H */
