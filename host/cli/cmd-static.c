// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-static.c - kmem-account static: what a built kernel holds from the start.
 *
 * An object that cannot be read, a vmlinux that is not there: said in one line, and the
 * report is of what is there.
 */
#include <string.h>

#include "cmd.h"
#include "options.h"
#include "session/charts.h"
#include "session/loaded.h"
#include "session/options.h"
#include "lib/say.h"
#include "session/sizes.h"
#include "session/write.h"
#include "view/chart/chart.h"
#include "view/text/view.h"

static struct kma_err *kma_static_check(const struct kma_options *opts,
					const struct kma_footprint_by **by)
{
	const char *format = opts->format ?: "table";
	struct kma_err *err;

	if (!kma_view_find(format))
		return kma_err_create(NULL, 0, "unknown format '%s'; there is table, csv, json",
				      format);
	err = kma_footprint_find(opts->by, by);
	if (!err)
		err = kma_chart_check("static", false, opts);
	if (!err && opts->depth && strcmp((*by)->name, "dir"))
		err = kma_err_create(NULL, 0, "--depth needs --by dir");
	return err;
}

static struct kma_err *kma_static_metrics(const struct kma_options *opts, unsigned int have,
					  struct kma_report *report, enum kma_metric_id *sort)
{
	struct kma_err *err = NULL;

	report->attr = KMA_STATIC;
	if (opts->attr)
		err = kma_metric_find(opts->attr, have, &report->attr);
	*sort = report->attr;
	if (!err && opts->sort)
		err = kma_metric_find(opts->sort, have, sort);
	if (!err && opts->columns)
		err = kma_metric_set(opts->columns, have, &report->columns);
	return err;
}

static struct kma_err *kma_static_draw(const struct kma_options *opts,
				       const struct kma_footprint_by *by,
				       const struct kma_sizes *sizes)
{
	struct kma_report report = { 0 };
	enum kma_metric_id sort;
	struct kma_loaded loaded;
	struct kma_chart chart;
	struct kma_err *err;

	err = kma_static_metrics(opts, sizes->metrics, &report, &sort);
	if (err)
		return err;
	kma_sizes_loaded(sizes, by, &loaded);
	kma_chart_init(opts, &loaded, &chart);
	chart.metric = report.attr;
	chart.release = sizes->release;
	chart.by = by->tree ? NULL : by->name;
	return kma_chart_write(opts, &chart);
}

static struct kma_err *kma_static_show(const struct kma_options *opts,
				       const struct kma_footprint_by *by,
				       const struct kma_sizes *sizes)
{
	struct kma_report report = {
		.account = sizes->account,
		.metrics = sizes->metrics,
		.by = kma_sizes_by(by),
		.key = by->name,
		.key_title = by->title,
		.bytes = opts->bytes,
		.release = "",
		.branch = opts->branch ?: "",
	};
	enum kma_metric_id sort;
	struct kma_err *err;

	err = kma_static_metrics(opts, sizes->metrics, &report, &sort);
	return err ? err : kma_report_write(opts, sizes->branch, sort, &report);
}

static int kma_static_run(const struct kma_cmd *cmd, int argc, char **argv)
{
	const struct kma_footprint_by *by;
	struct kma_options opts;
	struct kma_sizes sizes;
	struct kma_err *err;
	int code;

	err = kma_options_parse(cmd, argc, argv, &opts);
	if (!err && opts.help) {
		kma_options_help(cmd);
		return KMA_EXIT_OK;
	}
	if (!err)
		err = kma_static_check(&opts, &by);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = kma_sizes_load(&opts, by, opts.tree ?: ".", false, &sizes);
	if (!err && kma_chart_has_text(&opts))
		err = kma_static_show(&opts, by, &sizes);
	if (!err && opts.nr_render)
		err = kma_static_draw(&opts, by, &sizes);
	code = sizes.no_image ? KMA_EXIT_DATA : KMA_EXIT_OK;
	kma_sizes_deinit(&sizes);
	return err ? kma_fail(err, KMA_EXIT_DATA) : code;
}

const struct kma_cmd kma_cmd_static = {
	.name = "static",
	.bit = KMA_CMD_STATIC,
	.args = "",
	.summary = "Show what a built kernel holds from the start: text, data, bss, init.",
	.examples = "  kmem-account static -k linux\n"
		    "  kmem-account static -k linux -b fs/ext4 --by symbol --top 20\n"
		    "  kmem-account static -k linux -r static.svg --chart treemap\n"
		    "  kmem-account static -k linux --image --by section --bytes\n",
	.run = kma_static_run,
};
