/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * error_text.h - the text of debugfs' errors.
 *
 * The format is in Documentation/ABI/testing/debugfs-kmem_account.
 */
#ifndef KMA_ERROR_TEXT_H
#define KMA_ERROR_TEXT_H

#include <linux/types.h>

struct seq_file;

/**
 * kma_errors_show_header() - print the first two lines of debugfs' errors
 * @m: where to print
 */
void kma_errors_show_header(struct seq_file *m);

/**
 * kma_errors_show_row() - print a row
 * @m: where to print
 * @row: its number
 * @shown: the reader may see addresses
 *
 * Context: process, may sleep; serialised with kma_errors_reset().
 */
void kma_errors_show_row(struct seq_file *m, unsigned int row, bool shown);

/**
 * kma_errors_show_stats() - print the errors' lines of debugfs' stats
 * @m: where to print
 *
 * Context: process.
 */
void kma_errors_show_stats(struct seq_file *m);

#endif /* KMA_ERROR_TEXT_H */
