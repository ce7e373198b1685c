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

/*
 * Print the name of a site; @shown: the reader may see addresses. @call_site is that of the report:
 * another account may have begun since.
 */
void kma_show_name(struct seq_file *m, unsigned int id, unsigned long call_site, bool shown);

/* /proc/kmem_account: the key: value lines and the column line, then a row of each site. */
void kma_report_show_header(struct seq_file *m, const void *report);
void kma_report_show_row(struct seq_file *m, const void *report, size_t row);

/* The debugfs file sites. */
void kma_report_show_sites(struct seq_file *m, const void *report);
void kma_report_show_site(struct seq_file *m, const void *report, size_t row);

/* The debugfs file stats, of a report that was taken with all sites. */
void kma_report_show_stats(struct seq_file *m, const void *report);

#endif /* KMA_REPORT_TEXT_H */
