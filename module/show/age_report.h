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
 * Walk over the live objects and sum them by site; freezes the account for moments. Released with
 * kma_age_report_destroy(). ERR_PTR: -ENOMEM, or -ESTALE if another account has begun during the
 * walk.
 */
void *kma_age_report_create(void);
void kma_age_report_destroy(void *ages);

/* The number of sites when the sums were made. Sites without an object print nothing. */
size_t kma_age_report_rows(const void *ages);

void kma_age_report_show_header(struct seq_file *m, const void *ages);
void kma_age_report_show_row(struct seq_file *m, const void *ages, size_t id);

#endif /* KMA_AGE_REPORT_H */
