// SPDX-License-Identifier: GPL-2.0-only
/*
 * top-draw.c - the screen of top as a grid.
 *
 *	kmem-account top - 12:30:01, every 1.0 s   6.1.0-56-amd64
 *	Live 123.0 MiB (93% of 132.0 MiB slab), +1.2 MiB/s, 1234 of 1500 sites; read in 3.2 ms
 *	Memory 23.5 GiB: anonymous 1.2 GiB, ... other 0.3 GiB
 *	      LIVE      CHANGE    CHANGE/s  SHARE         ALLOCS/s  FREES/s  CALL SITE
 *	...
 *	F1 Help  F2 Group  F3 Find  F4 Filter  F5 Tree  F6 Sort  F10 Quit
 *
 * On a small screen the lines of the head are left out before rows are. Columns are left out
 * until the name has KMA_TOP_NAME_WIDTH columns: first that of the largest cgroup, which an
 * account with cgroups has, then numbers from the right. The directory, which is there with a
 * kernel, stays while it leaves space for KMA_TOP_FIRST numbers.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grid.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "model/container.h"
#include "top-cgroups.h"
#include "top-draw.h"
#include "top-keys.h"
#include "top.h"

struct kma_top_pen {
	struct kma_grid *grid;
	size_t y;    /* next line of the grid */
	size_t skip; /* number of lines that are not drawn, because they are scrolled away */
};

/*
 * Goes to the next line, and sets @ret_y to the line of the grid. False if the line is scrolled
 * away and must not be drawn.
 */
static bool top_pen_down(struct kma_top_pen *pen, size_t *ret_y)
{
	if (pen->skip) {
		pen->skip--;
		return false;
	}
	*ret_y = pen->y++;
	return true;
}

static void top_write(struct kma_top_pen *pen, enum kma_grid_style style, const char *text)
{
	size_t y;

	if (top_pen_down(pen, &y))
		kma_grid_text(pen->grid, 0, y, pen->grid->columns, style, text);
}

/*
 * Draw the details of a row of top: history, numbers, place in the source, inlined
 * functions, ages, cgroups and call sites, if the account has them.
 */

#define KMA_TOP_CELL_WIDTH 29 /* a title and a number */
#define KMA_TOP_PARTS	   10 /* cgroups, or call sites, that are listed */

struct kma_top_details {
	const struct kma_top_facts *facts;
	const struct kma_top_state *state;
	const struct kma_top_row *row;
	struct kma_top_rows cgroups, sites; /* parts of the row; empty: not known, or itself */
};

/* Live bytes over time, as one character for each account. */
static void top_history(struct kma_top_pen *pen, const struct kma_top_details *details)
{
	static const wchar_t wide[] = L"▁▂▃▄▅▆▇█";
	static const wchar_t narrow[] = L"._-=+*%#";
	unsigned long samples = kma_rates_samples(kma_top_rates_of(details->facts, details->state));
	size_t nr = samples < KMA_RATES_HISTORY ? samples : KMA_RATES_HISTORY, y;
	const uint64_t *values = details->row->numbers.history + KMA_RATES_HISTORY - nr;
	uint64_t low = UINT64_MAX, high = 0;
	char text[2 * KMA_NUMBER_LEN + 32], from[KMA_NUMBER_LEN], to[KMA_NUMBER_LEN];

	if (!top_pen_down(pen, &y))
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

static void top_cells_end(struct kma_top_cells *cells)
{
	if (cells->nr)
		top_write(cells->pen, KMA_GRID_PLAIN, cells->line);
	cells->len = cells->nr = 0;
}

static void top_cell(struct kma_top_cells *cells, const char *title, const char *number)
{
	size_t most = cells->pen->grid->columns / KMA_TOP_CELL_WIDTH;

	if (cells->nr && (cells->nr >= most ||
			  cells->len + KMA_TOP_CELL_WIDTH + KMA_NUMBER_LEN > sizeof(cells->line)))
		top_cells_end(cells);
	cells->len += snprintf(cells->line + cells->len, sizeof(cells->line) - cells->len,
			       "  %-12s %12s  ", title, number);
	cells->nr++;
}

static void top_numbers(struct kma_top_pen *pen, const struct kma_top_details *details)
{
	struct kma_top_cells cells = { .pen = pen };
	char number[KMA_NUMBER_LEN];

	for (unsigned int i = 0; i < KMA_TOP_NR_NUMBERS; i++) {
		if (!kma_top_has_column(details->state, i))
			continue;
		kma_top_column_text(number, &kma_top_columns[i], &details->row->numbers);
		top_cell(&cells, kma_top_columns[i].title, number);
	}
	snprintf(number, sizeof(number), "%zu", details->row->sites);
	top_cell(&cells, "SITES", number);
	top_cells_end(&cells);
}

/* Draws a title and a text of several lines; the title is on the first. */
static void top_text(struct kma_top_pen *pen, const char *title, const char *text)
{
	char line[KMA_TOP_CHOSEN + 64];

	while (text) {
		size_t len = strcspn(text, "\n");

		snprintf(line, sizeof(line), "  %-12s %.*s", title, (int)len, text);
		top_write(pen, KMA_GRID_PLAIN, line);
		text = text[len] ? text + len + 1 : NULL;
		title = "";
	}
}

static void top_place(struct kma_top_pen *pen, const struct kma_top_row *row)
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
		top_text(pen, texts[i].title, texts[i].text);
}

/* Draws live objects by age: a number for each range (below 1 s, 1 to 2 s, ...) and the rest. */
static void top_ages(struct kma_top_pen *pen, const struct kma_site_age *age)
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
	top_write(pen, KMA_GRID_BOLD, text);
	for (unsigned int i = 0; i < KMA_SITE_EPOCHS; i++) {
		bool last = i == KMA_SITE_EPOCHS - 1;

		if (!age->epochs[i])
			continue;
		snprintf(text, sizeof(text), "%s %u s", last ? ">=" : "<",
			 1U << (last ? i - 1 : i));
		snprintf(number, sizeof(number), "%" PRIu64, age->epochs[i]);
		top_cell(&cells, text, number);
	}
	top_cells_end(&cells);
}

/* Draws the largest parts of the row, and the sum of the others. */
static void top_parts(struct kma_top_pen *pen, const char *title, const struct kma_top_rows *parts)
{
	char live[KMA_NUMBER_LEN], share[KMA_NUMBER_LEN], change[KMA_NUMBER_LEN];
	char line[KMA_TOP_CHOSEN + 128];
	struct kma_rates_numbers rest = { 0 };
	size_t y;

	if (!parts->nr)
		return;
	top_write(pen, KMA_GRID_BOLD, title);
	for (size_t i = 0; i < parts->nr && i < KMA_TOP_PARTS; i++) {
		const struct kma_top_row *part = &parts->rows[i];

		kma_top_column_text(live, &kma_top_columns[KMA_TOP_LIVE], &part->numbers);
		kma_top_column_text(change, &kma_top_columns[KMA_TOP_CHANGE], &part->numbers);
		kma_percent_format(share, sizeof(share), part->numbers.now.current,
				   parts->total.now.current);
		snprintf(line, sizeof(line), "  %10s %6s %11s  ", live, share, change);
		if (!top_pen_down(pen, &y))
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
	top_write(pen, KMA_GRID_PLAIN, line);
}

static void top_details_lines(struct kma_top_pen *pen, const struct kma_top_details *details)
{
	top_history(pen, details);
	top_numbers(pen, details);
	top_place(pen, details->row);
	top_ages(pen, &details->row->numbers.age);
	top_parts(pen, "cgroups", &details->cgroups);
	top_parts(pen, "call sites", &details->sites);
}

/* The heading stays where it is when the lines below are scrolled. */
static void top_details_head(struct kma_top_pen *pen, const struct kma_top_row *row, size_t from,
			     size_t room, size_t nr)
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

static void top_details_all(struct kma_top_pen *pen, const struct kma_top_details *details,
			    struct kma_top_state *state)
{
	struct kma_grid below = { .columns = pen->grid->columns };
	struct kma_top_pen count = { .grid = &below };
	size_t room = pen->grid->lines > pen->y + 2 ? pen->grid->lines - pen->y - 2 : 1;

	top_details_lines(&count, details);
	if (count.y <= room)
		state->scrolled = 0;
	else if (state->scrolled > count.y - room)
		state->scrolled = count.y - room;
	state->page = room;
	top_details_head(pen, details->row, state->scrolled, room, count.y);
	pen->skip = state->scrolled;
	top_details_lines(pen, details);
}

/*
 * Draws the details of a row below the head of the screen; the last line of the screen stays free.
 * @state->scrolled is limited, so that the last line of the details stays visible.
 */
static void top_details_draw(struct kma_top_pen *pen, const struct kma_top_facts *facts,
			     struct kma_top_state *state, const struct kma_top_row *row)
{
	const struct kma_top_query query = kma_top_query_of(state);
	struct kma_top_details details = { .facts = facts, .state = state, .row = row };

	if (state->has_cgroups && !kma_top_by_cgroup(state))
		kma_top_parts_init(&details.cgroups, facts->cgroups, KMA_KEY_CGROUP, &query, row);
	if (row->sites > 1)
		kma_top_parts_init(&details.sites, kma_top_rates_of(facts, state), KMA_KEY_CALLER,
				   &query, row);
	top_details_all(pen, &details, state);
	kma_top_rows_deinit(&details.cgroups);
	kma_top_rows_deinit(&details.sites);
}

#define KMA_TOP_NAME_WIDTH 30
#define KMA_TOP_SMALL	   200
#define KMA_TOP_HEAD_LINES 14 /* a screen with fewer lines has one line of head */

/* The largest cgroup of a row, between the numbers and the name. */
#define KMA_TOP_CGROUP_WIDTH 38
#define KMA_TOP_FIRST	     3

/* The share of all live bytes: two blanks, "53.5%", a blank, a bar. */
#define KMA_TOP_SHARE_WIDTH 14
#define KMA_TOP_BAR	    6
#define KMA_TOP_MENU_WIDTH  16

/* Makes a part of the current line a place for clicks. */
static void top_spot(struct kma_top_state *state, size_t x, size_t y, size_t width,
		     unsigned int key)
{
	if (state->nr_spots < KMA_TOP_SPOTS)
		state->spots[state->nr_spots++] = (struct kma_top_spot){ x, y, width, key };
}

static void top_title(struct kma_top_pen *pen, const struct kma_top_facts *facts,
		      const struct kma_top_state *state)
{
	const char *name = "kmem-account top - ", *release = facts->release;
	char text[256];
	int len;

	/* leave out parts that do not fit: first the release, then most of the name */
	for (unsigned int i = 0; i < 3; i++) {
		len = snprintf(text, sizeof(text), "%s%s, every %.1f s%s%s%s%s%s", name,
			       facts->clock, state->interval_ns / 1e9,
			       state->paused ? "  PAUSED" : "", *release ? "  " : "", release,
			       *state->filter ? "  filter: " : "", state->filter);
		if (len < 0 || (size_t)len <= pen->grid->columns)
			break;
		if (*release)
			release = "";
		else
			name = "top ";
	}
	top_write(pen, state->paused ? KMA_GRID_ALARM : KMA_GRID_BOLD, text);
}

static void top_sums(struct kma_top_pen *pen, const struct kma_top_facts *facts,
		     const struct kma_top_rows *rows, const struct kma_top_state *state)
{
	char live[KMA_NUMBER_LEN], rate[KMA_NUMBER_LEN], read[KMA_NUMBER_LEN];
	char slab[KMA_NUMBER_LEN + 64] = "", share[8], whole[KMA_NUMBER_LEN], text[256];
	char sites[64], file[128];
	size_t shown = rows->sites + rows->filtered;
	int len;

	kma_top_column_text(live, &kma_top_columns[KMA_TOP_LIVE], &rows->total);
	kma_top_column_text(rate, &kma_top_columns[KMA_TOP_RATE], &rows->total);
	kma_units_format(read, sizeof(read), facts->read_ns, KMA_UNIT_NS);
	if (facts->memory.slab) {
		kma_percent_format(share, sizeof(share), rows->total.now.current,
				   facts->memory.slab);
		kma_units_format(whole, sizeof(whole), facts->memory.slab, KMA_UNIT_BYTES);
		snprintf(slab, sizeof(slab), " (%s of %s slab)", share, whole);
	}
	/* A site without live bytes has no row, but report counts it. */
	if (kma_top_by_cgroup(state))
		snprintf(sites, sizeof(sites), ", %zu cgroups", rows->nr);
	else if (shown < rows->all)
		snprintf(sites, sizeof(sites), ", %zu of %zu sites", shown, rows->all);
	else
		snprintf(sites, sizeof(sites), ", %zu sites", shown);
	snprintf(file, sizeof(file), " %s", facts->source);
	/* leave out parts that do not fit: first the file, then the number of sites */
	for (unsigned int i = 0; i < 3; i++) {
		len = snprintf(text, sizeof(text), "Live %s%s, %s/s%s; read%s in %s", live, slab,
			       rate, i > 1 ? "" : sites, i ? "" : file, read);
		if (len < 0 || (size_t)len <= pen->grid->columns)
			break;
	}
	top_write(pen, KMA_GRID_PLAIN, text);
}

/* The sum of the rows that the filter leaves. */
static void top_filtered(struct kma_top_pen *pen, const struct kma_top_rows *rows,
			 const struct kma_top_state *state)
{
	char live[KMA_NUMBER_LEN], rate[KMA_NUMBER_LEN], share[KMA_NUMBER_LEN], text[256];

	if (!*state->filter)
		return;
	kma_top_column_text(live, &kma_top_columns[KMA_TOP_LIVE], &rows->shown);
	kma_top_column_text(rate, &kma_top_columns[KMA_TOP_RATE], &rows->shown);
	kma_percent_format(share, sizeof(share), rows->shown.now.current, rows->total.now.current);
	snprintf(text, sizeof(text), "Filtered %s (%s of live), %s/s, %zu of %zu sites", live,
		 share, rate, rows->sites, rows->sites + rows->filtered);
	top_write(pen, KMA_GRID_BOLD, text);
}

/*
 * All of the memory. "other" is memory that no line of meminfo names, and all parts below
 * 1/KMA_TOP_SMALL of the memory except the slab, because the account is about the slab.
 */
static void top_memory_line(struct kma_top_pen *pen, const struct kma_top_memory *memory)
{
	const struct {
		const char *name;
		uint64_t bytes;
	} parts[] = {
		{ "anonymous", memory->anonymous }, { "page cache", memory->cache },
		{ "slab", memory->slab },	    { "page tables", memory->page_tables },
		{ "stacks", memory->stacks },	    { "per-CPU", memory->percpu },
		{ "free", memory->free },
	};
	char line[320], part[64], number[KMA_NUMBER_LEN];
	uint64_t rest = memory->total;
	size_t len;

	kma_units_format(number, sizeof(number), memory->total, KMA_UNIT_BYTES);
	len = snprintf(line, sizeof(line), "Memory %s:", number);
	for (size_t i = 0; i <= ARRAY_SIZE(parts); i++) {
		bool last = i == ARRAY_SIZE(parts);

		if (!last && parts[i].bytes < memory->total / KMA_TOP_SMALL &&
		    parts[i].bytes != memory->slab)
			continue;
		kma_units_format(number, sizeof(number), last ? rest : parts[i].bytes,
				 KMA_UNIT_BYTES);
		snprintf(part, sizeof(part), " %s %s%s", last ? "other" : parts[i].name, number,
			 last ? "" : ",");
		if (!last)
			rest -= rest < parts[i].bytes ? rest : parts[i].bytes;
		/* parts that do not fit are on a second line */
		if (len + strlen(part) > pen->grid->columns || len + strlen(part) >= sizeof(line)) {
			top_write(pen, KMA_GRID_PLAIN, line);
			len = 0;
		}
		len += snprintf(line + len, sizeof(line) - len, "%s", part);
	}
	top_write(pen, KMA_GRID_PLAIN, line);
}

/* Draws the reasons why the numbers are incomplete, if there are any. */
static void top_troubles(struct kma_top_pen *pen, const struct kma_top_facts *facts)
{
	char text[192];

	if (facts->trouble) {
		snprintf(text, sizeof(text), "the numbers are not current: %s", facts->trouble);
		top_write(pen, KMA_GRID_ALARM, text);
	}
	if (facts->losses[KMA_LOSS_NOT_RECORDED]) {
		snprintf(text, sizeof(text), "%" PRIu64 " %s not recorded",
			 facts->losses[KMA_LOSS_NOT_RECORDED],
			 kma_plural(facts->losses[KMA_LOSS_NOT_RECORDED], "event was",
				    "events were"));
		top_write(pen, KMA_GRID_ALARM, text);
	}
	if (facts->unread.lines) {
		snprintf(text, sizeof(text), "%" PRIu64 " event %s not understood",
			 facts->unread.lines,
			 kma_plural(facts->unread.lines, "line was", "lines were"));
		top_write(pen, KMA_GRID_ALARM, text);
	}
	if (kma_rates_restarts(facts->rates)) {
		snprintf(text, sizeof(text), "the account was restarted %lu %s",
			 kma_rates_restarts(facts->rates),
			 kma_plural(kma_rates_restarts(facts->rates), "time", "times"));
		top_write(pen, KMA_GRID_ALARM, text);
	}
}

/* The columns of a list that fit. */
struct kma_top_fit {
	unsigned int columns; /* set of the columns of numbers */
	size_t numbers;	      /* width of all numbers */
	unsigned int nr;      /* number of columns of numbers */
	bool all;	      /* no column of numbers is left out */
	bool share;	      /* the share of all live bytes follows the rate of change */
	bool cgroup;	      /* the column of the largest cgroup follows the numbers */
	bool directory;	      /* the column of the directory follows that */
	size_t place;	      /* first column of the directory on the screen */
	size_t width;	      /* of all these; the name follows */
};

/* Chooses the numbers so that @kept columns are left for the directory, and space for names. */
static struct kma_top_fit top_fit_numbers(const struct kma_grid *grid,
					  const struct kma_top_state *state, size_t kept)
{
	struct kma_top_fit fit = { .all = true };

	for (unsigned int i = 0; i < KMA_TOP_NR_NUMBERS && fit.all; i++) {
		size_t width = kma_top_columns[i].width + 1;

		if (!kma_top_has_column(state, i))
			continue;
		fit.all = !fit.nr ||
			  fit.numbers + width + kept + KMA_TOP_NAME_WIDTH <= grid->columns;
		if (!fit.all)
			break;
		fit.columns |= 1U << i;
		fit.numbers += width;
		fit.nr++;
		width = fit.numbers + KMA_TOP_SHARE_WIDTH;
		if (i == KMA_TOP_RATE && width + kept + KMA_TOP_NAME_WIDTH <= grid->columns) {
			fit.share = true;
			fit.numbers = width;
		}
	}
	return fit;
}

static struct kma_top_fit top_fitting(const struct kma_grid *grid,
				      const struct kma_top_state *state)
{
	size_t kept = kma_top_columns[KMA_TOP_DIRECTORY].width + 2;
	bool directory = kma_top_has_column(state, KMA_TOP_DIRECTORY);
	struct kma_top_fit fit = top_fit_numbers(grid, state, directory ? kept : 0);

	if (directory && !fit.all && fit.nr < KMA_TOP_FIRST) {
		directory = false;
		fit = top_fit_numbers(grid, state, 0);
	}
	fit.directory = directory;
	kept = directory ? kept : 0;
	fit.cgroup = fit.all && state->has_cgroups && !kma_top_by_cgroup(state) &&
		     fit.numbers + KMA_TOP_CGROUP_WIDTH + 2 + kept + KMA_TOP_NAME_WIDTH <=
			     grid->columns;
	fit.place = fit.numbers + (fit.cgroup ? KMA_TOP_CGROUP_WIDTH + 2 : 0);
	fit.width = fit.place + kept;
	return fit;
}

static enum kma_grid_style top_heading(const struct kma_top_state *state, enum kma_top_column_id id)
{
	return id == state->sort ? KMA_GRID_BOLD : KMA_GRID_TITLE;
}

static void top_headings(struct kma_top_pen *pen, struct kma_top_state *state,
			 const struct kma_top_fit *fit)
{
	char title[KMA_TOP_TITLE], name[KMA_KEYS_MAX * KMA_TOP_TITLE];
	const struct kma_keys by = kma_top_keys(state);
	size_t x = 0, len = 0;

	for (unsigned int i = 0; i < by.nr; i++)
		len += snprintf(name + len, sizeof(name) - len, "%s%s", i ? " | " : "",
				kma_top_title(by.list[i], title));
	kma_grid_line(pen->grid, pen->y, KMA_GRID_TITLE);
	for (unsigned int i = 0; i < KMA_TOP_NR_NUMBERS; i++) {
		if (!(fit->columns >> i & 1))
			continue;
		kma_grid_right(pen->grid, x, pen->y, kma_top_columns[i].width,
			       top_heading(state, i), kma_top_columns[i].title);
		top_spot(state, x, pen->y, kma_top_columns[i].width, KMA_TOP_KEY_SORT + i);
		x += kma_top_columns[i].width + 1;
		if (i == KMA_TOP_RATE && fit->share) {
			kma_grid_text(pen->grid, x + 1, pen->y, KMA_TOP_SHARE_WIDTH, KMA_GRID_TITLE,
				      "SHARE");
			top_spot(state, x, pen->y, KMA_TOP_SHARE_WIDTH,
				 KMA_TOP_KEY_SORT + KMA_TOP_LIVE);
			x += KMA_TOP_SHARE_WIDTH;
		}
	}
	if (fit->directory)
		top_spot(state, fit->place + 1, pen->y, kma_top_columns[KMA_TOP_DIRECTORY].width,
			 KMA_TOP_KEY_SORT + KMA_TOP_DIRECTORY);
	top_spot(state, fit->width + 1, pen->y, pen->grid->columns,
		 KMA_TOP_KEY_SORT + KMA_TOP_NAME);
	if (fit->cgroup)
		kma_grid_text(pen->grid, fit->numbers + 1, pen->y, KMA_TOP_CGROUP_WIDTH,
			      KMA_GRID_TITLE, "LARGEST CGROUP");
	if (fit->directory)
		kma_grid_text(pen->grid, fit->place + 1, pen->y,
			      kma_top_columns[KMA_TOP_DIRECTORY].width,
			      top_heading(state, KMA_TOP_DIRECTORY),
			      kma_top_columns[KMA_TOP_DIRECTORY].title);
	kma_grid_text(pen->grid, fit->width + 1, pen->y, pen->grid->columns,
		      top_heading(state, KMA_TOP_NAME), name);
	pen->y++;
}

/* Draws the largest cgroup and its share of the row: "75% /system.slice". */
static void top_draw_largest(struct kma_top_pen *pen, const struct kma_top_fit *fit,
			     const struct kma_top_row *row, const struct kma_top_largest *largest)
{
	_cleanup_strbuf_ struct kma_strbuf label = { 0 };
	uint64_t whole = row->numbers.now.current;
	char share[16];

	if (!largest->cgroup)
		return;
	kma_container_label(largest->cgroup, &label);
	/* the tables were read at two moments: limit the share if the row has shrunk in between */
	kma_percent_format(share, sizeof(share), largest->live,
			   whole > largest->live ? whole : largest->live);
	kma_grid_right(pen->grid, fit->numbers + 1, pen->y, 6, KMA_GRID_PLAIN, share);
	kma_grid_text(pen->grid, fit->numbers + 8, pen->y, KMA_TOP_CGROUP_WIDTH - 7, KMA_GRID_PLAIN,
		      label.str ?: largest->cgroup);
}

/* Draws the share of all live bytes as a number and as a bar of eighths of a column. */
static void top_draw_share(struct kma_top_pen *pen, size_t x, const struct kma_top_facts *facts,
			   const struct kma_top_row *row, const struct kma_top_rows *rows)
{
	static const wchar_t eighths[] = L" ▏▎▍▌▋▊▉█";
	uint64_t part = row->numbers.now.current, whole = rows->total.now.current;
	size_t filled = whole ? (size_t)(8.0 * KMA_TOP_BAR * part / whole + 0.5) : 0;
	char share[KMA_NUMBER_LEN];

	kma_percent_format(share, sizeof(share), part, whole);
	kma_grid_right(pen->grid, x, pen->y, 6, KMA_GRID_PLAIN, share);
	for (size_t i = 0; i < KMA_TOP_BAR; i++) {
		size_t of = filled > 8 * i ? filled - 8 * i : 0;

		kma_grid_put(pen->grid, x + 7 + i, pen->y, KMA_GRID_PLAIN,
			     facts->wide ? eighths[of < 8 ? of : 8] :
			     of >= 4	 ? L'#' :
					   L' ');
	}
}

static void top_draw_row(struct kma_top_pen *pen, const struct kma_top_state *state,
			 const struct kma_top_row *row, const struct kma_top_fit *fit,
			 const struct kma_top_facts *facts, const struct kma_top_rows *rows)
{
	char text[KMA_NUMBER_LEN];
	size_t x = 0;

	for (unsigned int i = 0; i < KMA_TOP_NR_NUMBERS; i++) {
		const struct kma_top_column *column = &kma_top_columns[i];
		double number = column->get(&row->numbers);
		enum kma_grid_style style = KMA_GRID_PLAIN;

		if (!(fit->columns >> i & 1))
			continue;
		if (column->is_signed && fabs(number) >= 0.5)
			style = number < 0 ? KMA_GRID_FALLING : KMA_GRID_RISING;
		kma_top_column_text(text, column, &row->numbers);
		kma_grid_right(pen->grid, x, pen->y, column->width, style, text);
		x += column->width + 1;
		if (i == KMA_TOP_RATE && fit->share) {
			top_draw_share(pen, x, facts, row, rows);
			x += KMA_TOP_SHARE_WIDTH;
		}
	}
	if (fit->directory)
		kma_grid_text(pen->grid, fit->place + 1, pen->y,
			      kma_top_columns[KMA_TOP_DIRECTORY].width, KMA_GRID_PLAIN,
			      row->directory);
	x = fit->width + 1;
	if (state->tree) {
		x += 2 * (size_t)row->depth;
		kma_grid_put(pen->grid, x, pen->y, KMA_GRID_FAINT,
			     !row->has_children ? L' ' :
			     row->is_open	? L'-' :
						  L'+');
		x += 2;
	}
	kma_grid_text(pen->grid, x, pen->y, pen->grid->columns, KMA_GRID_PLAIN, row->label);
}

static void top_draw_help(struct kma_top_pen *pen)
{
	const char *keys, *what;
	char line[160];

	for (size_t i = 0; (keys = kma_top_help(i, &what)); i++) {
		snprintf(line, sizeof(line), "  %-10s %s", keys, what);
		top_write(pen, KMA_GRID_PLAIN, line);
	}
}

static void top_draw_rows(struct kma_top_pen *pen, const struct kma_top_facts *facts,
			  const struct kma_top_rows *rows, struct kma_top_state *state, size_t room)
{
	_cleanup_free_ struct kma_top_largest *largest = NULL;
	const struct kma_top_query query = kma_top_query_of(state);
	const struct kma_top_row *first = rows->rows + state->first;
	size_t nr = rows->nr - state->first, cursor = kma_top_cursor(state, rows);
	struct kma_top_fit fit = top_fitting(pen->grid, state);

	nr = nr < room ? nr : room;
	if (fit.cgroup && nr)
		largest = kma_top_largest_of(first, nr, facts, &query);
	top_headings(pen, state, &fit);
	state->top = pen->y;
	for (size_t i = 0; i < nr; i++) {
		top_draw_row(pen, state, &first[i], &fit, facts, rows);
		if (fit.cgroup)
			top_draw_largest(pen, &fit, &first[i], &largest[i]);
		if (state->first + i == cursor)
			kma_grid_line(pen->grid, pen->y, KMA_GRID_CHOSEN);
		pen->y++;
	}
}

static void top_draw_list(struct kma_top_pen *pen, const struct kma_top_facts *facts,
			  const struct kma_top_rows *rows, struct kma_top_state *state)
{
	size_t room = pen->grid->lines > pen->y + 2 ? pen->grid->lines - pen->y - 2 : 1;
	size_t cursor = kma_top_cursor(state, rows);

	state->page = room;
	if (cursor < state->first)
		state->first = cursor;
	if (cursor >= state->first + room)
		state->first = cursor - room + 1;
	/* no blank lines below the last row while rows are above the first */
	if (state->first && state->first + room > rows->nr)
		state->first = rows->nr > room ? rows->nr - room : 0;
	top_draw_rows(pen, facts, rows, state, room);
	if (!rows->nr)
		top_write(pen, KMA_GRID_FAINT,
			  rows->filtered ? "no row contains the text of the filter; Esc shows all" :
			  rows->all	 ? "no call site of the account has live bytes" :
					   "the account has no call sites yet");
}

/* Draws the open menu over the left of the list, below its headings. */
static void top_draw_menu(struct kma_top_pen *pen, struct kma_top_state *state)
{
	const char *head = state->menu == KMA_TOP_MENU_SORT ? "Sort by" : "A row is a";
	char title[KMA_TOP_TITLE], line[KMA_TOP_MENU_WIDTH + 1];
	const char *item;
	size_t y = state->top - 1;

	state->nr_spots = 0;
	for (size_t i = 0;; i++) {
		enum kma_grid_style style = !i			 ? KMA_GRID_TITLE :
					    i == state->item + 1 ? KMA_GRID_CHOSEN :
								   KMA_GRID_PLAIN;

		item = i ? kma_top_menu_item(state, i - 1, title) : head;
		if (!item)
			break;
		snprintf(line, sizeof(line), " %-*s", KMA_TOP_MENU_WIDTH - 1, item);
		kma_grid_text(pen->grid, 0, y + i, KMA_TOP_MENU_WIDTH, style, line);
		kma_grid_put(pen->grid, KMA_TOP_MENU_WIDTH, y + i, KMA_GRID_FAINT, L'|');
	}
}

/* The function keys; of those for which there is no room the last one stays. */
static void top_functions(struct kma_grid *grid, struct kma_top_state *state, size_t y)
{
	const struct kma_top_function *last = &kma_top_functions[KMA_TOP_FUNCTIONS - 1];
	const size_t kept = strlen("F10 ") + strlen(last->word);
	char name[8];
	size_t x = 0;

	for (size_t i = 0; i < KMA_TOP_FUNCTIONS; i++) {
		const struct kma_top_function *function = &kma_top_functions[i];
		size_t width =
			snprintf(name, sizeof(name), "F%u ", function->nr) + strlen(function->word);

		if (i && x + width + (function == last ? 0 : kept + 2) > grid->columns)
			continue;
		top_spot(state, x, y, width, KMA_TOP_KEY_F0 + function->nr);
		x += kma_grid_text(grid, x, y, grid->columns, KMA_GRID_BOLD, name);
		x += kma_grid_text(grid, x, y, grid->columns, KMA_GRID_FAINT, function->word) + 2;
	}
}

static void top_foot(struct kma_grid *grid, struct kma_top_state *state)
{
	static const char *const prompts[KMA_TOP_NR_PROMPTS] = {
		[KMA_TOP_PROMPT_SEARCH] = "Search: ",
		[KMA_TOP_PROMPT_FILTER] = "Show only rows with: ",
		[KMA_TOP_PROMPT_INTERVAL] = "Seconds between two reads: ",
		[KMA_TOP_PROMPT_SAVE] = "Write the rows to file: ",
		[KMA_TOP_PROMPT_TIME] = "Go to the sample at time: ",
	};
	size_t y = grid->lines ? grid->lines - 1 : 0, x;

	for (size_t i = 0; i < grid->columns; i++)
		kma_grid_put(grid, i, y, KMA_GRID_PLAIN, L' ');
	if (state->prompt) {
		x = kma_grid_text(grid, 0, y, grid->columns, KMA_GRID_BOLD, prompts[state->prompt]);
		x += kma_grid_text(grid, x, y, grid->columns, KMA_GRID_PLAIN, state->typed);
		kma_grid_put(grid, x, y, KMA_GRID_CHOSEN, L' ');
		return;
	}
	if (*state->message)
		kma_grid_text(grid, 0, y, grid->columns, KMA_GRID_BOLD, state->message);
	else
		top_functions(grid, state, y);
}

void kma_top_rows_of(struct kma_top_rows *rows, const struct kma_top_facts *facts,
		     const struct kma_top_state *state)
{
	const struct kma_top_query query = kma_top_query_of(state);

	kma_top_rows_init(rows, kma_top_rates_of(facts, state), &query);
}

void kma_top_draw(struct kma_grid *grid, const struct kma_top_facts *facts,
		  const struct kma_top_rows *rows, struct kma_top_state *state)
{
	struct kma_top_pen pen = { .grid = grid };

	state->nr_spots = 0;
	state->top = grid->lines;
	top_title(&pen, facts, state);
	/* The help needs the lines. */
	if (grid->lines >= KMA_TOP_HEAD_LINES && !state->help) {
		top_sums(&pen, facts, rows, state);
		if (facts->memory.total)
			top_memory_line(&pen, &facts->memory);
	}
	top_filtered(&pen, rows, state);
	top_troubles(&pen, facts);
	if (state->help)
		top_draw_help(&pen);
	else if (state->details && rows->nr)
		top_details_draw(&pen, facts, state, &rows->rows[kma_top_cursor(state, rows)]);
	else
		top_draw_list(&pen, facts, rows, state);
	if (state->menu && state->top < grid->lines)
		top_draw_menu(&pen, state);
	top_foot(grid, state);
}
