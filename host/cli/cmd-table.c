// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-table.c - kmem-account table: show a table of the module with its own columns, or the changes
 * between two (model/modtable.h).
 *
 * An input is a file of the module, a snapshot, a bundle, or a snapshot in a DB file. If the rows
 * of a file have numbers of call sites, they get the texts from the file "sites" in the same
 * directory, if it exists. The two files may have been read at different moments; the number of a
 * call site stays the same until the account is cleared.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd-table.h"
#include "lib/alloc.h"
#include "lib/choice.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/option.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "lib/unpack.h"
#include "model/diff.h"
#include "model/modtable-diff.h"
#include "open/open.h"
#include "open/refuse.h"
#include "reader/modtable.h"
#include "rows.h"

struct table_args {
	const char *table; /* of report --table and diff --table; NULL: the first argument */
	bool has_table;
	const char *file, *db_file; /* of report; inputs in addition to the arguments */
	struct kma_interval interval;
	unsigned long depth;
	struct kma_text_options text;
	bool quiet;
};

#define KMA_ARGS struct table_args

/* clang-format off */
static const struct kma_option options[] = {
	/* of the spellings "report --table TABLE" and "diff --table TABLE" */
	{ "table", .optional = true, .arg = "TABLE", TO(TEXT, table),
	  .given = AT(has_table) },
	{ "file", 'f', .arg = "INPUT", TO(TEXT, file) },
	{ "db-file", .arg = "FILE[@LABEL]", TO(TEXT, db_file) },
	{ "depth", .arg = "N", TO(COUNT, depth), .min = 1, .max = 64, .unit = "levels" },
	KMA_ROW_SECONDS(interval, "from", from, is, NULL),
	KMA_ROW_SECONDS(interval, "to", to, ends, NULL),
	KMA_ROW_REFUSED("by"),
	KMA_ROW_TOP(text,
		    "show the first N rows, and the number of the others"),
	KMA_ROWS_TEXT(text, NULL),
	KMA_ROWS_END(quiet),
};
/* clang-format on */

static struct kma_err *text_of_db(struct kma_series *series, char **ret)
{
	struct kma_account *account;
	struct kma_err *err = kma_series_next(series, &account);
	const char *text = err ? NULL : kma_account_tables(account);

	if (err)
		return err;
	if (text)
		*ret = kma_xstrdup(text);
	else
		err = kma_err_create_kind(
			KMA_ERR_NOT_FOUND, series->ref.path, 0,
			"this snapshot was saved without the tables of the module; save one of /sys/kernel/debug/kmem_account/snapshot");
	kma_account_destroy(account);
	return err;
}

static struct kma_err *text_of(struct kma_series *series, char **ret)
{
	struct kma_strbuf text = { 0 };
	struct kma_err *err = kma_refuse_tables(series);

	if (err)
		return err;
	if (series->kind == KMA_SERIES_DB)
		return text_of_db(series, ret);
	err = kma_history_refuse(series->ref.path);
	if (err)
		return err;
	if (series->ref.label)
		return kma_refuse_not_db(series);
	err = kma_modtable_slurp(series->input, &text);
	kma_strbuf_puts(&text, "");
	if (err)
		kma_strbuf_deinit(&text);
	*ret = text.str;
	return err;
}

/* Reads the file "sites" in the directory of a file of the module, if both are regular files. */
static struct kma_err *read_sites(const char *path, struct kma_modtable *ret)
{
	_cleanup_close_ struct kma_series *sites = NULL;
	const char *slash = strrchr(path, '/');
	char name[PATH_MAX], *text;
	struct kma_err *err;

	snprintf(name, sizeof(name), "%.*ssites", slash ? (int)(slash + 1 - path) : 0, path);
	if (!kma_file_is_regular(path) || !kma_file_is_regular(name))
		return NULL;
	err = kma_open(name, &sites);
	if (err)
		return err;
	err = text_of(sites, &text);
	if (err)
		return err;
	return kma_modtable_parse(name, text, KMA_MODTABLE_SITES, NULL, ret);
}

/* Reads a table of an input; KMA_NR_MODTABLES: the one that the input is. */
static struct kma_err *read_table(struct kma_series *series, enum kma_modtable_id wanted,
				  struct kma_modtable *ret)
{
	_cleanup_(kma_modtable_deinit) struct kma_modtable sites = { 0 };
	char *text = NULL;
	struct kma_err *err;

	err = text_of(series, &text);
	if (err)
		return err;
	if (wanted != KMA_MODTABLE_SITES)
		err = read_sites(series->ref.path, &sites);
	if (err) {
		free(text);
		return err;
	}
	err = kma_modtable_parse(series->name, text, wanted, sites.nr_columns ? &sites : NULL, ret);
	/* the cells with the names of call sites point into this text */
	ret->joined = sites.text;
	sites.text = NULL;
	return err;
}

/* Leading columns of changes: the names of a row, then its state; the numbers follow. */
enum { COLUMN_STATE = KMA_MODTABLE_KEYS, COLUMNS_LEADING };

static enum kma_cell_kind cell_kind(const struct kma_modtable *table, size_t column)
{
	static const enum kma_cell_kind kinds[] = {
		[KMA_MODTABLE_TEXT] = KMA_CELL_TEXT,
		[KMA_MODTABLE_COUNT] = KMA_CELL_COUNT,
		[KMA_MODTABLE_BYTES] = KMA_CELL_BYTES,
		[KMA_MODTABLE_NS] = KMA_CELL_NS,
	};

	return kinds[kma_modtable_kind(table, column)];
}

static void set_cell(const void *arg, size_t row, size_t column, struct kma_cell *cell)
{
	const struct kma_modtable *table = arg;
	const char *text = kma_modtable_cell(table, row, column);

	if (kma_modtable_kind(table, column) == KMA_MODTABLE_TEXT)
		cell->text = text;
	else
		cell->none = !kma_modtable_number(text, &cell->number);
}

static size_t rows_shown(size_t nr, unsigned long top)
{
	return top && top < nr ? top : nr;
}

/* Writes how many rows --top leaves out. */
static void note_rest(struct kma_doc *doc, size_t nr, size_t shown)
{
	char text[64];

	if (shown == nr)
		return;
	snprintf(text, sizeof(text), "%zu more %s not shown; use --top N", nr - shown,
		 kma_plural(nr - shown, "row is", "rows are"));
	kma_doc_line(doc, text);
}

static void begin_doc(struct kma_doc *doc, const char *format, const struct kma_modtable *table,
		      const struct kma_text_options *opts, struct kma_strbuf *out)
{
	kma_text_begin(opts, format, doc, out);
	kma_doc_text(doc, "table", NULL, kma_modtable_names[table->id]);
}

static void write_table(const struct kma_modtable *table, const struct kma_text_options *opts,
			struct kma_strbuf *out)
{
	struct kma_sheet_column columns[KMA_MODTABLE_COLUMNS] = { 0 };
	struct kma_sheet sheet = {
		.name = "rows",
		.columns = columns,
		.nr_columns = table->nr_columns,
		.cell = set_cell,
		.arg = table,
		.rows = rows_shown(table->nr, opts->top),
	};
	struct kma_doc doc = { 0 };

	for (size_t i = 0; i < table->nr_columns; i++)
		columns[i] = (struct kma_sheet_column){ .name = table->columns[i],
							.title = table->columns[i],
							.kind = cell_kind(table, i) };
	begin_doc(&doc, "kmem-account table", table, opts, out);
	kma_doc_number(&doc, "number_of_rows", NULL, table->nr);
	kma_sheet_write(&sheet, &doc);
	note_rest(&doc, table->nr, sheet.rows);
	kma_doc_end(&doc);
}

/* A sheet of changes: its columns are the names of a row, its state, and the numbers. */
struct changes {
	const struct kma_modtable_diff *diff;
	size_t numbers[KMA_MODTABLE_COLUMNS]; /* columns of the table after */
	size_t nr;
};

static void set_name(const struct kma_modtable_diff *diff, const struct kma_modtable_pair *pair,
		     size_t key, struct kma_cell *cell)
{
	int column = diff->keys[key];

	if (pair->after != KMA_MODTABLE_NONE)
		cell->text = kma_modtable_cell(diff->after, pair->after, column);
	else if (diff->old[column] >= 0)
		cell->text = kma_modtable_cell(diff->before, pair->before, diff->old[column]);
	else
		cell->none = true;
}

static void set_change(const void *arg, size_t row, size_t column, struct kma_cell *cell)
{
	const struct changes *changes = arg;
	const struct kma_modtable_diff *diff = changes->diff;
	const struct kma_modtable_pair *pair = &diff->pairs[row];
	int64_t change;

	if (column < COLUMN_STATE && diff->keys[column] >= 0) {
		set_name(diff, pair, column, cell);
	} else if (column == COLUMN_STATE) {
		cell->text = pair->before == KMA_MODTABLE_NONE ? "new" :
			     pair->after == KMA_MODTABLE_NONE  ? "gone" :
								 "changed";
	} else if (column > COLUMN_STATE) {
		size_t number = changes->numbers[column - COLUMNS_LEADING];

		cell->none = !kma_modtable_diff_change(diff, pair, number, &change);
		cell->number = llabs(change);
		cell->sign = change < 0 ? '-' : change > 0 ? '+' : 0;
	}
}

static void write_changes(const struct kma_modtable_diff *diff, const struct kma_text_options *opts,
			  struct kma_strbuf *out)
{
	struct kma_sheet_column columns[COLUMNS_LEADING + KMA_MODTABLE_COLUMNS] = { 0 };
	struct changes changes = { .diff = diff };
	struct kma_sheet sheet = {
		.name = "rows",
		.columns = columns,
		.cell = set_change,
		.arg = &changes,
		.rows = rows_shown(diff->nr, opts->top),
	};
	const struct kma_modtable *after = diff->after;
	struct kma_doc doc = { 0 };

	for (size_t i = 0; i < KMA_MODTABLE_KEYS; i++)
		if (diff->keys[i] >= 0)
			columns[i].name = columns[i].title = after->columns[diff->keys[i]];
	columns[COLUMN_STATE].name = columns[COLUMN_STATE].title = "state";
	for (size_t i = 0; i < after->nr_columns; i++) {
		struct kma_sheet_column *column = &columns[COLUMNS_LEADING + changes.nr];

		if (kma_modtable_kind(after, i) == KMA_MODTABLE_TEXT)
			continue;
		column->name = column->title = after->columns[i];
		column->kind = cell_kind(after, i);
		changes.numbers[changes.nr++] = i;
	}
	sheet.nr_columns = COLUMNS_LEADING + changes.nr;
	begin_doc(&doc, "kmem-account table diff", after, opts, out);
	kma_doc_number(&doc, "unchanged", "rows without a change", diff->same);
	kma_sheet_write(&sheet, &doc);
	note_rest(&doc, diff->nr, sheet.rows);
	kma_doc_end(&doc);
}

static struct kma_err *show_table(const struct kma_text_options *opts, enum kma_modtable_id wanted,
				  struct kma_series *input)
{
	_cleanup_(kma_modtable_deinit) struct kma_modtable table = { 0 };
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_err *err = read_table(input, wanted, &table);

	if (err)
		return err;
	write_table(&table, opts, &text);
	return kma_outfile_write_as(opts->output,
				    kma_modtable_column(&table, "address") < 0 ?
					    KMA_OUTFILE_USUAL :
					    KMA_OUTFILE_PRIVATE,
				    &text);
}

static struct kma_err *compare_tables(const struct kma_text_options *opts,
				      enum kma_modtable_id wanted,
				      struct kma_series *const inputs[KMA_NR_DIFF_SIDES])
{
	_cleanup_(kma_modtable_deinit) struct kma_modtable before = { 0 };
	_cleanup_(kma_modtable_deinit) struct kma_modtable after = { 0 };
	_cleanup_(kma_modtable_diff_deinit) struct kma_modtable_diff diff = { 0 };
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_err *err;

	err = read_table(inputs[KMA_DIFF_BEFORE], wanted, &before);
	if (err)
		return err;
	err = read_table(inputs[KMA_DIFF_AFTER], wanted, &after);
	if (err)
		return err;
	err = kma_modtable_diff(&before, &after, &diff);
	if (err)
		return err;
	write_changes(&diff, opts, &text);
	return kma_outfile_write(opts->output, &text);
}

int kma_table_show(const struct kma_text_options *opts, enum kma_modtable_id wanted,
		   struct kma_series *const *inputs, size_t nr)
{
	return kma_fail_kind(nr == KMA_NR_DIFF_SIDES ? compare_tables(opts, wanted, inputs) :
						       show_table(opts, wanted, inputs[0]));
}

static const char *table_name(size_t i)
{
	return i < KMA_NR_MODTABLES ? kma_modtable_names[i] : NULL;
}

static struct kma_err *find_table(const char *name, enum kma_modtable_id *ret)
{
	_cleanup_choice_ struct kma_choice choice = { .word = name };

	for (*ret = 0; *ret < KMA_NR_MODTABLES; (*ret)++) {
		if (!strcmp(name, kma_modtable_names[*ret]))
			return NULL;
		kma_choice_add(&choice, kma_modtable_names[*ret],
			       *ret == KMA_NR_MODTABLES - 1 ? " or " : NULL);
	}
	if (!*name)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "table: no table given (%s)",
					   kma_choice_text(&choice));
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "table: unknown table '%s' (%s)", name,
				   kma_choice_text(&choice));
}

/* Opens the inputs. @sides: 1 of report --table, 2 of diff --table; 0: one or two. */
static struct kma_err *open_inputs(const struct table_args *args, char **words, size_t sides,
				   struct kma_series *inputs[KMA_NR_DIFF_SIDES], size_t *ret)
{
	size_t nr = 0, most = sides ?: KMA_NR_DIFF_SIDES;
	const char *names[3 + KMA_NR_DIFF_SIDES];
	struct kma_err *err = NULL;

	if (args->db_file)
		names[nr++] = args->db_file;
	if (args->file)
		names[nr++] = args->file;
	while (*words)
		names[nr++] = *words++;
	if (nr > most)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "table: too many arguments: %s",
					   names[most]);
	/* a history is refused by its reader, which says what it is for */
	if (sides == KMA_NR_DIFF_SIDES && nr < most &&
	    !(nr && kma_open_kind(names[0]) == KMA_SERIES_HISTORY))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"diff --table: needs two inputs, BEFORE and AFTER (--db-file FILE counts as BEFORE)");
	if (nr == KMA_NR_DIFF_SIDES && !strcmp(names[KMA_DIFF_BEFORE], "-") &&
	    !strcmp(names[KMA_DIFF_AFTER], "-"))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "table: only one input can be the standard input");
	if (!nr)
		err = kma_open_own_or_refuse("table", &names[nr++]);
	for (*ret = 0; *ret < nr && !err; ++*ret)
		err = kma_open(names[*ret], &inputs[*ret]);
	return err;
}

/* Refuses what has no effect. The old spellings had some of it, so there it stays without effect. */
static struct kma_err *check(struct table_args *args, size_t sides)
{
	bool depth = args->depth && !sides;
	struct kma_err *err = kma_interval_check("table", &args->interval);

	if (err)
		return err;
	if (depth || (args->interval.is && sides != 1))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "table: %s has no effect on a table",
					   depth ? "--depth" : "--from or --to");
	if (args->text.all && args->text.top && sides != KMA_NR_DIFF_SIDES)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "table: --all cannot be combined with --top");
	return NULL;
}

/* argv[0] is the command as typed: report and diff have an older spelling of this command. */
static int main_table(int argc, char **argv)
{
	size_t nr = 0, sides = !strcmp(argv[0], "report") ? 1 : !strcmp(argv[0], "diff") ? 2 : 0;
	struct kma_series *inputs[KMA_NR_DIFF_SIDES] = { NULL };
	struct table_args args = { 0 };
	enum kma_modtable_id wanted;
	struct kma_err *err;
	char **words;
	int first, code;

	err = kma_option_read(&kma_cmd_table, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	words = argv + first;
	if (!args.has_table)
		args.table = *words ? *words++ : "";
	err = check(&args, sides) ?:
		      find_table(args.table ?: "", &wanted) ?:
		      open_inputs(&args, words, sides, inputs, &nr);
	code = err ? kma_fail_kind(err) : kma_table_show(&args.text, wanted, inputs, nr);
	kma_close(inputs[KMA_DIFF_BEFORE]);
	kma_close(inputs[KMA_DIFF_AFTER]);
	return code;
}

const struct kma_cmd kma_cmd_table = {
	.name = "table",
	.usage = "[OPTION...] TABLE [INPUT [AFTER]]",
	.about = "Show a table of the module with its own columns, or what changed in it.",
	.examples = "  kmem-account table ages\n"
		    "  kmem-account table caches /sys/kernel/debug/kmem_account/snapshot --top 20\n"
		    "  kmem-account table caches before.snapshot after.snapshot\n"
		    "  kmem-account table stats runs.db@monday --format csv\n",
	.options = options,
	.most = 1 + KMA_NR_DIFF_SIDES,
	.word = table_name,
	.main = main_table,
};
