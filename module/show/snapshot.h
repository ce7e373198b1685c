/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - files that show the account as it was when they were opened.
 *
 * Opening the file for reading takes the report; whoever reads it in small
 * pieces, or slowly, reads one account.
 */
#ifndef KMA_SNAPSHOT_H
#define KMA_SNAPSHOT_H

#include <linux/types.h>

struct file;
struct inode;
struct kma_report;
struct seq_file;

/**
 * struct kma_format - how a report is printed
 * @all: as kma_report_create() says
 * @header: prints what comes first
 * @row: prints a row; NULL if there are none
 */
struct kma_format {
	bool all;
	void (*header)(struct seq_file *m, const struct kma_report *report);
	void (*row)(struct seq_file *m, const struct kma_report *report,
		    size_t row);
};

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
 * kma_snapshot_open() - a file's open: take a report and print it when read
 * @file: the file
 * @format: how to print it
 * @sort: a number from kma_report_sort_parse()
 *
 * A file that is not opened for reading gets no report.
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int kma_snapshot_open(struct file *file, const struct kma_format *format,
		      unsigned int sort);

/**
 * kma_snapshot_release() - a file's release
 * @inode: not used
 * @file: the file
 *
 * Return: 0.
 */
int kma_snapshot_release(struct inode *inode, struct file *file);

#endif /* KMA_SNAPSHOT_H */
