// SPDX-License-Identifier: GPL-2.0-only
/*
 * series.c - the accounts that an input has, and what it is.
 */
#include <stdlib.h>
#include <string.h>

#include "store/db.h"
#include "lib/say.h"
#include "series.h"

void kma_close(struct kma_series *series)
{
	if (!series)
		return;
	kma_history_walk_end(&series->walk);
	kma_history_close(series->history);
	kma_input_close(series->input);
	kma_db_list_free(series->list, series->nr_list);
	kma_reports_deinit(&series->reports);
	kma_snapshot_deinit(&series->snapshot);
	kma_notes_deinit(&series->notes);
	kma_db_ref_deinit(&series->ref);
	free(series->name);
	free(series);
}

bool kma_series_has_past(const struct kma_series *series)
{
	const char *text;
	size_t len;

	if (series->kind == KMA_SERIES_HISTORY || series->history)
		return true;
	/* As from a pipe: the standard input is read once. */
	return series->kind == KMA_SERIES_ACCOUNT && series->input &&
	       strcmp(series->ref.path, "-") && kma_input_text(series->input, &text, &len) &&
	       kma_pack_in(text, len);
}

void kma_series_again(struct kma_series *series, uint64_t at)
{
	series->wish.at = at;
	series->state = KMA_SERIES_BEGIN;
}

void kma_series_say(struct kma_series *series)
{
	for (const char *note = NULL; (note = kma_notes_next(&series->notes, note));)
		kma_warn("%s", note);
	kma_notes_deinit(&series->notes);
}
