// SPDX-License-Identifier: GPL-2.0-only
/*
 * where-text.c - write MemTotal as a sum of rows.
 */
#include <stdio.h>

#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/sheet.h"
#include "where-text.h"

#define KMA_WHERE_PAGE_ROWS 10 /* call sites of pages to show without --top */

static const struct kma_sheet_column kma_where_columns[] = {
	{ .name = "group", .title = "group", .kind = KMA_CELL_TEXT },
	{ .name = "bytes", .title = "bytes", .kind = KMA_CELL_BYTES },
	{ .title = "share", .kind = KMA_CELL_SHARE, .width = 6, .fixed = true },
	{ .name = "owner", .title = "owner", .kind = KMA_CELL_TEXT },
};

static const struct kma_sheet_column kma_where_page_columns[] = {
	{ .name = "bytes", .title = "bytes", .kind = KMA_CELL_BYTES },
	{ .title = "share", .kind = KMA_CELL_SHARE, .width = 6, .fixed = true },
	{ .name = "caller", .title = "caller", .kind = KMA_CELL_TEXT },
};

/* Sets a cell. The row after the last one of @where is MemTotal. */
static void kma_where_cell(const void *arg, size_t i, size_t column, struct kma_cell *ret)
{
	const struct kma_where *where = arg;
	const struct kma_where_row total = { "", "MemTotal", where->total, false };
	const struct kma_where_row *row = i < where->nr ? &where->rows[i] : &total;

	switch (column) {
	case 0:
		ret->text = row->group;
		break;
	case 1:
		ret->number = row->bytes;
		ret->sign = row->negative ? '-' : 0;
		break;
	case 2:
		ret->number = row->bytes;
		ret->whole = where->total;
		ret->sign = row->negative ? '-' : 0;
		break;
	default:
		ret->text = row->owner;
	}
}

struct kma_where_pages {
	const struct kma_where *where;
	size_t shown; /* rows of call sites; one more has the others */
	char others[48];
	uint64_t rest;
};

static void kma_where_page_cell(const void *arg, size_t i, size_t column, struct kma_cell *ret)
{
	const struct kma_where_pages *pages = arg;
	const struct kma_where_row rest = { NULL, pages->others, pages->rest, false };
	const struct kma_where_row *row = i < pages->shown ? &pages->where->pages[i] : &rest;

	if (column == 2)
		ret->text = row->owner;
	else
		ret->number = row->bytes;
	ret->whole = pages->where->total;
}

static void kma_where_page_sheet(const struct kma_where *where, unsigned long top,
				 struct kma_doc *doc)
{
	struct kma_where_pages pages = { .where = where, .shown = top ?: KMA_WHERE_PAGE_ROWS };
	struct kma_sheet sheet = {
		.name = "pages_by_caller",
		.title = "Pages by call site (already counted in the rows above)",
		.columns = kma_where_page_columns,
		.nr_columns = ARRAY_SIZE(kma_where_page_columns),
		.style = KMA_JSON_INLINE,
		.cell = kma_where_page_cell,
		.arg = &pages,
	};

	if (pages.shown >= where->nr_pages)
		pages.shown = where->nr_pages;
	for (size_t i = pages.shown; i < where->nr_pages; i++)
		pages.rest += where->pages[i].bytes;
	snprintf(pages.others, sizeof(pages.others), "other (%zu rows)",
		 where->nr_pages - pages.shown);
	sheet.rows = pages.shown + (pages.shown < where->nr_pages);
	if (kma_doc_table(doc))
		kma_strbuf_puts(doc->out, "\n");
	kma_sheet_write(&sheet, doc);
}

void kma_where_text(const struct kma_where *where, const struct kma_options *opts,
		    struct kma_strbuf *out)
{
	struct kma_doc doc = { .bytes = opts->bytes, .csv_safe = opts->csv_safe };
	const struct kma_sheet sheet = {
		.name = "rows",
		.columns = kma_where_columns,
		.nr_columns = ARRAY_SIZE(kma_where_columns),
		.style = KMA_JSON_INLINE,
		.cell = kma_where_cell,
		.arg = where,
		.rows = where->nr,
		.tail = 1,
	};

	kma_doc_begin(&doc, opts->format, "kmem-account where", 1, out);
	kma_doc_fit(&doc, !opts->all && !opts->output);
	kma_sheet_write(&sheet, &doc);
	if (kma_doc_json(&doc))
		kma_doc_number(&doc, "total", NULL, where->total);
	if (where->nr_pages && opts->format != KMA_FORMAT_CSV)
		kma_where_page_sheet(where, opts->top, &doc);
	kma_doc_end(&doc);
}
