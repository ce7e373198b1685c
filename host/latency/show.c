// SPDX-License-Identifier: GPL-2.0
/*
 * show.c - what an analysis has found, as text.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/escape.h"
#include "share.h"
#include "show.h"

#define KMA_LAT_BAR 40 /* columns of the longest bar */

/* A percentile that is shown, by its column. */
static const struct {
	const char *name;
	double percent;
} kma_lat_percents[] = { { "p50_ns", 50 }, { "p90_ns", 90 }, { "p99_ns", 99 } };

struct kma_lat_list {
	const struct kma_lat_row **rows;
	size_t nr;
};

static void kma_lat_list_free(struct kma_lat_list *list)
{
	free(list->rows);
}

#define _cleanup_list_ _cleanup_(kma_lat_list_free)

static struct kma_lat_list kma_lat_list(const struct kma_lat_report *report, unsigned int first,
					unsigned int last)
{
	struct kma_lat_list list = { 0 };

	list.rows = kma_lat_rows_sorted(kma_lat_rows(report->lat), first, last, &list.nr);
	return list;
}

static struct kma_lat_list kma_lat_list_by(const struct kma_lat_report *report)
{
	static const unsigned int of[KMA_LAT_NR_BY] = {
		[KMA_LAT_BY_SHRINKER] = KMA_LAT_OF_SHRINKER,
		[KMA_LAT_BY_FUNCTION] = KMA_LAT_OF_FUNCTION,
	};

	if (of[report->by])
		return kma_lat_list(report, of[report->by], of[report->by]);
	return kma_lat_list(report, KMA_LAT_OF_BY, KMA_LAT_OF_BY + KMA_LAT_NR_CAUSES - 1);
}

/* Rows of this kind have a cause as well. */
static const char *kma_lat_cause_of(const struct kma_lat_row *row)
{
	return row->of >= KMA_LAT_OF_BY ? kma_lat_cause_names[row->of - KMA_LAT_OF_BY] : NULL;
}

static uint64_t kma_lat_mean(const struct kma_lat_stat *stat)
{
	return stat->calls ? stat->total / stat->calls : 0;
}

/* Of the time that the log is of, from the earliest to the latest line; 0: it has none. */
static uint64_t kma_lat_logged(const struct kma_lat_report *report)
{
	const struct kma_lat_sums *sums = kma_lat_sums(report->lat);

	return sums->has_time ? sums->last - sums->first : 0;
}

/* Of tasks that wait at the same time each counts: it may be more than 100. */
static double kma_lat_of_log(const struct kma_lat_stat *stat, uint64_t logged)
{
	return 100.0 * stat->total / logged;
}

/* The RFC's lines, one for each function of a shrinker. */
static void kma_lat_seed(const struct kma_lat_report *report, struct kma_strbuf *out)
{
	_cleanup_list_ struct kma_lat_list list =
		kma_lat_list(report, KMA_LAT_OF_SHRINKER_NAME, KMA_LAT_OF_SHRINKER_NAME);

	for (size_t i = 0; i < list.nr; i++) {
		const struct kma_lat_row *row = list.rows[i];

		kma_escape_plain(out, row->text);
		kma_strbuf_printf(out, " : total time = %.6f ms, max latency = %.6f ms\n",
				  row->stat.total / 1e6, row->stat.max / 1e6);
	}
}

static void kma_lat_table_head(const char *key, uint64_t logged, struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "\n%-40s %9s %12s %11s %11s %11s %11s %11s%s\n", key, "CALLS",
			  "TOTAL ms", "MEAN us", "P50 us", "P90 us", "P99 us", "MAX us",
			  logged ? "   OF LOG" : "");
}

static void kma_lat_table_row(const char *name, const struct kma_lat_stat *stat, uint64_t logged,
			      struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 };

	kma_escape_plain(&plain, name);
	kma_strbuf_printf(out, "%-40s %9" PRIu64 " %12.3f %11.1f", plain.str ?: "", stat->calls,
			  stat->total / 1e6, kma_lat_mean(stat) / 1e3);
	for (size_t i = 0; i < ARRAY_SIZE(kma_lat_percents); i++)
		kma_strbuf_printf(out, " %11.1f",
				  kma_lat_stat_percentile(stat, kma_lat_percents[i].percent) / 1e3);
	kma_strbuf_printf(out, " %11.1f", stat->max / 1e3);
	if (logged)
		kma_strbuf_printf(out, " %7.2f%%", kma_lat_of_log(stat, logged));
	kma_strbuf_puts(out, "\n");
}

static void kma_lat_table_rows(const struct kma_lat_list *list, const char *key, uint64_t logged,
			       struct kma_strbuf *out)
{
	if (list->nr)
		kma_lat_table_head(key, logged, out);
	for (size_t i = 0; i < list->nr; i++) {
		_cleanup_strbuf_ struct kma_strbuf name = { 0 };
		const char *cause = kma_lat_cause_of(list->rows[i]);

		kma_strbuf_puts(&name, list->rows[i]->text);
		if (cause)
			kma_strbuf_printf(&name, " %s", cause);
		kma_lat_table_row(name.str ?: "", &list->rows[i]->stat, logged, out);
	}
}

/* Powers of two of ns that anything is in. */
static bool kma_lat_powers(const struct kma_lat_stat *stat, unsigned int *first, unsigned int *last)
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

static void kma_lat_histogram(const char *name, const struct kma_lat_stat *stat,
			      struct kma_strbuf *out)
{
	static const char bar[KMA_LAT_BAR + 1] = "########################################";
	unsigned int first, last;
	uint64_t most = 0;

	if (!kma_lat_powers(stat, &first, &last))
		return;
	for (unsigned int power = first; power <= last; power++)
		if (kma_lat_stat_power(stat, power) > most)
			most = kma_lat_stat_power(stat, power);
	kma_strbuf_printf(out, "\n%s, us\n", name);
	for (unsigned int power = first; power <= last; power++) {
		uint64_t nr = kma_lat_stat_power(stat, power);

		kma_strbuf_printf(out, "[%13.3f, %13.3f) %9" PRIu64 " %.*s\n",
				  power ? (1ULL << power) / 1e3 : 0.0, (2ULL << power) / 1e3, nr,
				  (int)((double)nr * KMA_LAT_BAR / most + 0.5), bar);
	}
}

/* What the time of allocations went to. */
static void kma_lat_table_shares(const struct kma_lat_sums *sums, struct kma_strbuf *out)
{
	uint64_t total = sums->causes[KMA_LAT_ALLOC].total;

	if (!total)
		return;
	kma_strbuf_printf(out, "\n%-40s %9s %12s\n", "TIME OF ALLOCATIONS", "SHARE", "TOTAL ms");
	for (unsigned int i = 0; i < KMA_LAT_NR_SHARES; i++)
		kma_strbuf_printf(out, "%-40s %8.1f%% %12.3f\n", kma_lat_share_names[i],
				  100.0 * sums->shares[i] / total, sums->shares[i] / 1e6);
}

static void kma_lat_table_losses(const struct kma_lat_report *report, struct kma_strbuf *out)
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

static void kma_lat_table_causes(const struct kma_lat_sums *sums, uint64_t logged,
				 struct kma_strbuf *out)
{
	kma_lat_table_head("CAUSE", logged, out);
	for (unsigned int i = 0; i < KMA_LAT_NR_CAUSES; i++)
		if (sums->causes[i].calls)
			kma_lat_table_row(kma_lat_cause_names[i], &sums->causes[i], logged, out);
	if (logged)
		kma_strbuf_printf(out, "\n%.6f s from the first to the last time in the log\n",
				  logged / 1e9);
}

static void kma_lat_table(const struct kma_lat_report *report, struct kma_strbuf *out)
{
	const struct kma_lat_sums *sums = kma_lat_sums(report->lat);
	_cleanup_list_ struct kma_lat_list shrinkers =
		kma_lat_list(report, KMA_LAT_OF_SHRINKER, KMA_LAT_OF_SHRINKER);
	_cleanup_list_ struct kma_lat_list functions =
		kma_lat_list(report, KMA_LAT_OF_FUNCTION, KMA_LAT_OF_FUNCTION);
	_cleanup_list_ struct kma_lat_list by = kma_lat_list_by(report);
	uint64_t logged = kma_lat_logged(report);

	kma_lat_seed(report, out);
	kma_lat_table_rows(&shrinkers, "SHRINKER", logged, out);
	kma_lat_table_rows(&functions, "FUNCTION, over the threshold", logged, out);
	kma_lat_table_causes(sums, logged, out);
	kma_lat_table_shares(sums, out);
	if (report->by >= KMA_LAT_BY_TASK)
		kma_lat_table_rows(&by, kma_lat_by_names[report->by], logged, out);
	for (unsigned int i = 0; i < KMA_LAT_NR_CAUSES; i++)
		kma_lat_histogram(kma_lat_cause_names[i], &sums->causes[i], out);
	kma_lat_table_losses(report, out);
}

static void kma_lat_csv_row(const char *key, const char *second, const struct kma_lat_stat *stat,
			    uint64_t logged, struct kma_strbuf *out)
{
	kma_escape_csv(out, key);
	if (second) {
		kma_strbuf_puts(out, ",");
		kma_escape_csv(out, second);
	}
	kma_strbuf_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
			  stat->calls, stat->total, stat->min, kma_lat_mean(stat), stat->max);
	for (size_t i = 0; i < ARRAY_SIZE(kma_lat_percents); i++)
		kma_strbuf_printf(out, ",%" PRIu64,
				  kma_lat_stat_percentile(stat, kma_lat_percents[i].percent));
	if (logged)
		kma_strbuf_printf(out, ",%.6f", kma_lat_of_log(stat, logged));
	kma_strbuf_puts(out, "\n");
}

static void kma_lat_csv(const struct kma_lat_report *report, struct kma_strbuf *out)
{
	const struct kma_lat_sums *sums = kma_lat_sums(report->lat);
	uint64_t logged = kma_lat_logged(report);
	_cleanup_list_ struct kma_lat_list list = kma_lat_list_by(report);

	kma_strbuf_printf(out, "%s%s,calls,total_ns,min_ns,mean_ns,max_ns",
			  kma_lat_by_names[report->by],
			  report->by >= KMA_LAT_BY_TASK ? ",cause" : "");
	for (size_t i = 0; i < ARRAY_SIZE(kma_lat_percents); i++)
		kma_strbuf_printf(out, ",%s", kma_lat_percents[i].name);
	kma_strbuf_puts(out, logged ? ",of_log_percent\n" : "\n");
	for (unsigned int i = 0; report->by == KMA_LAT_BY_CAUSE && i < KMA_LAT_NR_CAUSES; i++)
		if (sums->causes[i].calls)
			kma_lat_csv_row(kma_lat_cause_names[i], NULL, &sums->causes[i], logged,
					out);
	for (size_t i = 0; i < list.nr; i++)
		kma_lat_csv_row(list.rows[i]->text, kma_lat_cause_of(list.rows[i]),
				&list.rows[i]->stat, logged, out);
}

static void kma_lat_json_stat(const struct kma_lat_stat *stat, uint64_t logged, bool histogram,
			      struct kma_strbuf *out)
{
	unsigned int first, last;

	kma_strbuf_printf(out,
			  "\"calls\": %" PRIu64 ", \"total_ns\": %" PRIu64 ", \"min_ns\": %" PRIu64
			  ", \"mean_ns\": %" PRIu64 ", \"max_ns\": %" PRIu64,
			  stat->calls, stat->total, stat->min, kma_lat_mean(stat), stat->max);
	for (size_t i = 0; i < ARRAY_SIZE(kma_lat_percents); i++)
		kma_strbuf_printf(out, ", \"%s\": %" PRIu64, kma_lat_percents[i].name,
				  kma_lat_stat_percentile(stat, kma_lat_percents[i].percent));
	if (logged)
		kma_strbuf_printf(out, ", \"of_log_percent\": %.6f", kma_lat_of_log(stat, logged));
	if (!histogram || !kma_lat_powers(stat, &first, &last))
		return;
	kma_strbuf_puts(out, ", \"histogram\": [");
	for (unsigned int power = first; power <= last; power++)
		kma_strbuf_printf(out, "%s[%llu, %" PRIu64 "]", power > first ? ", " : "",
				  power ? 1ULL << power : 0, kma_lat_stat_power(stat, power));
	kma_strbuf_puts(out, "]");
}

static void kma_lat_json_list(const char *title, const char *key, const struct kma_lat_list *list,
			      uint64_t logged, struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "  \"%s\": [", title);
	for (size_t i = 0; i < list->nr; i++) {
		const char *cause = kma_lat_cause_of(list->rows[i]);

		kma_strbuf_printf(out, "%s\n    { \"%s\": ", i ? "," : "", key);
		kma_escape_json(out, list->rows[i]->text);
		if (cause)
			kma_strbuf_printf(out, ", \"cause\": \"%s\"", cause);
		kma_strbuf_puts(out, ", ");
		kma_lat_json_stat(&list->rows[i]->stat, logged, false, out);
		kma_strbuf_puts(out, " }");
	}
	kma_strbuf_puts(out, "\n  ],\n");
}

static void kma_lat_json_causes(const struct kma_lat_sums *sums, uint64_t logged,
				struct kma_strbuf *out)
{
	const char *comma = "";

	kma_strbuf_puts(out, "  \"causes\": [");
	for (unsigned int i = 0; i < KMA_LAT_NR_CAUSES; i++) {
		if (!sums->causes[i].calls)
			continue;
		kma_strbuf_printf(out, "%s\n    { \"cause\": \"%s\", ", comma,
				  kma_lat_cause_names[i]);
		kma_lat_json_stat(&sums->causes[i], logged, true, out);
		kma_strbuf_puts(out, " }");
		comma = ",";
	}
	kma_strbuf_puts(out, "\n  ],\n");
}

static void kma_lat_json_shares(const struct kma_lat_sums *sums, struct kma_strbuf *out)
{
	if (!sums->causes[KMA_LAT_ALLOC].calls)
		return;
	kma_strbuf_puts(out, "  \"allocation_ns\": {");
	for (unsigned int i = 0; i < KMA_LAT_NR_SHARES; i++)
		kma_strbuf_printf(out, "%s \"%s\": %" PRIu64, i ? "," : "", kma_lat_share_names[i],
				  sums->shares[i]);
	kma_strbuf_puts(out, " },\n");
}

static void kma_lat_json(const struct kma_lat_report *report, struct kma_strbuf *out)
{
	const struct kma_lat_sums *sums = kma_lat_sums(report->lat);
	_cleanup_list_ struct kma_lat_list shrinkers =
		kma_lat_list(report, KMA_LAT_OF_SHRINKER, KMA_LAT_OF_SHRINKER);
	_cleanup_list_ struct kma_lat_list functions =
		kma_lat_list(report, KMA_LAT_OF_FUNCTION, KMA_LAT_OF_FUNCTION);
	_cleanup_list_ struct kma_lat_list by = kma_lat_list_by(report);
	uint64_t logged = kma_lat_logged(report);

	kma_strbuf_puts(out, "{\n  \"input\": ");
	kma_escape_json(out, report->input);
	kma_strbuf_printf(out, ",\n  \"threshold_ns\": %" PRIu64 ",\n  \"lines\": %" PRIu64 ",\n",
			  report->threshold, sums->lines);
	if (sums->has_time)
		kma_strbuf_printf(out, "  \"span_ns\": %" PRIu64 ",\n", sums->last - sums->first);
	kma_lat_json_causes(sums, logged, out);
	kma_lat_json_list("shrinkers", "shrinker", &shrinkers, logged, out);
	kma_lat_json_list("functions", "function", &functions, logged, out);
	if (report->by >= KMA_LAT_BY_TASK)
		kma_lat_json_list("by", kma_lat_by_names[report->by], &by, logged, out);
	kma_lat_json_shares(sums, out);
	kma_strbuf_puts(out, "  \"not_counted\": {");
	for (unsigned int i = 0; i < KMA_LAT_NR_LOSSES; i++)
		kma_strbuf_printf(out, "%s\n    \"%s\": %" PRIu64, i ? "," : "",
				  kma_lat_loss_names[i], sums->losses[i]);
	kma_strbuf_puts(out, "\n  }\n}\n");
}

const struct kma_lat_format kma_lat_formats[KMA_NR_FORMATS] = {
	{ "table", true, kma_lat_table },
	{ "csv", false, kma_lat_csv },
	{ "json", false, kma_lat_json },
};
