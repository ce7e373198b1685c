// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat.c - statistics of durations.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/arena.h"
#include "stat.h"

#define KMA_LAT_BUCKETS 4096

struct kma_lat_rows {
	struct kma_arena arena;
	size_t nr;
	struct kma_lat_row *buckets[KMA_LAT_BUCKETS];
};

/* The step of a duration. Below 16 ns each ns is a step; above, 16 steps for each power of two. */
static unsigned int kma_lat_step(uint64_t ns)
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
static uint64_t kma_lat_step_end(unsigned int step)
{
	unsigned int power = step / KMA_LAT_STEPS + 3;

	if (step < KMA_LAT_STEPS)
		return step;
	return (((uint64_t)step % KMA_LAT_STEPS + KMA_LAT_STEPS + 1) << (power - 4)) - 1;
}

void kma_lat_stat_add(struct kma_lat_stat *stat, uint64_t ns)
{
	uint32_t *step = &stat->steps[kma_lat_step(ns)];

	if (!stat->calls++ || ns < stat->min)
		stat->min = ns;
	if (ns > stat->max)
		stat->max = ns;
	stat->total += ns;
	*step += *step != UINT32_MAX;
}

void kma_lat_stat_merge(struct kma_lat_stat *stat, const struct kma_lat_stat *other)
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
		end = kma_lat_step_end(step);
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
	free(rows);
}

/* FNV-1a (Fowler, Noll, Vo), in steps of eight bytes, because each line waits for it. */
static uint64_t kma_lat_hash(unsigned int of, const struct kma_lat_text *text)
{
	uint64_t hash = 14695981039346656037ULL ^ of ^ (uint64_t)text->len << 32;
	uint64_t word;
	size_t i;

	for (i = 0; text->len - i >= sizeof(word); i += sizeof(word)) {
		memcpy(&word, text->str + i, sizeof(word));
		hash = (hash ^ word) * 1099511628211ULL;
		hash ^= hash >> 32;
	}
	for (; i < text->len; i++)
		hash = (hash ^ (unsigned char)text->str[i]) * 1099511628211ULL;
	return hash ^ hash >> 32;
}

struct kma_lat_row *kma_lat_rows_get(struct kma_lat_rows *rows, unsigned int of,
				     struct kma_lat_text text)
{
	struct kma_lat_row *row, **bucket;
	unsigned int hash;

	if (text.len > KMA_LAT_MAX_TEXT)
		text.len = KMA_LAT_MAX_TEXT;
	hash = kma_lat_hash(of, &text);
	bucket = &rows->buckets[hash % KMA_LAT_BUCKETS];
	for (row = *bucket; row; row = row->next)
		if (row->hash == hash && row->of == of && row->len == text.len &&
		    !memcmp(row->text, text.str, text.len))
			return row;
	/* If the table is full, use the common row, which is created beyond the limit. */
	if (rows->nr >= KMA_LAT_MAX_ROWS && !kma_lat_is(&text, KMA_LAT_MORE_ROWS)) {
		text = (struct kma_lat_text){ KMA_LAT_MORE_ROWS, strlen(KMA_LAT_MORE_ROWS) };
		return kma_lat_rows_get(rows, of, text);
	}
	row = kma_arena_zalloc(&rows->arena, sizeof(*row));
	row->text = kma_arena_text(&rows->arena, text.str, text.len);
	row->of = of;
	row->hash = hash;
	row->len = text.len;
	row->next = *bucket;
	*bucket = row;
	rows->nr++;
	return row;
}

void kma_lat_rows_rename(struct kma_lat_rows *rows, struct kma_lat_row *row,
			 struct kma_lat_text text)
{
	struct kma_lat_row **at = &rows->buckets[row->hash % KMA_LAT_BUCKETS];
	struct kma_lat_row *to = kma_lat_rows_get(rows, row->of, text);

	if (to == row)
		return;
	kma_lat_stat_merge(&to->stat, &row->stat);
	while (*at != row)
		at = &(*at)->next;
	*at = row->next;
	rows->nr--;
}

static int kma_lat_row_compare(const void *a, const void *b)
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
	for (unsigned int i = 0; i < KMA_LAT_BUCKETS; i++)
		for (const struct kma_lat_row *row = rows->buckets[i]; row; row = row->next)
			if (row->of >= first && row->of <= last)
				ret[(*nr)++] = row;
	qsort(ret, *nr, sizeof(*ret), kma_lat_row_compare);
	return ret;
}
