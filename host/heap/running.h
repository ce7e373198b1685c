/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * running.h - the kernel that is scanned: its memory, the tables of the module, the ranges that a
 * scan ignores, and the module's switch age.
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
	bool has_slub;
	uint64_t *cpu_areas; /* by CPU: offset of its per-CPU variables */
	bool age_on;	     /* kma_running_age_on() has switched age on */
};

/*
 * @notes gets sentences about what a scan will not see. @running has to be closed also after an
 * error: no permission, or a kernel that is not supported.
 */
struct kma_err *kma_running_open(struct kma_running *running, const struct kma_heap_source *source,
				 struct kma_notes *notes);

/*
 * The number under which a graph has the objects of a call site: @site, but KMA_HEAP_IGNORED for
 * the pages through which /proc/kcore copies.
 */
uint32_t kma_running_site(const char *caller, uint32_t site);

/* Switches age off if it was off before, and wipes what was read. @running may be zeroed. */
void kma_running_close(struct kma_running *running);

/*
 * Lets the module record when objects are allocated, until kma_running_close(), or until memory is
 * missing.
 */
struct kma_err *kma_running_age_on(struct kma_running *running);

/* Finds the ranges that are still free, after kma_graph_scan() and before kma_graph_mark(). */
void kma_running_still_free(struct kma_running *running, struct kma_graph *graph);

/*
 * Adds the ranges that are free to a graph that is not finished. @counts is set to what was found
 * of SLUB.
 */
void kma_running_free(struct kma_running *running, struct kma_graph *graph,
		      struct kma_slub_counts *counts);

#endif /* KMA_HEAP_RUNNING_H */
