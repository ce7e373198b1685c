/* SPDX-License-Identifier: GPL-2.0 */
/*
 * account.h - one event in, the books brought up to date.
 *
 * An allocation is counted at its site and noted in the live map; a free is
 * looked up there, whichever function did it, and credited to the site that
 * allocated the object. What has no counterpart is kept apart and counted:
 *
 *  unknown free    the map does not know the address: the object is older than
 *                  the account, or its allocation was dropped. Booked to the
 *                  site that freed it.
 *  implied free    the address is handed out again although no free was seen
 *                  (kfree_rcu and the bulk calls tell nobody). The old owner
 *                  is credited.
 *  dropped event   seen, but not booked; by cause in enum kma_drop.
 *
 * Order, for kma_site_fold(): an allocation is counted before its object goes
 * into the map, a free after its object came out.
 *
 * Never done here: allocating, sleeping, printing, taking a lock other than a
 * bucket of the live map and, for the first event of a site, kma_sites.lock.
 *
 * Locking: interrupts are off during an event, which makes the counters of
 * this CPU ours and keeps a second event from finding a bucket locked by this
 * CPU. NMIs are the exception, and refused.
 */
#ifndef KMA_ACCOUNT_H
#define KMA_ACCOUNT_H

#include <linux/percpu.h>
#include <linux/types.h>

/**
 * enum kma_drop - why an event was not recorded
 * @KMA_DROP_NMI: it came from an NMI
 * @KMA_DROP_FULL: the live map had no room: at max_objects, or out of memory
 * @KMA_DROP_SIZE: the object's size cannot be packed (kma_size_pack())
 */
enum kma_drop { KMA_DROP_NMI, KMA_DROP_FULL, KMA_DROP_SIZE, KMA_NR_DROPS };

/**
 * struct kma_event - what a probe says
 * @call_site: return address into the caller of the allocator
 * @ptr: the object; NULL for an allocation that failed
 * @bytes_req: bytes asked for; 0 for a free
 * @bytes_alloc: bytes given; 0 for a free
 */
struct kma_event {
	unsigned long call_site;
	const void *ptr;
	size_t bytes_req;
	size_t bytes_alloc;
};

/**
 * struct kma_totals - what does not belong to a single site
 * @implied: implied frees
 * @drops: events not recorded, by cause
 */
struct kma_totals {
	u64 implied;
	u64 drops[KMA_NR_DROPS];
};

/**
 * kma_account_alloc() - book an allocation
 * @ev: the event; not kept
 *
 * Context: any. NMI is counted as dropped.
 */
void kma_account_alloc(const struct kma_event *ev);

/**
 * kma_account_free() - book a free
 * @ev: the event; not kept; its ptr is an object, neither NULL nor
 *	ZERO_SIZE_PTR
 *
 * Context: any. NMI is counted as dropped.
 */
void kma_account_free(const struct kma_event *ev);

/**
 * kma_account_open() - from now on events are booked
 *
 * All CPUs see the gate open at once: the account begins at one instant.
 */
void kma_account_open(void);

/**
 * kma_account_close() - from now on events are ignored
 *
 * Events that are being booked may still finish; the caller waits for them
 * with tracepoint_synchronize_unregister().
 */
void kma_account_close(void);

/**
 * kma_account_is_open() - are events booked?
 *
 * Return: true between kma_account_open() and kma_account_close().
 */
bool kma_account_is_open(void);

/**
 * kma_account_reset() - forget everything
 *
 * Context: process, may sleep; the gate is closed and no event is under way.
 */
void kma_account_reset(void);

/**
 * kma_account_totals() - sum what does not belong to a single site
 *
 * Context: any.
 * Return: the sums over all CPUs, of about now.
 */
struct kma_totals kma_account_totals(void);

#endif /* KMA_ACCOUNT_H */
