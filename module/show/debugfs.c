// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - /sys/kernel/debug/kmem_account/: more than /proc/kmem_account.
 *
 * The walk of the file live copies the objects of one page of the map while its lock is held, and
 * prints them afterwards. The account is frozen between start and stop of the sequence, while one
 * page of text is made. The next page of text continues at the next page of the map that has
 * objects, even if the map has changed in between.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/build_bug.h>
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
#include "account/live.h"
#include "guard/access.h"
#include "guard/hide.h"
#include "guard/serial.h"
#include "show/age_report.h"
#include "show/cache_report.h"
#include "show/debugfs.h"
#include "show/error_text.h"
#include "show/group_report.h"
#include "show/latency_text.h"
#include "show/parts.h"
#include "show/pinned_report.h"
#include "show/report.h"
#include "show/report_text.h"
#include "show/rows.h"
#include "show/snapshot.h"
#include "source/pages.h"
#include "watch/errors.h"
#include "watch/latency.h"
#include "watch/lifetime.h"
#include "watch/switches.h"

#define KMA_DEBUGFS_NAME	"kmem_account"
#define KMA_GROUPS_SIZE		65536ul	/* of the first buffer for cgroups or nodes */
#define KMA_LIVE_ROOM		64	/* added to the number of objects when the buffer grows */

static struct dentry *kma_debugfs_dir;

/* The sizes of tables are read now. The locks keep growth from replacing a table meanwhile. */
static void kma_stats_show(struct seq_file *m, const void *report)
{
	kma_serial_lock();
	kma_report_show_stats(m, report);
	kma_errors_show_stats(m);
	kma_serial_unlock();
}

static void *kma_latency_create(void)
{
	void *report;

	kma_serial_lock();
	report = kma_latency_report_create();
	kma_serial_unlock();
	return report ?: ERR_PTR(-ENOMEM);
}

/* One reader of errors. Until the next clear or on, rows are added and never removed. */
struct kma_errors_reader {
	unsigned int generation, nr;
	bool shown;
};

static void *kma_errors_create(void)
{
	struct kma_errors_reader *r = kmalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);

	if (!r)
		return ERR_PTR(-ENOMEM);
	r->shown = kma_access_addresses();
	r->generation = kma_serial_lock();
	r->nr = kma_errors_rows();
	kma_serial_unlock();
	return r;
}

static void kma_errors_destroy(void *reader)
{
	kfree(reader);
}

static size_t kma_errors_nr(const void *reader)
{
	const struct kma_errors_reader *r = reader;

	return r->nr;
}

static void kma_errors_header(struct seq_file *m, const void *reader)
{
	kma_errors_show_header(m);
}

static void kma_errors_show(struct seq_file *m, const void *reader, size_t row)
{
	const struct kma_errors_reader *r = reader;

	if (kma_serial_lock() == r->generation)
		kma_errors_show_row(m, row, r->shown);
	kma_serial_unlock();
}

static const struct kma_rows kma_sites_rows = {
	kma_snapshot_create, true, kma_report_destroy, kma_report_rows,
	kma_report_show_sites, kma_report_show_site
};

static const struct kma_rows kma_stats_rows = {
	kma_snapshot_create, true, kma_report_destroy, NULL, kma_stats_show, NULL
};

static const struct kma_rows kma_caches_rows = {
	kma_cache_report_create, false, kma_cache_report_destroy, NULL, kma_cache_report_show, NULL
};

static const struct kma_rows kma_pinned_table = {
	kma_pinned_create, false, kma_pinned_destroy, kma_pinned_rows,
	kma_pinned_show_header, kma_pinned_show_row
};

static const struct kma_rows kma_ages_table = {
	kma_age_report_create, false, kma_age_report_destroy, kma_age_report_rows,
	kma_age_report_show_header, kma_age_report_show_row
};

/* A reader of cgroups or nodes gets a text that is printed to memory when the file is opened. */
static void kma_groups_destroy(void *text)
{
	struct seq_file *m = text;

	if (!m)
		return;
	kvfree(m->buf);
	kfree(m);
}

static void *kma_groups_create(enum kma_group_by by)
{
	struct seq_file *m = kzalloc(sizeof(*m), GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (!m)
		return ERR_PTR(err);
	for (m->size = KMA_GROUPS_SIZE;; m->size *= 2) {
		m->buf = kvmalloc(m->size, GFP_KERNEL_ACCOUNT);
		err = m->buf ? kma_group_report_show(m, by) : -ENOMEM;
		if (err || !seq_has_overflowed(m))
			break;
		kvfree(m->buf);
		m->count = 0;
	}
	if (!err)
		return m;
	kma_groups_destroy(m);
	return ERR_PTR(err);
}

static void *kma_cgroups_create(void)
{
	return kma_groups_create(KMA_BY_CGROUP);
}

static void *kma_nodes_create(void)
{
	return kma_groups_create(KMA_BY_NODE);
}

static void kma_groups_show(struct seq_file *m, const void *text)
{
	const struct seq_file *from = text;

	seq_write(m, from->buf, from->count);
}

static const struct kma_rows kma_cgroups_rows = {
	kma_cgroups_create, true, kma_groups_destroy, NULL, kma_groups_show, NULL
};

static const struct kma_rows kma_nodes_rows = {
	kma_nodes_create, true, kma_groups_destroy, NULL, kma_groups_show, NULL
};

static const struct kma_rows kma_errors_table = {
	kma_errors_create, false, kma_errors_destroy, kma_errors_nr,
	kma_errors_header, kma_errors_show
};

static const struct kma_rows kma_latency_rows = {
	kma_latency_create, false, kma_latency_report_destroy, kma_latency_report_rows,
	kma_latency_show_header, kma_latency_show_row
};

/* One reader of live. */
struct kma_walk {
	unsigned int generation;	/* number of the account that it reads */
	bool shown;			/* the reader may see addresses */
	u32 max;			/* number of elements of @objects */
	struct kma_live_object *objects;
};

/* Position 0 is the header, the others are the pages of kma_live_next(), each plus 1. */
static void *kma_walk_from(loff_t *pos, u64 at)
{
	at = kma_live_next(at);
	*pos = at == KMA_LIVE_END ? KMA_LIVE_END : at + 1;
	return at == KMA_LIVE_END ? NULL : pos;
}

static void *kma_walk_start(struct seq_file *m, loff_t *pos)
{
	struct kma_walk *w = m->private;
	unsigned int generation = kma_serial_lock();

	if (!*pos)
		w->generation = generation;
	if (w->generation != generation)
		return ERR_PTR(-ESTALE);
	if (*pos == KMA_LIVE_END)
		return NULL;
	return *pos ? kma_walk_from(pos, *pos - 1) : pos;
}

static void *kma_walk_next(struct seq_file *m, void *v, loff_t *pos)
{
	cond_resched();
	return kma_walk_from(pos, *pos);
}

static void kma_walk_stop(struct seq_file *m, void *v)
{
	kma_serial_unlock();
}

/* Read the objects of page @at. Grow the buffer if it is too small. */
static int kma_walk_read(struct kma_walk *w, u64 at)
{
	for (;;) {
		u32 n = kma_live_read(at, w->objects, w->max);

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

/*
 * Print an object. Pages of other allocators are skipped: their objects are counted instead.
 * Formats of seq_printf() took two thirds of the kernel's part of a scan.
 */
static void kma_walk_print(struct seq_file *m, const struct kma_live_object *o,
			   bool shown, u64 now)
{
	static const char *const names[KMA_NR_THINGS] = {
		[KMA_THING_OBJECT] = "\tobject",
		[KMA_THING_PAGE] = "\tpage",
		[KMA_THING_PERCPU] = "\tpercpu",
	};
	enum kma_thing thing = kma_key_thing(o->ptr);
	size_t copies = thing == KMA_THING_PERCPU ? num_possible_cpus() : 1;
	unsigned long addr = kma_hide_address(kma_key_address(o->ptr), shown);
	char digits[2 * sizeof(addr)], *at = digits + sizeof(digits);

	if (!kma_pages_is_site(o->site))
		return;
	do {
		*--at = hex_asc[addr & 15];
		addr >>= 4;
	} while (addr);
	seq_puts(m, "0x");
	seq_write(m, at, digits + sizeof(digits) - at);
	seq_put_decimal_ull(m, "\t", o->site);
	seq_put_decimal_ull(m, "\t", copies * kma_size_bytes(o->size));
	seq_put_decimal_ull(m, "\t", copies * kma_size_req(o->size));
	seq_puts(m, names[thing]);
	if (kma_birth_known(&o->birth)) {
		seq_put_decimal_ull(m, "\t", kma_birth_age(&o->birth, now));
		seq_put_decimal_ull(m, "\t", o->birth.cpu);
		seq_putc(m, '\n');
	} else {
		seq_puts(m, "\t-\t-\n");
	}
}

static int kma_walk_show(struct seq_file *m, void *v)
{
	struct kma_walk *w = m->private;
	loff_t pos = *(loff_t *)v;
	u64 now;
	int i, n;

	if (!pos) {
		seq_puts(m, "kmem_account live 1\n"
			 "# address\tsite\ttotal\treq\tkind\tage_ns\tcpu\n");
		return 0;
	}
	n = kma_walk_read(w, pos - 1);
	now = local_clock();
	for (i = 0; i < n; i++) {
		kma_walk_print(m, &w->objects[i], w->shown, now);
		/* a page may have hundreds */
		cond_resched();
	}
	return min(n, 0);
}

static const struct seq_operations kma_walk_ops = {
	.start = kma_walk_start,
	.next = kma_walk_next,
	.stop = kma_walk_stop,
	.show = kma_walk_show,
};

static int kma_live_file_open(struct file *file, const struct kma_access_file *f)
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

static void *kma_all_create(void);

static const struct kma_rows kma_all_rows = {
	kma_all_create, false, kma_parts_destroy, kma_parts_rows,
	kma_parts_show_header, kma_parts_show_row
};

#define KMA_ROWS_FILE(name) { kma_rows_open, kma_rows_release, &kma_##name }

#define KMA_DEBUGFS_FIRST_PART	2

/*
 * The file of a feature is made when the feature is switched on for the first time. All files but
 * the first two are sections of snapshot. live is not, because it may have millions of rows.
 */
static struct {
	const char *name;
	struct kma_access_file file;
	const bool *on;
	bool made;
} kma_debugfs_files[] = {
	{ "snapshot", KMA_ROWS_FILE(all_rows) },
	{ "live", { kma_live_file_open, kma_live_file_release } },
	{ "sites", KMA_ROWS_FILE(sites_rows) },
	{ "caches", KMA_ROWS_FILE(caches_rows) },
	{ "pinned", KMA_ROWS_FILE(pinned_table) },
	{ "stats", KMA_ROWS_FILE(stats_rows) },
	{ "ages", KMA_ROWS_FILE(ages_table), &kma_births_on },
	{ "cgroups", KMA_ROWS_FILE(cgroups_rows), &kma_switches.cgroup },
	{ "nodes", KMA_ROWS_FILE(nodes_rows), &kma_switches.node },
	{ "errors", KMA_ROWS_FILE(errors_table), &kma_switches.errors },
	{ "latency", KMA_ROWS_FILE(latency_rows), &kma_switches.latency },
};

static_assert(ARRAY_SIZE(kma_debugfs_files) <= KMA_PARTS_MAX);

static void *kma_all_create(void)
{
	struct kma_part parts[ARRAY_SIZE(kma_debugfs_files)];
	unsigned int nr = 0;
	int i;

	for (i = KMA_DEBUGFS_FIRST_PART; i < ARRAY_SIZE(kma_debugfs_files); i++)
		if (!kma_debugfs_files[i].on || *kma_debugfs_files[i].on)
			parts[nr++] = (struct kma_part){
				kma_debugfs_files[i].name, kma_debugfs_files[i].file.rows
			};
	return kma_parts_create(parts, nr);
}

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
	/* only root may enter the directory; debugfs_create_dir() has no argument for the mode */
	d_inode(dir)->i_mode = S_IFDIR | 0500;
	kma_debugfs_dir = dir;
	kma_parts_init();
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

	/* wait for a command in progress; commands after that make no file */
	kma_serial_lock();
	for (i = 0; i < ARRAY_SIZE(kma_debugfs_files); i++)
		kma_debugfs_files[i].made = false;
	kma_serial_unlock();
	debugfs_remove(kma_debugfs_dir);
	kma_debugfs_dir = NULL;
}
