/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kprobes.h - properties of the slab allocator's functions that kprobes need.
 *
 * For kprobe.c alone.
 */
#ifndef KMA_COMPAT_KPROBES_H
#define KMA_COMPAT_KPROBES_H

#include <linux/kprobes.h>
#include <linux/ptrace.h>

/* The symbol of the function behind kmem_cache_alloc_bulk(). */
#ifdef KMA_BULK_PLAIN
#define KMA_ALLOC_BULK	"kmem_cache_alloc_bulk"
#else
#define KMA_ALLOC_BULK	"kmem_cache_alloc_bulk_noprof"
#endif

/* kmalloc_nolock() and kfree_nolock(), and the symbol of the former. */
#ifdef KMA_NO_NOLOCK
#define KMA_HAS_NOLOCK		0
#else
#define KMA_HAS_NOLOCK		1
#endif
#ifdef KMA_NOLOCK_PLAIN
#define KMA_ALLOC_NOLOCK	"kmalloc_nolock_noprof"
#else
#define KMA_ALLOC_NOLOCK	"_kmalloc_nolock_noprof"
#endif

/**
 * kma_regs_caller() - get the return address of a function that starts
 * @regs: the registers at the function's first instruction
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
#elif defined(CONFIG_ARM)
	return regs->ARM_lr;
#elif defined(CONFIG_RISCV)
	return regs->ra;
#elif defined(CONFIG_S390)
	return regs->gprs[14];
#else
#error "kma_regs_caller() does not know where a function of this architecture returns to"
#endif
}

/**
 * kma_kretprobe_caller() - get the return address of a function that returns
 * @ri: instance of the function's kretprobe
 *
 * Context: a kretprobe's handler.
 * Return: the address.
 */
static __always_inline unsigned long
kma_kretprobe_caller(struct kretprobe_instance *ri)
{
#ifdef KMA_NO_RETADDR
	/* up to v5.15 */
	return (unsigned long)ri->ret_addr;
#else
	return get_kretprobe_retaddr(ri);
#endif
}

/**
 * kma_bulk_worked() - check whether kmem_cache_alloc_bulk() has allocated all objects
 * @regs: the registers when it returns
 *
 * Context: a kretprobe's handler.
 * Return: true if it has; false if it has allocated none.
 */
static __always_inline bool kma_bulk_worked(struct pt_regs *regs)
{
#ifdef KMA_BULK_COUNTS
	/* the function returns the number of objects, or 0 */
	return (int)regs_return_value(regs);
#else
	/* the function returns a bool: the upper bits of the register are undefined */
	return (u8)regs_return_value(regs);
#endif
}

#endif /* KMA_COMPAT_KPROBES_H */
