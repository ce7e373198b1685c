/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts.h - debugfs' snapshot: a header with the times and the identity of the account, then
 * other files of the folder, one after the other, as sections.
 *
 * Opening the file takes the copies of all parts. A clear or on between two of them is an
 * error: parts of two accounts never stand in one snapshot. A part that this kernel cannot
 * have is a section without rows, and the header says the error.
 */
#ifndef KMA_PARTS_H
#define KMA_PARTS_H

#include <linux/types.h>

struct kma_rows;
struct seq_file;

#define KMA_PARTS_MAX	12

/**
 * struct kma_part - a file that is a section
 * @name: of the section
 * @rows: what it prints
 */
struct kma_part {
	const char *name;
	const struct kma_rows *rows;
};

/**
 * kma_parts_init() - remember when the module was loaded
 *
 * Context: process.
 */
void kma_parts_init(void);

/**
 * kma_parts_create() - take the copies of all parts
 * @parts: the sections, in their order
 * @nr: how many; at most KMA_PARTS_MAX
 *
 * Context: process, may sleep.
 * Return: the copies, to be released with kma_parts_destroy(); ERR_PTR: -ESTALE if a clear
 * or on came in between, or what a part said.
 */
void *kma_parts_create(const struct kma_part *parts, unsigned int nr);

/**
 * kma_parts_destroy() - release the copies
 * @parts: from kma_parts_create(), or NULL
 */
void kma_parts_destroy(void *parts);

/**
 * kma_parts_rows() - number of rows, those that begin a section included
 * @parts: the copies
 *
 * Return: the number.
 */
size_t kma_parts_rows(const void *parts);

/**
 * kma_parts_show_header() - print the lines before the first section
 * @m: where to print
 * @parts: the copies
 *
 * Context: process.
 */
void kma_parts_show_header(struct seq_file *m, const void *parts);

/**
 * kma_parts_show_row() - print a row of a part, or what begins the part
 * @m: where to print
 * @parts: the copies
 * @row: below kma_parts_rows()
 *
 * Context: process, may sleep.
 */
void kma_parts_show_row(struct seq_file *m, const void *parts, size_t row);

#endif /* KMA_PARTS_H */
