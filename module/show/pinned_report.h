/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pinned_report.h - for each site, the slabs that its live objects keep.
 *
 * A slab is some pages that hold objects of one cache. It is released
 * when its last object is freed. A site with few objects in many nearly empty slabs
 * therefore holds more memory than its own bytes. The report shows for each site how many such
 * slabs there are, how full they are, and how many are kept by this site alone.
 *
 * The survey (survey.h) shows each object and its slab. Two hash tables, of
 * slabs and of pairs of a slab and a site, sum them; then each pair adds its slab to
 * the row of its site. The tables have a fixed size, 3.5 MiB. If one gets full,
 * the survey starts again in two passes, each of which takes half of the slabs, by a bit
 * of their hash; then in four, and so on. All objects of a slab are
 * in the same pass. The report is complete when each pass fits.
 *
 * The account does not know objects from before it began, but the slab's own count includes them.
 * The fill of a slab is therefore shown by two numbers: the bytes of the objects that the account
 * knows, and the bytes that the slab counts as in use. The latter include objects that
 * a CPU keeps for its next allocations.
 *
 * Objects of whole pages are not in a slab and keep no other memory, so they are
 * not in the report.
 */
#ifndef KMA_PINNED_H
#define KMA_PINNED_H

#include <linux/types.h>

struct seq_file;

/*
 * Walk over the live objects and sum their slabs by site; freezes the account for moments. Released
 * with kma_pinned_destroy(). ERR_PTR: -EOPNOTSUPP if the module does not know how this kernel links
 * an object to its cache, -ENOMEM, or -ESTALE if another account has begun during the walk.
 */
void *kma_pinned_create(void);
void kma_pinned_destroy(void *pinned);

/* The number of sites with an object in a slab, plus one for the row of all slabs. */
size_t kma_pinned_rows(const void *pinned);

void kma_pinned_show_header(struct seq_file *m, const void *pinned);
void kma_pinned_show_row(struct seq_file *m, const void *pinned, size_t row);

#endif /* KMA_PINNED_H */
