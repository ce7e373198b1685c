/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pinned_report.h - for each site, the slabs that its live objects keep.
 *
 * A slab, some pages that hold objects of one cache, goes back to the system
 * when its last object is freed. A site with few objects in many slabs that are
 * nearly empty holds more memory than its bytes say. Which slabs are these, how
 * full are they, and which are kept by this site alone?
 *
 * The survey (survey.h) shows each object and its slab. Two hash tables, of
 * slabs and of pairs of slab and site, sum them; then each pair adds its slab to
 * the row of its site. The tables have a fixed size, 3.5 MiB: if they get full,
 * everything is done again in two passes, in each of which the slabs with every
 * other hash are left out; or in four, and so on. A slab with all its objects is
 * in one pass, so the passes end as soon as each one fits.
 *
 * Objects that the account does not know, those from before it began, are not
 * among the objects, but the slab's own count has them. So the fill of a slab is
 * known by two numbers: the bytes of the objects that the account knows, and the
 * bytes that the slab counts as in use, among which are objects that wait in a
 * CPU's list to be given out.
 *
 * Objects of whole pages lie in no slab and keep nothing but themselves: they are
 * not here.
 */
#ifndef KMA_PINNED_H
#define KMA_PINNED_H

#include <linux/types.h>

struct seq_file;

/**
 * kma_pinned_create() - walk over the live objects and sum their slabs by site
 *
 * Context: process, may sleep; freezes the account for moments.
 * Return: the rows, to be released with kma_pinned_destroy(); ERR_PTR: -EOPNOTSUPP if the
 * way to a cache is not understood in this kernel, -ENOMEM,
 * or -ESTALE if the account began anew meanwhile.
 */
void *kma_pinned_create(void);

/**
 * kma_pinned_destroy() - release the rows
 * @pinned: the rows, or NULL
 */
void kma_pinned_destroy(void *pinned);

/**
 * kma_pinned_rows() - number of rows
 * @pinned: the rows
 *
 * Return: sites with an object in a slab, and one for all of them.
 */
size_t kma_pinned_rows(const void *pinned);

/**
 * kma_pinned_show_header() - print the first two lines of debugfs' pinned
 * @m: where to print
 * @pinned: not used
 *
 * Context: process.
 */
void kma_pinned_show_header(struct seq_file *m, const void *pinned);

/**
 * kma_pinned_show_row() - print one row of debugfs' pinned
 * @m: where to print
 * @pinned: the rows
 * @row: below kma_pinned_rows()
 *
 * Context: process, may sleep.
 */
void kma_pinned_show_row(struct seq_file *m, const void *pinned, size_t row);

#endif /* KMA_PINNED_H */
