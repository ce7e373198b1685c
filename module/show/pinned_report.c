// SPDX-License-Identifier: GPL-2.0-only
/*
 * pinned_report.c - the debugfs file pinned: for each site, the slabs that its live objects keep.
 *
 * A slab is some pages that hold objects of one cache. It is released when its last object is
 * freed. A site with few objects in many nearly empty slabs therefore holds more memory than its
 * own bytes. The report shows for each site how many such slabs there are, how full they are, and
 * how many are kept by this site alone.
 *
 * The survey (survey.h) shows each object and its slab. Two hash tables, of slabs and of pairs of a
 * slab and a site, sum them; then each pair adds its slab to the row of its site. The tables have a
 * fixed size, 3.5 MiB. If one gets full, the survey starts again in two passes, each of which takes
 * half of the slabs, by a bit of their hash; then in four, and so on. All objects of a slab are in
 * the same pass. The report is complete when each pass fits.
 *
 * The account does not know objects from before it began, but the slab's own count includes them.
 * The fill of a slab is therefore shown by two numbers: the bytes of the objects that the account
 * knows, and the bytes that the slab counts as in use. The latter include objects that a CPU keeps
 * for its next allocations.
 *
 * Objects of whole pages are not in a slab and keep no other memory, so they are not in the report.
 */
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "account/kmem_cache.h"
#include "account/site.h"
#include "account/size.h"
#include "guard/serial.h"
#include "show/debugfs.h"
#include "show/report_text.h"
#include "show/rows.h"
#include "show/survey.h"

#define KMA_PIN_SLAB_BITS	16
#define KMA_PIN_SLABS		((u32)BIT(KMA_PIN_SLAB_BITS))
#define KMA_PIN_PAIRS		((u32)BIT(17))

/* A table counts as full when three quarters of it are used. */
#define KMA_PIN_FULL(n)		((n) / 4 * 3)

/* The id in the row of all sites together; no site has it. */
#define KMA_PIN_ALL		KMA_SITE_MAX

struct kma_pin_slab {
	unsigned long head;	/* kma_slab.head; 0 if the slot is free */
	u64 bytes;
	u32 live;		/* bytes of objects that the account knows */
	u32 used;		/* objects in use, as the slab counts them */
	u32 size;		/* bytes of an object */
	u32 sites;
};

struct kma_pin_pair {
	u32 slab;		/* index of the slab + 1; 0 if the slot is free */
	u32 site;
	u32 live;		/* bytes of the site's objects in the slab */
};

struct kma_pin_row {
	unsigned long call_site;
	u32 id;
	u64 slabs;
	u64 total;		/* bytes of the slabs */
	u64 own;		/* bytes of live objects of this site */
	u64 live;		/* bytes of live objects of all sites */
	u64 used;		/* bytes of objects in use, as the slabs count them */
	u64 sole;		/* slabs with objects of this site only */
	u64 sole_total;		/* bytes of these slabs */
};

struct kma_pinned {
	struct kma_pin_slab *slabs;
	struct kma_pin_pair *pairs;
	u32 nr_slabs;
	u32 nr_pairs;
	u32 pass;
	u32 passes;		/* a power of two */
	struct kma_pin_row all;
	size_t nr;
	struct kma_pin_row rows[];	/* by id, until they are sorted */
};

/* Return the slot of a slab, or the free slot where the search ends. */
static struct kma_pin_slab *kma_pin_slab(struct kma_pinned *p, unsigned long head)
{
	u32 i = hash_long(head, 32);

	for (;; i++) {
		struct kma_pin_slab *s = &p->slabs[i % KMA_PIN_SLABS];

		if (!s->head || s->head == head)
			return s;
	}
}

static struct kma_pin_pair *kma_pin_pair(struct kma_pinned *p, u32 slab, u32 site)
{
	u32 i = hash_64((u64)slab << 16 | site, 32);

	for (;; i++) {
		struct kma_pin_pair *pair = &p->pairs[i % KMA_PIN_PAIRS];

		if (!pair->slab || (pair->slab == slab && pair->site == site))
			return pair;
	}
}

static int kma_pin_see(void *arg, const struct kma_live_object *o, const struct kma_slab *slab)
{
	u32 bytes = kma_size_bytes(o->size);
	struct kma_pinned *p = arg;
	struct kma_pin_pair *pair;
	struct kma_pin_slab *s;

	/* the upper bits of the hash choose the pass, the lower ones the slot */
	if (!slab || (hash_long(slab->head, 32) >> KMA_PIN_SLAB_BITS & (p->passes - 1)) != p->pass)
		return 0;
	s = kma_pin_slab(p, slab->head);
	if (!s->head) {
		if (p->nr_slabs++ == KMA_PIN_FULL(KMA_PIN_SLABS))
			return -ENOSPC;
		s->head = slab->head;
		s->bytes = slab->bytes;
		s->size = bytes;
	}
	s->live += bytes;
	s->used = slab->used;
	pair = kma_pin_pair(p, s - p->slabs + 1, o->site);
	if (!pair->slab) {
		if (p->nr_pairs++ == KMA_PIN_FULL(KMA_PIN_PAIRS))
			return -ENOSPC;
		pair->slab = s - p->slabs + 1;
		pair->site = o->site;
		p->rows[o->site].call_site =
			kma_sites.sites[o->site].call_site;
		s->sites++;
	}
	pair->live += bytes;
	return 0;
}

static void kma_pin_add(struct kma_pin_row *row, const struct kma_pin_slab *s, u32 own)
{
	row->slabs++;
	row->total += s->bytes;
	row->own += own;
	row->live += s->live;
	/* objects may have been allocated after the slab's count was read */
	row->used += max((u64)s->used * s->size, (u64)s->live);
	if (s->sites == 1) {
		row->sole++;
		row->sole_total += s->bytes;
	}
}

/* Add the results of a pass to the rows. */
static void kma_pin_sum(struct kma_pinned *p)
{
	u32 i;

	for (i = 0; i < KMA_PIN_PAIRS; i++) {
		const struct kma_pin_pair *pair = &p->pairs[i];

		if (pair->slab)
			kma_pin_add(&p->rows[pair->site], &p->slabs[pair->slab - 1], pair->live);
	}
	for (i = 0; i < KMA_PIN_SLABS; i++) {
		const struct kma_pin_slab *s = &p->slabs[i];

		if (s->head)
			kma_pin_add(&p->all, s, s->live);
	}
}

static int kma_pin_pass(struct kma_pinned *p, unsigned int generation)
{
	int err;

	memset(p->slabs, 0, array_size(KMA_PIN_SLABS, sizeof(*p->slabs)));
	memset(p->pairs, 0, array_size(KMA_PIN_PAIRS, sizeof(*p->pairs)));
	p->nr_slabs = 0;
	p->nr_pairs = 0;
	err = kma_survey(generation, kma_pin_see, p);
	if (!err)
		kma_pin_sum(p);
	return err;
}

static int kma_pin_all(struct kma_pinned *p, unsigned int generation)
{
	int err;

	for (p->passes = 1;; p->passes *= 2) {
		memset(p->rows, 0, array_size(p->nr, sizeof(*p->rows)));
		memset(&p->all, 0, sizeof(p->all));
		err = 0;
		for (p->pass = 0; p->pass < p->passes && !err; p->pass++)
			err = kma_pin_pass(p, generation);
		if (err != -ENOSPC)
			return err;
	}
}

/* Sort by memory that is not in use, largest first; sites without slabs last. */
static int kma_pin_cmp(const void *va, const void *vb)
{
	const struct kma_pin_row *a = va, *b = vb;
	u64 ua = a->total - min(a->used, a->total);
	u64 ub = b->total - min(b->used, b->total);

	if (ua != ub)
		return ua < ub ? 1 : -1;
	if (a->slabs != b->slabs)
		return a->slabs < b->slabs ? 1 : -1;
	return a->id > b->id ? 1 : -1;
}

static void kma_pin_sort(struct kma_pinned *p)
{
	u32 id;

	for (id = 0; id < p->nr; id++)
		p->rows[id].id = id;
	p->all.id = KMA_PIN_ALL;
	sort(p->rows, p->nr, sizeof(*p->rows), kma_pin_cmp, NULL);
	while (p->nr && !p->rows[p->nr - 1].slabs)
		p->nr--;
}

static void kma_pinned_destroy(void *pinned)
{
	kvfree(pinned);
}

static void *kma_pinned_create(void)
{
	unsigned int generation, nr = kma_sites.max;
	struct kma_pinned *p;
	int err = -ENOMEM;

	if (!kma_cache_findable())
		return ERR_PTR(-EOPNOTSUPP);
	generation = kma_serial_lock();
	kma_serial_unlock();
	p = kvzalloc(struct_size(p, rows, nr), GFP_KERNEL_ACCOUNT);
	if (!p)
		return ERR_PTR(-ENOMEM);
	p->nr = nr;
	p->slabs = kvcalloc(KMA_PIN_SLABS, sizeof(*p->slabs), GFP_KERNEL_ACCOUNT);
	p->pairs = kvcalloc(KMA_PIN_PAIRS, sizeof(*p->pairs), GFP_KERNEL_ACCOUNT);
	if (p->slabs && p->pairs)
		err = kma_pin_all(p, generation);
	kvfree(p->slabs);
	kvfree(p->pairs);
	if (err) {
		kma_pinned_destroy(p);
		return ERR_PTR(err);
	}
	kma_pin_sort(p);
	return p;
}

static size_t kma_pinned_nr(const void *data)
{
	const struct kma_pinned *pinned = data;

	return pinned->nr + 1;
}

static void kma_pinned_show_header(struct seq_file *m, const void *pinned)
{
	seq_puts(m, "kmem_account pinned 1\n"
		 "# id\tslabs\ttotal\town\tlive\tused\tsole\tsole_total\t"
		 "fill\tcaller\n");
}

/* Row 0 has the sums of all slabs. */
static void kma_pinned_show_row(struct seq_file *m, const void *data, size_t row)
{
	const struct kma_pinned *pinned = data;
	const struct kma_pin_row *r = row ? &pinned->rows[row - 1] :
					    &pinned->all;

	seq_printf(m, "%u\t%llu\t%llu\t%llu\t%llu\t", r->id, r->slabs, r->total,
		   r->own, r->live);
	if (kma_slab_counted())
		seq_printf(m, "%llu\t", r->used);
	else
		seq_puts(m, "-\t");
	seq_printf(m, "%llu\t%llu\t%llu\t", r->sole, r->sole_total,
		   r->total ? div64_u64(r->used * 100, r->total) : 0);
	if (row)
		kma_show_name(m, r->id, r->call_site, false);
	else
		seq_puts(m, "[all slabs]");
	seq_puts(m, "\n");
}

const struct kma_rows kma_pinned_rows = {
	kma_pinned_create, false, kma_pinned_destroy, kma_pinned_nr,
	kma_pinned_show_header, kma_pinned_show_row
};
