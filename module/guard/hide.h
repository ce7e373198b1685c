/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hide.h - addresses of the kernel, for a reader who may see them and for others.
 *
 * access.h says who may.
 */
#ifndef KMA_HIDE_H
#define KMA_HIDE_H

#include <linux/types.h>

/**
 * kma_hide_address() - an address, for a reader
 * @addr: the address
 * @shown: what kma_access_addresses() has answered at open
 *
 * Return: the address, or 0.
 */
static inline unsigned long kma_hide_address(unsigned long addr, bool shown)
{
	return shown ? addr : 0;
}

/**
 * kma_hide_addresses() - take addresses out of a text, for a reader
 * @text: text of names and offsets; what has no name stands there as its address. Each
 *	number of 12 hexadecimal digits or more becomes "[no symbol]".
 * @shown: what kma_access_addresses() has answered at open; if true, nothing is done
 *
 * Context: any.
 */
void kma_hide_addresses(char *text, bool shown);

#endif /* KMA_HIDE_H */
