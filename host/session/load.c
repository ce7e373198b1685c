// SPDX-License-Identifier: GPL-2.0-only
/*
 * load.c - load an account as the options say.
 *
 * The steps of kma_load(), in this order:
 *
 *	1. Read the last account of the input (open/open.h).
 *	2. Select rows: by groups, by kinds, by stacks; add rows of slab caches. Each of these makes
 *	   a new account. The account as read stays in loaded->whole, since the snapshot to save and
 *	   the groups of a chart are made from it.
 *	3. Find the kernel (tree/kernel.h); select call sites by --only and --not, which may need
 *	   their files; build the tree; add static sizes, if requested.
 *	4. Select the branch, save the snapshot, and report options that do not fit the input.
 */
#include <string.h>

#include "caches.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/option.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/units.h"
#include "load-static.h"
#include "load.h"
#include "model/account.h"
#include "model/filter.h"
#include "model/regroup.h"
#include "open/refuse.h"
#include "save.h"
#include "tree/kernel.h"
#include "tree/node.h"

void kma_load_warn(const struct kma_account *account)
{
	const char *warning;

	for (size_t i = 0; (warning = kma_account_warning(account, i)); i++)
		kma_warn("%s: %s", kma_account_name(account), warning);
}

/* Returns the kind of groups that the rows or the picture need. */
static enum kma_grouped grouped(const struct kma_load_options *opts)
{
	return opts->groups ?: kma_keys_groups(&opts->by);
}

/* Replaces the account to show, unless @part is NULL, and keeps the account as it was read. */
static void replace(struct kma_account *part, struct kma_loaded *ret)
{
	if (!part)
		return;
	if (ret->whole)
		kma_account_destroy(ret->account);
	else
		ret->whole = ret->account;
	ret->account = part;
	kma_load_warn(part);
}

struct kma_err *kma_load_select(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	const struct kma_restack *how = &opts->stacks;
	struct kma_account *part = NULL;
	struct kma_err *err;

	kma_load_warn(ret->account);
	if (opts->has_attr && opts->attr == KMA_RETAINED && grouped(opts) != KMA_GROUPED_ROOT &&
	    kma_account_metrics(ret->account) & 1U << KMA_RETAINED)
		kma_warn(
			"%s: what call sites retain overlaps, so sums count some objects several times; use --by root to count each once",
			kma_account_name(ret->account));
	if (opts->groups) {
		err = kma_regroup(ret->account, opts->groups, &part);
		if (err)
			return err;
		replace(part, ret);
	}
	if (opts->kinds) {
		err = kma_account_filter(ret->account, opts->kinds, &part);
		if (err)
			return err;
		replace(part, ret);
	}
	if (how->each || how->skip || how->through) {
		err = kma_restack(ret->account, how, &part);
		if (err)
			return err;
		replace(part, ret);
	}
	if (opts->earlier && kma_keys_have(&opts->by, KMA_KEY_CACHE)) {
		part = NULL;
		err = kma_caches_load(opts, ret->account, &part);
		if (err)
			return err;
		replace(part, ret);
	}
	return NULL;
}

static struct kma_err *read_account(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	_cleanup_close_ struct kma_series *own = NULL;
	struct kma_series *series = opts->input;
	struct kma_err *err;

	if (!series) {
		err = kma_open(opts->db_file ?: opts->account, &own);
		if (err)
			return err;
		series = own;
	}
	series->wish.db = opts->db_file;
	series->wish.quiet = opts->quiet;
	series->wish.page_size = opts->page_size;
	series->wish.events = opts->interval;
	series->wish.tasks = opts->groups == KMA_GROUPED_TASK;
	series->wish.cgroups = grouped(opts) == KMA_GROUPED_CGROUP;
	err = kma_series_next(series, &ret->account);
	if (err)
		return err;
	ret->snapshot = series->snapshot;
	series->snapshot = (struct kma_snapshot){ 0 };
	return NULL;
}

struct kma_err *kma_load_account(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	return read_account(opts, ret) ?: kma_load_select(opts, ret);
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

struct kma_err *kma_load_none_left(const char *command)
{
	return kma_err_create_kind(KMA_ERR_DAMAGED, NULL, 0,
				   "%s: all inputs are corrupt, truncated, or not accounts",
				   command);
}

struct kma_err *kma_load_interval(const struct kma_load_options *opts,
				  const struct kma_series *series, const char *from, const char *to,
				  struct kma_interval *ret)
{
	struct kma_err *err = NULL;

	*ret = (struct kma_interval){ .is = from || to };
	if (ret->is && !opts->db_file && series)
		err = kma_refuse_sample(series, KMA_REFUSE_CHOOSES);
	if (!err && from)
		err = kma_option_seconds(opts->command, "--from", from, &ret->from);
	if (!err && to)
		err = kma_option_seconds(opts->command, "--to", to, &ret->to);
	if (!err && to && ret->to <= ret->from)
		err = kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: --to is not after --from",
					  opts->command);
	return err;
}

/* Sets release and build ID: those of the input if it has them, else those of the kernel. */
static void identify(struct kma_loaded *ret)
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

static void say(struct kma_notes *notes)
{
	for (const char *note = NULL; (note = kma_notes_next(notes, note));)
		kma_warn("%s", note);
	kma_notes_deinit(notes);
}

struct kma_err *kma_load_places(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	struct kma_notes notes = { 0 };
	struct kma_err *err;

	err = kma_kernel_find(&opts->kernel, ret->account, &notes, &ret->kernel);
	if (notes.text.len)
		say(&notes);
	ret->has_files = ret->kernel.source || kma_account_has_paths(ret->account);
	ret->metrics = kma_account_metrics(ret->account);
	ret->attr = ret->metrics ? __builtin_ctz(ret->metrics) : KMA_CURRENT;
	/* Do this before static sizes are added, which may be those of another kernel. */
	identify(ret);
	return err;
}

static struct kma_err *select_branch(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	if (!ret->release)
		identify(ret);
	ret->branch = ret->kernel.root;
	if (!opts->branch || !ret->has_files)
		return NULL;
	return kma_node_find(ret->kernel.root, opts->branch, &ret->branch);
}

struct kma_err *kma_load_over_time(const struct kma_load_options *opts)
{
	if (!kma_only_metrics(&opts->only))
		return NULL;
	return kma_err_create_kind(
		KMA_ERR_USAGE, NULL, 0,
		"%s: a rule by a column needs one account: numbers change over time",
		opts->command);
}

struct kma_err *kma_load_kernel(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	struct kma_kernel_query query = opts->kernel;
	struct kma_err *err = kma_load_places(opts, ret);

	if (err)
		return err;
	query.only = opts->only.nr ? &opts->only : NULL;
	kma_only_text(&opts->only, &ret->only);
	err = kma_kernel_tree(&query, ret->account, &ret->kernel);
	if (err)
		return err;
	if (query.only && !ret->kernel.root->nr_children)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, kma_account_name(ret->account), 0,
					   "no call site of this input is selected by: %s",
					   ret->only.str);
	return select_branch(opts, ret);
}

/* Writes the rules, and what they leave out of an account. */
static void say_only(const struct kma_load_options *opts, const struct kma_account *account,
		     const bool *keep, struct kma_strbuf *out)
{
	const struct kma_site *sites;
	size_t nr, left = 0;
	char bytes[KMA_NUMBER_LEN];
	uint64_t live = 0;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++) {
		left += !keep[i];
		live += keep[i] ? 0 : sites[i].values.current;
	}
	out->len = 0;
	kma_only_text(&opts->only, out);
	kma_strbuf_printf(out, "; %zu other %s, with %s live, %s left out", left,
			  kma_plural(left, "row", "rows"),
			  kma_units_format(bytes, sizeof(bytes), live, KMA_UNIT_BYTES),
			  kma_plural(left, "is", "are"));
}

struct kma_err *kma_load_only(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	_cleanup_free_ bool *keep = NULL;
	struct kma_account *account = ret->account, *part;
	struct kma_kernel *kernel = &ret->kernel;
	struct kma_err *err;
	size_t nr, kept = 0;

	err = kma_load_suits(opts, ret) ?:
		      kma_metric_check(kma_only_metrics(&opts->only), kma_account_metrics(account)) ?:
		      kma_kernel_maintainers(&opts->kernel, kernel);
	if (err)
		return err;
	kma_account_sites(account, &nr);
	keep = kma_only_sites(&opts->only, account, kernel->maintainers);
	for (size_t i = 0; i < nr; i++)
		kept += keep[i];
	if (!kept && nr && !opts->may_miss) {
		kma_only_text(&opts->only, &text);
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, kma_account_name(account), 0,
					   "no call site of this input is selected by: %s",
					   text.str);
	}
	err = kma_account_part(account, keep, &part);
	if (err)
		return err;
	say_only(opts, account, keep, &ret->only);
	replace(part, ret);
	err = kma_account_finish(part);
	return err ?: kma_resolve(part, kernel->source, &kernel->stats);
}

/*
 * Are call sites selected before they are divided into stacks or groups? A rule by a column then means
 * the call site, whatever the rows are. Rules by a group need rows of the group.
 */
static bool selects_first(const struct kma_load_options *opts)
{
	bool stacks = opts->stacks.each && !opts->stacks.skip && !opts->stacks.through;

	return opts->only.nr && (opts->groups || stacks) &&
	       kma_keys_grouped(kma_only_keys(&opts->only)) == KMA_NR_KEYS;
}

/* Finds the kernel, selects call sites by --only and --not, and builds the tree. */
static struct kma_err *load_tree(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err;

	if (ret->selected) {
		err = kma_resolve(ret->account, ret->kernel.source, &ret->kernel.stats);
		ret->metrics = kma_account_metrics(ret->account);
		ret->attr = ret->metrics ? __builtin_ctz(ret->metrics) : KMA_CURRENT;
	} else {
		err = kma_load_places(opts, ret);
		if (!err && opts->only.nr)
			err = kma_load_only(opts, ret);
	}
	return err ?: kma_kernel_tree(&opts->kernel, ret->account, &ret->kernel);
}

static struct kma_err *needs_kernel(const struct kma_load_options *opts, const char *what)
{
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s%s%s needs -k DIR or --vmlinux FILE",
				   opts->command ?: "", opts->command ? ": " : "", what);
}

static bool has_caches(const struct kma_loaded *loaded)
{
	const struct kma_site *sites;
	size_t nr;

	if (!loaded->account)
		return false;
	/* Those that rules leave out count, too. */
	sites = kma_account_sites(loaded->whole ?: loaded->account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (sites[i].cache)
			return true;
	return false;
}

struct kma_err *kma_load_suits(const struct kma_load_options *opts, const struct kma_loaded *loaded)
{
	char by[KMA_KEYS_NAME + 8], name[KMA_KEYS_NAME];
	bool files = false;

	/* A picture without files has call sites in place of directories. */
	for (unsigned int i = 0; i < opts->by.nr && opts->has_by; i++)
		files |= kma_keys[opts->by.list[i]].needs == KMA_KEY_NEEDS_FILES &&
			 !(opts->drawn && opts->by.list[i] == KMA_KEY_DIR);
	if (((opts->has_by && kma_keys_have(&opts->by, KMA_KEY_CACHE)) ||
	     kma_only_keys(&opts->only) >> KMA_KEY_CACHE & 1) &&
	    !has_caches(loaded))
		return kma_err_create(
			kma_account_name(loaded->account), 0,
			"no slab caches in this input; read /sys/kernel/debug/kmem_account/sites");
	if (loaded->has_files || opts->kernel.tree || opts->kernel.vmlinux)
		return NULL;
	snprintf(by, sizeof(by), "--by %s", kma_keys_name(&opts->by, name));
	if (files)
		return needs_kernel(opts, by);
	for (enum kma_key_id id = 0; id < KMA_NR_KEYS; id++) {
		if (!(kma_only_keys(&opts->only) >> id & 1) ||
		    kma_keys[id].needs != KMA_KEY_NEEDS_FILES)
			continue;
		snprintf(by, sizeof(by), "a rule by %s", kma_keys[id].name);
		return needs_kernel(opts, by);
	}
	if (opts->branch)
		return needs_kernel(opts, "-b");
	if (opts->depth && kma_keys_need(&opts->by, KMA_KEY_NEEDS_FILES))
		return needs_kernel(opts, "--depth");
	return NULL;
}

static bool wants_static(const struct kma_load_options *opts, const struct kma_loaded *loaded)
{
	const struct kma_source *source = loaded->kernel.source;

	/* Without an account, only the tree is shown. */
	if (!loaded->account)
		return true;
	/* Rules select call sites. */
	if (opts->only.nr)
		return false;
	if (opts->sizes == KMA_SIZES_IF_THERE && source && source->ops->objects)
		return true;
	return opts->sizes != KMA_SIZES_NEVER && opts->kernel.tree && opts->asks_tree;
}

struct kma_err *kma_load(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err;

	memset(ret, 0, sizeof(*ret));
	if (opts->input || opts->account || opts->db_file) {
		err = read_account(opts, ret);
		if (err)
			return err;
		if (selects_first(opts)) {
			ret->selected = true;
			err = kma_load_places(opts, ret) ?: kma_load_only(opts, ret);
			if (err)
				return err;
		}
		err = kma_load_select(opts, ret) ?: load_tree(opts, ret);
		if (err)
			return err;
	}
	if (wants_static(opts, ret)) {
		err = kma_static_load(opts, ret);
		if (err)
			return err;
	}
	err = select_branch(opts, ret);
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
	kma_strbuf_deinit(&loaded->only);
}
