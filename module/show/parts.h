/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts.h - the debugfs file snapshot: a header with the times and the identity of the account,
 * then other files of the directory as sections.
 *
 * Opening the file copies all parts. The parts with the numbers of sites, classes and groups are
 * made of sums that are taken once, before memory is allocated for a copy (kma_sum_hold()), so the
 * bytes of all cgroups, or of all nodes, are the bytes of all sites. If a clear or on comes between
 * two copies, the open fails, so a snapshot never has parts of two accounts. A part that this
 * kernel does not support is a section without rows, whose header has the error.
 */
#ifndef KMA_PARTS_H
#define KMA_PARTS_H

#include <linux/types.h>

struct kma_rows;
struct seq_file;

#define KMA_PARTS_MAX	12

/**
 * struct kma_part - a file that is a section
 * @name: name of the section
 * @rows: functions that copy and print the file
 */
struct kma_part {
	const char *name;
	const struct kma_rows *rows;
};

/* Store the time at which the module was loaded. Context: process. */
void kma_parts_init(void);

/**
 * kma_parts_create() - copy all parts
 * @parts: the sections, in their order
 * @nr: number of sections, at most KMA_PARTS_MAX
 *
 * Context: process, may sleep.
 * Return: the copies, to be released with kma_parts_destroy(); ERR_PTR: -ESTALE if a clear
 * or on came in between, or the error of a part.
 */
void *kma_parts_create(const struct kma_part *parts, unsigned int nr);

/**
 * kma_parts_destroy() - release the copies
 * @parts: from kma_parts_create(), or NULL
 */
void kma_parts_destroy(void *parts);

/* Get the number of rows, including the headers of the sections. Return: the number. */
size_t kma_parts_rows(const void *parts);

/* Print the lines before the first section. Context: process. */
void kma_parts_show_header(struct seq_file *m, const void *parts);

/**
 * kma_parts_show_row() - print a row of a part, or the header of the part
 * @m: the file
 * @parts: the copies
 * @row: number of the row, below kma_parts_rows()
 *
 * Context: process, may sleep.
 */
void kma_parts_show_row(struct seq_file *m, const void *parts, size_t row);

#endif /* KMA_PARTS_H */
