/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account.h - one event in, the books brought up to date.
 *
 * An allocation is counted in its class, which is its site and its sizes (class.h), and
 * noted in the live map; a free is looked up there, whichever function did it, and
 * credited to the class of the object. What has no counterpart is kept apart and counted:
 *
 *  unknown free    the map does not know the address: the object is older than
 *                  the account, or its allocation was dropped. Booked to the
 *                  site that freed it.
 *  implied free    the address is handed out again although no free was seen
 *                  (kfree_rcu and the bulk calls make no event). The free is
 *                  credited to the class of the old object.
 *  dropped event   an event that is not recorded; by cause in enum kma_drop.
 *
 * A large kmalloc() makes two events in newer kernels, the first in the name of
 * the allocator's own function, the second in that of its caller. The first is skipped
 * (large.h). Where the allocator's functions are not known, both are counted, and the second
 * takes back what the first has counted. To know the second, each CPU remembers its
 * last large allocation. If the task moves to another CPU between the two, or an
 * interrupt allocates a large object there, the second is an allocation of its own
 * and an implied free of the first.
 *
 * Order, for kma_site_fold(): an allocation is counted before its object goes
 * into the map, a free after its object came out.
 *
 * Never done here: allocating, sleeping, printing, taking a lock other than a
 * bucket of the live map and, for the first event of a site, kma_sites.lock.
 *
 * Locking: interrupts are off during an event, which makes the counters of
 * this CPU ours and keeps a second event from finding a bucket locked by this
 * CPU. NMIs are the exception. Where a counter changes by one instruction (x86-64), the
 * inline half of an event may run in an NMI: it takes no lock but that of a bucket, and
 * if it does not get that at once, it ends. All else refuses NMIs, and counts them.
 */
#ifndef KMA_ACCOUNT_H
#define KMA_ACCOUNT_H

#include <linux/irqflags.h>
#include <linux/kconfig.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "account/class.h"
#include "account/live.h"
#include "account/site.h"
#include "account/size.h"
#include "account/sum.h"

struct kmem_cache;

/* May the inline half of an event run in an NMI? See above. */
#define KMA_NMI_FITS		IS_ENABLED(CONFIG_X86_64)

/**
 * enum kma_drop - why an event was not recorded
 * @KMA_DROP_NMI: it came from an NMI
 * @KMA_DROP_FULL: the live map had no room: at max_objects, or out of memory
 * @KMA_DROP_SIZE: the object's size cannot be packed (kma_size_pack())
 * @KMA_DROP_MISSED: a kprobe that was skipped (kprobe.h)
 * @KMA_DROP_CLASS: its class has no number (class.h)
 * @KMA_DROP_KEY: a per-CPU object that has no key (key.h)
 * @KMA_DROP_EARLY: the log of boot was full (boot.h)
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
 * enum kma_flow - bytes that are summed over sites, or that have none
 * @KMA_FLOW_PAGE: pages that are booked to a site
 * @KMA_FLOW_PERCPU: per-CPU objects, all their copies
 * @KMA_FLOW_SLAB_PAGE: pages that the slab allocator took, of which each object
 *	is accounted; booked to no site
 * @KMA_FLOW_PERCPU_PAGE: the same of the per-CPU allocator
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
 * struct kma_totals - what does not belong to a single site
 * @implied: implied frees
 * @unknown_slab: bytes of unknown frees: objects of slabs
 * @unknown_large: bytes of unknown frees: large kmallocs, whole pages
 * @unknown_no_size: unknown frees of objects whose size is not known
 * @drops: events not recorded, by cause
 * @in: bytes that were allocated, by flow
 * @out: of these, bytes that were freed
 * @unknown_pages: bytes of pages that were freed and are older than the account
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
 * struct kma_event - an allocation or a free, as the probes report it to the account
 * @call_site: return address into the caller of the allocator
 * @ptr: address of the object; NULL for an allocation that failed
 * @req: bytes requested; unused for a free
 * @bytes: bytes allocated; unused for a free
 * @kind: kind of the allocation; for a free, the kind of the function: KMA_KIND_KMALLOC for
 *	kfree() and related functions, KMA_KIND_CACHE for kmem_cache_free() and related
 *	functions, KMA_KIND_FREE for a deferred free
 * @cache: of a free, the cache that it was given to; of an allocation, the one that
 *	it is from; or NULL if the probe does not know it
 * @quiet: a free is not booked if its object is unknown
 */
struct kma_event {
	unsigned long call_site;
	const void *ptr;
	size_t req;
	size_t bytes;
	enum kma_kind kind;
	const struct kmem_cache *cache;
	bool quiet;
};

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

/**
 * kma_account_nmi() - count an event that came from an NMI
 *
 * Context: NMI.
 */
void kma_account_nmi(void);

/**
 * kma_account_refuses() - refuse an event of an NMI that the inline half cannot take
 *
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

/**
 * kma_account_implied() - count an implied free
 *
 * Context: any but NMI, irqs off.
 */
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
 *	for an allocation that the inline half does not know. The inline half gets to know
 *	sites that are &struct kma_site.sampled, and no others.
 *
 * Context: process. Events in progress may still go on as before.
 */
void kma_account_sites_by(unsigned int (*of)(const struct kma_event *e));

/**
 * kma_account_alloc_at() - count an allocation at a given site
 * @site: id of the site
 * @e: the event; its call site is ignored
 *
 * Used by callers that determine the site themselves (dispatch.h). Nothing is counted while
 * the account is off.
 *
 * Context: any but NMI, irqs off.
 */
void kma_account_alloc_at(unsigned int site, const struct kma_event *e);

/**
 * kma_account_free_as() - count a free, and return the entry of the freed object
 * @e: the event
 * @birth: set to the birth of the object, if births are kept
 *
 * The free of an unknown object is counted at the event's call site, unless @e->quiet is set.
 *
 * Context: any but NMI, irqs off.
 * Return: found = KMA_LIVE_OLD with the object's entry; KMA_LIVE_NONE if the map does not know
 * the object, if @e->ptr is NULL or ZERO_SIZE_PTR, or if the account is off.
 */
struct kma_live_entry kma_account_free_as(const struct kma_event *e,
					  struct kma_birth *birth);

/**
 * kma_account_watch() - keep by which function each object is allocated, or stop that
 * @on: whether it is kept (enum kma_made); events that are under way may go on as
 *	before for a while
 *
 * Context: process. While it is kept, no event takes the inline half of this file.
 */
void kma_account_watch(bool on);

/**
 * kma_account_is_booked() - was a free by this call site booked already?
 * @call_site: the call site that frees
 *
 * Context: any but NMI, irqs off.
 * Return: true if a function of kma_account_skip_frees() says so.
 */
bool kma_account_is_booked(unsigned long call_site);

/*
 * The parts of an event that are less common, and out of line: they end the
 * section with irqs off that the inline part has begun, so that it needs no
 * stack. _slow does all of the event, and so does _far for a call site that is not
 * kma_site_near(); _chain (chain.c) and then _rest go on with what kma_live_home() gave, after the
 * allocation was counted. Most arguments are those that a probe of the tracepoint has in the same
 * registers, so that no event has to move them.
 */
void kma_account_alloc_slow(unsigned long flags, u64 key, const void *ptr, size_t req,
			    size_t bytes, enum kma_kind kind);
void kma_account_alloc_far(unsigned long flags, unsigned long call_site,
			   const void *ptr, size_t req, size_t bytes,
			   enum kma_kind kind);
void kma_account_alloc_chain(unsigned long flags, unsigned int class,
			     const void *ptr, struct kma_bucket *home, u32 head);
void kma_account_free_chain(unsigned long flags, unsigned long call_site,
			    const void *ptr, struct kma_bucket *home, u32 head);
void kma_account_alloc_rest(unsigned long flags, unsigned int class,
			    const void *ptr, struct kma_bucket *home, u32 head);
void kma_account_free_rest(unsigned long flags, unsigned long call_site,
			   const void *ptr, struct kma_bucket *home, u32 head);

/**
 * kma_account_alloc_in() - book an allocation; the body of the two functions below
 * @flags: of the section with irqs off that the caller has begun, and that ends here
 * @call_site: return address into the caller of the allocator
 * @ptr: the object; NULL if the allocation failed
 * @req: bytes asked for
 * @bytes: bytes given
 * @kind: what kind of allocation it is
 * @group: kma_class_key_of() of the group of the object (group.h); 0 if it is not at hand, and
 *	kma_group_of() is to be asked. Then no class of group 0 may be in the quick index.
 *
 * Inline, as a whole: the body of a probe. Here is the common case, a known
 * class, an object of less than 16 KiB, a home bucket with room.
 *
 * Context: any, irqs off. NMI is counted as dropped.
 */
static __always_inline void
kma_account_alloc_in(unsigned long flags, unsigned long call_site, const void *ptr,
		     size_t req, size_t bytes, enum kma_kind kind, u64 group)
{
	u64 key = call_site + group;
	unsigned long count, i;
	struct kma_bucket *b;
	unsigned int class;
	u32 head, tag;

	if (unlikely(!kma_site_near(call_site))) {
		kma_account_alloc_far(flags, call_site, ptr, req, bytes, kind);
		return;
	}
	if (unlikely(!ptr || !kma_size_is_slab(bytes) ||
		     !kma_class_find_quick(key, req, bytes, &class))) {
		kma_account_alloc_slow(flags, key, ptr, req, bytes, kind);
		return;
	}
	/* counted at once, and taken back if it must be: fewer registers */
	kma_class_in(class, 1);
	b = kma_live_home(ptr, &head);
	/* full, followed by others, or not ours: one test for all */
	if (unlikely(head >= KMA_BUCKET_SLOTS))
		goto chain;
	count = head;
	tag = kma_live_tag(ptr);
	/* the new entry, not yet counted in the head, ends the search */
	kma_bucket_set(b, count, tag, class);
	for (i = 0; b->tag[i] != tag; i++)
		;
	/* the bucket knows the object already */
	if (unlikely(i != count))
		goto chain;
	kma_bucket_unlock(b, head + 1);
	local_irq_restore(flags);
	return;
chain:
	kma_account_alloc_chain(flags, class, ptr, b, head);
}

/**
 * kma_account_alloc() - book an allocation, of no group
 * @call_site: return address into the caller of the allocator
 * @ptr: the object; NULL if the allocation failed
 * @req: bytes asked for
 * @bytes: bytes given
 * @kind: what kind of allocation it is
 *
 * Context: any. NMI is counted as dropped.
 */
static __always_inline void kma_account_alloc(unsigned long call_site,
					      const void *ptr, size_t req,
					      size_t bytes, enum kma_kind kind)
{
	unsigned long flags;

	if (kma_account_refuses())
		return;
	local_irq_save(flags);
	kma_account_alloc_in(flags, call_site, ptr, req, bytes, kind, 0);
}

/**
 * kma_account_free() - book a free
 * @call_site: return address into the caller of the allocator
 * @ptr: what was freed; NULL and ZERO_SIZE_PTR are no objects and not booked
 *
 * Inline, as a whole: the body of a probe. Here is the common case, an object in
 * a home bucket that no other follows.
 *
 * Context: any. NMI is counted as dropped.
 */
static __always_inline void kma_account_free(unsigned long call_site,
					     const void *ptr)
{
	unsigned long flags, class, i;
	struct kma_bucket *b;
	u32 head, last, tag;

	if (kma_account_refuses())
		return;
	local_irq_save(flags);
	b = kma_live_home(ptr, &head);
	last = head - 1;
	/* empty, followed by others, or not ours: one test for all */
	if (unlikely(last >= KMA_BUCKET_SLOTS))
		goto chain;
	tag = kma_live_tag(ptr);
	/* backwards: most objects die young */
	i = last;
	if (unlikely(b->tag[i] != tag))
		goto search;
	class = b->class[i];
	/* no object, or one whose sizes are in the map */
	if (unlikely(!kma_class_is_plain(class)))
		goto chain;
unlock:
	kma_bucket_unlock(b, last);
	kma_class_out(class, 1);
	local_irq_restore(flags);
	return;
search:
	while (i--) {
		if (b->tag[i] != tag)
			continue;
		class = b->class[i];
		if (unlikely(!kma_class_is_plain(class)))
			goto chain;
		kma_bucket_set(b, i, b->tag[last], b->class[last]);
		goto unlock;
	}
chain:
	kma_account_free_chain(flags, call_site, ptr, b, head);
}

#endif /* KMA_ACCOUNT_H */
