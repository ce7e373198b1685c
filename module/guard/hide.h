/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hide.h - replaces addresses of the kernel for readers that may not see them (access.h).
 */
#ifndef KMA_HIDE_H
#define KMA_HIDE_H

#include <linux/types.h>

/**
 * kma_hide_address() - replace an address by 0, unless the reader may see it
 * @addr: the address
 * @shown: result of kma_access_addresses() at open
 *
 * Return: the address, or 0.
 */
static inline unsigned long kma_hide_address(unsigned long addr, bool shown)
{
	return shown ? addr : 0;
}

/**
 * kma_hide_addresses() - replace the addresses in a text, unless the reader may see them
 * @text: text of names and offsets, with addresses instead of missing names. Each number of
 *	12 hexadecimal digits or more becomes "[no symbol]"; on 32-bit CPUs 8 and "[nosymbol]".
 * @shown: result of kma_access_addresses() at open; if true, @text is not changed
 *
 * Context: any.
 */
void kma_hide_addresses(char *text, bool shown);

#endif /* KMA_HIDE_H */
