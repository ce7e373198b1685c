/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_text.h - the text of a report, for people and programs.
 *
 * The format of /proc/kmem_account is that of slab_accounting, fixed in
 * Documentation/ABI/testing/procfs-kmem_account. The formats of the debugfs files sites and stats
 * are in Documentation/ABI/testing/debugfs-kmem_account. Columns and keys are only appended.
 */
#ifndef KMA_REPORT_TEXT_H
#define KMA_REPORT_TEXT_H

#include <linux/types.h>

struct seq_file;

/* Print the key: value lines and the column line. Context: process. */
void kma_report_show_header(struct seq_file *m, const void *report);

/**
 * kma_report_show_row() - print the row of one site
 * @m: the file
 * @report: the report
 * @row: number of the row, below kma_report_rows()
 *
 * Context: process, may sleep.
 */
void kma_report_show_row(struct seq_file *m, const void *report, size_t row);

/* Print the first two lines of the debugfs file sites. Context: process. */
void kma_report_show_sites(struct seq_file *m, const void *report);

/**
 * kma_report_show_site() - print the row of one site for the debugfs file sites
 * @m: the file
 * @report: the report
 * @row: number of the row, below kma_report_rows()
 *
 * Context: process, may sleep.
 */
void kma_report_show_site(struct seq_file *m, const void *report, size_t row);

/**
 * kma_report_show_stats() - print the debugfs file stats
 * @m: the file
 * @report: the report, taken with all sites
 *
 * Context: process.
 */
void kma_report_show_stats(struct seq_file *m, const void *report);

#endif /* KMA_REPORT_TEXT_H */
