/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oom.h - the panic notifier, and the kernel's own report of memory by call site.
 */
#ifndef KMA_COMPAT_OOM_H
#define KMA_COMPAT_OOM_H

#ifndef KMA_PANIC_IN_KERNEL_H
#include <linux/panic_notifier.h>
#else
/* Before v5.14 (commit f39650de687e) it is declared by kernel.h. */
#include <linux/kernel.h>
#include <linux/notifier.h>
#endif

#ifdef CONFIG_MEM_ALLOC_PROFILING
#include <linux/alloc_tag.h>
#endif

/* True if the kernel itself prints its largest call sites when the machine lacks memory. */
static inline bool kma_allocinfo_reports(void)
{
#ifdef CONFIG_MEM_ALLOC_PROFILING
	return mem_alloc_profiling_enabled();
#else
	return false;
#endif
}

#endif /* KMA_COMPAT_OOM_H */
