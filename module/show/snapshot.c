// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot.c - reports of one account: no command runs while a report is taken.
 */
#include <linux/err.h>
#include <linux/fs.h>

#include "guard/access.h"
#include "guard/serial.h"
#include "show/report.h"
#include "show/rows.h"
#include "show/snapshot.h"
#include "source/kprobe.h"

/* Take a report with the locks held, and check whether the current task may see addresses. */
static struct kma_report *kma_snapshot_take(unsigned int sort, bool all)
{
	struct kma_report *report;

	kma_untraced_settle();
	report = kma_report_create(sort, all);
	if (!IS_ERR(report))
		report->shown = kma_access_addresses();
	return report;
}

struct kma_report *kma_snapshot_report(unsigned int sort, bool all)
{
	struct kma_report *report;

	kma_serial_lock();
	report = kma_snapshot_take(sort, all);
	kma_serial_unlock();
	return report;
}

void *kma_snapshot_create(void)
{
	return kma_snapshot_take(0, true);
}

int kma_snapshot_open(struct file *file, const struct kma_rows *rows, unsigned int sort)
{
	struct kma_report *report = NULL;

	if (file->f_mode & FMODE_READ)
		report = kma_snapshot_report(sort, false);
	return IS_ERR(report) ? PTR_ERR(report) : kma_rows_begin(file, rows, report);
}
