/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack.h - who called the allocator: the stack of an event.
 *
 * The walk is the kernel's own (stack_trace_save()), into a buffer of this CPU:
 * stacks of kernel tasks are deep enough already. It takes no lock, allocates
 * nothing and calls nothing that has one of our probes, in any context but NMI.
 * How good it is depends on the kernel's unwinder: with ORC or frame pointers
 * each return address is one, and code without either (a trampoline, an
 * interrupt that came at a bad place) ends the walk early; a kernel with
 * CONFIG_UNWINDER_GUESS names addresses that are left on the stack, too.
 *
 * An interrupted function has not called the interrupt: a stack ends with the
 * function where an interrupt, a trap or a system call begins.
 *
 * Walking costs 600 instructions a frame. Call sites are near the top, so a short
 * walk comes first, as far as they were found to be so far, and all of
 * KMA_STACK_MAX if that did not do.
 *
 * Never done here: no event is booked, no name is printed.
 *
 * Locking: none; irqs are off, which makes the buffer ours.
 */
#ifndef KMA_STACK_H
#define KMA_STACK_H

#include <linux/types.h>

#define KMA_STACK_MAX	64u	/* return addresses of a walk */
#define KMA_STACK_SHORT	16u	/* of a first one */

/**
 * struct kma_stack - return addresses, from the innermost outwards
 * @nr: how many
 * @near: the farthest place at which a call site was found, up to
 *	KMA_STACK_SHORT
 * @all: the walk ended before the buffer was full
 * @addr: the addresses
 */
struct kma_stack {
	unsigned int nr;
	unsigned int near;
	bool all;
	unsigned long addr[KMA_STACK_MAX];
};

/**
 * struct kma_stack_origin - who asked for pages, or gave them back
 * @call_site: return address into the first function that is no allocator's
 *	and, where there is another, no wrapper; 0 if the stack shows none
 * @kind: KMA_FRAME_SLAB or _PERCPU if that allocator took the pages for
 *	itself: they are counted by its own events; else 0
 */
struct kma_stack_origin {
	unsigned long call_site;
	unsigned int kind;
};

/**
 * kma_stack_init() - reserve the buffers; kma_frame_init() comes before
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -EOPNOTSUPP if the kernel cannot walk a stack. Nothing
 * is reserved then.
 */
int kma_stack_init(void);

/**
 * kma_stack_deinit() - release them; also after kma_stack_init() failed
 *
 * Context: process, may sleep.
 */
void kma_stack_deinit(void);

/**
 * kma_stack_walk() - the return addresses of the stack that we are on
 * @max: how many at most, up to KMA_STACK_MAX
 *
 * Context: any but NMI, irqs off.
 * Return: the stack, whole until the next walk or until irqs go on. The first
 * addresses are those of the module itself.
 */
const struct kma_stack *kma_stack_walk(unsigned int max);

/**
 * kma_stack_find() - the stack of a call site
 * @call_site: return address, as the event names it
 * @after: how many callers beyond it are asked for
 * @at: set to its place in the stack
 *
 * Context: any but NMI, irqs off.
 * Return: the stack, as kma_stack_walk(), with @after addresses beyond the call
 * site or as many as there are; NULL if the call site is not on it.
 */
const struct kma_stack *kma_stack_find(unsigned long call_site,
				       unsigned int after, unsigned int *at);

/**
 * kma_stack_skip() - look outwards, past functions of some kinds
 * @s: the stack
 * @i: place in it to begin at
 * @kinds: KMA_FRAME_* flags
 *
 * Context: any but NMI, irqs off.
 * Return: the place of the first function that is of none of these kinds; the
 * length of the stack if there is none.
 */
unsigned int kma_stack_skip(const struct kma_stack *s, unsigned int i,
			    unsigned int kinds);

/**
 * kma_stack_origin() - who asked for pages, or gave them back
 *
 * For events that do not name their caller. Skips the probe, the functions of
 * the page allocator and, if the list of wrappers= has some, those.
 *
 * Context: any but NMI, irqs off.
 * Return: call site, and whether another allocator is behind it.
 */
struct kma_stack_origin kma_stack_origin(void);

/**
 * kma_stack_memory() - what the buffers take
 *
 * Return: bytes.
 */
size_t kma_stack_memory(void);

#endif /* KMA_STACK_H */
