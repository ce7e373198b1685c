// SPDX-License-Identifier: GPL-2.0-only
/*
 * modtables.c - load a table of the module with its own columns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/load.h"
#include "history/history.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "reader/modtable.h"
#include "modtables.h"

#define KMA_MODTABLES_BESIDE "sites"

static struct kma_err *kma_modtables_of_db(const struct kma_db_ref *ref, char **ret)
{
	struct kma_snapshot snapshot;
	struct kma_account *account = NULL;
	struct kma_err *err = kma_db_load(ref, NULL, &snapshot, &account);
	const char *text = err ? NULL : kma_account_tables(account);

	if (!err && !text)
		err = kma_err_create_kind(
			KMA_ERR_NOT_FOUND, ref->path, 0,
			"this snapshot was saved without the tables of the module; save one of /sys/kernel/debug/kmem_account/snapshot");
	if (!err) {
		*ret = strdup(text);
		err = *ret ? NULL : &kma_enomem;
	}
	kma_account_destroy(account);
	kma_snapshot_deinit(&snapshot);
	return err;
}

static struct kma_err *kma_modtables_text(const char *path, char **ret)
{
	struct kma_strbuf text = { 0 };
	struct kma_input *input;
	struct kma_err *err = kma_input_open(path, &input);

	if (err)
		return err;
	err = kma_modtable_slurp(input, &text);
	kma_input_close(input);
	kma_strbuf_puts(&text, "");
	if (!err && !text.str)
		err = &kma_enomem;
	if (err) {
		kma_strbuf_deinit(&text);
		return err;
	}
	*ret = text.str;
	return NULL;
}

/* Reads the file "sites" in the directory of a file of the module, if both are regular files. */
static struct kma_err *kma_modtables_beside(const char *path, struct kma_modtable *ret)
{
	_cleanup_free_ char *name = NULL;
	const char *slash = strrchr(path, '/');
	struct kma_err *err;
	char *text;

	if (!kma_file_is_regular(path))
		return NULL;
	if (asprintf(&name, "%.*s" KMA_MODTABLES_BESIDE, slash ? (int)(slash + 1 - path) : 0,
		     path) < 0) {
		name = NULL;
		return &kma_enomem;
	}
	if (!kma_file_is_regular(name))
		return NULL;
	err = kma_modtables_text(name, &text);
	return err ?: kma_modtable_parse(name, text, KMA_MODTABLE_SITES, NULL, ret);
}

struct kma_err *kma_modtable_refuse(const char *path)
{
	if (!kma_history_is(path))
		return NULL;
	return kma_err_create_kind(
		KMA_ERR_USAGE, path, 0,
		"a history has no tables of the module; its ages are for 'leaks'");
}

struct kma_err *kma_modtable_load(const struct kma_options *opts, const char *input,
				  struct kma_modtable *ret)
{
	enum kma_modtable_id wanted = opts->has_table ? opts->table : KMA_NR_MODTABLES;
	struct kma_modtable sites = { 0 };
	struct kma_db_ref ref;
	char *text = NULL;
	struct kma_err *err;

	*ret = (struct kma_modtable){ 0 };
	err = kma_db_ref_parse(input, &ref);
	if (!err)
		err = kma_modtable_refuse(ref.path);
	if (!err && kma_db_is_file(ref.path))
		err = kma_modtables_of_db(&ref, &text);
	else if (!err && ref.label)
		err = kma_history_refuse(ref.path) ?:
						     kma_err_create(ref.path, 0,
								    "not a DB file, so it has no snapshot '%s'",
								    ref.label);
	else if (!err)
		err = kma_history_refuse(ref.path) ?: kma_modtables_text(ref.path, &text);
	if (!err && wanted != KMA_MODTABLE_SITES)
		err = kma_modtables_beside(ref.path, &sites);
	if (!err)
		err = kma_modtable_parse(input, text, wanted, sites.nr_columns ? &sites : NULL,
					 ret);
	else
		free(text);
	/* the cells with the names of call sites point into this text */
	if (sites.text) {
		ret->joined = sites.text;
		sites.text = NULL;
	}
	kma_modtable_deinit(&sites);
	kma_db_ref_deinit(&ref);
	return err;
}
