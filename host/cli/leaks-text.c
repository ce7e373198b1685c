// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-text.c - the output of kmem-account leaks: rows, sparklines, and sentences for bug reports.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "leaks-text.h"
#include "lib/plural.h"
#include "lib/sheet.h"
#include "lib/units.h"
#include "model/leak-part.h"
#include "model/leak-reasons.h"

/* Rows of a table without --top. */
#define KMA_LEAKS_SHOWN 20

enum {
	KMA_LEAKS_RANK,
	KMA_LEAKS_VERDICT,
	KMA_LEAKS_CONFIDENCE,
	KMA_LEAKS_LIVE,
	KMA_LEAKS_GROWTH,
	KMA_LEAKS_SHARE,
	KMA_LEAKS_OLDEST,
	KMA_LEAKS_SURVIVORS,
	KMA_LEAKS_KEY, /* one for each key, whose number is added */
	KMA_LEAKS_FILE = KMA_LEAKS_KEY + KMA_KEYS_MAX,
	KMA_LEAKS_LINE,
	KMA_LEAKS_CGROUP, /* always empty: what older versions wrote without --by cgroup */
	KMA_LEAKS_REASONS,
	KMA_LEAKS_KIND,
	KMA_LEAKS_LOST, /* this one and those that follow: with a scan only */
	KMA_LEAKS_LOST_OF,
	KMA_LEAKS_HOLDER,
	KMA_LEAKS_HELD,
	KMA_LEAKS_HELD_OF,
	KMA_LEAKS_NR_COLUMNS,
};

static const struct kma_sheet_column kma_leaks_columns[KMA_LEAKS_NR_COLUMNS] = {
	[KMA_LEAKS_RANK] = { .name = "rank", .title = "rank", .kind = KMA_CELL_COUNT },
	[KMA_LEAKS_VERDICT] = { .name = "verdict", .title = "verdict", .kind = KMA_CELL_TEXT },
	[KMA_LEAKS_CONFIDENCE] = { .name = "confidence", .title = "sure", .kind = KMA_CELL_CHANGE },
	[KMA_LEAKS_LIVE] = { .name = "live", .title = "live", .kind = KMA_CELL_BYTES },
	[KMA_LEAKS_GROWTH] = { .name = "growth_per_hour",
			       .title = "per hour",
			       .kind = KMA_CELL_BYTES },
	[KMA_LEAKS_SHARE] = { .name = "leaked_of_allocs",
			      .title = "never freed",
			      .kind = KMA_CELL_PERCENT },
	[KMA_LEAKS_OLDEST] = { .name = "oldest_ns", .kind = KMA_CELL_NS },
	[KMA_LEAKS_SURVIVORS] = { .name = "survivors", .kind = KMA_CELL_COUNT },
	[KMA_LEAKS_FILE] = { .name = "file", .title = "file", .kind = KMA_CELL_TEXT },
	[KMA_LEAKS_LINE] = { .name = "line", .title = "line", .kind = KMA_CELL_COUNT },
	[KMA_LEAKS_CGROUP] = { .name = "cgroup", .kind = KMA_CELL_TEXT },
	[KMA_LEAKS_REASONS] = { .name = "reasons", .title = "reasons", .kind = KMA_CELL_TEXT },
	[KMA_LEAKS_KIND] = { .name = "kind", .kind = KMA_CELL_TEXT, .optional = true },
	[KMA_LEAKS_LOST] = { .name = "lost", .kind = KMA_CELL_COUNT },
	[KMA_LEAKS_LOST_OF] = { .name = "lost_of", .kind = KMA_CELL_COUNT },
	[KMA_LEAKS_HOLDER] = { .name = "holder", .kind = KMA_CELL_TEXT },
	[KMA_LEAKS_HELD] = { .name = "held", .kind = KMA_CELL_COUNT },
	[KMA_LEAKS_HELD_OF] = { .name = "held_of", .kind = KMA_CELL_COUNT },
};

double kma_leaks_unit(const struct kma_leak_table *table)
{
	return table->runs ? KMA_LEAK_RUN : 3600;
}

/*
 * Puts a sparkline before the reasons: for each minimum one of eight block characters. Such a
 * character has three bytes but one column; as the reasons are the last column, no other column is
 * moved by the difference.
 */
static void leaks_spark(const struct kma_leak_row *row, struct kma_cell *cell)
{
	static const char heights[][4] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	double low = INFINITY, high = -INFINITY;
	const struct kma_leak_evidence *ev = &row->result.evidence;
	size_t len = 0;

	for (size_t i = 0; i < ev->blocks; i++) {
		low = fmin(low, ev->minima[i]);
		high = fmax(high, ev->minima[i]);
	}
	for (size_t i = 0; i < ev->blocks; i++, len += 3) {
		size_t height = high > low ? (ev->minima[i] - low) / (high - low) * 7 + 0.5 : 0;

		memcpy(cell->scratch + len, heights[height], 4);
	}
	cell->scratch[len] = ' ';
	cell->after = cell->text;
	cell->text = cell->scratch;
}

/* Do the samples tell the share that leaks? */
static bool leaks_has_share(const struct kma_leak_row *row)
{
	return row->result.verdict == KMA_LEAK_LEAK && !row->by_scan &&
	       row->result.evidence.leaked > 0;
}

static void leaks_share(const struct kma_leak_row *row, struct kma_cell *cell)
{
	const struct kma_leak_evidence *ev = &row->result.evidence;

	/* Objects that are freed in the end are not part of the leaking share. */
	cell->none = !leaks_has_share(row);
	cell->real = ev->leaked;
	snprintf(cell->scratch, sizeof(cell->scratch), "1 of %.0f", 1 / ev->leaked);
	cell->text = cell->none ? NULL : cell->scratch;
}

static void leaks_numbers(const struct kma_leak_table *table, const struct kma_leak_row *row,
			  size_t column, struct kma_cell *cell)
{
	const struct kma_leak_evidence *ev = &row->result.evidence;
	double growth = ev->slope.slope * kma_leaks_unit(table);

	switch (column) {
	case KMA_LEAKS_CONFIDENCE:
		cell->real = row->result.confidence;
		snprintf(cell->scratch, sizeof(cell->scratch), "%.2f", row->result.confidence);
		cell->text = cell->scratch;
		break;
	case KMA_LEAKS_LIVE:
		cell->number = ev->last;
		break;
	case KMA_LEAKS_GROWTH:
		cell->none = !ev->blocks;
		cell->number = fabs(growth) + 0.5;
		cell->sign = growth < -0.5 ? '-' : growth >= 0.5 ? '+' : 0;
		break;
	case KMA_LEAKS_SHARE:
		leaks_share(row, cell);
		break;
	case KMA_LEAKS_OLDEST:
		cell->none = !row->oldest;
		cell->number = row->oldest;
		break;
	case KMA_LEAKS_SURVIVORS:
		cell->none = !ev->has_cohorts;
		cell->number = lrint(ev->survivors); /* as the reason's %.0f */
		break;
	default:
		cell->none = true;
		break;
	}
}

/* What a scan has found of a call site. */
static void leaks_scan_cell(const struct kma_leak_row *row, size_t column, struct kma_cell *cell)
{
	switch (column) {
	case KMA_LEAKS_LOST:
		cell->none = !row->scanned;
		cell->number = row->lost;
		break;
	case KMA_LEAKS_LOST_OF:
		cell->none = !row->lost;
		cell->number = row->lost_of;
		break;
	case KMA_LEAKS_HOLDER:
		cell->none = !row->holder;
		cell->text = row->holder;
		break;
	case KMA_LEAKS_HELD:
		cell->none = !row->held_of;
		cell->number = row->held;
		break;
	default:
		cell->none = !row->held_of;
		cell->number = row->held_of;
		break;
	}
}

/* The columns of the rows. */
struct kma_leaks_sheet {
	const struct kma_leak_table *table;
	struct kma_sheet_column columns[KMA_LEAKS_NR_COLUMNS];
	unsigned int ids[KMA_LEAKS_NR_COLUMNS];
	size_t nr;
	struct kma_strbuf *part; /* of the text of a row */
};

/* The text of a key. A single one is that of the row, and may have a remark. */
static void leaks_key(const struct kma_leaks_sheet *sheet, const struct kma_leak_row *row,
		      unsigned int i, struct kma_cell *cell)
{
	const struct kma_keys *by = &sheet->table->by;

	cell->text = by->nr == 1 ? row->caller : kma_keys_part(row->caller, i, sheet->part);
	if (by->list[i] == KMA_KEY_CALLER)
		cell->after = row->remark;
}

static void leaks_cell(const void *arg, size_t i, size_t column, struct kma_cell *cell)
{
	const struct kma_leaks_sheet *sheet = arg;
	const struct kma_leak_table *table = sheet->table;
	const struct kma_leak_row *row = &table->rows[i];
	unsigned int id = sheet->ids[column];

	switch (id) {
	case KMA_LEAKS_RANK:
		cell->number = i + 1;
		break;
	case KMA_LEAKS_VERDICT:
		cell->text = kma_leak_verdicts[row->result.verdict];
		break;
	case KMA_LEAKS_KEY ... KMA_LEAKS_FILE - 1:
		leaks_key(sheet, row, id - KMA_LEAKS_KEY, cell);
		break;
	case KMA_LEAKS_FILE:
		cell->text = row->file;
		cell->none = !row->file;
		break;
	case KMA_LEAKS_LINE:
		cell->number = row->line;
		cell->none = !row->line;
		break;
	case KMA_LEAKS_KIND:
		cell->text = kma_kind_names[row->site->kind];
		cell->none = row->site->kind == KMA_KIND_UNKNOWN;
		break;
	case KMA_LEAKS_REASONS:
		cell->text = row->reasons.str ?: "";
		if (table->sparks && row->result.evidence.blocks)
			leaks_spark(row, cell);
		break;
	case KMA_LEAKS_LOST:
	case KMA_LEAKS_LOST_OF:
	case KMA_LEAKS_HOLDER:
	case KMA_LEAKS_HELD:
	case KMA_LEAKS_HELD_OF:
		leaks_scan_cell(row, id, cell);
		break;
	default:
		leaks_numbers(table, row, id, cell);
		break;
	}
}

/*
 * Chooses the columns: the keys, and of callers the file, the line and the kind, unless these are keys
 * themselves.
 */
static void leaks_choose(struct kma_leaks_sheet *sheet)
{
	const struct kma_leak_table *table = sheet->table;
	const struct kma_keys *by = &table->by;
	bool callers = kma_keys_have(by, KMA_KEY_CALLER);

	for (unsigned int id = 0; id < KMA_LEAKS_NR_COLUMNS; id++) {
		struct kma_sheet_column column = kma_leaks_columns[id];
		unsigned int key = id - KMA_LEAKS_KEY;

		if ((id == KMA_LEAKS_FILE && (!callers || kma_keys_have(by, KMA_KEY_FILE))) ||
		    (id == KMA_LEAKS_LINE && (!callers || kma_keys_have(by, KMA_KEY_LINE))) ||
		    (id == KMA_LEAKS_CGROUP && (!callers || kma_keys_have(by, KMA_KEY_CGROUP))) ||
		    (id == KMA_LEAKS_KIND && (!callers || kma_keys_have(by, KMA_KEY_KIND))) ||
		    (id >= KMA_LEAKS_LOST && !table->scan))
			continue;
		if (id >= KMA_LEAKS_KEY && id < KMA_LEAKS_FILE) {
			if (key >= by->nr)
				continue;
			column = (struct kma_sheet_column){
				.name = kma_keys[by->list[key]].name,
				.title = kma_keys[by->list[key]].title,
				.kind = KMA_CELL_TEXT,
			};
		}
		if (id == KMA_LEAKS_GROWTH && table->runs) {
			column.name = "growth_per_run";
			column.title = "per run";
		}
		sheet->ids[sheet->nr] = id;
		sheet->columns[sheet->nr++] = column;
	}
}

static void leaks_real(struct kma_json *json, const char *name, double value)
{
	kma_json_name(json, name);
	kma_strbuf_printf(json->out, "%.6g", value);
}

/* Writes the members that only JSON has. */
static void leaks_json(const void *arg, size_t i, struct kma_json *json)
{
	const struct kma_leak_table *table = ((const struct kma_leaks_sheet *)arg)->table;
	const struct kma_leak_row *row = &table->rows[i];
	const struct kma_leak_evidence *ev = &row->result.evidence;

	if (ev->blocks) {
		leaks_real(json, "growth_low", ev->slope.low * kma_leaks_unit(table));
		leaks_real(json, "growth_high", ev->slope.high * kma_leaks_unit(table));
		leaks_real(json, "z", ev->z);
		kma_json_number(json, "blocks", ev->blocks);
	}
	if (row->sentence.len)
		kma_json_text(json, "sentence", row->sentence.str ?: "");
}

static void leaks_bytes(struct kma_strbuf *text, double bytes)
{
	char buf[32];

	kma_strbuf_printf(text, "%s%s", bytes < 0 ? "-" : "",
			  kma_units_format(buf, sizeof(buf), fabs(bytes), KMA_UNIT_BYTES));
}

/* The growth of a leak: "; 1.0 MiB are live and grow by 3.0 KiB an hour (2.0 KiB to ...". */
static void leaks_growth(const struct kma_leak_table *table, const struct kma_leak_evidence *ev,
			 struct kma_strbuf *text)
{
	double unit = kma_leaks_unit(table);

	kma_strbuf_puts(text, " and grow by ");
	leaks_bytes(text, ev->slope.slope * unit);
	kma_strbuf_puts(text, table->runs ? " a run (" : " an hour (");
	leaks_bytes(text, ev->slope.low * unit);
	kma_strbuf_puts(text, " to ");
	leaks_bytes(text, ev->slope.high * unit);
	if (table->runs)
		kma_strbuf_printf(text, "), seen over %.0f runs", ev->covers / unit);
	else
		kma_strbuf_printf(text, "), seen over %.1f h", ev->covers / unit);
}

void kma_leaks_say_lost(const struct kma_leak_row *row, struct kma_strbuf *text)
{
	kma_strbuf_printf(text, "%llu of %llu %s%s %s %s", (unsigned long long)row->lost,
			  (unsigned long long)row->lost_of,
			  kma_plural(row->lost_of, "object", "objects"),
			  row->kinds > 1 ? " of all kinds of this caller" : "",
			  kma_plural(row->lost, "has", "have"),
			  row->chained ? "only references from other lost objects" :
					 "no reference left in the kernel");
}

void kma_leaks_say_holder(const struct kma_leak_row *row, struct kma_strbuf *text)
{
	kma_strbuf_printf(text, "held by %s: %llu of %llu (%.0f %%)", row->holder,
			  (unsigned long long)row->held, (unsigned long long)row->held_of,
			  100.0 * row->held / row->held_of);
}

/* What a scan has found: "; 98 of 100 objects have no reference left in the kernel". */
static void leaks_found(const struct kma_leak_row *row, struct kma_strbuf *text)
{
	if (row->lost) {
		kma_strbuf_puts(text, "; ");
		kma_leaks_say_lost(row, text);
	}
	if (row->holder) {
		kma_strbuf_puts(text, "; ");
		kma_leaks_say_holder(row, text);
	}
}

void kma_leaks_label(const struct kma_leak_table *table, struct kma_leak_row *row)
{
	kma_keys_label(&table->by, row->caller, &row->label);
	kma_strbuf_puts(&row->label, row->remark);
}

const char *kma_leaks_word(const struct kma_leak_table *table, size_t nr)
{
	if (kma_keys_are(&table->by, KMA_KEY_CALLER))
		return kma_plural(nr, "call site", "call sites");
	return kma_plural(nr, "row", "rows");
}

void kma_leaks_sentence(const struct kma_leak_table *table, struct kma_leak_row *row,
			uint64_t available)
{
	const struct kma_leak_evidence *ev = &row->result.evidence;
	struct kma_strbuf *text = &row->sentence;

	if (row->result.verdict != KMA_LEAK_LEAK)
		return;
	kma_strbuf_puts(text, row->label.str ?: "");
	if (row->file && row->line)
		kma_strbuf_printf(text, " (%s:%lu)", row->file, row->line);
	kma_strbuf_puts(text,
			row->by_scan && row->kinds > 1 ? " may leak memory" : " leaks memory");
	kma_strbuf_puts(text, ": ");
	leaks_bytes(text, ev->last);
	kma_strbuf_puts(text, " are live");
	if (ev->blocks && !row->by_scan)
		leaks_growth(table, ev, text);
	leaks_found(row, text);
	if (leaks_has_share(row)) {
		kma_strbuf_puts(text, "; ");
		kma_leak_say_share(ev, false, text);
	}
	if (available && ev->slope.slope > 0 && !row->by_scan)
		kma_strbuf_printf(text,
				  table->runs ? "; at that rate memory is exhausted in %.0f runs" :
						"; at that rate memory is exhausted in %.1f h",
				  available / ev->slope.slope / kma_leaks_unit(table));
	kma_strbuf_puts(text, ".");
}

static void leaks_counts(const struct kma_leak_table *table, struct kma_doc *doc)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	for (size_t i = 0; i < KMA_LEAK_NR_VERDICTS; i++)
		if (table->counts[i])
			kma_strbuf_printf(&text, "%s%zu %s", text.len ? ", " : "", table->counts[i],
					  kma_leak_verdicts[i]);
	kma_doc_number(doc, "samples", "samples", table->samples);
	kma_doc_number(doc, table->runs ? "covers_runs" : "covers_s",
		       table->runs ? "runs" : "seconds",
		       table->runs ? table->covers / kma_leaks_unit(table) + 0.5 : table->covers);
	kma_doc_number(doc, "damaged_files", table->damaged ? "damaged files" : NULL,
		       table->damaged);
	if (table->only.len)
		kma_doc_text(doc, "only", "selected", table->only.str);
	kma_doc_number(doc, NULL, "sites", table->nr);
	kma_doc_text(doc, NULL, "verdicts", text.str ?: "none");
}

/* Writes one sentence instead of rows that all have the verdict too-early. */
static void leaks_early(const struct kma_leak_table *table, struct kma_doc *doc)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	kma_strbuf_printf(
		&text,
		"No %s can be judged yet: %s. Take more samples with 'kmem-account watch DIR', or use --workload CMD; --top N shows the %s.",
		kma_leaks_word(table, 1), table->rows[0].reasons.str ?: "",
		kma_leaks_word(table, 2));
	kma_doc_line(doc, text.str ?: "");
}

/* A verdict that is not certain enough is no all-clear. */
static void leaks_unsure(const struct kma_leak_table *table, struct kma_doc *doc)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < table->nr; i++)
		nr += table->rows[i].result.verdict != KMA_LEAK_LEAK &&
		      table->rows[i].result.confidence < KMA_LEAK_SURE;
	if (!nr)
		return;
	kma_strbuf_printf(
		&text,
		"%zu %s a confidence below %.1f: %s no all-clear, as a leak is not excluded.", nr,
		kma_plural(nr, "verdict has", "verdicts have"), KMA_LEAK_SURE,
		kma_plural(nr, "it is", "they are"));
	kma_doc_line(doc, text.str ?: "");
}

void kma_leaks_write(const struct kma_leak_table *table, const struct kma_text_options *opts,
		     enum kma_format format, struct kma_strbuf *out)
{
	bool read = format == KMA_FORMAT_TABLE || format == KMA_FORMAT_HTML;
	size_t top = opts->top ?: read ? KMA_LEAKS_SHOWN : 0;
	_cleanup_strbuf_ struct kma_strbuf part = { 0 };
	struct kma_leaks_sheet chosen = { .table = table, .part = &part };
	struct kma_sheet sheet = { .name = "sites",
				   .columns = chosen.columns,
				   .cell = leaks_cell,
				   .json = leaks_json,
				   .arg = &chosen,
				   .rows = top && top < table->nr ? top : table->nr,
				   .ranked = !opts->top };
	struct kma_text_options as = *opts;
	struct kma_doc doc;
	char more[80];

	as.format = format;
	leaks_choose(&chosen);
	sheet.nr_columns = chosen.nr;
	kma_text_begin(&as, "kmem-account leaks", &doc, out);
	leaks_counts(table, &doc);
	if (read && !opts->top && !table->scan && table->nr &&
	    table->counts[KMA_LEAK_TOO_EARLY] == table->nr) {
		leaks_early(table, &doc);
		kma_unread_write(&table->unread, table->unread_input, &doc);
		kma_doc_end(&doc);
		return;
	}
	if (kma_doc_table(&doc))
		kma_strbuf_puts(out, "\n");
	kma_sheet_write(&sheet, &doc);
	snprintf(more, sizeof(more), "%zu more %s not shown; use --top N", table->nr - sheet.rows,
		 kma_plural(table->nr - sheet.rows, "site is", "sites are"));
	if (sheet.rows < table->nr)
		kma_doc_line(&doc, more);
	for (size_t i = 0; i < table->nr; i++)
		if (table->rows[i].sentence.len)
			kma_doc_line(&doc, table->rows[i].sentence.str);
	leaks_unsure(table, &doc);
	kma_unread_write(&table->unread, table->unread_input, &doc);
	kma_doc_end(&doc);
}
