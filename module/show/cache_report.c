// SPDX-License-Identifier: GPL-2.0-only
/*
 * cache_report.c - the debugfs file caches: the live objects by the cache that they come from.
 *
 * Events do not record the cache: survey.h finds the slab of each live object. A cache is
 * used only if its objects have the size that the map has for the object. Objects without a
 * known cache have a row of their own, so that the rows always add up to the map.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "account/key.h"
#include "account/kmem_cache.h"
#include "account/live.h"
#include "guard/serial.h"
#include "show/debugfs.h"
#include "show/rows.h"
#include "show/survey.h"
#include "source/pages.h"

#define KMA_CACHES_BITS		10	/* a kernel has a few hundred caches */
#define KMA_CACHES_MAX		((u32)BIT(KMA_CACHES_BITS))

/* The rows after the hash table are for objects without a cache. */
enum {
	KMA_ROW_LARGE = KMA_CACHES_MAX,
	KMA_ROW_GONE,
	KMA_ROW_PAGES,
	KMA_ROW_PERCPU,
	KMA_NR_CACHE_ROWS
};

struct kma_cache_row {
	const struct kmem_cache *cache;
	u64 objects;
	u64 total;
	u64 req;
	struct kma_cache_info info;
};

struct kma_cache_report {
	struct kma_cache_row rows[KMA_NR_CACHE_ROWS];
};

/* Return the row of a cache; KMA_ROW_GONE if @s is not a cache, or if no row is free. */
static u32 kma_cache_report_row(struct kma_cache_report *c, const struct kmem_cache *s, u32 size)
{
	u32 i = hash_ptr(s, KMA_CACHES_BITS), n;

	for (n = 0; n < KMA_CACHES_MAX; n++, i = (i + 1) % KMA_CACHES_MAX) {
		struct kma_cache_row *row = &c->rows[i];

		if (!row->cache) {
			if (!kma_cache_read(s, &row->info) || row->info.size != size)
				return KMA_ROW_GONE;
			row->cache = s;
		}
		if (row->cache == s)
			return row->info.size == size ? i : KMA_ROW_GONE;
	}
	return KMA_ROW_GONE;
}

/* Return the row of an object; objects without a cache belong to one of the last rows. */
static u32 kma_cache_report_row_of(struct kma_cache_report *c, const struct kma_live_object *o,
				   const struct kma_slab *slab)
{
	size_t total = kma_size_bytes(o->size);

	switch (kma_key_thing(o->ptr)) {
	case KMA_THING_PAGE:
		return KMA_ROW_PAGES;
	case KMA_THING_PERCPU:
		return KMA_ROW_PERCPU;
	default:
		if (slab)
			return kma_cache_report_row(c, slab->cache, total);
		return total > PAGE_SIZE ? KMA_ROW_LARGE : KMA_ROW_GONE;
	}
}

static int kma_cache_report_book(void *arg, const struct kma_live_object *o,
				 const struct kma_slab *slab)
{
	struct kma_cache_report *c = arg;
	struct kma_cache_row *row;
	size_t copies;

	/* pages of another allocator, whose objects are counted instead */
	if (!kma_pages_is_site(o->site))
		return 0;
	row = &c->rows[kma_cache_report_row_of(c, o, slab)];
	copies = row == &c->rows[KMA_ROW_PERCPU] ? num_possible_cpus() : 1;
	row->objects++;
	row->total += copies * kma_size_bytes(o->size);
	row->req += copies * kma_size_req(o->size);
	return 0;
}

static int kma_cache_row_cmp(const void *va, const void *vb)
{
	const struct kma_cache_row *a = va, *b = vb;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return strcmp(a->info.name, b->info.name);
}

static void kma_cache_report_destroy(void *caches)
{
	kvfree(caches);
}

static void *kma_cache_report_create(void)
{
	unsigned int generation;
	struct kma_cache_report *c;
	int err;

	if (!kma_cache_findable())
		return ERR_PTR(-EOPNOTSUPP);
	c = kvcalloc(1, sizeof(*c), GFP_KERNEL_ACCOUNT);
	generation = kma_serial_lock();
	kma_serial_unlock();
	if (!c)
		return ERR_PTR(-ENOMEM);
	strscpy(c->rows[KMA_ROW_LARGE].info.name, KMA_CACHE_LARGE, KMA_CACHE_NAME_LEN);
	strscpy(c->rows[KMA_ROW_GONE].info.name, "[unknown]",
		KMA_CACHE_NAME_LEN);
	strscpy(c->rows[KMA_ROW_PAGES].info.name, "[pages]",
		KMA_CACHE_NAME_LEN);
	strscpy(c->rows[KMA_ROW_PERCPU].info.name, "[percpu]",
		KMA_CACHE_NAME_LEN);
	err = kma_survey(generation, kma_cache_report_book, c);
	if (err) {
		kma_cache_report_destroy(c);
		return ERR_PTR(err);
	}
	sort(c->rows, KMA_NR_CACHE_ROWS, sizeof(*c->rows), kma_cache_row_cmp, NULL);
	return c;
}

static void kma_cache_report_show(struct seq_file *m, const void *data)
{
	const struct kma_cache_report *caches = data;
	const struct kma_cache_row *row = caches->rows;

	seq_puts(m, "kmem_account caches 1\n"
		 "# objects\ttotal\tslack\treq\tsize\tobject_size\tcache\n");
	for (; row < caches->rows + KMA_NR_CACHE_ROWS && row->objects; row++)
		seq_printf(m, "%llu\t%llu\t%llu\t%llu\t%u\t%u\t%s\n",
			   row->objects, row->total, row->total - row->req,
			   row->req, row->info.size, row->info.object_size,
			   row->info.name);
}

const struct kma_rows kma_cache_rows = {
	kma_cache_report_create, false, kma_cache_report_destroy, NULL, kma_cache_report_show, NULL
};
