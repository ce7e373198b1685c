/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compat.h - which kernels the module is built for.
 *
 * Included first in every file by Kbuild. One wrapper for each kernel API
 * change will stand in this folder, with the upstream commit and version.
 */
#ifndef KMA_COMPAT_H
#define KMA_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0) || \
	LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#error "kmem_account is built for Linux 6.1"
#endif

/* Counters are read while another CPU writes them: in one piece, or not. */
#ifndef CONFIG_64BIT
#error "kmem_account needs a 64-bit kernel"
#endif

/* What kmem_cache_alloc_bulk() is called in the kernel's symbol table. */
#define KMA_ALLOC_BULK	"kmem_cache_alloc_bulk"

#endif /* KMA_COMPAT_H */
