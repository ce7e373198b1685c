// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-judge.c - judge the call sites of a series, as rows of a table.
 */
#include <stdlib.h>
#include <string.h>

#include "leaks-judge.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "model/leak-part.h"
#include "model/leak-reasons.h"
#include "session/suspects.h"

/* Sets the remarks of rows, which are sorted by caller. */
static void leaks_remark(struct kma_leak_table *table)
{
	struct kma_leak_row *rows = table->rows;

	for (size_t i = 0, next; i < table->nr; i = next) {
		bool several = false;

		for (next = i; next < table->nr && !strcmp(rows[i].caller, rows[next].caller);
		     next++)
			several |= rows[next].site->kind != rows[i].site->kind;
		for (size_t n = i; n < next; n++)
			rows[n].remark = several ? kma_kind_remarks[rows[n].site->kind] : "";
	}
}

/* Makes the reasons of a row. @beside: its verdict between the runs of the workload; or NULL. */
static void judge_reasons(const struct kma_leak_table *table, const struct kma_leak_result *beside,
			  struct kma_leak_row *row)
{
	/* the control may change the verdict: the reasons are those of the verdict that stays */
	const char *why = beside ? kma_leak_control(&row->result, beside) : NULL;

	kma_leak_reasons(&row->result, &row->reasons);
	if (why)
		kma_strbuf_printf(&row->reasons, "; %s", why);
	if (why &&
	    (row->result.verdict == KMA_LEAK_GROWING || row->result.verdict == KMA_LEAK_CACHE))
		kma_strbuf_printf(&row->reasons, " (%+.0f B a run)",
				  beside->evidence.slope.slope * kma_leaks_unit(table));
}

void kma_leaks_judge(struct kma_leak_table *table, const struct kma_leak_series *series,
		     double floor, bool parts, const struct kma_workload_turns *turns)
{
	_cleanup_free_ struct kma_suspect *list = NULL, *control = NULL;
	size_t nr;

	table->samples = turns ? turns->nr + 1 : kma_leak_series_nr(series);
	if (turns)
		control = kma_suspects_judge(series, floor, parts, turns->control, &nr);
	list = kma_suspects_judge(series, floor, parts, turns ? turns->own : NULL, &nr);
	table->rows = kma_xcalloc(nr + 1, sizeof(*table->rows));
	for (size_t i = 0; i < nr; i++) {
		struct kma_leak_row *row = &table->rows[table->nr++];

		row->result = list[i].result;
		row->oldest = list[i].site->age ? list[i].site->age->oldest : 0;
		row->site = list[i].site;
		row->caller = list[i].site->caller;
		/* a site that not all samples tell of has none in a workload's turns */
		if (table->covers < row->result.evidence.covers)
			table->covers = row->result.evidence.covers;
		judge_reasons(table, control ? &control[i].result : NULL, row);
		table->counts[row->result.verdict]++;
	}
	leaks_remark(table);
}

static int leaks_by_rank(const void *a, const void *b)
{
	const struct kma_leak_row *x = a, *y = b;
	double p = x->result.evidence.slope.slope, q = y->result.evidence.slope.slope;

	if (x->result.verdict != y->result.verdict)
		return (int)x->result.verdict - (int)y->result.verdict;
	if (p != q)
		return p < q ? 1 : -1;
	return strcmp(x->caller, y->caller) ?: (int)x->site->kind - (int)y->site->kind;
}

void kma_leaks_rank(struct kma_leak_table *table)
{
	if (table->nr)
		qsort(table->rows, table->nr, sizeof(*table->rows), leaks_by_rank);
}

void kma_leak_table_deinit(struct kma_leak_table *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		kma_strbuf_deinit(&table->rows[i].label);
		kma_strbuf_deinit(&table->rows[i].reasons);
		kma_strbuf_deinit(&table->rows[i].sentence);
	}
	free(table->rows);
	kma_strbuf_deinit(&table->only);
}
