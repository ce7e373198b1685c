/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * regs.h - the arguments of a function, from the registers at its first instruction.
 */
#ifndef KMA_COMPAT_REGS_H
#define KMA_COMPAT_REGS_H

#include <linux/ptrace.h>

#ifdef CONFIG_S390
/**
 * kma_regs_argument() - get an argument of a function
 * @regs: the registers at the function's first instruction
 * @n: number of the argument, from 0 on
 *
 * On s390 regs_get_kernel_argument() calls functions that are not exported to modules (v6.1).
 * The first five arguments are in registers 2 to 6 there, the others above the caller's frame.
 *
 * Context: a handler of a kprobe or of ftrace.
 * Return: value of the argument.
 */
static __always_inline unsigned long kma_regs_argument(struct pt_regs *regs, unsigned int n)
{
	if (n < 5)
		return regs->gprs[2 + n];
	return ((unsigned long *)(regs->gprs[15] + STACK_FRAME_OVERHEAD))[n - 5];
}
#elif defined(CONFIG_ARM)
/**
 * kma_regs_argument() - get an argument of a function
 * @regs: the registers at the function's first instruction
 * @n: number of the argument, from 0 on; no argument takes more than one register
 *
 * 32-bit ARM has no regs_get_kernel_argument() (v6.1). The first four arguments are in registers
 * 0 to 3, the others on the stack.
 *
 * Context: a handler of a kprobe; for the first four arguments also a handler of ftrace.
 * Return: value of the argument.
 */
static __always_inline unsigned long kma_regs_argument(struct pt_regs *regs, unsigned int n)
{
	if (n < 4)
		return regs->uregs[n];
	return ((unsigned long *)regs->ARM_sp)[n - 4];
}
#else
/* A macro: UML, which has no kprobes, has no such function. */
#define kma_regs_argument(regs, n)	regs_get_kernel_argument(regs, n)
#endif

#endif /* KMA_COMPAT_REGS_H */
