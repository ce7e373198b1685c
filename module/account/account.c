// SPDX-License-Identifier: GPL-2.0
/*
 * account.c - one event in, the books brought up to date.
 *
 * The rules and the locking are told in account.h.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/account.h"
#include "account/kmem_cache.h"
#include "account/peak.h"

/* The last large allocation of a CPU, until its second event has come. */
struct kma_large {
	const void *ptr;
	size_t req;
	unsigned int site;
};

static DEFINE_PER_CPU(struct kma_totals, kma_totals);
static DEFINE_PER_CPU(struct kma_large, kma_large);
static bool (*kma_told_by)(unsigned long call_site);
static bool kma_watching __read_mostly;

void kma_account_drop(enum kma_drop cause)
{
	this_cpu_inc(kma_totals.drops[cause]);
}

void kma_account_implied(void)
{
	this_cpu_inc(kma_totals.implied);
}

void kma_account_in(enum kma_flow flow, long bytes)
{
	this_cpu_add(kma_totals.in[flow], bytes);
}

void kma_account_out(enum kma_flow flow, long bytes)
{
	this_cpu_add(kma_totals.out[flow], bytes);
}

void kma_account_unknown_pages(long bytes)
{
	this_cpu_add(kma_totals.unknown_pages, bytes);
}

void kma_account_told(bool (*by)(unsigned long call_site))
{
	WRITE_ONCE(kma_told_by, by);
}

bool kma_account_is_told(unsigned long call_site)
{
	bool (*told_by)(unsigned long call_site) = READ_ONCE(kma_told_by);

	return told_by && told_by(call_site);
}

void kma_account_watch(bool on)
{
	WRITE_ONCE(kma_watching, on);
}

void kma_account_nmi(void)
{
	kma_account_drop(KMA_DROP_NMI);
}

void kma_account_missed(unsigned long n)
{
	this_cpu_add(kma_totals.drops[KMA_DROP_MISSED], n);
}

void kma_account_early(unsigned long n)
{
	this_cpu_add(kma_totals.drops[KMA_DROP_EARLY], n);
}

/* Count an allocation of @n objects: 1, or -1 to take it back. */
static void kma_count(unsigned int site, struct kma_size size, int n)
{
	struct kma_site_count *c = kma_site_count(site);

	c->allocs += n;
	c->req += n * kma_size_req(size);
	c->bytes += n * kma_size_bytes(size);
}

/*
 * The site that an allocation was booked to by its first event, or
 * KMA_SITE_NONE if this is the first. A failed one has two events, too.
 */
static unsigned int kma_large_first(unsigned int site, const void *ptr,
				    size_t req, size_t bytes)
{
	struct kma_large *last = this_cpu_ptr(&kma_large);
	unsigned int first;

	if (!KMA_LARGE_TWICE || bytes <= KMALLOC_MAX_CACHE_SIZE)
		return KMA_SITE_NONE;
	if (last->ptr != ptr || last->req != req) {
		*last = (struct kma_large){ ptr, req, site };
		return KMA_SITE_NONE;
	}
	first = last->site;
	*last = (struct kma_large){};
	return first;
}

/* Put an object that was counted into the map. */
static void kma_put(unsigned int site, enum kma_made made, const void *ptr,
		    struct kma_bucket *home, u32 head, struct kma_size size,
		    unsigned int first, const struct kma_birth *birth)
{
	struct kma_live_entry old;

	old = kma_live_put(home, head, kma_live_tag(ptr),
			   kma_slot_pack(site, made), size, birth);
	if (old.found == KMA_LIVE_OLD && unlikely(old.site == first)) {
		/* it is the same object, and this site is its owner */
		kma_count(first, old.size, -1);
	} else if (old.found == KMA_LIVE_OLD) {
		/* it went without an event */
		kma_account_credit(old.site, old.size);
		kma_account_implied();
	} else if (unlikely(old.found == KMA_LIVE_FULL)) {
		kma_count(site, size, -1);
		kma_account_drop(KMA_DROP_FULL);
	}
}

/* The first object of a site: what it is asked for. */
static void kma_learn(unsigned int site, const struct kma_event *e)
{
	char cache[KMA_CACHE_NAME_LEN] = "";

	/* other kinds have no slab, and their pointer may be none */
	if (e->cache)
		kma_cache_copy_name(e->cache, cache);
	else if (e->kind == KMA_KIND_KMALLOC || e->kind == KMA_KIND_CACHE)
		kma_cache_name_of(e->ptr, cache);
	kma_site_learn(site, e->bytes, cache);
}

/* No object came of it. */
static void kma_count_failed(unsigned int site, const struct kma_event *e)
{
	unsigned int first = kma_large_first(site, NULL, e->req, e->bytes);

	kma_site_count(site)->failed++;
	if (first != KMA_SITE_NONE)
		kma_site_count(first)->failed--;
}

/* By which function was the object of an event allocated, if that is kept? */
static enum kma_made kma_made_by(const struct kma_event *e)
{
	if (!READ_ONCE(kma_watching))
		return KMA_MADE_UNWATCHED;
	return e->kind == KMA_KIND_KMALLOC ? KMA_MADE_KMALLOC :
	       e->kind == KMA_KIND_CACHE ? KMA_MADE_CACHE : KMA_MADE_UNWATCHED;
}

void kma_account_alloc_at(unsigned int site, const struct kma_event *e)
{
	struct kma_bucket *home;
	struct kma_birth birth;
	struct kma_size size;
	unsigned int first;
	u32 head;

	if (kma_births_kept())
		birth = kma_birth_now(e->kind);
	/* also for a failed one: the map knows whether the account is on */
	home = kma_live_lock(e->ptr, &head);
	if (!home)
		return;
	if (likely(e->ptr && kma_size_pack(&size, e->req, e->bytes))) {
		first = kma_large_first(site, e->ptr, e->req, e->bytes);
		kma_count(site, size, 1);
		kma_put(site, kma_made_by(e), e->ptr, home, head, size, first,
			&birth);
		if (unlikely(!kma_site_learnt(site)))
			kma_learn(site, e);
		return;
	}
	kma_bucket_unlock(home, head);
	if (e->ptr)
		kma_account_drop(KMA_DROP_SIZE);
	else
		kma_count_failed(site, e);
}

void kma_account_alloc_slow(unsigned long flags, unsigned long call_site,
			    const void *ptr, size_t req, size_t bytes,
			    enum kma_kind kind)
{
	const struct kma_event e = {
		.call_site = call_site, .ptr = ptr,
		.req = req, .bytes = bytes, .kind = kind,
	};

	if (kma_live_is_open())
		kma_account_alloc_at(kma_site_id(call_site, kind), &e);
	local_irq_restore(flags);
}

void kma_account_alloc_chain(unsigned long flags, unsigned int site,
			     const void *ptr, struct kma_bucket *home, u32 head,
			     struct kma_size size)
{
	if (head == KMA_BUCKET_LOCKED)
		home = kma_live_lock(ptr, &head);
	if (likely(home))
		kma_put(site, KMA_MADE_UNWATCHED, ptr, home, head, size,
			KMA_SITE_NONE, NULL);
	else
		kma_count(site, size, -1);
	local_irq_restore(flags);
}

void kma_account_alloc_again(unsigned long flags, const void *ptr,
			     struct kma_bucket *home, u32 head)
{
	unsigned long i = kma_bucket_count(head);

	kma_put(home->site[i], KMA_MADE_UNWATCHED, ptr, home, head,
		home->size[i], KMA_SITE_NONE, NULL);
	local_irq_restore(flags);
}

/* With irqs off. The object is still there, or was a moment ago. */
static void kma_count_unknown(const struct kma_event *e)
{
	size_t bytes;
	bool large;

	if (kma_account_is_told(e->call_site))
		return;
	bytes = kma_cache_given(e->ptr, &large);
	kma_site_count(kma_site_id(e->call_site, KMA_KIND_FREE))->unknown++;
	if (!bytes)
		this_cpu_inc(kma_totals.unknown_untold);
	else if (large)
		this_cpu_add(kma_totals.unknown_large, bytes);
	else
		this_cpu_add(kma_totals.unknown_slab, bytes);
}

/* Take an object out of the map; who freed it is credited, or booked. */
static struct kma_live_entry kma_take(const struct kma_event *e,
				      struct kma_bucket *home, u32 head,
				      struct kma_birth *birth)
{
	struct kma_live_entry obj;

	obj = kma_live_take(home, head, kma_live_tag(e->ptr), birth);
	if (likely(obj.found == KMA_LIVE_OLD))
		kma_account_credit(obj.site, obj.size);
	else if (!e->quiet && !ZERO_OR_NULL_PTR(e->ptr))
		kma_count_unknown(e);
	return obj;
}

struct kma_live_entry kma_account_free_as(const struct kma_event *e,
					  struct kma_birth *birth)
{
	struct kma_bucket *home;
	u32 head;

	home = kma_live_lock(e->ptr, &head);
	if (!home)
		return (struct kma_live_entry){ .found = KMA_LIVE_NONE };
	return kma_take(e, home, head, birth);
}

void kma_account_free_chain(unsigned long flags, unsigned long call_site,
			    const void *ptr, struct kma_bucket *home, u32 head)
{
	const struct kma_event e = { .call_site = call_site, .ptr = ptr };
	struct kma_birth birth;

	if (head == KMA_BUCKET_LOCKED)
		home = kma_live_lock(ptr, &head);
	if (likely(home))
		kma_take(&e, home, head, &birth);
	local_irq_restore(flags);
}

void kma_account_free_pages(unsigned long flags, unsigned int site,
			    struct kma_size size)
{
	kma_account_credit(site, size);
	local_irq_restore(flags);
}

void kma_account_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		memset(per_cpu_ptr(&kma_totals, cpu), 0,
		       sizeof(struct kma_totals));
		/* a site of the old account is none of the new one */
		memset(per_cpu_ptr(&kma_large, cpu), 0,
		       sizeof(struct kma_large));
	}
	kma_live_reset();
	kma_site_reset();
	kma_peak_reset();
}

struct kma_totals kma_account_totals(void)
{
	struct kma_totals sum = {};
	const struct kma_totals *t;
	int cpu, i;

	/* frees first, as in kma_site_fold(), for the same reason */
	for_each_possible_cpu(cpu) {
		t = per_cpu_ptr(&kma_totals, cpu);
		for (i = 0; i < KMA_NR_FLOWS; i++)
			sum.out[i] += READ_ONCE(t->out[i]);
		sum.unknown_pages += READ_ONCE(t->unknown_pages);
	}
	smp_rmb(); /* pairs with the bucket locks, see kma_site_fold() */
	for_each_possible_cpu(cpu) {
		t = per_cpu_ptr(&kma_totals, cpu);
		sum.implied += READ_ONCE(t->implied);
		sum.unknown_slab += READ_ONCE(t->unknown_slab);
		sum.unknown_large += READ_ONCE(t->unknown_large);
		sum.unknown_untold += READ_ONCE(t->unknown_untold);
		for (i = 0; i < KMA_NR_DROPS; i++)
			sum.drops[i] += READ_ONCE(t->drops[i]);
		for (i = 0; i < KMA_NR_FLOWS; i++)
			sum.in[i] += READ_ONCE(t->in[i]);
	}
	return sum;
}
