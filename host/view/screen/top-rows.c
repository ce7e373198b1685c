// SPDX-License-Identifier: GPL-2.0-only
/*
 * top-rows.c - the rows of top.
 *
 * Sites are sorted by key, so that the sites of a row are neighbours. In a tree the key is the
 * directory, and a slash sorts first, so the sites of a directory and of its subdirectories are
 * neighbours, too: each level is a walk over a range of the sorted sites. All rows are made again
 * for each draw; time is that of the sort of the sites.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "model/container.h"
#include "top-rows.h"

static double top_live(const struct kma_rates_numbers *numbers)
{
	return numbers->now.current;
}

static double top_change(const struct kma_rates_numbers *numbers)
{
	return (double)numbers->now.current - (double)numbers->base;
}

static double top_rate(const struct kma_rates_numbers *numbers)
{
	return numbers->rates[KMA_RATE_BYTES];
}

static double top_allocs(const struct kma_rates_numbers *numbers)
{
	return numbers->rates[KMA_RATE_ALLOCS];
}

static double top_frees(const struct kma_rates_numbers *numbers)
{
	return numbers->rates[KMA_RATE_FREES];
}

static double top_objects(const struct kma_rates_numbers *numbers)
{
	return numbers->now.objects;
}

static double top_waste(const struct kma_rates_numbers *numbers)
{
	return numbers->now.waste;
}

static double top_charged(const struct kma_rates_numbers *numbers)
{
	return numbers->now.charged;
}

static double top_peak(const struct kma_rates_numbers *numbers)
{
	return numbers->now.peak;
}

static double top_oldest(const struct kma_rates_numbers *numbers)
{
	return numbers->age.oldest;
}

static const char *top_directory(const struct kma_top_row *row)
{
	return row->directory;
}

static const char *top_name(const struct kma_top_row *row)
{
	return row->key;
}

/* clang-format off */
const struct kma_top_column kma_top_columns[KMA_TOP_NR_COLUMNS] = {
	[KMA_TOP_LIVE]	  = { "live", "live", "LIVE", 10, KMA_CURRENT, KMA_UNIT_BYTES, false, top_live },
	[KMA_TOP_CHANGE]  = { "change", "change", "CHANGE", 11, KMA_CURRENT, KMA_UNIT_BYTES, true, top_change },
	[KMA_TOP_RATE]	  = { "rate", "change_per_s", "CHANGE/s", 11, KMA_CURRENT, KMA_UNIT_BYTES, true, top_rate },
	[KMA_TOP_ALLOCS]  = { "allocs", "allocs_per_s", "ALLOCS/s", 9, KMA_ALLOCS, KMA_UNIT_COUNT, false, top_allocs },
	[KMA_TOP_FREES]	  = { "frees", "frees_per_s", "FREES/s", 9, KMA_FREES, KMA_UNIT_COUNT, false, top_frees },
	[KMA_TOP_OBJECTS] = { "objects", "objects", "OBJECTS", 9, KMA_OBJECTS, KMA_UNIT_COUNT, false, top_objects },
	[KMA_TOP_WASTE]	  = { "waste", "waste", "WASTE", 10, KMA_WASTE, KMA_UNIT_BYTES, false, top_waste },
	[KMA_TOP_CHARGED] = { "charged", "charged", "CHARGED", 10, KMA_CHARGED, KMA_UNIT_BYTES, false, top_charged },
	[KMA_TOP_PEAK]	  = { "peak", "peak", "PEAK", 10, KMA_PEAK, KMA_UNIT_BYTES, false, top_peak },
	[KMA_TOP_OLDEST]  = { "oldest", "oldest_ns", "OLDEST", 9, KMA_TOP_AGES, KMA_UNIT_NS, false, top_oldest },
	[KMA_TOP_DIRECTORY] = { "directory", "directory", "DIRECTORY", 24, KMA_TOP_FILES, .text = top_directory },
	[KMA_TOP_NAME]	  = { "name", "name", "NAME", 0, KMA_TOP_ALWAYS, .text = top_name },
};
/* clang-format on */

char *kma_top_column_text(char *buf, const struct kma_top_column *column,
			  const struct kma_rates_numbers *numbers)
{
	double number = column->get(numbers);
	uint64_t size = llround(fabs(number));
	char text[KMA_NUMBER_LEN];

	kma_units_format(text, sizeof(text), size, column->unit);
	snprintf(buf, KMA_NUMBER_LEN, "%s%.*s",
		 !column->is_signed || !size ? "" :
		 number < 0		     ? "-" :
					       "+",
		 KMA_NUMBER_LEN - 2, text);
	return buf;
}

/* A site, and the text and the kind by which it is sorted. */
struct kma_top_keyed {
	const char *key;
	enum kma_kind kind;
	const struct kma_rates_site *site;
};

/* Like strcmp(), but a slash sorts first, so a directory is followed by its contents. */
static int top_text_compare(const char *a, const char *b)
{
	const unsigned char *one = (const unsigned char *)a;
	const unsigned char *other = (const unsigned char *)b;

	while (*one && *one == *other) {
		one++;
		other++;
	}
	return (*one == '/' ? 1 : *one) - (*other == '/' ? 1 : *other);
}

static int top_keyed_compare(const void *a, const void *b)
{
	const struct kma_top_keyed *one = a, *other = b;

	return top_text_compare(one->key, other->key) ?: (int)one->kind - (int)other->kind;
}

static bool top_is_shown(const struct kma_rates_numbers *numbers)
{
	if (numbers->now.current || numbers->base)
		return true;
	for (unsigned int i = 0; i < KMA_NR_RATES; i++)
		if (fabs(numbers->rates[i]) >= 0.5)
			return true;
	return false;
}

const char *kma_top_title(enum kma_key_id id, char title[KMA_TOP_TITLE])
{
	const char *text = kma_keys[id].what;
	size_t i;

	for (i = 0; text[i] && i + 1 < KMA_TOP_TITLE; i++)
		title[i] = toupper((unsigned char)text[i]);
	title[i] = '\0';
	return title;
}

/* The item of a site, for texts of keys; @known has its numbers. @row: in place of an unknown file. */
static void top_item(const struct kma_rates_site *site, const char *row, struct kma_site *known,
		     struct kma_item *ret)
{
	const struct kma_rates_place *place = &site->place;

	*known = (struct kma_site){
		.caller = site->caller,
		.group = site->group,
		.cache = site->cache,
		.kind = site->kind,
		.bytes = site->bytes,
		.named = site->named,
		.values = site->numbers.now,
	};
	*ret = (struct kma_item){
		.site = known,
		.name = site->caller,
		.module = place->module && strcmp(place->module, "vmlinux") ? place->module : NULL,
		.file = place->file,
		.row = site->named ? site->caller :
		       place->row  ?:
				     row,
		.line = place->line,
		.subsystem = place->subsystem,
		.type = place->type,
		.function = place->function,
		.function_len = place->function ? strlen(place->function) : 0,
	};
}

/*
 * Rows by function alone have no file, because a column has the directory. Of several keys the texts
 * are those of a report.
 */
const char *kma_top_site_key(const struct kma_top_query *query, const struct kma_rates_site *site,
			     struct kma_arena *arena)
{
	const struct kma_keys by = query->tree ? KMA_BY(KMA_KEY_DIR) : query->by;
	const struct kma_key_ask ask = { .keys = &by, .arena = arena };
	bool files = !site->place.file && kma_keys_need(&by, KMA_KEY_NEEDS_FILES);
	struct kma_site known;
	struct kma_item item;

	top_item(site, files ? "[no file]" : NULL, &known, &item);
	if (kma_keys_are(&by, KMA_KEY_FUNCTION))
		item.file = NULL;
	return kma_keys_of_item(&item, &ask);
}

enum kma_kind kma_top_site_kind(const struct kma_top_query *query,
				const struct kma_rates_site *site)
{
	return query->tree || !kma_keys_are(&query->by, KMA_KEY_CALLER) ? KMA_KIND_UNKNOWN :
									  site->kind;
}

/* A filter that matches the caller shows the site in any group. */
bool kma_top_passes(const struct kma_top_query *query, const char *key,
		    const struct kma_rates_site *site, struct kma_arena *arena)
{
	struct kma_site known;
	struct kma_item item;

	if (query->only && query->only->nr) {
		top_item(site, NULL, &known, &item);
		return kma_only_passes(query->only, &item, arena);
	}
	return !*query->filter || strcasestr(key, query->filter) ||
	       strcasestr(site->caller, query->filter);
}

/* Is the site in the row of the outer query? */
static bool top_is_within(const struct kma_top_query *query, const struct kma_rates_site *site,
			  struct kma_arena *arena)
{
	const char *key = kma_top_site_key(query->within, site, arena);
	size_t len = strlen(query->key);

	return kma_top_site_kind(query->within, site) == query->kind &&
	       !strncmp(key, query->key, len) &&
	       (!key[len] || (query->within->tree && key[len] == '/')) &&
	       kma_top_passes(query->within, key, site, arena);
}

/* The sites that have rows, sorted by key. */
static struct kma_top_keyed *top_sorted(struct kma_top_rows *rows, const struct kma_rates *from,
					const struct kma_top_query *query)
{
	const struct kma_rates_site *sites;
	struct kma_top_keyed *sorted;
	size_t nr;

	sites = kma_rates_sites(from, &nr);
	sorted = kma_xcalloc(nr + 1, sizeof(*sorted));
	for (size_t i = 0; i < nr; i++) {
		const char *key;

		if (query->within && !top_is_within(query, &sites[i], &rows->arena))
			continue;
		rows->all++;
		kma_rates_add(&rows->total, &sites[i].numbers);
		if (!top_is_shown(&sites[i].numbers))
			continue;
		key = kma_top_site_key(query, &sites[i], &rows->arena);
		if (!kma_top_passes(query, key, &sites[i], &rows->arena)) {
			rows->filtered++;
			continue;
		}
		kma_rates_add(&rows->shown, &sites[i].numbers);
		sorted[rows->sites++] = (struct kma_top_keyed){ key,
								kma_top_site_kind(query, &sites[i]),
								&sites[i] };
	}
	qsort(sorted, rows->sites, sizeof(*sorted), top_keyed_compare);
	return sorted;
}

static struct kma_top_row *top_add(struct kma_top_rows *rows)
{
	kma_array_room(rows->rows, rows->nr, rows->room);
	rows->rows[rows->nr] = (struct kma_top_row){ 0 };
	return &rows->rows[rows->nr++];
}

static void top_row_add(struct kma_top_row *row, const struct kma_rates_site *site)
{
	const char *directory = site->place.dir ?: "";

	kma_rates_add(&row->numbers, &site->numbers);
	if (!row->sites++)
		row->directory = directory;
	else if (strcmp(row->directory, directory) != 0)
		row->directory = KMA_TOP_SEVERAL;
	if (!row->site || site->numbers.now.current > row->site->numbers.now.current)
		row->site = site;
}

static int top_row_compare(const void *a, const void *b, void *arg)
{
	const struct kma_top_row *one = a, *other = b;
	const struct kma_top_query *query = arg;
	const struct kma_top_column *column = &kma_top_columns[query->sort];
	int order = column->text ? strcmp(column->text(one), column->text(other)) : 0;
	double x, y;

	if (order)
		return (order > 0) == !query->reversed ? 1 : -1;
	if (column->text)
		column = &kma_top_columns[KMA_TOP_LIVE];
	x = column->get(&one->numbers);
	y = column->get(&other->numbers);
	if (x != y)
		return (x < y) == !query->reversed ? 1 : -1;
	return strcmp(one->key, other->key) ?: (int)one->kind - (int)other->kind;
}

/* Sets the label of a row; IDs of containers are shortened as in a report. */
static void top_label(struct kma_top_rows *rows, struct kma_top_row *row,
		      const struct kma_top_query *query, bool twin)
{
	_cleanup_strbuf_ struct kma_strbuf label = { 0 };

	row->label = row->key;
	row->twin = twin;
	if (twin)
		kma_strbuf_printf(&label, "%s%s", row->key, kma_kind_remarks[row->kind]);
	else
		kma_keys_label(&query->by, row->key, &label);
	if (label.len)
		row->label = kma_arena_text(&rows->arena, label.str, label.len);
}

static void top_flat(struct kma_top_rows *rows, const struct kma_top_keyed *sorted,
		     struct kma_top_query *query)
{
	struct kma_top_row *row = NULL;

	for (size_t i = 0; i < rows->sites; i++) {
		bool alike = row && !strcmp(row->key, sorted[i].key);

		if (alike && row->kind == sorted[i].kind) {
			top_row_add(row, sorted[i].site);
			continue;
		}
		if (alike)
			top_label(rows, row, query, true);
		row = top_add(rows);
		row->key = sorted[i].key;
		row->kind = sorted[i].kind;
		top_label(rows, row, query, alike);
		top_row_add(row, sorted[i].site);
	}
	if (rows->nr)
		qsort_r(rows->rows, rows->nr, sizeof(*rows->rows), top_row_compare, query);
}

/* Is "\nPATH\n" in the list? */
static bool top_is_open(const char *open, const char *path)
{
	size_t len = strlen(path);

	for (const char *p = strstr(open, path); p; p = strstr(p + 1, path))
		if (p > open && p[-1] == '\n' && p[len] == '\n')
			return true;
	return false;
}

/* Length of @path up to the next component after @prefix bytes: that of "fs/ext4" after "fs/". */
static size_t top_part(const char *path, size_t prefix)
{
	const char *slash;

	if (*path == '[')
		return strlen(path);
	slash = strchr(path + prefix, '/');
	return slash ? (size_t)(slash - path) : strlen(path);
}

static void top_level(struct kma_top_rows *rows, const struct kma_top_keyed *sorted, size_t nr,
		      size_t prefix, unsigned int depth, struct kma_top_query *query);

/* Adds the rows of one level, and those below its open directories; @level has the ranges. */
static void top_emit(struct kma_top_rows *rows, const struct kma_top_rows *level,
		     const struct kma_top_keyed *sorted, unsigned int depth,
		     struct kma_top_query *query)
{
	for (size_t i = 0; i < level->nr; i++) {
		struct kma_top_row *row = top_add(rows);
		const struct kma_top_keyed *from = sorted;
		size_t len, nr;

		*row = level->rows[i];
		row->depth = depth;
		if (row->is_site)
			continue;
		len = strlen(row->key);
		while (strncmp(from->key, row->key, len) != 0 ||
		       (from->key[len] && from->key[len] != '/'))
			from++;
		nr = row->sites;
		row->has_children = true;
		row->is_open = top_is_open(query->open, row->key);
		if (row->is_open)
			top_level(rows, from, nr, len + 1, depth + 1, query);
	}
}

/* Adds the row of a call site to the level below its directory. */
static void top_add_site(struct kma_top_rows *rows, struct kma_top_rows *level,
			 const struct kma_top_keyed *keyed)
{
	_cleanup_strbuf_ struct kma_strbuf key = { 0 };
	struct kma_top_row *row = top_add(level);

	kma_strbuf_printf(&key, "%s/%s", keyed->key, keyed->site->caller);
	row->key = kma_arena_text(&rows->arena, key.str, key.len);
	row->label = row->key + strlen(keyed->key) + 1;
	row->is_site = true;
	row->kind = keyed->site->kind;
	top_row_add(row, keyed->site);
}

/*
 * Makes the rows of one level of a tree, from @nr sorted sites whose keys share @prefix bytes. The
 * key of a site is that of its directory; sites whose key ends there have rows of their own.
 */
static void top_level(struct kma_top_rows *rows, const struct kma_top_keyed *sorted, size_t nr,
		      size_t prefix, unsigned int depth, struct kma_top_query *query)
{
	struct kma_top_rows level = { 0 };
	struct kma_top_row *row = NULL;

	for (size_t i = 0; i < nr; i++) {
		const char *key = sorted[i].key;
		size_t len;

		if (strlen(key) < prefix) {
			top_add_site(rows, &level, &sorted[i]);
			row = NULL;
			continue;
		}
		len = top_part(key, prefix);
		if (!row || strlen(row->key) != len || strncmp(row->key, key, len) != 0) {
			row = top_add(&level);
			row->key = kma_arena_text(&rows->arena, key, len);
			row->label = row->key + (len > prefix ? prefix : 0);
		}
		top_row_add(row, sorted[i].site);
	}
	if (level.nr)
		qsort_r(level.rows, level.nr, sizeof(*level.rows), top_row_compare, query);
	top_emit(rows, &level, sorted, depth, query);
	kma_top_rows_deinit(&level);
}

void kma_top_rows_init(struct kma_top_rows *rows, const struct kma_rates *from,
		       const struct kma_top_query *query)
{
	struct kma_top_query wanted = *query;
	struct kma_top_keyed *sorted;

	*rows = (struct kma_top_rows){ 0 };
	sorted = top_sorted(rows, from, query);
	if (query->tree)
		top_level(rows, sorted, rows->sites, 0, 0, &wanted);
	else
		top_flat(rows, sorted, &wanted);
	free(sorted);
}

void kma_top_rows_deinit(struct kma_top_rows *rows)
{
	free(rows->rows);
	kma_arena_deinit(&rows->arena);
	*rows = (struct kma_top_rows){ 0 };
}
