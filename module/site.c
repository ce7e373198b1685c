// SPDX-License-Identifier: GPL-2.0
/*
 * site.c - the call sites of the kernel and what each of them allocated.
 *
 * The design and the locking are told in site.h.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "site.h"

/* In the place of a retired call site; no code returns to address 1. */
#define KMA_SITE_RETIRED	1UL

struct kma_site_table kma_sites = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(kma_sites.lock),
	.names = __MUTEX_INITIALIZER(kma_sites.names),
};
DEFINE_PER_CPU(struct kma_site_count *, kma_site_counts);

static size_t kma_site_count_bytes(void)
{
	return array_size(kma_sites.max, sizeof(struct kma_site_count));
}

static size_t kma_site_index_bytes(void)
{
	return array_size(kma_sites.mask + 1, sizeof(struct kma_site_slot));
}

static size_t kma_site_name_bytes(void)
{
	return array_size(kma_sites.max, sizeof(struct kma_site));
}

int kma_site_init(unsigned int max)
{
	int cpu;

	kma_sites.max = max + 1;
	kma_sites.mask = roundup_pow_of_two(2 * kma_sites.max) - 1;
	kma_sites.nr = KMA_SITE_OTHER + 1;
	kma_sites.slots = vzalloc(kma_site_index_bytes());
	kma_sites.sites = vzalloc(kma_site_name_bytes());
	if (!kma_sites.slots || !kma_sites.sites)
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
		kfree(kma_sites.sites[id].name);
	vfree(kma_sites.sites);
	vfree(kma_sites.slots);
	kma_sites.sites = NULL;
	kma_sites.slots = NULL;
	kma_sites.nr = 0;
}

void kma_site_reset(void)
{
	unsigned int id;
	int cpu;

	mutex_lock(&kma_sites.names);
	for (id = 0; id < kma_sites.nr; id++)
		kfree(kma_sites.sites[id].name);
	memset(kma_sites.sites, 0, kma_site_name_bytes());
	memset(kma_sites.slots, 0, kma_site_index_bytes());
	for_each_possible_cpu(cpu)
		memset(per_cpu(kma_site_counts, cpu), 0,
		       kma_site_count_bytes());
	kma_sites.nr = KMA_SITE_OTHER + 1;
	mutex_unlock(&kma_sites.names);
}

/* The slot of @call_site, or the free one where its search ends. */
static struct kma_site_slot *kma_site_find(unsigned long call_site)
{
	u32 i = kma_site_hash(call_site);

	for (;; i++) {
		struct kma_site_slot *slot = &kma_sites.slots[i & kma_sites.mask];
		/* Pairs with the smp_store_release() in kma_site_add(). */
		unsigned long key = smp_load_acquire(&slot->key);

		if (key == call_site || !key)
			return slot;
	}
}

/**
 * kma_site_add() - kma_site_id() for a site that is not in its first slot
 * @call_site: return address into the caller of the allocator
 *
 * Context: any but NMI, irqs off.
 * Return: the id.
 */
unsigned int kma_site_add(unsigned long call_site)
{
	struct kma_site_slot *slot = kma_site_find(call_site);
	unsigned int id;

	if (likely(READ_ONCE(slot->key)))
		return slot->id;
	if (READ_ONCE(kma_sites.nr) == kma_sites.max)
		return KMA_SITE_OTHER;

	raw_spin_lock(&kma_sites.lock);
	slot = kma_site_find(call_site);
	id = slot->id;
	if (slot->key)
		goto out;
	id = kma_sites.nr;
	if (id == kma_sites.max) {
		id = KMA_SITE_OTHER;
		goto out;
	}
	slot->id = id;
	kma_sites.sites[id].call_site = call_site;
	/* Pairs with the smp_load_acquire() in kma_site_id() and _find(). */
	smp_store_release(&slot->key, call_site);
	/* Pairs with the smp_load_acquire() in kma_site_nr(). */
	smp_store_release(&kma_sites.nr, id + 1);
out:
	raw_spin_unlock(&kma_sites.lock);
	return id;
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
	}
}

/*
 * A name that cannot be kept for want of memory prints as an address later:
 * the counts stay, and an allocation of this size hardly ever fails.
 */
static void kma_site_keep_name(struct kma_site *site)
{
	char *buf = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);

	if (!buf)
		return;
	sprint_symbol(buf, site->call_site);
	site->name = kstrdup(buf, GFP_KERNEL);
	kfree(buf);
}

unsigned int kma_site_retire(bool (*inside)(unsigned long addr, void *arg),
			     void *arg)
{
	unsigned int id, nr = kma_site_nr(), retired = 0;

	mutex_lock(&kma_sites.names);
	for (id = KMA_SITE_OTHER + 1; id < nr; id++) {
		struct kma_site *site = &kma_sites.sites[id];
		struct kma_site_slot *slot;

		if (site->name || !inside(site->call_site, arg))
			continue;
		kma_site_keep_name(site);
		slot = kma_site_find(site->call_site);
		if (slot->id == id)
			WRITE_ONCE(slot->key, KMA_SITE_RETIRED);
		retired++;
	}
	mutex_unlock(&kma_sites.names);
	return retired;
}

void kma_site_name(unsigned int id, char buf[KSYM_SYMBOL_LEN])
{
	const struct kma_site *site = &kma_sites.sites[id];

	if (id == KMA_SITE_OTHER) {
		strscpy(buf, "[site table full]", KSYM_SYMBOL_LEN);
		return;
	}
	mutex_lock(&kma_sites.names);
	if (site->name)
		strscpy(buf, site->name, KSYM_SYMBOL_LEN);
	else
		sprint_symbol(buf, site->call_site);
	mutex_unlock(&kma_sites.names);
}

size_t kma_site_memory(void)
{
	return kma_site_index_bytes() + kma_site_name_bytes() +
	       num_possible_cpus() * kma_site_count_bytes();
}
