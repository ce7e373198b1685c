/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * groups.h - the roots of a graph by name: all words of one variable, or of the stack of one task,
 * are a group.
 *
 * Ranges that were free before a scan but not after it (kma_graph_still_free()) are a group, too,
 * after all others. Its targets are the ranges, not objects.
 *
 * Memory: 12 bytes for each root, and the names.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_GROUPS_H
#define KMA_HEAP_GROUPS_H

#include "graph.h"
#include "roots.h"

/* Class of the group of ranges that were free before the scan. */
#define KMA_ROOT_WAS_FREE      KMA_ROOT_CLASSES
#define KMA_ROOT_WAS_FREE_NAME "memory that was free before the scan"

struct kma_root_group {
	const char *name;
	unsigned int class; /* enum kma_root_class or KMA_ROOT_WAS_FREE */
};

struct kma_root_groups {
	struct kma_root_group *list; /* by class, the most lasting first, then by name */
	uint32_t nr;
	uint32_t *of;	  /* by place in kma_graph.roots: its group; by module: by place in @list */
	int32_t *offsets; /* by place in kma_graph.roots: bytes in the variable; -1: unknown */
	uint32_t *first,
		*to; /* group i refers to: to[first[i]] to to[first[i + 1] - 1], each once */
	struct kma_intern *names;
};

/* After kma_graph_scan(), with roots. @ret is zeroed. */
void kma_root_groups_make(const struct kma_graph *graph, const struct kma_root_names *names,
			  struct kma_root_groups *ret);

/*
 * The name of the module, @len bytes, in the name of a root; NULL for a root that belongs to no
 * module.
 */
const char *kma_root_groups_module(const char *name, size_t *len);

/*
 * Combines all roots of each module, and all others of each class. The last group of @from is that
 * of ranges that were free. Variables, per-CPU variables and areas of vmalloc() of a module are one
 * group, of the most lasting class. @ret is zeroed, and gets no @offsets.
 */
void kma_root_groups_modules(const struct kma_root_groups *from, struct kma_root_groups *ret);

/* @groups may be zeroed, and are zeroed afterwards. */
void kma_root_groups_deinit(struct kma_root_groups *groups);

#endif /* KMA_HEAP_GROUPS_H */
