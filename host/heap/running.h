/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * running.h - the kernel that is scanned: its memory, the tables of the module, the ranges that a scan
 * ignores, and the module's switch age.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_RUNNING_H
#define KMA_HEAP_RUNNING_H

#include "graph.h"
#include "magazines.h"
#include "slub.h"
#include "target.h"

struct kma_running {
	struct kma_heap_target target;
	char *live, *sites, *kallsyms; /* paths */
	struct kma_words words;
	struct kma_slub_heap slub;
	struct kma_magazines magazines;
	bool has_slub, has_magazines;
	uint64_t *cpu_areas; /* by CPU: offset of its per-CPU variables */
	bool age_on;	     /* kma_running_age_on() has switched age on */
};

/**
 * kma_running_open() - open the kernel
 * @running: filled in, to be freed with kma_running_close() also after an error
 * @source: the running kernel, or a dump
 * @notes: sentences about what a scan will not see are added
 *
 * The error: no permission, or a kernel that is not supported.
 */
struct kma_err *kma_running_open(struct kma_running *running, const struct kma_heap_source *source,
				 struct kma_notes *notes);

/**
 * kma_running_site() - get the number under which a graph has the objects of a call site
 * @caller: name of the call site
 * @site: its number
 *
 * Return: @site; KMA_HEAP_IGNORED for the pages through which /proc/kcore copies.
 */
uint32_t kma_running_site(const char *caller, uint32_t site);

/**
 * kma_running_close() - switch age off if it was off before, wipe and free
 * @running: zeroed, or as filled in
 */
void kma_running_close(struct kma_running *running);

/**
 * kma_running_age_on() - let the module record when objects are allocated
 * @running: the target; kma_running_close() ends it, and so does missing memory
 *
 * The error names /proc/kmem_account.
 */
struct kma_err *kma_running_age_on(struct kma_running *running);

/**
 * kma_running_still_free() - find the ranges that are still free after a scan
 * @running: the target
 * @graph: after kma_graph_scan(), before kma_graph_mark()
 */
void kma_running_still_free(struct kma_running *running, struct kma_graph *graph);

/**
 * kma_running_free() - add the ranges that are free
 * @running: the target
 * @graph: not finished
 * @counts: set to what was found of SLUB
 */
void kma_running_free(struct kma_running *running, struct kma_graph *graph,
		      struct kma_slub_counts *counts);

#endif /* KMA_HEAP_RUNNING_H */
