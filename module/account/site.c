// SPDX-License-Identifier: GPL-2.0
/*
 * site.c - the call sites of the kernel and what each of them allocated.
 *
 * The design and the locking are told in site.h.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "account/site.h"
#include "compat/stub.h"

/* In the place of a retired call site; no code returns there. */
#define KMA_SITE_RETIRED	3u

/* What differs between a call site and what stands for it until it has an object. */
#define KMA_SITE_UNLEARNT	1u

#define KMA_SITE_LOOKS		8	/* at counters that change */

struct kma_site_table kma_sites = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(kma_sites.lock),
	.names = __MUTEX_INITIALIZER(kma_sites.names),
};

u64 kma_site_slots[KMA_SITE_SLOTS];

DEFINE_PER_CPU(struct kma_site_count *, kma_site_counts);

/* Filled from the beginning, never emptied: what is there stays. */
static char kma_site_caches[KMA_SITE_CACHES][KMA_CACHE_NAME_LEN] = { "-" };

static size_t kma_site_count_bytes(void)
{
	return array_size(kma_sites.max, sizeof(struct kma_site_count));
}

static size_t kma_site_name_bytes(void)
{
	return array_size(kma_sites.max, sizeof(struct kma_site));
}

int kma_site_init(unsigned int max)
{
	int cpu;

	KMA_STUB(kma_site_init, max);
	kma_sites.max = max + 1;
	kma_sites.nr = KMA_SITE_OTHER + 1;
	memset(kma_site_slots, 0, sizeof(kma_site_slots));
	kma_sites.sites = vzalloc(kma_site_name_bytes());
	if (!kma_sites.sites)
		goto err_tables;
	for_each_possible_cpu(cpu) {
		struct kma_site_count *c = vzalloc_node(kma_site_count_bytes(),
							cpu_to_node(cpu));

		if (!c)
			goto err_tables;
		per_cpu(kma_site_counts, cpu) = c;
	}
	return 0;

err_tables:
	kma_site_deinit();
	return -ENOMEM;
}

void kma_site_deinit(void)
{
	unsigned int id;
	int cpu;

	for_each_possible_cpu(cpu) {
		vfree(per_cpu(kma_site_counts, cpu));
		per_cpu(kma_site_counts, cpu) = NULL;
	}
	for (id = 0; kma_sites.sites && id < kma_sites.nr; id++)
		kfree(kma_sites.sites[id].place);
	vfree(kma_sites.sites);
	kma_sites.sites = NULL;
	kma_sites.nr = 0;
}

void kma_site_hide(void)
{
	mutex_lock(&kma_sites.names);
	memset(kma_site_slots, 0, sizeof(kma_site_slots));
	mutex_unlock(&kma_sites.names);
}

void kma_site_reset(void)
{
	unsigned int id;
	int cpu;

	mutex_lock(&kma_sites.names);
	for (id = 0; id < kma_sites.nr; id++)
		kfree(kma_sites.sites[id].place);
	memset(kma_sites.sites, 0, kma_site_name_bytes());
	memset(kma_site_slots, 0, sizeof(kma_site_slots));
	for_each_possible_cpu(cpu)
		memset(per_cpu(kma_site_counts, cpu), 0,
		       kma_site_count_bytes());
	kma_sites.nr = KMA_SITE_OTHER + 1;
	mutex_unlock(&kma_sites.names);
}

static u64 kma_site_key(unsigned int id, unsigned long call_site)
{
	return (u64)id << 32 | (u32)call_site;
}

/* Learnt, or not yet. A far site is never seen to be: it goes the long way. */
static bool kma_site_is(u64 slot, unsigned long call_site)
{
	if (kma_site_near(call_site))
		return ((u32)slot ^ (u32)call_site) <= KMA_SITE_UNLEARNT;
	return (u32)slot == KMA_SITE_FAR &&
	       kma_sites.sites[slot >> 32].call_site == call_site;
}

/*
 * Number of the slot of @call_site, or of the free one where its search ends. What
 * the slot says is in @slot, and not to be looked at again without the lock: one
 * that was free may be another site's by then.
 */
static u32 kma_site_find(unsigned long call_site, u64 *slot)
{
	u32 i;

	for (i = call_site % KMA_SITE_SLOTS;; i = (i + 1) % KMA_SITE_SLOTS) {
		/* Pairs with the smp_store_release() in kma_site_add(). */
		*slot = smp_load_acquire(&kma_site_slots[i]);
		if (!*slot || kma_site_is(*slot, call_site))
			return i;
	}
}

void kma_site_new(unsigned long call_site, enum kma_kind kind,
		  unsigned int base)
{
	const unsigned int id = kma_sites.nr;

	kma_sites.sites[id].call_site = call_site;
	kma_sites.sites[id].kind = kind;
	kma_sites.sites[id].base = base;
	/* Pairs with the smp_load_acquire() in kma_site_nr(). */
	smp_store_release(&kma_sites.nr, id + 1);
}

/*
 * The first slot on the way of @call_site to the free one, @end, that a retired
 * site has: nobody looks for that any more, and the nearer the better.
 */
static u32 kma_site_reuse(unsigned long call_site, u32 end)
{
	u32 i = call_site % KMA_SITE_SLOTS;

	while (i != end && (u32)kma_site_slots[i] != KMA_SITE_RETIRED)
		i = (i + 1) % KMA_SITE_SLOTS;
	return i;
}

/*
 * With the lock held; @i is the free slot. Returns the slot that it is in; a full
 * table stays as it is.
 */
static u32 kma_site_add(unsigned long call_site, enum kma_kind kind, u32 i)
{
	unsigned long low = kma_site_near(call_site) ?
			    call_site ^ KMA_SITE_UNLEARNT : KMA_SITE_FAR;
	unsigned int id = kma_sites.nr;

	if (id == kma_sites.max)
		return i;
	kma_site_new(call_site, kind, id);
	i = kma_site_reuse(call_site, i);
	/* Pairs with the smp_load_acquire() in kma_site_find(). */
	smp_store_release(&kma_site_slots[i], kma_site_key(id, low));
	return i;
}

unsigned int kma_site_id(unsigned long call_site, enum kma_kind kind)
{
	u64 slot;
	u32 i;

	kma_site_find(call_site, &slot);
	if (likely(slot))
		return slot >> 32;
	if (READ_ONCE(kma_sites.nr) == kma_sites.max)
		return KMA_SITE_OTHER;

	raw_spin_lock(&kma_sites.lock);
	i = kma_site_find(call_site, &slot);
	if (!slot)
		slot = kma_site_slots[kma_site_add(call_site, kind, i)];
	raw_spin_unlock(&kma_sites.lock);
	return slot ? slot >> 32 : KMA_SITE_OTHER;
}

/* With the lock held: number of the name, 0 if there is no room for it. */
static u16 kma_site_cache_add(const char *name)
{
	u16 i;

	for (i = 0; i < KMA_SITE_CACHES && *kma_site_caches[i]; i++)
		if (!strcmp(kma_site_caches[i], name))
			return i;
	if (i == KMA_SITE_CACHES)
		return 0;
	strscpy(kma_site_caches[i], name, KMA_CACHE_NAME_LEN);
	return i;
}

/*
 * With the lock held: from now on kma_site_known() says yes. A path has no slot,
 * and a retired site keeps none.
 */
static void kma_site_publish(unsigned int id)
{
	unsigned long call_site = kma_sites.sites[id].call_site;
	u64 slot;
	u32 i = kma_site_find(call_site, &slot);

	if (slot == kma_site_key(id, call_site ^ KMA_SITE_UNLEARNT))
		WRITE_ONCE(kma_site_slots[i], kma_site_key(id, call_site));
}

void kma_site_learn(unsigned int id, size_t bytes, const char *cache)
{
	struct kma_site *site = &kma_sites.sites[id];

	raw_spin_lock(&kma_sites.lock);
	if (!site->bytes) {
		site->cache = *cache ? kma_site_cache_add(cache) : 0;
		/* Pairs with the smp_load_acquire() in kma_site_learnt(). */
		smp_store_release(&site->bytes, bytes);
		kma_site_publish(id);
	}
	raw_spin_unlock(&kma_sites.lock);
}

const char *kma_site_cache(unsigned int cache)
{
	return kma_site_caches[cache];
}

/* An event writes its two counters one after the other: look again. */
bool kma_site_one_size(unsigned int id)
{
	u64 size = READ_ONCE(kma_sites.sites[id].bytes);
	int looks, cpu;

	for (looks = 0; looks < KMA_SITE_LOOKS; looks++) {
		u64 allocs = 0, bytes = 0;

		for_each_possible_cpu(cpu) {
			const struct kma_site_count *c;

			c = per_cpu(kma_site_counts, cpu) + id;
			allocs += READ_ONCE(c->allocs);
			bytes += READ_ONCE(c->bytes);
		}
		if (bytes == allocs * size)
			return true;
	}
	return false;
}

unsigned int kma_site_nr(void)
{
	/* Pairs with the smp_store_release() in kma_site_add(). */
	return smp_load_acquire(&kma_sites.nr);
}

void kma_site_fold(unsigned int nr, struct kma_site_count *sums)
{
	const struct kma_site_count *c;
	unsigned int id;
	int cpu;

	memset(sums, 0, array_size(nr, sizeof(*sums)));
	/*
	 * The frees first: an object that is seen as freed was allocated
	 * before, so the second walk finds it as well and no difference is
	 * negative. The other half of the order is the lock of the object's
	 * bucket in the live map: the allocation is counted before the object
	 * goes in, the free after it came out.
	 */
	for_each_possible_cpu(cpu) {
		c = per_cpu(kma_site_counts, cpu);
		for (id = 0; id < nr; id++, c++) {
			sums[id].frees += READ_ONCE(c->frees);
			sums[id].freed_req += READ_ONCE(c->freed_req);
			sums[id].freed_bytes += READ_ONCE(c->freed_bytes);
			sums[id].unknown += READ_ONCE(c->unknown);
		}
		cond_resched();
	}
	smp_rmb(); /* pairs with the bucket locks, see above */
	for_each_possible_cpu(cpu) {
		c = per_cpu(kma_site_counts, cpu);
		for (id = 0; id < nr; id++, c++) {
			sums[id].allocs += READ_ONCE(c->allocs);
			sums[id].req += READ_ONCE(c->req);
			sums[id].bytes += READ_ONCE(c->bytes);
			sums[id].failed += READ_ONCE(c->failed);
		}
		cond_resched();
	}
}

void kma_site_count_add(struct kma_site_count *sum,
			const struct kma_site_count *count)
{
	sum->allocs += count->allocs;
	sum->req += count->req;
	sum->bytes += count->bytes;
	sum->frees += count->frees;
	sum->freed_req += count->freed_req;
	sum->freed_bytes += count->freed_bytes;
	sum->unknown += count->unknown;
	sum->failed += count->failed;
}

void kma_site_retire(unsigned int id)
{
	u64 slot;
	u32 i = kma_site_find(kma_sites.sites[id].call_site, &slot);

	if (slot >> 32 == id)
		WRITE_ONCE(kma_site_slots[i],
			   kma_site_key(id, KMA_SITE_RETIRED));
}

size_t kma_site_memory(void)
{
	return sizeof(kma_site_slots) + kma_site_name_bytes() +
	       num_possible_cpus() * kma_site_count_bytes();
}
