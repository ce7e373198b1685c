/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - reports of one account: no command runs while a report is taken.
 */
#ifndef KMA_SNAPSHOT_H
#define KMA_SNAPSHOT_H

#include <linux/types.h>

struct file;
struct kma_report;
struct kma_rows;

/* As kma_report_create(), while no clear or on runs. */
struct kma_report *kma_snapshot_report(unsigned int sort, bool all);

/*
 * The create function of struct kma_rows: a report of all sites, with kma_serial_lock() held.
 * Addresses are shown if the process that opens the file may see them.
 */
void *kma_snapshot_create(void);

/*
 * In a file's open: take a report to be printed when the file is read. A file that is not opened
 * for reading gets none.
 */
int kma_snapshot_open(struct file *file, const struct kma_rows *rows, unsigned int sort);

#endif /* KMA_SNAPSHOT_H */
