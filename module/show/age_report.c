// SPDX-License-Identifier: GPL-2.0-only
/*
 * age_report.c - the debugfs file ages: lifetimes of each site, its oldest live object, and its
 * live objects by age.
 *
 * The file is made by a walk over the live objects, so no event pays for their ages. The ages are
 * in classes whose bounds are powers of two of seconds. A program that has two files, and knows
 * when each was made, can compute how many objects born before a given time are left. Sites without
 * an object print nothing.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include "account/live.h"
#include "account/site.h"
#include "guard/serial.h"
#include "show/debugfs.h"
#include "show/report_text.h"
#include "show/rows.h"
#include "show/survey.h"
#include "watch/lifetime.h"

#define KMA_AGES_BATCH		64	/* pages that are read without releasing the locks */
#define KMA_AGES_EPOCHS		18	/* ages below 1 s, 2 s, 4 s, ... */

struct kma_age_report_row {
	unsigned long call_site;
	u64 live;
	u64 live_unknown;		/* live objects that are older than the switch */
	u64 oldest;			/* age of the oldest of the other objects, in ns */
	u64 epochs[KMA_AGES_EPOCHS];	/* number of the other objects, by age */
	struct kma_age_count count;
};

struct kma_age_report {
	unsigned int nr;
	struct kma_age_report_row *rows;	/* by id */
	/* for the walk */
	u32 max;
	struct kma_live_object *objects;
};

/* Sum @n objects by site. Sites that were added since the walk began have no row. */
static void kma_age_report_book(struct kma_age_report *a, u32 n)
{
	u64 now = local_clock();
	u32 i;

	for (i = 0; i < n; i++) {
		const struct kma_live_object *o = &a->objects[i];
		struct kma_age_report_row *row = &a->rows[o->site];

		if (o->site >= a->nr)
			continue;
		row->live++;
		if (kma_birth_known(&o->birth)) {
			u64 age = kma_birth_age(&o->birth, now);

			row->oldest = max(row->oldest, age);
			row->epochs[min(fls64(div_u64(age, NSEC_PER_SEC)), KMA_AGES_EPOCHS - 1)]++;
		} else {
			row->live_unknown++;
		}
	}
}

/* Walk over the map. The account is frozen, except for a moment after each batch of pages. */
static int kma_age_report_walk(struct kma_age_report *a, unsigned int generation)
{
	unsigned int pages = 0;
	u64 at;
	int n;

	for (at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1)) {
		n = kma_survey_copy(at, &a->objects, &a->max);
		if (n < 0)
			return n;
		kma_age_report_book(a, n);
		if (++pages % KMA_AGES_BATCH)
			continue;
		kma_serial_unlock();
		cond_resched();
		if (kma_serial_lock() != generation)
			return -ESTALE;
	}
	return 0;
}

static void kma_age_report_destroy(void *ages)
{
	struct kma_age_report *a = ages;

	if (a)
		kvfree(a->rows);
	kfree(a);
}

static void *kma_age_report_create(void)
{
	struct kma_age_report *a = kzalloc(sizeof(*a), GFP_KERNEL_ACCOUNT);
	unsigned int generation, id;
	int err = -ENOMEM;

	if (!a)
		return ERR_PTR(err);
	generation = kma_serial_lock();
	a->nr = kma_site_nr();
	a->rows = kvcalloc(a->nr, sizeof(*a->rows), GFP_KERNEL_ACCOUNT);
	if (a->rows)
		err = kma_age_report_walk(a, generation);
	for (id = 0; !err && id < a->nr; id++) {
		a->rows[id].call_site = kma_sites.sites[id].call_site;
		a->rows[id].count = kma_age_sum(id);
	}
	kma_serial_unlock();
	kma_survey_drop(a->objects, a->max);
	if (!err)
		return a;
	kma_age_report_destroy(a);
	return ERR_PTR(err);
}

static size_t kma_age_report_rows(const void *ages)
{
	const struct kma_age_report *a = ages;

	return a->nr;
}

static void kma_age_report_show_header(struct seq_file *m, const void *ages)
{
	int i;

	seq_puts(m, "kmem_account ages 1\n"
		 "# id\tlive\toldest_ns\tremote_cpu\tremote_node");
	for (i = 0; i < KMA_AGE_CLASSES; i++)
		seq_printf(m, "\t%s", kma_age_class_name(i));
	seq_puts(m, "\tunknown\tlive_unknown\tcaller");
	for (i = 0; i < KMA_AGES_EPOCHS - 1; i++)
		seq_printf(m, "\tlive_lt_%us", 1u << i);
	seq_printf(m, "\tlive_ge_%us\n", 1u << (KMA_AGES_EPOCHS - 2));
}

static void kma_age_report_show_numbers(struct seq_file *m, const u64 *numbers, unsigned int nr)
{
	while (nr--)
		seq_printf(m, "\t%llu", *numbers++);
}

static void kma_age_report_show_row(struct seq_file *m, const void *ages, size_t id)
{
	const struct kma_age_report *a = ages;
	const struct kma_age_report_row *row = &a->rows[id];
	u64 freed = row->count.unknown;
	int i;

	for (i = 0; i < KMA_AGE_CLASSES; i++)
		freed += row->count.lives[i];
	if (!freed && !row->live)
		return;
	seq_printf(m, "%zu\t%llu\t", id, row->live);
	if (row->live > row->live_unknown)
		seq_printf(m, "%llu", row->oldest);
	else
		seq_puts(m, "-");
	seq_printf(m, "\t%llu\t%llu", row->count.remote_cpu, row->count.remote_node);
	kma_age_report_show_numbers(m, row->count.lives, KMA_AGE_CLASSES);
	seq_printf(m, "\t%llu\t%llu\t", row->count.unknown, row->live_unknown);
	kma_show_name(m, id, row->call_site, false);
	kma_age_report_show_numbers(m, row->epochs, KMA_AGES_EPOCHS);
	seq_putc(m, '\n');
}

const struct kma_rows kma_age_rows = {
	kma_age_report_create, false, kma_age_report_destroy, kma_age_report_rows,
	kma_age_report_show_header, kma_age_report_show_row
};
