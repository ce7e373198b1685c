/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * age_report.h - the debugfs file ages: lifetimes of each site, its oldest live object, and its
 * live objects by age.
 *
 * The file is made by a walk over the live objects, so no event pays for their ages. The ages are
 * in classes whose bounds are powers of two of seconds. A program that has two files, and knows
 * when each was made, can compute how many objects born before a given time are left.
 */
#ifndef KMA_AGE_REPORT_H
#define KMA_AGE_REPORT_H

#include <linux/types.h>

struct seq_file;

/*
 * Walk over the live objects and sum them by site.
 * Context: process, may sleep; freezes the account for moments.
 * Return: the sums, to be released with kma_age_report_destroy(); ERR_PTR: -ENOMEM, or -ESTALE if
 * another account has begun during the walk.
 */
void *kma_age_report_create(void);

/**
 * kma_age_report_destroy() - release the sums
 * @ages: the sums, or NULL
 */
void kma_age_report_destroy(void *ages);

/*
 * Get the number of rows.
 * Return: number of sites when the sums were made. Sites without an object print nothing.
 */
size_t kma_age_report_rows(const void *ages);

/**
 * kma_age_report_show_header() - print the first two lines of the debugfs file ages
 * @m: the file
 * @ages: not used
 *
 * Context: process.
 */
void kma_age_report_show_header(struct seq_file *m, const void *ages);

/**
 * kma_age_report_show_row() - print the row of one site
 * @m: the file
 * @ages: the sums
 * @id: id of the site, below kma_age_report_rows()
 *
 * Context: process, may sleep.
 */
void kma_age_report_show_row(struct seq_file *m, const void *ages, size_t id);

#endif /* KMA_AGE_REPORT_H */
