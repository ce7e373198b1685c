// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-times.c - the numbers of a page over time.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "page-code.h"
#include "page-times.h"

static size_t kma_page_leaves(const struct kma_page_rows *rows)
{
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++)
		nr += rows->rows[i].leaf;
	return nr;
}

void kma_page_times_init(struct kma_page_times *times, const struct kma_page_rows *rows,
			 const struct kma_chart_times *all)
{
	struct kma_values *values;

	*times = (struct kma_page_times){ .chart = all, .nr_leaves = kma_page_leaves(rows) };
	if (!all)
		return;
	times->values = kma_xcalloc(all->nr * times->nr_leaves + 1, sizeof(*times->values));
	times->nr = all->nr;
	values = times->values;
	for (size_t point = 0; point < times->nr; point++) {
		all->use(all->arg, point);
		for (size_t i = 0; i < rows->nr; i++) {
			const struct kma_page_row *row = &rows->rows[i];

			if (!row->leaf)
				continue;
			for (size_t leaf = 0; leaf < row->nr_leaves; leaf++)
				kma_values_add(values, &rows->leaves[row->first + leaf]->values);
			values++;
		}
	}
}

void kma_page_times_deinit(struct kma_page_times *times)
{
	free(times->values);
}

void kma_page_times_points(const struct kma_page_times *times, struct kma_strbuf *out)
{
	if (!times->nr)
		return;
	kma_page_key(out, "times");
	for (size_t point = 0; point < times->nr; point++) {
		const struct kma_chart_time *time = times->chart->at(times->chart->arg, point);

		kma_strbuf_printf(out, "%s{\"ms\":%" PRIu64 ",\"name\":", point ? ",\n" : "[",
				  time->ns / 1000000);
		kma_escape_json(out, time->name);
		if (time->lost)
			kma_strbuf_printf(out, ",\"lost\":%" PRIu64, time->lost);
		kma_strbuf_puts(out, time->begins ? ",\"begins\":true}" : "}");
	}
	kma_strbuf_puts(out, "]");
}

/* Encodes a difference without a sign: even numbers are increases, odd ones decreases. */
static uint64_t kma_page_step(uint64_t to, uint64_t from)
{
	return to >= from ? (to - from) << 1 : ((from - to) << 1) - 1;
}

void kma_page_times_back(const struct kma_page_times *times, kma_page_number_fn get,
			 const void *arg, struct kma_strbuf *out)
{
	if (!times->nr)
		return;
	kma_page_key(out, "back");
	kma_strbuf_puts(out, "[");
	for (size_t point = times->nr - 1; point > 0; point--) {
		const struct kma_values *after = &times->values[point * times->nr_leaves];
		const struct kma_values *before = after - times->nr_leaves;
		struct kma_page_column column;

		kma_strbuf_puts(out, point + 1 < times->nr ? "," : "");
		column = kma_page_column_begin(out);
		for (size_t i = 0; i < times->nr_leaves; i++)
			kma_page_column_add(&column, kma_page_step(get(arg, &before[i]),
								   get(arg, &after[i])));
		kma_page_column_end(&column);
	}
	kma_strbuf_puts(out, "]");
}
