/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat.h - which kernels the module is built for, and what older ones lack.
 *
 * Included first in every file by Kbuild. The newest kernel is the normal
 * case everywhere else. What an older kernel has in another form is found by
 * compat/Kbuild.include in the kernel's own headers, for distributions carry
 * changes back; only the range is a matter of version numbers. The changes are
 * listed in Documentation/design/compat.rst.
 */
#ifndef KMA_COMPAT_H
#define KMA_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 10, 0) || \
	LINUX_VERSION_CODE >= KERNEL_VERSION(8, 0, 0)
#error "kmem_account is built for Linux 5.10 to 7.x"
#endif

/* Counters are read while another CPU writes them: in one piece, or not. */
#ifndef CONFIG_64BIT
#error "kmem_account needs a 64-bit kernel"
#endif

/*
 * 6.12 and 7.2 make two events of a kmalloc() of more than
 * KMALLOC_MAX_CACHE_SIZE bytes, of a size that the compiler does not know; the
 * first one's caller is the allocator's own function. Taken to have come with
 * its functions called _noprof.
 */
#ifdef KMA_LARGE_ONCE
#define KMA_LARGE_TWICE	0
#else
#define KMA_LARGE_TWICE	1
#endif

/*
 * kfree() takes objects of any cache since v6.4, which has no allocator left (SLOB)
 * that could not tell them.
 */
#ifdef KMA_HAS_SLOB
#define KMA_KFREE_TAKES_ALL	0
#else
#define KMA_KFREE_TAKES_ALL	1
#endif

#endif /* KMA_COMPAT_H */
