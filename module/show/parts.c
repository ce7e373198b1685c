// SPDX-License-Identifier: GPL-2.0-only
/*
 * parts.c - the debugfs file snapshot: a header, then other files as sections.
 *
 * The design is in parts.h.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>

#include "account/sum.h"
#include "caller/text.h"
#include "guard/serial.h"
#include "show/parts.h"
#include "show/rows.h"
#include "source/kprobe.h"
#include "uapi/version.h"

#define KMA_BOOT_ID_LEN	36

static u64 kma_parts_loaded;	/* ns of CLOCK_BOOTTIME */

struct kma_parts {
	unsigned int generation, nr;
	u64 boottime, time;		/* ns */
	char boot_id[KMA_BOOT_ID_LEN + 1];
	struct {
		struct kma_part part;
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

		if (p->parts[i].part.rows->locked != locked)
			continue;
		data = p->parts[i].part.rows->create();
		p->parts[i].data = data;
		if (IS_ERR(data) && PTR_ERR(data) != -EOPNOTSUPP)
			return PTR_ERR(data);
	}
	return 0;
}

void *kma_parts_create(const struct kma_part *parts, unsigned int nr)
{
	struct kma_parts *p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);
	int err;

	if (!p)
		return ERR_PTR(-ENOMEM);
	kma_parts_boot_id(p->boot_id);
	for (p->nr = 0; p->nr < nr; p->nr++)
		p->parts[p->nr].part = parts[p->nr];
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

void kma_parts_destroy(void *parts)
{
	struct kma_parts *p = parts;

	if (!p)
		return;
	while (p->nr--)
		if (!IS_ERR(p->parts[p->nr].data))
			p->parts[p->nr].part.rows->destroy(p->parts[p->nr].data);
	kfree(p);
}

/* Return the number of rows of a part, including its header. */
static size_t kma_parts_rows_of(const struct kma_parts *p, unsigned int i)
{
	const struct kma_rows *rows = p->parts[i].part.rows;
	const void *data = p->parts[i].data;

	return 1 + (!IS_ERR(data) && rows->nr ? rows->nr(data) : 0);
}

/* The last row marks the end of the snapshot. */
size_t kma_parts_rows(const void *parts)
{
	const struct kma_parts *p = parts;
	size_t nr = 1;
	unsigned int i;

	for (i = 0; i < p->nr; i++)
		nr += kma_parts_rows_of(p, i);
	return nr;
}

void kma_parts_show_header(struct seq_file *m, const void *parts)
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
		   p->boot_id, p->boottime, p->time, kma_parts_loaded, p->generation,
		   init_utsname()->release, init_utsname()->machine, kma_text_vmlinux_id());
}

void kma_parts_show_row(struct seq_file *m, const void *parts, size_t row)
{
	const struct kma_parts *p = parts;
	const struct kma_rows *rows;
	const void *data;
	unsigned int i;

	for (i = 0; i < p->nr && row >= kma_parts_rows_of(p, i); i++)
		row -= kma_parts_rows_of(p, i);
	if (i == p->nr) {
		seq_puts(m, "== end\n");
		return;
	}
	rows = p->parts[i].part.rows;
	data = p->parts[i].data;
	if (row) {
		rows->row(m, data, row - 1);
		return;
	}
	seq_printf(m, "== %s\n", p->parts[i].part.name);
	if (IS_ERR(data))
		seq_printf(m, "error: %ld\n", -PTR_ERR(data));
	else
		rows->header(m, data);
}

void kma_parts_init(void)
{
	kma_parts_loaded = ktime_get_boottime_ns();
}
