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
 *
 * Context, unless a function says otherwise: any but NMI, irqs off. Functions that set something
 * run in process context, and events in progress may still use the old value.
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

/* Begin the inline half of an event, in any context. The flags are for kma_account_end(). */
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

/* Why an event was not recorded. */
enum kma_drop {
	KMA_DROP_NMI,		/* it came from an NMI, or while its CPU had a lock (lock.h) */
	KMA_DROP_FULL,		/* the live map had no memory for its page, maybe at its limit */
	KMA_DROP_SIZE,		/* its size cannot be packed (kma_size_pack()) */
	KMA_DROP_CLASS,		/* no number was left for its class (class.h) */
	KMA_DROP_MISSED,	/* the kernel skipped the kprobe of a call (kprobe.h) */
	/*
	 * Its address has no place in the live map: no memory, or a per-CPU object without a key
	 * (key.h).
	 */
	KMA_DROP_KEY,
	KMA_DROP_EARLY,		/* the early log was full (boot.h) */
	KMA_NR_DROPS,
};

/* Bytes that are summed over all sites, or that belong to none. */
enum kma_flow {
	KMA_FLOW_PAGE,		/* pages that are charged to a site */
	KMA_FLOW_PERCPU,	/* per-CPU objects, all their copies */
	KMA_FLOW_SLAB_PAGE,	/* pages of the slab allocator: its objects are counted instead */
	KMA_FLOW_PERCPU_PAGE,	/* pages of the per-CPU allocator, as well */
	KMA_NR_FLOWS,
};

/* Counts that do not belong to a single site. */
struct kma_totals {
	u64 implied;		/* implied frees */
	u64 unknown_slab;	/* bytes of unknown frees: objects of slabs */
	u64 unknown_large;	/* the same: large kmallocs, whole pages */
	u64 unknown_no_size;	/* unknown frees of objects whose size is not known */
	u64 drops[KMA_NR_DROPS];
	u64 in[KMA_NR_FLOWS];	/* bytes that were allocated */
	u64 out[KMA_NR_FLOWS];	/* bytes of @in that were freed */
	u64 unknown_pages;	/* bytes of freed pages that are older than the account */
};

/* An allocation or a free, as its source reports it to the account. */
struct kma_event {
	unsigned long call_site;	/* return address into the allocator's caller */
	const void *ptr;		/* NULL if it failed, or a free of nothing */
	size_t req;			/* bytes requested; unused for a free */
	size_t bytes;			/* bytes allocated; unused for a free */
	/*
	 * For a free, of the function: KMA_KIND_KMALLOC for kfree() and related functions,
	 * KMA_KIND_CACHE for kmem_cache_free() and related functions, KMA_KIND_FREE for a deferred
	 * free.
	 */
	enum kma_kind kind;
	/* Of an allocation: KMA_GROUP_CHARGED if it asks memcg to charge it, else 0 */
	unsigned int charged;
	/* For a free, what the caller passed; NULL if the source of the event does not know it. */
	const struct kmem_cache *cache;
	bool quiet;			/* a free that is not counted if the object is unknown */
};

/*
 * Forget all objects, sites and counts. Context: process, may sleep; the map is closed, and no
 * event is in progress.
 */
void kma_account_reset(void);

/* The sums over all CPUs, while events continue. Context: any. */
struct kma_totals kma_account_totals(void);

void kma_account_nmi(void);

/* May the event take locks (lock.h)? If not, it is refused, and counted as dropped. Any context. */
bool kma_account_may_lock(void);

/* True for an event of an NMI that the inline half cannot take. It is counted as dropped. */
static __always_inline bool kma_account_refuses(void)
{
	if (KMA_NMI_FITS || likely(!in_nmi()))
		return false;
	kma_account_nmi();
	return true;
}

/* Count an event that is not recorded. Any context. */
void kma_account_drop(enum kma_drop cause);

void kma_account_implied(void);

/*
 * Sum bytes before the object goes into the map, and after it came out. A negative number takes
 * back bytes that were counted before.
 */
void kma_account_in(enum kma_flow flow, long bytes);
void kma_account_out(enum kma_flow flow, long bytes);

void kma_account_unknown_pages(long bytes);

/* Count calls that kprobes have skipped as dropped events. Context: process. */
void kma_account_missed(unsigned long n);

/*
 * Set what tests whether a call site lies in a function whose frees were counted before, for the
 * caller that requested them: objects that it frees do not count as unknown. @by is called for each
 * free of an unknown object; NULL for no function.
 */
void kma_account_skip_frees(bool (*by)(unsigned long call_site));

/* Count events that were lost at boot as dropped. Context: process. */
void kma_account_early(unsigned long n);

/*
 * Set the function that determines the site of an allocation whose class the inline half does not
 * find; NULL if the site is the call site. While it is set, the inline half only finds classes of
 * sites that are &struct kma_site.sampled.
 */
void kma_account_sites_by(unsigned int (*of)(const struct kma_event *e));

/*
 * Count an allocation at a site that the caller has determined; the event's call site is ignored.
 * Nothing is counted while the account is off.
 */
void kma_account_alloc_at(unsigned int site, const struct kma_event *e);

/*
 * Count a free, and set @obj to the object, which the map does not have any more. False if the map
 * does not know it, if it is NULL or ZERO_SIZE_PTR, or if the account is off. The free of an
 * unknown object is counted at the event's call site, unless @e->quiet is set.
 */
bool kma_account_free_as(const struct kma_event *e, struct kma_live_object *obj);

/*
 * Record the function that allocates each object (enum kma_made). While this is on, no event takes
 * the inline half of this file.
 */
void kma_account_watch(bool on);

/* Was the free by this call site counted before (kma_account_skip_frees())? */
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

/*
 * The inline half of an allocation: the common case of a class in the quick index, an object of
 * less than 16 KiB, and a page whose array has this stride. No page has an array for NULL or
 * ZERO_SIZE_PTR.
 *
 * @key is the kma_class_key() of the call site and of the object's group (group.h). If no group is
 * kept, its number is 0, and kma_group_of() finds it. The quick index must then have no class of
 * number 0. @data is not used.
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
	if (unlikely(!kma_size_is_slab(bytes) || !kma_class_find_quick(key, req, bytes, &class))) {
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

/* Count an allocation in no group; @ptr is NULL if it failed. Context: any, also an NMI. */
static __always_inline void kma_account_alloc(unsigned long call_site, const void *ptr, size_t req,
					      size_t bytes, enum kma_kind kind)
{
	unsigned long flags;

	if (kma_account_refuses())
		return;
	flags = kma_account_begin();
	kma_account_alloc_in(NULL, call_site, ptr, req, bytes, kind, call_site);
	kma_account_end(flags);
}

/*
 * The inline half of a free: the common case of an object that the map knows, and not NULL or
 * ZERO_SIZE_PTR. Context and @data: as kma_account_alloc_in().
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

/* Count a free. Context: any, also an NMI. */
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
