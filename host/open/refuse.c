// SPDX-License-Identifier: GPL-2.0-only
/*
 * refuse.c - the errors about inputs of the wrong kind.
 */

#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "refuse.h"

struct kma_err *kma_refuse_sample(const struct kma_series *series, const char *why)
{
	if (!series->ref.label || !kma_series_has_past(series))
		return NULL;
	return kma_err_create_kind(KMA_ERR_USAGE, series->name, 0,
				   "this is one sample of a history, and %s; use '%s'", why,
				   series->ref.path);
}

struct kma_err *kma_refuse_interval(const struct kma_series *series)
{
	return kma_history_refuse(series->name) ?: kma_refuse_sample(series, KMA_REFUSE_CHOOSES);
}

struct kma_err *kma_refuse_no_past(const struct kma_series *series)
{
	return kma_err_create_kind(KMA_ERR_USAGE, series->name, 0,
				   "not a history; --from and --to need one");
}

struct kma_err *kma_refuse_live(const char *name)
{
	_cleanup_(kma_db_ref_deinit) struct kma_db_ref ref;
	struct kma_err *err = kma_db_ref_parse(name, &ref);

	if (err)
		return err;
	if (!kma_history_is(ref.path) && !(ref.label && kma_history_has(ref.path)))
		return kma_history_refuse(ref.path);
	return kma_err_create_kind(
		KMA_ERR_USAGE, name, 0,
		"a history, whose samples do not change; use an account that changes, such as /sys/kernel/debug/kmem_account/snapshot");
}

struct kma_err *kma_refuse_no_log(const struct kma_series *series)
{
	if (series->kind == KMA_SERIES_HISTORY ||
	    (series->ref.label && kma_series_has_past(series)))
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, series->name, 0,
			"a history, which has no single events; use an event log of 'kmem-account record'");
	if (series->kind == KMA_SERIES_DIR)
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, series->name, 0,
			"a directory; use an event log, a file that 'kmem-account record' writes");
	if (series->ref.label && series->kind != KMA_SERIES_DB)
		return kma_refuse_not_db(series);
	return NULL;
}

struct kma_err *kma_refuse_tables(const struct kma_series *series)
{
	if (series->kind != KMA_SERIES_HISTORY)
		return NULL;
	return kma_err_create_kind(
		KMA_ERR_USAGE, series->ref.path, 0,
		"a history has no tables of the module; its ages are for 'leaks'");
}

struct kma_err *kma_refuse_not_db(const struct kma_series *series)
{
	const char *name = series->input ? kma_input_name(series->input) : series->ref.path;

	if (!series->ref.label)
		return kma_err_create(name, 0, "not a DB file");
	return kma_err_create(name, 0, "not a DB file, so it has no snapshot '%s'",
			      series->ref.label);
}

struct kma_err *kma_refuse_events_of_db(const struct kma_series *series)
{
	return kma_err_create(series->ref.path, 0,
			      "--from and --to are for event logs, not for a DB file");
}

struct kma_err *kma_refuse_events_of_history(const struct kma_series *series)
{
	const char *path = series->ref.path;
	struct kma_err *err = kma_refuse_sample(series, KMA_REFUSE_CHOOSES);

	if (err)
		return err;
	return kma_err_create(
		path, 0, "--from and --to are for event logs; use '%s@TIME' for a history", path);
}

struct kma_err *kma_refuse_tasks(const struct kma_series *series)
{
	return kma_err_create_kind(
		KMA_ERR_NOT_FOUND, series->ref.path, 0,
		"a history has no tasks; --by task needs an event log of 'kmem-account record'");
}

struct kma_err *kma_refuse_no_groups(const char *path, enum kma_grouped by)
{
	const char *name = kma_grouped_names[by];

	return kma_err_create_kind(
		KMA_ERR_NOT_FOUND, path, 0,
		"no %ss in this history; write '%s on' to /proc/kmem_account while kmem-account watch runs",
		name, name);
}

void kma_note_left_out(struct kma_series *series)
{
	const char *name = kma_grouped_names[series->wish.groups];

	kma_notes_add(&series->history->damage, "%s: %zu of %zu samples %s no %ss, and %s left out",
		      series->ref.path, series->left_out, series->walk.taken,
		      kma_plural(series->left_out, "has", "have"), name,
		      kma_plural(series->left_out, "is", "are"));
}

struct kma_err *kma_refuse_rules(const struct kma_series *series)
{
	return kma_err_create_kind(KMA_ERR_USAGE, series->name, 0,
				   "a table of the module; --only and --not select call sites");
}

struct kma_err *kma_refuse_empty_interval(bool has_from)
{
	return kma_err_create_kind(
		KMA_ERR_USAGE, NULL, 0, "%s",
		has_from ? "--to is not after --from" :
			   "--to is a day or more before the newest sample; give --from, too");
}

struct kma_err *kma_refuse_nothing(const char *command)
{
	return kma_err_create_kind(
		KMA_ERR_USAGE, NULL, 0,
		"%s: no account given, and no file of the module can be read here (as root: modprobe kmem_account); name a file, or - for the standard input",
		command);
}
