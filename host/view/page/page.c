// SPDX-License-Identifier: GPL-2.0-only
/*
 * page.c - write a chart as one HTML file.
 *
 * All parts except the title and the data are fixed when the program is built. So the text contains
 * the hashes of script and style, and the page's own policy forbids other scripts and the network.
 * Names of an input cannot become code: the data is in a block that browsers do not execute, no
 * "<" is in it, and the script inserts it only as text.
 *
 * The data is compressed (zlib, base 85), because browsers can decompress streams since 2023. Short
 * data and data with --plain is written as it is.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "lib/strbuf.h"
#include "model/intern.h"
#include "model/moment.h"
#include "model/regroup.h"
#include "model/sampled.h"
#include "model/unread.h"
#include "page-colours.h"
#include "page-rows.h"
#include "page-text.h"
#include "page-trees.h"
#include "page.h"
#include "symbol/inline-frame.h"
#include "view/chart/chart.h"
#include "view/text/view.h"

/*
 * Names and numbers as short texts, which decode.js reads (Documentation/format/page.rst).
 *
 * A number has its last digit to base 64 and the digits before it to base 16, with other letters.
 * So the end of a number is visible and no separator is needed. A name shares a prefix with the
 * name before it, and its offset and size ("+0x1f/0x2c0") are numbers. The texts have no character
 * that JSON would escape, except in names.
 */

/* Letters for numbers below 62. */
static const char page_letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
#define PAGE_LETTERS 62

/* A column of numbers while it is written: ":N" is N zeros. */
struct kma_page_column {
	struct kma_strbuf *out;
	uint64_t zeros; /* number of zeros that are not written yet */
};

/* A list of names while it is written: each "+" in the text is an offset and a size. */
struct kma_page_names {
	struct kma_strbuf text, last; /* the names so far, and the last of them */
	struct kma_strbuf offset_text, size_text;
	struct kma_page_column offsets, sizes; /* columns in these two texts */
	size_t nr;			       /* number of names */
};

/* Most hexadecimal digits of an offset: a number of a script is exact up to 53 bits. */
#define PAGE_HEX 13

/* Writes a number. Its last digit has letters of its own, so that no separator is needed. */
static void page_number(struct kma_strbuf *out, uint64_t value)
{
	static const char last[] =
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
	static const char before[] = "!#$%&()*+,./;=?@";
	char text[24], *p = text + sizeof(text);

	*--p = last[value % 64];
	for (value /= 64; value; value /= 16)
		*--p = before[value % 16];
	kma_strbuf_add(out, p, text + sizeof(text) - p);
}

/* Writes the zeros that were counted. */
static void page_column_flush(struct kma_page_column *column)
{
	if (column->zeros > 1)
		kma_strbuf_puts(column->out, ":");
	if (column->zeros)
		page_number(column->out, column->zeros > 1 ? column->zeros : 0);
	column->zeros = 0;
}

/* Append a number to a column. */
static void page_column_add(struct kma_page_column *column, uint64_t value)
{
	if (!value) {
		column->zeros++;
		return;
	}
	page_column_flush(column);
	page_number(column->out, value);
}

/* Reads a hexadecimal number without a leading zero, exact in a script. Returns its length or 0. */
static size_t page_hex(const char *text, uint64_t *value)
{
	size_t len = strspn(text, "0123456789abcdef");

	if (!len || len > PAGE_HEX || (len > 1 && *text == '0'))
		return 0;
	*value = strtoull(text, NULL, 16);
	return len;
}

/* Length of "+0x1f/0x2c0" at the start of a text; 0: the text does not start so. */
static size_t page_offset(const char *text, uint64_t *offset, uint64_t *size)
{
	size_t first, second;

	if (strncmp(text, "+0x", 3))
		return 0;
	first = page_hex(text + 3, offset);
	if (!first || strncmp(text + 3 + first, "/0x", 3))
		return 0;
	second = page_hex(text + 6 + first, size);
	return second ? 6 + first + second : 0;
}

/*
 * Encodes a name: "+" replaces its offset and size, which become numbers of the columns. Other "+",
 * "," and "~" are escaped as "~" and a letter.
 */
static void page_spell(struct kma_page_names *names, struct kma_strbuf *out, const char *name)
{
	uint64_t offset, size;

	while (*name) {
		size_t plain = strcspn(name, "+,~");

		kma_strbuf_add(out, name, plain);
		name += plain;
		plain = page_offset(name, &offset, &size);
		if (plain) {
			kma_strbuf_puts(out, "+");
			page_column_add(&names->offsets, offset);
			page_column_add(&names->sizes, size);
			name += plain;
		} else if (*name) {
			kma_strbuf_puts(out, *name == '+' ? "~p" : *name == ',' ? "~c" : "~t");
			name++;
		}
	}
}

/* Length of the common prefix, of ASCII only: other characters have another length in a script. */
static size_t page_common(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	while (n < most && a[n] && a[n] == b[n] && a[n] >= ' ' && a[n] < 0x7f)
		n++;
	return n;
}

/* Starts a list of names, which must not be moved or copied before page_names_end(). */
static void page_names_begin(struct kma_page_names *names)
{
	*names = (struct kma_page_names){ 0 };
	names->offsets.out = &names->offset_text;
	names->sizes.out = &names->size_text;
}

/*
 * Appends a reference, "~" and a number whose meaning the reader of the list knows, in place of a
 * name. The next name shares a prefix with the last name, not with the reference.
 */
static void page_names_sign(struct kma_page_names *names, const char *sign)
{
	kma_strbuf_puts(&names->text, names->nr++ ? "," : "");
	kma_strbuf_puts(&names->text, sign);
}

/*
 * Appends a letter for the length of the prefix that the name shares with the last one, and the
 * rest of it.
 */
static void page_names_add(struct kma_page_names *names, const char *name)
{
	struct kma_strbuf mine = { 0 };
	size_t common;

	page_spell(names, &mine, name);
	common = page_common(names->last.str ?: "", mine.str ?: "", PAGE_LETTERS - 1);
	kma_strbuf_puts(&names->text, names->nr++ ? "," : "");
	kma_strbuf_add(&names->text, &page_letters[common], 1);
	kma_strbuf_puts(&names->text, (mine.str ?: "") + common);
	kma_strbuf_deinit(&names->last);
	names->last = mine;
}

/* Writes a list as a JSON array of three texts, and frees it. */
static void page_names_end(struct kma_page_names *names, struct kma_strbuf *out)
{
	page_column_flush(&names->offsets);
	page_column_flush(&names->sizes);
	kma_strbuf_puts(out, "[");
	kma_escape_json(out, names->text.str ?: "");
	kma_strbuf_puts(out, ",\"");
	kma_strbuf_puts(out, names->offset_text.str ?: "");
	kma_strbuf_puts(out, "\",\"");
	kma_strbuf_puts(out, names->size_text.str ?: "");
	kma_strbuf_puts(out, "\"]");
	kma_strbuf_deinit(&names->text);
	kma_strbuf_deinit(&names->last);
	kma_strbuf_deinit(&names->offset_text);
	kma_strbuf_deinit(&names->size_text);
}

/* Starts a column as a JSON string, which page_column_end() ends. */
static struct kma_page_column page_column_begin(struct kma_strbuf *out)
{
	kma_strbuf_puts(out, "\"");
	return (struct kma_page_column){ .out = out };
}

static void page_column_end(struct kma_page_column *column)
{
	page_column_flush(column);
	kma_strbuf_puts(column->out, "\"");
}

/* Starts a member of a JSON object, after a comma unless it is the first one. */
static void page_key(struct kma_strbuf *out, const char *key)
{
	bool first = out->len && out->str[out->len - 1] == '{';

	kma_strbuf_printf(out, "%s\"%s\":", first ? "" : ",\n", key);
}

/*
 * The data of a page.
 */

/*
 * The numbers of a page over time.
 *
 * The columns of the metrics have the newest numbers. Each earlier time has a column of differences
 * to the time after it, most of which are 0. All numbers are in memory at once: 176 bytes for each
 * leaf of the page and each time.
 */

struct kma_page_times {
	const struct kma_chart_times *chart;
	struct kma_values *values; /* [time * nr_leaves + leaf] */
	size_t nr;		   /* number of times; 0: the tree has one time */
	size_t nr_leaves;	   /* number of leaves of the page */
};

typedef uint64_t (*kma_page_number_fn)(const void *arg, const struct kma_values *values);

static size_t page_leaves(const struct kma_page_rows *rows)
{
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++)
		nr += rows->rows[i].leaf;
	return nr;
}

/*
 * Collects the numbers of all times, and leaves the tree with those of the newest. @all is NULL if
 * it has one time.
 */
static void page_times_init(struct kma_page_times *times, const struct kma_page_rows *rows,
			    const struct kma_chart_times *all)
{
	struct kma_values *values;

	*times = (struct kma_page_times){ .chart = all, .nr_leaves = page_leaves(rows) };
	if (!all)
		return;
	times->values = kma_xcalloc(all->nr * times->nr_leaves + 1, sizeof(*times->values));
	times->nr = all->nr;
	values = times->values;
	for (size_t point = 0; point < times->nr; point++) {
		all->use(all->arg, point);
		for (size_t i = 0; i < rows->nr; i++) {
			const struct kma_page_row *row = &rows->rows[i];

			if (!row->leaf)
				continue;
			for (size_t leaf = 0; leaf < row->nr_leaves; leaf++)
				kma_values_add(values, rows->leaves[row->first + leaf]->values);
			values++;
		}
	}
}

static void page_times_deinit(struct kma_page_times *times)
{
	free(times->values);
}

/* Writes the date, the name and the losses of each time; nothing if there is only one. */
static void page_times_points(const struct kma_page_times *times, struct kma_strbuf *out)
{
	if (!times->nr)
		return;
	page_key(out, "times");
	for (size_t point = 0; point < times->nr; point++) {
		const struct kma_chart_time *time = times->chart->at(times->chart->arg, point);

		kma_strbuf_printf(out, "%s{\"ms\":%" PRIu64 ",\"name\":", point ? ",\n" : "[",
				  time->ns / 1000000);
		kma_escape_json(out, time->name);
		if (time->lost)
			kma_strbuf_printf(out, ",\"lost\":%" PRIu64, time->lost);
		kma_strbuf_puts(out, time->begins ? ",\"begins\":true}" : "}");
	}
	kma_strbuf_puts(out, "]");
}

/* Encodes a difference without a sign: even numbers are increases, odd ones decreases. */
static uint64_t page_step(uint64_t to, uint64_t from)
{
	return to >= from ? (to - from) << 1 : ((from - to) << 1) - 1;
}

/*
 * Writes the differences of a metric, from the second newest time back; nothing if there is only
 * one. @get returns the number of a leaf in the column.
 */
static void page_times_back(const struct kma_page_times *times, kma_page_number_fn get,
			    const void *arg, struct kma_strbuf *out)
{
	if (!times->nr)
		return;
	page_key(out, "back");
	kma_strbuf_puts(out, "[");
	for (size_t point = times->nr - 1; point > 0; point--) {
		const struct kma_values *after = &times->values[point * times->nr_leaves];
		const struct kma_values *before = after - times->nr_leaves;
		struct kma_page_column column;

		kma_strbuf_puts(out, point + 1 < times->nr ? "," : "");
		column = page_column_begin(out);
		for (size_t i = 0; i < times->nr_leaves; i++)
			page_column_add(&column,
					page_step(get(arg, &before[i]), get(arg, &after[i])));
		page_column_end(&column);
	}
	kma_strbuf_puts(out, "]");
}

/*
 * Write the line of each call site of a page, and the functions inlined there.
 */

static void page_lines(const struct kma_page_rows *rows, struct kma_strbuf *out);

/* A frame. function and file are numbers of texts, next is an index into chains[]; 0 is none. */
struct kma_page_frame {
	uint32_t function, file, line, next;
};

struct page_lines {
	struct kma_intern *files, *functions; /* lists of texts */
	struct kma_intern *keys;	      /* frames as texts; the number is the chain's index */
	struct kma_page_frame *chains;	      /* inlined frames, from index 1 on */
	size_t nr_chains, alloc_chains;
	struct kma_page_frame *sites; /* outermost frame of each leaf of the page */
	size_t nr_sites;
};

static uint32_t page_text(struct kma_intern *texts, const char *text, size_t len)
{
	return len ? kma_intern(texts, KMA_KIND_UNKNOWN, text, len) : 0;
}

/* Finds or adds a frame in chains[]. Returns its index; 0 if there is no space: the chain ends. */
static uint32_t page_chain(struct page_lines *lines, const struct kma_page_frame *frame)
{
	char key[64];
	uint32_t place;

	snprintf(key, sizeof(key), "%u,%u,%u,%u", frame->function, frame->file, frame->line,
		 frame->next);
	place = page_text(lines->keys, key, strlen(key));
	if (place < lines->nr_chains)
		return place;
	while (lines->nr_chains <= place) {
		kma_array_room(lines->chains, lines->nr_chains, lines->alloc_chains);
		lines->chains[lines->nr_chains++] = (struct kma_page_frame){ 0 };
	}
	lines->chains[place] = *frame;
	return place;
}

static struct kma_page_frame page_frame_of(struct page_lines *lines, const struct kma_frame *frame,
					   uint32_t next)
{
	return (struct kma_page_frame){
		.function = page_text(lines->functions, frame->function, strlen(frame->function)),
		.file = page_text(lines->files, frame->file, strlen(frame->file)),
		.line = frame->line,
		.next = next,
	};
}

/*
 * Sets the frame of a leaf with frames. They are innermost first; the last one is the function of
 * the call site, whose name is left out if it is that of the leaf, as in most cases.
 */
static void page_compiled(struct page_lines *lines, const struct kma_node *leaf,
			  struct kma_page_frame *ret)
{
	const struct kma_place *place = leaf->site->place;
	const struct kma_frame *outer = &place->frames[place->nr_frames - 1];
	size_t len = strlen(outer->function);
	uint32_t next = 0;

	for (unsigned int i = 0; i + 1 < place->nr_frames; i++) {
		struct kma_page_frame frame = page_frame_of(lines, &place->frames[i], next);

		next = page_chain(lines, &frame);
	}
	*ret = (struct kma_page_frame){ .line = outer->line, .next = next };
	if (strncmp(leaf->name, outer->function, len) || leaf->name[len] != '+')
		ret->function = page_text(lines->functions, outer->function, len);
	ret->file = page_text(lines->files, outer->file, strlen(outer->file));
}

/*
 * Sets the frame of a leaf "fs/inode.c:266 alloc_inode [module]", as the reader of allocinfo makes.
 */
static void page_named(struct page_lines *lines, const struct kma_node *leaf,
		       struct kma_page_frame *ret)
{
	const char *colon;
	size_t digits;

	for (colon = strchr(leaf->name, ':'); colon; colon = strchr(colon + 1, ':')) {
		digits = strspn(colon + 1, "0123456789");
		if (digits && colon[1 + digits] == ' ')
			break;
	}
	if (!colon)
		return;
	ret->line = strtoul(colon + 1, NULL, 10);
	ret->file = page_text(lines->files, leaf->name, colon - leaf->name);
}

/* Sets the frame of a leaf. The file is left out if it is the parent of the leaf. */
static void page_site(struct page_lines *lines, const struct kma_node *leaf)
{
	_cleanup_free_ char *path = NULL;
	struct kma_page_frame *site = &lines->sites[lines->nr_sites];
	enum kma_kind unused;
	const char *file;
	size_t len;

	if (kma_node_place(leaf) && leaf->site->place->nr_frames)
		page_compiled(lines, leaf, site);
	else if (leaf->kind == KMA_NODE_CALLER)
		page_named(lines, leaf, site);
	if (!site->file || !leaf->parent || leaf->parent->kind != KMA_NODE_FILE)
		return;
	path = kma_node_path(leaf->parent);
	file = kma_intern_site(lines->files, site->file, &unused, &len);
	if (strlen(path) == len && !memcmp(path, file, len))
		site->file = 0;
}

static void page_sites(struct page_lines *lines, const struct kma_page_rows *rows)
{
	lines->sites = kma_xcalloc(rows->nr, sizeof(*lines->sites));
	for (size_t i = 0; i < rows->nr; i++) {
		if (!rows->rows[i].leaf)
			continue;
		if (!rows->rows[i].folded)
			page_site(lines, rows->rows[i].node);
		lines->nr_sites++;
	}
}

static void page_texts(struct kma_intern *texts, const char *key, struct kma_strbuf *out)
{
	struct kma_page_names names;

	page_names_begin(&names);
	for (uint32_t i = 1; i < kma_intern_count(texts); i++) {
		enum kma_kind unused;
		size_t len;
		const char *name = kma_intern_site(texts, i, &unused, &len);
		_cleanup_free_ char *copy = kma_xstrndup(name, len);

		page_names_add(&names, copy);
	}
	page_key(out, key);
	page_names_end(&names, out);
}

/* Writes the numbers of frames as four columns. */
static void page_frames(const struct kma_page_frame *frames, size_t nr, struct kma_strbuf *out)
{
	static const struct {
		const char *name;
		size_t offset;
	} columns[] = {
		{ "function", offsetof(struct kma_page_frame, function) },
		{ "file", offsetof(struct kma_page_frame, file) },
		{ "line", offsetof(struct kma_page_frame, line) },
		{ "next", offsetof(struct kma_page_frame, next) },
	};

	kma_strbuf_puts(out, "{");
	for (size_t c = 0; c < ARRAY_SIZE(columns); c++) {
		struct kma_page_column column;

		page_key(out, columns[c].name);
		column = page_column_begin(out);
		for (size_t i = 0; i < nr; i++)
			page_column_add(&column, *(const uint32_t *)((const char *)&frames[i] +
								     columns[c].offset));
		page_column_end(&column);
	}
	kma_strbuf_puts(out, "}");
}

static bool page_lines_known(const struct page_lines *lines)
{
	for (size_t i = 0; i < lines->nr_sites; i++)
		if (lines->sites[i].line || lines->sites[i].next)
			return true;
	return false;
}

static void page_lines_write(const struct page_lines *lines, struct kma_strbuf *out)
{
	if (!page_lines_known(lines))
		return;
	page_key(out, "lines");
	kma_strbuf_puts(out, "{");
	page_texts(lines->files, "files", out);
	page_texts(lines->functions, "functions", out);
	page_key(out, "chains");
	page_frames(lines->chains, lines->nr_chains, out);
	page_key(out, "sites");
	page_frames(lines->sites, lines->nr_sites, out);
	kma_strbuf_puts(out, "}");
}

/*
 * Writes lines and inlined functions; nothing if no line is known. The functions that were inlined
 * at a call site are a chain, from the outer to the inner one. Chains with a common end share it,
 * because most end with kmalloc().
 */
static void page_lines(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	struct page_lines lines = { .files = kma_intern_new(),
				    .functions = kma_intern_new(),
				    .keys = kma_intern_new() };

	page_sites(&lines, rows);
	page_lines_write(&lines, out);
	kma_intern_destroy(lines.files);
	kma_intern_destroy(lines.functions);
	kma_intern_destroy(lines.keys);
	free(lines.chains);
	free(lines.sites);
}

/*
 * Write the facts about the numbers of a page: title, first view, footer.
 */

/* Writes an item of the footer: a name and a text. */
static void page_fact(struct kma_strbuf *out, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	kma_strbuf_puts(out, out->str[out->len - 1] == '[' ? "[" : ",[");
	kma_escape_json(out, name);
	kma_strbuf_puts(out, ",");
	kma_escape_json(out, text);
	kma_strbuf_puts(out, "]");
}

static void page_time(int64_t time, const char *name, struct kma_strbuf *out)
{
	time_t seconds = time;
	char text[32] = "";
	struct tm tm;

	if (time && gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &tm);
	page_fact(out, name, text);
}

/* Writes the number of times, the first and the last. */
static void page_samples(const struct kma_chart_times *times, struct kma_strbuf *out)
{
	const struct kma_chart_time *first = times->at(times->arg, 0);
	const struct kma_chart_time *last = times->at(times->arg, times->nr - 1);
	char text[24];

	snprintf(text, sizeof(text), "%zu", times->nr);
	page_fact(out, "Samples", text);
	page_fact(out, "First", first->name);
	page_time(first->ns / 1000000000, "First time", out);
	page_fact(out, "Last", last->name);
	page_time(last->ns / 1000000000, "Last time", out);
	snprintf(text, sizeof(text), "%zu", times->damaged);
	page_fact(out, "Damaged files", times->damaged ? text : "");
}

static void page_counts(const struct kma_chart *chart, struct kma_strbuf *out)
{
	char number[24], share[16], text[64];
	/* Over time the account has all call sites, and the tree those that rules select. */
	bool part = chart->only && chart->times;
	uint64_t events;
	size_t nr;

	if (chart->objects) {
		snprintf(text, sizeof(text), "%zu", chart->objects);
		page_fact(out, "Objects", text);
	}
	if (!chart->account)
		return;
	kma_account_sites(chart->account, &nr);
	if (chart->groups)
		kma_ungroup_count(chart->account, &nr);
	snprintf(text, sizeof(text), "%zu", nr);
	page_fact(out, part ? "Call sites before selection" : "Call sites", text);
	page_fact(out, "Selected", chart->only ?: "");
	if (!part && chart->has_source && kma_account_metrics(chart->account) & 1U << KMA_CURRENT) {
		kma_units_format(number, sizeof(number), chart->unresolved, KMA_UNIT_BYTES);
		kma_percent_format(share, sizeof(share), chart->unresolved,
				   kma_account_total(chart->account)->current);
		snprintf(text, sizeof(text), "%s (%s)", number, share);
		page_fact(out, "Live without a directory", text);
	}
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		if (!kma_account_loss(chart->account, id, &events))
			continue;
		snprintf(text, sizeof(text), "%" PRIu64, events);
		page_fact(out, kma_losses[id].title, text);
	}
}

/* Writes the events that either side did not count, as "0 before, 12 after". */
static void page_both_losses(const struct kma_chart_sides *sides, struct kma_strbuf *out)
{
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		char texts[KMA_NR_SIDES][24], text[64];
		bool said = false;
		uint64_t events;

		for (unsigned int i = 0; i < KMA_NR_SIDES; i++) {
			bool has = kma_account_loss(sides->accounts[i], id, &events);

			snprintf(texts[i], sizeof(texts[i]), "%" PRIu64, has ? events : 0);
			if (!has)
				strcpy(texts[i], "unknown");
			said |= has;
		}
		snprintf(text, sizeof(text), "%s before, %s after", texts[KMA_BEFORE],
			 texts[KMA_AFTER]);
		page_fact(out, kma_losses[id].title, said ? text : "");
	}
}

/* The page of one account has this as a note. */
static void page_both_unread(const struct kma_chart_sides *sides, struct kma_strbuf *out)
{
	struct kma_unread unread[KMA_NR_SIDES];
	bool lacks = false;
	char text[64];

	for (unsigned int i = 0; i < KMA_NR_SIDES; i++)
		lacks |= kma_unread_of(sides->accounts[i], &unread[i]);
	snprintf(text, sizeof(text), "%" PRIu64 " before, %" PRIu64 " after",
		 unread[KMA_BEFORE].lines, unread[KMA_AFTER].lines);
	page_fact(out, "event lines not read", lacks ? text : "");
}

static void page_both(const struct kma_chart *chart, struct kma_strbuf *out)
{
	static const char *const names[] = { [KMA_BEFORE] = "Before", [KMA_AFTER] = "After" };
	static const char *const without[] = {
		[KMA_BEFORE] = "Live without a directory, before",
		[KMA_AFTER] = "Live without a directory, after",
	};
	const struct kma_chart_sides *sides = chart->sides;

	for (unsigned int i = 0; i < KMA_NR_SIDES; i++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };

		kma_strbuf_printf(&text, "%s%s%s", kma_chart_side(sides, i),
				  *sides->about[i] ? ", " : "", sides->about[i]);
		page_fact(out, names[i], text.str);
	}
	if (!kma_account_metrics(sides->accounts[KMA_AFTER]))
		return; /* static sizes of built trees: nothing can be lost */
	for (unsigned int i = 0; i < KMA_NR_SIDES && chart->has_source; i++) {
		const struct kma_account *account = sides->accounts[i];
		char number[24], share[16], text[64];

		if (!(kma_account_metrics(account) & 1U << KMA_CURRENT))
			continue;
		kma_units_format(number, sizeof(number), sides->unresolved[i], KMA_UNIT_BYTES);
		kma_percent_format(share, sizeof(share), sides->unresolved[i],
				   kma_account_total(account)->current);
		snprintf(text, sizeof(text), "%s (%s)", number, share);
		page_fact(out, without[i], text);
	}
	page_both_losses(sides, out);
	page_both_unread(sides, out);
}

/* Writes how many leaves are combined, so that the page has no rows for them. */
static void page_gathered(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	char text[24];
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++)
		nr += rows->rows[i].folded;
	snprintf(text, sizeof(text), "%zu", nr);
	page_fact(out, "Combined by --max-nodes", nr ? text : "");
}

/* The page shows times of its own. The lists of a snapshot are for leaks, and have hundreds of names. */
static bool page_has_fact(const char *note)
{
	return strcmp(note, KMA_NOTE_RELEASE) && strcmp(note, KMA_NOTE_BUILD_ID) &&
	       strcmp(note, KMA_NOTE_MODULES) && strcmp(note, KMA_NOTE_RECLAIMABLE) &&
	       !kma_moment_is_note(note);
}

static void page_one(const struct kma_chart *chart, struct kma_strbuf *out)
{
	const char *input = chart->account ? kma_account_name(chart->account) : chart->input;
	const char *name, *value;

	page_fact(out, "Kernel", chart->release);
	page_fact(out, "Build ID", chart->build_id);
	if (chart->times) {
		page_samples(chart->times, out);
	} else {
		page_fact(out, "Input", input ? kma_chart_base(input) : NULL);
		page_time(chart->time, "Time", out);
	}
	page_counts(chart, out);
	for (size_t i = 0; chart->account; i++) {
		name = kma_account_note_at(chart->account, i, &value);
		if (!name)
			break;
		if (page_has_fact(name))
			page_fact(out, name, value);
	}
}

/* Writes title, initial view and the items of the footer. */
static void page_facts(const struct kma_page_rows *rows, const struct kma_chart *chart,
		       struct kma_strbuf *out)
{
	_cleanup_free_ char *branch = kma_node_path(chart->branch);
	_cleanup_strbuf_ struct kma_strbuf title = { 0 };
	char by[KMA_KEYS_NAME];

	page_key(out, "title");
	kma_chart_title(chart, !chart->times, &title);
	kma_escape_json(out, title.str ?: "");
	page_key(out, "branch");
	kma_escape_json(out, branch);
	kma_strbuf_printf(out, ",\n\"metric\":\"%s\",\"depth\":%u,\"chart\":\"%s\"",
			  kma_metrics[chart->metric].name, chart->depth,
			  kma_chart_names[chart->kind]);
	kma_strbuf_printf(out, ",\"by\":\"%s\"", kma_keys_name(&chart->key, by));
	if (chart->source_url) {
		page_key(out, "source");
		kma_escape_json(out, chart->source_url);
	}
	page_key(out, "facts");
	kma_strbuf_puts(out, "[");
	if (chart->sides)
		page_both(chart, out);
	else
		page_one(chart, out);
	page_gathered(rows, out);
	kma_strbuf_puts(out, "]");
}

/* A kind after those of enum kma_node_kind: a row of combined nodes. */
enum { KMA_PAGE_FOLDED = KMA_NODE_NAMED + 1 };

/*
 * Metrics that are a sum or difference of others in most inputs, or a little more in some rows. A
 * term may be such a metric itself, but the rules must not form a cycle.
 */
static const struct kma_page_rule {
	enum kma_metric_id id;
	unsigned int plus, minus; /* sets of metrics */
} kma_page_rules[] = {
	{ KMA_CURRENT, 1U << KMA_REQUESTED | 1U << KMA_WASTE, 0 },
	{ KMA_PEAK, 1U << KMA_CURRENT, 0 },
	{ KMA_OBJECTS, 1U << KMA_ALLOCS, 1U << KMA_FREES },
	{ KMA_STATIC, KMA_STATIC_METRICS & ~(1U << KMA_STATIC), 0 },
	{ KMA_FOOTPRINT, 1U << KMA_STATIC | 1U << KMA_CURRENT, 0 },
};

/*
 * Writes the shape: a letter for the level and the kind of each row. The level is the distance up
 * from a child of the row before; if it is too large for a letter, it is in parentheses before it.
 */
static void page_shape(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	const unsigned int nr_kinds = KMA_PAGE_FOLDED + 1;

	page_key(out, "shape");
	kma_strbuf_puts(out, "\"");
	for (size_t i = 0; i < rows->nr; i++) {
		const struct kma_page_row *row = &rows->rows[i];
		unsigned int up = i ? row[-1].depth + 1 - row->depth : 0;
		unsigned int kind = row->folded ? KMA_PAGE_FOLDED : (unsigned int)row->node->kind;

		if ((up + 1) * nr_kinds > PAGE_LETTERS) {
			kma_strbuf_printf(out, "(%u)", up);
			up = 0;
		}
		kma_strbuf_add(out, &page_letters[up * nr_kinds + kind], 1);
	}
	kma_strbuf_puts(out, "\"");
	page_key(out, "folded");
	kma_strbuf_puts(out, "[");
	for (size_t i = 0, nr = 0; i < rows->nr; i++) {
		if (!rows->rows[i].folded)
			continue;
		kma_strbuf_puts(out, nr++ ? "," : "");
		kma_strbuf_u64(out, rows->rows[i].folded);
	}
	kma_strbuf_puts(out, "]");
}

/* Most names in the table of sections; other sections are written as names. */
enum { KMA_PAGE_SECTIONS = 32 };

static int page_section(const char *const *table, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(table[i], name))
			return i;
	return -1;
}

/* Finds or adds a section in the table of sections. Returns its index, -1 if the table is full. */
static int page_section_add(const char **table, size_t *nr, const char *name)
{
	int at = page_section(table, *nr, name);

	if (at >= 0 || *nr == KMA_PAGE_SECTIONS)
		return at;
	table[*nr] = name;
	return (*nr)++;
}

static void page_tree_names(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	const char *sections[KMA_PAGE_SECTIONS];
	struct kma_page_names names;
	size_t nr = 0;

	page_names_begin(&names);
	for (size_t i = 0; i < rows->nr; i++) {
		const struct kma_page_row *row = &rows->rows[i];
		const char *name = row->folded ? "" : row->node->name;
		char sign[16];
		int at = -1;

		if (!row->folded && row->node->kind == KMA_NODE_SECTION)
			at = page_section_add(sections, &nr, name);
		snprintf(sign, sizeof(sign), "~%d", at);
		if (at >= 0)
			page_names_sign(&names, sign);
		else
			page_names_add(&names, name);
	}
	page_key(out, "names");
	page_names_end(&names, out);
	page_key(out, "sections");
	for (size_t i = 0; i < nr; i++) {
		kma_strbuf_puts(out, i ? "," : "[");
		kma_escape_json(out, sections[i]);
	}
	kma_strbuf_puts(out, nr ? "]" : "[]");
}

/* Sum of some metrics of a row; UINT64_MAX if it exceeds 64 bits. */
static uint64_t page_sum(unsigned int set, const struct kma_values *values)
{
	uint64_t sum = 0;

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (set & 1U << id &&
		    __builtin_add_overflow(sum, kma_metrics[id].get(values), &sum))
			return UINT64_MAX;
	return sum;
}

static void page_terms(struct kma_strbuf *out, unsigned int set, int sign, const char **comma)
{
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (!(set & 1U << id))
			continue;
		kma_strbuf_printf(out, "%s\"%s\":%d", *comma, kma_metrics[id].name, sign);
		*comma = ",";
	}
}

/* Selects the numbers of a row: those of one side, or the only ones. */
enum { KMA_PAGE_WHOLE = KMA_NR_SIDES };

static const struct kma_values *page_values(const struct kma_page_row *row, unsigned int side)
{
	return side == KMA_PAGE_WHOLE ? &row->values : &row->sides[side];
}

/* The number of a metric in a row minus the sum by the rule; without a rule the number itself. */
struct page_rest {
	enum kma_metric_id id;
	const struct kma_page_rule *rule;
};

static uint64_t page_rest(const void *arg, const struct kma_values *values)
{
	const struct page_rest *rest = arg;
	uint64_t number = kma_metrics[rest->id].get(values);

	if (!rest->rule)
		return number;
	return number + page_sum(rest->rule->minus, values) - page_sum(rest->rule->plus, values);
}

static bool page_suits(const struct kma_page_rule *rule, const struct kma_values *values)
{
	uint64_t plus = page_sum(rule->plus, values);
	uint64_t all = page_sum(rule->minus, values);

	return !__builtin_add_overflow(all, kma_metrics[rule->id].get(values), &all) &&
	       plus <= all && plus != UINT64_MAX;
}

/* Finds the rule of a metric; NULL if it has none, or if a row would have a negative rest. */
static const struct kma_page_rule *page_rule_of(const struct kma_page_rows *rows,
						const struct kma_page_times *times,
						unsigned int have, enum kma_metric_id id,
						unsigned int side)
{
	const struct kma_page_rule *rule = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kma_page_rules) && !rule; i++)
		if (kma_page_rules[i].id == id)
			rule = &kma_page_rules[i];
	if (!rule || (rule->plus | rule->minus) & ~have)
		return NULL;
	for (size_t i = 0; i < rows->nr; i++)
		if (!page_suits(rule, page_values(&rows->rows[i], side)))
			return NULL;
	for (size_t i = 0; times && i < times->nr * times->nr_leaves; i++)
		if (!page_suits(rule, &times->values[i]))
			return NULL;
	return rule;
}

static bool page_rest_is_none(const struct kma_page_rows *rows, const struct kma_page_times *times,
			      const struct page_rest *rest, unsigned int side)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (rows->rows[i].leaf && page_rest(rest, page_values(&rows->rows[i], side)))
			return false;
	for (size_t i = 0; times && i < times->nr * times->nr_leaves; i++)
		if (page_rest(rest, &times->values[i]))
			return false;
	return true;
}

static void page_terms_of(const struct kma_page_rule *rule, struct kma_strbuf *out)
{
	const char *comma = "";

	page_key(out, "sum");
	kma_strbuf_puts(out, "{");
	page_terms(out, rule->plus, 1, &comma);
	page_terms(out, rule->minus, -1, &comma);
	kma_strbuf_puts(out, "}");
}

static void page_column(const struct kma_page_rows *rows, const struct page_rest *rest,
			unsigned int side, struct kma_strbuf *out)
{
	struct kma_page_column column;

	page_key(out, "column");
	column = page_column_begin(out);
	for (size_t i = 0; i < rows->nr; i++)
		if (rows->rows[i].leaf)
			page_column_add(&column,
					page_rest(rest, page_values(&rows->rows[i], side)));
	page_column_end(&column);
}

/* Writes the numbers of a metric for one side. @times is NULL if the tree has one time. */
static void page_numbers(const struct kma_page_rows *rows, const struct kma_page_times *times,
			 unsigned int have, enum kma_metric_id id, unsigned int side,
			 struct kma_strbuf *out)
{
	const struct page_rest rest = { id, page_rule_of(rows, times, have, id, side) };

	if (rest.rule)
		page_terms_of(rest.rule, out);
	if (rest.rule && page_rest_is_none(rows, times, &rest, side))
		return;
	page_column(rows, &rest, side, out);
	if (times)
		page_times_back(times, page_rest, &rest, out);
}

static const char *const page_units[] = {
	[KMA_UNIT_BYTES] = "bytes",
	[KMA_UNIT_COUNT] = "count",
	[KMA_UNIT_NS] = "ns",
};

static void page_metrics(const struct kma_page_rows *rows, const struct kma_page_times *times,
			 unsigned int have, bool two, struct kma_strbuf *out)
{
	const char *comma = "[\n";

	page_key(out, "metrics");
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		const struct kma_metric *metric = &kma_metrics[id];

		if (!(have & 1U << id))
			continue;
		kma_strbuf_printf(out, "%s{\"name\":\"%s\",\"title\":\"%s\",\"what\":\"%s\",",
				  comma, metric->name, metric->title, metric->what);
		kma_strbuf_printf(out, "\"unit\":\"%s\"", page_units[metric->unit]);
		if (two) {
			kma_strbuf_puts(out, ",\"before\":{");
			page_numbers(rows, times, have, id, KMA_BEFORE, out);
			kma_strbuf_puts(out, "},\n\"after\":{");
			page_numbers(rows, times, have, id, KMA_AFTER, out);
			kma_strbuf_puts(out, "}");
		} else {
			page_numbers(rows, times, have, id, KMA_PAGE_WHOLE, out);
		}
		kma_strbuf_puts(out, "}");
		comma = ",\n";
	}
	kma_strbuf_puts(out, *comma == '[' ? "[]" : "]");
}

/* Writes a tree. A tree of stacks has no lines, because its leaves need not be call sites. */
static void page_tree(const struct kma_page_tree *tree, bool two, struct kma_strbuf *out)
{
	struct kma_page_times times;

	page_times_init(&times, &tree->rows, tree->times);
	page_times_points(&times, out);
	page_shape(&tree->rows, out);
	page_tree_names(&tree->rows, out);
	page_metrics(&tree->rows, &times, tree->metrics, two, out);
	page_times_deinit(&times);
	if (!kma_keys_need(&tree->by, KMA_KEY_NEEDS_STACKS))
		page_lines(&tree->rows, out);
}

/* Starts the object of a tree by another key, or of the keys of the first tree's leaves. */
static void page_by(const struct kma_keys *by, const char *title, unsigned int metrics,
		    const char *comma, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	char name[KMA_KEYS_NAME];

	if (title)
		kma_strbuf_puts(&text, title);
	else
		kma_keys_title(by, &text);
	kma_strbuf_puts(&text, metrics & KMA_SAMPLED_METRICS ? " (estimates)" : "");
	kma_strbuf_puts(out, comma);
	kma_strbuf_puts(out, "{");
	page_key(out, "by");
	kma_escape_json(out, kma_keys_name(by, name));
	page_key(out, "title");
	kma_escape_json(out, text.str ?: "");
}

static void page_group(const struct kma_page_groups *groups, struct kma_strbuf *out)
{
	struct kma_page_column column;
	struct kma_page_names names;

	page_names_begin(&names);
	for (size_t i = 0; i < groups->nr; i++)
		page_names_add(&names, groups->names[i]);
	page_key(out, "names");
	page_names_end(&names, out);
	page_key(out, "of");
	column = page_column_begin(out);
	for (size_t i = 0; i < groups->nr_leaves; i++)
		page_column_add(&column, groups->of[i]);
	page_column_end(&column);
}

static void page_groups(const struct kma_page_tree *tree, struct kma_strbuf *out)
{
	page_key(out, "groups");
	kma_strbuf_puts(out, "[");
	for (size_t i = 0; i < tree->nr_groups; i++) {
		page_by(&KMA_BY(tree->groups[i].by), NULL, 0, i ? ",\n" : "", out);
		page_group(&tree->groups[i], out);
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "]");
}

/* How many nodes above each leaf are those of its group: those of the first key of a tree. */
static void page_split(const struct kma_page_tree *tree, struct kma_strbuf *out)
{
	struct kma_page_column column;

	page_key(out, "split");
	column = page_column_begin(out);
	for (size_t i = 0; i < tree->rows.nr; i++) {
		const struct kma_page_row *row = &tree->rows.rows[i];
		const struct kma_node *leaf;
		size_t nodes;

		if (!row->leaf)
			continue;
		leaf = tree->rows.leaves[row->first];
		nodes = leaf->site && leaf->site->group ? kma_keys_group_nodes(leaf->site->group) :
							  0;
		page_column_add(&column, nodes < row->depth ? nodes : row->depth - 1);
	}
	page_column_end(&column);
}

static void page_trees(const struct kma_page_trees *trees, struct kma_strbuf *out)
{

	page_key(out, "trees");
	kma_strbuf_puts(out, "[");
	for (size_t i = 1; i < trees->nr; i++) {
		const struct kma_page_tree *tree = &trees->trees[i];

		page_by(&tree->by, NULL, tree->metrics, i > 1 ? ",\n" : "", out);
		page_tree(tree, false, out);
		if (kma_keys_groups(&tree->by)) {
			page_groups(tree, out);
			page_split(tree, out);
		}
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "]");
}

/* Without a kernel the rows of the first tree are call sites, not directories. */
static void page_main(const struct kma_page_tree *first, bool has_source, struct kma_strbuf *out)
{
	bool sites = kma_keys_are(&first->by, KMA_KEY_DIR) && !has_source;

	page_key(out, "main");
	page_by(&first->by, sites ? "call site" : NULL, first->metrics, "", out);
	kma_strbuf_puts(out, "}");
}

static void page_content(const struct kma_page_trees *trees, const struct kma_chart *chart,
			 struct kma_strbuf *out)
{
	const struct kma_page_tree *first = &trees->trees[0];

	page_facts(&first->rows, chart, out);
	page_tree(first, chart->sides, out);
	page_main(first, chart->has_source, out);
	page_trees(trees, out);
	page_groups(first, out);
	page_key(out, "themes");
	kma_page_themes(chart->sides, out);
}

/* Appends one JSON object, which kma_page_embed() makes safe for HTML. */
static void page_data(const struct kma_chart *chart, struct kma_strbuf *out)
{
	struct kma_page_trees trees;

	kma_page_trees_init(&trees, chart);
	kma_strbuf_puts(out, "{\"format\":\"kmem-account page\",\"version\":4");
	page_content(&trees, chart, out);
	kma_strbuf_puts(out, "}\n");
	kma_page_trees_deinit(&trees);
}

void kma_page_embed(struct kma_strbuf *out, const char *json)
{
	static const struct {
		const char *bytes, *escape;
	} table[] = {
		{ "<", "\\u003c" },
		{ "\xe2\x80\xa8", "\\u2028" },
		{ "\xe2\x80\xa9", "\\u2029" },
	};
	const char *from = json;

	while (*json) {
		size_t plain = strcspn(json, "<\xe2"), i;

		json += plain;
		for (i = 0; i < ARRAY_SIZE(table); i++)
			if (!strncmp(json, table[i].bytes, strlen(table[i].bytes)))
				break;
		if (i == ARRAY_SIZE(table)) {
			json += *json != '\0';
			continue;
		}
		kma_strbuf_add(out, from, json - from);
		kma_strbuf_puts(out, table[i].escape);
		json += strlen(table[i].bytes);
		from = json;
	}
	kma_strbuf_add(out, from, json - from);
}

/* Data of fewer bytes is not compressed. */
#define KMA_PAGE_PACK 4096

/* Writes {"deflate":"..."}: the JSON as a zlib stream in base 85, five letters for four bytes. */
static void page_pack(const struct kma_strbuf *data, struct kma_strbuf *out)
{
	uLongf len = compressBound(data->len);
	_cleanup_free_ unsigned char *packed = kma_xmalloc(len);

	/* The room is enough: only memory can be missing. */
	if (compress2(packed, &len, (const Bytef *)data->str, data->len, Z_BEST_COMPRESSION) !=
	    Z_OK)
		kma_atend_no_memory();
	kma_strbuf_puts(out, "{\"format\":\"kmem-account page\",\"version\":4,\n\"deflate\":\"");
	kma_escape_base85(out, packed, len);
	kma_strbuf_puts(out, "\"}\n");
}

void kma_page_write(const struct kma_chart *chart, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf title = { 0 };
	_cleanup_strbuf_ struct kma_strbuf data = { 0 };

	page_data(chart, &data);
	kma_strbuf_puts(out, kma_page_head);
	kma_chart_title(chart, !chart->times, &title);
	kma_escape_xml(out, title.str ?: "");
	kma_strbuf_puts(out, kma_page_middle);
	if (chart->plain || data.len < KMA_PAGE_PACK)
		kma_page_embed(out, data.str);
	else
		page_pack(&data, out);
	kma_strbuf_puts(out, kma_page_tail);
}
