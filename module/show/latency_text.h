/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latency_text.h - the waits that were booked, for a reader: sums by kind, rows, and
 * their text.
 *
 * The format is in Documentation/ABI/testing/debugfs-kmem_account.
 */
#ifndef KMA_LATENCY_TEXT_H
#define KMA_LATENCY_TEXT_H

#include <linux/types.h>

struct seq_file;

/**
 * kma_latency_report_create() - what was booked until now
 *
 * Each row is of one instant, and the sums are those of the rows.
 *
 * Context: process, may sleep; serialised with kma_latency_reset().
 * Return: the report, to be released with kma_latency_report_destroy(), or NULL.
 */
void *kma_latency_report_create(void);

/**
 * kma_latency_report_destroy() - release a report
 * @report: the report; may be NULL
 *
 * Context: process, may sleep.
 */
void kma_latency_report_destroy(void *report);

/**
 * kma_latency_report_rows() - number of its rows
 * @report: the report
 *
 * Return: the number.
 */
size_t kma_latency_report_rows(const void *report);

/**
 * kma_latency_show_header() - print the lines above the rows
 * @m: where to print
 * @report: the report
 */
void kma_latency_show_header(struct seq_file *m, const void *report);

/**
 * kma_latency_show_row() - print a row
 * @m: where to print
 * @report: the report
 * @row: its number; the one with the longest time is 0
 */
void kma_latency_show_row(struct seq_file *m, const void *report, size_t row);

#endif /* KMA_LATENCY_TEXT_H */
