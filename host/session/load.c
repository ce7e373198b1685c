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
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/notes.h"
#include "lib/option.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/strbuf.h"
#include "lib/units.h"
#include "load.h"
#include "loaded.h"
#include "model/account.h"
#include "model/filter.h"
#include "model/regroup.h"
#include "model/scope.h"
#include "open/refuse.h"
#include "options.h"
#include "reader/memory.h"
#include "save.h"
#include "tree/kbuild.h"
#include "tree/kernel.h"
#include "tree/node.h"
#include "tree/static.h"

/*
 * Add the kernel's own numbers of slab caches to an account by cache.
 *
 * The row "[before]" of a cache is the bytes of its active objects by slabinfo minus the bytes of
 * the account, at least 0. SLUB counts the free objects on the slabs of a CPU as active, so the
 * row is too large by those. With such rows the account has only the metrics live bytes and
 * objects, because nothing else is known of the older objects.
 *
 * A merged cache is one directory of /sys/kernel/slab, and its names are symbolic links to it. So
 * names with the same target are aliases. Lists are short (some hundred caches), and are searched
 * linearly.
 */

#define KMA_CACHES_SLABINFO "/proc/slabinfo"
#define KMA_CACHES_SLAB	    "/sys/kernel/slab"

/* A name of a cache, and the directory in sysfs that all names of the same cache lead to. */
struct kma_alias {
	char *name;
	char *target;
};

struct kma_aliases {
	struct kma_alias *list;
	size_t nr, alloc;
};

static void aliases_deinit(struct kma_aliases *aliases)
{
	for (size_t i = 0; i < aliases->nr; i++) {
		free(aliases->list[i].name);
		free(aliases->list[i].target);
	}
	free(aliases->list);
}

static void add_alias(struct kma_aliases *aliases, const char *name, const char *target)
{
	kma_array_room(aliases->list, aliases->nr, aliases->alloc);
	aliases->list[aliases->nr].name = kma_xstrdup(name);
	aliases->list[aliases->nr++].target = kma_xstrdup(target);
}

/*
 * Reads the symbolic links of /sys/kernel/slab. A cache that cannot be merged is a directory, not a
 * link. If the directory is missing, this is an error only if @must.
 */
static struct kma_err *aliases_read(const char *path, bool must, struct kma_aliases *ret)
{
	_cleanup_dir_ DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir)
		return must ? kma_err_create(path, 0, "cannot open: %s", strerror(errno)) : NULL;
	while ((entry = readdir(dir))) {
		char target[PATH_MAX];
		ssize_t len = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);

		if (len <= 0)
			continue;
		target[len] = '\0';
		add_alias(ret, entry->d_name, target);
	}
	return NULL;
}

static int cmp_alias(const void *a, const void *b)
{
	return strcmp(((const struct kma_alias *)a)->name, ((const struct kma_alias *)b)->name);
}

/* Writes the other names of a cache, "pid, eventpoll_epi"; nothing if it has none. */
static void aliases_of(const struct kma_aliases *aliases, const char *name, struct kma_strbuf *out)
{
	const struct kma_alias *self = NULL;

	for (size_t i = 0; i < aliases->nr && !self; i++)
		if (!strcmp(aliases->list[i].name, name))
			self = &aliases->list[i];
	for (size_t i = 0; i < aliases->nr && self; i++)
		if (&aliases->list[i] != self && !strcmp(aliases->list[i].target, self->target))
			kma_strbuf_printf(out, "%s%s", out->len ? ", " : "", aliases->list[i].name);
}

/* The inputs, and the account that is made. */
struct kma_caches_of {
	struct kma_aliases aliases; /* sorted by name; empty: unknown */
	struct kma_slabinfo slabinfo;
	bool has_slabinfo;
	struct kma_account *to;
};

static void caches_deinit(struct kma_caches_of *of)
{
	kma_slabinfo_deinit(&of->slabinfo);
	aliases_deinit(&of->aliases);
	kma_account_destroy(of->to);
}

static void set_aliases(const struct kma_caches_of *of, const char *cache)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };

	aliases_of(&of->aliases, cache, &names);
	if (names.len)
		kma_account_set_aliases(of->to, names.str);
}

static struct kma_err *caches_sites(const struct kma_caches_of *of, const struct kma_account *from)
{
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	sites = kma_account_sites(from, &nr);
	for (size_t i = 0; i < nr; i++) {
		err = kma_account_copy_site(&sites[i], of->to);
		if (err)
			return err;
		if (sites[i].cache && !sites[i].caches)
			set_aliases(of, sites[i].cache);
	}
	return NULL;
}

/* Sums the sites of a cache. Sites with several caches are left out: their shares are unknown. */
static struct kma_values caches_ours(const struct kma_account *from, const char *cache)
{
	struct kma_values sum = { 0 };
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(from, &nr);
	for (size_t i = 0; i < nr; i++)
		if (sites[i].cache && !sites[i].caches && !strcmp(sites[i].cache, cache))
			kma_values_add(&sum, &sites[i].values);
	return sum;
}

static uint64_t caches_left(uint64_t all, uint64_t ours)
{
	return all > ours ? all - ours : 0;
}

static struct kma_err *caches_before(const struct kma_caches_of *of, const struct kma_account *from)
{
	struct kma_err *err = NULL;

	for (size_t i = 0; i < of->slabinfo.nr && !err; i++) {
		const struct kma_slab *slab = &of->slabinfo.slabs[i];
		struct kma_values ours = caches_ours(from, slab->name);
		struct kma_values before = {
			.objects = caches_left(slab->active, ours.objects),
		};

		before.current = caches_left(slab->active * slab->size, ours.current);
		if (kma_values_is_zero(&before))
			continue;
		err = kma_account_add_site(of->to, KMA_SITE_BEFORE, strlen(KMA_SITE_BEFORE),
					   &before);
		if (err)
			return err;
		kma_account_set_cache(of->to, slab->name, false);
		set_aliases(of, slab->name);
	}
	return NULL;
}

/* Warns of sites with several caches: their bytes are also in the rows "[before]". */
static void caches_mixed(const struct kma_caches_of *of, const struct kma_account *from)
{
	struct kma_values sum = { 0 };
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(from, &nr);
	for (size_t i = 0; i < nr; i++)
		if (sites[i].caches)
			kma_values_add(&sum, &sites[i].values);
	if (!sum.current)
		return;
	kma_account_warn(
		of->to,
		"%" PRIu64
		" bytes of call sites with several slab caches are counted twice: in " KMA_SITE_CACHES
		" and in " KMA_SITE_BEFORE
		"; for exact rows, read /sys/kernel/debug/kmem_account/caches",
		sum.current);
}

static struct kma_err *caches_fill(const struct kma_caches_of *of, const struct kma_account *from)
{
	unsigned int known = 1U << KMA_CURRENT | 1U << KMA_OBJECTS;
	struct kma_err *err;

	kma_account_copy_head(from, of->to);
	/* Only these metrics are known of objects from before the account. */
	if (of->has_slabinfo)
		kma_account_set_metrics(of->to, kma_account_metrics(from) & known);
	err = caches_sites(of, from);
	if (err)
		return err;
	if (of->has_slabinfo) {
		err = caches_before(of, from);
		if (err)
			return err;
		caches_mixed(of, from);
	}
	return kma_account_finish(of->to);
}

static struct kma_err *caches_inputs(const struct kma_load_options *opts, struct kma_caches_of *of)
{
	bool here = opts->account && kma_memory_is_here(opts->account);
	const char *slabinfo = opts->slabinfo, *slab = opts->slab;
	bool part = opts->kinds || opts->stacks.through;
	struct kma_err *err;

	/* If sites were left out of the account, slabinfo minus the account is not "[before]". */
	if (!slabinfo && here && !part && !access(KMA_CACHES_SLABINFO, R_OK))
		slabinfo = KMA_CACHES_SLABINFO;
	if (!slab && here)
		slab = KMA_CACHES_SLAB;
	if (slabinfo) {
		err = kma_slabinfo_read(slabinfo, &of->slabinfo);
		if (err)
			return err;
		of->has_slabinfo = true;
	}
	if (slab) {
		err = aliases_read(slab, opts->slab, &of->aliases);
		if (err)
			return err;
	}
	if (of->aliases.nr)
		qsort(of->aliases.list, of->aliases.nr, sizeof(*of->aliases.list), cmp_alias);
	return NULL;
}

struct kma_err *kma_load_earlier(const struct kma_load_options *opts,
				 const struct kma_account *account, struct kma_account **ret)
{
	_cleanup_(caches_deinit) struct kma_caches_of of = { 0 };
	struct kma_err *err = caches_inputs(opts, &of);

	*ret = NULL;
	if (err || (!of.has_slabinfo && !of.aliases.nr))
		return err;
	of.to = kma_account_create(kma_account_name(account));
	err = caches_fill(&of, account);
	if (err)
		return err;
	*ret = of.to;
	of.to = NULL;
	return NULL;
}

/* Sets the slab memory of the account's machine by its meminfo; 0: there is none to read. */
static struct kma_err *read_slab(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	bool here = opts->account && kma_memory_is_here(opts->account);
	const char *path = opts->meminfo ?: here ? "/proc/meminfo" : NULL;
	struct kma_meminfo meminfo;
	struct kma_err *err;

	if (!path)
		return NULL;
	err = kma_meminfo_read(path, &meminfo);
	if (!err)
		kma_meminfo_get(&meminfo, "Slab", &ret->slab);
	kma_meminfo_deinit(&meminfo);
	return err;
}

/*
 * Makes an account with a row for the slab memory that is not in this one. Only its live bytes are
 * known, so they are the only metric.
 */
static struct kma_err *all_slab(const struct kma_loaded *loaded, struct kma_account **ret)
{
	_cleanup_free_ bool *keep = NULL;
	const struct kma_account *account = loaded->account;
	struct kma_values rest = { 0 };
	const struct kma_site *sites;
	struct kma_err *err;
	uint64_t ours = 0;
	size_t nr;

	if (!loaded->slab)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"--all-slab needs --meminfo FILE, a copy of /proc/meminfo of the account's machine");
	sites = kma_account_sites(account, &nr);
	keep = kma_xcalloc(nr + 1, sizeof(*keep));
	for (size_t i = 0; i < nr; i++) {
		keep[i] = sites[i].kind != KMA_KIND_PAGE && sites[i].kind != KMA_KIND_PERCPU;
		ours += keep[i] ? sites[i].values.current : 0;
	}
	err = kma_account_part(account, keep, ret);
	if (err)
		return err;
	rest.current = caches_left(loaded->slab, ours);
	kma_account_set_metrics(*ret, 1U << KMA_CURRENT);
	kma_account_put_note(*ret, KMA_NOTE_ALL_SLAB, "");
	err = kma_account_add_site(*ret, KMA_SITE_ALL_SLAB, strlen(KMA_SITE_ALL_SLAB), &rest) ?:
		      kma_account_finish(*ret);
	if (err)
		kma_account_destroy(*ret);
	return err;
}

/*
 * Add the static sizes of a built tree to an account, or load them alone.
 */

/* Loads a built tree without an account: makes an account without sites. */
static struct kma_err *static_alone(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	const char *dir = opts->kernel.tree;
	struct kma_err *err;

	ret->attr = KMA_STATIC;
	err = kma_kbuild_create(dir, opts->kernel.vmlinux, &ret->kernel.source);
	if (err)
		return err;
	ret->account = kma_account_create(dir);
	ret->kernel.root = kma_node_create();
	return kma_account_finish(ret->account);
}

static void static_say(const char *name, const struct kma_static_stats *stats)
{
	struct kma_notes notes = { 0 };

	kma_notes_gaps(&notes, name, &stats->gaps, KMA_GAPS_SIZES);
	if (stats->lto)
		kma_notes_add(
			&notes,
			"%s: %zu of %zu objects %s for link-time optimisation; the code is only in vmlinux",
			name, stats->lto, stats->objects, kma_plural(stats->lto, "is", "are"));
	for (const char *note = NULL; (note = kma_notes_next(&notes, note));)
		kma_warn("%s", note);
	kma_notes_deinit(&notes);
}

static struct kma_err *static_join_objects(struct kma_loaded *ret)
{
	struct kma_kernel *kernel = &ret->kernel;
	const struct kma_objects *objects = kernel->source->ops->objects(kernel->source);
	struct kma_static_stats stats;
	struct kma_err *err;

	err = kma_static_join(objects, kernel->root, &stats);
	if (err)
		return err;
	ret->objects = stats.objects;
	/* Add the gaps of the tree, unless kma_kernel_find() has opened the tree and added them. */
	if (!kma_gaps_total(&kernel->gaps))
		kma_gaps_merge(&stats.gaps, kma_objects_gaps(objects));
	kma_gaps_merge(&kernel->gaps, &stats.gaps);
	static_say(kernel->source->name, &stats);
	return NULL;
}

/*
 * Add static sizes to the tree. Even if the tree does not fit the account, its sizes can be
 * shown. Objects that cannot be read are reported.
 */
static struct kma_err *static_load(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	unsigned int dynamic = ret->metrics;
	struct kma_err *err;

	if (!ret->account) {
		err = static_alone(opts, ret);
		if (err)
			return err;
	}
	ret->metrics |= KMA_STATIC_METRICS;
	if (ret->kernel.source && dynamic & 1U << KMA_CURRENT)
		ret->metrics |= 1U << KMA_FOOTPRINT;
	/* The tree did not fit the account, so it has no source yet: its sizes are still shown. */
	if (!ret->kernel.source) {
		err = kma_kbuild_create(opts->kernel.tree, NULL, &ret->kernel.source);
		if (err)
			return err;
	}
	err = static_join_objects(ret);
	if (err)
		return err;
	ret->has_files = true;
	/* The tree has new files, which have no subsystem yet. */
	return kma_kernel_owners(&opts->kernel, &ret->kernel);
}

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
		err = kma_load_earlier(opts, ret->account, &part);
		if (err)
			return err;
		replace(part, ret);
	}
	if (opts->all_slab) {
		err = all_slab(ret, &part);
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
	if (err)
		return err;
	err = from ? kma_option_seconds(opts->command, "--from", from, &ret->from) : NULL;
	if (err)
		return err;
	err = to ? kma_option_seconds(opts->command, "--to", to, &ret->to) : NULL;
	if (err)
		return err;
	if (to && ret->to <= ret->from)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: --to is not after --from",
					   opts->command);
	return NULL;
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
	ret->has_files = kma_source_has_files(ret->kernel.source) ||
			 kma_account_has_paths(ret->account);
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
		if (err)
			return err;
		err = opts->only.nr ? kma_load_only(opts, ret) : NULL;
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
	if (opts->kernel.types && !(loaded->kernel.source && loaded->kernel.source->has_types))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"%s%stypes of objects need --vmlinux FILE with debugging information (DWARF) or BTF of the account's kernel, or a table of kmem-account types (--types FILE, or where types puts it)",
			opts->command ?: "", opts->command ? ": " : "");
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
		err = read_account(opts, ret) ?: read_slab(opts, ret);
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
		err = static_load(opts, ret);
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
