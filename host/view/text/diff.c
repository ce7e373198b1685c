// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff.c - a comparison as text. The header of the table names the input of each side, because
 * people easily confuse the two.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diff.h"
#include "lib/doc.h"
#include "lib/escape.h"
#include "lib/sheet.h"
#include "model/unread.h"
#include "view.h"

static const char *const kma_side_names[KMA_NR_DIFF_SIDES] = { "before", "after" };

/* Returns the change without its sign; 64 bits cannot hold both. *sign is set. */
static uint64_t delta(const struct kma_diff_row *row, const char **sign)
{
	uint64_t before = row->number[KMA_DIFF_BEFORE];
	uint64_t after = row->number[KMA_DIFF_AFTER];

	*sign = after > before ? "+" : after < before ? "-" : "";
	return after > before ? after - before : before - after;
}

static double percent(const struct kma_diff_row *row)
{
	double before = row->number[KMA_DIFF_BEFORE];

	return 100 * (row->number[KMA_DIFF_AFTER] - before) / before;
}

/* Sets the cell of the percentage. A new row has none; the table shows its state instead. */
static void diff_percent(const struct kma_diff_row *row, struct kma_cell *ret)
{
	ret->none = !row->number[KMA_DIFF_BEFORE];
	if (!ret->none)
		ret->real = percent(row);
	if (row->state == KMA_DIFF_NEW || row->state == KMA_DIFF_GONE)
		ret->text = kma_diff_states[row->state];
	else if (row->state == KMA_DIFF_SAME)
		ret->text = "-";
	else if (ret->none)
		ret->text = "from 0";
}

static const char *diff_column(const struct kma_diff_report *report, char name[KMA_KEYS_NAME])
{
	return report->key ?: kma_keys_name(&report->by, name);
}

/* Columns of a comparison: the first ones as programs read them, the last ones for people. */
enum kma_diff_column_id {
	KMA_COL_KEY,
	KMA_COL_KIND,
	KMA_COL_STATE,
	KMA_COL_BEFORE,
	KMA_COL_AFTER,
	KMA_COL_DELTA,
	KMA_COL_PERCENT,
	KMA_COL_ROWS,
	KMA_COL_KIND_SHOWN,
	KMA_COL_KEY_SHOWN, /* the first of several */
	KMA_NR_COLS = KMA_COL_KEY_SHOWN + KMA_KEYS_MAX,
};

/* A comparison as a sheet. */
struct kma_diff_sheet {
	const struct kma_diff_report *report;
	const struct kma_diff_row *rows;
	size_t nr;
	unsigned int keys;	    /* number of keys */
	struct kma_strbuf *scratch; /* a part of a key, for one cell at a time */
	char name[KMA_KEYS_NAME];
	struct kma_sheet_column columns[KMA_NR_COLS];
	struct kma_sheet sheet;
};

/* Sets the cell of a key for people. A combined row has the number of its rows. */
static void diff_key_shown(const struct kma_diff_sheet *view, const struct kma_diff_row *row,
			   unsigned int key, struct kma_cell *ret)
{
	ret->text = row->key;
	if (view->keys > 1)
		ret->text = kma_keys_part(row->key, key, view->scratch);
	if (key || *row->key != '[' || row->nr < 2)
		return;
	snprintf(ret->scratch, sizeof(ret->scratch), " (%u rows)", row->nr);
	ret->after = ret->scratch;
}

/* Sets a cell. The row after the last one is the total, without key and kind for programs. */
static void diff_cell(const void *arg, size_t i, size_t column, struct kma_cell *ret)
{
	const struct kma_diff_sheet *view = arg;
	const struct kma_diff_report *report = view->report;
	const struct kma_diff_row *row = i < view->nr ? &view->rows[i] :
							kma_diff_total(report->diff);
	const char *sign;

	switch (column) {
	case KMA_COL_KEY:
		ret->text = row->key;
		ret->none = i >= view->nr;
		break;
	case KMA_COL_KIND:
		ret->text = kma_kind_names[row->kind];
		ret->none = i >= view->nr || row->kind == KMA_KIND_UNKNOWN;
		break;
	case KMA_COL_STATE:
		ret->text = kma_diff_states[row->state];
		break;
	case KMA_COL_BEFORE:
		ret->number = row->number[KMA_DIFF_BEFORE];
		break;
	case KMA_COL_AFTER:
		ret->number = row->number[KMA_DIFF_AFTER];
		break;
	case KMA_COL_DELTA:
		ret->number = delta(row, &sign);
		ret->sign = *sign;
		break;
	case KMA_COL_PERCENT:
		diff_percent(row, ret);
		break;
	case KMA_COL_ROWS:
		ret->number = row->nr;
		break;
	case KMA_COL_KIND_SHOWN:
		ret->text = row->kind == KMA_KIND_UNKNOWN ? "" : kma_kind_names[row->kind];
		break;
	default:
		diff_key_shown(view, row, column - KMA_COL_KEY_SHOWN, ret);
	}
}

static void diff_sheet_init(struct kma_diff_sheet *view, const struct kma_diff_report *report)
{
	static const enum kma_cell_kind units[] = {
		[KMA_UNIT_BYTES] = KMA_CELL_BYTES,
		[KMA_UNIT_COUNT] = KMA_CELL_COUNT,
		[KMA_UNIT_NS] = KMA_CELL_NS_LONG,
	};
	enum kma_cell_kind unit = units[kma_metrics[report->metric].unit];
	bool kinds = kma_diff_has_kinds(report->diff);

	*view = (struct kma_diff_sheet){
		.report = report,
		.columns = {
			[KMA_COL_KIND] = { .name = kinds ? "kind" : NULL, .optional = true },
			[KMA_COL_STATE] = { .name = "state" },
			[KMA_COL_BEFORE] = { .name = "before", .title = "before", .kind = unit },
			[KMA_COL_AFTER] = { .name = "after", .title = "after", .kind = unit },
			[KMA_COL_DELTA] = { .name = "delta", .title = "delta", .kind = unit },
			[KMA_COL_PERCENT] = { .name = "percent",
					      .title = "percent",
					      .kind = KMA_CELL_CHANGE,
					      .optional = true },
			[KMA_COL_ROWS] = { .name = "rows", .kind = KMA_CELL_COUNT },
			[KMA_COL_KIND_SHOWN] = { .title = kinds ? "kind" : NULL,
						 .width = strlen("kmalloc") },
		},
	};
	view->columns[KMA_COL_KEY] =
		(struct kma_sheet_column){ .name = diff_column(report, view->name),
					   .optional = true };
	view->keys = report->key ? 1 : report->by.nr;
	for (unsigned int i = 0; i < view->keys; i++)
		view->columns[KMA_COL_KEY_SHOWN + i].title =
			report->key_title ?: kma_keys[report->by.list[i]].title;
	view->rows = kma_diff_rows(report->diff, &view->nr);
	view->sheet = (struct kma_sheet){ .name = "rows",
					  .columns = view->columns,
					  .nr_columns = KMA_COL_KEY_SHOWN + view->keys,
					  .style = KMA_JSON_INLINE,
					  .cell = diff_cell,
					  .arg = view,
					  .rows = view->nr,
					  .tail = 1,
					  .ranked = true };
}

static void diff_head(const struct kma_diff_report *report, struct kma_strbuf *out)
{
	for (unsigned int side = 0; side < KMA_NR_DIFF_SIDES; side++) {
		const struct kma_diff_input *input = &report->inputs[side];

		kma_strbuf_printf(out, "%s:%s", kma_side_names[side],
				  side == KMA_DIFF_AFTER ? "  " : " ");
		kma_escape_plain(out, kma_account_name(input->account));
		if (*input->about) {
			kma_strbuf_puts(out, "  (");
			kma_escape_plain(out, input->about);
			kma_strbuf_puts(out, ")");
		}
		kma_strbuf_puts(out, "\n");
	}
	for (unsigned int side = 0; side < KMA_NR_DIFF_SIDES; side++) {
		if (!report->inputs[side].only)
			continue;
		kma_strbuf_printf(out, "%s, selected: ", kma_side_names[side]);
		kma_escape_plain(out, report->inputs[side].only);
		kma_strbuf_puts(out, "\n");
	}
	kma_strbuf_printf(out, "shown:  %s", kma_metrics[report->metric].what);
	if (*report->branch) {
		kma_strbuf_puts(out, " of ");
		kma_escape_plain(out, report->branch);
	}
	if (kma_keys_are(&report->by, KMA_KEY_CALLER) && report->match == KMA_DIFF_BY_FUNCTION &&
	    !report->sizes)
		kma_strbuf_puts(out, ", by function: these are two builds of the kernel");
	kma_strbuf_puts(out, "\n\n");
}

static void diff_losses(const struct kma_diff_report *report, struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "\n%-26s  %12s  %12s\n", "Not counted:", "before", "after");
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		kma_strbuf_printf(out, "  %-24s", kma_losses[id].title);
		for (unsigned int side = 0; side < KMA_NR_DIFF_SIDES; side++) {
			uint64_t events;

			if (kma_account_loss(report->inputs[side].account, id, &events))
				kma_strbuf_printf(out, "  %12" PRIu64, events);
			else
				kma_strbuf_printf(out, "  %12s", "unknown");
		}
		kma_strbuf_puts(out, "\n");
	}
}

static void diff_json_input(const struct kma_diff_input *input, const char *name,
			    struct kma_json *json)
{
	const char *release = kma_account_note(input->account, KMA_NOTE_RELEASE);
	struct kma_unread unread;
	uint64_t events;

	kma_json_begin(json, name, '{', KMA_JSON_INLINE);
	kma_json_text(json, "input", kma_account_name(input->account));
	if (release)
		kma_json_text(json, "kernel", release);
	if (input->only)
		kma_json_text(json, "only", input->only);
	kma_json_begin(json, "not_counted", '{', KMA_JSON_INLINE);
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(input->account, id, &events))
			kma_json_number(json, kma_losses[id].name, events);
	kma_json_end(json);
	kma_unread_of(input->account, &unread);
	kma_unread_json(&unread, NULL, json);
	kma_json_end(json);
}

/* Writes the event lines that the inputs lack, which JSON has with each input. */
static void diff_unread(const struct kma_diff_report *report, struct kma_doc *doc)
{
	struct kma_unread unread;

	for (unsigned int side = 0; side < KMA_NR_DIFF_SIDES && !kma_doc_json(doc); side++) {
		const struct kma_account *account = report->inputs[side].account;

		if (kma_unread_of(account, &unread))
			kma_unread_write(&unread, kma_account_name(account), doc);
	}
}

static void diff_json_head(const struct kma_diff_report *report, struct kma_json *json)
{
	char name[KMA_KEYS_NAME];

	for (unsigned int side = 0; side < KMA_NR_DIFF_SIDES; side++)
		diff_json_input(&report->inputs[side], kma_side_names[side], json);
	kma_json_text(json, "by", diff_column(report, name));
	kma_json_text(json, "attr", kma_metrics[report->metric].name);
	if (kma_keys_are(&report->by, KMA_KEY_CALLER) && !report->sizes)
		kma_json_text(json, "matched_by",
			      report->match == KMA_DIFF_BY_SITE ? "site" : "function");
	if (*report->branch)
		kma_json_text(json, "branch", report->branch);
}

void kma_diff_text(const struct kma_diff_report *report, enum kma_format format,
		   struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf cell = { 0 };
	struct kma_doc doc = { .bytes = report->bytes, .csv_safe = report->csv_safe };
	struct kma_diff_sheet view;

	diff_sheet_init(&view, report);
	view.scratch = &cell;
	kma_doc_begin(&doc, format, "kmem-account diff", 1, out);
	kma_doc_fit(&doc, report->fit);
	doc.below = report->sizes ? 0 : KMA_NR_LOSSES + 2;
	if (kma_doc_json(&doc))
		diff_json_head(report, kma_doc_json(&doc));
	if (kma_doc_table(&doc))
		diff_head(report, out);
	kma_sheet_write(&view.sheet, &doc);
	kma_sheet_object(&view.sheet, view.nr, "total", &doc);
	if (kma_doc_table(&doc) && !report->sizes)
		diff_losses(report, out);
	diff_unread(report, &doc);
	kma_doc_end(&doc);
}
