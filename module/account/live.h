/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.h - the live map: which objects exist, and of which class each is.
 *
 * A hash table from the address of an object to the number of its class (class.h), 16
 * bits that this file hands on without a look at them, but for one thing: values from
 * KMA_LIVE_PART on are no objects, but something else that is kept under an address
 * (sized.h). An event of an object neither finds nor removes one; it may replace one.
 *
 * Objects go in on one CPU and come out on another, in any context; the map grows while
 * that goes on. It has about six objects for each bucket of 64 bytes, and about 12 bytes for
 * each object.
 *
 *  - A bucket is one cache line with ten slots (bucket.h). One that is full
 *    continues in an overflow bucket; only the last bucket of such a chain may
 *    have free slots, and may be empty.
 *  - The address is not stored, but a tag, from which the address can be got back
 *    (address.h). Two objects never look alike. A KASAN tag in the top byte is no part
 *    of it.
 *  - Growth is linear hashing (W. Litwin, "Linear hashing: a new tool for file
 *    and table addressing", VLDB 1980): with n home buckets, 2^k <= n <
 *    2^(k+1), bucket n - 2^k is split into itself and bucket n, one bucket at
 *    a time. Nobody ever waits for more than one split. It shrinks in the other direction.
 *    A worker does both (resize.h). An event that needs an overflow bucket wakes it when
 *    more of them are in use, or fewer are left, than the worker has set.
 *  - Home buckets are an array (array.h), overflow buckets another one, of which
 *    spare.h keeps those that are free.
 *  - The map can keep births: for each object the time, the CPU and the kind of its
 *    allocation (birth.h). While it does, the map takes three times the memory, and all events
 *    go through kma_live_put() and kma_live_take().
 *
 * Never done here: no allocation, no waiting for anything but a bucket.
 *
 * Locking:
 *  The lock of a home bucket is that of its chain. irqs are off meanwhile, so
 *  its owner is always running. No other lock is taken under it.
 *
 *  Which bucket is home? i = hash & mask; if i is not below the number of homes,
 *  the bucket is not split yet: i without its top bit. A split publishes that
 *  number under the lock of the bucket that is split. So an event that came to bucket i
 *  with its top bit dropped must look at the number again once it has the lock. An event
 *  that came with i below the number is right whatever is split. The mask is doubled before
 *  the first bucket of a new level is split, with a grace period in between: with
 *  irqs off, nobody sees a split by a mask that does not know of it.
 *
 *  Where the map shrinks, the last home is joined to the bucket that it was split from. The
 *  number is published under the locks of both, and the lock of the last home is never
 *  released: an event that came there by an older number does not get the lock, and looks
 *  at the number again. Nobody else takes two of these locks. Before the last home of
 *  a level goes, the mask is halved; the number that follows publishes it. A grace period
 *  ends each time that the map shrinks, so that no event is left with an older number when
 *  the bucket is unlocked by a new split, or its memory is released.
 *
 *  kma_live_open() and _close() are serialised with the functions of resize.h by the
 *  caller.
 */
#ifndef KMA_LIVE_H
#define KMA_LIVE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "account/address.h"
#include "account/birth.h"
#include "account/bucket.h"
#include "account/size.h"

/* So many that bytes of twice their number fit into a word. */
#define KMA_HOMES_MAX		\
	min_t(unsigned long, KMA_BUCKET_NEXT_MAX, ~0ul >> (KMA_BUCKET_SHIFT + 1))
#define KMA_LIVE_PART		0xc000u	/* from here on 16 bits are no class */

/**
 * struct kma_live_map - what every event reads
 * @end: bytes of the home buckets; 0 while the map is closed
 * @mask: 2^k - 1 buckets in bytes, at least the last home
 * @homes: the buckets
 *
 * Bytes, not numbers of buckets: an event has one instruction less.
 */
struct kma_live_map {
	unsigned long end;
	unsigned long mask;
	struct kma_bucket *homes;
};

extern struct kma_live_map kma_live;

/* How many home buckets there are, also while the map is closed. For resize.c. */
extern u32 kma_nr_homes;

/**
 * struct kma_live_limits - what wakes the worker; set by resize.c
 * @taken: more overflow buckets than these in chains
 * @left: fewer than these to spare
 * @wake: wakes it; from any context but NMI, with irqs off, maybe often
 */
struct kma_live_limits {
	u32 taken;
	u32 left;
	void (*wake)(void);
};

extern struct kma_live_limits kma_live_limits;

/**
 * enum kma_live_found - was the address in the map?
 * @KMA_LIVE_NONE: no; a put has put it there
 * @KMA_LIVE_OLD: yes, and the entry says with what; a put has replaced it
 * @KMA_LIVE_FULL: no, and there was no room to put it there
 */
enum kma_live_found { KMA_LIVE_NONE, KMA_LIVE_OLD, KMA_LIVE_FULL };

/**
 * struct kma_live_entry - what a put and a take answer
 * @class: number of the object's class, valid if found
 * @found: enum kma_live_found
 */
struct kma_live_entry {
	u16 class;
	u16 found;
};

/**
 * kma_live_open() - open the map for events, for all CPUs at once
 */
void kma_live_open(void);

/**
 * kma_live_close() - close the map for events
 *
 * Events that already use the map may still finish.
 */
void kma_live_close(void);

/**
 * kma_live_is_open() - are events let in?
 *
 * Context: any.
 * Return: true between kma_live_open() and kma_live_close().
 */
static inline bool kma_live_is_open(void)
{
	return READ_ONCE(kma_live.end);
}

/**
 * kma_live_lock() - lock the home bucket of an address
 * @ptr: the address
 * @head: set to the bucket's head
 *
 * Context: any but NMI, irqs off.
 * Return: the bucket, or NULL if the map is closed.
 */
struct kma_bucket *kma_live_lock(const void *ptr, u32 *head);

/**
 * kma_live_put() - note that an object exists
 * @home: its home bucket, locked; unlocked on return
 * @head: the bucket's head
 * @ptr: the object's address
 * @class: number of its class, or a part (KMA_LIVE_PART)
 * @birth: when, where and how; NULL for unknown; not looked at unless births are kept
 *
 * A part that is there under the same address is replaced without notice.
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_NONE, _OLD with the entry that was replaced, _FULL.
 */
struct kma_live_entry kma_live_put(struct kma_bucket *home, u32 head, const void *ptr,
				   u16 class, const struct kma_birth *birth);

/**
 * kma_live_look() - look up an object and leave it in the map
 * @home: home bucket of the object, locked; still locked on return
 * @head: the bucket's head
 * @ptr: the object's address
 *
 * Used by callers that take the object only if its entry is as expected.
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_OLD with the object's entry, or KMA_LIVE_NONE.
 */
struct kma_live_entry kma_live_look(struct kma_bucket *home, u32 head, const void *ptr);

/**
 * kma_live_take() - remove an object that is freed from the map
 * @home: its home bucket, locked; unlocked on return
 * @head: the bucket's head
 * @ptr: the object's address
 * @birth: set to its birth, if it is found and births are kept
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_OLD with the object's entry, or KMA_LIVE_NONE.
 */
struct kma_live_entry kma_live_take(struct kma_bucket *home, u32 head, const void *ptr,
				    struct kma_birth *birth);

/**
 * kma_live_find() - look for an object that stays where it is
 * @ptr: its address
 * @birth: as of kma_live_take()
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_OLD with the object's entry, or KMA_LIVE_NONE, also
 * if the map is closed.
 */
struct kma_live_entry kma_live_find(const void *ptr, struct kma_birth *birth);

/**
 * kma_live_part() - look for a part
 * @ptr: the address it was put under
 * @take: take it out of the map
 *
 * Context: any but NMI, irqs off.
 * Return: its 16 bits, KMA_LIVE_PART or above; 0 if there is none.
 */
u16 kma_live_part(const void *ptr, bool take);

/**
 * kma_live_homes() - number of home buckets: how far kma_live_read() goes
 *
 * Context: process, serialised with the worker (resize.h).
 * Return: the number.
 */
u32 kma_live_homes(void);

/**
 * struct kma_live_object - an object that exists
 * @ptr: its address
 * @class: number of its class, or a part
 * @site: set by kma_object_read(): id of the site that allocated it, or what is no site
 * @size: set by kma_object_read(): its sizes; of a per-CPU object, of one copy
 * @birth: when, where and how, if births are kept
 */
struct kma_live_object {
	unsigned long ptr;
	u16 class;
	u16 site;
	struct kma_size size;
	struct kma_birth birth;
};

/**
 * kma_live_read() - copy the objects of one home bucket
 * @home: the bucket, below @homes
 * @homes: what kma_live_homes() was when the walk began
 * @buf: where to copy them
 * @max: room in @buf
 *
 * A walk reads each bucket below @homes. The map may grow and shrink between two reads:
 * what was split off a bucket meanwhile is read with it, and of a bucket that others were
 * joined to, only what belongs to the one that is asked for. So an object that
 * stays during the whole walk is read once, never twice; one that comes or goes
 * meanwhile is read at most once for each time that it was allocated.
 *
 * Context: process, serialised with the worker; a chain is locked only
 * while it is copied.
 * Return: number of objects. If it is above @max, some are not in @buf: the
 * caller makes more room and reads the bucket again.
 */
u32 kma_live_read(u32 home, u32 homes, struct kma_live_object *buf, u32 max);

/* What follows is the inline half of an event; see account.h. */

/**
 * kma_live_home() - lock the home bucket of an address, if that is simple
 * @ptr: the address
 * @head: set to the bucket's head; KMA_BUCKET_LOCKED if it is not locked for
 *	the caller: somebody else has it, or it is being split, or the map is
 *	closed
 *
 * Context: any but NMI, irqs off.
 * Return: the bucket; nothing that can be used if @head is KMA_BUCKET_LOCKED.
 */
static __always_inline struct kma_bucket *kma_live_home(const void *ptr, u32 *head)
{
	/* Pairs with the smp_store_release() of those who change it. */
	unsigned long end = smp_load_acquire(&kma_live.end);
	unsigned long mask = READ_ONCE(kma_live.mask);
	unsigned long at = kma_live_product(ptr) >> (32 - KMA_BUCKET_SHIFT) & mask;
	void *homes = READ_ONCE(kma_live.homes);
	struct kma_bucket *b;

	if (likely(at < end)) {
		b = homes + at;
		*head = kma_bucket_lock(b);
		return b;
	}
	*head = KMA_BUCKET_LOCKED;
	if (!end)
		return homes;
	/* the mask of bytes, too, without its top bit */
	b = homes + (at & (mask >> 1) & -(1ul << KMA_BUCKET_SHIFT));
	*head = kma_bucket_lock(b);
	if (unlikely(READ_ONCE(kma_live.end) != end) &&
	    *head != KMA_BUCKET_LOCKED) {
		kma_bucket_unlock(b, *head);
		*head = KMA_BUCKET_LOCKED;
	}
	return b;
}

#endif /* KMA_LIVE_H */
