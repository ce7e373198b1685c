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

/**
 * kma_snapshot_report() - take a report while no clear or on runs
 * @sort: a number from kma_report_sort_parse()
 * @all: as for kma_report_create()
 *
 * Context: process, may sleep.
 * Return: the report, to be released with kma_report_destroy(); ERR_PTR.
 */
struct kma_report *kma_snapshot_report(unsigned int sort, bool all);

/*
 * The create function of struct kma_rows: take a report of all sites.
 * Context: process that opens a file, may sleep; with kma_serial_lock() held.
 * Return: as kma_snapshot_report(); addresses are shown if this process may see them.
 */
void *kma_snapshot_create(void);

/**
 * kma_snapshot_open() - in a file's open: take a report to be printed when the file is read
 * @file: the file
 * @rows: functions that print the report
 * @sort: a number from kma_report_sort_parse()
 *
 * A file that is not opened for reading gets no report.
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int kma_snapshot_open(struct file *file, const struct kma_rows *rows, unsigned int sort);

#endif /* KMA_SNAPSHOT_H */
