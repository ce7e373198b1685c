// SPDX-License-Identifier: GPL-2.0-only
/*
 * show.c - print the results of an analysis. Tables, csv and JSON are printed from sheets
 * (view/text), which have columns for programs and columns for people.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/escape.h"
#include "lib/sheet.h"
#include "show.h"

#define BAR    40 /* columns of the longest bar */
#define BOUNDS 41 /* columns of the bounds and the number of calls before a bar */

struct rows {
	const struct kma_lat_row **rows;
	size_t nr;
};

static void list_free(struct rows *list)
{
	free(list->rows);
}

#define _cleanup_list_ _cleanup_(list_free)

static struct rows list_of(const struct kma_lat_report *report, unsigned int first,
			   unsigned int last)
{
	struct rows list = { 0 };

	list.rows = kma_lat_rows_sorted(kma_lat_rows(report->lat), first, last, &list.nr);
	return list;
}

static struct rows list_by(const struct kma_lat_report *report)
{
	static const unsigned int of[KMA_LAT_NR_BY] = {
		[KMA_LAT_BY_SHRINKER] = KMA_LAT_OF_SHRINKER,
		[KMA_LAT_BY_FUNCTION] = KMA_LAT_OF_FUNCTION,
	};

	if (of[report->by])
		return list_of(report, of[report->by], of[report->by]);
	return list_of(report, KMA_LAT_OF_BY, KMA_LAT_OF_BY + KMA_LAT_NR_CAUSES - 1);
}

/* The cause of a row whose key is requested; other rows have none. */
static const char *cause_of(const struct kma_lat_row *row)
{
	return row->of >= KMA_LAT_OF_BY ? kma_lat_cause_names[row->of - KMA_LAT_OF_BY] : NULL;
}

/* Durations may be this much longer than the difference of two times, which are rounded. */
#define ROUNDED 1000 /* ns */

/* The duration of the log, from the earliest to the latest line; 0: unknown. */
static uint64_t logged(const struct kma_lat_report *report)
{
	const struct kma_lat_sums *sums = kma_lat_sums(report->lat);
	uint64_t span = sums->has_time ? sums->last - sums->first : 0;

	/* A log that has only ends of functions is shorter than the calls that it has. */
	for (unsigned int i = 0; i < KMA_LAT_NR_CAUSES; i++)
		if (sums->causes[i].max > span + ROUNDED)
			return 0;
	return span;
}

/* Print the lines of the RFC, one for each function of a shrinker. */
static void seed(const struct kma_lat_report *report, struct kma_strbuf *out)
{
	_cleanup_list_ struct rows list =
		list_of(report, KMA_LAT_OF_SHRINKER_NAME, KMA_LAT_OF_SHRINKER_NAME);

	for (size_t i = 0; i < list.nr; i++) {
		const struct kma_lat_row *row = list.rows[i];

		kma_escape_plain(out, row->text);
		kma_strbuf_printf(out, " : total time = %.6f ms, max latency = %.6f ms\n",
				  row->stat.total / 1e6, row->stat.max / 1e6);
	}
}

/* The columns, some of which only programs have (min), and some only people (the end of the table). */
enum {
	KEY,
	CAUSE,
	CALLS,
	TOTAL,
	MIN,
	MEAN,
	MAX,
	P50,
	P90,
	P99,
	MAX_SHOWN,
	OF_LOG,
	NR_COLS,
};

#define RAW(label)                                    \
	{                                             \
		.name = label, .kind = KMA_CELL_COUNT \
	}
#define SHOWN(label, heading, cell, columns)                                               \
	{                                                                                  \
		.name = label, .title = heading, .kind = cell, .width = columns, .gap = 1, \
		.fixed = true                                                              \
	}

static const struct kma_sheet_column columns[NR_COLS] = {
	[KEY] = SHOWN(NULL, NULL, KMA_CELL_TEXT, 40),
	[CALLS] = SHOWN("calls", "CALLS", KMA_CELL_COUNT, 9),
	[TOTAL] = SHOWN("total_ns", "TOTAL ms", KMA_CELL_MS, 12),
	[MIN] = RAW("min_ns"),
	[MEAN] = SHOWN("mean_ns", "MEAN us", KMA_CELL_US, 11),
	[MAX] = RAW("max_ns"),
	[P50] = SHOWN("p50_ns", "P50 us", KMA_CELL_US, 11),
	[P90] = SHOWN("p90_ns", "P90 us", KMA_CELL_US, 11),
	[P99] = SHOWN("p99_ns", "P99 us", KMA_CELL_US, 11),
	[MAX_SHOWN] = SHOWN(NULL, "MAX us", KMA_CELL_US, 11),
};

/* Statistics as a sheet: rows of causes, followed by the rows of a list. */
struct stat_sheet {
	const struct kma_lat_sums *sums;
	unsigned int causes[KMA_LAT_NR_CAUSES]; /* causes that have calls */
	size_t nr_causes;
	const struct rows *list; /* NULL: only causes */
	uint64_t logged;	 /* duration of the log, ns; 0: unknown */
	struct kma_sheet_column columns[NR_COLS];
	struct kma_sheet sheet;
};

static const struct kma_lat_stat *stat_of(const struct stat_sheet *view, size_t i)
{
	return i < view->nr_causes ? &view->sums->causes[view->causes[i]] :
				     &view->list->rows[i - view->nr_causes]->stat;
}

static void cell(const void *arg, size_t i, size_t column, struct kma_cell *ret)
{
	const struct stat_sheet *view = arg;
	const struct kma_lat_stat *stat = stat_of(view, i);
	const struct kma_lat_row *row = i < view->nr_causes ? NULL :
							      view->list->rows[i - view->nr_causes];
	const char *cause = row ? cause_of(row) : NULL;

	switch (column) {
	case KEY:
		ret->text = row ? row->text : kma_lat_cause_names[view->causes[i]];
		if (cause) {
			snprintf(ret->scratch, sizeof(ret->scratch), " %s", cause);
			ret->after = ret->scratch;
		}
		break;
	case CAUSE:
		ret->text = cause;
		ret->none = !cause;
		break;
	case CALLS:
		ret->number = stat->calls;
		break;
	case TOTAL:
		ret->number = stat->total;
		break;
	case MIN:
		ret->number = stat->min;
		break;
	case MEAN:
		ret->number = stat->calls ? stat->total / stat->calls : 0;
		break;
	case P50:
		ret->number = kma_lat_stat_percentile(stat, 50);
		break;
	case P90:
		ret->number = kma_lat_stat_percentile(stat, 90);
		break;
	case P99:
		ret->number = kma_lat_stat_percentile(stat, 99);
		break;
	case OF_LOG:
		/* Tasks that wait at the same time all count: it may exceed 100 %. */
		ret->real = 100.0 * stat->total / view->logged;
		break;
	default:
		ret->number = stat->max;
	}
}

/*
 * Make a sheet. @key: name of the first column for programs; @title: its heading for people; @causes:
 * the causes are rows; @list: more rows, or NULL.
 */
static void sheet_init(struct stat_sheet *view, const struct kma_lat_report *report,
		       const char *key, const char *title, bool causes, const struct rows *list)
{
	*view = (struct stat_sheet){ .sums = kma_lat_sums(report->lat),
				     .list = list,
				     .logged = logged(report) };
	for (unsigned int i = 0; causes && i < KMA_LAT_NR_CAUSES; i++)
		if (view->sums->causes[i].calls)
			view->causes[view->nr_causes++] = i;
	memcpy(view->columns, columns, sizeof(columns));
	view->columns[KEY].name = key;
	view->columns[KEY].title = title;
	if (report->by >= KMA_LAT_BY_TASK)
		view->columns[CAUSE] =
			(struct kma_sheet_column){ .name = "cause", .optional = true };
	if (view->logged)
		view->columns[OF_LOG] = (struct kma_sheet_column)SHOWN("of_log_percent", "  OF LOG",
								       KMA_CELL_PERCENT, 8);
	view->sheet = (struct kma_sheet){ .columns = view->columns,
					  .nr_columns = NR_COLS,
					  .style = KMA_JSON_SPACED,
					  .cell = cell,
					  .arg = view,
					  .rows = view->nr_causes + (list ? list->nr : 0) };
}

static void table_rows(const struct kma_lat_report *report, const struct rows *list,
		       const char *title, struct kma_doc *doc)
{
	struct stat_sheet view;

	if (!list->nr)
		return;
	sheet_init(&view, report, NULL, title, false, list);
	view.sheet.ranked = true;
	kma_strbuf_puts(doc->out, "\n");
	kma_sheet_write(&view.sheet, doc);
}

/* Find the first and the last power of two of ns that has calls; false if none has. */
static bool powers(const struct kma_lat_stat *stat, unsigned int *first, unsigned int *last)
{
	*first = KMA_LAT_POWERS;
	*last = 0;
	for (unsigned int power = 0; power < KMA_LAT_POWERS; power++) {
		if (!kma_lat_stat_power(stat, power))
			continue;
		*first = *first < power ? *first : power;
		*last = power;
	}
	return *first < KMA_LAT_POWERS;
}

/* Columns of the longest bar of a histogram, which has BOUNDS before its bars. */
static size_t longest_bar(const struct kma_doc *doc)
{
	if (!doc->width || doc->width >= BOUNDS + BAR)
		return BAR;
	return doc->width > BOUNDS ? doc->width - BOUNDS : 1;
}

static void histogram(const char *name, const struct kma_lat_stat *stat, struct kma_doc *doc)
{
	size_t longest = longest_bar(doc);
	static const char bar[BAR + 1] = "########################################";
	unsigned int first, last;
	uint64_t most = 0;

	if (!powers(stat, &first, &last))
		return;
	for (unsigned int power = first; power <= last; power++)
		if (kma_lat_stat_power(stat, power) > most)
			most = kma_lat_stat_power(stat, power);
	kma_strbuf_printf(doc->out, "\n%s, us\n", name);
	for (unsigned int power = first; power <= last; power++) {
		uint64_t nr = kma_lat_stat_power(stat, power);

		kma_strbuf_printf(doc->out, "[%13.3f, %13.3f) %9" PRIu64 " %.*s\n",
				  power ? (1ULL << power) / 1e3 : 0.0, (2ULL << power) / 1e3, nr,
				  (int)((double)nr * longest / most + 0.5), bar);
	}
}

static const struct kma_sheet_column shares_columns[] = {
	SHOWN(NULL, "TIME OF ALLOCATIONS", KMA_CELL_TEXT, 40),
	SHOWN(NULL, "SHARE", KMA_CELL_TENTHS, 9),
	SHOWN(NULL, "TOTAL ms", KMA_CELL_MS, 12),
};

/* The shares that the log can contain. */
struct shares {
	const struct kma_lat_sums *sums;
	unsigned int shares[KMA_LAT_NR_SHARES];
	size_t nr;
};

static void shares_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct shares *view = arg;
	const struct kma_lat_sums *sums = view->sums;
	unsigned int share = view->shares[row];

	ret->text = column ? NULL : kma_lat_share_names[share];
	ret->number = sums->shares[share];
	ret->real = 100.0 * sums->shares[share] / sums->causes[KMA_LAT_ALLOC].total;
}

/* Print the causes of the time of allocations. */
static void table_shares(const struct kma_lat_sums *sums, struct kma_doc *doc)
{
	struct shares view = { .sums = sums };
	struct kma_sheet sheet = { .columns = shares_columns,
				   .nr_columns = ARRAY_SIZE(shares_columns),
				   .cell = shares_cell,
				   .arg = &view };

	if (!sums->causes[KMA_LAT_ALLOC].total)
		return;
	for (unsigned int i = 0; i < KMA_LAT_NR_SHARES; i++)
		if (kma_lat_share_known(sums, i))
			view.shares[view.nr++] = i;
	sheet.rows = view.nr;
	kma_strbuf_puts(doc->out, "\n");
	kma_sheet_write(&sheet, doc);
	for (unsigned int i = 0; i < KMA_LAT_NR_SHARES; i++) {
		const char *needs = kma_lat_share_needs(sums, i);

		if (needs)
			kma_strbuf_printf(doc->out, "%s: not in the log (needs %s)\n",
					  kma_lat_share_names[i], needs);
	}
}

static void table_losses(const struct kma_lat_report *report, struct kma_strbuf *out)
{
	const struct kma_lat_sums *sums = kma_lat_sums(report->lat);
	const char *newline = "\n";

	for (unsigned int i = 0; i < KMA_LAT_NR_LOSSES; i++) {
		if (!sums->losses[i])
			continue;
		kma_strbuf_printf(out, "%s%" PRIu64 " %s", newline, sums->losses[i],
				  kma_lat_loss_titles[i]);
		if (i == KMA_LAT_NOT_READ)
			kma_strbuf_printf(out, ", the first is line %" PRIu64, sums->first_bad);
		for (unsigned int c = 0; i == KMA_LAT_NO_END && c < KMA_LAT_NR_CAUSES; c++)
			if (sums->no_end[c])
				kma_strbuf_printf(out, "; %s: %" PRIu64, kma_lat_cause_names[c],
						  sums->no_end[c]);
		kma_strbuf_puts(out, "\n");
		newline = "";
	}
}

static void table_causes(const struct kma_lat_report *report, struct kma_doc *doc)
{
	struct stat_sheet view;

	sheet_init(&view, report, NULL, "CAUSE", true, NULL);
	kma_strbuf_puts(doc->out, "\n");
	kma_sheet_write(&view.sheet, doc);
	if (view.logged)
		kma_strbuf_printf(doc->out, "\n%.6f s from the first to the last time in the log\n",
				  view.logged / 1e9);
}

static void table(const struct kma_lat_report *report, struct kma_doc *doc)
{
	const struct kma_lat_sums *sums = kma_lat_sums(report->lat);
	_cleanup_list_ struct rows shrinkers =
		list_of(report, KMA_LAT_OF_SHRINKER, KMA_LAT_OF_SHRINKER);
	_cleanup_list_ struct rows functions =
		list_of(report, KMA_LAT_OF_FUNCTION, KMA_LAT_OF_FUNCTION);
	_cleanup_list_ struct rows by = list_by(report);

	seed(report, doc->out);
	doc->ranked = !!shrinkers.nr + !!functions.nr + (report->by >= KMA_LAT_BY_TASK);
	table_rows(report, &shrinkers, "SHRINKER", doc);
	table_rows(report, &functions, "FUNCTION, over the threshold", doc);
	table_causes(report, doc);
	table_shares(sums, doc);
	if (report->by >= KMA_LAT_BY_TASK)
		table_rows(report, &by, kma_lat_by_names[report->by], doc);
	for (unsigned int i = 0; i < KMA_LAT_NR_CAUSES; i++)
		histogram(kma_lat_cause_names[i], &sums->causes[i], doc);
	table_losses(report, doc->out);
}

static void csv(const struct kma_lat_report *report, struct kma_doc *doc)
{
	_cleanup_list_ struct rows list = list_by(report);
	struct stat_sheet view;

	sheet_init(&view, report, kma_lat_by_names[report->by], NULL,
		   report->by == KMA_LAT_BY_CAUSE, &list);
	kma_sheet_write(&view.sheet, doc);
}

/* Write the histogram of a cause: the number of calls for each power of two of ns. */
static void json_histogram(const void *arg, size_t row, struct kma_json *json)
{
	const struct kma_lat_stat *stat = stat_of(arg, row);
	unsigned int first, last;

	if (!powers(stat, &first, &last))
		return;
	kma_json_begin(json, "histogram", '[', KMA_JSON_INLINE);
	for (unsigned int power = first; power <= last; power++) {
		kma_json_begin(json, NULL, '[', KMA_JSON_INLINE);
		kma_json_number(json, NULL, power ? 1ULL << power : 0);
		kma_json_number(json, NULL, kma_lat_stat_power(stat, power));
		kma_json_end(json);
	}
	kma_json_end(json);
}

/* Write a list; if @list is NULL, the causes with their histograms. */
static void json_list(const struct kma_lat_report *report, const char *name, const char *key,
		      const struct rows *list, struct kma_doc *doc)
{
	struct stat_sheet view;

	sheet_init(&view, report, key, NULL, !list, list);
	view.sheet.name = name;
	view.sheet.json = list ? NULL : json_histogram;
	kma_sheet_write(&view.sheet, doc);
}

static void json_shares(const struct kma_lat_sums *sums, struct kma_json *json)
{
	if (!sums->causes[KMA_LAT_ALLOC].calls)
		return;
	kma_json_begin(json, "allocation_ns", '{', KMA_JSON_SPACED);
	for (unsigned int i = 0; i < KMA_LAT_NR_SHARES; i++)
		if (kma_lat_share_known(sums, i))
			kma_json_number(json, kma_lat_share_names[i], sums->shares[i]);
	kma_json_end(json);
}

static void json_doc(const struct kma_lat_report *report, struct kma_doc *doc)
{
	const struct kma_lat_sums *sums = kma_lat_sums(report->lat);
	_cleanup_list_ struct rows shrinkers =
		list_of(report, KMA_LAT_OF_SHRINKER, KMA_LAT_OF_SHRINKER);
	_cleanup_list_ struct rows functions =
		list_of(report, KMA_LAT_OF_FUNCTION, KMA_LAT_OF_FUNCTION);
	_cleanup_list_ struct rows by = list_by(report);
	struct kma_json *json = &doc->json;

	kma_json_text(json, "input", report->input);
	kma_json_number(json, "threshold_ns", report->threshold);
	kma_json_number(json, "lines", sums->lines);
	if (sums->has_time)
		kma_json_number(json, "span_ns", sums->last - sums->first);
	json_list(report, "causes", "cause", NULL, doc);
	json_list(report, "shrinkers", "shrinker", &shrinkers, doc);
	json_list(report, "functions", "function", &functions, doc);
	if (report->by >= KMA_LAT_BY_TASK)
		json_list(report, "by", kma_lat_by_names[report->by], &by, doc);
	json_shares(sums, json);
	kma_json_begin(json, "not_counted", '{', KMA_JSON_LINES);
	for (unsigned int i = 0; i < KMA_LAT_NR_LOSSES; i++)
		kma_json_number(json, kma_lat_loss_names[i], sums->losses[i]);
	kma_json_end(json);
}

void kma_lat_show_text(const struct kma_lat_report *report, enum kma_format format,
		       struct kma_strbuf *out)
{
	static void (*const writers[KMA_NR_FORMATS])(const struct kma_lat_report *report,
						     struct kma_doc *doc) = {
		[KMA_FORMAT_TABLE] = table,
		[KMA_FORMAT_CSV] = csv,
		[KMA_FORMAT_JSON] = json_doc,
	};
	struct kma_doc doc = { .csv_safe = report->csv_safe };

	kma_doc_begin(&doc, format, "kmem-account latency", 1, out);
	kma_doc_fit(&doc, report->fit);
	writers[format](report, &doc);
	kma_doc_end(&doc);
}
