/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * range.h - which kernels the module is built for, out of their trees.
 *
 * Included before all else by Kbuild; a kernel that has these sources in its tree
 * is the right one, and its Kconfig has the options as dependencies.
 */
#ifndef KMA_COMPAT_RANGE_H
#define KMA_COMPAT_RANGE_H

#include <linux/kconfig.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0) || \
	LINUX_VERSION_CODE >= KERNEL_VERSION(8, 0, 0)
#error "kmem_account is built for Linux 5.10 to 7.x"
#endif

/* 32-bit kernels are supported on two machines (Documentation/design/compat.rst) */
#if !defined(CONFIG_64BIT) && !defined(CONFIG_X86_32) && !defined(CONFIG_ARM)
#error "kmem_account needs a 64-bit kernel, or a 32-bit kernel for x86 or ARM"
#endif

/* events come from tracepoints */
#ifndef CONFIG_TRACEPOINTS
#error "kmem_account needs a kernel with CONFIG_TRACEPOINTS (enable CONFIG_FTRACE)"
#endif

/* the account is shown in /proc */
#ifndef CONFIG_PROC_FS
#error "kmem_account needs a kernel with CONFIG_PROC_FS"
#endif

/* for the names of call sites, and for functions that are not exported */
#ifndef CONFIG_KALLSYMS
#error "kmem_account needs a kernel with CONFIG_KALLSYMS"
#endif

/* slabs and caches are read as SLUB stores them */
#ifndef CONFIG_SLUB
#error "kmem_account needs a kernel with CONFIG_SLUB"
#endif

#endif /* KMA_COMPAT_RANGE_H */
