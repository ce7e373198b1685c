// SPDX-License-Identifier: GPL-2.0-only
/*
 * path.c - sites that are distinguished by their stacks, for the switch stacks.
 *
 * The design and the locking are in path.h.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "account/budget.h"
#include "account/lock.h"
#include "account/word.h"
#include "caller/path.h"

/* The hash of a retired path; other paths never have it. */
#define KMA_PATH_RETIRED	0u

static struct {
	unsigned int depth;	/* addresses of a path; 0: events get no path */
	unsigned int before;	/* sites with lower ids are older than the switch */
	unsigned int every;	/* one in so many events has a stack; 0: none had yet */
	u32 mask;		/* number of slots, a power of two, less one */
	u64 *slots;		/* NULL if nothing is reserved */
	unsigned long *addr;	/* KMA_PATH_DEPTH_MAX addresses for each id */
	char **kept;		/* texts of retired paths, by id */
} kma_paths;

static DEFINE_PER_CPU(u64, kma_paths_full) __aligned(8);

static size_t kma_path_slot_bytes(void)
{
	return array_size(kma_paths.mask + 1, sizeof(*kma_paths.slots));
}

static size_t kma_path_addr_bytes(unsigned int nr)
{
	return array_size(nr, KMA_PATH_DEPTH_MAX * sizeof(*kma_paths.addr));
}

static size_t kma_path_kept_bytes(void)
{
	return array_size(kma_sites.max, sizeof(*kma_paths.kept));
}

static unsigned long *kma_path_addr(unsigned int id)
{
	return kma_paths.addr + id * KMA_PATH_DEPTH_MAX;
}

bool kma_path_reserved(void)
{
	return kma_paths.slots;
}

static __cold int kma_path_reserve(void)
{
	kma_paths.mask = roundup_pow_of_two(2 * kma_sites.max) - 1;
	kma_paths.addr = kma_budget_zalloc(kma_path_addr_bytes(kma_sites.max), NUMA_NO_NODE);
	kma_paths.kept = kma_budget_zalloc(kma_path_kept_bytes(), NUMA_NO_NODE);
	/* the slots last: with these, a module notifier uses the other two (kma_path_retire()) */
	if (kma_paths.addr && kma_paths.kept)
		kma_paths.slots = kma_budget_zalloc(kma_path_slot_bytes(), NUMA_NO_NODE);
	if (kma_paths.slots)
		return 0;
	kma_path_deinit();
	return -ENOMEM;
}

__cold int kma_path_init(unsigned int depth)
{
	if (depth < 2)
		depth = 0;
	if (depth && !kma_path_reserved() && kma_path_reserve())
		return -ENOMEM;
	if (depth && !kma_paths.every)
		WRITE_ONCE(kma_paths.every, 1);
	/* Publishes the tables; pairs with the smp_load_acquire() in kma_path_depth(). */
	smp_store_release(&kma_paths.depth, depth);
	return 0;
}

void kma_path_begin(unsigned int every)
{
	WRITE_ONCE(kma_paths.every, every);
	WRITE_ONCE(kma_paths.before, kma_site_nr());
}

bool kma_path_fits(unsigned int every, bool again)
{
	if (!kma_paths.every)
		return true;
	return kma_paths.every == every && (again || every == 1);
}

unsigned int kma_path_before(void)
{
	return READ_ONCE(kma_paths.before);
}

static __cold void kma_path_drop_texts(void)
{
	unsigned int id;

	for (id = 0; kma_paths.kept && id < kma_sites.max; id++) {
		kfree(kma_paths.kept[id]);
		kma_paths.kept[id] = NULL;
	}
}

__cold void kma_path_deinit(void)
{
	kma_path_drop_texts();
	kma_budget_free(kma_paths.kept, kma_path_kept_bytes());
	kma_budget_free(kma_paths.addr, kma_path_addr_bytes(kma_sites.max));
	kma_budget_free(kma_paths.slots, kma_path_slot_bytes());
	memset(&kma_paths, 0, sizeof(kma_paths));
}

__cold void kma_path_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(kma_paths_full, cpu) = 0;
	WRITE_ONCE(kma_paths.before, 0);
	if (!kma_paths.depth)
		WRITE_ONCE(kma_paths.every, 0);
	if (!kma_path_reserved())
		return;
	mutex_lock(&kma_sites.names);
	kma_path_drop_texts();
	memset(kma_paths.slots, 0, kma_path_slot_bytes());
	memset(kma_paths.addr, 0, kma_path_addr_bytes(kma_sites.max));
	mutex_unlock(&kma_sites.names);
}

unsigned int kma_path_depth(void)
{
	/* Pairs with the smp_store_release() in kma_path_init(). */
	return smp_load_acquire(&kma_paths.depth);
}

static u32 kma_path_hash(const unsigned long *addr, unsigned int nr)
{
	u64 hash = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		hash = ((hash << 5 | hash >> 59) ^ addr[i]) * GOLDEN_RATIO_64;
	return hash >> 32 | 1;
}

/* True if @id is the path of these @nr addresses with the base @base. */
static bool kma_path_is(unsigned int id, unsigned int base,
			const unsigned long *addr, unsigned int nr)
{
	const unsigned long *path = kma_path_addr(id);

	return kma_sites.sites[id].base == base &&
	       !memcmp(path, addr, nr * sizeof(*addr)) &&
	       (nr == KMA_PATH_DEPTH_MAX || !path[nr]);
}

/*
 * Number of the slot of a path, or of the free slot that ends the search. @slot is set to the
 * contents of the slot, as by kma_site_find().
 */
static u32 kma_path_find(u32 hash, unsigned int base,
			 const unsigned long *addr, unsigned int nr, u64 *slot)
{
	u32 i;

	for (i = hash & kma_paths.mask;; i = (i + 1) & kma_paths.mask) {
		/* Pairs with the kma_word_release() in kma_path_add(). */
		*slot = kma_word_acquire(&kma_paths.slots[i]);
		if (!*slot || ((u32)*slot == hash && kma_path_is(*slot >> 32, base, addr, nr)))
			return i;
	}
}

/* Add a path, with kma_sites.lock held. Returns its id, or the id of the call site. */
static unsigned int kma_path_add(u32 hash, unsigned int base, const unsigned long *addr,
				 unsigned int nr, enum kma_kind kind)
{
	u64 slot;
	u32 i = kma_path_find(hash, base, addr, nr, &slot);
	unsigned int id = kma_sites.nr;

	if (slot)
		return slot >> 32;
	if (id == kma_sites.max)
		return base;
	memcpy(kma_path_addr(id), addr, nr * sizeof(*addr));
	kma_site_new(addr[0], kind, base);
	/* Pairs with the kma_word_acquire() in kma_path_find(). */
	kma_word_release(&kma_paths.slots[i], (u64)id << 32 | hash);
	return id;
}

unsigned int kma_path_id(const unsigned long *addr, unsigned int nr, enum kma_kind kind)
{
	unsigned int base = kma_site_id(addr[0], kind), id;
	unsigned int depth = kma_path_depth();
	u64 slot;
	u32 hash;

	nr = min(nr, depth);
	if (!nr || base == KMA_SITE_OTHER)
		return base;
	if (nr == 1 && base >= kma_path_before() && READ_ONCE(kma_paths.every) == 1)
		return base;
	hash = kma_path_hash(addr, nr);
	kma_path_find(hash, base, addr, nr, &slot);
	if (likely(slot))
		return slot >> 32;
	id = base;
	if (READ_ONCE(kma_sites.nr) < kma_sites.max) {
		kma_lock(&kma_sites.lock);
		id = kma_path_add(hash, base, addr, nr, kind);
		kma_unlock(&kma_sites.lock);
	}
	if (id == base)
		kma_cpu_add(kma_paths_full, 1);
	return id;
}

u64 kma_path_full(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += kma_word_get(&per_cpu(kma_paths_full, cpu));
	return sum;
}

__cold void kma_path_merge(unsigned int nr, struct kma_site_count *sums)
{
	unsigned int id;

	for (id = 0; kma_path_reserved() && id < nr; id++) {
		unsigned int base = kma_sites.sites[id].base;

		if (base == id)
			continue;
		kma_site_count_add(&sums[base], &sums[id]);
		memset(&sums[id], 0, sizeof(sums[id]));
	}
}

__cold void kma_path_copy(unsigned int nr, unsigned long *addr)
{
	memcpy(addr, kma_paths.addr, kma_path_addr_bytes(nr));
}

static __cold void kma_path_symbols(const unsigned long *addr, char buf[KMA_PATH_LEN])
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < KMA_PATH_DEPTH_MAX && addr[i]; i++) {
		if (i)
			buf[len++] = ';';
		len += sprint_symbol(buf + len, addr[i]);
	}
	if (!len)
		strscpy(buf, "-", KMA_PATH_LEN);
}

__cold void kma_path_text(unsigned int id, const unsigned long *addr, char buf[KMA_PATH_LEN])
{
	mutex_lock(&kma_sites.names);
	if (kma_paths.kept[id] && !memcmp(addr, kma_path_addr(id), kma_path_addr_bytes(1)))
		strscpy(buf, kma_paths.kept[id], KMA_PATH_LEN);
	else
		kma_path_symbols(addr, buf);
	mutex_unlock(&kma_sites.names);
}

/* If there is no memory for the text, the path is printed as addresses later. */
static __cold void kma_path_keep(unsigned int id)
{
	char *buf = kvmalloc(KMA_PATH_LEN, GFP_KERNEL);

	if (!buf)
		return;
	kma_path_symbols(kma_path_addr(id), buf);
	kma_paths.kept[id] = kstrdup(buf, GFP_KERNEL);
	kvfree(buf);
}

static __cold bool kma_path_inside(unsigned int id, bool (*inside)(unsigned long addr, void *arg),
				   void *arg)
{
	const unsigned long *addr = kma_path_addr(id);
	unsigned int i;

	for (i = 0; i < KMA_PATH_DEPTH_MAX && addr[i]; i++)
		if (inside(addr[i], arg))
			return true;
	return false;
}

__cold unsigned int kma_path_retire(bool (*inside)(unsigned long addr, void *arg), void *arg)
{
	unsigned int retired = 0;
	u32 i;

	mutex_lock(&kma_sites.names);
	for (i = 0; kma_path_reserved() && i <= kma_paths.mask; i++) {
		u64 slot = kma_word_get(&kma_paths.slots[i]);

		if ((u32)slot == KMA_PATH_RETIRED || !kma_path_inside(slot >> 32, inside, arg))
			continue;
		kma_path_keep(slot >> 32);
		kma_word_set(&kma_paths.slots[i], slot >> 32 << 32 | KMA_PATH_RETIRED);
		retired++;
	}
	mutex_unlock(&kma_sites.names);
	return retired;
}

__cold size_t kma_path_memory(void)
{
	if (!kma_path_reserved())
		return 0;
	return kma_path_slot_bytes() + kma_path_addr_bytes(kma_sites.max) +
	       kma_path_kept_bytes();
}
