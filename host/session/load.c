// SPDX-License-Identifier: GPL-2.0-only
/*
 * load.c - load an account as the options say.
 *
 * The steps of kma_load(), in this order:
 *
 *	1. Read the input. Its content decides what it is: a history (DIR@TIME), a DB file
 *	   (FILE@LABEL), which may also be compressed or come through a pipe, or a file of a reader.
 *	2. Select rows: by groups, by kinds, by stacks; add rows of slab caches. Each of these makes
 *	   a new account. The account as read stays in loaded->whole, since the snapshot to save and
 *	   the groups of a chart are made from it.
 *	3. Find the kernel and build the tree (tree/kernel.h); add static sizes, if requested.
 *	4. Select the branch, save the snapshot, and report options that do not fit the input.
 *
 * While an input is read, Ctrl-C ends the input, not the program; the account then has a warning
 * that it is incomplete.
 */
#include <string.h>

#include "caches.h"
#include "db/load.h"
#include "db/snapshot.h"
#include "input/input.h"
#include "input/progress.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/option.h"
#include "lib/say.h"
#include "load-static.h"
#include "load.h"
#include "model/account.h"
#include "model/filter.h"
#include "model/regroup.h"
#include "past.h"
#include "reader/reader.h"
#include "save.h"
#include "tree/kernel.h"
#include "tree/node.h"

static const char kma_interrupted[] =
	"interrupted; the output covers only the input read before that";

void kma_load_warn(const struct kma_account *account)
{
	const char *warning;

	for (size_t i = 0; (warning = kma_account_warning(account, i)); i++)
		kma_warn("%s: %s", kma_account_name(account), warning);
}

bool kma_load_stopped(const struct kma_input *input)
{
	if (kma_input_stopped())
		kma_warn("%s: %s", kma_input_name(input), kma_interrupted);
	return kma_input_stopped();
}

/* Loads a DB file that SQLite cannot open by name, from a pipe or compressed, by a copy. */
static struct kma_err *kma_load_copy(struct kma_input *input, const struct kma_db_ref *ref,
				     struct kma_loaded *ret)
{
	struct kma_db_ref copy = { .label = ref->label };
	struct kma_err *err;
	const char *path;

	err = kma_input_path(input, &path);
	if (err)
		return err;
	copy.path = (char *)path;
	return kma_db_load(&copy, kma_input_name(input), &ret->snapshot, &ret->account);
}

/* Reads an open input. After decompression it may be a DB file. */
static struct kma_err *kma_load_any(const struct kma_options *opts, const struct kma_db_ref *ref,
				    struct kma_input *input, struct kma_loaded *ret)
{
	struct kma_err *err;
	const char *head;
	size_t len;

	err = kma_input_head(input, &head, &len);
	if (err)
		return err;
	if (kma_db_probe(head, len) && opts->interval.is)
		return kma_err_create(kma_input_name(input), 0,
				      "--from and --to are for event logs, not for a DB file");
	if (kma_db_probe(head, len))
		return kma_load_copy(input, ref, ret);
	if (ref->label)
		return kma_err_create(kma_input_name(input), 0,
				      "not a DB file, so it has no snapshot '%s'", ref->label);
	if (opts->db_file)
		return kma_err_create(kma_input_name(input), 0, "not a DB file");
	return kma_reader_read(input, &ret->account);
}

struct kma_err *kma_load_interval(const struct kma_options *opts, struct kma_interval *ret)
{
	struct kma_err *err = NULL;

	*ret = (struct kma_interval){ 0 };
	ret->is = opts->past_from || opts->past_to;
	if (ret->is && opts->account && !opts->db_file)
		err = kma_past_refuse_sample(opts->account, KMA_PAST_CHOOSES);
	if (!err && opts->past_from)
		err = kma_option_seconds(opts->command, "--from", opts->past_from, &ret->from);
	if (!err && opts->past_to)
		err = kma_option_seconds(opts->command, "--to", opts->past_to, &ret->to);
	if (!err && opts->past_to && ret->to <= ret->from)
		err = kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: --to is not after --from",
					  opts->command);
	return err;
}

/* Returns the kind of groups that the rows or the picture need. */
static enum kma_grouped kma_load_grouped(const struct kma_options *opts)
{
	return opts->groups ?: kma_chart_keys[opts->chart_by].groups;
}

static struct kma_err *kma_load_input(const struct kma_options *opts, const struct kma_db_ref *ref,
				      struct kma_loaded *ret)
{
	struct kma_progress progress;
	struct kma_input *input;
	struct kma_err *err;

	err = kma_input_open(ref->path, &input);
	if (err)
		return err;
	/* Between begin and end, Ctrl-C ends the input, not the program. */
	kma_input_set_interval(input, &opts->interval);
	kma_input_set_tasks(input, opts->groups == KMA_GROUPED_TASK);
	kma_input_set_cgroups(input, kma_load_grouped(opts) == KMA_GROUPED_CGROUP);
	kma_progress_begin(&progress, input, opts->quiet);
	err = kma_load_any(opts, ref, input, ret);
	kma_progress_end(&progress);
	/* As a warning of the account it is also saved in a DB file. */
	if (!err && kma_input_stopped())
		kma_account_warn(ret->account, "%s", kma_interrupted);
	kma_input_close(input);
	return err;
}

/* Replaces the account to show, and keeps the account as it was read. */
static void kma_load_replace(struct kma_account *part, struct kma_loaded *ret)
{
	if (ret->whole)
		kma_account_destroy(ret->account);
	else
		ret->whole = ret->account;
	ret->account = part;
	kma_load_warn(part);
}

static struct kma_err *kma_load_stacks(const struct kma_restack *how, struct kma_loaded *ret)
{
	struct kma_account *part;
	struct kma_err *err;

	if (!how->each && !how->skip && !how->through)
		return NULL;
	err = kma_restack(ret->account, how, &part);
	if (!err)
		kma_load_replace(part, ret);
	return err;
}

static struct kma_err *kma_load_groups(enum kma_grouped by, struct kma_loaded *ret)
{
	struct kma_account *rows;
	struct kma_err *err;

	if (!by)
		return NULL;
	err = kma_regroup(ret->account, by, &rows);
	if (!err && rows)
		kma_load_replace(rows, ret);
	return err;
}

static struct kma_err *kma_load_kinds(unsigned int kinds, struct kma_loaded *ret)
{
	struct kma_account *part;
	struct kma_err *err;

	if (!kinds)
		return NULL;
	err = kma_account_filter(ret->account, kinds, &part);
	if (!err)
		kma_load_replace(part, ret);
	return err;
}

static struct kma_err *kma_load_caches(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_account *more;
	struct kma_err *err;

	err = kma_caches_load(opts, ret->account, &more);
	if (!err && more)
		kma_load_replace(more, ret);
	return err;
}

static struct kma_err *kma_load_past(const struct kma_options *opts, const struct kma_db_ref *ref,
				     struct kma_loaded *ret)
{
	if (opts->interval.is)
		return kma_err_create(
			ref->path, 0,
			"--from and --to are for event logs; use '%s@TIME' for a history",
			ref->path);
	return opts->past_at ? kma_past_load_at(ref->path, opts->past_at, &ret->account) :
			       kma_past_load(ref->path, ref->label, &ret->account);
}

/*
 * Reads what the user named: a sample of a history, a snapshot in a DB file, or any other input.
 * Only a directory, and a bundle of which a time is named, can be a history.
 */
static struct kma_err *kma_load_named(const struct kma_options *opts, const struct kma_db_ref *ref,
				      struct kma_loaded *ret)
{
	bool dir = kma_file_is_dir(ref->path), timed = ref->label || opts->past_at;
	struct kma_err *err;

	if (!opts->db_file && (dir || timed) && kma_history_has(ref->path))
		return kma_load_past(opts, ref, ret);
	if (kma_db_is_file(ref->path) && !opts->interval.is)
		return kma_db_load(ref, NULL, &ret->snapshot, &ret->account);
	err = dir ? kma_history_refuse(ref->path) : NULL;
	return err ?: kma_load_input(opts, ref, ret);
}

/* Says that sums of the attribute that was asked for count some objects several times. */
static void kma_load_overlaps(const struct kma_options *opts, const struct kma_account *account)
{
	if (opts->has_attr && opts->attr == KMA_RETAINED &&
	    kma_load_grouped(opts) != KMA_GROUPED_ROOT &&
	    kma_account_metrics(account) & 1U << KMA_RETAINED)
		kma_warn(
			"%s: what call sites retain overlaps, so sums count some objects several times; use --by root to count each once",
			kma_account_name(account));
}

struct kma_err *kma_load_account(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_db_ref ref;
	struct kma_err *err;

	err = kma_db_ref_parse(opts->db_file ?: opts->account, &ref);
	if (!err)
		err = kma_load_named(opts, &ref, ret);
	kma_db_ref_deinit(&ref);
	if (err)
		return err;
	kma_load_warn(ret->account);
	kma_load_overlaps(opts, ret->account);
	err = kma_load_groups(opts->groups, ret);
	if (!err)
		err = kma_load_kinds(opts->kinds, ret);
	if (!err)
		err = kma_load_stacks(&opts->stacks, ret);
	if (err || !opts->has_by || !(KMA_BY_NEEDS_CACHES >> opts->by & 1))
		return err;
	return kma_load_caches(opts, ret);
}

bool kma_load_leaves_out(struct kma_err *err, size_t of, struct kma_notes *notes)
{
	_cleanup_free_ char *why = NULL;

	if (of == 1 || !(kma_err_is(err, KMA_ERR_DAMAGED) || kma_err_is(err, KMA_ERR_OTHER_FORMAT)))
		return false;
	why = kma_err_text(err);
	kma_notes_add(notes, "%s; this input is left out", why ?: "");
	kma_err_destroy(err);
	return true;
}

struct kma_err *kma_load_none_left(const struct kma_options *opts)
{
	return kma_err_create_kind(KMA_ERR_DAMAGED, NULL, 0,
				   "%s: all inputs are corrupt, truncated, or not accounts",
				   opts->command);
}

/* Sets release and build ID: those of the input if it has them, else those of the kernel. */
static void kma_load_identity(struct kma_loaded *ret)
{
	const struct kma_source *source = ret->kernel.source;

	ret->release = kma_account_note(ret->account, KMA_NOTE_RELEASE);
	if (!ret->release && source)
		ret->release = source->release;
	ret->build_id = kma_account_note(ret->account, KMA_NOTE_BUILD_ID);
	if (!ret->build_id && source)
		ret->build_id = source->build_id;
	ret->release = ret->release ?: "";
	ret->build_id = ret->build_id ?: "";
}

static void kma_load_say(struct kma_notes *notes)
{
	for (const char *note = NULL; (note = kma_notes_next(notes, note));)
		kma_warn("%s", note);
	kma_notes_deinit(notes);
}

struct kma_err *kma_load_places(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_notes notes = { 0 };
	struct kma_err *err;

	err = kma_kernel_find(&opts->kernel, ret->account, &notes, &ret->kernel);
	if (notes.text.len)
		kma_load_say(&notes);
	ret->has_files = ret->kernel.source || kma_account_has_paths(ret->account);
	ret->metrics = kma_account_metrics(ret->account);
	ret->attr = ret->metrics ? __builtin_ctz(ret->metrics) : KMA_CURRENT;
	/* Do this before static sizes are added, which may be those of another kernel. */
	kma_load_identity(ret);
	return err;
}

static struct kma_err *kma_load_branch(const struct kma_options *opts, struct kma_loaded *ret)
{
	if (!ret->release)
		kma_load_identity(ret);
	ret->branch = ret->kernel.root;
	if (!opts->branch || !ret->has_files)
		return NULL;
	return kma_node_find(ret->kernel.root, opts->branch, &ret->branch);
}

/* The same, and builds the tree. */
static struct kma_err *kma_load_tree(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err = kma_load_places(opts, ret);

	return err ?: kma_kernel_tree(&opts->kernel, ret->account, &ret->kernel);
}

struct kma_err *kma_load_kernel(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err = kma_load_tree(opts, ret);

	return err ? err : kma_load_branch(opts, ret);
}

static struct kma_err *kma_load_without(const struct kma_options *opts, const char *what)
{
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s%s%s needs -k DIR or --vmlinux FILE",
				   opts->command ?: "", opts->command ? ": " : "", what);
}

static bool kma_load_has_caches(const struct kma_loaded *loaded)
{
	const struct kma_site *sites;
	size_t nr;

	if (!loaded->account)
		return false;
	sites = kma_account_sites(loaded->account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (sites[i].cache)
			return true;
	return false;
}

struct kma_err *kma_load_suits(const struct kma_options *opts, const struct kma_loaded *loaded)
{
	enum kma_by row = kma_chart_keys[opts->chart_by].row ?: opts->by;
	bool has_by = opts->has_by || kma_chart_keys[opts->chart_by].row;
	char by[32];

	if (has_by && KMA_BY_NEEDS_CACHES >> row & 1 && !kma_load_has_caches(loaded))
		return kma_err_create(
			kma_account_name(loaded->account), 0,
			"no slab caches in this input; read /sys/kernel/debug/kmem_account/sites");
	if (loaded->has_files || opts->kernel.tree || opts->kernel.vmlinux)
		return NULL;
	snprintf(by, sizeof(by), "--by %s", kma_by_names[row]);
	if (has_by && KMA_BY_NEEDS_FILES >> row & 1)
		return kma_load_without(opts, by);
	if (opts->branch)
		return kma_load_without(opts, "-b");
	if (opts->depth && KMA_BY_NEEDS_FILES >> opts->by & 1)
		return kma_load_without(opts, "--depth");
	return NULL;
}

static bool kma_load_wants_static(const struct kma_options *opts, const struct kma_loaded *loaded)
{
	const struct kma_source *source = loaded->kernel.source;

	/* Without an account, only the tree is shown. */
	if (!loaded->account)
		return true;
	if (opts->sizes == KMA_SIZES_IF_THERE && source && source->ops->objects)
		return true;
	return opts->sizes != KMA_SIZES_NEVER && opts->kernel.tree && opts->asks_tree;
}

struct kma_err *kma_load(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err = NULL;

	memset(ret, 0, sizeof(*ret));
	if (opts->account || opts->db_file) {
		err = kma_load_account(opts, ret);
		if (!err)
			err = kma_load_tree(opts, ret);
	}
	if (!err && kma_load_wants_static(opts, ret))
		err = kma_static_load(opts, ret);
	if (!err)
		err = kma_load_branch(opts, ret);
	if (err)
		return err;
	/* Save first: the reader of the output may close the pipe, which ends the program. */
	if (opts->save_db)
		ret->unsaved = kma_fail(kma_save_account(opts->save_db, ret), true);
	return kma_load_suits(opts, ret);
}

void kma_unload(struct kma_loaded *loaded)
{
	kma_kernel_deinit(&loaded->kernel);
	kma_account_destroy(loaded->account);
	kma_account_destroy(loaded->whole);
	kma_snapshot_deinit(&loaded->snapshot);
}
