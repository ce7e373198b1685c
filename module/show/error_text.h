/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * error_text.h - the text of the debugfs file errors.
 *
 * The format is in Documentation/ABI/testing/debugfs-kmem_account.
 */
#ifndef KMA_ERROR_TEXT_H
#define KMA_ERROR_TEXT_H

#include <linux/types.h>

struct seq_file;

void kma_errors_show_header(struct seq_file *m);

/*
 * @shown: the reader may see addresses. Context: process, may sleep; serialised with
 * kma_errors_reset().
 */
void kma_errors_show_row(struct seq_file *m, unsigned int row, bool shown);

/* Print the lines of the debugfs file stats about errors. */
void kma_errors_show_stats(struct seq_file *m);

#endif /* KMA_ERROR_TEXT_H */
