/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hide.h - replaces addresses of the kernel for readers that may not see them (access.h).
 */
#ifndef KMA_HIDE_H
#define KMA_HIDE_H

#include <linux/types.h>

/*
 * 0 instead of the address, unless the reader may see it: @shown is the result of
 * kma_access_addresses() at open.
 */
static inline unsigned long kma_hide_address(unsigned long addr, bool shown)
{
	return shown ? addr : 0;
}

/*
 * The same for a text of names and offsets, with addresses instead of missing names. Each number of
 * 12 hexadecimal digits or more becomes "[no symbol]"; on 32-bit CPUs 8 and "[nosymbol]".
 */
void kma_hide_addresses(char *text, bool shown);

#endif /* KMA_HIDE_H */
