// SPDX-License-Identifier: GPL-2.0
/*
 * show.c - commands that read an account and show it.
 */
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "options.h"
#include "session/load.h"
#include "session/loaded.h"
#include "session/options.h"
#include "lib/say.h"
#include "session/snapshot.h"
#include "show.h"

struct kma_err *kma_needs_files(const struct kma_options *opts, const struct kma_loaded *loaded,
				const char *option)
{
	if (!option || loaded->has_files || opts->tree || opts->vmlinux)
		return NULL;
	return kma_err_create(NULL, 0, "%s needs -k DIR or --vmlinux FILE", option);
}

/* Writes "a, b, c". */
static void kma_list_names(const char *const *names, size_t nr, char *ret, size_t size)
{
	size_t len = 0;

	*ret = '\0';
	for (size_t i = 0; i < nr && len < size; i++)
		len += snprintf(ret + len, size - len, "%s%s", i ? ", " : "", names[i]);
}

struct kma_err *kma_by_find(const struct kma_options *opts, enum kma_by *ret)
{
	const char *by = opts->by ?: "dir";
	char names[128];

	for (*ret = 0; *ret < KMA_NR_BY; (*ret)++)
		if (!strcmp(kma_by_names[*ret], by))
			return NULL;
	kma_list_names(kma_by_names, KMA_NR_BY, names, sizeof(names));
	return kma_err_create(NULL, 0, "cannot report by '%s'; there is %s", by, names);
}

struct kma_err *kma_by_suits(const struct kma_cmd *cmd, const struct kma_options *opts,
			     const struct kma_loaded *loaded)
{
	bool can = loaded->has_files || opts->tree || opts->vmlinux;
	char option[32];
	struct kma_err *err;
	enum kma_by by;

	err = kma_by_find(opts, &by);
	if (err)
		return err;
	snprintf(option, sizeof(option), "--by %s", kma_by_names[by]);
	err = kma_needs_files(opts, loaded,
			      opts->by && (KMA_BY_NEEDS_FILES >> by & 1) ? option : NULL);
	if (err)
		return err;
	snprintf(option, sizeof(option), "%s: -b", cmd->name);
	err = kma_needs_files(opts, loaded, opts->branch ? option : NULL);
	if (!err && opts->depth && (by != KMA_BY_DIR || !can))
		err = kma_err_create(NULL, 0, "--depth needs --by dir");
	return err;
}

int kma_cmd_show(const struct kma_cmd *cmd, int argc, char **argv)
{
	struct kma_err *err, *unsaved = NULL;
	int code = KMA_EXIT_DATA, unsaved_code;
	struct kma_options opts;
	struct kma_loaded loaded;

	err = kma_options_parse(cmd, argc, argv, &opts);
	if (!err && opts.help) {
		kma_options_help(cmd);
		return KMA_EXIT_OK;
	}
	if (!err)
		err = cmd->check(cmd, &opts);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = (cmd->load ?: kma_load)(&opts, &loaded);
	/* First, as who reads the output may stop; a pipe cannot be read again, so show it. */
	if (!err && opts.save_db)
		unsaved = kma_save_account(opts.save_db, &loaded);
	if (!err) {
		err = cmd->suits(cmd, &opts, &loaded);
		code = err ? KMA_EXIT_USAGE : KMA_EXIT_DATA;
	}
	if (!err)
		err = cmd->show(cmd, &opts, &loaded);
	kma_unload(&loaded);
	unsaved_code = kma_fail(unsaved, KMA_EXIT_DATA);
	return err ? kma_fail(err, code) : unsaved_code;
}
