// SPDX-License-Identifier: GPL-2.0-only
/*
 * lost-text.c - the output of kmem-account lost: rows, passes, and sentences for bug reports.
 */
#include <stdio.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/plural.h"
#include "lib/sheet.h"
#include "lost-text.h"

/* Rows of a table without --top. */
#define KMA_LOST_SHOWN 20

enum {
	KMA_LOST_CALLER,
	KMA_LOST_LOST,
	KMA_LOST_LIVE,
	KMA_LOST_BYTES,
	KMA_LOST_OLDEST,
	KMA_LOST_FILE,
	KMA_LOST_LINE,
	KMA_LOST_HEAD,
	KMA_LOST_TYPE,
	KMA_LOST_NR_COLUMNS,
};

static const struct kma_sheet_column kma_lost_columns[KMA_LOST_NR_COLUMNS] = {
	[KMA_LOST_CALLER] = { .name = "caller", .title = "caller", .kind = KMA_CELL_TEXT },
	[KMA_LOST_LOST] = { .name = "lost", .title = "lost", .kind = KMA_CELL_COUNT },
	[KMA_LOST_LIVE] = { .name = "live", .title = "of live", .kind = KMA_CELL_COUNT },
	[KMA_LOST_BYTES] = { .name = "bytes", .title = "bytes lost", .kind = KMA_CELL_BYTES },
	[KMA_LOST_OLDEST] = { .name = "oldest_ns", .title = "oldest", .kind = KMA_CELL_NS },
	[KMA_LOST_FILE] = { .name = "file", .title = "file", .kind = KMA_CELL_TEXT },
	[KMA_LOST_LINE] = { .name = "line", .title = "line", .kind = KMA_CELL_COUNT },
	[KMA_LOST_HEAD] = { .name = "head", .title = "heads", .kind = KMA_CELL_COUNT },
	[KMA_LOST_TYPE] = { .name = "type", .title = "type", .kind = KMA_CELL_TEXT },
};

static const struct kma_sheet_column kma_lost_pass_columns[] = {
	{ .name = "pass", .title = "pass", .kind = KMA_CELL_COUNT },
	{ .name = "objects", .title = "objects", .kind = KMA_CELL_COUNT },
	{ .name = "unreached", .title = "unreached", .kind = KMA_CELL_COUNT },
	{ .name = "roots", .title = "roots", .kind = KMA_CELL_COUNT },
	{ .name = "edges", .title = "edges", .kind = KMA_CELL_COUNT },
	{ .name = "pages", .title = "pages", .kind = KMA_CELL_COUNT },
	{ .name = "pages_skipped", .title = "skipped", .kind = KMA_CELL_COUNT },
	{ .name = "free_objects", .title = "free objects", .kind = KMA_CELL_COUNT },
	{ .name = "ns", .title = "time", .kind = KMA_CELL_NS },
};

static const struct kma_sheet_column kma_lost_unseen_columns[] = {
	{ .name = "caller", .kind = KMA_CELL_TEXT }, { .name = "objects", .kind = KMA_CELL_COUNT },
	{ .name = "bytes", .kind = KMA_CELL_BYTES }, { .name = "how", .kind = KMA_CELL_TEXT },
	{ .name = "source", .kind = KMA_CELL_TEXT }, { .name = "kmemleak", .kind = KMA_CELL_TEXT },
};

/* Number of rows with lost objects that are shown. */
static size_t lost_shown(const struct kma_lost_text *text)
{
	size_t top = text->opts.top ?: text->opts.format == KMA_FORMAT_TABLE ? KMA_LOST_SHOWN : 0;

	return top && top < text->lost->nr ? top : text->lost->nr;
}

/* The row of the objects that are held in a way that a scan cannot see: none of them is lost. */
static void lost_unseen_cell(const struct kma_lost *lost, size_t column, struct kma_cell *ret)
{
	ret->none = column == KMA_LOST_OLDEST || column == KMA_LOST_FILE ||
		    column == KMA_LOST_LINE || column == KMA_LOST_TYPE;
	if (column == KMA_LOST_CALLER)
		ret->text = KMA_UNSEEN_ROW;
	for (size_t i = 0; i < lost->nr_unseen && column == KMA_LOST_LIVE; i++)
		ret->number += lost->rows[lost->nr + i].lost;
}

/* A place whose file is known, at least in part; else NULL. */
static const struct kma_place *known_place(const struct kma_place *place)
{
	return kma_place_has_path(place) ? place : NULL;
}

static void lost_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct kma_lost_text *text = arg;
	const struct kma_lost_row *site = &text->lost->rows[row];
	const struct kma_place *place = known_place(text->places[row]);

	if (row == lost_shown(text)) {
		lost_unseen_cell(text->lost, column, ret);
		return;
	}
	switch (column) {
	case KMA_LOST_CALLER:
		ret->text = site->caller;
		break;
	case KMA_LOST_LOST:
		ret->number = site->lost;
		break;
	case KMA_LOST_LIVE:
		ret->number = site->live;
		break;
	case KMA_LOST_BYTES:
		ret->number = site->bytes;
		break;
	case KMA_LOST_OLDEST:
		ret->number = site->oldest;
		ret->none = !site->oldest;
		break;
	case KMA_LOST_FILE:
		ret->text = place ? place->path : NULL;
		ret->none = !place;
		break;
	case KMA_LOST_LINE:
		ret->number = place ? place->line : 0;
		ret->none = !ret->number;
		break;
	case KMA_LOST_HEAD:
		ret->number = site->heads;
		break;
	case KMA_LOST_TYPE:
		ret->text = text->places[row] ? text->places[row]->type : NULL;
		ret->none = !ret->text;
		break;
	}
}

static void lost_passes(const struct kma_lost *lost, struct kma_doc *doc)
{
	struct kma_sheet sheet;

	kma_sheet_init(&sheet, "passes", NULL, kma_lost_pass_columns,
		       ARRAY_SIZE(kma_lost_pass_columns));
	for (unsigned int i = 0; i < lost->nr_passes; i++) {
		const struct kma_lost_pass *pass = &lost->passes[i];

		kma_sheet_number(&sheet, i + 1);
		kma_sheet_number(&sheet, pass->objects);
		kma_sheet_number(&sheet, pass->unreached);
		kma_sheet_number(&sheet, pass->counts.roots);
		kma_sheet_number(&sheet, pass->counts.edges);
		kma_sheet_number(&sheet, pass->counts.pages);
		kma_sheet_number(&sheet, pass->counts.skipped);
		kma_sheet_number(&sheet, pass->free.objects);
		kma_sheet_number(&sheet, pass->ns);
	}
	if (kma_doc_table(doc))
		kma_strbuf_puts(kma_doc_table(doc), "\n");
	kma_sheet_write(&sheet, doc);
	kma_sheet_deinit(&sheet);
}

/* Name of a call site: its function, or its address, and its place. */
static void lost_name(const struct kma_lost_row *row, const struct kma_place *place,
		      struct kma_strbuf *text)
{
	bool named = strncmp(row->caller, "0x", 2) != 0;

	kma_strbuf_printf(text, " %.*s%s", (int)strcspn(row->caller, "+ "), row->caller,
			  named ? "()" : "");
	if (place && place->line)
		kma_strbuf_printf(text, " (%s:%u)", place->path, place->line);
	else if (place)
		kma_strbuf_printf(text, " (%s)", place->path);
}

/*
 * A sentence for a report: "98 of 100 objects of foo() (a/b.c:12) have no reference left in the
 * kernel." Objects without a head are referred to by other lost ones, which are the loss.
 */
static void lost_sentence(const struct kma_lost_text *text, size_t i, struct kma_strbuf *ret)
{
	const struct kma_lost_row *row = &text->lost->rows[i];

	kma_strbuf_printf(ret, "%llu of %llu %s of", (unsigned long long)row->lost,
			  (unsigned long long)row->live,
			  kma_plural(row->live, "object", "objects"));
	lost_name(row, known_place(text->places[i]), ret);
	kma_strbuf_printf(ret, " %s %s.", kma_plural(row->lost, "has", "have"),
			  row->heads ? "no reference left in the kernel" :
				       "only references from other lost objects");
}

/* Write the member that only JSON has. */
static void lost_json(const void *arg, size_t row, struct kma_json *json)
{
	_cleanup_strbuf_ struct kma_strbuf sentence = { 0 };

	if (row == lost_shown(arg))
		return;
	lost_sentence(arg, row, &sentence);
	kma_json_text(json, "sentence", sentence.str ?: "");
}

/* Write the sentences of the rows that are shown. */
static void lost_sentences(const struct kma_lost_text *text, size_t rows, struct kma_doc *doc)
{
	for (size_t i = 0; i < rows; i++) {
		_cleanup_strbuf_ struct kma_strbuf sentence = { 0 };

		lost_sentence(text, i, &sentence);
		kma_doc_line(doc, sentence.str ?: "");
	}
}

/* Describe the rows of objects whose references cannot be seen: a list in JSON, else sentences. */
static void lost_unseen(const struct kma_lost *lost, struct kma_doc *doc)
{
	struct kma_sheet sheet;

	kma_sheet_init(&sheet, "unseen", NULL, kma_lost_unseen_columns,
		       ARRAY_SIZE(kma_lost_unseen_columns));
	for (size_t i = 0; i < lost->nr_unseen; i++) {
		const struct kma_lost_row *row = &lost->rows[lost->nr + i];
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };

		kma_strbuf_printf(&text, "%llu %s of %.*s() %s held %s (%s%s%s).",
				  (unsigned long long)row->lost,
				  kma_plural(row->lost, "object", "objects"),
				  (int)strcspn(row->caller, "+ "), row->caller,
				  kma_plural(row->lost, "is", "are"), row->unseen->how,
				  row->unseen->source, *row->unseen->mark ? "; " : "",
				  row->unseen->mark);
		kma_doc_line(doc, text.str ?: "");
		kma_sheet_text(&sheet, row->caller);
		kma_sheet_number(&sheet, row->lost);
		kma_sheet_number(&sheet, row->bytes);
		kma_sheet_text(&sheet, row->unseen->how);
		kma_sheet_text(&sheet, row->unseen->source);
		kma_sheet_text(&sheet, row->unseen->mark);
	}
	if (doc->format == KMA_FORMAT_JSON)
		kma_sheet_write(&sheet, doc);
	kma_sheet_deinit(&sheet);
}

void kma_lost_write(const struct kma_lost_text *text, struct kma_strbuf *out)
{
	const struct kma_lost *lost = text->lost;
	size_t shown = lost_shown(text);
	struct kma_sheet_column columns[KMA_LOST_NR_COLUMNS];
	struct kma_sheet sheet = { .name = "sites",
				   .columns = columns,
				   .nr_columns = KMA_LOST_NR_COLUMNS,
				   .cell = lost_cell,
				   .json = lost_json,
				   .arg = text,
				   .rows = shown + (lost->nr_unseen > 0),
				   .ranked = !text->opts.top };
	struct kma_doc doc;
	char more[80];

	memcpy(columns, kma_lost_columns, sizeof(columns));
	if (!text->has_places)
		columns[KMA_LOST_FILE].title = columns[KMA_LOST_LINE].title =
			columns[KMA_LOST_TYPE].title = NULL;
	kma_text_begin(&text->opts, "kmem-account lost", &doc, out);
	kma_doc_number(&doc, "lost_objects", "lost objects", lost->lost);
	kma_doc_number(&doc, "lost_bytes", "lost bytes", lost->bytes);
	kma_doc_number(&doc, "live_objects", "live objects", lost->live);
	if (text->opts.format != KMA_FORMAT_CSV)
		lost_passes(lost, &doc);
	if (kma_doc_table(&doc) && sheet.rows)
		kma_strbuf_puts(out, "\n");
	if (!kma_doc_table(&doc) || sheet.rows)
		kma_sheet_write(&sheet, &doc);
	snprintf(more, sizeof(more), "%zu more %s not shown; use --top N", lost->nr - shown,
		 kma_plural(lost->nr - shown, "site is", "sites are"));
	if (shown < lost->nr)
		kma_doc_line(&doc, more);
	lost_sentences(text, shown, &doc);
	lost_unseen(lost, &doc);
	if (!lost->nr)
		kma_doc_line(&doc,
			     text->workload ?
				     "Every object of the workload has a reference." :
				     "Every object that was live before the scan has a reference.");
	kma_doc_end(&doc);
}
