// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency_report.c - debugfs' latency: how long tasks waited for memory, and who asked for it.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "guard/serial.h"
#include "show/latency_report.h"
#include "show/latency_text.h"

/* Position 0 is the header, position n the n-th row. */
static void *kma_latency_file_start(struct seq_file *m, loff_t *pos)
{
	struct kma_latency_report *const *r = m->private;

	return *pos <= kma_latency_report_rows(*r) ? pos : NULL;
}

static void *kma_latency_file_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return kma_latency_file_start(m, pos);
}

static void kma_latency_file_stop(struct seq_file *m, void *v)
{
}

static int kma_latency_file_show(struct seq_file *m, void *v)
{
	struct kma_latency_report *const *r = m->private;
	loff_t pos = *(loff_t *)v;

	if (pos)
		kma_latency_show_row(m, *r, pos - 1);
	else
		kma_latency_show_header(m, *r);
	return 0;
}

static const struct seq_operations kma_latency_file_ops = {
	.start = kma_latency_file_start,
	.next = kma_latency_file_next,
	.stop = kma_latency_file_stop,
	.show = kma_latency_file_show,
};

int kma_latency_file_open(struct inode *inode, struct file *file)
{
	struct kma_latency_report *r, **private;

	kma_serial_lock();
	r = kma_latency_report_create();
	kma_serial_unlock();
	if (!r)
		return -ENOMEM;
	private = __seq_open_private(file, &kma_latency_file_ops, sizeof(*private));
	if (!private) {
		kma_latency_report_destroy(r);
		return -ENOMEM;
	}
	*private = r;
	return 0;
}

int kma_latency_file_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct kma_latency_report *const *r = m->private;

	kma_latency_report_destroy(*r);
	return seq_release_private(inode, file);
}
