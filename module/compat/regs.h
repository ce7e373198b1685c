/* SPDX-License-Identifier: GPL-2.0 */
/*
 * regs.h - what a kprobe on a function's first instruction can tell.
 */
#ifndef KMA_COMPAT_REGS_H
#define KMA_COMPAT_REGS_H

#include <linux/ptrace.h>

/**
 * kma_regs_caller() - where a function returns to
 * @regs: as they are at its first instruction
 *
 * Context: a kprobe's handler.
 * Return: the address.
 */
static __always_inline unsigned long kma_regs_caller(struct pt_regs *regs)
{
#if defined(CONFIG_X86)
	return regs_get_kernel_stack_nth(regs, 0);
#elif defined(CONFIG_ARM64)
	return procedure_link_pointer(regs);
#else
#error "where does a function of this architecture return to?"
#endif
}

#endif /* KMA_COMPAT_REGS_H */
