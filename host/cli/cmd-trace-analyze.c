// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-trace-analyze.c - trace_analyze: do what the script trace_analyze.py did, with the code of
 * this program. Account, callers and chart come from one tree, which has the static sizes of the
 * kernel's objects in addition to its call sites. So static and live bytes add up, and a directory
 * that allocates nothing is also a branch.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "model/account.h"
#include "session/charts.h"
#include "session/load.h"
#include "lib/say.h"
#include "trace-analyze.h"
#include "view/chart/chart.h"
#include "view/picture.h"
#include "view/text/list.h"
#include "view/text/seed.h"
#include "view/text/view.h"
#include "viewer.h"

#define KMA_CHART	 "rings.png"
#define KMA_CHART_STATIC "rings_static.png"

struct kma_trace {
	const struct kma_trace_options *opts;
	struct kma_loaded loaded;
	char *chart;			   /* path of the picture; NULL: none */
	const struct kma_picture *picture; /* its kind */
};

static bool kma_trace_has_log(const struct kma_trace_options *opts)
{
	return opts->load.account || opts->load.db_file;
}

/* Chooses path and kind of the chart. A name without an extension gets .png, as by matplotlib. */
static struct kma_err *kma_trace_plan(struct kma_trace *trace)
{
	const struct kma_trace_options *opts = trace->opts;
	const char *name = opts->rings_file, *base;

	if (kma_trace_has_log(opts) && !opts->rings && !opts->show)
		return NULL;
	if (!name)
		name = kma_trace_has_log(opts) ? KMA_CHART : KMA_CHART_STATIC;
	base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	trace->chart = kma_xasprintf("%s%s", name, *base && !strchr(base, '.') ? ".png" : "");
	return kma_picture_for(trace->chart, &trace->picture);
}

/* Loads the input. A branch needs files, so it needs a kernel. */
static struct kma_err *kma_trace_load(struct kma_trace *trace)
{
	const struct kma_load_options *opts = &trace->opts->load;
	struct kma_err *err = kma_load(opts, &trace->loaded);

	/* The script's only kernel is a built tree: the message must not offer --vmlinux. */
	if (kma_err_is(err, KMA_ERR_USAGE) && opts->branch && trace->loaded.account &&
	    !opts->kernel.tree) {
		kma_err_destroy(err);
		return kma_err_create(NULL, 0, "-b %s needs -k DIR", opts->branch);
	}
	if (err || !opts->branch || trace->loaded.has_files)
		return err;
	return kma_err_create(
		opts->kernel.tree, 0,
		"cannot find source files by this tree, so branch '%s' is not available",
		opts->branch);
}

/* Does the account count frees of unknown objects? They are also in the callers' frees. */
static bool kma_trace_drops_unknown(const struct kma_account *account)
{
	unsigned int needs = 1U << KMA_ALLOCS | 1U << KMA_FREES | 1U << KMA_OBJECTS;
	uint64_t frees;

	return (kma_account_metrics(account) & needs) == needs &&
	       kma_account_loss(account, KMA_LOSS_UNKNOWN_FREES, &frees) && frees;
}

/* Writes one of the text files. */
static struct kma_err *kma_trace_text(const struct kma_trace *trace, const char *path,
				      struct kma_err *(*make)(const struct kma_seed *seed,
							      struct kma_strbuf *out))
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_seed seed = {
		.branch = trace->loaded.branch,
		.metrics = kma_account_metrics(trace->loaded.account),
		.drops_unknown = kma_trace_drops_unknown(trace->loaded.account),
	};
	struct kma_err *err;

	seed.order = trace->opts->has_sort ? trace->opts->sort : trace->loaded.attr;
	err = kma_metric_check(1U << seed.order, seed.metrics) ?: make(&seed, &text);
	return err ?: kma_outfile_write(path, &text);
}

static struct kma_err *kma_trace_rings(const struct kma_trace *trace)
{
	_cleanup_strbuf_ struct kma_strbuf bytes = { 0 };
	const struct kma_load_options *opts = &trace->opts->load;
	const struct kma_loaded *loaded = &trace->loaded;
	struct kma_chart chart;
	struct kma_err *err;

	kma_chart_init(&trace->opts->chart, loaded, &chart);
	chart.metric = opts->has_attr ? opts->attr : loaded->attr;
	err = kma_metric_check(1U << chart.metric, chart.metrics);
	if (err)
		return err;
	if (!kma_metrics[chart.metric].get(chart.branch->values))
		return kma_err_create(opts->branch ?: kma_account_name(loaded->account), 0,
				      "nothing to draw: no %s in this input",
				      kma_metrics[chart.metric].what);
	if (!(KMA_TREE_METRICS >> chart.metric & 1))
		chart.objects = 0;
	err = kma_picture_write(trace->picture, &chart, &bytes);
	return err ? err : kma_outfile_write(trace->chart, &bytes);
}

/* Prints the static sizes by directory. */
static struct kma_err *kma_trace_list(const struct kma_trace *trace)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct kma_list list = {
		.branch = trace->loaded.branch,
		.sort = KMA_STATIC,
		.format = KMA_FORMAT_TABLE,
	};
	const struct kma_report report = {
		.account = trace->loaded.account,
		.metrics = KMA_STATIC_METRICS,
		.by = KMA_BY(KMA_KEY_DIR),
		.attr = KMA_STATIC,
		.bytes = true,
		.has_source = true,
		.release = trace->loaded.release,
		.branch = trace->opts->load.branch ?: "",
	};

	kma_list_write(&list, &report, &text);
	return kma_outfile_write(NULL, &text);
}

/* Prints the lost events, for which the script's account file has no line. */
static void kma_trace_say_losses(const struct kma_trace *trace)
{
	const struct kma_account *account = trace->loaded.account;
	uint64_t events;

	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(account, id, &events) && events)
			kma_warn("%s: %s: %" PRIu64, kma_account_name(account),
				 kma_losses[id].title, events);
}

static struct kma_err *kma_trace_show(const struct kma_trace *trace)
{
	const struct kma_trace_options *opts = trace->opts;
	struct kma_err *err = NULL;

	kma_trace_say_losses(trace);
	if (!kma_trace_has_log(opts))
		err = kma_trace_list(trace);
	else if (opts->account_file ||
		 (!opts->callers_file && !trace->chart && !opts->load.save_db))
		err = kma_trace_text(trace, opts->account_file, kma_seed_account);
	if (err)
		return err;
	if (opts->callers_file) {
		err = kma_trace_text(trace, opts->callers_file, kma_seed_callers);
		if (err)
			return err;
	}
	if (trace->chart) {
		err = kma_trace_rings(trace);
		if (err)
			return err;
		if (!opts->rings_file || strcmp(trace->chart, opts->rings_file))
			kma_warn("the chart is in %s", trace->chart);
	}
	/* The chart was written; failing to show it is not an error. */
	if (opts->show)
		kma_fail(kma_viewer_open(trace->chart), KMA_EXIT_OK);
	return NULL;
}

static struct kma_err *kma_trace_outputs(const struct kma_trace *trace)
{
	const struct kma_option_output list[] = {
		{ "-c", trace->opts->account_file },
		{ "-l", trace->opts->callers_file },
		{ "-r", trace->chart },
	};

	return kma_option_outputs(NULL, list, ARRAY_SIZE(list));
}

static int kma_trace_run(int argc, char **argv)
{
	struct kma_trace_options opts;
	struct kma_trace trace = { .opts = &opts };
	struct kma_err *err;
	bool help;
	int code;

	err = kma_trace_options_parse(argc, argv, &opts, &help);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	if (help)
		return KMA_EXIT_OK;
	err = kma_trace_plan(&trace) ?: kma_trace_outputs(&trace);
	if (err)
		code = kma_fail(err, KMA_EXIT_USAGE);
	else
		code = kma_fail(kma_trace_load(&trace) ?: kma_trace_show(&trace), KMA_EXIT_DATA);
	if (!code && trace.loaded.unsaved)
		code = KMA_EXIT_DATA;
	kma_unload(&trace.loaded);
	free(trace.chart);
	return code;
}

const struct kma_cmd kma_cmd_trace_analyze = {
	.name = "trace-analyze",
	.summary = "Do the work of trace_analyze.py, with the same options.",
	.set = &kma_trace_option_set,
	.main = kma_trace_run,
};
