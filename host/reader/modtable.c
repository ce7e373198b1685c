// SPDX-License-Identifier: GPL-2.0-only
/*
 * modtable.c - read a table of the module with its own columns.
 *
 * The text is split in place: newlines and tabs become NULs, and cells point into it. A snapshot is
 * needed twice, once for table sites and once for the wanted table, so a copy of it is appended to
 * the text. A join sorts the names by their key and searches them binarily.
 *
 * Costs: the text (twice for a snapshot), and 8 bytes for each cell.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "modtable.h"

#define KMA_MODTABLE_FILE     "kmem_account "
#define KMA_MODTABLE_SNAPSHOT KMA_MODTABLE_FILE "snapshot "
#define KMA_MODTABLE_SECTION  "\n== "
#define KMA_MODTABLE_END      KMA_MODTABLE_SECTION "end\n"
#define KMA_MODTABLE_PATHS    "# id\tpath"
#define KMA_MODTABLE_STATS_AT "version: 1\n"

/* Position in the text of one table. */
struct kma_modtable_text {
	const char *name;    /* of the input */
	char *line, *next;   /* current line, NULL after the last one; start of the next line */
	unsigned int number; /* number of @next in the input, from 1 */
	struct kma_modtable *table;
};

static struct kma_err *modtable_error(const struct kma_modtable_text *in, const char *what)
{
	return kma_err_create_kind(KMA_ERR_DAMAGED, in->name, in->number, "%s", what);
}

static bool modtable_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Which table is a file that begins with @head? False for a snapshot, which has several tables. */
static bool modtable_of_file(const char *head, size_t len, enum kma_modtable_id *ret)
{
	char text[64], name[64];

	snprintf(text, sizeof(text), "%.*s", (int)(len < 63 ? len : 63), head);
	for (unsigned int id = 0; id < KMA_NR_MODTABLES; id++) {
		snprintf(name, sizeof(name), KMA_MODTABLE_FILE "%s ", kma_modtable_names[id]);
		*ret = id;
		if (id != KMA_MODTABLE_STATS && modtable_begins(text, name))
			return true;
	}
	*ret = KMA_MODTABLE_STATS;
	return modtable_begins(text, KMA_MODTABLE_STATS_AT "events booked: ");
}

bool kma_modtable_is_only(const char *head, size_t len)
{
	enum kma_modtable_id id;

	return modtable_of_file(head, len, &id) && id != KMA_MODTABLE_SITES &&
	       id != KMA_MODTABLE_CACHES && id != KMA_MODTABLE_CGROUPS && id != KMA_MODTABLE_NODES;
}

struct kma_err *kma_modtable_slurp(struct kma_input *input, struct kma_strbuf *ret)
{
	const char *text;
	struct kma_err *err;
	size_t len;

	do {
		err = kma_input_block(input, &text, &len);
		if (err)
			return err;
		if (memchr(text, '\0', len))
			return kma_err_create(kma_input_name(input), 0,
					      "a binary file, not a table of the module");
		kma_strbuf_add(ret, text, len);
	} while (len);
	return NULL;
}

/* The first line of a section, which follows the line "== NAME"; NULL if there is none. */
static char *modtable_section(char *text, enum kma_modtable_id id)
{
	char head[32], *at;

	snprintf(head, sizeof(head), KMA_MODTABLE_SECTION "%s\n", kma_modtable_names[id]);
	at = strstr(text, head);
	return at ? at + strlen(head) : NULL;
}

/* What to do if a snapshot has no such table. The tables that are not here are in each snapshot. */
static const char *const kma_modtable_absent[KMA_NR_MODTABLES] = {
	[KMA_MODTABLE_AGES] = "write 'age on' to /proc/kmem_account, then read the snapshot again",
	[KMA_MODTABLE_LIVE] = "read /sys/kernel/debug/kmem_account/live",
	[KMA_MODTABLE_CGROUPS] =
		"write 'cgroup on' to /proc/kmem_account, then read the snapshot again",
	[KMA_MODTABLE_NODES] =
		"write 'node on' to /proc/kmem_account, then read the snapshot again",
	[KMA_MODTABLE_ERRORS] =
		"write 'errors on' to /proc/kmem_account, then read the snapshot again",
};

/* Find the table in the text, and end it with a NUL. */
static struct kma_err *modtable_find(struct kma_modtable_text *in, char *text,
				     enum kma_modtable_id id)
{
	char *begin = text, *end;

	in->number = 1;
	if (modtable_begins(text, KMA_MODTABLE_SNAPSHOT)) {
		if (!strstr(text, KMA_MODTABLE_END))
			return kma_err_create_kind(KMA_ERR_DAMAGED, in->name, 0,
						   "truncated: no line '== end'");
		begin = modtable_section(text, id);
		if (!begin)
			return kma_err_create_kind(KMA_ERR_NOT_FOUND, in->name, 0,
						   "no table '%s' in this snapshot%s%s",
						   kma_modtable_names[id],
						   kma_modtable_absent[id] ? "; " : "",
						   kma_modtable_absent[id] ?: "");
		for (const char *p = text; p < begin; p++)
			in->number += *p == '\n';
		/* The newline before the next section ends the table's last row. */
		end = strstr(begin - 1, KMA_MODTABLE_SECTION);
		if (end)
			end[1] = '\0';
	}
	in->next = begin;
	return NULL;
}

static struct kma_err *modtable_next(struct kma_modtable_text *in)
{
	char *end;

	in->line = in->next;
	if (!*in->line) {
		in->line = NULL;
		return NULL;
	}
	end = strchr(in->line, '\n');
	if (!end)
		return modtable_error(in, "truncated in a row");
	*end = '\0';
	in->next = end + 1;
	in->number++;
	return NULL;
}

/* Split a line at its tabs. Return the number of cells; more than the maximum is too many. */
static size_t modtable_split(char *line, const char **cells)
{
	size_t nr = 0;

	for (; line && nr < KMA_MODTABLE_COLUMNS; nr++)
		cells[nr] = strsep(&line, "\t");
	return line ? nr + 1 : nr;
}

static struct kma_err *modtable_head(struct kma_modtable_text *in)
{
	struct kma_modtable *table = in->table;
	struct kma_err *err = modtable_next(in);
	char first[48];

	snprintf(first, sizeof(first), KMA_MODTABLE_FILE "%s 1", kma_modtable_names[table->id]);
	if (err)
		return err;
	if (in->line && modtable_begins(in->line, "error: "))
		return kma_err_create(in->name, in->number - 1,
				      "the module could not make this table (%s)", in->line);
	if (!in->line || strcmp(in->line, first))
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, in->name, in->number - 1,
					   "expected '%s'", first);
	err = modtable_next(in);
	if (err)
		return err;
	if (!in->line || !modtable_begins(in->line, "# "))
		return modtable_error(in, "expected '# ' and the names of the columns");
	/* Leave space for two more columns, which joins may append. */
	table->nr_columns = modtable_split(in->line + 2, table->columns);
	return table->nr_columns <= KMA_MODTABLE_COLUMNS - 2 ?
		       NULL :
		       modtable_error(in, "too many columns");
}

static struct kma_err *modtable_row(struct kma_modtable_text *in)
{
	const char *cells[KMA_MODTABLE_COLUMNS + 1];
	size_t nr = modtable_split(in->line, cells);

	in->number--;
	if (nr != in->table->nr_columns)
		return modtable_error(in, "the row has more or fewer columns than the names");
	in->number++;
	kma_modtable_add(in->table, cells);
	return NULL;
}

/* Read the lines "key: value" of table stats. */
static struct kma_err *modtable_stats(struct kma_modtable_text *in)
{
	struct kma_err *err = modtable_next(in);

	in->table->columns[0] = "key";
	in->table->columns[1] = "value";
	in->table->nr_columns = 2;
	for (; !err && in->line; err = err ?: modtable_next(in)) {
		const char *cells[] = { in->line, NULL };
		char *colon = strstr(in->line, ": ");

		if (!colon)
			return modtable_error(in, "expected 'key: value'");
		*colon = '\0';
		cells[1] = colon + 2;
		kma_modtable_add(in->table, cells);
	}
	return err;
}

/* Append a column whose cells are "-". */
static void modtable_widen(struct kma_modtable *table, const char *name)
{
	size_t nr = table->nr_columns;
	const char **cells = kma_xcalloc(table->nr * (nr + 1) + 1, sizeof(*cells));

	for (size_t i = 0; i < table->nr; i++) {
		memcpy(cells + i * (nr + 1), table->cells + i * nr, nr * sizeof(*cells));
		cells[i * (nr + 1) + nr] = "-";
	}
	free(table->cells);
	table->cells = cells;
	table->room = table->nr * (nr + 1);
	table->columns[table->nr_columns++] = name;
}

/* An entry of a table of names: a cell, and the name that it stands for. */
struct kma_modtable_name {
	const char *key, *name;
};

static int modtable_by_key(const void *a, const void *b)
{
	const struct kma_modtable_name *x = a, *y = b;

	return strcmp(x->key, y->key);
}

/* Append a column with the names that the cells of column @by stand for. */
static void modtable_join(struct kma_modtable *table, const char *by, const char *column,
			  struct kma_modtable_name *names, size_t nr)
{
	int key = kma_modtable_column(table, by);

	if (key >= 0)
		modtable_widen(table, column);
	if (nr)
		qsort(names, nr, sizeof(*names), modtable_by_key);
	for (size_t i = 0; i < table->nr && key >= 0; i++) {
		struct kma_modtable_name want = { .key = kma_modtable_cell(table, i, key) }, *found;

		found = bsearch(&want, names, nr, sizeof(*names), modtable_by_key);
		if (found)
			table->cells[(i + 1) * table->nr_columns - 1] = found->name;
	}
}

/* Read the second table of cgroups, ids and paths, and append column path. */
static struct kma_err *modtable_paths(struct kma_modtable_text *in)
{
	_cleanup_free_ struct kma_modtable_name *names = NULL;
	size_t nr = 0, room = 0;
	struct kma_err *err = NULL;

	for (err = modtable_next(in); !err && in->line; err = modtable_next(in)) {
		char *tab = strchr(in->line, '\t');

		if (!tab)
			return modtable_error(in, "expected an id and a path");
		*tab = '\0';
		kma_array_room(names, nr, room);
		names[nr++] = (struct kma_modtable_name){ in->line, tab + 1 };
	}
	if (err)
		return err;
	modtable_join(in->table, "cgroup", "path", names, nr);
	return NULL;
}

static struct kma_err *modtable_rows(struct kma_modtable_text *in)
{
	struct kma_err *err = modtable_head(in);

	if (err)
		return err;
	for (;;) {
		err = modtable_next(in);
		if (err || !in->line)
			return err;
		if (!strcmp(in->line, KMA_MODTABLE_PATHS))
			return modtable_paths(in);
		err = modtable_row(in);
		if (err)
			return err;
	}
}

/* Append the names of call sites. If the rows already have names, check that they agree. */
static struct kma_err *modtable_callers(const char *name, struct kma_modtable *table,
					const struct kma_modtable *sites)
{
	int id = kma_modtable_column(sites, "id"), caller = kma_modtable_column(sites, "caller");
	_cleanup_free_ struct kma_modtable_name *names = kma_xcalloc(sites->nr + 1, sizeof(*names));
	int own_id = kma_modtable_column(table, "id"), own = kma_modtable_column(table, "caller");

	if (id < 0 || caller < 0)
		return kma_err_create(name, 0, "table 'sites' has no column 'id' or 'caller'");
	for (size_t i = 0; i < sites->nr; i++)
		names[i] = (struct kma_modtable_name){ kma_modtable_cell(sites, i, id),
						       kma_modtable_cell(sites, i, caller) };
	if (own < 0) {
		modtable_join(table, "site", "caller", names, sites->nr);
		return NULL;
	}
	qsort(names, sites->nr, sizeof(*names), modtable_by_key);
	for (size_t i = 0; i < table->nr && own_id >= 0 && sites->nr; i++) {
		struct kma_modtable_name want = { .key = kma_modtable_cell(table, i, own_id) },
					 *found;

		found = bsearch(&want, names, sites->nr, sizeof(*names), modtable_by_key);
		if (found && strcmp(found->name, kma_modtable_cell(table, i, own)))
			return kma_err_create(
				name, 0,
				"the files '%s' and 'sites' are not of the same account: call site %s is '%s' in the first and '%s' in the second",
				kma_modtable_names[table->id], want.key,
				kma_modtable_cell(table, i, own), found->name);
	}
	return NULL;
}

/* Read table sites of the same text. */
static struct kma_err *modtable_own_sites(const char *name, char *text, struct kma_modtable *ret)
{
	struct kma_modtable_text in = { .name = name, .table = ret };
	struct kma_err *err;

	ret->id = KMA_MODTABLE_SITES;
	err = modtable_find(&in, text, KMA_MODTABLE_SITES);
	return err ?: modtable_rows(&in);
}

struct kma_err *kma_modtable_parse(const char *name, char *text, enum kma_modtable_id wanted,
				   const struct kma_modtable *sites, struct kma_modtable *ret)
{
	struct kma_modtable_text in = { .name = name, .table = ret };
	bool snapshot = modtable_begins(text, KMA_MODTABLE_SNAPSHOT);
	struct kma_modtable own = { 0 };
	enum kma_modtable_id id = wanted;
	char *copy = NULL;
	struct kma_err *err = NULL;

	*ret = (struct kma_modtable){ .text = text };
	if (!snapshot && !modtable_of_file(text, strlen(text), &id))
		err = kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, name, 1,
			"neither a table nor a snapshot of the module; read /sys/kernel/debug/kmem_account/snapshot");
	else if (snapshot && wanted == KMA_NR_MODTABLES)
		err = kma_err_create_kind(
			KMA_ERR_USAGE, name, 0,
			"a snapshot has several tables; use 'kmem-account table TABLE FILE'");
	else if (wanted != KMA_NR_MODTABLES && id != wanted)
		err = kma_err_create_kind(KMA_ERR_USAGE, name, 1,
					  "the file has table '%s', not '%s'",
					  kma_modtable_names[id], kma_modtable_names[wanted]);
	if (err)
		return err;
	ret->id = id;
	/* Reading a table modifies the text, so table sites is read from a copy after it. */
	if (snapshot && id != KMA_MODTABLE_SITES && id != KMA_MODTABLE_STATS) {
		size_t len = strlen(text) + 1;

		copy = kma_xrealloc(text, 2 * len, 1);
		ret->text = text = copy;
		memcpy(text + len, text, len);
		err = modtable_own_sites(name, text + len, &own);
		sites = &own;
	}
	if (!err)
		err = modtable_find(&in, text, id);
	if (!err)
		err = id == KMA_MODTABLE_STATS ? modtable_stats(&in) : modtable_rows(&in);
	if (!err && sites && id != KMA_MODTABLE_SITES && id != KMA_MODTABLE_STATS)
		err = modtable_callers(name, ret, sites);
	free(own.cells);
	return err;
}
