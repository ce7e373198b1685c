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

/* A section, and the functions that copy and print it. */
struct kma_part {
	const char *name;
	const struct kma_rows *rows;
};

/* Store the time at which the module was loaded. */
void kma_parts_init(void);

/*
 * Copy @nr sections, at most KMA_PARTS_MAX, in their order. Context: process, may sleep. Released
 * with kma_parts_destroy(); ERR_PTR: -ESTALE if a clear or on came in between, or the error of a
 * part. The headers of the sections are rows, too.
 */
void *kma_parts_create(const struct kma_part *parts, unsigned int nr);
void kma_parts_destroy(void *parts);
size_t kma_parts_rows(const void *parts);
void kma_parts_show_header(struct seq_file *m, const void *parts);
void kma_parts_show_row(struct seq_file *m, const void *parts, size_t row);

#endif /* KMA_PARTS_H */
