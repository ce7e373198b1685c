// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-db.c - kmem-account db: list, show, add and delete the snapshots of a DB file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "store/db.h"
#include "store/snapshot.h"
#include "input/input.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "model/account.h"
#include "rows.h"
#include "session/load.h"
#include "session/save.h"
#include "snapshot-text.h"

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
	kma_snapshot_list(list, nr, &doc);
	kma_db_list_free(list, nr);
	return kma_outfile_write(args->text.output, &text);
}

static struct kma_err *db_run_show(const struct db_args *args)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_doc doc;
	struct kma_account *account = NULL;
	struct kma_snapshot snapshot = { 0 };
	struct kma_db_ref ref;
	struct kma_err *err;

	err = kma_db_ref_parse(args->words[1], &ref);
	if (!err)
		err = kma_db_load(&ref, NULL, &snapshot, &account);
	if (!err) {
		kma_text_begin(&args->text, "kmem-account db show", &doc, &text);
		kma_snapshot_show(&snapshot, account, &doc);
		err = kma_outfile_write(args->text.output, &text);
	}
	kma_account_destroy(account);
	kma_snapshot_deinit(&snapshot);
	kma_db_ref_deinit(&ref);
	return err;
}

/* Deletes a snapshot that the user named, or tries it. */
static struct kma_err *db_named(const char *name, bool try, struct kma_db_found *found)
{
	struct kma_db_ref ref;
	struct kma_err *err = kma_db_ref_parse(name, &ref);

	if (!err)
		err = kma_db_delete(&ref, try, found);
	kma_db_ref_deinit(&ref);
	return err;
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
	_cleanup_free_ struct kma_db_found *found = calloc(args->nr_words, sizeof(*found));
	struct kma_err *err = found ? NULL : &kma_enomem;
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
	const struct kma_load_options one = { .account = input, .quiet = args->quiet };
	struct kma_loaded loaded = { 0 };
	struct kma_err *err;

	err = kma_load_account(&one, &loaded);
	if (!err)
		err = kma_save_account(args->words[1], &loaded);
	*added += !err;
	kma_unload(&loaded);
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
		char *input;

		if (asprintf(&input, "%s@#%" PRId64, path, list[i].id) < 0) {
			err = &kma_enomem;
			break;
		}
		err = db_import(args, input, added);
		free(input);
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
	struct kma_db_ref ref;
	struct kma_err *err;

	err = kma_db_ref_parse(args->words[1], &ref);
	if (!err && ref.label && args->nr_words > 3)
		err = kma_err_create(
			NULL, 0,
			"db import: %s names one snapshot, so only one INPUT can be imported",
			args->words[1]);
	kma_db_ref_deinit(&ref);
	return err;
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
