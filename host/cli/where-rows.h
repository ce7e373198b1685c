/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * where-rows.h - where all memory of a machine is, as rows that add up to MemTotal: for where and
 * doctor. A command adds its own rows for slab and per-CPU memory between kma_where_meminfo() and
 * kma_where_rest().
 *
 * Locking: none.
 */
#ifndef KMA_CLI_WHERE_ROWS_H
#define KMA_CLI_WHERE_ROWS_H

#include "reader/memory.h"

/* Owner of the memory that no other row has. */
#define KMA_WHERE_UNEXPLAINED "[unexplained]"

/* Texts are not copied. */
struct kma_where_row {
	const char *group; /* "slab" */
	const char *owner; /* "[before]", or a call site */
	uint64_t bytes;	   /* absolute value */
	bool negative;	   /* @bytes is subtracted from the sum */
};

struct kma_where_rows {
	struct kma_where_row *rows;
	size_t nr, room;
};

void kma_where_add(struct kma_where_rows *rows, const char *group, const char *owner,
		   uint64_t bytes);

/*
 * Adds the lines of meminfo that are not slab, per-CPU or free memory. @here: it is of the running kernel,
 * which is asked whether a balloon is in MemTotal; of another machine that is not known.
 */
void kma_where_meminfo(const struct kma_meminfo *meminfo, bool here, struct kma_where_rows *rows);

/* Adds free memory, and the row that makes the sum equal to MemTotal. */
void kma_where_rest(const struct kma_meminfo *meminfo, struct kma_where_rows *rows);

/* Largest first. */
void kma_where_sort(struct kma_where_rows *rows);

/* 0 if @b is larger: the numbers of a file are of different moments. */
static inline uint64_t kma_where_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif /* KMA_CLI_WHERE_ROWS_H */
