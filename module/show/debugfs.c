// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - /sys/kernel/debug/kmem_account/: more than /proc/kmem_account.
 *
 * The walk of the file live copies the objects of one page of the map while its lock is held, and
 * prints them afterwards. The account is frozen between start and stop of the sequence, while one
 * page of text is made. The next page of text continues at the next page of the map that has
 * objects, even if the map has changed in between.
 *
 * The file snapshot is a header with the times and the identity of the account, then other files of
 * the directory as sections. Opening it copies all of them. The parts with the numbers of sites,
 * classes and groups are made of sums that are taken once, before memory is allocated for a copy
 * (kma_sum_hold()), so the bytes of all cgroups, or of all nodes, are the bytes of all sites. If a
 * clear or on comes between two copies, the open fails, so a snapshot never has parts of two
 * accounts. A part that this kernel does not support is a section without rows, whose header has
 * the error.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>

#include "account/key.h"
#include "account/live.h"
#include "account/sum.h"
#include "caller/text.h"
#include "guard/access.h"
#include "guard/hide.h"
#include "guard/serial.h"
#include "show/debugfs.h"
#include "show/report.h"
#include "show/report_text.h"
#include "show/rows.h"
#include "show/snapshot.h"
#include "show/survey.h"
#include "source/kprobe.h"
#include "source/pages.h"
#include "uapi/version.h"
#include "watch/switches.h"

#define KMA_DEBUGFS_NAME	"kmem_account"
#define KMA_BOOT_ID_LEN		36
#define KMA_PARTS_MAX		12

static struct dentry *kma_debugfs_dir;
static u64 kma_debugfs_loaded;		/* ns of CLOCK_BOOTTIME */

/* The sizes of tables are read now. The locks keep growth from replacing a table meanwhile. */
static void kma_stats_show(struct seq_file *m, const void *report)
{
	kma_serial_lock();
	kma_report_show_stats(m, report);
	kma_errors_show_stats(m);
	kma_serial_unlock();
}

static const struct kma_rows kma_sites_rows = {
	kma_snapshot_create, true, kma_report_destroy, kma_report_rows,
	kma_report_show_sites, kma_report_show_site
};

static const struct kma_rows kma_stats_rows = {
	kma_snapshot_create, true, kma_report_destroy, NULL, kma_stats_show, NULL
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

/*
 * Print an object. Pages of other allocators are skipped: their objects are counted instead.
 * Formats of seq_printf() took two thirds of the kernel's part of a scan.
 */
static void kma_walk_print(struct seq_file *m, const struct kma_live_object *o, bool shown, u64 now)
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
		*--at = "0123456789abcdef"[addr & 15];
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
	n = kma_survey_copy(pos - 1, &w->objects, &w->max);
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

	kma_survey_drop(w->objects, w->max);
	return seq_release_private(inode, file);
}

/* Opening snapshot copies all parts. */
struct kma_parts {
	unsigned int generation, nr;
	u64 boottime, time;		/* ns */
	char boot_id[KMA_BOOT_ID_LEN + 1];
	struct {
		const char *name;
		const struct kma_rows *rows;
		void *data;		/* the copy; NULL: none yet; ERR_PTR: no rows */
	} parts[KMA_PARTS_MAX];
};

/* No function reports the boot ID to a module, but a file does. */
static noinline void kma_parts_boot_id(char id[KMA_BOOT_ID_LEN + 1])
{
	struct file *file = filp_open("/proc/sys/kernel/random/boot_id", O_RDONLY, 0);
	loff_t pos = 0;

	if (!IS_ERR(file)) {
		if (kernel_read(file, id, KMA_BOOT_ID_LEN, &pos) != KMA_BOOT_ID_LEN)
			*id = 0;
		filp_close(file, NULL);
	}
	if (!*id)
		*id = '-';
}

/* Copy the parts that are copied with the locks held, or the other ones. */
static int kma_parts_copy(struct kma_parts *p, bool locked)
{
	unsigned int i;

	for (i = 0; i < p->nr; i++) {
		void *data;

		if (p->parts[i].rows->locked != locked)
			continue;
		data = p->parts[i].rows->create();
		p->parts[i].data = data;
		if (IS_ERR(data) && PTR_ERR(data) != -EOPNOTSUPP)
			return PTR_ERR(data);
	}
	return 0;
}

static void kma_parts_destroy(void *parts)
{
	struct kma_parts *p = parts;

	if (!p)
		return;
	while (p->nr--)
		if (!IS_ERR(p->parts[p->nr].data))
			p->parts[p->nr].rows->destroy(p->parts[p->nr].data);
	kfree(p);
}

/* Return the number of rows of a part, including its header. */
static size_t kma_parts_nr_of(const struct kma_parts *p, unsigned int i)
{
	const struct kma_rows *rows = p->parts[i].rows;
	const void *data = p->parts[i].data;

	return 1 + (!IS_ERR(data) && rows->nr ? rows->nr(data) : 0);
}

/* The last row marks the end of the snapshot. */
static size_t kma_parts_nr(const void *parts)
{
	const struct kma_parts *p = parts;
	size_t nr = 1;
	unsigned int i;

	for (i = 0; i < p->nr; i++)
		nr += kma_parts_nr_of(p, i);
	return nr;
}

static void kma_parts_show_header(struct seq_file *m, const void *parts)
{
	const struct kma_parts *p = parts;

	seq_printf(m, "kmem_account snapshot 1\n"
		   "boot_id: %s\n"
		   "boottime_ns: %llu\n"
		   "time_ns: %llu\n"
		   "loaded_ns: %llu\n"
		   "generation: %u\n"
		   "release: %s\n"
		   "machine: %s\n"
		   "build_id: %s\n"
		   "version: " KMA_VERSION "\n",
		   p->boot_id, p->boottime, p->time, kma_debugfs_loaded, p->generation,
		   init_utsname()->release, init_utsname()->machine, kma_text_vmlinux_id());
}

static void kma_parts_show_row(struct seq_file *m, const void *parts, size_t row)
{
	const struct kma_parts *p = parts;
	const struct kma_rows *rows;
	const void *data;
	unsigned int i;

	for (i = 0; i < p->nr && row >= kma_parts_nr_of(p, i); i++)
		row -= kma_parts_nr_of(p, i);
	if (i == p->nr) {
		seq_puts(m, "== end\n");
		return;
	}
	rows = p->parts[i].rows;
	data = p->parts[i].data;
	if (row) {
		rows->row(m, data, row - 1);
		return;
	}
	seq_printf(m, "== %s\n", p->parts[i].name);
	if (IS_ERR(data))
		seq_printf(m, "error: %ld\n", -PTR_ERR(data));
	else
		rows->header(m, data);
}

static void *kma_parts_create(void);

static const struct kma_rows kma_parts_rows = {
	kma_parts_create, false, kma_parts_destroy, kma_parts_nr,
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
	{ "snapshot", KMA_ROWS_FILE(parts_rows) },
	{ "live", { kma_live_file_open, kma_live_file_release } },
	{ "sites", KMA_ROWS_FILE(sites_rows) },
	{ "caches", KMA_ROWS_FILE(cache_rows) },
	{ "pinned", KMA_ROWS_FILE(pinned_rows) },
	{ "stats", KMA_ROWS_FILE(stats_rows) },
	{ "ages", KMA_ROWS_FILE(age_rows), &kma_births_on },
	{ "cgroups", KMA_ROWS_FILE(cgroup_rows), &kma_switches.cgroup },
	{ "nodes", KMA_ROWS_FILE(node_rows), &kma_switches.node },
	{ "errors", KMA_ROWS_FILE(error_rows), &kma_switches.errors },
	{ "latency", KMA_ROWS_FILE(latency_rows), &kma_switches.latency },
};

static_assert(ARRAY_SIZE(kma_debugfs_files) <= KMA_PARTS_MAX);

static void *kma_parts_create(void)
{
	struct kma_parts *p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	unsigned int i;
	int err;

	if (!p)
		return ERR_PTR(-ENOMEM);
	kma_parts_boot_id(p->boot_id);
	for (i = KMA_DEBUGFS_FIRST_PART; i < ARRAY_SIZE(kma_debugfs_files); i++) {
		if (kma_debugfs_files[i].on && !*kma_debugfs_files[i].on)
			continue;
		p->parts[p->nr].name = kma_debugfs_files[i].name;
		p->parts[p->nr++].rows = kma_debugfs_files[i].file.rows;
	}
	p->generation = kma_serial_lock();
	kma_untraced_settle();
	err = kma_sum_hold();
	p->boottime = ktime_get_boottime_ns();
	p->time = ktime_get_real_ns();
	if (!err)
		err = kma_parts_copy(p, true);
	kma_sum_free();
	kma_serial_unlock();
	if (!err)
		err = kma_parts_copy(p, false);
	if (kma_serial_lock() != p->generation && !err)
		err = -ESTALE;
	kma_serial_unlock();
	if (!err)
		return p;
	kma_parts_destroy(p);
	return ERR_PTR(err);
}

void kma_debugfs_update(void)
{
	int i;

	for (i = 0; kma_debugfs_dir && i < ARRAY_SIZE(kma_debugfs_files); i++) {
		if (kma_debugfs_files[i].made ||
		    (kma_debugfs_files[i].on && !*kma_debugfs_files[i].on))
			continue;
		debugfs_create_file(kma_debugfs_files[i].name, 0400, kma_debugfs_dir,
				    &kma_debugfs_files[i].file, &kma_access_fops);
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
	kma_debugfs_loaded = ktime_get_boottime_ns();
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
