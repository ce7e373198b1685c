/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - reports that no command cuts in two, for the files that print one.
 */
#ifndef KMA_SNAPSHOT_H
#define KMA_SNAPSHOT_H

#include <linux/types.h>

struct file;
struct kma_report;
struct kma_rows;

/**
 * kma_snapshot_report() - a report that no clear or on cuts in two
 * @sort: a number from kma_report_sort_parse()
 * @all: as kma_report_create() says
 *
 * Context: process, may sleep.
 * Return: the report, to be released with kma_report_destroy(); ERR_PTR.
 */
struct kma_report *kma_snapshot_report(unsigned int sort, bool all);

/**
 * kma_snapshot_create() - the create() of struct kma_rows: a report of all, for this reader
 *
 * Context: process that opens a file, may sleep.
 * Return: as kma_snapshot_report().
 */
void *kma_snapshot_create(void);

/**
 * kma_snapshot_open() - a file's open: take a report and print it when read
 * @file: the file
 * @rows: how to print it
 * @sort: a number from kma_report_sort_parse()
 *
 * A file that is not opened for reading gets no report.
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int kma_snapshot_open(struct file *file, const struct kma_rows *rows, unsigned int sort);

#endif /* KMA_SNAPSHOT_H */
