/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * age_report.h - debugfs' ages: lifetimes of each site, its oldest live object, and its live
 * objects by the epoch of their birth.
 *
 * The live objects are walked over, so that no event pays for their ages. Epochs are
 * powers of two of seconds before the walk: of two walks, programs that know when each was
 * see what is left of the objects that were born before a given time.
 */
#ifndef KMA_AGE_REPORT_H
#define KMA_AGE_REPORT_H

#include <linux/types.h>

struct seq_file;

/**
 * kma_age_report_create() - walk over the live objects and sum them by site
 *
 * Context: process, may sleep; freezes the account for moments.
 * Return: the sums, to be released with kma_age_report_destroy(); ERR_PTR: -ENOMEM, or -ESTALE
 * if the account began anew meanwhile.
 */
void *kma_age_report_create(void);

/**
 * kma_age_report_destroy() - release the sums
 * @ages: the sums, or NULL
 */
void kma_age_report_destroy(void *ages);

/**
 * kma_age_report_rows() - number of rows
 * @ages: the sums
 *
 * Return: sites when the sums were made. Those without an object print nothing.
 */
size_t kma_age_report_rows(const void *ages);

/**
 * kma_age_report_show_header() - print the first two lines of debugfs' ages
 * @m: where to print
 * @ages: not used
 *
 * Context: process.
 */
void kma_age_report_show_header(struct seq_file *m, const void *ages);

/**
 * kma_age_report_show_row() - print one site
 * @m: where to print
 * @ages: the sums
 * @id: of the site, below kma_age_report_rows()
 *
 * Context: process, may sleep.
 */
void kma_age_report_show_row(struct seq_file *m, const void *ages, size_t id);

#endif /* KMA_AGE_REPORT_H */
