/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-cgroups.h - the bytes of each cgroup in the rows of top.
 *
 * The live bytes of a row and those of its cgroups come from two tables of the module, which are
 * printed one after the other. They differ by the bytes that were allocated or freed in between.
 */
#ifndef KMA_VIEW_SCREEN_TOP_CGROUPS_H
#define KMA_VIEW_SCREEN_TOP_CGROUPS_H

#include "top.h"

/* The cgroup with the most bytes of a row. */
struct kma_top_largest {
	const char *cgroup; /* belongs to the rates; NULL: no cgroup has bytes */
	uint64_t live;	    /* its bytes */
};

/* An array, to be freed, with the largest cgroup of each row. @query is that of the rows. */
struct kma_top_largest *kma_top_largest_of(const struct kma_top_row *rows, size_t nr,
					   const struct kma_top_facts *facts,
					   const struct kma_top_query *query);

/*
 * Makes a row for each cgroup, or each call site (@by), of @row, which is of @query. @from has the
 * sites; for cgroups those by call site and cgroup.
 */
void kma_top_parts_init(struct kma_top_rows *rows, const struct kma_rates *from, enum kma_key_id by,
			const struct kma_top_query *query, const struct kma_top_row *row);

#endif /* KMA_VIEW_SCREEN_TOP_CGROUPS_H */
