// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-db.c - kmem-account db: list, show, add and delete the snapshots of a DB file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "input/input.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/escape.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "lib/units.h"
#include "model/account.h"
#include "rows.h"
#include "session/load.h"
#include "session/save.h"
#include "store/db.h"
#include "store/snapshot.h"

/*
 * Write snapshots of DB files as documents. The enum of fields gives the columns
 * of the list, the lines of a single snapshot, and the members of JSON.
 */

enum {
	KMA_FIELD_NUMBER,
	KMA_FIELD_LABEL,
	KMA_FIELD_TIME,
	KMA_FIELD_SAVED,
	KMA_FIELD_KERNEL,
	KMA_FIELD_HOST,
	KMA_FIELD_SITES,
	KMA_FIELD_LIVE,
	KMA_FIELD_BUILD_ID,
	KMA_FIELD_INPUT,
	KMA_NR_FIELDS,
};

/* Columns of the list. There are two for the time, one for programs and one for people. */
static const struct kma_sheet_column snapshot_columns[KMA_NR_FIELDS] = {
	[KMA_FIELD_NUMBER] = { .name = "number", .title = "number", .kind = KMA_CELL_COUNT },
	[KMA_FIELD_LABEL] = { .name = "label", .title = "label", .optional = true },
	[KMA_FIELD_TIME] = { .name = "time", .optional = true },
	[KMA_FIELD_SAVED] = { .title = "saved" },
	[KMA_FIELD_KERNEL] = { .name = "kernel", .title = "kernel", .optional = true },
	[KMA_FIELD_HOST] = { .name = "host", .title = "host", .optional = true },
	[KMA_FIELD_SITES] = { .name = "sites", .title = "sites", .kind = KMA_CELL_COUNT },
	[KMA_FIELD_LIVE] = { .name = "current_dynamic",
			     .title = "live",
			     .kind = KMA_CELL_BYTES,
			     .optional = true },
	[KMA_FIELD_BUILD_ID] = { .name = "build_id", .optional = true },
	[KMA_FIELD_INPUT] = { .name = "input", .optional = true },
};

/* Titles of the lines of a single snapshot. Live bytes are written with the other totals. */
static const char *const snapshot_titles[KMA_NR_FIELDS] = {
	[KMA_FIELD_NUMBER] = "number",	   [KMA_FIELD_LABEL] = "label", [KMA_FIELD_SAVED] = "saved",
	[KMA_FIELD_KERNEL] = "kernel",	   [KMA_FIELD_HOST] = "host",	[KMA_FIELD_SITES] = "sites",
	[KMA_FIELD_BUILD_ID] = "build ID", [KMA_FIELD_INPUT] = "input",
};

/* Sets a cell to a text; an unknown one is empty. */
static void field_text(const char *text, struct kma_cell *ret)
{
	ret->text = text ?: "";
	ret->none = !*ret->text;
}

static void field_time(const struct kma_snapshot *snapshot, const char *format,
		       struct kma_cell *ret)
{
	time_t when = snapshot->time;
	struct tm tm;

	if (!gmtime_r(&when, &tm) || !strftime(ret->scratch, sizeof(ret->scratch), format, &tm))
		*ret->scratch = '\0';
	field_text(ret->scratch, ret);
}

/* Sets a cell of the list; @arg is the array of snapshots. */
static void snapshot_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct kma_snapshot *snapshot = (const struct kma_snapshot *)arg + row;

	switch (column) {
	case KMA_FIELD_NUMBER:
		snprintf(ret->scratch, sizeof(ret->scratch), "#%" PRId64, snapshot->id);
		ret->text = ret->scratch;
		ret->number = snapshot->id;
		break;
	case KMA_FIELD_LABEL:
		field_text(snapshot->label, ret);
		break;
	case KMA_FIELD_TIME:
		field_time(snapshot, "%FT%TZ", ret);
		break;
	case KMA_FIELD_SAVED:
		field_time(snapshot, "%F %T UTC", ret);
		break;
	case KMA_FIELD_KERNEL:
		field_text(snapshot->release, ret);
		break;
	case KMA_FIELD_HOST:
		field_text(snapshot->host, ret);
		break;
	case KMA_FIELD_SITES:
		ret->number = snapshot->sites;
		break;
	case KMA_FIELD_LIVE:
		ret->number = snapshot->live;
		ret->none = !snapshot->has_live;
		ret->text = ret->none ? "" : NULL;
		break;
	case KMA_FIELD_BUILD_ID:
		field_text(snapshot->build_id, ret);
		break;
	case KMA_FIELD_INPUT:
		field_text(snapshot->input, ret);
		break;
	}
}

static struct kma_sheet snapshot_sheet(const struct kma_snapshot *list, size_t nr)
{
	return (struct kma_sheet){ .name = "snapshots",
				   .columns = snapshot_columns,
				   .nr_columns = KMA_NR_FIELDS,
				   .style = KMA_JSON_INLINE,
				   .cell = snapshot_cell,
				   .arg = list,
				   .rows = nr };
}

/* Write a list of snapshots, and end the document. */
static void snapshot_list(const struct kma_snapshot *list, size_t nr, struct kma_doc *doc)
{
	struct kma_sheet sheet = snapshot_sheet(list, nr);

	kma_sheet_write(&sheet, doc);
	kma_doc_end(doc);
}

/* Writes a snapshot for people: origin, totals, uncounted events, other notes of the input. */
static void show_table(const struct kma_snapshot *snapshot, const struct kma_account *account,
		       struct kma_doc *doc)
{
	unsigned int have = kma_account_metrics(account);
	char buf[KMA_NUMBER_LEN];
	const char *key, *value;
	uint64_t events;

	for (size_t i = 0; i < KMA_NR_FIELDS; i++) {
		struct kma_cell cell = { 0 };

		snapshot_cell(snapshot, 0, i, &cell);
		if (snapshot_titles[i] && cell.text && !cell.none)
			kma_doc_text(doc, NULL, snapshot_titles[i], cell.text);
		else if (snapshot_titles[i] && !cell.none)
			kma_doc_number(doc, NULL, snapshot_titles[i], cell.number);
	}
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (!(have & 1U << id))
			continue;
		kma_units_format(buf, sizeof(buf), kma_metrics[id].get(kma_account_total(account)),
				 doc->bytes ? KMA_UNIT_COUNT : kma_metrics[id].unit);
		kma_doc_text(doc, NULL, kma_metrics[id].what, buf);
	}
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			kma_doc_number(doc, NULL, kma_losses[id].title, events);
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++)
		kma_doc_text(doc, NULL, key, value);
	for (size_t i = 0; (value = kma_account_warning(account, i)); i++)
		kma_doc_text(doc, NULL, "warning", value);
}

/* Columns of a single snapshot in csv. Names are those of JSON, with the name of their part. */
static const struct kma_sheet_column show_columns[] = {
	{ .name = "part" },
	{ .name = "name" },
	{ .name = "value" },
};

static void show_row(struct kma_sheet *sheet, const char *part, const char *name, const char *value)
{
	kma_sheet_text(sheet, part);
	kma_sheet_text(sheet, name);
	kma_sheet_text(sheet, value);
}

static void show_number(struct kma_sheet *sheet, const char *part, const char *name,
			uint64_t number)
{
	char text[KMA_NUMBER_LEN];

	kma_u64_format(text, number);
	show_row(sheet, part, name, text);
}

static void show_csv_fields(const struct kma_snapshot *snapshot, struct kma_sheet *sheet)
{
	for (size_t i = 0; i < KMA_NR_FIELDS; i++) {
		const struct kma_sheet_column *column = &snapshot_columns[i];
		struct kma_cell cell = { 0 };

		snapshot_cell(snapshot, 0, i, &cell);
		if (!column->name || cell.none || i == KMA_FIELD_LIVE)
			continue;
		if (column->kind == KMA_CELL_TEXT)
			show_row(sheet, "snapshot", column->name, cell.text);
		else
			show_number(sheet, "snapshot", column->name, cell.number);
	}
}

static void show_csv(const struct kma_snapshot *snapshot, const struct kma_account *account,
		     struct kma_doc *doc)
{
	const struct kma_values *total = kma_account_total(account);
	unsigned int have = kma_account_metrics(account);
	const char *key, *value;
	struct kma_sheet sheet;
	uint64_t events;

	kma_sheet_init(&sheet, NULL, NULL, show_columns, ARRAY_SIZE(show_columns));
	show_csv_fields(snapshot, &sheet);
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (have & 1U << id)
			show_number(&sheet, "total", kma_metrics[id].name,
				    kma_metrics[id].get(total));
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			show_number(&sheet, "not_counted", kma_losses[id].name, events);
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++)
		show_row(&sheet, "notes", key, value);
	for (size_t i = 0; (value = kma_account_warning(account, i)); i++)
		show_row(&sheet, "warnings", "", value);
	kma_sheet_write(&sheet, doc);
	kma_sheet_deinit(&sheet);
}

static void show_json(const struct kma_snapshot *snapshot, const struct kma_account *account,
		      struct kma_doc *doc)
{
	const struct kma_sheet sheet = snapshot_sheet(snapshot, 1);
	const struct kma_values *total = kma_account_total(account);
	unsigned int have = kma_account_metrics(account);
	struct kma_json *json = &doc->json;
	const char *key, *value;
	uint64_t events;

	kma_sheet_object(&sheet, 0, "snapshot", doc);
	kma_json_begin(json, "total", '{', KMA_JSON_INLINE);
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (have & 1U << id)
			kma_json_number(json, kma_metrics[id].name, kma_metrics[id].get(total));
	kma_json_end(json);
	kma_json_begin(json, "not_counted", '{', KMA_JSON_INLINE);
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events))
			kma_json_number(json, kma_losses[id].name, events);
	kma_json_end(json);
	kma_json_begin(json, "notes", '{', KMA_JSON_INLINE);
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++)
		kma_json_text(json, key, value);
	kma_json_end(json);
	kma_json_begin(json, "warnings", '[', KMA_JSON_INLINE);
	for (size_t i = 0; (value = kma_account_warning(account, i)); i++)
		kma_json_text(json, NULL, value);
	kma_json_end(json);
}

/* Write all data of one snapshot except its call sites, and end the document. */
static void snapshot_show(const struct kma_snapshot *snapshot, const struct kma_account *account,
			  struct kma_doc *doc)
{
	static void (*const shows[KMA_NR_FORMATS])(const struct kma_snapshot *snapshot,
						   const struct kma_account *account,
						   struct kma_doc *doc) = {
		[KMA_FORMAT_TABLE] = show_table,
		[KMA_FORMAT_CSV] = show_csv,
		[KMA_FORMAT_JSON] = show_json,
	};

	shows[doc->format](snapshot, account, doc);
	kma_doc_end(doc);
}

struct db_args {
	char *const *words; /* the arguments: the verb, the file, ... */
	unsigned int nr_words;
	struct kma_text_options text;
	bool quiet;
};

static struct kma_err *db_run_list(const struct db_args *args)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_doc doc;
	struct kma_snapshot *list = NULL;
	struct kma_err *err;
	size_t nr = 0;

	err = kma_db_list(args->words[1], &list, &nr);
	if (err)
		return err;
	kma_text_begin(&args->text, "kmem-account db list", &doc, &text);
	snapshot_list(list, nr, &doc);
	kma_db_list_free(list, nr);
	return kma_outfile_write(args->text.output, &text);
}

static struct kma_err *db_run_show(const struct db_args *args)
{
	_cleanup_(kma_snapshot_deinit) struct kma_snapshot snapshot = { 0 };
	_cleanup_(kma_db_ref_deinit) struct kma_db_ref ref;
	_cleanup_account_ struct kma_account *account = NULL;
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_doc doc;
	struct kma_err *err;

	err = kma_db_ref_parse(args->words[1], &ref) ?:
						       kma_db_load(&ref, NULL, &snapshot, &account);
	if (err)
		return err;
	kma_text_begin(&args->text, "kmem-account db show", &doc, &text);
	snapshot_show(&snapshot, account, &doc);
	return kma_outfile_write(args->text.output, &text);
}

/* Deletes a snapshot that the user named, or tries it. */
static struct kma_err *db_named(const char *name, bool try, struct kma_db_found *found)
{
	_cleanup_(kma_db_ref_deinit) struct kma_db_ref ref;

	return kma_db_ref_parse(name, &ref) ?: kma_db_delete(&ref, try, found);
}

/* Does an earlier name mean the same snapshot as the one with index @i? */
static bool db_is_repeated(const struct kma_db_found *found, size_t i)
{
	for (size_t n = 0; n < i; n++)
		if (found[n].dev == found[i].dev && found[n].ino == found[i].ino &&
		    found[n].id == found[i].id)
			return true;
	return false;
}

/* A wrong name, or a file that cannot be written, deletes nothing: all are tried first. */
static struct kma_err *db_run_delete(const struct db_args *args)
{
	_cleanup_free_ struct kma_db_found *found = kma_xcalloc(args->nr_words, sizeof(*found));
	struct kma_err *err = NULL;
	char *const *names = args->words + 1;
	size_t nr = args->nr_words - 1, deleted = 0;

	for (size_t i = 0; i < nr && !err; i++)
		err = db_named(names[i], true, &found[i]);
	for (size_t i = 0; i < nr && !err; i++) {
		if (db_is_repeated(found, i))
			continue;
		err = db_named(names[i], false, &found[i]);
		deleted += !err;
	}
	if (err && deleted)
		kma_warn("db delete: %zu %s deleted before the error that follows", deleted,
			 kma_plural(deleted, "snapshot was", "snapshots were"));
	return err;
}

/* Adds one input, and 1 to the number of snapshots that were added. */
static struct kma_err *db_import(const struct db_args *args, const char *input, size_t *added)
{
	_cleanup_(kma_unload) struct kma_loaded loaded = { 0 };
	const struct kma_load_options one = { .account = input, .quiet = args->quiet };
	struct kma_err *err;

	err = kma_load_account(&one, &loaded) ?: kma_save_account(args->words[1], &loaded);
	*added += !err;
	return err;
}

/* Adds all snapshots of another DB file, in the order of their numbers. */
static struct kma_err *db_import_all(const struct db_args *args, const char *path, size_t *added)
{
	struct kma_snapshot *list = NULL;
	struct kma_err *err;
	size_t nr = 0;

	err = kma_db_list(path, &list, &nr);
	for (size_t i = 0; i < nr && !err; i++) {
		_cleanup_free_ char *input = kma_xasprintf("%s@#%" PRId64, path, list[i].id);

		err = db_import(args, input, added);
	}
	kma_db_list_free(list, nr);
	return err;
}

static struct kma_err *db_run_import(const struct db_args *args)
{
	struct kma_err *err = NULL;
	size_t added = 0;

	/* After Ctrl-C has ended one input, do not read the others. */
	for (unsigned int i = 2; i < args->nr_words && !err && !kma_input_stopped(); i++)
		err = kma_db_is_file(args->words[i]) ? db_import_all(args, args->words[i], &added) :
						       db_import(args, args->words[i], &added);
	if (err && added)
		kma_warn("db import: %zu %s added to %s before the error that follows", added,
			 kma_plural(added, "snapshot was", "snapshots were"), args->words[1]);
	return err;
}

static const struct kma_db_verb {
	const char *name;
	unsigned int min, max; /* number of arguments, with the verb */
	const char *usage;
	struct kma_err *(*run)(const struct db_args *args);
} kma_db_verbs[] = {
	{ "list", 2, 2, "db list FILE", db_run_list },
	{ "show", 2, 2, "db show FILE[@LABEL]", db_run_show },
	{ "delete", 2, KMA_MAX_ARGS, "db delete FILE@LABEL...", db_run_delete },
	{ "import", 3, KMA_MAX_ARGS, "db import FILE[@LABEL] INPUT...", db_run_import },
};

/* Refuses a label for several inputs: labels are unique, so the second input could not be added. */
static struct kma_err *db_one_label(const struct db_args *args)
{
	_cleanup_(kma_db_ref_deinit) struct kma_db_ref ref;
	struct kma_err *err;

	err = kma_db_ref_parse(args->words[1], &ref);
	if (err || !ref.label || args->nr_words <= 3)
		return err;
	return kma_err_create(NULL, 0,
			      "db import: %s names one snapshot, so only one INPUT can be imported",
			      args->words[1]);
}

static struct kma_err *db_plan(const struct db_args *args, const struct kma_db_verb **ret)
{
	const char *name = args->nr_words ? args->words[0] : "";

	*ret = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kma_db_verbs); i++) {
		const struct kma_db_verb *verb = &kma_db_verbs[i];

		if (strcmp(verb->name, name))
			continue;
		if (args->nr_words < verb->min || args->nr_words > verb->max)
			return kma_err_create(NULL, 0,
					      "wrong number of arguments (usage: kmem-account %s)",
					      verb->usage);
		*ret = verb;
		return verb->run == db_run_import ? db_one_label(args) : NULL;
	}
	if (!*name)
		return kma_err_create(
			NULL, 0, "db: no action given (expected list, show, delete or import)");
	return kma_err_create(
		NULL, 0, "db: unknown action '%s' (expected list, show, delete or import)", name);
}

static const char *db_word(size_t i)
{
	return i < ARRAY_SIZE(kma_db_verbs) ? kma_db_verbs[i].name : NULL;
}

#define KMA_ARGS struct db_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_ROWS_TEXT(text, NULL),
	KMA_ROW_QUIET(quiet, "a large input is read"),
	KMA_OPTION_END
};
/* clang-format on */

static int main_db(int argc, char **argv)
{
	const struct kma_db_verb *verb;
	struct db_args args = { 0 };
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_db, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.words = argv + first;
	args.nr_words = argc - first;
	err = db_plan(&args, &verb);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	return kma_fail(verb->run(&args), KMA_EXIT_DATA);
}

const struct kma_cmd kma_cmd_db = {
	.name = "db",
	.usage = "[OPTION...] list|show|delete|import FILE[@LABEL] [INPUT...]",
	.about = "Keep accounts in a DB file: list, show, delete, import.",
	.examples = "  kmem-account report trace.log --save-db kmem.db@before\n"
		    "  kmem-account db list kmem.db\n"
		    "  kmem-account db show kmem.db@before\n"
		    "  kmem-account db delete kmem.db@before 'kmem.db@#3'\n"
		    "  kmem-account db import kmem.db@boot /proc/kmem_account\n"
		    "  kmem-account db import all.db kmem.db trace.dat\n",
	.options = options,
	.most = KMA_MAX_ARGS,
	.word = db_word,
	.main = main_db,
};
