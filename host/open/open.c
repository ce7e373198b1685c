// SPDX-License-Identifier: GPL-2.0-only
/*
 * open.c - find out what an argument is, and read its accounts.
 *
 * A directory is a history if it has the marker. Any other input is opened, and its first bytes
 * tell what it is; SQLite then opens a DB file by its name, or a copy of one that is compressed or
 * comes through a pipe.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/db.h"
#include "input/progress.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/module-files.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "model/regroup.h"
#include "open.h"
#include "past.h"
#include "reader/modtable.h"
#include "reader/reader.h"
#include "refuse.h"

#define HEAD 64 /* bytes that are enough to know what an input is */

static const char interrupted[] = "interrupted; the output covers only the input read before that";

/* A series that kma_open_kind() has opened. */
static struct kma_series *opened[2];

static struct kma_series *take_opened(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(opened); i++) {
		struct kma_series *series = opened[i];

		if (!series || strcmp(series->name, name))
			continue;
		opened[i] = NULL;
		return series;
	}
	return NULL;
}

static struct kma_err *probe(struct kma_series *series)
{
	struct kma_err *err;
	const char *head;
	size_t len;

	if (kma_file_is_dir(series->ref.path)) {
		series->kind = kma_history_is(series->ref.path) ? KMA_SERIES_HISTORY :
								  KMA_SERIES_DIR;
		return NULL;
	}
	err = kma_input_open(series->ref.path, &series->input);
	if (err)
		return err;
	err = kma_input_peek(series->input, HEAD, &head, &len);
	if (err)
		return err;
	if (kma_db_probe(head, len))
		series->kind = KMA_SERIES_DB;
	else if (kma_modtable_is_only(head, len))
		series->kind = KMA_SERIES_TABLE;
	else if (len >= 4 && !memcmp(head, "\177ELF", 4))
		series->kind = KMA_SERIES_ELF;
	return NULL;
}

struct kma_err *kma_open(const char *name, struct kma_series **ret)
{
	struct kma_series *series = take_opened(name);
	struct kma_err *err;

	*ret = series;
	if (series)
		return NULL;
	series = kma_xcalloc(1, sizeof(*series));
	series->name = kma_xstrdup(name);
	err = kma_db_ref_parse(name, &series->ref) ?: probe(series);
	if (err)
		kma_close(series);
	else
		*ret = series;
	return err;
}

enum kma_series_kind kma_open_kind(const char *name)
{
	struct kma_series *series;
	enum kma_series_kind kind;
	struct kma_err *err;

	if (!kma_file_is_dir(name) && !kma_file_is_regular(name))
		return KMA_SERIES_ACCOUNT;
	err = kma_open(name, &series);
	if (err) {
		kma_err_destroy(err);
		return KMA_SERIES_ACCOUNT;
	}
	kind = series->kind;
	for (size_t i = 0; i < ARRAY_SIZE(opened); i++)
		if (!opened[i]) {
			opened[i] = series;
			return kind;
		}
	kma_close(series);
	return kind;
}

bool kma_series_stopped(const struct kma_input *input)
{
	if (kma_input_stopped())
		kma_warn("%s: %s", kma_input_name(input), interrupted);
	return kma_input_stopped();
}

/* Can SQLite open a DB file by its name? */
static bool has_name(const struct kma_series *series)
{
	const char *text;
	size_t len;

	return !series->input ||
	       (strcmp(series->ref.path, "-") && kma_input_text(series->input, &text, &len));
}

static struct kma_err *read_db(struct kma_series *series, const char *label,
			       struct kma_account **ret)
{
	struct kma_db_ref ref = { .path = series->ref.path, .label = (char *)label };
	const char *name = NULL, *path;
	struct kma_err *err;

	if (series->wish.events.is)
		return kma_refuse_events_of_db(series);
	if (!has_name(series)) {
		err = kma_input_path(series->input, &path);
		if (err)
			return err;
		name = kma_input_name(series->input);
		ref.path = (char *)path;
	}
	return kma_db_load(&ref, name, &series->snapshot, ret);
}

/* "#2", "kmemleak" or "kmemleak#2": some reports of a text. False: the label is another one. */
static bool part_of(struct kma_series *series)
{
	struct kma_reports *reports = &series->reports;
	const char *label = series->ref.label, *number;

	if (series->kind != KMA_SERIES_ACCOUNT || series->wish.db || !label)
		return false;
	number = strchr(label, '#');
	if (number) {
		reports->part = strtoul(number + 1, NULL, 10);
		if (!reports->part || strspn(number + 1, "0123456789") != strlen(number + 1))
			return false;
	}
	if (number == label)
		return true;
	reports->format =
		kma_reader_format(label, number ? (size_t)(number - label) : strlen(label));
	return reports->format;
}

/*
 * Reads an input that is not a directory: the reports of a text, or the one account of any other
 * input.
 */
static struct kma_err *read_input(struct kma_series *series)
{
	const struct kma_series_wish *wish = &series->wish;
	struct kma_reports *reports = &series->reports;
	struct kma_input *input = series->input;
	struct kma_account *account = NULL;
	struct kma_progress progress;
	struct kma_err *err;

	/* a directory that is no history: the error says what is missing */
	if (!input)
		return kma_history_refuse(series->ref.path) ?: kma_refuse_not_db(series);
	if (series->kind != KMA_SERIES_DB && (series->ref.label || wish->db) && !part_of(series))
		return kma_refuse_not_db(series);
	if (wish->page_size & (wish->page_size - 1))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "--page-size: not a power of two");
	if (wish->all)
		reports->keep = KMA_REPORTS_ALL;
	kma_input_set_reports(input, reports);
	kma_input_set_page_size(input, wish->page_size);
	kma_input_set_interval(input, &wish->events);
	kma_input_set_tasks(input, wish->tasks);
	kma_input_set_cgroups(input, wish->cgroups);
	kma_progress_begin(&progress, input, wish->quiet);
	err = series->kind == KMA_SERIES_DB ? read_db(series, series->ref.label, &account) :
					      kma_reader_read(input, &account);
	kma_progress_end(&progress);
	if (err)
		return err;
	/* As a warning of the account it is also saved in a DB file. */
	if (kma_input_stopped())
		kma_account_warn(account, "%s", interrupted);
	kma_reports_add_last(reports, account);
	if (reports->part > reports->nr)
		return kma_err_create(kma_input_name(input), 0, "no report %u (%u %s)",
				      reports->part, reports->nr,
				      kma_plural(reports->nr, "report", "reports"));
	kma_input_close(input);
	series->input = NULL;
	series->state = KMA_SERIES_REPORTS;
	return NULL;
}

struct kma_err *kma_series_pair(struct kma_series *series, bool *ret)
{
	struct kma_err *err;

	*ret = false;
	if (series->kind != KMA_SERIES_ACCOUNT)
		return NULL;
	series->reports.keep = KMA_REPORTS_ENDS;
	err = read_input(series);
	if (kma_err_is(err, KMA_ERR_NOT_FOUND) && !series->reports.nr) {
		kma_err_destroy(err);
		return NULL;
	}
	*ret = series->reports.nr > 1 && !series->reports.part;
	if (*ret)
		kma_notes_add(&series->notes, "%s: %u reports; the first and the last are compared",
			      series->name, series->reports.nr);
	return err;
}

/* The next sample of a history, as rows by group if the wish says so. */
static struct kma_err *next_sample(struct kma_series *series, struct kma_account **ret)
{
	enum kma_grouped by = series->wish.groups;
	struct kma_account *sample, *rows = NULL;
	struct kma_err *err;

	for (;;) {
		err = kma_history_walk_next(&series->walk, &sample);
		if (err)
			return err;
		if (!sample || !by || kma_account_groups(sample, by))
			break;
		series->left_out++;
		kma_account_destroy(sample);
	}
	if (!sample && series->left_out) {
		if (series->left_out == series->walk.taken)
			return kma_refuse_no_groups(series->ref.path, by);
		kma_note_left_out(series);
	}
	if (sample && by) {
		err = kma_regroup(sample, by, &rows);
		if (err || rows)
			kma_account_destroy(sample);
		sample = err ? NULL : rows ?: sample;
	}
	*ret = sample;
	return err;
}

static struct kma_err *begin_walk(struct kma_series *series)
{
	uint64_t begin, end, oldest, newest;
	struct kma_err *err;
	size_t nr;

	if (series->wish.groups == KMA_GROUPED_TASK)
		return kma_refuse_tasks(series);
	err = kma_past_open(series)					       ?:
		      kma_history_span(series->history, &oldest, &newest, &nr) ?:
		      kma_past_interval(&series->wish, newest, &begin, &end);
	if (err)
		return err;
	return kma_history_walk_begin(series->history, begin, end, series->wish.max, &series->walk);
}

static void end_walk(struct kma_series *series)
{
	struct kma_history *history = series->history;

	kma_history_walk_end(&series->walk);
	series->walk = (struct kma_history_walk){ 0 };
	series->history = NULL;
	if (history) {
		series->damaged += history->nr_damaged;
		kma_notes_move(&history->damage, &series->notes);
	}
	kma_history_close(history);
}

/* Decides how the accounts are read; see open.h for what a name can stand for. */
static struct kma_err *begin(struct kma_series *series)
{
	const struct kma_series_wish *wish = &series->wish;
	bool named = series->ref.label || wish->at, all = wish->all && !named;

	series->state = KMA_SERIES_INPUT;
	if (all && series->kind == KMA_SERIES_DB && has_name(series)) {
		series->state = KMA_SERIES_LIST;
		return kma_db_list(series->ref.path, &series->list, &series->nr_list);
	}
	if (wish->db || !(all || named || series->kind == KMA_SERIES_HISTORY) ||
	    !kma_series_has_past(series))
		return NULL;
	if (wish->events.is)
		return kma_refuse_events_of_history(series);
	if (!all) {
		series->state = KMA_SERIES_ONE;
		return NULL;
	}
	series->state = KMA_SERIES_WALK;
	return begin_walk(series);
}

struct kma_err *kma_series_next(struct kma_series *series, struct kma_account **ret)
{
	_cleanup_free_ char *label = NULL;
	const struct kma_series_wish *wish = &series->wish;
	struct kma_err *err = NULL;

	*ret = NULL;
	kma_snapshot_deinit(&series->snapshot);
	if (series->state == KMA_SERIES_BEGIN)
		err = begin(series);
	switch (series->state) {
	case KMA_SERIES_LIST:
		if (err || series->nr == series->nr_list) {
			series->state = KMA_SERIES_END;
			return err;
		}
		label = kma_xasprintf("#%lld", (long long)series->list[series->nr++].id);
		return read_db(series, label, ret);
	case KMA_SERIES_ONE:
		series->state = KMA_SERIES_END;
		return err ?: kma_past_one(series, ret);
	case KMA_SERIES_WALK:
		err = err ?: next_sample(series, ret);
		if (*ret)
			return NULL;
		end_walk(series);
		series->state = KMA_SERIES_END;
		if (err || !wish->own || wish->from || wish->to || !series->input)
			return err;
		break;
	case KMA_SERIES_INPUT:
		series->state = KMA_SERIES_END;
		if (err)
			return err;
		break;
	case KMA_SERIES_REPORTS:
		*ret = kma_reports_take(&series->reports);
		return NULL;
	default:
		return NULL;
	}
	err = read_input(series);
	if (err)
		return err;
	*ret = kma_reports_take(&series->reports);
	return NULL;
}

const char *kma_open_own(void)
{
	/* The snapshot has all tables of one moment; older modules have none. */
	static const char *const files[] = { KMA_FILE_SNAPSHOT, KMA_FILE_SITES, KMA_FILE_ACCOUNT };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (!access(files[i], R_OK))
			return files[i];
	return NULL;
}

struct kma_err *kma_open_own_or_refuse(const char *command, const char **ret)
{
	*ret = kma_open_own();
	return *ret ? NULL : kma_refuse_nothing(command);
}
