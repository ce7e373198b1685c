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

struct kma_latency_report;
struct seq_file;

/**
 * kma_latency_report_create() - what was booked until now
 *
 * Each row is of one instant, and the sums are those of the rows.
 *
 * Context: process, may sleep; serialised with kma_latency_reset().
 * Return: the report, to be released with kma_latency_report_destroy(), or NULL.
 */
struct kma_latency_report *kma_latency_report_create(void);

/**
 * kma_latency_report_destroy() - release a report
 * @r: the report; may be NULL
 *
 * Context: process, may sleep.
 */
void kma_latency_report_destroy(struct kma_latency_report *r);

/**
 * kma_latency_report_rows() - number of its rows
 * @r: the report
 *
 * Return: the number.
 */
unsigned int kma_latency_report_rows(const struct kma_latency_report *r);

/**
 * kma_latency_show_header() - print the lines above the rows
 * @m: where to print
 * @r: the report
 */
void kma_latency_show_header(struct seq_file *m,
			     const struct kma_latency_report *r);

/**
 * kma_latency_show_row() - print a row
 * @m: where to print
 * @r: the report
 * @row: its number; the one with the longest time is 0
 */
void kma_latency_show_row(struct seq_file *m,
			  const struct kma_latency_report *r, unsigned int row);

#endif /* KMA_LATENCY_TEXT_H */
