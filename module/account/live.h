/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.h - the live map: which objects exist, and the class of each object.
 *
 * A hash table from the address of an object to the 16-bit number of its class (class.h). The map
 * does not interpret these 16 bits, with one exception: a value from KMA_LIVE_PART on is not the
 * class of an object but other data that is stored under an address (sized.h). An event of an
 * object neither finds nor removes such an entry, but may replace it.
 *
 * Objects are added on one CPU and removed on another, in any context, while the map grows.
 * The map has about six objects for each home bucket of 64 bytes, and takes about 12 bytes for
 * each object.
 *
 *  - A bucket is one cache line with ten slots (bucket.h). A full bucket continues in an
 *    overflow bucket. Only the last bucket of such a chain may have free slots, and that bucket
 *    may be empty.
 *  - A bucket does not store the address of an object, but a tag. The tag and the number of the
 *    home bucket give the address (address.h), so two objects never have equal entries. A KASAN
 *    tag in the top byte of an address is ignored.
 *  - Growth is linear hashing (W. Litwin, "Linear hashing: a new tool for file
 *    and table addressing", VLDB 1980): with n home buckets, 2^k <= n <
 *    2^(k+1), bucket n - 2^k is split into itself and bucket n, one bucket at
 *    a time. No event waits for more than one split. The map shrinks by the reverse steps.
 *    A worker does both (resize.h). An event that needs an overflow bucket wakes the worker when
 *    more overflow buckets are in use, or fewer are left, than the worker has set as limits.
 *  - The home buckets are one array (array.h). The overflow buckets are another array, and
 *    spare.h manages those that are in no chain.
 *  - The map can store births: the time, the CPU and the kind of each object's allocation
 *    (birth.h). With births the map takes three times the memory, and all events
 *    go through kma_live_put() and kma_live_take().
 *
 * Never done here: allocating, or waiting for anything but the lock of a bucket.
 *
 * Locking:
 *  The lock of a home bucket protects its whole chain. irqs are off while the lock is held, so
 *  its owner is always running. No other lock is taken under it.
 *
 *  Which bucket is home? i = hash & mask. If i is not below the number of homes,
 *  bucket i does not exist yet, and the home is i without its top bit. A split publishes the new
 *  number of homes under the lock of the bucket that is split. An event that dropped the top bit
 *  of i must therefore read the number again once it has the lock. An event whose i was below the
 *  number need not: no split moves its objects. kma_live_relock() computes i from the number and
 *  always reads it again. The mask is doubled before the first bucket of a
 *  new level is split, and a grace period ends in between. Events run with irqs off, so no event
 *  sees a split of the new level with the old mask. An event may read a new mask and an old base of
 *  the homes. So a grace period also ends between the last growth of that array and the mask.
 *
 *  To shrink the map, the last home is joined to the bucket that it was split from. The new
 *  number of homes is published under the locks of both buckets, and the lock of the last home is
 *  never released. An event that went there by an older number does not get the lock, and reads
 *  the number again. No other code takes two of these locks. The mask is halved before the last
 *  home of a level is joined, and the next number of homes publishes the new mask. Each time that
 *  the map has shrunk, no home is split and no memory of homes is released before a grace period
 *  has ended. Then no event uses an older number when a new split unlocks the bucket, or when the
 *  memory of the bucket is released.
 *
 *  No other growth waits for events: what is new is published after the base of its array, and
 *  an event reads the base afterwards. The number of homes is read by an acquire. An overflow
 *  bucket is found under the lock of its chain or by an exchange, and before that exchange
 *  kma_depot_pop_from() has a barrier.
 *
 *  The caller serialises kma_live_open() and kma_live_close() with the functions of resize.h.
 */
#ifndef KMA_LIVE_H
#define KMA_LIVE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "account/address.h"
#include "account/birth.h"
#include "account/bucket.h"
#include "account/size.h"

/*
 * The maximum number of home buckets. The bytes of twice as many buckets, which the mask counts,
 * fit into a word on a 32-bit CPU.
 */
#define KMA_HOMES_MAX		\
	min_t(unsigned long, KMA_BUCKET_NEXT_MAX, ~0ul >> (KMA_BUCKET_SHIFT + 1))
#define KMA_LIVE_PART		0xc000u	/* from this value on not a class */

/**
 * struct kma_live_map - the part of the map that every event reads
 * @end: bytes of the home buckets; 0 while the map is closed
 * @mask: 2^k - 1 home buckets, in bytes; not less than the offset of the last home
 * @homes: the home buckets
 *
 * Bytes instead of numbers of buckets save an event one instruction.
 */
struct kma_live_map {
	unsigned long end;
	unsigned long mask;
	struct kma_bucket *homes;
};

extern struct kma_live_map kma_live;

/* Number of home buckets, also while the map is closed. Used by resize.c. */
extern u32 kma_nr_homes;

/**
 * struct kma_live_limits - when events wake the worker; set by resize.c
 * @taken: wake it when more overflow buckets than this are in chains
 * @left: wake it when fewer overflow buckets than this are spare
 * @wake: wakes the worker; called in any context but NMI, with irqs off, maybe often
 */
struct kma_live_limits {
	u32 taken;
	u32 left;
	void (*wake)(void);
};

extern struct kma_live_limits kma_live_limits;

/**
 * enum kma_live_found - was the address in the map?
 * @KMA_LIVE_NONE: no; a put has added it
 * @KMA_LIVE_OLD: yes, and the entry has its class; a put has replaced the class
 * @KMA_LIVE_FULL: no, and a put found no free slot for it
 */
enum kma_live_found { KMA_LIVE_NONE, KMA_LIVE_OLD, KMA_LIVE_FULL };

/**
 * struct kma_live_entry - result of a put, a take or a look-up
 * @class: number of the object's class; valid for KMA_LIVE_OLD only
 * @found: enum kma_live_found
 */
struct kma_live_entry {
	u16 class;
	u16 found;
};

/**
 * kma_live_open() - open the map for events on all CPUs
 */
void kma_live_open(void);

/**
 * kma_live_close() - close the map for events
 *
 * Events that already use the map may still finish.
 */
void kma_live_close(void);

/**
 * kma_live_is_open() - test if the map accepts events
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
 * kma_live_relock() - lock a home bucket of the map, which may be closed
 * @ptr: the address
 * @head: set to the bucket's head
 *
 * For the rest of an event that has used the map while it was open, and for readers.
 *
 * Context: any but NMI, irqs off.
 * Return: the bucket.
 */
struct kma_bucket *kma_live_relock(const void *ptr, u32 *head);

/**
 * kma_live_put() - add an object to the map
 * @home: home bucket of the object, locked; unlocked on return
 * @head: the bucket's head
 * @ptr: the object's address
 * @class: number of the object's class, or a value from KMA_LIVE_PART on
 * @birth: birth of the object; NULL if unknown; ignored unless the map stores births
 *
 * A value from KMA_LIVE_PART on under the same address is replaced, and reported as
 * KMA_LIVE_NONE.
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_NONE; KMA_LIVE_OLD with the entry that was replaced; or KMA_LIVE_FULL.
 */
struct kma_live_entry kma_live_put(struct kma_bucket *home, u32 head, const void *ptr,
				   u16 class, const struct kma_birth *birth);

/**
 * kma_live_look() - look up an object and leave it in the map
 * @home: home bucket of the object, locked; still locked on return
 * @head: the bucket's head
 * @ptr: the object's address
 * @birth: set to the birth of the object, if it is found and the map stores births; or NULL
 *
 * Used by callers that take the object only if its entry is as expected, and by readers. What
 * the caller needs of the class, it reads before it unlocks the bucket (class.h).
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_OLD with the object's entry, or KMA_LIVE_NONE.
 */
struct kma_live_entry kma_live_look(struct kma_bucket *home, u32 head, const void *ptr,
				    struct kma_birth *birth);

/**
 * kma_live_take() - remove an object from the map, because it is freed
 * @home: home bucket of the object, locked; unlocked on return
 * @head: the bucket's head
 * @ptr: the object's address
 * @birth: set to the birth of the object, if it is found and the map stores births
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_OLD with the object's entry, or KMA_LIVE_NONE.
 */
struct kma_live_entry kma_live_take(struct kma_bucket *home, u32 head, const void *ptr,
				    struct kma_birth *birth);

/**
 * kma_live_part() - look up a value from KMA_LIVE_PART on
 * @ptr: the address under which the value was put
 * @take: true to remove the value from the map
 *
 * The map may be closed.
 *
 * Context: any but NMI, irqs off.
 * Return: the value; 0 if there is none.
 */
u16 kma_live_part(const void *ptr, bool take);

/**
 * kma_live_homes() - get the number of home buckets, which a walk passes to kma_live_read()
 *
 * Context: process, serialised with the worker (resize.h).
 * Return: the number.
 */
u32 kma_live_homes(void);

/**
 * struct kma_live_object - an object that exists, or that an event has just taken
 * @ptr: the object's address
 * @class: number of its class, or a value from KMA_LIVE_PART on
 * @site: id of the site that allocated the object, or an owner that is not a site (pages.h)
 * @group: group of the object; 0 for none
 * @made: enum kma_made: the function that allocated the object
 * @size: sizes of the object; for a per-CPU object, of one copy
 * @birth: time, CPU and kind of the allocation, if the map stores births
 *
 * kma_live_read() sets @ptr, @class and @birth, and the functions of sized.h the rest.
 */
struct kma_live_object {
	unsigned long ptr;
	u16 class;
	u16 site;
	u16 group;
	u16 made;
	struct kma_size size;
	struct kma_birth birth;
};

/**
 * kma_live_read() - copy the objects of one home bucket
 * @home: number of the bucket, below @homes
 * @homes: result of kma_live_homes() when the walk began
 * @buf: array that receives the objects
 * @max: number of elements of @buf
 *
 * A walk reads each bucket below @homes. The map may grow and shrink between two reads. If @home
 * has been split since, the read includes the objects that the splits moved. If other buckets
 * were joined to it, the read leaves out their objects. So an object that exists during the whole
 * walk is read once. An object that is allocated or freed during the walk is read at most once for
 * each time that it was allocated.
 *
 * Context: process, serialised with the worker; a chain is locked only
 * while it is copied.
 * Return: number of objects. If the number is above @max, some objects are missing in @buf: the
 * caller allocates a larger buffer and reads the bucket again.
 */
u32 kma_live_read(u32 home, u32 homes, struct kma_live_object *buf, u32 max);

/* What follows is the inline half of an event; see account.h. */

/**
 * kma_live_home() - try once to lock the home bucket of an address
 * @ptr: the address
 * @head: set to the bucket's head; KMA_BUCKET_LOCKED if the bucket is not locked for
 *	the caller: another CPU has the lock, or the bucket is being split, or the map is
 *	closed
 *
 * Context: any but NMI, irqs off.
 * Return: the bucket; not to be used if @head is KMA_BUCKET_LOCKED.
 */
static __always_inline struct kma_bucket *kma_live_home(const void *ptr, u32 *head)
{
	/* Pairs with smp_store_release() in kma_live_open() and kma_live_set_homes(). */
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
	/* drop the top bit of the index; the mask counts bytes */
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
