// SPDX-License-Identifier: GPL-2.0-only
/*
 * top-details.c - the details of a row of top.
 *
 *	ext4_alloc_inode+0x20/0x90 [ext4]                  lines 1-14 of 22, PgDn PgUp
 *	  ▁▂▅█  live, from 1.0 MiB to 2.0 MiB
 *	  LIVE           2.0 MiB     CHANGE       +1.0 MiB     ...
 *	  call site    ext4_alloc_inode+0x20/0x90 [ext4]
 *	  inlined      alloc_inode_sb include/linux/fs.h:3102
 *	ages of 900 live objects
 *	  < 1.0 s             12     < 2.0 s            30     ...
 *	cgroups
 *	     1.5 MiB   75%    +1.0 MiB  /system.slice/sshd.service
 *
 * Lines that the screen has no space for are reached by scrolling. The lines are drawn twice: the
 * first time below the screen, which counts them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/cleanup.h"
#include "top-cgroups.h"
#include "top-details.h"

#define KMA_TOP_CELL_WIDTH 29 /* a title and a number */
#define KMA_TOP_PARTS	   10 /* cgroups, or call sites, that are listed */

struct kma_top_details {
	const struct kma_top_facts *facts;
	const struct kma_top_state *state;
	const struct kma_top_row *row;
	struct kma_top_rows cgroups, sites; /* parts of the row; empty: not known, or itself */
};

/* Live bytes over time, as one character for each account. */
static void kma_top_history(struct kma_top_pen *pen, const struct kma_top_details *details)
{
	static const wchar_t wide[] = L"▁▂▃▄▅▆▇█";
	static const wchar_t narrow[] = L"._-=+*%#";
	unsigned long samples = kma_rates_samples(kma_top_rates_of(details->facts, details->state));
	size_t nr = samples < KMA_RATES_HISTORY ? samples : KMA_RATES_HISTORY, y;
	const uint64_t *values = details->row->numbers.history + KMA_RATES_HISTORY - nr;
	uint64_t low = UINT64_MAX, high = 0;
	char text[2 * KMA_NUMBER_LEN + 32], from[KMA_NUMBER_LEN], to[KMA_NUMBER_LEN];

	if (!kma_top_pen_down(pen, &y))
		return;
	for (size_t i = 0; i < nr; i++) {
		low = values[i] < low ? values[i] : low;
		high = values[i] > high ? values[i] : high;
	}
	for (size_t i = 0; i < nr; i++) {
		size_t step = high > low ? (values[i] - low) * 7.0 / (high - low) : 0;

		kma_grid_put(pen->grid, 2 + i, y, KMA_GRID_BOLD,
			     (details->facts->wide ? wide : narrow)[step]);
	}
	kma_units_format(from, sizeof(from), nr ? low : 0, KMA_UNIT_BYTES);
	kma_units_format(to, sizeof(to), high, KMA_UNIT_BYTES);
	snprintf(text, sizeof(text), "live, from %s to %s", from, to);
	kma_grid_text(pen->grid, 4 + nr, y, pen->grid->columns, KMA_GRID_PLAIN, text);
}

/* Draws titles with numbers, as many on a line as fit. */
struct kma_top_cells {
	struct kma_top_pen *pen;
	char line[512];
	size_t len, nr;
};

static void kma_top_cells_end(struct kma_top_cells *cells)
{
	if (cells->nr)
		kma_top_write(cells->pen, KMA_GRID_PLAIN, cells->line);
	cells->len = cells->nr = 0;
}

static void kma_top_cell(struct kma_top_cells *cells, const char *title, const char *number)
{
	size_t most = cells->pen->grid->columns / KMA_TOP_CELL_WIDTH;

	if (cells->nr && (cells->nr >= most ||
			  cells->len + KMA_TOP_CELL_WIDTH + KMA_NUMBER_LEN > sizeof(cells->line)))
		kma_top_cells_end(cells);
	cells->len += snprintf(cells->line + cells->len, sizeof(cells->line) - cells->len,
			       "  %-12s %12s  ", title, number);
	cells->nr++;
}

static void kma_top_numbers(struct kma_top_pen *pen, const struct kma_top_details *details)
{
	struct kma_top_cells cells = { .pen = pen };
	char number[KMA_NUMBER_LEN];

	for (unsigned int i = 0; i < KMA_TOP_NR_NUMBERS; i++) {
		if (!kma_top_has_column(details->state, i))
			continue;
		kma_top_column_text(number, &kma_top_columns[i], &details->row->numbers);
		kma_top_cell(&cells, kma_top_columns[i].title, number);
	}
	snprintf(number, sizeof(number), "%zu", details->row->sites);
	kma_top_cell(&cells, "SITES", number);
	kma_top_cells_end(&cells);
}

/* Draws a title and a text of several lines; the title is on the first. */
static void kma_top_text(struct kma_top_pen *pen, const char *title, const char *text)
{
	char line[KMA_TOP_CHOSEN + 64];

	while (text) {
		size_t len = strcspn(text, "\n");

		snprintf(line, sizeof(line), "  %-12s %.*s", title, (int)len, text);
		kma_top_write(pen, KMA_GRID_PLAIN, line);
		text = text[len] ? text + len + 1 : NULL;
		title = "";
	}
}

static void kma_top_place(struct kma_top_pen *pen, const struct kma_top_row *row)
{
	const struct kma_rates_place *place = &row->site->place;
	const struct {
		const char *title, *text;
	} texts[] = {
		{ "call site", row->sites == 1 ? row->site->caller : NULL },
		{ "largest site", row->sites > 1 ? row->site->caller : NULL },
		{ "line", place->line },
		{ "inlined", place->inlines },
		{ "file", place->file },
		{ "function", place->function },
		{ "module", place->module },
		{ "slab cache", row->site->cache },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		kma_top_text(pen, texts[i].title, texts[i].text);
}

/* Draws live objects by age: a number for each range (below 1 s, 1 to 2 s, ...) and the rest. */
static void kma_top_ages(struct kma_top_pen *pen, const struct kma_site_age *age)
{
	struct kma_top_cells cells = { .pen = pen };
	char text[128], number[KMA_NUMBER_LEN];

	if (!age->live)
		return;
	snprintf(text, sizeof(text), "ages of %" PRIu64 " live objects", age->live);
	if (age->unknown)
		snprintf(text, sizeof(text),
			 "ages of %" PRIu64 " live objects, %" PRIu64 " unknown", age->live,
			 age->unknown);
	kma_top_write(pen, KMA_GRID_BOLD, text);
	for (unsigned int i = 0; i < KMA_SITE_EPOCHS; i++) {
		bool last = i == KMA_SITE_EPOCHS - 1;

		if (!age->epochs[i])
			continue;
		snprintf(text, sizeof(text), "%s %u s", last ? ">=" : "<",
			 1U << (last ? i - 1 : i));
		snprintf(number, sizeof(number), "%" PRIu64, age->epochs[i]);
		kma_top_cell(&cells, text, number);
	}
	kma_top_cells_end(&cells);
}

/* Draws the largest parts of the row, and the sum of the others. */
static void kma_top_parts(struct kma_top_pen *pen, const char *title,
			  const struct kma_top_rows *parts)
{
	char live[KMA_NUMBER_LEN], share[KMA_NUMBER_LEN], change[KMA_NUMBER_LEN];
	char line[KMA_TOP_CHOSEN + 128];
	struct kma_rates_numbers rest = { 0 };
	size_t y;

	if (!parts->nr)
		return;
	kma_top_write(pen, KMA_GRID_BOLD, title);
	for (size_t i = 0; i < parts->nr && i < KMA_TOP_PARTS; i++) {
		const struct kma_top_row *part = &parts->rows[i];

		kma_top_column_text(live, &kma_top_columns[KMA_TOP_LIVE], &part->numbers);
		kma_top_column_text(change, &kma_top_columns[KMA_TOP_CHANGE], &part->numbers);
		kma_percent_format(share, sizeof(share), part->numbers.now.current,
				   parts->total.now.current);
		snprintf(line, sizeof(line), "  %10s %6s %11s  ", live, share, change);
		if (!kma_top_pen_down(pen, &y))
			continue;
		kma_grid_text(pen->grid, 0, y, pen->grid->columns, KMA_GRID_PLAIN, line);
		kma_grid_text(pen->grid, strlen(line), y, pen->grid->columns, KMA_GRID_PLAIN,
			      part->label);
	}
	if (parts->nr <= KMA_TOP_PARTS)
		return;
	for (size_t i = KMA_TOP_PARTS; i < parts->nr; i++)
		kma_rates_add(&rest, &parts->rows[i].numbers);
	kma_top_column_text(live, &kma_top_columns[KMA_TOP_LIVE], &rest);
	kma_top_column_text(change, &kma_top_columns[KMA_TOP_CHANGE], &rest);
	kma_percent_format(share, sizeof(share), rest.now.current, parts->total.now.current);
	snprintf(line, sizeof(line), "  %10s %6s %11s  %zu more", live, share, change,
		 parts->nr - KMA_TOP_PARTS);
	kma_top_write(pen, KMA_GRID_PLAIN, line);
}

static void kma_top_details_lines(struct kma_top_pen *pen, const struct kma_top_details *details)
{
	kma_top_history(pen, details);
	kma_top_numbers(pen, details);
	kma_top_place(pen, details->row);
	kma_top_ages(pen, &details->row->numbers.age);
	kma_top_parts(pen, "cgroups", &details->cgroups);
	kma_top_parts(pen, "call sites", &details->sites);
}

/* The heading stays where it is when the lines below are scrolled. */
static void kma_top_details_head(struct kma_top_pen *pen, const struct kma_top_row *row,
				 size_t from, size_t room, size_t nr)
{
	size_t columns = pen->grid->columns, len;
	char text[96];

	len = kma_grid_text(pen->grid, 0, pen->y, columns, KMA_GRID_BOLD, row->label);
	if (nr > room && columns) {
		snprintf(text, sizeof(text), "  lines %zu-%zu of %zu, PgDn PgUp", from + 1,
			 from + room, nr);
		if (len + strlen(text) > columns)
			len = columns > strlen(text) ? columns - strlen(text) : 0;
		kma_grid_text(pen->grid, len, pen->y, columns, KMA_GRID_FAINT, text);
	}
	pen->y++;
}

static void kma_top_details_all(struct kma_top_pen *pen, const struct kma_top_details *details,
				struct kma_top_state *state)
{
	struct kma_grid below = { .columns = pen->grid->columns };
	struct kma_top_pen count = { .grid = &below };
	size_t room = pen->grid->lines > pen->y + 2 ? pen->grid->lines - pen->y - 2 : 1;

	kma_top_details_lines(&count, details);
	if (count.y <= room)
		state->scrolled = 0;
	else if (state->scrolled > count.y - room)
		state->scrolled = count.y - room;
	state->page = room;
	kma_top_details_head(pen, details->row, state->scrolled, room, count.y);
	pen->skip = state->scrolled;
	kma_top_details_lines(pen, details);
}

struct kma_err *kma_top_details_draw(struct kma_top_pen *pen, const struct kma_top_facts *facts,
				     struct kma_top_state *state, const struct kma_top_row *row)
{
	const struct kma_top_query query = kma_top_query_of(state);
	struct kma_top_details details = { .facts = facts, .state = state, .row = row };
	struct kma_err *err = NULL;

	if (state->has_cgroups && !kma_top_by_cgroup(state))
		err = kma_top_parts_init(&details.cgroups, facts->cgroups, KMA_TOP_BY_CGROUP,
					 &query, row);
	if (!err && row->sites > 1)
		err = kma_top_parts_init(&details.sites, kma_top_rates_of(facts, state),
					 KMA_TOP_BY_CALLER, &query, row);
	if (!err)
		kma_top_details_all(pen, &details, state);
	kma_top_rows_deinit(&details.cgroups);
	kma_top_rows_deinit(&details.sites);
	return err;
}
