/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * address.h - the address of an object as the live map has it: a tag, and a bucket.
 *
 * Bits [34:3] of an address are its tag, which the map stores. Bits [46:35] go, with all
 * others, into the number of the home bucket, and can be got back from the tag and the low
 * 12 bits of that number (D. E. Knuth, The Art of Computer Programming 3, section 6.4,
 * exercise 13, "quotient"). This asks for memory within less than 128 TiB of
 * kma_direct_base (direct_map.h), which kma_live_init() checks. On a 32-bit CPU the tag is
 * the whole address.
 *
 * Never done here: nothing is looked up or touched, it is arithmetic.
 */
#ifndef KMA_ADDRESS_H
#define KMA_ADDRESS_H

#include <linux/compiler.h>
#include <linux/kasan.h>
#include <linux/types.h>

/* 12 bits of an address are known from its bucket alone: the smallest map. */
#define KMA_HOMES_MIN		4096u
#define KMA_PTR_SHIFT		3	/* objects are aligned to this */
#define KMA_PTR_BITS		47	/* tag, bucket and alignment */
#define KMA_HASH_MUL		0x61c88647u	/* odd, 2^32 / golden ratio^2 */

/**
 * kma_live_tag() - the part of an address that is stored
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
 * kma_live_hash() - the part of an address that chooses a bucket
 * @ptr: the address
 *
 * Fibonacci hashing (Knuth 6.4), and the product's upper half. For a given tag,
 * its bits [43:32] are a bijection of the bits above the tag, because the factor
 * is odd: together with the tag they say which address it was. A factor of 31
 * bits fits into the instruction; what it costs is that four objects of 8 bytes,
 * side by side, share a bucket.
 *
 * Return: 32 bits, of which the low ones are used.
 */
static __always_inline u32 kma_live_hash(const void *ptr)
{
	return kma_live_product(ptr) >> 32;
}

/**
 * kma_live_ptr() - the address of an object, by its tag and its bucket
 * @tag: the tag
 * @home: number of its home bucket
 *
 * Context: any.
 * Return: the address.
 */
unsigned long kma_live_ptr(u32 tag, u32 home);

#endif /* KMA_ADDRESS_H */
