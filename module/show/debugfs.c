// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - /sys/kernel/debug/kmem_account/: more than /proc/kmem_account.
 *
 * The walk of live: the objects of one home bucket are copied while their chain
 * is locked, and printed when it is not. Between start and stop of the sequence
 * the account is frozen, that is for as long as a page of text is made; the next
 * piece finds its place by the number of the bucket, whatever happened
 * meanwhile.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "account/key.h"
#include "account/kmem_cache.h"
#include "account/live.h"
#include "account/sized.h"
#include "guard/access.h"
#include "guard/hide.h"
#include "guard/serial.h"
#include "show/age_report.h"
#include "show/cache_report.h"
#include "show/debugfs.h"
#include "show/error_text.h"
#include "show/group_report.h"
#include "show/latency_report.h"
#include "show/pinned_report.h"
#include "show/report.h"
#include "show/report_text.h"
#include "show/snapshot.h"
#include "source/pages.h"
#include "watch/errors.h"
#include "watch/latency.h"
#include "watch/lifetime.h"
#include "watch/switches.h"

#define KMA_DEBUGFS_NAME	"kmem_account"
#define KMA_LIVE_ROOM		64	/* objects of a home; more if need be */

static struct dentry *kma_debugfs_dir;

static const struct kma_format kma_sites_format = {
	.all = true,
	.header = kma_report_show_sites,
	.row = kma_report_show_site,
};

static int kma_sites_open(struct inode *inode, struct file *file)
{
	return kma_snapshot_open(file, &kma_sites_format, 0);
}

static void kma_stats_show(struct seq_file *m, const struct kma_report *report)
{
	kma_report_show_stats(m, report);
	kma_errors_show_stats(m);
}

static const struct kma_format kma_stats_format = {
	.all = true,
	.header = kma_stats_show,
};

static int kma_stats_open(struct inode *inode, struct file *file)
{
	return kma_snapshot_open(file, &kma_stats_format, 0);
}

/* One reader of live. */
struct kma_walk {
	unsigned int generation;	/* of the account that it reads */
	bool shown;			/* the reader may see addresses */
	u32 homes;			/* that the map had at the beginning */
	u32 max;			/* room in @objects */
	struct kma_live_object *objects;
};

/* Position 0 is the header, position n the n-th home bucket. */
static void *kma_walk_start(struct seq_file *m, loff_t *pos)
{
	struct kma_walk *w = m->private;
	unsigned int generation = kma_serial_lock();

	if (!*pos) {
		w->generation = generation;
		w->homes = kma_live_homes();
	}
	if (w->generation != generation)
		return ERR_PTR(-ESTALE);
	return *pos <= w->homes ? pos : NULL;
}

static void *kma_walk_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct kma_walk *w = m->private;

	cond_resched();
	return ++*pos <= w->homes ? pos : NULL;
}

static void kma_walk_stop(struct seq_file *m, void *v)
{
	kma_serial_unlock();
}

/* Read the objects of bucket @home, with more room if they need it. */
static int kma_walk_read(struct kma_walk *w, u32 home)
{
	for (;;) {
		u32 n = kma_object_read(home, w->homes, w->objects, w->max);

		if (n <= w->max)
			return n;
		kvfree(w->objects);
		w->max = 0;
		n += KMA_LIVE_ROOM;
		w->objects = kvmalloc_array(n, sizeof(*w->objects),
					    GFP_KERNEL_ACCOUNT);
		if (!w->objects)
			return -ENOMEM;
		w->max = n;
	}
}

/* Pages of other allocators are no objects, and booked nowhere. */
static void kma_walk_print(struct seq_file *m, const struct kma_live_object *o,
			   bool shown, u64 now)
{
	static const char *const names[KMA_NR_THINGS] = {
		[KMA_THING_OBJECT] = "object",
		[KMA_THING_PAGE] = "page",
		[KMA_THING_PERCPU] = "percpu",
	};
	enum kma_thing thing = kma_key_thing(o->ptr);
	size_t copies = thing == KMA_THING_PERCPU ? num_possible_cpus() : 1;

	if (!kma_pages_is_site(o->site))
		return;
	seq_printf(m, "0x%lx\t%u\t%zu\t%zu\t%s",
		   kma_hide_address(kma_key_address(o->ptr), shown), o->site,
		   copies * kma_size_bytes(o->size),
		   copies * kma_size_req(o->size), names[thing]);
	if (kma_birth_known(&o->birth))
		seq_printf(m, "\t%llu\t%u\n", kma_birth_age(&o->birth, now),
			   o->birth.cpu);
	else
		seq_puts(m, "\t-\t-\n");
}

static int kma_walk_show(struct seq_file *m, void *v)
{
	struct kma_walk *w = m->private;
	loff_t pos = *(loff_t *)v;
	u64 now;
	int i, n;

	if (!pos) {
		seq_puts(m, "kmem_account live 1\n");
		seq_puts(m, "# address\tsite\ttotal\treq\tkind\tage_ns\tcpu\n");
		return 0;
	}
	n = kma_walk_read(w, pos - 1);
	now = local_clock();
	for (i = 0; i < n; i++)
		kma_walk_print(m, &w->objects[i], w->shown, now);
	return min(n, 0);
}

static const struct seq_operations kma_walk_ops = {
	.start = kma_walk_start,
	.next = kma_walk_next,
	.stop = kma_walk_stop,
	.show = kma_walk_show,
};

static int kma_live_file_open(struct inode *inode, struct file *file)
{
	struct kma_walk *w;

	if (kma_access_locked())
		return -EPERM;
	w = __seq_open_private(file, &kma_walk_ops, sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->shown = kma_access_addresses();
	return 0;
}

static int kma_live_file_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct kma_walk *w = m->private;

	kvfree(w->objects);
	return seq_release_private(inode, file);
}

static int kma_caches_print(struct seq_file *m, void *v)
{
	kma_cache_report_show(m, m->private);
	return 0;
}

static int kma_caches_open(struct inode *inode, struct file *file)
{
	struct kma_cache_report *caches;
	int err;

	if (!kma_cache_findable())
		return -EOPNOTSUPP;
	caches = kma_cache_report_create();
	if (IS_ERR(caches))
		return PTR_ERR(caches);
	err = single_open(file, kma_caches_print, caches);
	if (err)
		kma_cache_report_destroy(caches);
	return err;
}

static int kma_caches_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	kma_cache_report_destroy(m->private);
	return single_release(inode, file);
}

/* Position 0 is the header, position n the n-th row. */
static void *kma_pinned_start(struct seq_file *m, loff_t *pos)
{
	struct kma_pinned *const *pinned = m->private;

	return *pos <= kma_pinned_rows(*pinned) ? pos : NULL;
}

static void *kma_pinned_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return kma_pinned_start(m, pos);
}

static void kma_pinned_stop(struct seq_file *m, void *v)
{
}

static int kma_pinned_show(struct seq_file *m, void *v)
{
	struct kma_pinned *const *pinned = m->private;
	loff_t pos = *(loff_t *)v;

	if (pos)
		kma_pinned_show_row(m, *pinned, pos - 1);
	else
		kma_pinned_show_header(m);
	return 0;
}

static const struct seq_operations kma_pinned_ops = {
	.start = kma_pinned_start,
	.next = kma_pinned_next,
	.stop = kma_pinned_stop,
	.show = kma_pinned_show,
};

static int kma_pinned_open(struct inode *inode, struct file *file)
{
	struct kma_pinned *pinned, **private;

	if (!kma_cache_findable())
		return -EOPNOTSUPP;
	pinned = kma_pinned_create();
	if (IS_ERR(pinned))
		return PTR_ERR(pinned);
	private = __seq_open_private(file, &kma_pinned_ops, sizeof(*private));
	if (!private) {
		kma_pinned_destroy(pinned);
		return -ENOMEM;
	}
	*private = pinned;
	return 0;
}

static int kma_pinned_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct kma_pinned *const *pinned = m->private;

	kma_pinned_destroy(*pinned);
	return seq_release_private(inode, file);
}

/* @private of the file says by what. */
static int kma_groups_print(struct seq_file *m, void *v)
{
	int err;

	kma_serial_lock();
	err = kma_group_report_show(m, m->private ? KMA_BY_NODE : KMA_BY_CGROUP);
	kma_serial_unlock();
	return err;
}

static int kma_cgroups_open(struct inode *inode, struct file *file)
{
	return single_open(file, kma_groups_print, NULL);
}

static int kma_nodes_open(struct inode *inode, struct file *file)
{
	return single_open(file, kma_groups_print, file);
}

/* Position 0 is the header, position n the n-th row. */
static void *kma_errors_start(struct seq_file *m, loff_t *pos)
{
	kma_serial_lock();
	return *pos <= kma_errors_rows() ? pos : NULL;
}

static void *kma_errors_next(struct seq_file *m, void *v, loff_t *pos)
{
	return ++*pos <= kma_errors_rows() ? pos : NULL;
}

static int kma_errors_show(struct seq_file *m, void *v)
{
	loff_t pos = *(loff_t *)v;

	if (pos)
		kma_errors_show_row(m, pos - 1, m->private);
	else
		kma_errors_show_header(m);
	return 0;
}

static const struct seq_operations kma_errors_ops = {
	.start = kma_errors_start,
	.next = kma_errors_next,
	.stop = kma_walk_stop,
	.show = kma_errors_show,
};

static int kma_errors_open(struct inode *inode, struct file *file)
{
	int err = seq_open(file, &kma_errors_ops);

	/* not NULL: the reader may see addresses */
	if (!err && kma_access_addresses())
		((struct seq_file *)file->private_data)->private = file;
	return err;
}

/* The file of a feature is there from its first switching on. */
static struct {
	const char *name;
	struct kma_access_file file;
	const bool *on;
	bool made;
} kma_debugfs_files[] = {
	{ "sites", { kma_sites_open, kma_snapshot_release } },
	{ "live", { kma_live_file_open, kma_live_file_release } },
	{ "caches", { kma_caches_open, kma_caches_release } },
	{ "pinned", { kma_pinned_open, kma_pinned_release } },
	{ "stats", { kma_stats_open, kma_snapshot_release } },
	{ "ages", { kma_age_report_open, kma_age_report_release }, &kma_births_on },
	{ "cgroups", { kma_cgroups_open, single_release }, &kma_switches.cgroup },
	{ "nodes", { kma_nodes_open, single_release }, &kma_switches.node },
	{ "errors", { kma_errors_open, seq_release }, &kma_switches.errors },
	{ "latency", { kma_latency_file_open, kma_latency_file_release },
	  &kma_switches.latency },
};

void kma_debugfs_update(void)
{
	int i;

	for (i = 0; kma_debugfs_dir && i < ARRAY_SIZE(kma_debugfs_files); i++) {
		if (kma_debugfs_files[i].made ||
		    (kma_debugfs_files[i].on && !*kma_debugfs_files[i].on))
			continue;
		debugfs_create_file(kma_debugfs_files[i].name, 0400,
				    kma_debugfs_dir, &kma_debugfs_files[i].file,
				    &kma_access_fops);
		kma_debugfs_files[i].made = true;
	}
}

void __init kma_debugfs_init(void)
{
	struct dentry *dir = debugfs_create_dir(KMA_DEBUGFS_NAME, NULL);

	if (IS_ERR(dir)) {
		pr_info("cannot create files in debugfs (error %ld); only /proc/kmem_account is available\n",
			PTR_ERR(dir));
		return;
	}
	/* nobody but root has business here; debugfs has no mode for folders */
	d_inode(dir)->i_mode = S_IFDIR | 0500;
	kma_debugfs_dir = dir;
	kma_serial_lock();
	kma_debugfs_update();
	kma_serial_unlock();
}

struct dentry *kma_debugfs_folder(void)
{
	return kma_debugfs_dir;
}

void kma_debugfs_deinit(void)
{
	int i;

	/* a command that is under way has to be through, and makes no file later */
	kma_serial_lock();
	for (i = 0; i < ARRAY_SIZE(kma_debugfs_files); i++)
		kma_debugfs_files[i].made = false;
	kma_serial_unlock();
	debugfs_remove(kma_debugfs_dir);
	kma_debugfs_dir = NULL;
}
