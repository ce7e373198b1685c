/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * address.h - compute a tag and a bucket from the address of an object, and the reverse.
 *
 * Bits [34:3] of an address are its tag, which the live map stores. Bits [46:35] are not stored.
 * All bits from 3 on go into the number of the home bucket, and bits [46:35] are computed back
 * from the tag and the low 12 bits of that number (D. E. Knuth, The Art of Computer Programming 3,
 * section 6.4, exercise 13, "quotient"). All memory must therefore lie less than 128 TiB above
 * kma_direct_base (direct_map.h), which kma_live_init() checks. On a 32-bit CPU the tag contains
 * the whole address.
 *
 * Never done here: reading memory. All of this is arithmetic.
 */
#ifndef KMA_ADDRESS_H
#define KMA_ADDRESS_H

#include <linux/compiler.h>
#include <linux/kasan.h>
#include <linux/types.h>

/* The smallest map has 2^12 home buckets, which give 12 bits of an address. */
#define KMA_HOMES_MIN		4096u
#define KMA_PTR_SHIFT		3	/* objects are aligned to 2^3 bytes */
#define KMA_PTR_BITS		47	/* bits of a distance: tag, bucket and alignment */
#define KMA_HASH_MUL		0x61c88647u	/* odd, 2^32 / golden ratio^2 */

/**
 * kma_live_tag() - get the part of an address that a bucket stores
 * @ptr: the address
 *
 * Return: bits [34:3].
 */
static __always_inline u32 kma_live_tag(const void *ptr)
{
	return (unsigned long)kasan_reset_tag(ptr) >> KMA_PTR_SHIFT;
}

static __always_inline u64 kma_live_product(const void *ptr)
{
	return ((u64)(unsigned long)kasan_reset_tag(ptr) >> KMA_PTR_SHIFT) *
	       KMA_HASH_MUL;
}

/**
 * kma_live_hash() - get the part of an address that selects a bucket
 * @ptr: the address
 *
 * Fibonacci hashing (Knuth 6.4), of which the product's upper half is used. For a given tag,
 * bits [43:32] of the product are a bijection of the address bits above the tag, because the
 * factor is odd. The tag and these bits therefore identify the address. A factor of 31
 * bits fits into the instruction. Its cost is that four adjacent objects of 8 bytes
 * share a bucket.
 *
 * Return: 32 bits, of which the low ones are used.
 */
static __always_inline u32 kma_live_hash(const void *ptr)
{
	return kma_live_product(ptr) >> 32;
}

/**
 * kma_live_ptr() - compute the address of an object from its tag and its bucket
 * @tag: the tag
 * @home: number of the object's home bucket
 *
 * Context: any.
 * Return: the address.
 */
unsigned long kma_live_ptr(u32 tag, u32 home);

#endif /* KMA_ADDRESS_H */
