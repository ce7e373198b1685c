// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat.c - statistics of durations.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/array.h"
#include "lib/map.h"
#include "stat.h"

#define MERGED UINT_MAX /* kind of a row that was added to another one */

struct kma_lat_rows {
	struct kma_arena arena;
	struct kma_map map;
	struct kma_lat_row **rows; /* by number of the map */
	uint32_t room, nr;	   /* elements of @rows; rows that are not merged */
};

/* The step of a duration. Below 16 ns each ns is a step; above, 16 steps for each power of two. */
static unsigned int step_of(uint64_t ns)
{
	const unsigned int last = KMA_LAT_POWERS * KMA_LAT_STEPS - 1;
	unsigned int power, step;

	if (ns < KMA_LAT_STEPS)
		return ns;
	power = 63 - __builtin_clzll(ns);
	step = (power - 3) * KMA_LAT_STEPS + (ns >> (power - 4)) - KMA_LAT_STEPS;
	return step < last ? step : last;
}

/* The longest duration of a step. */
static uint64_t step_end(unsigned int step)
{
	unsigned int power = step / KMA_LAT_STEPS + 3;

	if (step < KMA_LAT_STEPS)
		return step;
	return (((uint64_t)step % KMA_LAT_STEPS + KMA_LAT_STEPS + 1) << (power - 4)) - 1;
}

void kma_lat_stat_add(struct kma_lat_stat *stat, uint64_t ns)
{
	uint32_t *step = &stat->steps[step_of(ns)];

	if (!stat->calls++ || ns < stat->min)
		stat->min = ns;
	if (ns > stat->max)
		stat->max = ns;
	stat->total += ns;
	*step += *step != UINT32_MAX;
}

static void stat_merge(struct kma_lat_stat *stat, const struct kma_lat_stat *other)
{
	if (!other->calls)
		return;
	if (!stat->calls || other->min < stat->min)
		stat->min = other->min;
	if (other->max > stat->max)
		stat->max = other->max;
	stat->calls += other->calls;
	stat->total += other->total;
	for (unsigned int i = 0; i < KMA_LAT_POWERS * KMA_LAT_STEPS; i++)
		if (__builtin_add_overflow(stat->steps[i], other->steps[i], &stat->steps[i]))
			stat->steps[i] = UINT32_MAX;
}

uint64_t kma_lat_stat_percentile(const struct kma_lat_stat *stat, double percent)
{
	double rank = stat->calls * percent / 100;
	uint64_t seen = 0, end;

	for (unsigned int step = 0; step < KMA_LAT_POWERS * KMA_LAT_STEPS; step++) {
		seen += stat->steps[step];
		end = step_end(step);
		if (seen && seen >= rank)
			return end < stat->max ? end : stat->max;
	}
	return stat->max;
}

uint64_t kma_lat_stat_power(const struct kma_lat_stat *stat, unsigned int power)
{
	unsigned int from = power < 4 ? (1U << power) & ~1U : (power - 3) * KMA_LAT_STEPS;
	unsigned int end = power < 4 ? 2U << power : from + KMA_LAT_STEPS;
	uint64_t sum = 0;

	for (unsigned int step = from; step < end && step < KMA_LAT_POWERS * KMA_LAT_STEPS; step++)
		sum += stat->steps[step];
	return sum;
}

struct kma_lat_rows *kma_lat_rows_create(void)
{
	return kma_xcalloc(1, sizeof(struct kma_lat_rows));
}

void kma_lat_rows_destroy(struct kma_lat_rows *rows)
{
	if (!rows)
		return;
	kma_arena_deinit(&rows->arena);
	kma_map_free(&rows->map);
	free(rows->rows);
	free(rows);
}

struct kma_lat_row *kma_lat_rows_get(struct kma_lat_rows *rows, unsigned int of,
				     struct kma_lat_text text)
{
	struct kma_lat_row *row;
	uint32_t hash, number;

	if (text.len > KMA_LAT_MAX_TEXT)
		text.len = KMA_LAT_MAX_TEXT;
	hash = kma_map_text(text.str, text.len) ^ kma_map_number(of);
	number = kma_map_find(&rows->map, hash, i,
			      rows->rows[i]->of == of && rows->rows[i]->len == text.len &&
				      !memcmp(rows->rows[i]->text, text.str, text.len));
	if (number != KMA_MAP_NONE)
		return rows->rows[number];
	/* If the table is full, use the common row, which is created beyond the limit. */
	if (rows->nr >= KMA_LAT_MAX_ROWS && !kma_lat_is(&text, KMA_LAT_MORE_ROWS)) {
		text = (struct kma_lat_text){ KMA_LAT_MORE_ROWS, strlen(KMA_LAT_MORE_ROWS) };
		return kma_lat_rows_get(rows, of, text);
	}
	row = kma_arena_zalloc(&rows->arena, sizeof(*row));
	row->text = kma_arena_text(&rows->arena, text.str, text.len);
	row->of = of;
	row->len = text.len;
	number = kma_map_add(&rows->map, hash);
	kma_array_room(rows->rows, number, rows->room);
	rows->rows[number] = row;
	rows->nr++;
	return row;
}

void kma_lat_rows_rename(struct kma_lat_rows *rows, struct kma_lat_row *row,
			 struct kma_lat_text text)
{
	struct kma_lat_row *to = kma_lat_rows_get(rows, row->of, text);

	if (to == row)
		return;
	stat_merge(&to->stat, &row->stat);
	row->of = MERGED;
	rows->nr--;
}

static int row_compare(const void *a, const void *b)
{
	const struct kma_lat_row *x = *(const struct kma_lat_row *const *)a;
	const struct kma_lat_row *y = *(const struct kma_lat_row *const *)b;

	if (x->stat.total != y->stat.total)
		return x->stat.total < y->stat.total ? 1 : -1;
	return strcmp(x->text, y->text) ?: (x->of > y->of) - (x->of < y->of);
}

const struct kma_lat_row **kma_lat_rows_sorted(const struct kma_lat_rows *rows, unsigned int first,
					       unsigned int last, size_t *nr)
{
	const struct kma_lat_row **ret = kma_xcalloc(rows->nr + 1, sizeof(*ret));

	*nr = 0;
	for (uint32_t i = 0; i < rows->map.nr; i++)
		if (rows->rows[i]->of >= first && rows->rows[i]->of <= last)
			ret[(*nr)++] = rows->rows[i];
	qsort(ret, *nr, sizeof(*ret), row_compare);
	return ret;
}
