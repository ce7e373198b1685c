/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report.h - a snapshot of the account, sorted, as people and scripts read it.
 *
 * A report is taken once and then stands still: its header is the sum of its
 * rows, whatever the kernel does while it is read. It is printed in the format
 * of slab_accounting, fixed in Documentation/ABI/testing/procfs-kmem_account,
 * and in those of Documentation/ABI/testing/debugfs-kmem_account.
 */
#ifndef KMA_REPORT_H
#define KMA_REPORT_H

#include <linux/types.h>

struct kma_report;
struct seq_file;

/**
 * kma_report_create() - take a snapshot of all sites
 * @sort: a number from kma_report_sort_parse()
 * @all: for programs: also sites that did nothing but fail, and a row for each
 *	path (path.h); else one for each call site
 *
 * Context: process, may sleep; serialised with kma_live_grow().
 * Return: the report, to be released with kma_report_destroy(); ERR_PTR.
 */
struct kma_report *kma_report_create(unsigned int sort, bool all);

/**
 * kma_report_destroy() - release a report
 * @report: the report, or NULL
 */
void kma_report_destroy(struct kma_report *report);

/**
 * kma_report_rows() - length of a report
 * @report: the report
 *
 * Return: number of sites in it.
 */
size_t kma_report_rows(const struct kma_report *report);

/**
 * kma_report_show_header() - print the key: value lines and the column line
 * @m: where to print
 * @report: the report
 *
 * Context: process.
 */
void kma_report_show_header(struct seq_file *m,
			    const struct kma_report *report);

/**
 * kma_report_show_row() - print one site
 * @m: where to print
 * @report: the report
 * @row: below kma_report_rows()
 *
 * Context: process, may sleep.
 */
void kma_report_show_row(struct seq_file *m, const struct kma_report *report,
			 size_t row);

/**
 * kma_report_show_sites() - print the first two lines of debugfs' sites
 * @m: where to print
 * @report: the report
 *
 * Context: process.
 */
void kma_report_show_sites(struct seq_file *m, const struct kma_report *report);

/**
 * kma_report_show_site() - print one site for debugfs' sites
 * @m: where to print
 * @report: the report
 * @row: below kma_report_rows()
 *
 * Context: process, may sleep.
 */
void kma_report_show_site(struct seq_file *m, const struct kma_report *report,
			  size_t row);

/**
 * kma_report_show_stats() - print debugfs' stats
 * @m: where to print
 * @report: the report, taken with all sites
 *
 * Context: process.
 */
void kma_report_show_stats(struct seq_file *m, const struct kma_report *report);

/**
 * kma_report_sort_parse() - look up a sort key
 * @name: total, slack, req, allocs, frees or peak; a newline may follow
 *
 * Return: the key's number, or -EINVAL.
 */
int kma_report_sort_parse(const char *name);

/**
 * kma_report_sort_name() - name of a sort key
 * @sort: its number
 *
 * Return: the name.
 */
const char *kma_report_sort_name(unsigned int sort);

#endif /* KMA_REPORT_H */
