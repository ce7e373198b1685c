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
 * Never done here: counting.
 */
#ifndef KMA_ORIGIN_H
#define KMA_ORIGIN_H

struct pt_regs;

/**
 * enum kma_owner - the users of pages
 * @KMA_OWNER_CALLER: the caller of the page allocator
 * @KMA_OWNER_SLAB: a slab, or a large kmalloc
 * @KMA_OWNER_PERCPU: a chunk of per-CPU memory
 * @KMA_NR_OWNERS: number of owners
 */
enum kma_owner {
	KMA_OWNER_CALLER,
	KMA_OWNER_SLAB,
	KMA_OWNER_PERCPU,
	KMA_NR_OWNERS,
};

/**
 * struct kma_origin - the caller of an event
 * @call_site: return address into the caller of the allocator
 * @owner: user of the pages
 */
struct kma_origin {
	unsigned long call_site;
	enum kma_owner owner;
};

/*
 * Find the function that allocated or freed the pages of this event.
 * Context: a probe, irqs off, not in an NMI.
 * Return: the origin.
 */
struct kma_origin kma_origin_pages(void);

/**
 * kma_origin_above() - find the function that allocated pages by a function without an event
 * @regs: the registers at the first instruction of the function without an event
 * @caller: return address of that function
 *
 * Slabs and the chunks of per-CPU memory get their pages by other functions, so the owner is the
 * caller. If the per-CPU allocator is the caller, it is about tables of its own.
 *
 * Context: a kprobe on the function, interrupts off, not in an NMI.
 * Return: the origin; @caller if the function is not on the stack.
 */
struct kma_origin kma_origin_above(struct pt_regs *regs, unsigned long caller);

/**
 * kma_origin_percpu() - find the function that allocated or freed the per-CPU memory of this
 *	event
 *
 * Context: a probe, irqs off, not in an NMI.
 * Return: return address into the caller of the allocator.
 */
unsigned long kma_origin_percpu(void);

/*
 * Find the function whose allocation has waited. Skips reclaim, compaction, the charge to a memory
 * cgroup and every allocator. So it finds the caller of kmalloc() even if the page allocator has
 * waited.
 * Context: a probe, interrupts off, not in an NMI.
 * Return: return address into that function; 0 if it is not on the stack.
 */
unsigned long kma_origin_wait(void);

/* A function whose name is that of the row for unknown callers. */
void kma_origin_nobody(void);

#endif /* KMA_ORIGIN_H */
