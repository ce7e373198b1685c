/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat.h - what older kernels lack.
 *
 * Included first in every file by Kbuild. The newest kernel is the normal
 * case everywhere else. What an older kernel has in another form is found by
 * compat/Kbuild.include in the kernel's own headers, for distributions carry
 * changes back. The changes are listed in Documentation/design/compat.rst.
 */
#ifndef KMA_COMPAT_H
#define KMA_COMPAT_H

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
