/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account.h - counts allocations and frees, and keeps the live map up to date.
 *
 * An allocation is counted in its class, which is its site and its sizes (class.h), and
 * added to the live map. A free looks the object up there, whichever function frees it, and is
 * counted in the class of the object. Events without a counterpart are counted separately:
 *
 *  unknown free    the map does not have the address: the object is older than
 *                  the account, or its allocation was dropped. Charged to the
 *                  site that frees it.
 *  implied free    the address is allocated again although no free was seen
 *                  (it was dropped, or the function that freed the object
 *                  reports no event). The free is counted in the class of the
 *                  old object.
 *  dropped event   an event that is not recorded; by cause in enum kma_drop.
 *
 * A free of NULL or of ZERO_SIZE_PTR is ignored. The kernel reports each kfree(NULL), which may be
 * two of three frees. If the map were searched for them, all CPUs would take the same lock.
 * Such a free in an NMI is not dropped either.
 *
 * A large kmalloc() makes two events in newer kernels, the first with a call site in
 * the allocator's own function, the second with that of its caller. The first is skipped
 * (large.h). If the allocator's functions are not known, both are counted, and the second
 * takes back what the first has counted. To recognise the second, each CPU stores its
 * last large allocation. If the task moves to another CPU between the two, or an
 * interrupt allocates a large object there, the second counts as another allocation
 * and as an implied free of the first.
 *
 * Order, for kma_site_fold(): an allocation is counted before its object is added
 * to the map, a free after its object was removed.
 *
 * Never done here: allocating, sleeping, printing; taking a lock other than those of the live
 * map and, for the first event of a site, kma_sites.lock. The inline half takes none.
 *
 * Locking: interrupts are off during an event. So no second event on this CPU uses its
 * counters, or waits for a lock that the first one holds.
 * The inline half is the exception where a counter changes by one instruction (x86-64): it takes
 * no lock, so an event of an interrupt may come at any point of it, and that of an NMI as well.
 * There only preemption is off, and the other functions turn interrupts off themselves. All
 * functions that take a lock refuse events of NMIs, and those that come while their CPU has a lock
 * (lock.h), and count them as dropped.
 */
#ifndef KMA_ACCOUNT_H
#define KMA_ACCOUNT_H

#include <linux/irqflags.h>
#include <linux/kconfig.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/types.h>

#include "account/class.h"
#include "account/live.h"
#include "account/site.h"
#include "account/size.h"
#include "account/sum.h"

struct kmem_cache;

/* True if the inline half of an event may be interrupted, and may run in an NMI; see above. */
#define KMA_NMI_FITS		IS_ENABLED(CONFIG_X86_64)

/* Begin the inline half of an event. Context: any. Return: flags for kma_account_end(). */
static __always_inline unsigned long kma_account_begin(void)
{
	unsigned long flags = 0;

	if (KMA_NMI_FITS)
		preempt_disable_notrace();
	else
		local_irq_save(flags);
	return flags;
}

static __always_inline void kma_account_end(unsigned long flags)
{
	if (KMA_NMI_FITS)
		preempt_enable_notrace();
	else
		local_irq_restore(flags);
}

/**
 * enum kma_drop - why an event was not recorded
 * @KMA_DROP_NMI: it came from an NMI, or while its CPU had a lock of the account (lock.h)
 * @KMA_DROP_FULL: the live map had no memory for the object's page: at its limit, or none yet
 * @KMA_DROP_SIZE: the object's size cannot be packed (kma_size_pack())
 * @KMA_DROP_MISSED: the kernel skipped the kprobe of a call (kprobe.h)
 * @KMA_DROP_CLASS: no number was left for its class (class.h)
 * @KMA_DROP_KEY: its address has no place in the live map: it is in no memory, or it is of a
 *	per-CPU object without a key (key.h)
 * @KMA_DROP_EARLY: the early log was full (boot.h)
 * @KMA_NR_DROPS: number of causes
 */
enum kma_drop {
	KMA_DROP_NMI,
	KMA_DROP_FULL,
	KMA_DROP_SIZE,
	KMA_DROP_CLASS,
	KMA_DROP_MISSED,
	KMA_DROP_KEY,
	KMA_DROP_EARLY,
	KMA_NR_DROPS,
};

/**
 * enum kma_flow - bytes that are summed over all sites, or that belong to none
 * @KMA_FLOW_PAGE: pages that are charged to a site
 * @KMA_FLOW_PERCPU: per-CPU objects, all their copies
 * @KMA_FLOW_SLAB_PAGE: pages of the slab allocator, charged to no site, because its objects
 *	are counted
 * @KMA_FLOW_PERCPU_PAGE: pages of the per-CPU allocator, charged to no site either
 * @KMA_NR_FLOWS: number of flows
 */
enum kma_flow {
	KMA_FLOW_PAGE,
	KMA_FLOW_PERCPU,
	KMA_FLOW_SLAB_PAGE,
	KMA_FLOW_PERCPU_PAGE,
	KMA_NR_FLOWS,
};

/**
 * struct kma_totals - counts that do not belong to a single site
 * @implied: implied frees
 * @unknown_slab: bytes of unknown frees: objects of slabs
 * @unknown_large: bytes of unknown frees: large kmallocs, whole pages
 * @unknown_no_size: unknown frees of objects whose size is not known
 * @drops: events that were not recorded, by cause
 * @in: bytes that were allocated, by flow
 * @out: bytes of @in that were freed
 * @unknown_pages: bytes of freed pages that are older than the account
 */
struct kma_totals {
	u64 implied;
	u64 unknown_slab;
	u64 unknown_large;
	u64 unknown_no_size;
	u64 drops[KMA_NR_DROPS];
	u64 in[KMA_NR_FLOWS];
	u64 out[KMA_NR_FLOWS];
	u64 unknown_pages;
};

/**
 * struct kma_event - an allocation or a free, as its source reports it to the account
 * @call_site: return address into the caller of the allocator
 * @ptr: address of the object; NULL for an allocation that failed, or a free of nothing
 * @req: bytes requested; unused for a free
 * @bytes: bytes allocated; unused for a free
 * @kind: kind of the allocation; for a free, the kind of the function: KMA_KIND_KMALLOC for
 *	kfree() and related functions, KMA_KIND_CACHE for kmem_cache_free() and related
 *	functions, KMA_KIND_FREE for a deferred free
 * @charged: for an allocation: KMA_GROUP_CHARGED if it asks memcg to charge the object, else 0
 * @cache: for an allocation, the cache of the object; for a free, the cache that the caller
 *	passed; NULL if the source of the event does not know it
 * @quiet: true if a free is not counted when the object is unknown
 */
struct kma_event {
	unsigned long call_site;
	const void *ptr;
	size_t req;
	size_t bytes;
	enum kma_kind kind;
	unsigned int charged;
	const struct kmem_cache *cache;
	bool quiet;
};

/*
 * Forget all objects, sites and counts.
 * Context: process, may sleep; the map is closed and no event is in progress.
 */
void kma_account_reset(void);

/*
 * Sum the counts that do not belong to a single site.
 * Context: any.
 * Return: the sums over all CPUs, while events continue.
 */
struct kma_totals kma_account_totals(void);

/* Count an event that came from an NMI. Context: NMI. */
void kma_account_nmi(void);

/*
 * Check if an event may take locks (lock.h).
 * Context: any.
 * Return: true; false if the event is to be refused; it is then counted as dropped.
 */
bool kma_account_may_lock(void);

/*
 * Refuse an event of an NMI that the inline half cannot take.
 * Context: any.
 * Return: true if the event is refused; it is then counted as dropped.
 */
static __always_inline bool kma_account_refuses(void)
{
	if (KMA_NMI_FITS || likely(!in_nmi()))
		return false;
	kma_account_nmi();
	return true;
}

/**
 * kma_account_drop() - count an event that is not recorded
 * @cause: reason why the event is not recorded
 *
 * Context: any.
 */
void kma_account_drop(enum kma_drop cause);

/* Count an implied free. Context: any but NMI, irqs off. */
void kma_account_implied(void);

/**
 * kma_account_in() - sum bytes that were allocated
 * @flow: flow to which the bytes belong
 * @bytes: number of bytes; negative to take back bytes that were counted before
 *
 * Called before the object goes into the map, as for the counters of a site.
 *
 * Context: any but NMI, irqs off.
 */
void kma_account_in(enum kma_flow flow, long bytes);

/**
 * kma_account_out() - sum bytes that were freed
 * @flow: flow to which the bytes belong
 * @bytes: number of bytes
 *
 * Context: any but NMI, irqs off; after the object came out of the map.
 */
void kma_account_out(enum kma_flow flow, long bytes);

/**
 * kma_account_unknown_pages() - sum freed bytes of pages that the account does not know
 * @bytes: number of bytes freed
 *
 * Context: any but NMI, irqs off.
 */
void kma_account_unknown_pages(long bytes);

/**
 * kma_account_missed() - count skipped calls as dropped events
 * @n: number of calls
 *
 * Context: process.
 */
void kma_account_missed(unsigned long n);

/**
 * kma_account_skip_frees() - do not count unknown frees by some functions
 * @by: returns true if a call site lies in one of the functions; NULL for no function
 *
 * If such a function frees an object that the account does not know, the free was already
 * counted for the caller that requested it, so the object does not count as unknown. @by is
 * called for each such free, in any context but NMI, irqs off.
 *
 * Context: process.
 */
void kma_account_skip_frees(bool (*by)(unsigned long call_site));

/**
 * kma_account_early() - count events that were lost at boot as dropped
 * @n: number of events
 *
 * Context: process.
 */
void kma_account_early(unsigned long n);

/**
 * kma_account_sites_by() - set the function that determines the site of an allocation
 * @of: the function; NULL if the site is the call site. Called in any context but NMI, irqs off,
 *	for an allocation whose class the inline half does not find. While @of is set, the inline
 *	half only finds classes of sites that are &struct kma_site.sampled.
 *
 * Context: process. Events in progress may still use the previous function.
 */
void kma_account_sites_by(unsigned int (*of)(const struct kma_event *e));

/**
 * kma_account_alloc_at() - count an allocation at a given site
 * @site: id of the site
 * @e: the event; its call site is ignored
 *
 * Used by callers that determine the site themselves. Nothing is counted while
 * the account is off.
 *
 * Context: any but NMI, irqs off.
 */
void kma_account_alloc_at(unsigned int site, const struct kma_event *e);

/**
 * kma_account_free_as() - count a free, and describe the freed object
 * @e: the event
 * @obj: set to the object, which the map does not have any more
 *
 * The free of an unknown object is counted at the event's call site, unless @e->quiet is set.
 *
 * Context: any but NMI, irqs off.
 * Return: true; false if the map does not know the object, if @e->ptr is NULL or ZERO_SIZE_PTR, or
 * if the account is off.
 */
bool kma_account_free_as(const struct kma_event *e, struct kma_live_object *obj);

/**
 * kma_account_watch() - set whether to record the function that allocates each object
 * @on: true to record the function (enum kma_made); events in progress may still use the
 *	previous value
 *
 * Context: process. While @on is true, no event takes the inline half of this file.
 */
void kma_account_watch(bool on);

/**
 * kma_account_is_booked() - check whether the free by a call site was counted before
 * @call_site: the call site that frees
 *
 * Context: any but NMI, irqs off.
 * Return: true if the function that kma_account_skip_frees() has set returns true.
 */
bool kma_account_is_booked(unsigned long call_site);

/*
 * The less common parts of an event, which are not inline. They turn irqs off. _slow handles a
 * whole event, and so does _far for a call site that is not kma_site_near(). alloc_rest puts an
 * object that was counted into the map, or takes the count back if the allocation has failed.
 * alloc_over credits the object whose element the inline half has taken. free_rest frees an object
 * that the inline half has not found, or one without sizes in its class, whose element it has
 * taken.
 *
 * Their arguments are in the registers in which a tracepoint passes its own to a probe, so an
 * event need not move them: @data stands for the first one, and is not used.
 */
void kma_account_alloc_slow(void *data, u64 key, const void *ptr, size_t req, size_t bytes,
			    enum kma_kind kind);
void kma_account_alloc_far(void *data, unsigned long call_site, const void *ptr, size_t req,
			   size_t bytes, enum kma_kind kind, u64 group);
void kma_account_alloc_rest(void *data, unsigned int class, const void *ptr);
void kma_account_alloc_over(void *data, unsigned int old, const void *ptr,
			    const struct kma_slots *slots, unsigned long index);
void kma_account_free_rest(void *data, unsigned long call_site, const void *ptr,
			   unsigned int class, const struct kma_slots *slots, unsigned long index);

/**
 * kma_account_alloc_in() - count an allocation, within an inline half
 * @data: not used
 * @call_site: return address into the caller of the allocator
 * @ptr: the object; NULL if the allocation failed
 * @req: bytes requested
 * @bytes: bytes allocated
 * @kind: kind of the allocation
 * @key: kma_class_key() of the call site and of the group of the object (group.h). If no group is
 *	kept, its number is 0, and kma_group_of() finds it. The quick index must then have no class
 *	of number 0.
 *
 * The inline half of an event: the common case of a class in the quick
 * index, an object of less than 16 KiB, and a page whose array has this stride. No page has an
 * array for NULL or ZERO_SIZE_PTR.
 *
 * Context: any, after kma_account_begin(), or preemption off if KMA_NMI_FITS. An event of an NMI is
 * counted, or refused and counted as dropped.
 */
static __always_inline void
kma_account_alloc_in(void *data, unsigned long call_site, const void *ptr, size_t req,
		     size_t bytes, enum kma_kind kind, u64 key)
{
	struct kma_slots *slots;
	unsigned long class, i;
	u16 old;

	if (unlikely(!kma_site_near(call_site))) {
		kma_account_alloc_far(data, call_site, ptr, req, bytes, kind, key - call_site);
		return;
	}
	if (unlikely(!kma_size_is_slab(bytes) ||
		     !kma_class_find_quick(key, req, bytes, &class))) {
		kma_account_alloc_slow(data, key, ptr, req, bytes, kind);
		return;
	}
	/* count now, and take it back if need be: that takes fewer registers */
	kma_class_in(class, 1);
	slots = kma_live_slots(ptr);
	if (unlikely(!slots) || unlikely(!kma_slots_admits(slots, bytes)) ||
	    unlikely(!kma_slots_fit(slots, ptr, &i))) {
		kma_account_alloc_rest(data, class, ptr);
		return;
	}
	old = kma_slot_xchg(&slots->class[i], class);
	if (unlikely(old))
		kma_account_alloc_over(data, old, ptr, slots, i);
}

/**
 * kma_account_alloc() - count an allocation, in no group
 * @call_site: return address into the caller of the allocator
 * @ptr: the object; NULL if the allocation failed
 * @req: bytes requested
 * @bytes: bytes allocated
 * @kind: kind of the allocation
 *
 * Context: any. An event of an NMI is counted, or refused and counted as dropped.
 */
static __always_inline void kma_account_alloc(unsigned long call_site,
					      const void *ptr, size_t req,
					      size_t bytes, enum kma_kind kind)
{
	unsigned long flags;

	if (kma_account_refuses())
		return;
	flags = kma_account_begin();
	kma_account_alloc_in(NULL, call_site, ptr, req, bytes, kind, call_site);
	kma_account_end(flags);
}

/**
 * kma_account_free_in() - count a free, within an inline half
 * @data: not used
 * @call_site: return address into the caller of the allocator
 * @ptr: the object, not NULL or ZERO_SIZE_PTR
 *
 * The inline half of an event: the common case of an object that the map knows.
 *
 * Context: as kma_account_alloc_in().
 */
static __always_inline void kma_account_free_in(void *data, unsigned long call_site,
						const void *ptr)
{
	struct kma_slots *slots;
	unsigned long i, class;

	slots = kma_live_slots(ptr);
	if (unlikely(!slots) || unlikely(!kma_slots_fit(slots, ptr, &i))) {
		kma_account_free_rest(data, call_site, ptr, KMA_CLASS_NONE, NULL, 0);
		return;
	}
	class = kma_slot_xchg(&slots->class[i], KMA_CLASS_NONE);
	/* no object, or one whose sizes are in the map */
	if (unlikely(!kma_class_is_plain(class))) {
		kma_account_free_rest(data, call_site, ptr, class, slots, i);
		return;
	}
	kma_class_out(class, 1);
}

/**
 * kma_account_free() - count a free
 * @call_site: return address into the caller of the allocator
 * @ptr: the object; a free of NULL or ZERO_SIZE_PTR is not counted
 *
 * Context: any. An event of an NMI is counted, or refused and counted as dropped.
 */
static __always_inline void kma_account_free(unsigned long call_site, const void *ptr)
{
	unsigned long flags;

	if (unlikely(ZERO_OR_NULL_PTR(ptr)) || kma_account_refuses())
		return;
	flags = kma_account_begin();
	kma_account_free_in(NULL, call_site, ptr);
	kma_account_end(flags);
}

#endif /* KMA_ACCOUNT_H */
