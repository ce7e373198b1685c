/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack.h - the stack of an event.
 *
 * The kernel walks the stack (stack_trace_save()), into a buffer of this CPU, because the
 * stack of a kernel task has no space for it. The walk takes no lock, allocates nothing and
 * calls no function with a probe of this module, in any context but NMI. Its quality depends
 * on the unwinder of the kernel. With ORC or frame pointers each address is a return
 * address; the walk ends early at code without either (a trampoline, or an interrupt at a
 * bad position). A kernel with CONFIG_UNWINDER_GUESS also reports old addresses that are
 * still on the stack.
 *
 * An interrupted function has not called the interrupt. So a stack ends with the function
 * where an interrupt, a trap or a system call starts.
 *
 * A walk costs about 600 instructions a frame. Where the kernel exports the steps of its walk, the
 * search for a call site ends with the last address that is needed. Elsewhere the first walk is
 * short, because call sites are near the top: as far as they were found so far. If it does not
 * contain the call site, all of KMA_STACK_MAX is walked.
 *
 * Never done here: counting an event; printing a name.
 *
 * Locking: none; interrupts are off, so no other user of this CPU writes the buffer.
 */
#ifndef KMA_STACK_H
#define KMA_STACK_H

#include <linux/types.h>

struct pt_regs;

#define KMA_STACK_MAX	64u	/* return addresses of a walk */
#define KMA_STACK_SHORT	16u	/* of the first, short walk */

/**
 * struct kma_stack - return addresses, from the innermost outwards
 * @nr: number of addresses
 * @near: the outermost index at which a call site was found, up to KMA_STACK_SHORT
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
 * struct kma_stack_origin - the function that allocated or freed pages
 * @call_site: return address into the first function that is not part of an allocator and,
 *	if there is such a function, not a wrapper; 0 if none is on the stack
 * @kind: KMA_FRAME_SLAB or KMA_FRAME_PERCPU if that allocator uses the pages for its own
 *	objects, which are counted by their own events; else 0
 */
struct kma_stack_origin {
	unsigned long call_site;
	unsigned int kind;
};

/*
 * Reserve the buffers.
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -EOPNOTSUPP if the kernel cannot walk a stack. Nothing is reserved after
 * an error.
 */
int kma_stack_init(void);

/*
 * Release the buffers.
 * Context: process, may sleep. Also called after kma_stack_init() has failed.
 */
void kma_stack_deinit(void);

/**
 * kma_stack_walk() - walk the current stack
 * @max: maximum number of addresses, up to KMA_STACK_MAX
 *
 * Context: any but NMI, interrupts off.
 * Return: the stack, valid until the next walk or until interrupts are enabled. The first
 * addresses are those of this module.
 */
const struct kma_stack *kma_stack_walk(unsigned int max);

/**
 * kma_stack_find() - walk the current stack up to a call site and its callers
 * @from: __builtin_frame_address(0) of a function that has not returned: the walk may begin
 *	with its caller, and cost the less for it; a frame of a module costs twice that of others
 * @call_site: return address, as in the event
 * @after: number of addresses that are needed outside of the call site
 * @at: set to the index of the call site in the stack
 *
 * Context: any but NMI, interrupts off.
 * Return: the stack, as kma_stack_walk(), with @after addresses outside of the call site or
 * all that exist, maybe without those inside of it; NULL if the call site is not on the stack.
 */
const struct kma_stack *kma_stack_find(const unsigned long *from, unsigned long call_site,
				       unsigned int after, unsigned int *at);

/**
 * kma_stack_above() - walk the stack of a function that starts
 * @regs: the registers at its first instruction
 * @caller: its return address
 * @after: number of addresses that are needed outside of @caller
 * @at: set to the index of @caller in the stack, or of what stands for it
 *
 * On machines that pass the return address in a register, and on i386, a walk does not find
 * @caller: its caller follows the first instruction of the function.
 *
 * Context: a kprobe on the function, interrupts off, not in an NMI.
 * Return: as kma_stack_find().
 */
const struct kma_stack *kma_stack_above(struct pt_regs *regs, unsigned long caller,
					unsigned int after, unsigned int *at);

/**
 * kma_stack_skip() - find the first function that is not of some kinds
 * @s: the stack
 * @i: index to start at
 * @kinds: KMA_FRAME_* flags
 *
 * Context: any but NMI, irqs off.
 * Return: index of the first function outwards that has none of these kinds; the length of
 * the stack if there is none.
 */
unsigned int kma_stack_skip(const struct kma_stack *s, unsigned int i,
			    unsigned int kinds);

/*
 * Find the function that allocated or freed pages. For events that do not report their caller.
 * Skips the probe, the functions of the page allocator, and wrappers.
 * Context: any but NMI, interrupts off.
 * Return: the call site, and the allocator that uses the pages, if any.
 */
struct kma_stack_origin kma_stack_origin(void);

/* Get the size of the buffers. Return: bytes. */
size_t kma_stack_memory(void);

#endif /* KMA_STACK_H */
