// SPDX-License-Identifier: GPL-2.0-only
/*
 * report-text.c - a report as a document: its source, the rows and their total, and the events
 * that the account did not count.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/escape.h"
#include "lib/map.h"
#include "lib/plural.h"
#include "model/moment.h"
#include "model/restack.h"
#include "model/sampled.h"
#include "model/scope.h"
#include "model/unread.h"
#include "report-sheet.h"
#include "report-text.h"

/* The number of helpers that a table names; JSON has all of them. */
#define KMA_REPORT_HELPERS 4

void kma_report_stacks(const struct kma_report *report, struct kma_strbuf *out)
{
	const char *through = kma_account_note(report->account, KMA_NOTE_THROUGH);
	const char *skipped = kma_account_note(report->account, KMA_NOTE_SKIPPED);
	const char *sampled = kma_account_note(report->account, KMA_NOTE_SAMPLED);
	const char *end = skipped, *next;
	unsigned int nr = 0;

	if (report->only) {
		kma_strbuf_puts(out, "Selected: ");
		kma_escape_plain(out, report->only);
		kma_strbuf_puts(out, sampled || through || skipped ? ". " : ".");
	}
	if (sampled)
		kma_strbuf_printf(out, "Numbers are estimates: the stacks of %s were taken.%s",
				  sampled, through || skipped ? " " : "");
	if (through)
		kma_strbuf_printf(out, "Only allocations with %s on the stack.%s", through,
				  skipped ? " " : "");
	if (!skipped)
		return;
	for (const char *name = skipped; name; name = next, nr++) {
		next = strstr(name, ", ");
		if (nr < KMA_REPORT_HELPERS)
			end = next ?: name + strlen(name);
		next = next ? next + 2 : NULL;
	}
	kma_strbuf_puts(out, "A row is the first function that is not a helper. Helpers skipped: ");
	kma_strbuf_add(out, skipped, end - skipped);
	if (nr > KMA_REPORT_HELPERS)
		kma_strbuf_printf(out, " and %u more", nr - KMA_REPORT_HELPERS);
	kma_strbuf_puts(out, ".");
}

/* How types are known: the name in JSON, and for people. */
static const struct {
	const char *name, *text;
} types_by[KMA_NR_TYPES_BY] = {
	[KMA_TYPE_STATED] = { "stated", "stated" },
	[KMA_TYPE_BY_DEBUG] = { "debugging_information", "by debugging information" },
	[KMA_TYPE_BY_BTF] = { "btf", "by BTF" },
	[KMA_TYPE_BY_CACHE] = { "cache", "by names of slab caches" },
	[KMA_TYPE_UNKNOWN] = { "unknown", "unknown" },
};

/* Live bytes by how their type is known, and the call site without a type that has most of them. */
struct types_shares {
	uint64_t bytes[KMA_NR_TYPES_BY], all;
	const struct kma_site *most;
	uint64_t most_bytes;
};

/* Finds the call site that has most of some rows, each of which is a site, or a stack or a group of one. */
static void types_most(const struct kma_site *const *rows, size_t nr, struct types_shares *ret)
{
	_cleanup_free_ uint64_t *bytes = kma_xcalloc(nr + 1, sizeof(*bytes));
	_cleanup_free_ const struct kma_site **sites = kma_xcalloc(nr + 1, sizeof(*sites));
	struct kma_map map = { 0 };

	for (size_t i = 0; i < nr; i++) {
		const char *caller = rows[i]->caller;
		uint32_t hash = kma_map_text(caller, strlen(caller));
		uint32_t n = kma_map_find(&map, hash, k, !strcmp(sites[k]->caller, caller));

		if (n == KMA_MAP_NONE) {
			n = kma_map_add(&map, hash);
			sites[n] = rows[i];
		}
		bytes[n] += rows[i]->values.current;
		if (bytes[n] > ret->most_bytes) {
			ret->most_bytes = bytes[n];
			ret->most = sites[n];
		}
	}
	kma_map_free(&map);
}

static bool types_count(const struct kma_report *report, struct types_shares *ret)
{
	_cleanup_free_ const struct kma_site **unknown = NULL;
	const struct kma_site *sites;
	size_t nr, nr_unknown = 0;

	*ret = (struct types_shares){ 0 };
	if (!report->account || !kma_keys_have(&report->by, KMA_KEY_TYPE))
		return false;
	sites = kma_account_sites(report->account, &nr);
	unknown = kma_xcalloc(nr + 1, sizeof(*unknown));
	for (size_t i = 0; i < nr; i++) {
		const struct kma_site *site = &sites[i];
		enum kma_type_by by = kma_site_type(site) ? site->place->type_by : KMA_TYPE_UNKNOWN;

		ret->bytes[by] += site->values.current;
		ret->all += site->values.current;
		if (by == KMA_TYPE_UNKNOWN && !site->named && site->kind != KMA_KIND_PAGE &&
		    site->kind != KMA_KIND_PERCPU)
			unknown[nr_unknown++] = site;
	}
	types_most(unknown, nr_unknown, ret);
	return ret->all;
}

void kma_report_types(const struct kma_report *report, struct kma_strbuf *out)
{
	char share[KMA_NUMBER_LEN], bytes[KMA_NUMBER_LEN];
	struct types_shares shares;
	const char *comma = "Types: ";

	if (!types_count(report, &shares))
		return;
	for (enum kma_type_by by = 0; by < KMA_NR_TYPES_BY; by++) {
		if (!shares.bytes[by])
			continue;
		kma_percent_format(share, sizeof(share), shares.bytes[by], shares.all);
		kma_strbuf_printf(out, "%s%s %s", comma, share, types_by[by].text);
		comma = ", ";
	}
	if (shares.most) {
		kma_units_format(bytes, sizeof(bytes), shares.most_bytes,
				 report->bytes ? KMA_UNIT_COUNT : KMA_UNIT_BYTES);
		kma_strbuf_puts(out, "; the largest call site without a type is ");
		kma_escape_plain(out, kma_site_plain(shares.most));
		kma_strbuf_printf(out, " (%s)", bytes);
	}
	kma_strbuf_puts(out, ".");
}

static void report_json_types(const struct kma_report *report, struct kma_json *json)
{
	struct types_shares shares;

	if (!types_count(report, &shares))
		return;
	kma_json_begin(json, "types_by", '{', KMA_JSON_INLINE);
	for (enum kma_type_by by = 0; by < KMA_NR_TYPES_BY; by++)
		kma_json_number(json, types_by[by].name, shares.bytes[by]);
	if (shares.most)
		kma_json_text(json, "largest_unknown", kma_site_plain(shares.most));
	kma_json_end(json);
}

/* The number of a note; 0 if the account does not have it. */
static uint64_t report_number(const struct kma_report *report, const char *key)
{
	const char *text = kma_account_note(report->account, key);

	return text ? strtoull(text, NULL, 10) : 0;
}

void kma_report_accuracy(const struct kma_report *report, struct kma_strbuf *out)
{
	uint64_t rows = report_number(report, KMA_NOTE_NOT_ACCURATE);
	struct kma_unread unread;
	char bytes[KMA_NUMBER_LEN];

	kma_unread_of(report->account, &unread);
	kma_unread_text(&unread, NULL, out);
	if (!rows)
		return;
	kma_strbuf_puts(out, unread.lines ? " " : "");
	kma_units_format(bytes, sizeof(bytes), report_number(report, KMA_NOTE_BYTES_NOT_ACCURATE),
			 report->bytes ? KMA_UNIT_COUNT : KMA_UNIT_BYTES);
	kma_strbuf_printf(out, "The kernel marks %" PRIu64 " %s (%s) as not accurate.", rows,
			  kma_plural(rows, "row", "rows"), bytes);
}

/* What the live bytes are, and which share of all slab memory. */
static void report_scope(const struct kma_report *report, struct kma_strbuf *out)
{
	if (!report->titled)
		return;
	kma_scope_text(report->account, report->branch, out);
	kma_scope_amount(report->account, report->rows->total.current,
			 report->bytes ? KMA_UNIT_COUNT : KMA_UNIT_BYTES, report->slab, out);
}

/* Writes a sentence about the numbers as a paragraph of its own. */
static void report_table_sentence(const struct kma_report *report,
				  void (*sentence)(const struct kma_report *report,
						   struct kma_strbuf *out),
				  struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	sentence(report, &text);
	if (text.len)
		kma_strbuf_printf(out, "\n%s\n", text.str);
}

static void report_table_losses(const struct kma_report *report, struct kma_strbuf *out)
{
	uint64_t total = kma_account_total(report->account)->current;
	char bytes[KMA_NUMBER_LEN], share[KMA_NUMBER_LEN];
	uint64_t events;

	/* Static sizes have no account and thus no events. */
	if (!kma_account_metrics(report->account))
		return;
	kma_strbuf_puts(out, "\nNot counted:\n");
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		if (kma_account_loss(report->account, id, &events))
			kma_strbuf_printf(out, "  %-26s %" PRIu64 "\n", kma_losses[id].title,
					  events);
		else
			kma_strbuf_printf(out, "  %-26s unknown\n", kma_losses[id].title);
	}
	if (!kma_report_has_unresolved(report))
		return;
	kma_units_format(bytes, sizeof(bytes), report->unresolved,
			 report->bytes ? KMA_UNIT_COUNT : KMA_UNIT_BYTES);
	kma_percent_format(share, sizeof(share), report->unresolved, total);
	kma_strbuf_printf(out, "  %-26s %s (%s)\n", "live without a directory", bytes, share);
}

/* Writes the kernel of the account. Two reports with the same build ID can be compared. */
static void report_table_kernel(const struct kma_report *report, struct kma_strbuf *out)
{
	if (!report->build_id || !*report->build_id)
		return;
	kma_strbuf_puts(out, "\nKernel ");
	kma_escape_plain(out, *report->release ? report->release : "of an unknown release");
	kma_strbuf_puts(out, ", build ID ");
	kma_escape_plain(out, report->build_id);
	kma_strbuf_puts(out, "\n");
}

/* Writes the time of a snapshot in local time; false if the account has none. */
static bool report_time(const struct kma_report *report, const char *format, char text[32])
{
	struct kma_moment moment;
	time_t seconds;
	struct tm tm;

	if (!kma_moment_of(report->account, &moment))
		return false;
	seconds = moment.time / 1000000000;
	return localtime_r(&seconds, &tm) && strftime(text, 32, format, &tm);
}

/* The last sample of a history before the requested time may be much older than that time. */
static void report_table_time(const struct kma_report *report, struct kma_strbuf *out)
{
	char text[32];

	if (report_time(report, "%F %T %z", text))
		kma_strbuf_printf(out, "\nRecorded at %s\n", text);
}

static void report_json_head(const struct kma_report *report, struct kma_doc *doc)
{
	static const struct {
		const char *name, *note;
	} notes[] = {
		{ "through", KMA_NOTE_THROUGH },
		{ "helpers_skipped", KMA_NOTE_SKIPPED },
		{ "stacks_sampled", KMA_NOTE_SAMPLED },
	};
	char time[32], name[KMA_KEYS_NAME];

	kma_doc_text(doc, "by", NULL, kma_report_key(report, name));
	if (*report->release)
		kma_doc_text(doc, "kernel", NULL, report->release);
	if (report->build_id && *report->build_id)
		kma_doc_text(doc, "build_id", NULL, report->build_id);
	if (report_time(report, "%FT%T%z", time))
		kma_doc_text(doc, "time", NULL, time);
	if (*report->branch)
		kma_doc_text(doc, "branch", NULL, report->branch);
	if (report->only)
		kma_doc_text(doc, "only", NULL, report->only);
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		if (kma_account_note(report->account, notes[i].note))
			kma_doc_text(doc, notes[i].name, NULL,
				     kma_account_note(report->account, notes[i].note));
}

static void report_json_accuracy(const struct kma_report *report, struct kma_json *json)
{
	uint64_t rows = report_number(report, KMA_NOTE_NOT_ACCURATE);
	struct kma_unread unread;

	kma_unread_of(report->account, &unread);
	kma_unread_json(&unread, NULL, json);
	if (!rows)
		return;
	kma_json_begin(json, "not_accurate", '{', KMA_JSON_INLINE);
	kma_json_number(json, "rows", rows);
	kma_json_number(json, kma_metrics[KMA_CURRENT].name,
			report_number(report, KMA_NOTE_BYTES_NOT_ACCURATE));
	kma_json_end(json);
}

/* Unknown values are left out, because they are not zero. */
static void report_json_losses(const struct kma_report *report, struct kma_json *json)
{
	uint64_t events;

	kma_json_begin(json, "not_counted", '{', KMA_JSON_INLINE);
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(report->account, id, &events))
			kma_json_number(json, kma_losses[id].name, events);
	if (kma_report_has_unresolved(report))
		kma_json_number(json, "without_directory", report->unresolved);
	kma_json_end(json);
}

void kma_report_text(const struct kma_report *report, enum kma_format format,
		     struct kma_strbuf *out)
{
	struct kma_doc doc = { .bytes = report->bytes, .csv_safe = report->csv_safe };
	_cleanup_strbuf_ struct kma_strbuf cell = { 0 };
	struct kma_report_sheet view;
	struct kma_unread unread;

	kma_report_sheet_init(&view, report, 0, &cell);
	kma_doc_begin(&doc, format, "kmem-account report", 1, out);
	report_json_head(report, &doc);
	kma_sheet_write(&view.sheet, &doc);
	kma_sheet_object(&view.sheet, report->rows->nr, "total", &doc);
	if (kma_unread_of(report->account, &unread))
		kma_unread_row(&unread, kma_account_name(report->account), &doc);
	if (kma_doc_json(&doc)) {
		report_json_types(report, kma_doc_json(&doc));
		report_json_losses(report, kma_doc_json(&doc));
		report_json_accuracy(report, kma_doc_json(&doc));
	}
	if (kma_doc_table(&doc)) {
		report_table_sentence(report, report_scope, out);
		report_table_sentence(report, kma_report_types, out);
		report_table_sentence(report, kma_report_stacks, out);
		report_table_losses(report, out);
		report_table_sentence(report, kma_report_accuracy, out);
		report_table_kernel(report, out);
		report_table_time(report, out);
	}
	kma_doc_end(&doc);
}
