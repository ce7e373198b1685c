// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-trace-analyze.c - trace_analyze: what that script did, with the rest of this
 * program. Account, callers and chart are of one tree, in which the objects of the
 * kernel stand beside its call sites, so that static and live bytes add up, and a
 * directory that allocates nothing is a branch all the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "model/account.h"
#include "session/charts.h"
#include "session/load.h"
#include "session/loaded.h"
#include "session/options.h"
#include "lib/say.h"
#include "session/show-gaps.h"
#include "session/snapshot.h"
#include "session/write.h"
#include "trace-analyze.h"
#include "tree/kbuild.h"
#include "tree/node.h"
#include "tree/static.h"
#include "view/chart/chart.h"
#include "view/picture.h"
#include "view/text/seed.h"
#include "view/text/view.h"
#include "viewer.h"

#define KMA_CHART	 "rings.png"
#define KMA_CHART_STATIC "rings_static.png"

struct kma_trace {
	const struct kma_trace_options *opts;
	struct kma_loaded loaded;
	struct kma_source *tree; /* for static sizes alone: the log is of another kernel */
	struct kma_static_stats stats;
	unsigned int metrics;		   /* of the tree: those of the log, and static ones */
	char *chart;			   /* name of the picture, NULL when there is none */
	const struct kma_picture *picture; /* its kind */
};

static bool kma_trace_has_log(const struct kma_trace_options *opts)
{
	return opts->log || opts->db_file;
}

/* The name of the chart. As matplotlib did, a name without an ending gets .png. */
static struct kma_err *kma_trace_plan(struct kma_trace *trace)
{
	const struct kma_trace_options *opts = trace->opts;
	const char *name = opts->rings_file, *base;

	if (kma_trace_has_log(opts) && !opts->rings && !opts->show)
		return NULL;
	if (!name)
		name = kma_trace_has_log(opts) ? KMA_CHART : KMA_CHART_STATIC;
	base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	if (asprintf(&trace->chart, "%s%s", name, *base && !strchr(base, '.') ? ".png" : "") < 0) {
		trace->chart = NULL;
		return &kma_enomem;
	}
	return kma_picture_for(trace->chart, &trace->picture);
}

/* No log: an account without sites, and the tree. */
static struct kma_err *kma_trace_load_static(struct kma_trace *trace)
{
	const char *dir = trace->opts->tree ?: ".";
	struct kma_loaded *loaded = &trace->loaded;
	struct kma_err *err;

	err = kma_kbuild_create(dir, NULL, &loaded->source);
	if (!err)
		err = kma_account_create(dir, &loaded->account);
	if (!err)
		err = kma_account_finish(loaded->account);
	if (!err)
		err = kma_node_create(&loaded->root);
	loaded->has_files = true;
	return err;
}

/* Puts the objects into the tree; with a log of another kernel only when they are asked for. */
static struct kma_err *kma_trace_join_static(struct kma_trace *trace)
{
	const char *attr = trace->opts->attr;
	struct kma_source *source = trace->loaded.source;
	struct kma_err *err;

	if (!source && trace->opts->tree && attr && !strcmp(attr, kma_metrics[KMA_STATIC].name)) {
		err = kma_kbuild_create(trace->opts->tree, NULL, &trace->tree);
		if (err)
			return err;
		source = trace->tree;
	}
	if (!source)
		return NULL;
	err = kma_static_join(source->ops->objects(source), trace->loaded.root, &trace->stats);
	if (err)
		return err;
	if (!kma_gaps_total(&trace->loaded.gaps))
		kma_gaps_merge(&trace->stats.gaps, kma_objects_gaps(source->ops->objects(source)));
	kma_warn_gaps(source->name, &trace->stats.gaps, KMA_GAPS_SIZES);
	trace->metrics |= KMA_STATIC_METRICS;
	if (trace->loaded.source && trace->metrics & 1U << KMA_CURRENT)
		trace->metrics |= 1U << KMA_FOOTPRINT;
	return NULL;
}

static struct kma_err *kma_trace_load(struct kma_trace *trace)
{
	const struct kma_trace_options *opts = trace->opts;
	struct kma_options load = {
		.account = opts->log,
		.db_file = opts->db_file,
		.tree = opts->tree,
		.malloc = opts->malloc,
		.cache = opts->cache,
	};
	struct kma_loaded *loaded = &trace->loaded;
	struct kma_err *err;

	if (kma_trace_has_log(opts))
		err = kma_load(&load, loaded);
	else
		err = kma_trace_load_static(trace);
	if (err)
		return err;
	trace->metrics = kma_account_metrics(loaded->account);
	err = kma_trace_join_static(trace);
	if (err)
		return err;
	loaded->branch = loaded->root;
	if (!opts->branch)
		return NULL;
	if (!loaded->has_files && !trace->tree)
		return kma_err_create(opts->tree, 0,
				      opts->tree ? "cannot be used, so there is no branch '%s'" :
						   "-b %s needs -k DIR",
				      opts->branch);
	return kma_node_find(loaded->root, opts->branch, &loaded->branch);
}

static struct kma_err *kma_trace_metric(const struct kma_trace *trace, const char *name,
					unsigned int have, enum kma_metric_id *ret)
{
	if (name)
		return kma_metric_find(name, have, ret);
	*ret = kma_trace_has_log(trace->opts) ? kma_default_attr(&trace->loaded) : KMA_STATIC;
	return NULL;
}

/* One of the text files. */
static struct kma_err *kma_trace_text(const struct kma_trace *trace, const char *path,
				      struct kma_err *(*make)(const struct kma_seed *seed,
							      struct kma_strbuf *out))
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_seed seed = {
		.branch = trace->loaded.branch,
		.metrics = kma_account_metrics(trace->loaded.account),
	};
	struct kma_err *err;

	err = kma_trace_metric(trace, trace->opts->order, seed.metrics, &seed.order);
	if (!err)
		err = make(&seed, &text);
	return err ? err : kma_write_text(&text, path);
}

static struct kma_err *kma_trace_rings(const struct kma_trace *trace)
{
	const struct kma_loaded *loaded = &trace->loaded;
	_cleanup_strbuf_ struct kma_strbuf bytes = { 0 };
	const struct kma_options given = { .account = trace->opts->log };
	struct kma_chart chart;
	struct kma_err *err;

	kma_chart_init(&given, loaded, &chart);
	chart.metrics = trace->metrics;
	chart.has_source = loaded->has_files || trace->tree;
	err = kma_trace_metric(trace, trace->opts->attr, trace->metrics, &chart.metric);
	if (err)
		return err;
	if (!kma_metrics[chart.metric].get(&chart.branch->values))
		return kma_err_create(trace->opts->branch ?: kma_account_name(loaded->account), 0,
				      "has nothing to draw: no %s", kma_metrics[chart.metric].what);
	if (1U << chart.metric & (KMA_STATIC_METRICS | 1U << KMA_FOOTPRINT))
		chart.objects = trace->stats.objects;
	err = trace->picture->write(&chart, &bytes);
	return err ? err : kma_write_text(&bytes, trace->chart);
}

/* Static sizes by directory. */
static struct kma_err *kma_trace_list(const struct kma_trace *trace)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_rows rows;
	struct kma_report report = {
		.account = trace->loaded.account,
		.rows = &rows,
		.metrics = KMA_STATIC_METRICS,
		.by = KMA_BY_DIR,
		.attr = KMA_STATIC,
		.bytes = true,
		.has_source = true,
		.release = kma_release(&trace->loaded),
		.branch = trace->opts->branch ?: "",
	};
	struct kma_err *err;

	err = kma_rows_init(&rows, trace->loaded.branch, report.by, 0);
	if (!err) {
		kma_rows_sort(&rows, report.attr);
		kma_view_table.write(&report, &text);
		err = kma_write_text(&text, NULL);
	}
	kma_rows_deinit(&rows);
	return err;
}

/* The account file has no line for it, so it is said. */
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
	else if (opts->account_file || (!opts->callers_file && !trace->chart && !opts->save_db))
		err = kma_trace_text(trace, opts->account_file, kma_seed_account);
	if (!err && opts->callers_file)
		err = kma_trace_text(trace, opts->callers_file, kma_seed_callers);
	if (!err && trace->chart)
		err = kma_trace_rings(trace);
	if (!err && trace->chart && (!opts->rings_file || strcmp(trace->chart, opts->rings_file)))
		kma_warn("the chart is in %s", trace->chart);
	/* The chart is there, if not on the screen: that is no failure. */
	if (!err && opts->show)
		kma_fail(kma_viewer_open(trace->chart), KMA_EXIT_OK);
	return err;
}

static int kma_trace_run(const struct kma_cmd *cmd, int argc, char **argv)
{
	struct kma_trace_options opts;
	struct kma_trace trace = { .opts = &opts };
	struct kma_err *err, *unsaved = NULL;
	int code = KMA_EXIT_USAGE, unsaved_code;

	(void)cmd;
	err = kma_trace_options_parse(argc, argv, &opts);
	if (!err && opts.help) {
		kma_trace_options_help();
		return KMA_EXIT_OK;
	}
	if (!err)
		err = kma_trace_plan(&trace);
	if (!err) {
		code = KMA_EXIT_DATA;
		err = kma_trace_load(&trace);
	}
	/* All of the log, whatever is shown. It may be a pipe: if it cannot be saved, show it. */
	if (!err && opts.save_db)
		unsaved = kma_save_account(opts.save_db, &trace.loaded);
	if (!err)
		err = kma_trace_show(&trace);
	unsaved_code = kma_fail(unsaved, KMA_EXIT_DATA);
	kma_unload(&trace.loaded);
	kma_source_destroy(trace.tree);
	free(trace.chart);
	return err ? kma_fail(err, code) : unsaved_code;
}

const struct kma_cmd kma_cmd_trace_analyze = {
	.name = "trace-analyze",
	.summary = "Do what trace_analyze did, by its options (also by that name).",
	.run = kma_trace_run,
};
