/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * origin.h - who asked for pages, for per-CPU memory, or for what had to be waited for.
 *
 * The events of pages do not say who called the allocator, and those of per-CPU
 * memory say it of allocations, on some kernels. So the stack is walked (stack.h)
 * past the probe, the tracepoint and the functions of the allocator (frame.h)
 * to the function that called it.
 *
 * On the way it is seen whether the pages are for an allocator whose objects are
 * accounted by themselves: a slab, a large kmalloc, a chunk of per-CPU memory.
 * No byte is booked twice, so these pages belong to that allocator as a whole.
 *
 * Where a walk finds nobody, the origin is kma_origin_nobody(), a row by that
 * name.
 *
 * Never done here: booking.
 */
#ifndef KMA_ORIGIN_H
#define KMA_ORIGIN_H

/**
 * enum kma_owner - for whom pages are
 * @KMA_OWNER_CALLER: for who called the allocator
 * @KMA_OWNER_SLAB: for a slab, or a large kmalloc
 * @KMA_OWNER_PERCPU: for a chunk of per-CPU memory
 * @KMA_NR_OWNERS: number of owners
 */
enum kma_owner {
	KMA_OWNER_CALLER,
	KMA_OWNER_SLAB,
	KMA_OWNER_PERCPU,
	KMA_NR_OWNERS,
};

/**
 * struct kma_origin - where an event comes from
 * @call_site: return address into the caller of the allocator
 * @owner: for whom pages are
 */
struct kma_origin {
	unsigned long call_site;
	enum kma_owner owner;
};

/**
 * kma_origin_pages() - who asked for the pages of this event, or freed them
 *
 * Context: a probe, irqs off, not in an NMI.
 * Return: the origin.
 */
struct kma_origin kma_origin_pages(void);

/**
 * kma_origin_above() - who asked for pages by a function that has no event
 * @function: its first instruction
 * @caller: where that function returns to
 *
 * Where a call leaves the return address in a register, it is not on the stack
 * yet: @caller's caller follows upon @function.
 *
 * Context: a kprobe on it, irqs off, not in an NMI.
 * Return: the origin; @caller if neither is on the stack.
 */
struct kma_origin kma_origin_above(unsigned long function,
				   unsigned long caller);

/**
 * kma_origin_percpu() - who asked for the per-CPU memory of this event, or
 *	freed it
 *
 * Context: a probe, irqs off, not in an NMI.
 * Return: return address into the caller of the allocator.
 */
unsigned long kma_origin_percpu(void);

/**
 * kma_origin_wait() - who asked for the memory that a task has waited for
 *
 * Past reclaim, compaction and the charge to a memory cgroup, and past every
 * allocator: kmalloc()'s caller, though it was the page allocator that waited.
 *
 * Context: a probe, irqs off, not in an NMI.
 * Return: return address into that function; 0 if the stack shows none.
 */
unsigned long kma_origin_wait(void);

/**
 * kma_origin_nobody() - whose row has what a walk found nobody for
 */
void kma_origin_nobody(void);

#endif /* KMA_ORIGIN_H */
