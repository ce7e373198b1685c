/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hex.h - hexadecimal digits.
 *
 * Up to v6.6 what has to do with them is in linux/kernel.h; for some time after that
 * it included linux/hex.h.
 */
#ifndef KMA_COMPAT_HEX_H
#define KMA_COMPAT_HEX_H

#ifdef KMA_HEX_IN_KERNEL_H
#include <linux/kernel.h>
#else
#include <linux/hex.h>
#endif

#endif /* KMA_COMPAT_HEX_H */
