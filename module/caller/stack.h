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
 * Locking: none; interrupts are off, so no other user of this CPU writes the buffer.
 *
 * Contexts: any but NMI, irqs off, for what walks; process, may sleep, for the buffers.
 */
#ifndef KMA_STACK_H
#define KMA_STACK_H

#include <linux/types.h>

struct pt_regs;

#define KMA_STACK_MAX	64u	/* return addresses of a walk */
#define KMA_STACK_SHORT	16u	/* of the first, short walk */

/* Return addresses, from the innermost outwards. */
struct kma_stack {
	unsigned int nr;
	/* The outermost index at which a call site was found, up to KMA_STACK_SHORT */
	unsigned int near;
	bool all;	/* the walk ended before the buffer was full */
	unsigned long addr[KMA_STACK_MAX];
};

/* The function that allocated or freed pages. */
struct kma_stack_origin {
	/*
	 * Return address into the first function that is not part of an allocator and, if there is
	 * such a function, not a wrapper; 0 if none is on the stack.
	 */
	unsigned long call_site;
	/*
	 * KMA_FRAME_SLAB or KMA_FRAME_PERCPU if that allocator uses the pages for its own objects,
	 * which are counted by their own events; else 0.
	 */
	unsigned int kind;
};

/*
 * Reserve the buffers. Returns 0, -ENOMEM, or -EOPNOTSUPP if the kernel cannot walk a stack, with
 * nothing reserved. kma_stack_deinit() may be called then, too.
 */
int kma_stack_init(void);
void kma_stack_deinit(void);

/*
 * Walk the current stack, up to @max addresses, of which the first are those of this module. Valid
 * until the next walk or until interrupts are enabled.
 */
const struct kma_stack *kma_stack_walk(unsigned int max);

/*
 * Walk the current stack up to a call site and @after addresses outside of it, or all that exist,
 * maybe without those inside of it. @at is set to the index of the call site. NULL if it is not on
 * the stack.
 *
 * @from is __builtin_frame_address(0) of a function that has not returned: the walk may begin with
 * its caller, and cost the less for it; a frame of a module costs twice that of others.
 */
const struct kma_stack *kma_stack_find(const unsigned long *from, unsigned long call_site,
				       unsigned int after, unsigned int *at);

/*
 * As kma_stack_find(), from a kprobe on the first instruction of a function, with its registers and
 * its return address. On machines that pass the return address in a register, and on i386, a walk
 * does not find @caller: its caller follows the first instruction of the function. Then @at is the
 * index of what stands for it.
 */
const struct kma_stack *kma_stack_above(struct pt_regs *regs, unsigned long caller,
					unsigned int after, unsigned int *at);

/*
 * The index of the first function from @i outwards that has none of these KMA_FRAME_* kinds; the
 * length of the stack if there is none.
 */
unsigned int kma_stack_skip(const struct kma_stack *s, unsigned int i, unsigned int kinds);

/*
 * For events of pages, which do not report their caller. Skips the probe, the functions of the page
 * allocator, and wrappers.
 */
struct kma_stack_origin kma_stack_origin(void);

size_t kma_stack_memory(void);

#endif /* KMA_STACK_H */
