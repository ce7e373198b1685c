// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency.c - how long tasks waited for memory, by call site.
 *
 * The design and the locking are in latency.h.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "account/budget.h"
#include "account/lock.h"
#include "account/site.h"
#include "caller/origin.h"
#include "compat/stub.h"
#include "guard/hide.h"
#include "watch/latency.h"

#define KMA_LATENCY_SLOTS	(2 * KMA_LATENCY_ROWS)

/* A wait in progress; the key is 0 in a free slot. */
struct kma_wait_open {
	unsigned long key;		/* the task and the kind */
	u64 began;
	int order;
};

struct kma_latency_table {
	struct kma_wait_open open[KMA_WAIT_OPEN];
	struct kma_wait_row below[KMA_NR_WAITS];	/* the threshold */
	struct kma_wait_row beyond[KMA_NR_WAITS];	/* the rows */
	struct kma_wait_row rows[KMA_LATENCY_ROWS];
	u16 slots[KMA_LATENCY_SLOTS];	/* hash of a row -> its number + 1 */
};

static struct {
	raw_spinlock_t lock;
	unsigned int kinds;
	unsigned int nr;		/* rows in use */
	struct kma_latency_table *table;
	struct kma_latency_lost lost;
} kma_latency = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(kma_latency.lock),
};

bool kma_latency_on __read_mostly;
unsigned int kma_latency_threshold_us = 1000;

int kma_latency_init(void)
{
	KMA_STUB(kma_latency_init);
	return kma_latency_on ? kma_latency_reserve() : 0;
}

int kma_latency_reserve(void)
{
	if (!kma_latency.table)
		kma_latency.table = kma_budget_zalloc(sizeof(*kma_latency.table), NUMA_NO_NODE);
	return kma_latency.table ? 0 : -ENOMEM;
}

/* Free the names of rows; no event writes to these names. */
static void kma_latency_drop_names(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		kfree(kma_latency.table->rows[i].name);
		kma_latency.table->rows[i].name = NULL;
	}
}

void kma_latency_deinit(void)
{
	kma_latency_drop_names(kma_latency.nr);
	kma_budget_free(kma_latency.table, sizeof(*kma_latency.table));
	kma_latency.table = NULL;
	kma_latency.nr = 0;
}

static void kma_wait_row_init(struct kma_wait_row *row, enum kma_wait kind,
			      unsigned long call_site, const char *name)
{
	memset(row, 0, sizeof(*row));
	row->call_site = call_site;
	row->name = name;
	row->kind = kind;
	row->order = KMA_WAIT_NO_ORDER;
}

void kma_latency_reset(void)
{
	struct kma_latency_table *t = kma_latency.table;
	unsigned long flags;
	unsigned int kind;

	if (!t)
		return;
	mutex_lock(&kma_sites.names);
	/* New names need this mutex, and a row that is added later has no name. */
	kma_latency_drop_names(READ_ONCE(kma_latency.nr));
	kma_lock_irqsave(&kma_latency.lock, flags);
	memset(t->slots, 0, sizeof(t->slots));
	WRITE_ONCE(kma_latency.nr, 0);
	memset(&kma_latency.lost, 0, sizeof(kma_latency.lost));
	for (kind = 0; kind < KMA_NR_WAITS; kind++) {
		kma_wait_row_init(&t->below[kind], kind, 0,
				  "[below the threshold]");
		kma_wait_row_init(&t->beyond[kind], kind, 0,
				  "[more call sites than rows]");
	}
	kma_unlock_irqrestore(&kma_latency.lock, flags);
	mutex_unlock(&kma_sites.names);
}

void kma_latency_start(unsigned int kinds)
{
	kma_latency.kinds = kinds;
	memset(kma_latency.table->open, 0, sizeof(kma_latency.table->open));
}

static unsigned long kma_wait_key(enum kma_wait kind, const void *task)
{
	return (unsigned long)task | kind;
}

/*
 * Find the slot of a wait, with the lock held. If the wait is not in the table, return NULL
 * and set the first free slot that it may use.
 */
static struct kma_wait_open *kma_wait_find(unsigned long key, struct kma_wait_open **room)
{
	unsigned int first = hash_long(key, KMA_WAIT_OPEN_BITS), i;

	*room = NULL;
	for (i = 0; i < KMA_WAIT_NEAR; i++) {
		struct kma_wait_open *w;

		w = &kma_latency.table->open[(first + i) % KMA_WAIT_OPEN];
		if (w->key == key)
			return w;
		if (!w->key && !*room)
			*room = w;
	}
	return NULL;
}

void kma_latency_begin(enum kma_wait kind, const void *task, int order, u64 now)
{
	unsigned long key = kma_wait_key(kind, task), flags;
	struct kma_wait_open *wait, *room;

	kma_lock_irqsave(&kma_latency.lock, flags);
	wait = kma_wait_find(key, &room);
	if (wait)
		kma_latency.lost.no_end++;
	else
		wait = room;
	if (wait)
		*wait = (struct kma_wait_open){ key, now, order };
	else
		kma_latency.lost.no_room++;
	kma_unlock_irqrestore(&kma_latency.lock, flags);
}

/* Remove a wait from the table; false if the table does not have it. */
static bool kma_wait_take(unsigned long key, struct kma_wait_open *taken)
{
	struct kma_wait_open *wait, *room;

	kma_lock(&kma_latency.lock);
	wait = kma_wait_find(key, &room);
	if (wait) {
		*taken = *wait;
		wait->key = 0;
	} else {
		kma_latency.lost.no_begin++;
	}
	kma_unlock(&kma_latency.lock);
	return wait;
}

/* Slot of the row of a call site, or the free slot that ends the search. */
static u16 *kma_latency_slot(enum kma_wait kind, unsigned long call_site)
{
	struct kma_latency_table *t = kma_latency.table;
	u32 i;

	for (i = hash_long(call_site + kind, 32);; i++) {
		u16 *slot = &t->slots[i % KMA_LATENCY_SLOTS];
		const struct kma_wait_row *row;

		if (!*slot)
			return slot;
		row = &t->rows[*slot - 1];
		if (row->call_site == call_site && row->kind == kind && !READ_ONCE(row->retired))
			return slot;
	}
}

/* Get the row for the waits of a call site, with the lock held. */
static struct kma_wait_row *kma_latency_row(enum kma_wait kind, unsigned long call_site)
{
	struct kma_latency_table *t = kma_latency.table;
	u16 *slot = kma_latency_slot(kind, call_site);

	if (*slot)
		return &t->rows[*slot - 1];
	if (kma_latency.nr == KMA_LATENCY_ROWS)
		return &t->beyond[kind];
	kma_wait_row_init(&t->rows[kma_latency.nr], kind, call_site, NULL);
	*slot = kma_latency.nr + 1;
	/* Pairs with the smp_load_acquire() in kma_latency_retire(). */
	smp_store_release(&kma_latency.nr, *slot);
	return &t->rows[*slot - 1];
}

static void kma_wait_book(struct kma_wait_row *row, u64 ns, int order)
{
	row->calls++;
	row->total += ns;
	row->hist[min_t(unsigned int, ilog2(ns | 1), KMA_LATENCY_CLASSES - 1)]++;
	if (ns < row->max)
		return;
	row->max = ns;
	row->order = order;
}

void kma_latency_end(enum kma_wait kind, const void *task, u64 now)
{
	u64 threshold = READ_ONCE(kma_latency_threshold_us) * 1000ull, ns;
	unsigned long call_site = 0, flags;
	struct kma_wait_open wait;

	local_irq_save(flags);
	if (!kma_wait_take(kma_wait_key(kind, task), &wait))
		goto out;
	ns = now > wait.began ? now - wait.began : 0;
	/* before the lock is taken: this may look up names of functions */
	if (ns >= threshold)
		call_site = kma_origin_wait();
	kma_lock(&kma_latency.lock);
	kma_wait_book(ns < threshold ? &kma_latency.table->below[kind] :
		      kma_latency_row(kind, call_site), ns, wait.order);
	kma_unlock(&kma_latency.lock);
out:
	local_irq_restore(flags);
}

/* If there is no memory for the name, the row later prints an address. */
static const char *kma_latency_symbol(unsigned long call_site, gfp_t gfp)
{
	char *buf = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	const char *name;

	if (!buf)
		return NULL;
	if (call_site)
		sprint_symbol(buf, call_site);
	else
		strscpy(buf, "[nobody on the stack]", KSYM_SYMBOL_LEN);
	kma_hide_addresses(buf, false);
	name = kstrdup(buf, gfp);
	kfree(buf);
	return name;
}

unsigned int kma_latency_retire(bool (*inside)(unsigned long addr, void *arg), void *arg)
{
	unsigned int i, nr, retired = 0;

	mutex_lock(&kma_sites.names);
	/* Pairs with the smp_store_release() in kma_latency_row(). */
	nr = smp_load_acquire(&kma_latency.nr);
	for (i = 0; i < nr; i++) {
		struct kma_wait_row *row = &kma_latency.table->rows[i];

		if (row->retired || !inside(row->call_site, arg))
			continue;
		row->name = kma_latency_symbol(row->call_site, GFP_KERNEL);
		WRITE_ONCE(row->retired, true);
		retired++;
	}
	mutex_unlock(&kma_sites.names);
	return retired;
}

unsigned int kma_latency_kinds(void)
{
	return kma_latency.kinds;
}

unsigned int kma_latency_nr(void)
{
	if (!kma_latency.table)
		return 0;
	return 2 * KMA_NR_WAITS + READ_ONCE(kma_latency.nr);
}

/* Rows without a call site come first. */
static const struct kma_wait_row *kma_latency_at(unsigned int nr)
{
	const struct kma_latency_table *t = kma_latency.table;

	if (nr < KMA_NR_WAITS)
		return &t->below[nr];
	if (nr < 2 * KMA_NR_WAITS)
		return &t->beyond[nr - KMA_NR_WAITS];
	return &t->rows[nr - 2 * KMA_NR_WAITS];
}

bool kma_latency_copy(unsigned int nr, struct kma_wait_row *copy)
{
	unsigned long flags;

	mutex_lock(&kma_sites.names);
	kma_lock_irqsave(&kma_latency.lock, flags);
	*copy = *kma_latency_at(nr);
	kma_unlock_irqrestore(&kma_latency.lock, flags);
	if (copy->calls)
		copy->name = copy->name ?
			     kstrdup(copy->name, GFP_KERNEL_ACCOUNT) :
			     kma_latency_symbol(copy->call_site, GFP_KERNEL_ACCOUNT);
	mutex_unlock(&kma_sites.names);
	return copy->calls;
}

unsigned int kma_latency_copy_lost(struct kma_latency_lost *lost)
{
	unsigned int i, open = 0;
	unsigned long flags;

	kma_lock_irqsave(&kma_latency.lock, flags);
	*lost = kma_latency.lost;
	for (i = 0; i < KMA_WAIT_OPEN; i++)
		open += !!kma_latency.table->open[i].key;
	kma_unlock_irqrestore(&kma_latency.lock, flags);
	return open;
}

size_t kma_latency_memory(void)
{
	return kma_latency.table ? sizeof(*kma_latency.table) : 0;
}
