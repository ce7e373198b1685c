// SPDX-License-Identifier: GPL-2.0-only
/*
 * site.c - the table of call sites: id, address, kind and slab cache of each.
 *
 * The design and the locking are in site.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "account/budget.h"
#include "account/lock.h"
#include "account/site.h"
#include "account/word.h"
#include "compat/stub.h"

#define KMA_SITE_CACHES_BYTES	(KMA_SITE_CACHES * KMA_CACHE_NAME_LEN)

/* Low half in the slot of a retired call site. No code has such a return address. */
#define KMA_SITE_RETIRED	3u

struct kma_site_table kma_sites = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(kma_sites.lock),
	.names = __MUTEX_INITIALIZER(kma_sites.names),
};

u64 *kma_site_slots;
u32 kma_site_mask;

/* Filled from the beginning. A name stays until kma_site_deinit(). */
static char (*kma_site_caches)[KMA_CACHE_NAME_LEN];

static size_t kma_site_slot_bytes(void)
{
	return array_size(kma_site_mask + 1ul, sizeof(*kma_site_slots));
}

static size_t kma_site_name_bytes(void)
{
	return array_size(kma_sites.max, sizeof(struct kma_site));
}

__cold int kma_site_init(unsigned int max)
{
	KMA_STUB(kma_site_init, max);
	kma_sites.max = max + 1;
	kma_sites.nr = KMA_SITE_OTHER + 1;
	kma_site_mask = roundup_pow_of_two(2 * kma_sites.max) - 1;
	kma_site_slots = kma_budget_zalloc(kma_site_slot_bytes(), NUMA_NO_NODE);
	kma_sites.sites = kma_budget_zalloc(kma_site_name_bytes(), NUMA_NO_NODE);
	kma_site_caches = kma_budget_zalloc(KMA_SITE_CACHES_BYTES, NUMA_NO_NODE);
	if (!kma_site_slots || !kma_sites.sites || !kma_site_caches) {
		kma_site_deinit();
		return -ENOMEM;
	}
	strscpy(kma_site_caches[0], "-", KMA_CACHE_NAME_LEN);
	return 0;
}

__cold void kma_site_deinit(void)
{
	unsigned int id;

	for (id = 0; kma_sites.sites && id < kma_sites.nr; id++)
		kfree(kma_sites.sites[id].place);
	kma_budget_free(kma_sites.sites, kma_site_name_bytes());
	kma_sites.sites = NULL;
	kma_budget_free(kma_site_slots, kma_site_slot_bytes());
	kma_site_slots = NULL;
	kma_budget_free(kma_site_caches, KMA_SITE_CACHES_BYTES);
	kma_site_caches = NULL;
	kma_sites.nr = 0;
}

__cold void kma_site_hide(void)
{
	mutex_lock(&kma_sites.names);
	if (kma_site_slots)
		memset(kma_site_slots, 0, kma_site_slot_bytes());
	mutex_unlock(&kma_sites.names);
}

__cold void kma_site_reset(void)
{
	unsigned int id;

	mutex_lock(&kma_sites.names);
	for (id = 0; id < kma_sites.nr; id++)
		kfree(kma_sites.sites[id].place);
	memset(kma_sites.sites, 0, kma_site_name_bytes());
	memset(kma_site_slots, 0, kma_site_slot_bytes());
	kma_sites.nr = KMA_SITE_OTHER + 1;
	mutex_unlock(&kma_sites.names);
}

static u64 kma_site_key(unsigned int id, unsigned long call_site)
{
	return (u64)id << 32 | (u32)call_site;
}

static bool kma_site_is(u64 slot, unsigned long call_site)
{
	if (kma_site_near(call_site))
		return (u32)slot == (u32)call_site;
	return (u32)slot == KMA_SITE_FAR &&
	       kma_sites.sites[slot >> 32].call_site == call_site;
}

/*
 * Return the number of the slot of @call_site, or of the free slot where the search ends, and
 * set @slot to the contents of that slot. A caller without the lock must use @slot and must not
 * read the slot again: a slot that was free may belong to another site by then.
 */
static u32 kma_site_find(unsigned long call_site, u64 *slot)
{
	u32 i;

	for (i = call_site & kma_site_mask;; i = (i + 1) & kma_site_mask) {
		/* Pairs with the kma_word_release() in kma_site_add(). */
		*slot = kma_word_acquire(&kma_site_slots[i]);
		if (!*slot || kma_site_is(*slot, call_site))
			return i;
	}
}

void kma_site_new(unsigned long call_site, enum kma_kind kind, unsigned int base)
{
	const unsigned int id = kma_sites.nr;

	kma_sites.sites[id].call_site = call_site;
	kma_sites.sites[id].kind = kind;
	kma_sites.sites[id].base = base;
	/* Pairs with the smp_load_acquire() in kma_site_nr(). */
	smp_store_release(&kma_sites.nr, id + 1);
}

/*
 * Find the first slot of a retired site between the home slot of @call_site and the free slot
 * @end. No search needs the slot of a retired site, and a nearer slot makes searches shorter.
 * Return @end if no site on the way is retired.
 */
static u32 kma_site_reuse(unsigned long call_site, u32 end)
{
	u32 i = call_site & kma_site_mask;

	while (i != end && (u32)kma_site_slots[i] != KMA_SITE_RETIRED)
		i = (i + 1) & kma_site_mask;
	return i;
}

/*
 * Add a site. The caller holds the lock; @i is the free slot. Return the slot of the new site,
 * or @i with the table unchanged if the table is full.
 */
static u32 kma_site_add(unsigned long call_site, enum kma_kind kind, u32 i)
{
	unsigned long low = kma_site_near(call_site) ? call_site : KMA_SITE_FAR;
	unsigned int id = kma_sites.nr;

	if (id == kma_sites.max)
		return i;
	kma_site_new(call_site, kind, id);
	i = kma_site_reuse(call_site, i);
	/* Pairs with the kma_word_acquire() in kma_site_find(). */
	kma_word_release(&kma_site_slots[i], kma_site_key(id, low));
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

	kma_lock(&kma_sites.lock);
	i = kma_site_find(call_site, &slot);
	if (!slot)
		slot = kma_site_slots[kma_site_add(call_site, kind, i)];
	kma_unlock(&kma_sites.lock);
	return slot ? slot >> 32 : KMA_SITE_OTHER;
}

/* With the lock held: return the number of the name, 0 if the table of names is full. */
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

void kma_site_learn(unsigned int id, size_t bytes, const char *cache)
{
	struct kma_site *site = &kma_sites.sites[id];

	kma_lock(&kma_sites.lock);
	if (!site->bytes) {
		site->cache = *cache ? kma_site_cache_add(cache) : 0;
		/* Pairs with the smp_load_acquire() in kma_site_learnt(). */
		smp_store_release(&site->bytes, bytes);
	}
	kma_unlock(&kma_sites.lock);
}

const char *kma_site_cache(unsigned int cache)
{
	return kma_site_caches[cache];
}

unsigned int kma_site_nr(void)
{
	/* Pairs with the smp_store_release() in kma_site_new(). */
	return smp_load_acquire(&kma_sites.nr);
}

__cold void kma_site_retire(unsigned int id)
{
	u64 slot;
	u32 i = kma_site_find(kma_sites.sites[id].call_site, &slot);

	if (slot >> 32 == id)
		WRITE_ONCE(kma_site_slots[i], kma_site_key(id, KMA_SITE_RETIRED));
}

size_t kma_site_memory(void)
{
	return kma_site_slots ? kma_site_slot_bytes() + kma_site_name_bytes() +
				KMA_SITE_CACHES_BYTES : 0;
}
