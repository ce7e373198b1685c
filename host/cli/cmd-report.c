// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-report.c - kmem-account report: print an account as a list of owners.
 */
#include <inttypes.h>

#include "cmd-table.h"
#include "cmd.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/unpack.h"
#include "model/unread.h"
#include "open/open.h"
#include "open/refuse.h"
#include "rows.h"
#include "session/load.h"
#include "session/options.h"
#include "view/text/list.h"
#include "view/text/view.h"

struct report_args {
	struct kma_load_options load;
	struct kma_text_options text;
	enum kma_metric_id sort; /* valid with has_sort */
	unsigned int columns;	 /* set of metrics, KMA_METRICS_ALL is all; with has_columns */
	bool has_sort, has_columns;
	bool accept_unread; /* succeed although lines of events were not understood */
};

#define KMA_ARGS struct report_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_OPTION_HEADING("Input"),
	KMA_ROWS_INPUT(load),
	KMA_ROWS_SECONDS(load.interval),
	{ "accept-unread", TO(FLAG, accept_unread),
	  .help = "exit with status 0 even if more than 1 % of the event lines of a log of\n"
		  "ftrace were not understood" },
	KMA_OPTION_HEADING("Kernel"),
	KMA_ROWS_KERNEL_OWNERS(load.kernel),
	KMA_ROWS_ACCOUNT(load),
	{ "slabinfo", .arg = "FILE", TO(TEXT, load.slabinfo), .needs = "by",
	  /* memory of other kinds would be shown as allocated before the account started */
	  .excludes = "malloc cache pages percpu through",
	  .help = "for --by cache: /proc/slabinfo of the machine; shows what was\n"
		  "allocated before the account started" },
	{ "slab", .arg = "DIR", TO(TEXT, load.slab), .needs = "by",
	  .help = "for --by cache: /sys/kernel/slab of the machine, or a copy of its\n"
		  "symbolic links (cp -P); shows all names of merged caches" },
	KMA_ROWS_SLAB(load),
	KMA_ROW_ATTR(load),
	KMA_ROWS_COLUMNS,
	KMA_ROW_TOP_OTHER(text),
	KMA_ROW_DEPTH(load.depth),
	KMA_OPTION_HEADING("Output"),
	KMA_ROWS_TEXT(text, "top"),
	KMA_OPTION_HEADING("More"),
	KMA_ROWS_END(load.quiet),
};
/* clang-format on */

/* The rules about several options, and the account of this machine if no other is named. */
static struct kma_err *check(struct report_args *args)
{
	unsigned int columns = args->columns == KMA_METRICS_ALL ? 0 : args->columns;
	struct kma_load_options *load = &args->load;
	struct kma_err *err = kma_load_check(load);

	if (err)
		return err;
	if ((load->slabinfo || load->slab) && !kma_keys_have(&load->by, KMA_KEY_CACHE))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "report: --slabinfo and --slab need --by cache");
	return kma_load_asks(load, "-a", load->has_attr ? 1U << load->attr : 0)		    ?:
		       kma_load_asks(load, "--sort", args->has_sort ? 1U << args->sort : 0) ?:
		       kma_load_asks(load, "--columns", columns)			    ?:
		       kma_load_own(load);
}

/* Chooses the columns: the requested metrics, or those of the input. */
static struct kma_err *choose_columns(const struct report_args *args,
				      const struct kma_loaded *loaded, struct kma_list *list,
				      struct kma_report *report)
{
	unsigned int have = loaded->metrics, asked;

	report->attr = args->load.has_attr ? args->load.attr : loaded->attr;
	list->sort = args->has_sort ? args->sort : report->attr;
	asked = 1U << report->attr | 1U << list->sort;
	/* Without an account, the columns are all kinds of sections. */
	report->columns = kma_account_metrics(loaded->account) ? kma_metric_shown(have, asked) :
								 have;
	if (args->has_columns)
		report->columns = args->columns == KMA_METRICS_ALL ? have : args->columns;
	return kma_metric_check(asked | report->columns, have);
}

static struct kma_err *show(const struct report_args *args, const struct kma_loaded *loaded)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_list list = {
		.branch = loaded->branch,
		.depth = args->load.depth,
		.top = args->text.top,
		.format = args->text.format,
		.fit = !args->text.all && !args->text.output,
		.columns = args->has_columns,
	};
	struct kma_report report = {
		.account = loaded->account,
		.metrics = loaded->metrics,
		.by = args->load.by,
		.bytes = args->text.bytes,
		.csv_safe = args->text.csv_safe,
		.has_source = loaded->has_files,
		.unresolved = loaded->kernel.stats.unresolved,
		.only = loaded->only.len ? loaded->only.str : NULL,
		.slab = loaded->slab,
		.titled = loaded->account && loaded->metrics & 1U << KMA_CURRENT,
		.release = loaded->release,
		.build_id = loaded->build_id,
		.branch = loaded->branch->parent ? args->load.branch : "",
	};
	struct kma_err *err;

	if (!loaded->has_files)
		report.by = kma_keys_without_files(&args->load.by);
	err = choose_columns(args, loaded, &list, &report);
	if (err)
		return err;
	kma_list_write(&list, &report, &text);
	return kma_outfile_write(args->text.output, &text);
}

/* Says whether the input has too many lines that were not counted. The report is printed anyway. */
static bool lacks_lines(const struct report_args *args, const struct kma_loaded *loaded)
{
	struct kma_unread unread;

	kma_unread_of(loaded->account, &unread);
	if (args->accept_unread || !kma_unread_too_many(&unread))
		return false;
	kma_warn("report: more than 1 %% of the event lines, %" PRIu64 " of %" PRIu64
		 ", %s not understood; --accept-unread accepts this",
		 unread.lines, unread.all, kma_plural(unread.lines, "was", "were"));
	return true;
}

static int main_report(int argc, char **argv)
{
	struct report_args args = { .load = { .command = "report",
					      .by = KMA_BY(KMA_KEY_DIR),
					      .earlier = true,
					      .sizes = KMA_SIZES_IF_ASKED } };
	_cleanup_close_ struct kma_series *series = NULL;
	struct kma_loaded loaded;
	struct kma_err *err;
	const char *name;
	int first, code;

	err = kma_option_read(&kma_cmd_report, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.load.account = argv[first] ?: args.load.account;
	err = check(&args);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	/* without an input, the built tree is shown */
	name = args.load.db_file ?: args.load.account;
	if (name) {
		err = kma_open(name, &series);
		if (err)
			return kma_fail_kind(err);
		if (!args.load.db_file && series->kind == KMA_SERIES_TABLE && args.load.only.nr)
			return kma_fail_kind(kma_refuse_rules(series));
		if (!args.load.db_file && series->kind == KMA_SERIES_TABLE)
			return kma_table_show(&args.text, KMA_NR_MODTABLES, &series, 1);
	}
	args.load.input = series;
	err = kma_load(&args.load, &loaded) ?: show(&args, &loaded);
	code = err ? kma_fail_kind(err) : loaded.unsaved ? KMA_EXIT_DATA : KMA_EXIT_OK;
	if (!err && lacks_lines(&args, &loaded))
		code = KMA_EXIT_DATA;
	kma_unload(&loaded);
	return code;
}

const struct kma_cmd kma_cmd_report = {
	.name = "report",
	.usage = "[OPTION...] [[-f] ACCOUNT]",
	.about = "Show the owners of kernel memory: callers, source files or directories.",
	.examples =
		"  kmem-account report /proc/kmem_account\n"
		"  kmem-account report -f kmem.log -k linux --by dir --top 20\n"
		"  kmem-account report -f kmem.log --vmlinux vmlinux --by file -b fs --sort waste\n"
		"  kmem-account report -f kmem.log -k linux -a current --by dir\n"
		"  ssh target cat /proc/kmem_account | kmem-account report -f - --format csv\n",
	.options = options,
	.most = 1,
	.main = main_report,
};
