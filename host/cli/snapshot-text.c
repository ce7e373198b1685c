// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot-text.c - write snapshots of DB files as documents. The enum of fields gives the columns
 * of the list, the lines of a single snapshot, and the members of JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "store/snapshot.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "lib/sheet.h"
#include "lib/units.h"
#include "model/account.h"
#include "snapshot-text.h"

enum {
	KMA_FIELD_NUMBER,
	KMA_FIELD_LABEL,
	KMA_FIELD_TIME,
	KMA_FIELD_SAVED,
	KMA_FIELD_KERNEL,
	KMA_FIELD_HOST,
	KMA_FIELD_SITES,
	KMA_FIELD_LIVE,
	KMA_FIELD_BUILD_ID,
	KMA_FIELD_INPUT,
	KMA_NR_FIELDS,
};

/* Columns of the list. There are two for the time, one for programs and one for people. */
static const struct kma_sheet_column kma_snapshot_columns[KMA_NR_FIELDS] = {
	[KMA_FIELD_NUMBER] = { .name = "number", .title = "number", .kind = KMA_CELL_COUNT },
	[KMA_FIELD_LABEL] = { .name = "label", .title = "label", .optional = true },
	[KMA_FIELD_TIME] = { .name = "time", .optional = true },
	[KMA_FIELD_SAVED] = { .title = "saved" },
	[KMA_FIELD_KERNEL] = { .name = "kernel", .title = "kernel", .optional = true },
	[KMA_FIELD_HOST] = { .name = "host", .title = "host", .optional = true },
	[KMA_FIELD_SITES] = { .name = "sites", .title = "sites", .kind = KMA_CELL_COUNT },
	[KMA_FIELD_LIVE] = { .name = "current_dynamic",
			     .title = "live",
			     .kind = KMA_CELL_BYTES,
			     .optional = true },
	[KMA_FIELD_BUILD_ID] = { .name = "build_id", .optional = true },
	[KMA_FIELD_INPUT] = { .name = "input", .optional = true },
};

/* Titles of the lines of a single snapshot. Live bytes are written with the other totals. */
static const char *const kma_snapshot_titles[KMA_NR_FIELDS] = {
	[KMA_FIELD_NUMBER] = "number",	   [KMA_FIELD_LABEL] = "label", [KMA_FIELD_SAVED] = "saved",
	[KMA_FIELD_KERNEL] = "kernel",	   [KMA_FIELD_HOST] = "host",	[KMA_FIELD_SITES] = "sites",
	[KMA_FIELD_BUILD_ID] = "build ID", [KMA_FIELD_INPUT] = "input",
};

/* Sets a cell to a text; an unknown one is empty. */
static void kma_field_text(const char *text, struct kma_cell *ret)
{
	ret->text = text ?: "";
	ret->none = !*ret->text;
}

static void kma_field_time(const struct kma_snapshot *snapshot, const char *format,
			   struct kma_cell *ret)
{
	time_t when = snapshot->time;
	struct tm tm;

	if (!gmtime_r(&when, &tm) || !strftime(ret->scratch, sizeof(ret->scratch), format, &tm))
		*ret->scratch = '\0';
	kma_field_text(ret->scratch, ret);
}

/* Sets a cell of the list; @arg is the array of snapshots. */
static void kma_snapshot_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct kma_snapshot *snapshot = (const struct kma_snapshot *)arg + row;

	switch (column) {
	case KMA_FIELD_NUMBER:
		snprintf(ret->scratch, sizeof(ret->scratch), "#%" PRId64, snapshot->id);
		ret->text = ret->scratch;
		ret->number = snapshot->id;
		break;
	case KMA_FIELD_LABEL:
		kma_field_text(snapshot->label, ret);
		break;
	case KMA_FIELD_TIME:
		kma_field_time(snapshot, "%FT%TZ", ret);
		break;
	case KMA_FIELD_SAVED:
		kma_field_time(snapshot, "%F %T UTC", ret);
		break;
	case KMA_FIELD_KERNEL:
		kma_field_text(snapshot->release, ret);
		break;
	case KMA_FIELD_HOST:
		kma_field_text(snapshot->host, ret);
		break;
	case KMA_FIELD_SITES:
		ret->number = snapshot->sites;
		break;
	case KMA_FIELD_LIVE:
		ret->number = snapshot->live;
		ret->none = !snapshot->has_live;
		ret->text = ret->none ? "" : NULL;
		break;
	case KMA_FIELD_BUILD_ID:
		kma_field_text(snapshot->build_id, ret);
		break;
	case KMA_FIELD_INPUT:
		kma_field_text(snapshot->input, ret);
		break;
	}
}

static struct kma_sheet kma_snapshot_sheet(const struct kma_snapshot *list, size_t nr)
{
	return (struct kma_sheet){ .name = "snapshots",
				   .columns = kma_snapshot_columns,
				   .nr_columns = KMA_NR_FIELDS,
				   .style = KMA_JSON_INLINE,
				   .cell = kma_snapshot_cell,
				   .arg = list,
				   .rows = nr };
}

void kma_snapshot_list(const struct kma_snapshot *list, size_t nr, struct kma_doc *doc)
{
	struct kma_sheet sheet = kma_snapshot_sheet(list, nr);

	kma_sheet_write(&sheet, doc);
	kma_doc_end(doc);
}

/* Writes a snapshot for people: origin, totals, uncounted events, other notes of the input. */
static void kma_show_table(const struct kma_snapshot *snapshot, const struct kma_account *account,
			   struct kma_doc *doc)
{
	unsigned int have = kma_account_metrics(account);
	char buf[KMA_NUMBER_LEN];
	const char *key, *value;
	uint64_t events;

	for (size_t i = 0; i < KMA_NR_FIELDS; i++) {
		struct kma_cell cell = { 0 };

		kma_snapshot_cell(snapshot, 0, i, &cell);
		if (kma_snapshot_titles[i] && cell.text && !cell.none)
			kma_doc_text(doc, NULL, kma_snapshot_titles[i], cell.text);
		else if (kma_snapshot_titles[i] && !cell.none)
			kma_doc_number(doc, NULL, kma_snapshot_titles[i], cell.number);
	}
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (!(have & 1U << id))
			continue;
		kma_units_format(buf, sizeof(buf), kma_metrics[id].get(kma_account_total(account)),
				 doc->bytes ? KMA_UNIT_COUNT : kma_metrics[id].unit);
		kma_doc_text(doc, NULL, kma_metrics[id].what, buf);
	}
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			kma_doc_number(doc, NULL, kma_losses[id].title, events);
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++)
		kma_doc_text(doc, NULL, key, value);
	for (size_t i = 0; (value = kma_account_warning(account, i)); i++)
		kma_doc_text(doc, NULL, "warning", value);
}

/* Columns of a single snapshot in csv. Names are those of JSON, with the name of their part. */
static const struct kma_sheet_column kma_show_columns[] = {
	{ .name = "part" },
	{ .name = "name" },
	{ .name = "value" },
};

static void kma_show_row(struct kma_sheet *sheet, const char *part, const char *name,
			 const char *value)
{
	kma_sheet_text(sheet, part);
	kma_sheet_text(sheet, name);
	kma_sheet_text(sheet, value);
}

static void kma_show_number(struct kma_sheet *sheet, const char *part, const char *name,
			    uint64_t number)
{
	char text[KMA_NUMBER_LEN];

	kma_u64_format(text, number);
	kma_show_row(sheet, part, name, text);
}

static void kma_show_csv_fields(const struct kma_snapshot *snapshot, struct kma_sheet *sheet)
{
	for (size_t i = 0; i < KMA_NR_FIELDS; i++) {
		const struct kma_sheet_column *column = &kma_snapshot_columns[i];
		struct kma_cell cell = { 0 };

		kma_snapshot_cell(snapshot, 0, i, &cell);
		if (!column->name || cell.none || i == KMA_FIELD_LIVE)
			continue;
		if (column->kind == KMA_CELL_TEXT)
			kma_show_row(sheet, "snapshot", column->name, cell.text);
		else
			kma_show_number(sheet, "snapshot", column->name, cell.number);
	}
}

static void kma_show_csv(const struct kma_snapshot *snapshot, const struct kma_account *account,
			 struct kma_doc *doc)
{
	const struct kma_values *total = kma_account_total(account);
	unsigned int have = kma_account_metrics(account);
	const char *key, *value;
	struct kma_sheet sheet;
	uint64_t events;

	kma_sheet_init(&sheet, NULL, NULL, kma_show_columns, ARRAY_SIZE(kma_show_columns));
	kma_show_csv_fields(snapshot, &sheet);
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (have & 1U << id)
			kma_show_number(&sheet, "total", kma_metrics[id].name,
					kma_metrics[id].get(total));
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			kma_show_number(&sheet, "not_counted", kma_losses[id].name, events);
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++)
		kma_show_row(&sheet, "notes", key, value);
	for (size_t i = 0; (value = kma_account_warning(account, i)); i++)
		kma_show_row(&sheet, "warnings", "", value);
	kma_sheet_write(&sheet, doc);
	kma_sheet_deinit(&sheet);
}

static void kma_show_json(const struct kma_snapshot *snapshot, const struct kma_account *account,
			  struct kma_doc *doc)
{
	const struct kma_sheet sheet = kma_snapshot_sheet(snapshot, 1);
	const struct kma_values *total = kma_account_total(account);
	unsigned int have = kma_account_metrics(account);
	struct kma_json *json = &doc->json;
	const char *key, *value;
	uint64_t events;

	kma_sheet_object(&sheet, 0, "snapshot", doc);
	kma_json_begin(json, "total", '{', KMA_JSON_INLINE);
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (have & 1U << id)
			kma_json_number(json, kma_metrics[id].name, kma_metrics[id].get(total));
	kma_json_end(json);
	kma_json_begin(json, "not_counted", '{', KMA_JSON_INLINE);
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			kma_json_number(json, kma_losses[id].name, events);
	kma_json_end(json);
	kma_json_begin(json, "notes", '{', KMA_JSON_INLINE);
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++)
		kma_json_text(json, key, value);
	kma_json_end(json);
	kma_json_begin(json, "warnings", '[', KMA_JSON_INLINE);
	for (size_t i = 0; (value = kma_account_warning(account, i)); i++)
		kma_json_text(json, NULL, value);
	kma_json_end(json);
}

void kma_snapshot_show(const struct kma_snapshot *snapshot, const struct kma_account *account,
		       struct kma_doc *doc)
{
	static void (*const shows[KMA_NR_FORMATS])(const struct kma_snapshot *snapshot,
						   const struct kma_account *account,
						   struct kma_doc *doc) = {
		[KMA_FORMAT_TABLE] = kma_show_table,
		[KMA_FORMAT_CSV] = kma_show_csv,
		[KMA_FORMAT_JSON] = kma_show_json,
	};

	shows[doc->format](snapshot, account, doc);
	kma_doc_end(doc);
}
