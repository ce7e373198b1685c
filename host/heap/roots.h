/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * roots.h - names for the memory outside objects: variables of the kernel and of modules, per-CPU
 * variables, stacks of tasks, areas of vmalloc().
 *
 * A scan sees roots in the direct map. The page tables of the kernel say which of their pages are
 * also mapped for a module, for a stack or for vmalloc(); the kernel's list of such areas has their
 * callers. Both are read after the scan, so a root that moved in between can have the name of what
 * is there now.
 *
 * Page tables are read on x86-64 and arm64 (page-table.h). Without them, and without BTF, such
 * roots are "other pages".
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_ROOTS_H
#define KMA_HEAP_ROOTS_H

#include "running.h"

struct kma_root_names;

/* What a root is, the most lasting kinds first. */
enum kma_root_class {
	KMA_ROOT_VARIABLE, /* of the kernel, a module or a CPU, and per-CPU memory */
	KMA_ROOT_MEMORY,   /* an area of vmalloc(), a slab object that the module does not know */
	KMA_ROOT_STACK,	   /* of a task */
	KMA_ROOT_OTHER,	   /* pages of which nothing is known; stacks of ended tasks */
	KMA_ROOT_CLASSES
};

struct kma_root_name {
	enum kma_root_class class;
	int64_t offset; /* of the word in the variable; -1: unknown */
	char text[240];
};

/*
 * Reads what names roots, after a scan. @heap is the address of an object in the direct map. @ret
 * is to be freed also after an error: the kernel's symbols cannot be read.
 */
struct kma_err *kma_roots_read(struct kma_running *running, uint64_t heap,
			       struct kma_root_names **ret);

/* Names the root at an address in the direct map. */
void kma_roots_name(const struct kma_root_names *roots, uint64_t addr, struct kma_root_name *ret);

/* NULL is fine. */
void kma_roots_free(struct kma_root_names *roots);

static inline void kma_cleanup_roots(struct kma_root_names **roots)
{
	kma_roots_free(*roots);
}

#define _cleanup_roots_ _cleanup_(kma_cleanup_roots)

#endif /* KMA_HEAP_ROOTS_H */
