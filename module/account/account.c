// SPDX-License-Identifier: GPL-2.0-only
/*
 * account.c - counts allocations and frees, and keeps the live map up to date.
 *
 * The rules and the locking are in account.h.
 */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/account.h"
#include "account/group.h"
#include "account/kmem_cache.h"
#include "account/large.h"
#include "account/lock.h"
#include "account/peak.h"
#include "account/sum.h"
#include "account/word.h"

/* The last large allocation of a CPU, until its second event. */
struct kma_large {
	const void *ptr;
	size_t req;
	unsigned int site;
};

static DEFINE_PER_CPU(struct kma_totals, kma_totals) __aligned(8);
static DEFINE_PER_CPU(struct kma_large, kma_large);
static bool (*kma_booked_by)(unsigned long call_site);
static unsigned int (*kma_site_by)(const struct kma_event *e);
static bool kma_watching __read_mostly;

void kma_account_drop(enum kma_drop cause)
{
	kma_cpu_add(kma_totals.drops[cause], 1);
}

void kma_account_implied(void)
{
	kma_cpu_add(kma_totals.implied, 1);
}

void kma_account_in(enum kma_flow flow, long bytes)
{
	kma_cpu_add(kma_totals.in[flow], bytes);
}

void kma_account_out(enum kma_flow flow, long bytes)
{
	kma_cpu_add(kma_totals.out[flow], bytes);
}

void kma_account_unknown_pages(long bytes)
{
	kma_cpu_add(kma_totals.unknown_pages, bytes);
}

__cold void kma_account_skip_frees(bool (*by)(unsigned long call_site))
{
	WRITE_ONCE(kma_booked_by, by);
}

__cold void kma_account_sites_by(unsigned int (*of)(const struct kma_event *e))
{
	WRITE_ONCE(kma_site_by, of);
}

bool kma_account_is_booked(unsigned long call_site)
{
	bool (*booked_by)(unsigned long call_site) = READ_ONCE(kma_booked_by);

	return booked_by && booked_by(call_site);
}

__cold void kma_account_watch(bool on)
{
	WRITE_ONCE(kma_watching, on);
}

void kma_account_nmi(void)
{
	kma_account_drop(KMA_DROP_NMI);
}

bool kma_account_may_lock(void)
{
	if (likely(kma_may_lock()))
		return true;
	kma_account_nmi();
	return false;
}

void kma_account_missed(unsigned long n)
{
	kma_cpu_add(kma_totals.drops[KMA_DROP_MISSED], n);
}

void kma_account_early(unsigned long n)
{
	kma_cpu_add(kma_totals.drops[KMA_DROP_EARLY], n);
}

/*
 * Return the site to which the first event of an allocation was charged, or
 * KMA_SITE_NONE if this is the first event. A failed allocation has two events, too.
 */
static unsigned int kma_large_first(unsigned int site, const void *ptr, size_t req, size_t bytes)
{
	struct kma_large *last = this_cpu_ptr(&kma_large);
	unsigned int first;

	if (!KMA_LARGE_TWICE || bytes <= KMALLOC_MAX_CACHE_SIZE || kma_large_known)
		return KMA_SITE_NONE;
	if (last->ptr != ptr || last->req != req) {
		*last = (struct kma_large){ ptr, req, site };
		return KMA_SITE_NONE;
	}
	first = last->site;
	*last = (struct kma_large){};
	return first;
}

/* Count an object that kma_live_put() has replaced by another one. */
static void kma_replaced(const struct kma_live_object *old, unsigned int first)
{
	/* the second event of the same object: the site of this event owns it */
	if (unlikely(old->site == first)) {
		kma_class_count_objects(old->class, old->size, -1);
		return;
	}
	kma_class_credit(old->class, old->size);
	kma_account_implied();
}

/* Put an object into the map that was already counted in @class. */
static void kma_put(unsigned int class, const void *ptr, struct kma_size size,
		    const struct kma_birth *birth, unsigned int first)
{
	struct kma_live_object old;

	switch (kma_live_holds(ptr) ? kma_live_put(ptr, class, size, birth, &old) :
				      KMA_LIVE_NO_PLACE) {
	case KMA_LIVE_NONE:
		break;
	case KMA_LIVE_OLD:
		kma_replaced(&old, first);
		break;
	case KMA_LIVE_FULL:
		kma_class_count_objects(class, size, -1);
		kma_account_drop(KMA_DROP_FULL);
		break;
	case KMA_LIVE_NO_PLACE:
		kma_class_count_objects(class, size, -1);
		kma_account_drop(KMA_DROP_KEY);
		break;
	}
}

/* Record the size and the cache of the first object of a site. */
static void kma_learn(unsigned int site, const struct kma_event *e)
{
	char cache[KMA_CACHE_NAME_LEN] = "";

	/* objects of other kinds are in no slab, and their pointer may not be an address */
	if (e->cache)
		kma_cache_copy_name(e->cache, cache);
	else if (e->kind == KMA_KIND_KMALLOC || e->kind == KMA_KIND_CACHE)
		kma_cache_name_of(e->ptr, cache);
	kma_site_learn(site, e->bytes, cache);
}

/* Count a failed allocation. */
static void kma_count_failed(unsigned int site, const struct kma_event *e)
{
	unsigned int first = kma_large_first(site, NULL, e->req, e->bytes);

	kma_class_change(kma_class_rare(site), KMA_CLASS_WORD(out), 1);
	if (first != KMA_SITE_NONE)
		kma_class_change(kma_class_rare(first), KMA_CLASS_WORD(out), -1);
}

/* Return the function that allocated the object of an event, while that is recorded. */
static enum kma_made kma_made_by(const struct kma_event *e)
{
	if (!READ_ONCE(kma_watching))
		return KMA_MADE_UNWATCHED;
	return e->kind == KMA_KIND_KMALLOC ? KMA_MADE_KMALLOC :
	       e->kind == KMA_KIND_CACHE ? KMA_MADE_CACHE : KMA_MADE_UNWATCHED;
}

/* Count an allocation. Return the number of its class; KMA_CLASS_NONE if it was not counted. */
static unsigned int kma_book(unsigned int site, enum kma_made made, const struct kma_event *e,
			     unsigned int group)
{
	unsigned int first, class;
	struct kma_birth birth;
	struct kma_size size;

	if (unlikely(!kma_size_pack(&size, e->req, e->bytes))) {
		kma_account_drop(KMA_DROP_SIZE);
		return KMA_CLASS_NONE;
	}
	class = kma_class_of(kma_owner_of(site, made), group, size);
	if (unlikely(class == KMA_CLASS_NONE)) {
		kma_account_drop(KMA_DROP_CLASS);
		return KMA_CLASS_NONE;
	}
	if (!kma_live_is_open())
		return KMA_CLASS_NONE;
	first = kma_large_first(site, e->ptr, e->req, e->bytes);
	kma_class_count_objects(class, size, 1);
	birth = kma_birth_now(e->kind);
	kma_put(class, e->ptr, size, &birth, first);
	if (unlikely(!kma_site_learnt(site)))
		kma_learn(site, e);
	return class;
}

void kma_account_alloc_at(unsigned int site, const struct kma_event *e)
{
	if (!kma_live_is_open())
		return;
	if (likely(!ZERO_OR_NULL_PTR(e->ptr)))
		kma_book(site, kma_made_by(e), e,
			 kma_group_of((unsigned long)e->ptr, e->charged));
	else if (!e->ptr)
		kma_count_failed(site, e);
}

/* With irqs off. */
static void kma_alloc_slow(const struct kma_event *e, unsigned int group)
{
	unsigned int (*site_by)(const struct kma_event *e) = READ_ONCE(kma_site_by);
	unsigned int site, class = KMA_CLASS_NONE;
	enum kma_made made = kma_made_by(e);

	if (unlikely(!kma_account_may_lock()))
		return;
	if (!kma_live_is_open() || kma_large_skip(e->call_site, e->bytes) ||
	    e->ptr == ZERO_SIZE_PTR)
		return;
	site = kma_site_id(e->call_site, e->kind);
	site = site_by && e->ptr ? site_by(e) : site;
	if (likely(e->ptr))
		class = kma_book(site, made, e, group);
	else
		kma_count_failed(site, e);
	/* the inline half finds the class from now on; the object may be freed already */
	if (class != KMA_CLASS_NONE && kma_class_is_plain(class) &&
	    (!site_by || READ_ONCE(kma_sites.sites[site].sampled)) &&
	    made == KMA_MADE_UNWATCHED && e->bytes &&
	    kma_size_is_slab(e->bytes) && kma_site_near(e->call_site))
		kma_class_enter(e->call_site, e->req, e->bytes, group, class);
}

/* Return the group of an object if only @group's bit is kept. What may not lock has none. */
static unsigned int kma_group_asked(const void *ptr, unsigned int group)
{
	return !ZERO_OR_NULL_PTR(ptr) && kma_may_lock() ?
	       kma_group_of((unsigned long)ptr, group & KMA_GROUP_CHARGED) : KMA_GROUP_NONE;
}

/* With irqs off: put an object into the map that the inline half has counted in @class. */
static void kma_alloc_rest(unsigned int class, const void *ptr)
{
	bool open = kma_account_may_lock() && kma_live_is_open();

	if (likely(open && !ZERO_OR_NULL_PTR(ptr))) {
		kma_put(class, ptr, kma_class_size(class), NULL, KMA_SITE_NONE);
		return;
	}
	kma_class_count_objects(class, (struct kma_size){}, -1);
	if (open && !ptr)
		kma_class_change(kma_class_rare(kma_class_owner(class)), KMA_CLASS_WORD(out), 1);
}

void kma_account_alloc_slow(void *data, u64 key, const void *ptr, size_t req, size_t bytes,
			    enum kma_kind kind)
{
	unsigned int group = kma_class_key_group(key);
	unsigned long call_site = key - kma_class_key_of(group), class, flags;

	local_irq_save(flags);
	if (!(group & KMA_GROUP_NUMBER)) {
		group = kma_group_asked(ptr, group);
		/* the inline half may have lacked only the group */
		if (group && kma_size_is_slab(bytes) &&
		    kma_class_find_quick(kma_class_key(call_site, group), req, bytes, &class)) {
			kma_class_in(class, 1);
			kma_alloc_rest(class, ptr);
			goto out;
		}
	}
	kma_alloc_slow(&(struct kma_event){
		.call_site = call_site, .ptr = ptr, .req = req, .bytes = bytes, .kind = kind,
	}, group);
out:
	local_irq_restore(flags);
}

#if !KMA_SITES_NEAR
void kma_account_alloc_far(void *data, unsigned long call_site, const void *ptr, size_t req,
			   size_t bytes, enum kma_kind kind, u64 group)
{
	unsigned long flags;

	local_irq_save(flags);
	kma_alloc_slow(&(struct kma_event){
		.call_site = call_site, .ptr = ptr, .req = req, .bytes = bytes, .kind = kind,
	}, kma_group_asked(ptr, group >> 32));
	local_irq_restore(flags);
}
#endif

void kma_account_alloc_rest(void *data, unsigned int class, const void *ptr)
{
	unsigned long flags;

	local_irq_save(flags);
	kma_alloc_rest(class, ptr);
	local_irq_restore(flags);
}

void kma_account_alloc_over(void *data, unsigned int old, const void *ptr,
			    const struct kma_slots *slots, unsigned long index)
{
	const struct kma_live_object o = kma_live_taken(slots, index, old, ptr);
	unsigned long flags;

	local_irq_save(flags);
	kma_replaced(&o, KMA_SITE_NONE);
	local_irq_restore(flags);
}

/* Count the free of an unknown object, with irqs off. The object still exists, or did just now. */
static void kma_count_unknown(const struct kma_event *e)
{
	size_t bytes;
	bool large;

	if (kma_account_is_booked(e->call_site))
		return;
	bytes = kma_cache_given(e->ptr, &large);
	kma_class_change(kma_class_rare(kma_site_id(e->call_site, KMA_KIND_FREE)),
			 KMA_CLASS_WORD(in), 1);
	if (!bytes)
		kma_cpu_add(kma_totals.unknown_no_size, 1);
	else if (large)
		kma_cpu_add(kma_totals.unknown_large, bytes);
	else
		kma_cpu_add(kma_totals.unknown_slab, bytes);
}

bool kma_account_free_as(const struct kma_event *e, struct kma_live_object *obj)
{
	if (ZERO_OR_NULL_PTR(e->ptr) || !kma_live_is_open())
		return false;
	if (likely(kma_live_holds(e->ptr) && kma_live_take(e->ptr, obj))) {
		kma_class_credit(obj->class, obj->size);
		return true;
	}
	if (!e->quiet)
		kma_count_unknown(e);
	return false;
}

void kma_account_free_rest(void *data, unsigned long call_site, const void *ptr,
			   unsigned int class, const struct kma_slots *slots, unsigned long index)
{
	const struct kma_event e = { .call_site = call_site, .ptr = ptr };
	struct kma_live_object o;
	unsigned long flags;

	local_irq_save(flags);
	if (class != KMA_CLASS_NONE) {
		o = kma_live_taken(slots, index, class, ptr);
		kma_class_credit(class, o.size);
	} else if (likely(kma_account_may_lock())) {
		kma_account_free_as(&e, &o);
	}
	local_irq_restore(flags);
}

__cold void kma_account_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		memset(per_cpu_ptr(&kma_totals, cpu), 0, sizeof(struct kma_totals));
		/* the new account does not have the sites of the old one */
		memset(per_cpu_ptr(&kma_large, cpu), 0, sizeof(struct kma_large));
	}
	kma_live_reset();
	kma_site_reset();
	kma_class_reset();
	kma_peak_reset();
}

__cold struct kma_totals kma_account_totals(void)
{
	struct kma_totals sum = { .implied = kma_live_settled() };
	const struct kma_totals *t;
	int cpu, i;

	/* frees first, as in kma_site_fold(), for the same reason */
	for_each_possible_cpu(cpu) {
		t = per_cpu_ptr(&kma_totals, cpu);
		for (i = 0; i < KMA_NR_FLOWS; i++)
			sum.out[i] += kma_word_get(&t->out[i]);
		sum.unknown_pages += kma_word_get(&t->unknown_pages);
	}
	smp_rmb(); /* pairs with the exchange of an element, see kma_site_fold() */
	for_each_possible_cpu(cpu) {
		t = per_cpu_ptr(&kma_totals, cpu);
		sum.implied += kma_word_get(&t->implied);
		sum.unknown_slab += kma_word_get(&t->unknown_slab);
		sum.unknown_large += kma_word_get(&t->unknown_large);
		sum.unknown_no_size += kma_word_get(&t->unknown_no_size);
		for (i = 0; i < KMA_NR_DROPS; i++)
			sum.drops[i] += kma_word_get(&t->drops[i]);
		for (i = 0; i < KMA_NR_FLOWS; i++)
			sum.in[i] += kma_word_get(&t->in[i]);
	}
	return sum;
}
