// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-export.c - kmem-account export: write an account in a format of other tools (export.h).
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "export/export.h"
#include "lib/choice.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/strbuf.h"
#include "lib/unpack.h"
#include "model/account.h"
#include "model/regroup.h"
#include "model/restack.h"
#include "model/stacks.h"
#include "open/open.h"
#include "rows.h"
#include "session/load.h"
#include "session/loaded.h"
#include "session/options.h"
#include "session/sizes.h"
#include "tree/footprint.h"

/* Adds a symbol as a call site at its first byte, a text that the account can parse. */
static struct kma_err *sizes_add(void *arg, const struct kma_footprint_part *part)
{
	_cleanup_strbuf_ struct kma_strbuf site = { 0 };
	struct kma_account *account = arg;
	struct kma_values values = { 0 };
	struct kma_err *err;

	kma_metrics[part->kind].set(&values, part->bytes);
	kma_strbuf_printf(&site, "%s+0x0/0x%" PRIx64, part->name, part->bytes);
	if (part->module)
		kma_strbuf_printf(&site, " [%s]", part->module);
	err = kma_account_add_site(account, site.str, site.len, &values);
	if (err)
		return err;
	kma_account_set_place(account, KMA_KIND_UNKNOWN, part->file);
	return NULL;
}

static struct kma_err *sizes_fill(const struct kma_sizes *sizes, struct kma_account *account)
{
	const struct kma_footprint fp = {
		.st = sizes->st,
		.by = &kma_footprint_bys[KMA_FOOTPRINT_SYMBOL],
	};
	struct kma_err *err = NULL;

	kma_account_set_metrics(account, KMA_STATIC_METRICS);
	if (*sizes->release)
		kma_account_put_note(account, KMA_NOTE_RELEASE, sizes->release);
	err = kma_footprint_each(&fp, sizes_add, account);
	return err ?: kma_account_finish(account);
}

/*
 * Loads the static sizes of a kernel as an account, for formats that are made of accounts. Each site
 * is a symbol with its source file and module; the sum of the sites is that of kma_sizes_load().
 */
static struct kma_err *sizes_account(const char *name, struct kma_loaded *ret)
{
	_cleanup_(kma_sizes_deinit) struct kma_sizes sizes = { 0 };
	const struct kma_sizes_options one = { .trees = true, .key = KMA_FOOTPRINT_SYMBOL };
	struct kma_err *err;

	*ret = (struct kma_loaded){ .build_id = "", .attr = KMA_STATIC };
	err = kma_sizes_load(&one, name, false, &sizes);
	if (err)
		return err;
	ret->account = kma_account_create(name);
	err = sizes_fill(&sizes, ret->account);
	if (err)
		return err;
	ret->metrics = kma_account_metrics(ret->account);
	ret->release = kma_account_note(ret->account, KMA_NOTE_RELEASE) ?: "";
	return NULL;
}

struct export_args {
	struct kma_load_options load;
	const char *output;
	unsigned int roots; /* index in roots_names; valid with has_roots */
	bool has_roots;
	bool keep_wrappers; /* show wrappers of allocators, too */
	unsigned long top;
};

#define KMA_ARGS struct export_args

/* What --roots adds to the keys, by its index. */
static const char *const roots_names[] = { "dir", "module", "none" };
static const enum kma_key_id roots_keys[] = { KMA_KEY_DIR, KMA_KEY_MODULE, KMA_KEY_STACK };

/* clang-format off */
static const struct kma_option options[] = {
	KMA_OPTION_HEADING("Input"),
	KMA_ROWS_SECONDS(load.interval),
	KMA_OPTION_HEADING("Kernel"),
	KMA_ROWS_KERNEL_OWNERS(load.kernel),
	KMA_OPTION_HEADING("Call sites"),
	KMA_ROWS_SITES(load),
	KMA_OPTION_HEADING("Output"),
	KMA_ROW_METRIC(load, "folded: write current_dynamic (default), requested, waste, objects,\n"
			     "allocs or frees"),
	{ "by", .arg = "KEY", OWN(keys, load.by), KMA_OPTION_NAMES(kma_keys),
	  .given = AT(load.has_by), .min = KMA_KEYS_IN_ROWS,
	  .help = "folded, speedscope: frames above the functions by any keys of report,\n"
		  "outermost first, as cgroup,cache; pprof: a label for each key;\n"
		  "prometheus, openmetrics: series of each cgroup or node" },
	{ "roots", .arg = "WHAT", TO_NAME(roots, roots_names), .given = AT(has_roots),
	  .help = "folded, speedscope: frames below those of --by: dir (default unless\n"
		  "--by has a place in the code: directories and file), module or none;\n"
		  "with none, show whole stacks if the account has stacks" },
	{ "keep-wrappers", TO(FLAG, keep_wrappers),
	  .help = "pprof, folded, speedscope: show kzalloc() and related functions, too" },
	{ "top", .arg = "N", TO(COUNT, top), .min = 1, .max = 1000000, .unit = "sites",
	  .help = "prometheus, openmetrics: write series for each of the N largest call\n"
		  "sites, and for all others together (default 50)" },
	KMA_ROW_OUTPUT(output),
	KMA_OPTION_HEADING("More"),
	KMA_ROWS_END(load.quiet),
};
/* clang-format on */

static const struct kma_export_format *const export_formats[] = {
	&kma_export_pprof,	&kma_export_folded,	 &kma_export_speedscope,
	&kma_export_prometheus, &kma_export_openmetrics,
};

static const struct kma_export_format *export_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(export_formats); i++)
		if (!strcmp(export_formats[i]->name, name))
			return export_formats[i];
	return NULL;
}

static struct kma_err *export_no_format(const char *name)
{
	_cleanup_choice_ struct kma_choice choice = { .word = name };

	for (size_t i = 0; i < ARRAY_SIZE(export_formats); i++)
		kma_choice_add(&choice, export_formats[i]->name,
			       i + 1 == ARRAY_SIZE(export_formats) ? " or " : NULL);
	if (!name)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "export: no format given (%s)",
					   kma_choice_text(&choice));
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "export: unknown format '%s' (%s)", name,
				   kma_choice_text(&choice));
}

static const char export_no_terminal[] =
	"export: refusing to write a binary file to a terminal; use -O FILE";

/* Keys whose groups can have series. Each call site has series anyway. */
#define SERIES_KEYS (1U << KMA_KEY_CALLER | 1U << KMA_KEY_CGROUP | 1U << KMA_KEY_NODE)

/* @nr: arguments. Refuse options that the format ignores: silence would suggest that they have an effect. */
static struct kma_err *export_suits(const struct export_args *args,
				    const struct kma_export_format *format, int nr)
{
	const struct {
		bool given, taken;
		const char *name;
	} some[] = {
		{ args->load.has_attr, format->one_metric, "-a" },
		{ args->has_roots, format->roots, "--roots" },
		{ args->keep_wrappers, format->stacks, "--keep-wrappers" },
		{ args->top, format->series, "--top" },
	};

	enum kma_key_id ruled = kma_keys_grouped(kma_only_keys(&args->load.only));

	for (size_t i = 0; i < ARRAY_SIZE(some); i++)
		if (some[i].given && !some[i].taken)
			return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
						   "export: %s has no effect on format %s",
						   some[i].name, format->name);
	if (format->series && kma_keys_set(&args->load.by) & ~SERIES_KEYS)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"export: format %s has series of directories, modules and call sites; --by adds those of cgroup or node",
			format->name);
	if (format->series && ruled != KMA_NR_KEYS)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "export: format %s cannot select by %s", format->name,
					   kma_keys[ruled].name);
	if (args->has_roots && args->load.by.nr == KMA_KEYS_MAX)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"export: --roots adds a key, and --by has as many as possible");
	if (nr > 2 && !format->compares)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "export: format %s takes one account, not two",
					   format->name);
	if (format->binary && !args->output && isatty(STDOUT_FILENO))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s", export_no_terminal);
	return NULL;
}

/* Loads static sizes. Refuses options that only apply to accounts. */
static struct kma_err *export_static(const struct export_args *args,
				     const struct kma_export_format *format, const char *name,
				     struct kma_loaded *ret)
{
	const struct {
		bool given;
		const char *option;
	} some[] = {
		{ args->load.has_by, "--by" },
		{ args->load.kinds, "--malloc, --cache, --pages and --percpu" },
		{ args->load.only.nr, "--only and --not" },
		{ args->load.kernel.tree, "-k" },
		{ args->load.kernel.vmlinux, "--vmlinux" },
		{ args->load.interval.is, "--from and --to" },
	};

	if (format->series)
		return kma_err_create_kind(
			KMA_ERR_USAGE, name, 0,
			"a kernel, not an account; format %s has no static sizes; use pprof, folded or speedscope",
			format->name);
	for (size_t i = 0; i < ARRAY_SIZE(some); i++)
		if (some[i].given)
			return kma_err_create_kind(
				KMA_ERR_USAGE, name, 0,
				"a kernel, not an account; static sizes cannot be combined with %s",
				some[i].option);
	return sizes_account(name, ret);
}

/* Refuse keys that the account lacks. */
static struct kma_err *export_keys(const struct export_args *args, const struct kma_loaded *loaded)
{
	const struct kma_stacks *stacks = kma_account_stacks(loaded->account);

	if (kma_keys_have(&args->load.by, KMA_KEY_STACK) &&
	    !(stacks && kma_stacks_have_frames(stacks)))
		return kma_restack_none(kma_account_name(loaded->account));
	return NULL;
}

/*
 * Loads an account. For metrics, groups stay next to the account, as they have families of their
 * own; other formats have rows by group.
 */
static struct kma_err *export_load(const struct export_args *args,
				   const struct kma_export_format *format, const char *name,
				   bool several, struct kma_loaded *ret)
{
	_cleanup_close_ struct kma_series *series = NULL;
	struct kma_account *sites;
	struct kma_load_options one = args->load;
	struct kma_err *err;

	err = kma_open(name, &series);
	if (err)
		return err;
	/* a built tree, a kernel package or a vmlinux, whose static sizes are exported */
	if (series->kind == KMA_SERIES_DIR || series->kind == KMA_SERIES_ELF)
		return export_static(args, format, name, ret);
	one.account = name;
	one.input = series;
	if (format->series)
		one.groups = KMA_GROUPED_NOT;
	one.may_miss = several;
	err = kma_load(&one, ret) ?: export_keys(args, ret);
	if (err || !one.groups || kma_keys_groups(&args->load.by))
		return err;
	/* A rule needed rows of groups, which are not shown. */
	err = kma_ungroup(ret->account, &sites);
	if (err || !sites)
		return err;
	kma_account_destroy(ret->whole);
	ret->whole = ret->account;
	ret->account = sites;
	return kma_resolve(sites, ret->kernel.source, &ret->kernel.stats);
}

/*
 * The keys of the frames: those of --by, then that of --roots. Keys that are no place in the code have
 * directories below them.
 */
static struct kma_keys export_frames(const struct export_args *args)
{
	const unsigned int places = 1U << KMA_KEY_DIR | 1U << KMA_KEY_FILE | 1U << KMA_KEY_LINE |
				    1U << KMA_KEY_FUNCTION | 1U << KMA_KEY_STACK;
	struct kma_keys keys = args->load.by;
	enum kma_key_id root = roots_keys[args->roots];

	if (keys.nr < KMA_KEYS_MAX && !kma_keys_have(&keys, root) &&
	    (args->has_roots || !(kma_keys_set(&keys) & places)))
		keys.list[keys.nr++] = root;
	return keys;
}

static struct kma_err *export_metric(const struct export_args *args,
				     const struct kma_loaded *before,
				     const struct kma_loaded *after, struct kma_export *export)
{
	unsigned int have = after->metrics & (before->account ? before->metrics : ~0U);

	export->metric = args->load.has_attr ? args->load.attr : after->attr;
	/* nothing in the output says what its numbers are */
	if (!args->load.has_attr && !(after->metrics & (1U << KMA_CURRENT | KMA_STATIC_METRICS)))
		kma_warn("%s: no live bytes in this input; the numbers are %s (-a %s)",
			 kma_account_name(after->account), kma_metrics[export->metric].what,
			 kma_metrics[export->metric].name);
	return kma_metric_check(1U << export->metric, have);
}

static struct kma_err *export_write(const struct export_args *args,
				    const struct kma_export_format *format,
				    const struct kma_loaded *before, const struct kma_loaded *after)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };
	struct kma_export export = {
		.account = after->account,
		.source = after->kernel.source,
		.before = before->account,
		.before_source = before->kernel.source,
		.release = after->release,
		.build_id = after->build_id,
		.time = after->snapshot.id ? after->snapshot.time : 0,
		.keys = format->roots ? export_frames(args) : args->load.by,
		.maintainers = after->kernel.maintainers,
		.top = args->top,
		/* in static sizes, kmalloc() and related functions are no wrappers */
		.keep_wrappers = args->keep_wrappers ||
				 kma_account_metrics(after->account) >> KMA_STATIC & 1,
	};
	enum kma_grouped by = kma_keys_groups(&args->load.by);
	struct kma_account *groups = NULL;
	struct kma_err *err = NULL;

	if (format->one_metric)
		err = export_metric(args, before, after, &export);
	if (!err && format->series && by)
		err = kma_regroup(export.account, by, &groups);
	/* if the input is a list of groups, the account itself has the groups */
	if (by)
		export.groups = groups ?: export.account;
	if (!err)
		err = format->write(&export, &out);
	kma_account_destroy(groups);
	return err ?: kma_outfile_write(args->output, &out);
}

/* @words: the arguments. The last one is the account; the first of two is the format. */
static struct kma_err *export_do(const struct export_args *args, char **words, int nr,
				 struct kma_loaded *before, struct kma_loaded *after)
{
	const struct kma_export_format *format = nr ? export_find(words[0]) : NULL;
	const char *last = nr > 1 ? words[nr - 1] : NULL;
	struct kma_err *err;

	if (!format)
		return export_no_format(words[0]);
	err = export_suits(args, format, nr);
	if (err)
		return err;
	if (!last) {
		err = kma_open_own_or_refuse("export", &last);
		if (err)
			return err;
	}
	if (nr > 2) {
		err = kma_load_over_time(&args->load) ?:
			      export_load(args, format, words[1], true, before);
		if (err)
			return err;
	}
	return export_load(args, format, last, nr > 2, after) ?:
		       export_write(args, format, before, after);
}

static int main_export(int argc, char **argv)
{
	struct export_args args = { .load.command = "export" };
	struct kma_loaded before = { 0 }, after = { 0 };
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_cmd_export, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = kma_load_check(&args.load);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	/* Samples have the stacks of the account itself. */
	args.load.stacks.each = false;
	code = kma_fail_kind(export_do(&args, argv + first, argc - first, &before, &after));
	kma_unload(&before);
	kma_unload(&after);
	return code;
}

static const char *export_word(size_t i)
{
	return i < ARRAY_SIZE(export_formats) ? export_formats[i]->name : NULL;
}

const struct kma_cmd kma_cmd_export = {
	.name = "export",
	.usage = "[OPTION...] FORMAT [ACCOUNT|KERNEL [ACCOUNT|KERNEL]]",
	.about = "Write an account or static sizes for other tools: pprof, folded, metrics.",
	.examples =
		"  kmem-account export pprof /proc/kmem_account --vmlinux vmlinux -O kernel.pb.gz\n"
		"  kmem-account export folded kmem.log -k linux | flamegraph.pl --countname bytes\n"
		"  kmem-account export folded before.db after.db -O change.folded\n"
		"  kmem-account export speedscope kmem.log -O kmem.speedscope.json\n"
		"  kmem-account export prometheus /proc/kmem_account -O kmem_account.prom\n"
		"  kmem-account export folded target.snapshot --by cgroup -O cgroups.folded\n"
		"  kmem-account export pprof /usr/lib/debug/boot/vmlinux-6.1.0-44-amd64 -O static.pb.gz\n",
	.options = options,
	.most = 3,
	.word = export_word,
	.main = main_export,
};
