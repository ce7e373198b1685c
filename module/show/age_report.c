// SPDX-License-Identifier: GPL-2.0-only
/*
 * age_report.c - debugfs' ages: lifetimes of each site, and its oldest live object.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "account/live.h"
#include "account/site.h"
#include "account/sized.h"
#include "caller/site_name.h"
#include "guard/hide.h"
#include "guard/serial.h"
#include "show/age_report.h"
#include "watch/lifetime.h"

#define KMA_AGES_ROOM		64	/* objects of a home; more if need be */
#define KMA_AGES_BATCH		256	/* buckets between two looks around */

struct kma_age_report_row {
	unsigned long call_site;
	u64 live;
	u64 live_unknown;		/* of these, older than the switch */
	u64 oldest;			/* ns, of the others */
	struct kma_age_count count;
};

struct kma_age_report {
	unsigned int nr;
	struct kma_age_report_row *rows;	/* by id */
	/* the walk */
	u32 max;
	struct kma_live_object *objects;
};

/* Read the objects of a bucket, with more room if they need it. */
static int kma_age_report_read(struct kma_age_report *a, u32 home, u32 homes)
{
	u32 n = kma_object_read(home, homes, a->objects, a->max);

	while (n > a->max) {
		kvfree(a->objects);
		a->max = 0;
		n += KMA_AGES_ROOM;
		a->objects = kvmalloc_array(n, sizeof(*a->objects), GFP_KERNEL_ACCOUNT);
		if (!a->objects)
			return -ENOMEM;
		a->max = n;
		n = kma_object_read(home, homes, a->objects, a->max);
	}
	return n;
}

/* Sites that came since the walk began have no row. */
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
		if (kma_birth_known(&o->birth))
			row->oldest = max(row->oldest, kma_birth_age(&o->birth, now));
		else
			row->live_unknown++;
	}
}

/* The account is frozen now and then thawed for a moment. */
static int kma_age_report_walk(struct kma_age_report *a, unsigned int generation)
{
	u32 homes = kma_live_homes(), home;
	int n;

	for (home = 0; home < homes; home++) {
		n = kma_age_report_read(a, home, homes);
		if (n < 0)
			return n;
		kma_age_report_book(a, n);
		if (home % KMA_AGES_BATCH)
			continue;
		kma_serial_unlock();
		cond_resched();
		if (kma_serial_lock() != generation)
			return -ESTALE;
	}
	return 0;
}

static int kma_age_report_fill(struct kma_age_report *a)
{
	unsigned int generation = kma_serial_lock(), id;
	int err = -ENOMEM;

	a->nr = kma_site_nr();
	a->rows = kvcalloc(a->nr, sizeof(*a->rows), GFP_KERNEL_ACCOUNT);
	if (!a->rows)
		goto thaw;
	err = kma_age_report_walk(a, generation);
	for (id = 0; !err && id < a->nr; id++) {
		a->rows[id].call_site = kma_sites.sites[id].call_site;
		a->rows[id].count = kma_age_sum(id);
	}
thaw:
	kma_serial_unlock();
	kvfree(a->objects);
	return err;
}

/* Position 0 is the header, position n the n-th site. */
static void *kma_age_report_start(struct seq_file *m, loff_t *pos)
{
	const struct kma_age_report *a = m->private;

	return *pos <= a->nr ? pos : NULL;
}

static void *kma_age_report_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return kma_age_report_start(m, pos);
}

static void kma_age_report_stop(struct seq_file *m, void *v)
{
}

static void kma_age_report_show_header(struct seq_file *m)
{
	int i;

	seq_puts(m, "kmem_account ages 1\n");
	seq_puts(m, "# id\tlive\toldest_ns\tremote_cpu\tremote_node");
	for (i = 0; i < KMA_AGE_CLASSES; i++)
		seq_printf(m, "\t%s", kma_age_class_name(i));
	seq_puts(m, "\tunknown\tlive_unknown\tcaller\n");
}

static int kma_age_report_show(struct seq_file *m, void *v)
{
	const struct kma_age_report *a = m->private;
	loff_t pos = *(loff_t *)v;
	const struct kma_age_report_row *row = &a->rows[pos - 1];
	u64 freed;
	char *name;
	int i;

	if (!pos) {
		kma_age_report_show_header(m);
		return 0;
	}
	freed = row->count.unknown;
	for (i = 0; i < KMA_AGE_CLASSES; i++)
		freed += row->count.lives[i];
	if (!freed && !row->live)
		return 0;
	seq_printf(m, "%u\t%llu\t", (unsigned int)pos - 1, row->live);
	if (row->live > row->live_unknown)
		seq_printf(m, "%llu", row->oldest);
	else
		seq_puts(m, "-");
	seq_printf(m, "\t%llu\t%llu", row->count.remote_cpu,
		   row->count.remote_node);
	for (i = 0; i < KMA_AGE_CLASSES; i++)
		seq_printf(m, "\t%llu", row->count.lives[i]);
	seq_printf(m, "\t%llu\t%llu", row->count.unknown, row->live_unknown);
	name = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	if (name) {
		kma_site_name(pos - 1, row->call_site, name);
		kma_hide_addresses(name, false);
	}
	seq_printf(m, "\t%s\n", name ?: "[no memory for the name]");
	kfree(name);
	return 0;
}

static const struct seq_operations kma_age_report_ops = {
	.start = kma_age_report_start,
	.next = kma_age_report_next,
	.stop = kma_age_report_stop,
	.show = kma_age_report_show,
};

int kma_age_report_open(struct inode *inode, struct file *file)
{
	struct kma_age_report *a = __seq_open_private(file, &kma_age_report_ops,
						      sizeof(*a));
	int err;

	if (!a)
		return -ENOMEM;
	err = kma_age_report_fill(a);
	if (err) {
		kvfree(a->rows);
		seq_release_private(inode, file);
	}
	return err;
}

int kma_age_report_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	const struct kma_age_report *a = m->private;

	kvfree(a->rows);
	return seq_release_private(inode, file);
}
