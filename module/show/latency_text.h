/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latency_text.h - a report of the waits for memory: sums by kind, rows, and their text.
 *
 * The format is in Documentation/ABI/testing/debugfs-kmem_account.
 */
#ifndef KMA_LATENCY_TEXT_H
#define KMA_LATENCY_TEXT_H

#include <linux/types.h>

struct seq_file;

/*
 * Copy the waits that were counted until now. Each row is copied at one instant, and the sums are
 * those of the rows. Context: process, may sleep; serialised with kma_latency_reset(). NULL without
 * memory. Row 0 has the longest time.
 */
void *kma_latency_report_create(void);
void kma_latency_report_destroy(void *report);
size_t kma_latency_report_rows(const void *report);
void kma_latency_show_header(struct seq_file *m, const void *report);
void kma_latency_show_row(struct seq_file *m, const void *report, size_t row);

#endif /* KMA_LATENCY_TEXT_H */
