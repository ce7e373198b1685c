// SPDX-License-Identifier: GPL-2.0
/*
 * caches.c - the live objects by the cache that they come from.
 *
 * The why is told in caches.h.
 */
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "cache.h"
#include "caches.h"
#include "control.h"
#include "live.h"

#define KMA_CACHES_BITS		10	/* a kernel has some hundred caches */
#define KMA_CACHES_MAX		((u32)BIT(KMA_CACHES_BITS))
#define KMA_CACHES_TRIES	8	/* reads of a bucket that changes */
#define KMA_CACHES_BATCH	256	/* buckets between two looks around */

/* The rows behind the hash table are for objects of no cache. */
enum { KMA_ROW_LARGE = KMA_CACHES_MAX, KMA_ROW_GONE, KMA_NR_CACHE_ROWS };

struct kma_cache_row {
	const struct kmem_cache *cache;
	u64 objects;
	u64 total;
	u64 req;
	struct kma_cache_info info;
};

struct kma_caches {
	struct kma_cache_row rows[KMA_NR_CACHE_ROWS];
	/* the walk: a bucket, the caches of its objects, the bucket again */
	u32 max;
	struct kma_live_object *objects;
	struct kma_live_object *again;
	const struct kmem_cache **of;
};

/* The row of a cache; KMA_ROW_GONE if it is none, or one too many. */
static u32 kma_caches_row(struct kma_caches *c, const struct kmem_cache *s,
			  u32 size)
{
	u32 i = hash_ptr(s, KMA_CACHES_BITS), n;

	for (n = 0; n < KMA_CACHES_MAX; n++, i = (i + 1) % KMA_CACHES_MAX) {
		struct kma_cache_row *row = &c->rows[i];

		if (!row->cache) {
			if (!kma_cache_read(s, &row->info) ||
			    row->info.size != size)
				return KMA_ROW_GONE;
			row->cache = s;
		}
		if (row->cache == s)
			return row->info.size == size ? i : KMA_ROW_GONE;
	}
	return KMA_ROW_GONE;
}

static void kma_caches_book(struct kma_caches *c, u32 n)
{
	u32 i, at;

	for (i = 0; i < n; i++) {
		const struct kma_live_object *o = &c->objects[i];
		size_t total = kma_size_bytes(o->size);
		struct kma_cache_row *row;

		if (c->of[i])
			at = kma_caches_row(c, c->of[i], total);
		else
			at = total > PAGE_SIZE ? KMA_ROW_LARGE : KMA_ROW_GONE;
		row = &c->rows[at];
		row->objects++;
		row->total += total;
		row->req += kma_size_req(o->size);
	}
}

static void kma_caches_free_room(struct kma_caches *c)
{
	kvfree(c->objects);
	kvfree(c->again);
	kvfree(c->of);
	c->objects = NULL;
	c->again = NULL;
	c->of = NULL;
	c->max = 0;
}

static int kma_caches_room(struct kma_caches *c, u32 max)
{
	kma_caches_free_room(c);
	c->objects = kvcalloc(max, sizeof(*c->objects), GFP_KERNEL);
	c->again = kvcalloc(max, sizeof(*c->again), GFP_KERNEL);
	c->of = kvcalloc(max, sizeof(*c->of), GFP_KERNEL);
	if (!c->objects || !c->again || !c->of)
		return -ENOMEM;
	c->max = max;
	return 0;
}

static bool kma_caches_same(const struct kma_caches *c, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (c->objects[i].ptr != c->again[i].ptr ||
		    c->objects[i].site != c->again[i].site)
			return false;
	return true;
}

/* Read the objects of a bucket and their caches; number of them or error. */
static int kma_caches_read(struct kma_caches *c, u32 home, u32 homes)
{
	u32 n = kma_live_read(home, homes, c->objects, c->max), i, m, tries;

	for (tries = 0; tries < KMA_CACHES_TRIES; tries++) {
		if (n > c->max) {
			int err = kma_caches_room(c, 2 * n);

			if (err)
				return err;
			n = kma_live_read(home, homes, c->objects, c->max);
			continue;
		}
		for (i = 0; i < n; i++)
			c->of[i] = kma_cache_of(c->objects[i].ptr);
		m = kma_live_read(home, homes, c->again, c->max);
		if (m == n && kma_caches_same(c, n))
			break;
		swap(c->objects, c->again);
		n = m;
	}
	/* it does not come to rest: book the last reading as far as it goes */
	if (tries == KMA_CACHES_TRIES) {
		n = min(n, c->max);
		memset(c->of, 0, n * sizeof(*c->of));
	}
	return n;
}

static int kma_caches_walk(struct kma_caches *c)
{
	unsigned int generation = kma_control_freeze();
	u32 homes = kma_live_homes(), home;
	int err = 0, n;

	for (home = 0; home < homes && !err; home++) {
		n = kma_caches_read(c, home, homes);
		if (n < 0)
			err = n;
		else
			kma_caches_book(c, n);
		if (home % KMA_CACHES_BATCH)
			continue;
		kma_control_thaw();
		cond_resched();
		if (kma_control_freeze() != generation)
			err = -ESTALE;
	}
	kma_control_thaw();
	return err;
}

static int kma_cache_row_cmp(const void *va, const void *vb)
{
	const struct kma_cache_row *a = va, *b = vb;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return strcmp(a->info.name, b->info.name);
}

struct kma_caches *kma_caches_create(void)
{
	struct kma_caches *c = kvcalloc(1, sizeof(*c), GFP_KERNEL);
	int err;

	if (!c)
		return ERR_PTR(-ENOMEM);
	strscpy(c->rows[KMA_ROW_LARGE].info.name, "[large kmalloc]",
		KMA_CACHE_NAME_LEN);
	strscpy(c->rows[KMA_ROW_GONE].info.name, "[unknown]",
		KMA_CACHE_NAME_LEN);
	err = kma_caches_walk(c);
	kma_caches_free_room(c);
	if (err) {
		kma_caches_destroy(c);
		return ERR_PTR(err);
	}
	sort(c->rows, KMA_NR_CACHE_ROWS, sizeof(*c->rows), kma_cache_row_cmp,
	     NULL);
	return c;
}

void kma_caches_destroy(struct kma_caches *caches)
{
	kvfree(caches);
}

void kma_caches_show(struct seq_file *m, const struct kma_caches *caches)
{
	const struct kma_cache_row *row = caches->rows;

	seq_puts(m, "kmem_account caches 1\n");
	seq_puts(m, "# objects\ttotal\tslack\treq\tsize\tobject_size\tcache\n");
	for (; row < caches->rows + KMA_NR_CACHE_ROWS && row->objects; row++)
		seq_printf(m, "%llu\t%llu\t%llu\t%llu\t%u\t%u\t%s\n",
			   row->objects, row->total, row->total - row->req,
			   row->req, row->info.size, row->info.object_size,
			   row->info.name);
}
