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

/**
 * struct kma_size - sizes of an object, packed
 * @bytes: first half
 * @req: second half
 */
struct kma_size {
	u16 bytes;
	u16 req;
};

/*
 * Test if kma_size_small() can pack a size, as is usual.
 * Return: true for whole words below 64 KiB.
 */
static __always_inline bool kma_size_is_small(size_t bytes)
{
	return !(bytes & ~0xfff8ul);
}

/*
 * Test for a size that only slab objects have.
 * Return: true for whole words below 16 KiB. Each object of whole pages that kmalloc() returns is
 * larger. Such a size also passes kma_size_is_small().
 */
static __always_inline bool kma_size_is_slab(size_t bytes)
{
	return !(bytes & ~0x3ff8ul);
}

/**
 * kma_size_small() - pack small sizes
 * @req: bytes requested
 * @bytes: bytes allocated, at least @req, and small
 *
 * Return: the packed sizes.
 */
static __always_inline struct kma_size kma_size_small(size_t req, size_t bytes)
{
	return (struct kma_size){ .bytes = bytes, .req = req };
}

/**
 * kma_size_pack() - pack any sizes
 * @size: set to the packed sizes
 * @req: bytes requested
 * @bytes: bytes allocated, at least @req
 *
 * Return: true, or false if they cannot be packed.
 */
static inline bool kma_size_pack(struct kma_size *size, size_t req,
				 size_t bytes)
{
	size_t slack = bytes - req;
	unsigned int order;

	*size = kma_size_small(req, bytes);
	if (kma_size_is_small(bytes))
		return true;
	if (!is_power_of_2(bytes) || bytes < PAGE_SIZE ||
	    slack >> KMA_SIZE_SLACK_BITS)
		return false;
	order = ilog2(bytes) - PAGE_SHIFT;
	if (order > KMA_SIZE_ORDER_MAX)
		return false;
	size->bytes = slack >> 16 << KMA_SIZE_SLACK_SHIFT |
		      order << KMA_SIZE_ORDER_SHIFT | KMA_SIZE_PAGES;
	size->req = slack;
	return true;
}

/**
 * kma_size_copies() - pack the sizes of a per-CPU object
 * @bytes: bytes of one copy, whole words of four bytes, and below 64 KiB
 *
 * Return: the packed sizes.
 */
static inline struct kma_size kma_size_copies(size_t bytes)
{
	return (struct kma_size){ .bytes = bytes | KMA_SIZE_COPIES, .req = bytes };
}

/* Test for the sizes of a per-CPU object. Return: true if @size is from kma_size_copies(). */
static __always_inline bool kma_size_is_copies(struct kma_size size)
{
	return (size.bytes & (KMA_SIZE_PAGES | KMA_SIZE_COPIES)) == KMA_SIZE_COPIES;
}

/*
 * Unpack the bytes that were allocated to an object.
 * Return: bytes; for a per-CPU object, the bytes of one copy.
 */
static __always_inline size_t kma_size_bytes(struct kma_size size)
{
	if (likely(!(size.bytes & KMA_SIZE_PAGES)))
		return size.bytes & ~KMA_SIZE_COPIES;
	return PAGE_SIZE << (size.bytes >> KMA_SIZE_ORDER_SHIFT & 31);
}

/* Unpack the bytes that the caller requested. Return: bytes. */
static __always_inline size_t kma_size_req(struct kma_size size)
{
	if (likely(!(size.bytes & KMA_SIZE_PAGES)))
		return size.req;
	return kma_size_bytes(size) -
	       ((size_t)size.bytes >> KMA_SIZE_SLACK_SHIFT << 16 | size.req);
}

#endif /* KMA_SIZE_H */
