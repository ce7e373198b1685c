// SPDX-License-Identifier: GPL-2.0-only
/*
 * address.c - compute the address of an object from its tag and its bucket.
 */
#include <linux/bits.h>

#include "account/address.h"
#include "account/direct_map.h"

#ifdef CONFIG_64BIT
#define KMA_HASH_MUL_INV	0xebb34377u	/* inverse of KMA_HASH_MUL modulo 2^32 */

unsigned long kma_live_ptr(u32 tag, u32 home)
{
	/* subtract the tag's part of the bucket's number: what is left comes from the top bits */
	u32 top = home - (u32)((u64)tag * KMA_HASH_MUL >> 32);
	unsigned long base = kma_direct_base, ptr;

	top = top * KMA_HASH_MUL_INV & (KMA_HOMES_MIN - 1);
	ptr = ((unsigned long)top << 32 | tag) << KMA_PTR_SHIFT;
	ptr |= base & ~(BIT(KMA_PTR_BITS) - 1);
	return ptr < base ? ptr + BIT(KMA_PTR_BITS) : ptr;
}
#else
unsigned long kma_live_ptr(u32 tag, u32 home)
{
	return tag << KMA_PTR_SHIFT;
}
#endif
