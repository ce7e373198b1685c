/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * size.h - bytes_req and bytes_alloc of an object in 32 bits.
 *
 * Nearly all objects are whole words below 64 KiB, which is two halves of 16
 * bits. Larger ones are whole pages, a power of two of them. The lowest bit of
 * the first half marks them; it is free because sizes are whole words:
 *
 *	bytes 15-1, 0                    req 15-0
 *	slack 25-16, order 4-0, 1        slack 15-0
 *
 * A per-CPU object has words of four bytes and the first form; bit 1 of its first half
 * says that there is a copy for each CPU, and the numbers are those of one copy.
 *
 * Unpacking returns both numbers exactly. Sizes that fit neither form cannot be
 * packed; the caller counts such objects.
 */
#ifndef KMA_SIZE_H
#define KMA_SIZE_H

#include <linux/compiler.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/types.h>

#define KMA_SIZE_PAGES		1u	/* in bytes: the second form */
#define KMA_SIZE_COPIES		2u	/* in bytes of the first form: a per-CPU object */
#define KMA_SIZE_ORDER_SHIFT	1
#define KMA_SIZE_ORDER_MAX	31
#define KMA_SIZE_SLACK_SHIFT	6
#define KMA_SIZE_SLACK_BITS	26

struct kma_size {
	u16 bytes;	/* first half */
	u16 req;	/* second half */
};

/* As usual: whole words below 64 KiB, which kma_size_small() can pack. */
static __always_inline bool kma_size_is_small(size_t bytes)
{
	return !(bytes & ~0xfff8ul);
}

/*
 * Whole words below 16 KiB, which only slab objects have: kmalloc() returns larger objects of whole
 * pages.
 */
static __always_inline bool kma_size_is_slab(size_t bytes)
{
	return !(bytes & ~0x3ff8ul);
}

/* @bytes is small, and at least @req. */
static __always_inline struct kma_size kma_size_small(size_t req, size_t bytes)
{
	return (struct kma_size){ .bytes = bytes, .req = req };
}

/* False if the sizes cannot be packed. @bytes is at least @req. */
static inline bool kma_size_pack(struct kma_size *size, size_t req, size_t bytes)
{
	size_t slack = bytes - req;
	unsigned int order;

	*size = kma_size_small(req, bytes);
	if (kma_size_is_small(bytes))
		return true;
	if (!is_power_of_2(bytes) || bytes < PAGE_SIZE || slack >> KMA_SIZE_SLACK_BITS)
		return false;
	order = ilog2(bytes) - PAGE_SHIFT;
	if (order > KMA_SIZE_ORDER_MAX)
		return false;
	size->bytes = slack >> 16 << KMA_SIZE_SLACK_SHIFT |
		      order << KMA_SIZE_ORDER_SHIFT | KMA_SIZE_PAGES;
	size->req = slack;
	return true;
}

/* The sizes of a per-CPU object: bytes of one copy, whole words of four bytes, and below 64 KiB. */
static inline struct kma_size kma_size_copies(size_t bytes)
{
	return (struct kma_size){ .bytes = bytes | KMA_SIZE_COPIES, .req = bytes };
}

static __always_inline bool kma_size_is_copies(struct kma_size size)
{
	return (size.bytes & (KMA_SIZE_PAGES | KMA_SIZE_COPIES)) == KMA_SIZE_COPIES;
}

/* Unpack the bytes allocated; for a per-CPU object, of one copy. */
static __always_inline size_t kma_size_bytes(struct kma_size size)
{
	if (likely(!(size.bytes & KMA_SIZE_PAGES)))
		return size.bytes & ~KMA_SIZE_COPIES;
	return PAGE_SIZE << (size.bytes >> KMA_SIZE_ORDER_SHIFT & 31);
}

static __always_inline size_t kma_size_req(struct kma_size size)
{
	if (likely(!(size.bytes & KMA_SIZE_PAGES)))
		return size.req;
	return kma_size_bytes(size) -
	       ((size_t)size.bytes >> KMA_SIZE_SLACK_SHIFT << 16 | size.req);
}

#endif /* KMA_SIZE_H */
