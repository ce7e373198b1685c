/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live.h - the live map: which objects exist, who allocated them, how large.
 *
 * A hash table from the address of an object to {site, bytes_req, slack}.
 * Objects go in on one CPU and come out on another, in any context; the map
 * grows while that goes on and takes 64 bytes for six objects.
 *
 *  - A bucket is one cache line: a head word and six slots, each a 32-bit tag,
 *    a 32-bit packed size and a 16-bit site id. The first count slots are used.
 *    A bucket that is full continues in an overflow bucket, whose index is in
 *    the head; only the last bucket of such a chain may have free slots.
 *  - The address is not stored. Its 44 bits [46:3] are mixed by a bijection;
 *    the bucket's number is the low part of the result, at least 12 bits of
 *    it, and the tag is the other 32 bits. Two objects never look alike
 *    (Knuth, The Art of Computer Programming 3, section 6.4, exercise 13,
 *    "quotient"). This asks for a direct map of less than 128 TiB, which
 *    kma_live_init() checks.
 *  - Growth is linear hashing (W. Litwin, "Linear hashing: a new tool for file
 *    and table addressing", VLDB 1980): with n home buckets, 2^k <= n <
 *    2^(k+1), bucket n - 2^k is split into itself and bucket n, one bucket at
 *    a time. Nobody ever waits for more than one split.
 *  - Buckets lie in segments of 4096 that are never moved and not released
 *    before kma_live_deinit(). Overflow buckets wait in a lock-free stack, so
 *    that the probes can take one; kma_live_grow() keeps it filled.
 *
 * Never done here: no allocation in kma_live_put() and kma_live_take(), no
 * shrinking, no waiting for anything but a bucket.
 *
 * Locking:
 *  A home bucket's head is its lock, and that of its chain: it is taken by
 *  exchanging the head for KMA_BUCKET_LOCKED and released by storing the head
 *  back. irqs are off meanwhile, so its owner is always running. No other lock
 *  is taken under it. nr_homes changes only in kma_live_grow(), under the lock
 *  of the bucket that is split: who holds a home bucket and has seen nr_homes
 *  since, holds the right one.
 *  kma_live_grow(), _reset() and _deinit() are serialised by the caller.
 */
#ifndef KMA_LIVE_H
#define KMA_LIVE_H

#include <linux/types.h>

/* What kma_live_put() and kma_live_take() answer. */
struct kma_live_entry {
	u32 size;		/* as packed by kma_size_pack() */
	u16 site;
	u16 found;		/* enum kma_live_found */
};

/**
 * enum kma_live_found - was the address in the map?
 * @KMA_LIVE_NONE: no; kma_live_put() has put it there
 * @KMA_LIVE_OLD: yes, and the entry says with what; a put has replaced it
 * @KMA_LIVE_FULL: no, and there was no room to put it there
 */
enum kma_live_found { KMA_LIVE_NONE, KMA_LIVE_OLD, KMA_LIVE_FULL };

#define KMA_SIZE_BAD	(~0u)	/* no size that can be packed */

/**
 * kma_size_pack() - bytes_req and bytes_alloc of an object in 32 bits
 * @req: bytes asked for
 * @bytes: bytes given, at least @req
 *
 * Slab objects have sizes in words and little slack; larger blocks are a power
 * of two in pages. Whatever is neither is not packed.
 *
 * Return: the packed sizes, or KMA_SIZE_BAD.
 */
u32 kma_size_pack(size_t req, size_t bytes);

/**
 * kma_size_bytes() - bytes given to an object
 * @size: packed sizes, not KMA_SIZE_BAD
 *
 * Return: bytes.
 */
size_t kma_size_bytes(u32 size);

/**
 * kma_size_slack() - bytes given to an object beyond those asked for
 * @size: packed sizes, not KMA_SIZE_BAD
 *
 * Return: bytes.
 */
size_t kma_size_slack(u32 size);

/**
 * kma_live_init() - reserve a small map
 * @max_objects: how many objects it must be able to hold; it holds somewhat
 *	more, and never less than its first segments do
 * @wake: called when kma_live_grow() should run; from any context but NMI,
 *	with irqs off, maybe often
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM; -EOPNOTSUPP if addresses of this machine do not fit.
 */
int kma_live_init(unsigned long max_objects, void (*wake)(void));

/**
 * kma_live_deinit() - release the map; nobody may use it any more
 *
 * Context: process, may sleep.
 */
void kma_live_deinit(void);

/**
 * kma_live_reset() - forget all objects, keep the memory
 *
 * Context: process, may sleep. No probe may run meanwhile.
 */
void kma_live_reset(void);

/**
 * kma_live_put() - note that an object exists
 * @ptr: its address
 * @site: id of the site that allocated it
 * @size: packed sizes, not KMA_SIZE_BAD
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_NONE, _OLD with the entry that was replaced, _FULL.
 */
struct kma_live_entry kma_live_put(const void *ptr, u16 site, u32 size);

/**
 * kma_live_take() - note that an object is gone
 * @ptr: its address
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_OLD with the object's entry, or KMA_LIVE_NONE.
 */
struct kma_live_entry kma_live_take(const void *ptr);

/**
 * kma_live_grow() - make room, as long as there is memory
 *
 * Splits buckets until the chains are short again and refills the stack of
 * overflow buckets.
 *
 * Context: process, may sleep; one caller at a time; probes may run.
 * Return: 0, -ENOMEM, or -ENOSPC when the map has its full size.
 */
int kma_live_grow(void);

/**
 * kma_live_for_each() - walk over all objects
 * @fn: called for each object, with irqs off and a bucket locked: it must be
 *	short and must not allocate
 * @arg: handed to @fn
 *
 * An object that stays during the whole walk is visited once if the map does
 * not grow meanwhile; the caller keeps kma_live_grow() out.
 *
 * Context: process, may sleep.
 */
void kma_live_for_each(void (*fn)(unsigned long ptr, u16 site, u32 size,
				  void *arg), void *arg);

/**
 * struct kma_live_stats - how the map is used
 * @slots: objects that fit in the buckets that exist
 * @max_slots: the same when it has its full size
 * @bytes: memory that it takes
 */
struct kma_live_stats {
	unsigned long slots;
	unsigned long max_slots;
	size_t bytes;
};

/**
 * kma_live_stats() - how the map is used
 *
 * Context: any.
 * Return: the figures of about now.
 */
struct kma_live_stats kma_live_stats(void);

#endif /* KMA_LIVE_H */
