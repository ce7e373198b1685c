// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-diff.c - kmem-account diff: compare two accounts. The first one is "before", the second one
 * "after". Of one history, these are the first and the last sample of an interval, of one text with
 * several reports the first and the last report. Built kernels are compared by their static sizes,
 * tables of the module by cmd-table.c.
 *
 * Both sides are loaded and looked up in the same kernel. Rows with equal keys are compared
 * (model/diff.h). An incomplete side would look like a change of memory, so with --fail-above it
 * gives no verdict.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd-table.h"
#include "cmd.h"
#include "store/snapshot.h"
#include "store/when.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/notes.h"
#include "lib/plural.h"
#include "lib/unpack.h"
#include "model/account.h"
#include "model/diff.h"
#include "model/moment.h"
#include "open/open.h"
#include "open/past.h"
#include "open/refuse.h"
#include "rows.h"
#include "session/charts.h"
#include "session/load.h"
#include "session/loaded.h"
#include "session/options.h"
#include "lib/say.h"
#include "session/sizes.h"
#include "tree/node.h"
#include "view/text/diff.h"
#include "view/text/view.h"

/* The options of diff. Those of call sites are not for built trees. */
struct diff_args {
	struct kma_load_options load; /* of accounts; its metric and branch also of built trees */
	struct kma_sizes_options sizes;
	struct kma_text_options text;
	struct kma_chart_options chart;
	char *const *names; /* the arguments */
	unsigned int nr_names;
	const char *from, *to; /* of a history */
	uint64_t floor;	       /* bytes of change of a row; a row with less is not shown */
	uint64_t fail_above;   /* growth in bytes that fails; valid with has_fail_above */
	bool has_fail_above;
};

#define KMA_ARGS struct diff_args
#define NAMED	 3 /* rows that a warning names */

/* What the arguments are. */
enum { ACCOUNTS = 1, TREES = 2 };

/* clang-format off */
static const struct kma_option options[] = {
	KMA_OPTION_HEADING("Input"),
	KMA_ROW_DB_FILE(load.db_file, NULL),
	KMA_ROW_SAVE_DB(load.save_db),
	KMA_ROWS_TIMES(from, to,
		       "of a history DIR: BEFORE is the first sample from TIME on, for example\n"
		       "09:00, -6h or \"yesterday 14:00\" (default: a day before the newest sample)",
		       "of a history DIR: AFTER is the last sample up to TIME (default: the\n"
		       "newest sample)"),
	KMA_OPTION_HEADING("Kernel"),
	KMA_ROWS_KERNEL_OWNERS(load.kernel),
	KMA_ROW_IMAGE(sizes),
	KMA_ROWS_ACCOUNT(load),
	{ "by", .forms = TREES, .arg = "KEY", TO_NAME(sizes.key, kma_footprint_bys),
	  .help = "of built trees: show a row for each dir (default), file,\n"
		  "subsystem, object, symbol, section or module" },
	KMA_ROW_ATTR(load),
	{ "attr", 'a', .forms = TREES, .arg = "ATTR", OWN(metric, load.attr), KMA_OPTION_NAMES(kma_metrics),
	  .given = AT(load.has_attr), .min = KMA_IMAGE_METRICS,
	  .help = "of built trees: show static (default), text, rodata, data, bss,\n"
		  "init or other" },
	KMA_ROW_TOP_OTHER(text),
	KMA_ROW_DEPTH(load.depth),
	{ "floor", .arg = "BYTES", TO(SIZE, floor), .max = INT64_MAX,
	  .help = "combine rows that changed by less than BYTES (default 1: unchanged rows)" },
	{ "fail-above", .arg = "BYTES", TO(SIZE, fail_above), .given = AT(has_fail_above), .max = INT64_MAX,
	  .help = "exit with status 3 if the total grew by more than BYTES" },
	KMA_OPTION_HEADING("Output"),
	KMA_ROWS_TEXT(text, NULL),
	KMA_ROWS_CHARTS(chart),
	KMA_ROWS_END(load.quiet),
};
/* clang-format on */

/*
 * Decides what is compared: kernels, if an argument is a directory and none is a history, or if all
 * are built trees or debug files; else accounts. The reader of accounts reports a wrong pair.
 */
static void choose(char *const *args, int nr, struct kma_option_form *ret)
{
	bool tree = false, past = false;
	int kernels = 0;

	for (int i = 0; i < nr; i++) {
		enum kma_series_kind kind = kma_open_kind(args[i]);

		past |= kind == KMA_SERIES_HISTORY;
		tree |= kind == KMA_SERIES_DIR;
		kernels += kind == KMA_SERIES_HISTORY || kind == KMA_SERIES_DIR ||
			   kind == KMA_SERIES_ELF;
	}
	if (!past && (tree || (nr && kernels == nr)))
		*ret = (struct kma_option_form){
			TREES,
			"db-file save-db kernel vmlinux modules inlines force skip through only not malloc cache pages percpu page-size from to max-input",
			"cannot be used with built trees",
		};
	else
		*ret = (struct kma_option_form){ ACCOUNTS, "image", "needs two built trees" };
}

/*
 * Prints that @side, as the user gave it, is incomplete. Returns the exit status: with
 * --fail-above, which is then not judged, KMA_EXIT_DATA.
 */
static int cannot_tell(const struct diff_args *args, const char *side)
{
	kma_warn("diff: cannot tell what changed: parts of %s could not be read%s", side,
		 args->has_fail_above ? "; --fail-above is not checked" : "");
	return args->has_fail_above ? KMA_EXIT_DATA : KMA_EXIT_OK;
}

/* Judges the total of a finished comparison by --fail-above. Returns the exit status. */
static int judge(const struct diff_args *args, const struct kma_diff *diff,
		 enum kma_metric_id metric)
{
	const struct kma_diff_row *total = kma_diff_total(diff);
	uint64_t before = total->number[KMA_DIFF_BEFORE];
	uint64_t after = total->number[KMA_DIFF_AFTER];

	if (!args->has_fail_above || after <= before || after - before <= args->fail_above)
		return KMA_EXIT_OK;
	kma_warn("diff: %" PRIu64 " %s more than before, --fail-above allows %" PRIu64,
		 after - before, kma_metrics[metric].what, args->fail_above);
	return KMA_EXIT_THRESHOLD;
}

/* The two accounts. */
struct kma_compare {
	const struct diff_args *args;
	struct kma_series *series[KMA_NR_DIFF_SIDES]; /* of one input: only the first */
	bool past;				      /* two samples of a history are compared */
	bool pair;				      /* two reports of a text are compared */
	struct kma_past_ends ends;		      /* of a history: the two samples */
	struct kma_loaded sides[KMA_NR_DIFF_SIDES];
	struct kma_keys by;
};

static struct kma_err *open_sides(struct kma_compare *cmp)
{
	const struct diff_args *args = cmp->args;
	const char *names[KMA_NR_DIFF_SIDES] = { args->load.db_file ?: args->names[0],
						 args->nr_names ? args->names[args->nr_names - 1] :
								  NULL };
	struct kma_series **series = cmp->series;
	struct kma_err *err;

	if (args->nr_names == 1 && !args->load.db_file) {
		err = kma_open(names[KMA_DIFF_BEFORE], &series[KMA_DIFF_BEFORE]);
		if (err)
			return err;
		cmp->past = !series[KMA_DIFF_BEFORE]->ref.label &&
			    kma_series_has_past(series[KMA_DIFF_BEFORE]);
		if (cmp->past)
			return NULL;
		if (!args->from && !args->to) {
			series[KMA_DIFF_BEFORE]->wish.page_size = args->load.page_size;
			err = kma_series_pair(series[KMA_DIFF_BEFORE], &cmp->pair);
			kma_series_say(series[KMA_DIFF_BEFORE]);
			if (err || cmp->pair)
				return err;
		}
	}
	if (args->from || args->to) {
		if (args->nr_names == 1 && args->load.db_file) {
			err = kma_open(names[KMA_DIFF_AFTER], &series[KMA_DIFF_AFTER]);
			if (err)
				return err;
		}
		err = args->nr_names == 1 ? kma_refuse_interval(series[KMA_DIFF_BEFORE] ?:
									series[KMA_DIFF_AFTER]) :
					    NULL;
		if (err)
			return err;
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"diff: --from and --to need one input, a history that 'kmem-account watch' has recorded");
	}
	if (args->nr_names + !!args->load.db_file != KMA_NR_DIFF_SIDES)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"diff: needs two inputs, BEFORE and AFTER (--db-file FILE counts as BEFORE), or one history, or a text with several reports");
	if (!strcmp(names[KMA_DIFF_BEFORE], "-") && !strcmp(names[KMA_DIFF_AFTER], "-"))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "diff: only one input can be the standard input");
	err = kma_open(names[KMA_DIFF_BEFORE], &series[KMA_DIFF_BEFORE]);
	if (err)
		return err;
	return kma_open(names[KMA_DIFF_AFTER], &series[KMA_DIFF_AFTER]);
}

/* Finds the two samples of a history. */
static struct kma_err *find_ends(struct kma_compare *cmp)
{
	struct kma_series *series = cmp->series[KMA_DIFF_BEFORE];
	struct kma_err *err;

	if (!cmp->past)
		return NULL;
	series->wish.from = cmp->args->from;
	series->wish.to = cmp->args->to;
	err = kma_past_find_ends(series, &cmp->ends);
	kma_series_say(series);
	return err;
}

static bool is_empty(const struct kma_loaded *side)
{
	size_t nr;

	kma_account_sites(side->account, &nr);
	return !nr;
}

/* Loads both sides. A branch that only one side has is new or gone; if neither has it, an error. */
static struct kma_err *load_sides(struct kma_compare *cmp)
{
	const struct diff_args *args = cmp->args;
	struct kma_err *err = NULL, *missing = NULL;
	unsigned int nr_missing = 0;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		struct kma_loaded *side = &cmp->sides[i];
		struct kma_load_options one = args->load;

		if (cmp->past)
			kma_series_again(cmp->series[KMA_DIFF_BEFORE],
					 i == KMA_DIFF_BEFORE ? cmp->ends.first : cmp->ends.last);
		one.input = cmp->series[cmp->past || cmp->pair ? KMA_DIFF_BEFORE : i];
		one.account = one.input->name;
		one.db_file = i == KMA_DIFF_BEFORE ? args->load.db_file : NULL;
		/* These are checked for both sides together, below and by compare_suits(). */
		one.branch = NULL;
		one.has_by = false;
		one.may_miss = true;
		one.depth = 0;
		one.save_db = i == KMA_DIFF_AFTER ? args->load.save_db : NULL;
		err = kma_load(&one, side);
		if (err)
			break;
		if (!args->load.branch || !side->has_files)
			continue;
		err = kma_node_find(side->kernel.root, args->load.branch, &side->branch);
		if (!err)
			continue;
		if (!kma_err_is(err, KMA_ERR_NOT_FOUND))
			break;
		kma_err_destroy(missing);
		missing = err;
		err = NULL;
		side->branch = NULL;
		nr_missing++;
	}
	if (err) {
		kma_err_destroy(missing);
		return err;
	}
	if (nr_missing == KMA_NR_DIFF_SIDES)
		return missing;
	if (args->load.only.nr && is_empty(&cmp->sides[KMA_DIFF_BEFORE]) &&
	    is_empty(&cmp->sides[KMA_DIFF_AFTER])) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };

		kma_only_text(&args->load.only, &text);
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
					   "diff: no call site of either input is selected by: %s",
					   text.str);
	}
	kma_err_destroy(missing);
	return NULL;
}

/*
 * Returns the kind of groups if the input has one row for each group, as debugfs' file cgroups has,
 * so that the group is named in place of a call site. KMA_GROUPED_NOT: it has call sites, or no
 * row.
 */
static enum kma_grouped compare_rows_of(const struct kma_account *account)
{
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (!sites[i].group || strcmp(sites[i].caller, sites[i].group))
			return KMA_GROUPED_NOT;
	return nr ? sites[0].grouped : KMA_GROUPED_NOT;
}

static bool compare_is_empty(const struct kma_account *account)
{
	size_t nr;

	kma_account_sites(account, &nr);
	return !nr;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Tells whether a group of one side is a call site of the other one. A DB file and a history store
 * the groups of such an input as call sites. Names in brackets are in all inputs.
 */
static bool compare_shares(const struct kma_account *groups, const struct kma_account *other)
{
	_cleanup_free_ const char **names = NULL;
	const struct kma_site *sites;
	size_t nr, used = 0;

	sites = kma_account_sites(groups, &nr);
	names = kma_xcalloc(nr + 1, sizeof(*names));
	for (size_t i = 0; i < nr; i++)
		if (sites[i].caller[0] != '[')
			names[used++] = sites[i].caller;
	qsort(names, used, sizeof(*names), compare_names);
	sites = kma_account_sites(other, &nr);
	for (size_t i = 0; i < nr; i++)
		if (bsearch(&sites[i].caller, names, used, sizeof(*names), compare_names))
			return true;
	return false;
}

/*
 * Refuses a side with one row for each group, unless the other side has such rows or is shown so.
 */
static struct kma_err *compare_alike(const struct kma_compare *cmp)
{
	static const char *const rows[KMA_NR_GROUPED] = {
		[KMA_GROUPED_NOT] = "call site",  [KMA_GROUPED_CGROUP] = "cgroup",
		[KMA_GROUPED_NODE] = "NUMA node", [KMA_GROUPED_TASK] = "task",
		[KMA_GROUPED_ROOT] = "root",
	};
	const struct kma_account *before = cmp->sides[KMA_DIFF_BEFORE].account;
	const struct kma_account *after = cmp->sides[KMA_DIFF_AFTER].account;
	enum kma_grouped old = compare_rows_of(before), new = compare_rows_of(after);
	const struct kma_loaded *other = &cmp->sides[old ? KMA_DIFF_AFTER : KMA_DIFF_BEFORE];
	const char *use = "compare two inputs of the same type";

	if (old == new || kma_keys_are(&cmp->by, KMA_KEY_CGROUP) ||
	    kma_keys_are(&cmp->by, KMA_KEY_NODE) || compare_is_empty(before) ||
	    compare_is_empty(after))
		return NULL;
	if ((!old || !new) && compare_shares(old ? before : after, old ? after : before))
		return NULL;
	if (kma_account_groups(other->whole ?: other->account, old ?: new))
		use = (old ?: new) == KMA_GROUPED_CGROUP ? "use --by cgroup" : "use --by node";
	return kma_err_create(NULL, 0, "diff: '%s' has a row for each %s, but '%s' for each %s; %s",
			      kma_account_name(before), rows[old], kma_account_name(after),
			      rows[new], use);
}

/* Chooses the rows: by file if requested, otherwise only if both sides have files. */
static struct kma_err *compare_suits(struct kma_compare *cmp)
{
	struct kma_err *err = NULL;

	cmp->by = cmp->args->load.by;
	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES && !err; i++) {
		err = kma_load_suits(&cmp->args->load, &cmp->sides[i]);
		if (!cmp->sides[i].has_files)
			cmp->by = kma_keys_without_files(&cmp->by);
	}
	return err ?: compare_alike(cmp);
}

static struct kma_err *compare_metric(const struct kma_compare *cmp, enum kma_metric_id *ret)
{
	unsigned int before = kma_account_metrics(cmp->sides[KMA_DIFF_BEFORE].account);
	unsigned int after = kma_account_metrics(cmp->sides[KMA_DIFF_AFTER].account);
	unsigned int both = before & after;
	struct kma_err *err;

	*ret = cmp->args->load.attr;
	if (!cmp->args->load.has_attr) {
		*ret = both ? __builtin_ctz(both) : KMA_CURRENT;
		return both ? NULL :
			      kma_err_create(NULL, 0, "the two inputs have no attribute in common");
	}
	err = kma_metric_check(1U << *ret, before);
	return err ? err : kma_metric_check(1U << *ret, after);
}

/* Adds the rows of one side, which are those of a report. */
static void compare_add_rows(const struct kma_compare *cmp, enum kma_diff_match match,
			     struct kma_diff *diff)
{
	if (kma_keys_are(&cmp->by, KMA_KEY_CALLER))
		kma_diff_set_kinds(diff, cmp->sides[KMA_DIFF_BEFORE].account,
				   cmp->sides[KMA_DIFF_AFTER].account);
	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		struct kma_rows rows;

		if (!cmp->sides[i].branch)
			continue;
		kma_rows_init(&rows, cmp->sides[i].branch, &cmp->by, cmp->args->load.depth);
		for (size_t n = 0; n < rows.nr; n++) {
			const struct kma_row *row = &rows.rows[n];

			if (kma_keys_are(&cmp->by, KMA_KEY_CALLER))
				kma_diff_add_caller(diff, i, row->key, row->kind, match,
						    row->values);
			else
				kma_diff_add(diff, i, row->key, row->values);
		}
		kma_rows_deinit(&rows);
	}
}

/* Describes a side: its kernel, and when and where it was saved, if these are known. */
static void compare_about(const struct kma_loaded *side, struct kma_strbuf *ret)
{
	const char *release = kma_account_note(side->account, KMA_NOTE_RELEASE);
	const struct kma_snapshot *snapshot = &side->snapshot;
	time_t when = snapshot->time;
	char text[32];
	struct tm tm;

	kma_strbuf_puts(ret, release ?: "");
	if (!snapshot->id || !gmtime_r(&when, &tm) ||
	    !strftime(text, sizeof(text), "%F %T UTC", &tm))
		return;
	kma_strbuf_printf(ret, "%ssaved %s", ret->len ? ", " : "", text);
	if (snapshot->host)
		kma_strbuf_printf(ret, " on %s", snapshot->host);
}

static struct kma_err *compare_write(const struct kma_compare *cmp, const struct kma_diff *diff,
				     enum kma_diff_match match, enum kma_metric_id metric)
{
	_cleanup_strbuf_ struct kma_strbuf before = { 0 }, after = { 0 }, text = { 0 };
	struct kma_diff_report report = {
		.diff = diff,
		.by = cmp->by,
		.match = match,
		.metric = metric,
		.branch = cmp->args->load.branch ?: "",
		.bytes = cmp->args->text.bytes,
		.csv_safe = cmp->args->text.csv_safe,
		.fit = !cmp->args->text.all && !cmp->args->text.output && !cmp->args->text.top,
	};

	compare_about(&cmp->sides[KMA_DIFF_BEFORE], &before);
	compare_about(&cmp->sides[KMA_DIFF_AFTER], &after);
	report.inputs[KMA_DIFF_BEFORE] = (struct kma_diff_input){
		cmp->sides[KMA_DIFF_BEFORE].account,
		before.str ?: "",
		cmp->sides[KMA_DIFF_BEFORE].only.str,
	};
	report.inputs[KMA_DIFF_AFTER] = (struct kma_diff_input){
		cmp->sides[KMA_DIFF_AFTER].account,
		after.str ?: "",
		cmp->sides[KMA_DIFF_AFTER].only.str,
	};
	kma_diff_text(&report, cmp->args->text.format, &text);
	return kma_outfile_write(cmp->args->text.output, &text);
}

/* Is the account of a side incomplete? Checks it as it was read, before kinds were selected. */
static bool compare_is_partial(const struct kma_loaded *side)
{
	return kma_account_is_partial(side->whole ?: side->account);
}

/*
 * Exit status. --fail-above is not judged with gaps of either side or of the kernel, or if a day
 * that cannot be read may have the sample that should be compared.
 */
static int compare_verdict(const struct kma_compare *cmp, const struct kma_diff *diff,
			   enum kma_metric_id metric)
{
	const struct diff_args *args = cmp->args;
	int code = KMA_EXIT_OK;
	bool gaps = false;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		const struct kma_loaded *side = &cmp->sides[i];

		if (compare_is_partial(side))
			code = cannot_tell(args, kma_account_name(side->account));
		gaps |= kma_gaps_total(&side->kernel.gaps);
	}
	if (cmp->ends.damaged)
		code = cannot_tell(args, args->names[0]);
	if (gaps)
		code = cannot_tell(args, args->load.kernel.tree ?: args->load.kernel.vmlinux);
	return code ?: judge(args, diff, metric);
}

static struct kma_err *compare_draw(const struct kma_compare *cmp, enum kma_diff_match match,
				    enum kma_metric_id metric)
{
	_cleanup_strbuf_ struct kma_strbuf before = { 0 }, after = { 0 };
	struct kma_compared both = {
		.sides = { &cmp->sides[KMA_DIFF_BEFORE], &cmp->sides[KMA_DIFF_AFTER] },
		.match = match,
		.metric = metric,
		.branch = cmp->args->load.branch,
	};

	compare_about(both.sides[KMA_BEFORE], &before);
	compare_about(both.sides[KMA_AFTER], &after);
	both.about[KMA_BEFORE] = before.str ?: "";
	both.about[KMA_AFTER] = after.str ?: "";
	return kma_chart_compare(&cmp->args->chart, &both);
}

/* Is the account a part of a list, so that a row that it lacks may have any number? */
static bool is_part(const struct kma_loaded *side)
{
	return kma_account_note(side->whole ?: side->account, KMA_NOTE_CHOSEN);
}

/* Name the rows that one side lacks because it is a part of a list. */
static void say_incomparable(const struct kma_compare *cmp, const struct kma_diff *diff)
{
	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		_cleanup_strbuf_ struct kma_strbuf names = { 0 };
		enum kma_diff_state state = i == KMA_DIFF_BEFORE ? KMA_DIFF_NEW : KMA_DIFF_GONE;
		const struct kma_diff_row *rows;
		size_t nr, found = 0;

		if (!is_part(&cmp->sides[i]))
			continue;
		rows = kma_diff_rows(diff, &nr);
		for (size_t n = 0; n < nr; n++) {
			if (rows[n].state != state || rows[n].nr > 1)
				continue;
			if (found++ < NAMED)
				kma_strbuf_printf(&names, "%s%s", found > 1 ? ", " : "",
						  rows[n].key);
		}
		if (found)
			kma_warn(
				"diff: %zu %s of the other input cannot be compared, because %s is a part of a list that may have had them: %s%s",
				found, kma_plural(found, "row", "rows"),
				kma_account_name(cmp->sides[i].account), names.str,
				found > NAMED ? ", ..." : "");
	}
}

static struct kma_err *show_changes(const struct kma_compare *cmp, struct kma_diff *diff,
				    enum kma_metric_id metric, int *verdict)
{
	const struct diff_args *args = cmp->args;
	const struct kma_account *before = cmp->sides[KMA_DIFF_BEFORE].account;
	const struct kma_account *after = cmp->sides[KMA_DIFF_AFTER].account;
	enum kma_diff_match match = kma_diff_choose(before, after);
	struct kma_err *err;

	if (kma_keys_are(&cmp->by, KMA_KEY_CALLER) && !args->load.branch)
		kma_diff_add_accounts(diff, before, after, match);
	else
		compare_add_rows(cmp, match, diff);
	kma_diff_finish(diff, args->floor, args->text.top);
	say_incomparable(cmp, diff);
	/* Cgroups and other groups may all be new. If all call sites are, they have other names. */
	if (kma_keys_are(&cmp->by, KMA_KEY_CALLER) && kma_diff_is_disjoint(diff))
		kma_warn(
			"diff: the inputs have no call site in common, so each row is new or gone; compare two inputs of the same type");
	if (kma_text_wanted(&args->text, &args->chart)) {
		err = compare_write(cmp, diff, match, metric);
		if (err)
			return err;
	}
	if (args->chart.render.nr) {
		err = compare_draw(cmp, match, metric);
		if (err)
			return err;
	}
	*verdict = compare_verdict(cmp, diff, metric);
	return NULL;
}

/* Warns that the second account was restarted since the first one. */
static void compare_anew(const struct kma_moment *before, const struct kma_moment *after,
			 bool one_boot)
{
	kma_warn(
		"diff: between the two samples %s; the second one has only what was allocated since",
		!one_boot			? "the machine was booted again" :
		before->loaded != after->loaded ? "the module was loaded again" :
						  "the account was cleared");
}

/*
 * If both inputs have a time, warns if the second one is older than the first, or does not continue
 * it. Inputs of two boots may be of two machines, unless they are of one history.
 */
static void compare_order(const struct kma_compare *cmp)
{
	struct kma_moment moments[KMA_NR_DIFF_SIDES];
	const struct kma_moment *before = &moments[KMA_DIFF_BEFORE];
	const struct kma_moment *after = &moments[KMA_DIFF_AFTER];
	char text[KMA_WHEN_LEN];
	bool one_boot;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		const struct kma_loaded *side = &cmp->sides[i];

		if (!kma_moment_of(side->whole ?: side->account, &moments[i]))
			return;
	}
	one_boot = !strcmp(before->boot, after->boot);
	if (kma_moment_same(before, after) && before->up == after->up &&
	    before->time == after->time) {
		kma_when_text(after->time, text);
		kma_warn("diff: both inputs are the same sample, of %s", text);
	} else if (one_boot ? before->up > after->up : before->time > after->time) {
		kma_warn("diff: the first input is newer than the second");
	} else if (!kma_moment_same(before, after) && (one_boot || cmp->ends.first)) {
		compare_anew(before, after, one_boot);
	}
}

static struct kma_err *compare(struct kma_compare *cmp, int *verdict)
{
	enum kma_metric_id metric;
	struct kma_diff *diff;
	struct kma_err *err;

	err = find_ends(cmp);
	if (err)
		return err;
	err = kma_load_over_time(&cmp->args->load) ?: load_sides(cmp);
	if (err)
		return err;
	compare_order(cmp);
	err = compare_suits(cmp) ?: compare_metric(cmp, &metric);
	if (err)
		return err;
	diff = kma_diff_create(metric);
	err = show_changes(cmp, diff, metric, verdict);
	kma_diff_destroy(diff);
	return err;
}

/*
 * Built kernels, by static sizes. A side is a built tree, a vmlinux or a debug package;
 * session/sizes.c loads each of them into the same form. The rows of both sides (by directory,
 * file, subsystem, object, symbol, section or module) go into a diff of accounts (model/diff.c),
 * which matches them by their names. Tables, pictures and --fail-above are therefore the same.
 *
 * A branch (-b) that only one side has is new or gone: all of its rows are on that side. If neither
 * side has the branch, this is an error.
 *
 * If files of a side could not be read, or its image is missing, their bytes would look like a
 * change: cannot_tell() instead of a verdict.
 *
 * Both sides are in memory at the same time. Nothing is built, and no file of a tree is changed.
 */
struct trees {
	const struct diff_args *args;
	enum kma_metric_id metric;
	struct kma_sizes sides[KMA_NR_DIFF_SIDES];
};

static struct kma_err *check_trees(struct trees *trees)
{
	const struct diff_args *args = trees->args;

	if (args->nr_names != KMA_NR_DIFF_SIDES)
		return kma_err_create(NULL, 0, "diff: needs two built trees, BEFORE and AFTER");
	trees->metric = args->load.has_attr ? args->load.attr : KMA_STATIC;
	return kma_metric_check(1U << trees->metric,
				args->sizes.image ? KMA_IMAGE_METRICS : KMA_STATIC_METRICS);
}

/* Loads both kernels. A branch that only one has is new or gone; if neither has it, an error. */
static struct kma_err *load_trees(struct trees *trees)
{
	struct kma_err *err = NULL, *missing = NULL;
	unsigned int nr_missing = 0;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		const char *dir = trees->args->names[i];

		enum kma_series_kind kind = kma_open_kind(dir);

		if (kind != KMA_SERIES_DIR && kind != KMA_SERIES_ELF &&
		    kind != KMA_SERIES_HISTORY) {
			err = kma_err_create(
				dir, 0,
				"not a directory; a built tree can be compared only with another built tree or a vmlinux");
			break;
		}
		err = kma_sizes_load(&trees->args->sizes, dir, true, &trees->sides[i]);
		if (kma_err_is(err, KMA_ERR_NOT_FOUND)) {
			kma_err_destroy(missing);
			missing = err;
			err = NULL;
			nr_missing++;
		}
		if (err)
			break;
	}
	if (!err && nr_missing == KMA_NR_DIFF_SIDES)
		return missing;
	kma_err_destroy(missing);
	return err;
}

static void add_trees(const struct trees *trees, struct kma_diff *diff)
{
	const struct kma_keys by = kma_sizes_by(trees->args->sizes.key);

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		struct kma_rows rows;

		if (!trees->sides[i].branch)
			continue;
		kma_rows_init(&rows, trees->sides[i].branch, &by, trees->args->load.depth);
		for (size_t n = 0; n < rows.nr; n++)
			kma_diff_add(diff, i, rows.rows[n].key, rows.rows[n].values);
		kma_rows_deinit(&rows);
	}
}

static struct kma_err *write_trees(const struct trees *trees, const struct kma_diff *diff)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct diff_args *args = trees->args;
	struct kma_diff_report report = {
		.diff = diff,
		.by = kma_sizes_by(trees->args->sizes.key),
		.key = kma_footprint_bys[args->sizes.key].name,
		.key_title = kma_footprint_bys[args->sizes.key].title,
		.sizes = true,
		.metric = trees->metric,
		.branch = args->load.branch ?: "",
		.bytes = args->text.bytes,
		.csv_safe = args->text.csv_safe,
		.fit = !args->text.all && !args->text.output && !args->text.top,
	};

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++)
		report.inputs[i] = (struct kma_diff_input){ trees->sides[i].account, "", NULL };
	kma_diff_text(&report, args->text.format, &text);
	return kma_outfile_write(args->text.output, &text);
}

static struct kma_err *draw_trees(const struct trees *trees)
{
	const struct kma_footprint_by *by = &kma_footprint_bys[trees->args->sizes.key];
	struct kma_loaded sides[KMA_NR_SIDES];
	struct kma_compared both = {
		.sides = { &sides[KMA_BEFORE], &sides[KMA_AFTER] },
		.about = { trees->sides[KMA_BEFORE].release, trees->sides[KMA_AFTER].release },
		.match = KMA_DIFF_BY_SITE,
		.metric = trees->metric,
		.branch = trees->args->sizes.branch,
		.by = by->tree ? "directory, file and section" : by->name,
	};

	for (unsigned int i = 0; i < KMA_NR_SIDES; i++)
		kma_sizes_loaded(&trees->sides[i], trees->args->sizes.key, &sides[i]);
	return kma_chart_compare(&trees->args->chart, &both);
}

/* Exit status. If a side lacks files or the image, missing bytes would look like a change. */
static int judge_trees(const struct trees *trees, const struct kma_diff *diff)
{
	const struct kma_sizes *sides = trees->sides;
	int code = KMA_EXIT_OK;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++)
		if (sides[i].no_image || kma_gaps_total(&sides[i].gaps))
			code = cannot_tell(trees->args, sides[i].dir);
	return code ?: judge(trees->args, diff, trees->metric);
}

static struct kma_err *show_trees(const struct trees *trees, int *verdict)
{
	const struct diff_args *args = trees->args;
	struct kma_diff *diff = kma_diff_create(trees->metric);
	struct kma_err *err = NULL;

	add_trees(trees, diff);
	kma_diff_finish(diff, args->floor, args->text.top);
	if (kma_text_wanted(&args->text, &args->chart))
		err = write_trees(trees, diff);
	if (!err && args->chart.render.nr)
		err = draw_trees(trees);
	if (!err)
		*verdict = judge_trees(trees, diff);
	kma_diff_destroy(diff);
	return err;
}

static int compare_trees(const struct diff_args *args)
{
	struct trees trees = { .args = args };
	int verdict = KMA_EXIT_OK;
	struct kma_err *err;

	err = check_trees(&trees);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = load_trees(&trees) ?: show_trees(&trees, &verdict);
	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		if (trees.sides[i].no_image)
			verdict = KMA_EXIT_DATA;
		kma_sizes_deinit(&trees.sides[i]);
	}
	return err ? kma_fail(err, KMA_EXIT_DATA) : verdict;
}

static struct kma_err *check(struct diff_args *args, bool trees)
{
	bool page = args->chart.render.pages;
	struct kma_err *err = kma_pictures_check("diff", &args->chart, args->text.output);

	if (err)
		return err;
	if (!trees) {
		args->load.page = page;
		return kma_load_check(&args->load);
	}
	args->sizes.trees = true;
	args->sizes.branch = args->load.branch;
	args->sizes.kernel.maintainers = args->load.kernel.maintainers;
	return kma_sizes_check("diff", &args->sizes, args->load.depth, page);
}

static int main_diff(int argc, char **argv)
{
	struct diff_args args = { .load = { .command = "diff", .by = KMA_BY(KMA_KEY_DIR) },
				  .sizes.key = KMA_FOOTPRINT_DIR,
				  .chart.width = KMA_CHART_WIDTH,
				  .floor = 1 };
	struct kma_compare cmp = { .args = &args };
	struct kma_series **series = cmp.series;
	int first, code, verdict = KMA_EXIT_OK;
	struct kma_option_form form;
	struct kma_err *err;

	err = kma_option_read(&kma_cmd_diff, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.names = argv + first;
	args.nr_names = argc - first;
	choose(args.names, args.nr_names, &form);
	err = check(&args, form.form == TREES);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (form.form == TREES)
		return compare_trees(&args);
	err = open_sides(&cmp);
	if (err)
		code = kma_fail_kind(err);
	else if (!args.load.db_file && !cmp.past && series[0]->kind == KMA_SERIES_TABLE)
		code = args.load.only.nr ? kma_fail_kind(kma_refuse_rules(series[0])) :
					   kma_table_show(&args.text, KMA_NR_MODTABLES, series,
							  KMA_NR_DIFF_SIDES);
	else
		code = kma_fail_kind(compare(&cmp, &verdict));
	if (!code && cmp.sides[KMA_DIFF_AFTER].unsaved)
		code = KMA_EXIT_DATA;
	kma_unload(&cmp.sides[KMA_DIFF_BEFORE]);
	kma_unload(&cmp.sides[KMA_DIFF_AFTER]);
	kma_close(series[KMA_DIFF_BEFORE]);
	kma_close(series[KMA_DIFF_AFTER]);
	return code ?: verdict;
}

const struct kma_cmd kma_cmd_diff = {
	.name = "diff",
	.usage = "[OPTION...] BEFORE AFTER|DIR|TEXT",
	.about = "Compare two accounts: what grew, what shrank, new and gone.",
	.examples = "  kmem-account diff before.log after.log\n"
		    "  kmem-account diff kmem.db@monday kmem.db@friday --floor 4K\n"
		    "  kmem-account diff /var/lib/kmem-account --from 09:00 --to 10:00\n"
		    "  kmem-account diff console.log\n"
		    "  kmem-account diff base.db /proc/kmem_account -k linux --by dir\n"
		    "  kmem-account diff base.db new.db -k linux -r diff.svg --chart treemap\n"
		    "  kmem-account diff base.db new.log --fail-above 1MiB --format json\n"
		    "  kmem-account diff old-build new-build --by symbol --top 20\n",
	.options = options,
	.most = KMA_NR_DIFF_SIDES,
	.choose = choose,
	.main = main_diff,
};
