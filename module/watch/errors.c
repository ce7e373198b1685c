// SPDX-License-Identifier: GPL-2.0-only
/*
 * errors.c - detects wrong frees.
 *
 * The design and the locking are in errors.h.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "account/budget.h"
#include "account/kmem_cache.h"
#include "account/live.h"
#include "account/class.h"
#include "account/lock.h"
#include "account/site.h"
#include "account/word.h"
#include "compat/stub.h"
#include "watch/errors.h"
#include "watch/freed.h"

#define KMA_ERROR_SLOTS		(2 * KMA_ERROR_ROWS)
#define KMA_ERROR_SPREAD	0x61c88647u	/* odd, 2^32 / golden ratio^2 */

struct kma_error_table {
	struct kma_error_row rows[KMA_ERROR_ROWS];
	u16 slots[KMA_ERROR_SLOTS];	/* hash of a row -> its number + 1 */
};

static struct {
	raw_spinlock_t lock;
	unsigned int nr;
	struct kma_error_table *table;
	u64 totals[KMA_NR_ERRORS] __aligned(8);
	u64 beyond;			/* of these, those without a row */
	u64 uncertain;			/* second frees that were not reported */
	unsigned long (*missed)(void);	/* of kma_errors_watch() */
	unsigned long missed_until;	/* its value when frees were forgotten */
} kma_errors = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(kma_errors.lock),
};

/* Frees of unwatched objects; a counter of each CPU, because every free may be one. */
static DEFINE_PER_CPU(u64, kma_errors_unwatched) __aligned(8);

bool kma_errors_asked;
bool kma_errors_on __read_mostly;

__cold int kma_errors_init(void)
{
	int err;

	KMA_STUB(kma_errors_init);
	if (!kma_errors_asked)
		return 0;
	err = kma_errors_reserve();
	if (err)
		kma_errors_deinit();
	return err;
}

__cold int kma_errors_reserve(void)
{
	int err = kma_freed_init();

	if (!err && !kma_errors.table) {
		kma_errors.table = kma_budget_zalloc(sizeof(*kma_errors.table), NUMA_NO_NODE);
		if (!kma_errors.table) {
			/* nobody uses it: the gate is closed */
			kma_freed_deinit();
			err = -ENOMEM;
		}
	}
	return err;
}

__cold void kma_errors_deinit(void)
{
	kma_errors_unwatch();
	kma_freed_deinit();
	kma_budget_free(kma_errors.table, sizeof(*kma_errors.table));
	kma_errors.table = NULL;
	kma_errors.nr = 0;
}

__cold void kma_errors_watch(unsigned long (*missed)(void))
{
	kma_freed_reset();
	kma_errors.missed = missed;
	kma_errors.missed_until = missed ? missed() : 0;
	kma_account_watch(true);
	/* Pairs with the smp_load_acquire() in kma_errors_wanted(). */
	smp_store_release(&kma_errors_on, true);
}

__cold void kma_errors_unwatch(void)
{
	WRITE_ONCE(kma_errors_on, false);
	kma_account_watch(false);
}

__cold void kma_errors_release(void)
{
	kma_freed_deinit();
}

__cold void kma_errors_reset(void)
{
	int cpu;

	if (!kma_errors.table)
		return;
	kma_errors.nr = 0;
	memset(kma_errors.table, 0, sizeof(*kma_errors.table));
	memset(kma_errors.totals, 0, sizeof(kma_errors.totals));
	kma_errors.beyond = 0;
	kma_errors.uncertain = 0;
	for_each_possible_cpu(cpu)
		per_cpu(kma_errors_unwatched, cpu) = 0;
}

/* Slot of the row with this kind and these sites, or the free slot that ends the search. */
static u16 *kma_errors_slot(enum kma_error error, unsigned int first, unsigned int now)
{
	struct kma_error_table *t = kma_errors.table;
	u32 i = (first * KMA_NR_ERRORS + error) * KMA_ERROR_SPREAD + now;

	for (i = (i * KMA_ERROR_SPREAD) >> 16;; i++) {
		u16 *slot = &t->slots[i % KMA_ERROR_SLOTS];
		const struct kma_error_row *row;

		if (!*slot)
			return slot;
		row = &t->rows[*slot - 1];
		if (row->error == error && row->first == first && row->now == now)
			return slot;
	}
}

/* The cache of an object, or NULL. */
static const struct kmem_cache *kma_errors_cache(const void *ptr)
{
	struct kma_slab slab;

	return kma_slab_of((unsigned long)ptr, &slab) ? slab.cache : NULL;
}

static __cold void kma_error_name(const struct kmem_cache *s, char *name)
{
	struct kma_cache_info info;

	strscpy(name, s && kma_cache_read(s, &info) ? info.name : "-",
		KMA_CACHE_NAME_LEN);
}

static __cold void kma_errors_fill(struct kma_error_row *row, const struct kma_event *e)
{
	const struct kmem_cache *cache = NULL;

	/* After a double free the memory may have another use already. */
	if (row->error != KMA_ERROR_TWICE && kma_cache_findable())
		cache = kma_errors_cache(e->ptr);
	kma_error_name(cache, row->cache);
	kma_error_name(e->cache, row->given);
	row->ptr = e->ptr;
}

static __cold void kma_errors_book(enum kma_error error, unsigned int first,
				   const struct kma_event *e)
{
	unsigned int now = kma_site_id(e->call_site, KMA_KIND_FREE);
	struct kma_error_row *row;
	u16 *slot;

	kma_lock(&kma_errors.lock);
	kma_word_add(&kma_errors.totals[error], 1);
	slot = kma_errors_slot(error, first, now);
	if (!*slot && kma_errors.nr == KMA_ERROR_ROWS) {
		kma_word_add(&kma_errors.beyond, 1);
		goto unlock;
	}
	row = &kma_errors.table->rows[(*slot ?: kma_errors.nr + 1) - 1];
	kma_word_add(&row->count, 1);
	if (*slot)
		goto unlock;
	row->error = error;
	row->first = first;
	row->now = now;
	kma_errors_fill(row, e);
	*slot = kma_errors.nr + 1;
	/* Pairs with the smp_load_acquire() in kma_errors_rows(). */
	smp_store_release(&kma_errors.nr, *slot);
unlock:
	kma_unlock(&kma_errors.lock);
}

void kma_errors_alloc(const struct kma_event *e)
{
	if (!ZERO_OR_NULL_PTR(e->ptr))
		kma_freed_forget(e->ptr);
}

/* The error of a free, by the function that allocated the object; or KMA_NR_ERRORS. */
static enum kma_error kma_errors_judge(const struct kma_event *e, enum kma_made made)
{
	if (e->kind == KMA_KIND_KMALLOC && made == KMA_MADE_CACHE)
		return KMA_KFREE_TAKES_ALL ? KMA_NR_ERRORS : KMA_ERROR_KFREE;
	if (e->kind != KMA_KIND_CACHE)
		return KMA_NR_ERRORS;
	if (made == KMA_MADE_KMALLOC)
		return KMA_ERROR_CACHE_FREE;
	if (kma_cache_findable() && kma_errors_cache(e->ptr) != e->cache)
		return KMA_ERROR_CACHE;
	return KMA_NR_ERRORS;
}

/*
 * Check whether the second free of an address is a double free. It is uncertain if a missed
 * call may have allocated the address in between. Then all recorded frees are uncertain.
 */
static bool kma_errors_certain(void)
{
	unsigned long missed;

	if (!kma_errors.missed)
		return false;
	missed = kma_errors.missed();
	if (likely(missed == READ_ONCE(kma_errors.missed_until)))
		return true;
	WRITE_ONCE(kma_errors.missed_until, missed);
	kma_freed_forget_all();
	return false;
}

static void kma_errors_twice(const struct kma_event *e, unsigned long before)
{
	if (!kma_errors_certain()) {
		kma_lock(&kma_errors.lock);
		kma_word_add(&kma_errors.uncertain, 1);
		kma_unlock(&kma_errors.lock);
		return;
	}
	kma_errors_book(KMA_ERROR_TWICE, kma_site_id(before, KMA_KIND_FREE), e);
}

/* True if the object was allocated while the gate was closed, or before the account. */
static bool kma_errors_is_unwatched(const struct kma_event *e, bool found, enum kma_made made)
{
	if (found)
		return made == KMA_MADE_UNWATCHED;
	return !e->quiet && !kma_account_is_booked(e->call_site);
}

static bool kma_errors_may_judge(void)
{
	return kma_errors_wanted() && kma_live_is_open();
}

void kma_errors_free(const struct kma_event *e)
{
	struct kma_live_object obj;
	unsigned long before;
	enum kma_error error;
	enum kma_made made;
	bool found;

	if (ZERO_OR_NULL_PTR(e->ptr) || !kma_errors_may_judge())
		return;
	/* the event of kmem_cache_free() has no cache: source/late.h checks the free */
	if (e->kind == KMA_KIND_CACHE && !e->cache)
		return;
	if (e->kind == KMA_KIND_FREE) {
		kma_freed_forget(e->ptr);
		return;
	}
	found = kma_live_holds(e->ptr) && kma_live_look(e->ptr, &obj);
	made = found ? obj.made : KMA_MADE_UNWATCHED;
	if (kma_errors_is_unwatched(e, found, made))
		kma_cpu_add(kma_errors_unwatched, 1);
	error = kma_errors_judge(e, made);
	if (error != KMA_NR_ERRORS)
		kma_errors_book(error, found ? obj.site : KMA_SITE_NONE, e);
	if (error == KMA_ERROR_CACHE || error == KMA_ERROR_CACHE_FREE)
		return;
	before = kma_freed_remember(e->ptr, e->call_site);
	if (before && !e->quiet)
		kma_errors_twice(e, before);
}

void kma_errors_entered(const struct kma_event *e)
{
	unsigned long flags;

	if (unlikely(!kma_may_lock()))
		return;
	local_irq_save(flags);
	if (kma_errors_may_judge())
		kma_errors_free(e);
	local_irq_restore(flags);
}

__cold unsigned int kma_errors_rows(void)
{
	/* Pairs with the smp_store_release() in kma_errors_book(). */
	return smp_load_acquire(&kma_errors.nr);
}

__cold const struct kma_error_row *kma_errors_row(unsigned int nr)
{
	return &kma_errors.table->rows[nr];
}

__cold bool kma_errors_sums(struct kma_error_sums *sums)
{
	int cpu, i;

	*sums = (struct kma_error_sums){};
	if (!kma_errors.table)
		return false;
	for (i = 0; i < KMA_NR_ERRORS; i++)
		sums->totals[i] = kma_word_get(&kma_errors.totals[i]);
	sums->beyond = kma_word_get(&kma_errors.beyond);
	sums->uncertain = kma_word_get(&kma_errors.uncertain);
	for_each_possible_cpu(cpu)
		sums->unwatched += kma_word_get(&per_cpu(kma_errors_unwatched, cpu));
	return true;
}

__cold size_t kma_errors_memory(void)
{
	return kma_errors.table ?
	       sizeof(*kma_errors.table) + kma_freed_memory() : 0;
}
