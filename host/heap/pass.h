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

/**
 * kma_pass_open() - open the kernel, and read the call sites
 * @pass: filled in, to be freed with kma_pass_close() also after an error
 * @source: the running kernel, or a dump
 * @notes: sentences about what a scan will not see are added
 *
 * Without the module, the older objects are all there are.
 *
 * The error: no permission, or a kernel that is not supported.
 */
struct kma_err *kma_pass_open(struct kma_pass *pass, const struct kma_heap_source *source,
			      struct kma_notes *notes);

/**
 * kma_pass_close() - let go of the kernel, wipe and free
 * @pass: zeroed, or as filled in
 */
void kma_pass_close(struct kma_pass *pass);

/**
 * kma_pass_read() - make a pass; an earlier one is replaced
 * @pass: the kernel
 * @site: gives an object of the list its site in the graph; NULL: the number of its call site
 * @arg: passed to @site
 * @stop: set by a handler of a signal
 *
 * Objects are not marked yet (kma_graph_mark()).
 *
 * The error: no live objects, too many of them, or the scan was interrupted.
 */
struct kma_err *kma_pass_read(struct kma_pass *pass,
			      uint32_t (*site)(void *arg, const struct kma_listing_object *object),
			      void *arg, const int *stop);

/*
 * Call @fn for each live object: those that the module lists, and the older ones, if they are taken.
 * Makes no pass.
 */
struct kma_err *kma_pass_list(struct kma_pass *pass, kma_listing_fn fn, void *arg);

/**
 * kma_pass_lacks() - say what the passes could not read
 * @pass: after the last pass
 * @notes: sentences are added
 */
void kma_pass_lacks(const struct kma_pass *pass, struct kma_notes *notes);

/**
 * kma_pass_named() - open the kernel, make one pass that keeps the roots, and name them
 * @pass: filled in, to be freed with kma_pass_close() also after an error
 * @source: the running kernel, or a dump
 * @groups: zeroed; filled in, to be freed with kma_root_groups_deinit()
 * @stop: set by a handler of a signal
 * @notes: sentences about what the scan does not see are added
 *
 * The errors are those of kma_pass_open() and kma_pass_read().
 */
struct kma_err *kma_pass_named(struct kma_pass *pass, const struct kma_heap_source *source,
			       struct kma_root_groups *groups, const int *stop,
			       struct kma_notes *notes);

#endif /* KMA_HEAP_PASS_H */
