/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * origin.h - the callers of the page and per-CPU allocators, and of allocations that wait.
 *
 * The events of pages do not report the caller of the allocator. Those of per-CPU memory do
 * so for allocations, on some kernels. So the stack is walked (stack.h) past the probe, the
 * tracepoint and the functions of the allocator (frame.h) to the function that called it.
 *
 * The walk also shows whether the pages are for an allocator whose objects are counted
 * themselves: for a slab, a large kmalloc, or a chunk of per-CPU memory. No byte is counted
 * twice, so such pages are charged to that allocator as a whole.
 *
 * If a walk finds no caller, the origin is kma_origin_nobody(), which names a row.
 *
 * Contexts: a probe, irqs off, not in an NMI.
 */
#ifndef KMA_ORIGIN_H
#define KMA_ORIGIN_H

struct pt_regs;

/* The users of pages. */
enum kma_owner {
	KMA_OWNER_CALLER,	/* the caller of the page allocator */
	KMA_OWNER_SLAB,		/* a slab, or a large kmalloc */
	KMA_OWNER_PERCPU,	/* a chunk of per-CPU memory */
	KMA_NR_OWNERS,
};

struct kma_origin {
	unsigned long call_site;	/* return address into the caller of the allocator */
	enum kma_owner owner;
};

/* Of the pages of this event. */
struct kma_origin kma_origin_pages(void);

/*
 * Of pages that are allocated by a function without an event, from a kprobe on its first
 * instruction, with its registers and its return address, which is the result if the function is
 * not on the stack. Slabs and the chunks of per-CPU memory get their pages by other functions, so
 * the owner is the caller. If the per-CPU allocator is the caller, it is about tables of its own.
 */
struct kma_origin kma_origin_above(struct pt_regs *regs, unsigned long caller);

/* Return address into the caller of the per-CPU allocator in this event. */
unsigned long kma_origin_percpu(void);

/*
 * Return address into the function whose allocation has waited; 0 if it is not on the stack. Skips
 * reclaim, compaction, the charge to a memory cgroup and every allocator. So it finds the caller of
 * kmalloc() even if the page allocator has waited.
 */
unsigned long kma_origin_wait(void);

/* A function whose name is that of the row for unknown callers. */
void kma_origin_nobody(void);

#endif /* KMA_ORIGIN_H */
