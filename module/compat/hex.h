/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hex.h - functions for hexadecimal digits.
 */
#ifndef KMA_COMPAT_HEX_H
#define KMA_COMPAT_HEX_H

#ifdef KMA_HEX_IN_KERNEL_H
/* Up to v6.6 linux/kernel.h declares the functions; later it includes linux/hex.h. */
#include <linux/kernel.h>
#else
#include <linux/hex.h>
#endif

#endif /* KMA_COMPAT_HEX_H */
