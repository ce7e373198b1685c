/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unwind.h - walk the stack of a function that starts, from the registers of its kprobe.
 *
 * Only for 32-bit ARM. There a kprobe that the kernel has optimised calls its handler from a copy
 * of the instructions, for which the unwinder has no table. A walk from the handler ends there,
 * with a line in the kernel log ("unwind: Index not found"), so the walk begins with the caller.
 */
#ifndef KMA_COMPAT_UNWIND_H
#define KMA_COMPAT_UNWIND_H

#ifdef CONFIG_ARM
#include <linux/ptrace.h>
#include <linux/types.h>

#include <asm/stacktrace.h>

struct kma_unwind {
	unsigned long *addr;
	unsigned int nr;
	unsigned int max;
};

static inline bool kma_unwind_take(struct kma_unwind *u, unsigned long addr)
{
	if (u->nr < u->max)
		u->addr[u->nr++] = addr;
	return u->nr < u->max;
}

#ifdef KMA_UNWIND_FRAMES
/* A result other than 0 ends the walk. */
static inline int kma_unwind_step(struct stackframe *frame, void *data)
{
	return !kma_unwind_take(data, frame->pc);
}
#else
/* The result false ends the walk. */
static inline bool kma_unwind_step(void *data, unsigned long pc)
{
	return kma_unwind_take(data, pc);
}
#endif

/**
 * kma_unwind_callers() - get the callers of a function that starts
 * @regs: the registers at the function's first instruction
 * @addr: set to return addresses, that of the function itself first
 * @max: maximum number of addresses
 *
 * Context: a kprobe's handler.
 * Return: number of addresses.
 */
static inline unsigned int kma_unwind_callers(struct pt_regs *regs, unsigned long *addr,
					      unsigned int max)
{
	struct kma_unwind u = { .addr = addr, .max = max };
	struct stackframe frame = {};

	arm_get_current_stackframe(regs, &frame);
	frame.pc = frame.lr;
	walk_stackframe(&frame, kma_unwind_step, &u);
	return u.nr;
}
#endif /* CONFIG_ARM */

#endif /* KMA_COMPAT_UNWIND_H */
