// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot.c - files that show the account as it was when they were opened.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "guard/access.h"
#include "guard/serial.h"
#include "show/report.h"
#include "show/snapshot.h"
#include "source/kprobe.h"

struct kma_snapshot {
	struct kma_report *report;
	const struct kma_format *format;
};

/* Position 0 is the header, position n the n-th row. */
static void *kma_snapshot_start(struct seq_file *m, loff_t *pos)
{
	const struct kma_snapshot *s = m->private;
	size_t rows;

	/* who only writes has none; lseek() comes here all the same */
	if (!s->report)
		return NULL;
	rows = s->format->row ? kma_report_rows(s->report) : 0;
	return *pos <= rows ? pos : NULL;
}

static void *kma_snapshot_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return kma_snapshot_start(m, pos);
}

static void kma_snapshot_stop(struct seq_file *m, void *v)
{
}

static int kma_snapshot_show(struct seq_file *m, void *v)
{
	const struct kma_snapshot *s = m->private;
	loff_t pos = *(loff_t *)v;

	if (pos)
		s->format->row(m, s->report, pos - 1);
	else
		s->format->header(m, s->report);
	return 0;
}

static const struct seq_operations kma_snapshot_ops = {
	.start = kma_snapshot_start,
	.next = kma_snapshot_next,
	.stop = kma_snapshot_stop,
	.show = kma_snapshot_show,
};

struct kma_report *kma_snapshot_report(unsigned int sort, bool all)
{
	struct kma_report *report;

	kma_serial_lock();
	kma_untraced_settle();
	report = kma_report_create(sort, all);
	kma_serial_unlock();
	return report;
}

int kma_snapshot_open(struct file *file, const struct kma_format *format,
		      unsigned int sort)
{
	struct kma_report *report = NULL;
	struct kma_snapshot *s;

	if (file->f_mode & FMODE_READ)
		report = kma_snapshot_report(sort, format->all);
	if (IS_ERR(report))
		return PTR_ERR(report);
	s = __seq_open_private(file, &kma_snapshot_ops, sizeof(*s));
	if (!s) {
		kma_report_destroy(report);
		return -ENOMEM;
	}
	if (report)
		report->shown = kma_access_addresses();
	s->report = report;
	s->format = format;
	return 0;
}

int kma_snapshot_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	const struct kma_snapshot *s = m->private;

	kma_report_destroy(s->report);
	return seq_release_private(inode, file);
}
