/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * range.h - which kernels the module is built for, out of their trees.
 *
 * Included before all else by Kbuild; a kernel that has these sources in its tree
 * is the right one.
 */
#ifndef KMA_COMPAT_RANGE_H
#define KMA_COMPAT_RANGE_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0) || \
	LINUX_VERSION_CODE >= KERNEL_VERSION(8, 0, 0)
#error "kmem_account is built for Linux 5.10 to 7.x"
#endif

#endif /* KMA_COMPAT_RANGE_H */
