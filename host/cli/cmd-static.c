// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-static.c - kmem-account static: print or draw the static sizes of a built kernel.
 *
 * If an object cannot be read, or vmlinux is missing, one line reports it, and the report covers
 * the rest.
 */
#include "cmd.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/say.h"
#include "session/charts.h"
#include "session/options.h"
#include "session/sizes.h"
#include "view/chart/chart.h"
#include "view/text/list.h"
#include "view/text/view.h"

/* Chooses the columns: the requested metrics, or those of the tree. */
static struct kma_err *kma_static_metrics(const struct kma_options *opts, unsigned int have,
					  struct kma_report *report, enum kma_metric_id *sort)
{
	report->attr = opts->has_attr ? opts->attr : KMA_STATIC;
	*sort = opts->has_sort ? opts->sort : report->attr;
	if (opts->has_columns)
		report->columns = opts->columns == KMA_METRICS_ALL ? have : opts->columns;
	return kma_metric_check(1U << report->attr | 1U << *sort | report->columns, have);
}

static struct kma_err *kma_static_draw(const struct kma_options *opts,
				       const struct kma_sizes *sizes)
{
	const struct kma_footprint_by *by = &kma_footprint_bys[opts->key];
	struct kma_report report = { 0 };
	enum kma_metric_id sort;
	struct kma_loaded loaded;
	struct kma_chart chart;
	struct kma_err *err;

	err = kma_static_metrics(opts, sizes->metrics, &report, &sort);
	if (err)
		return err;
	kma_sizes_loaded(sizes, opts->key, &loaded);
	kma_chart_init(opts, &loaded, &chart);
	chart.metric = report.attr;
	chart.release = sizes->release;
	chart.by = by->tree ? NULL : by->name;
	return kma_chart_write(opts, &chart);
}

static struct kma_err *kma_static_show(const struct kma_options *opts,
				       const struct kma_sizes *sizes)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_list list = {
		.branch = sizes->branch,
		.depth = opts->depth,
		.top = opts->top,
		.format = opts->format,
		.fit = !opts->all && !opts->output,
		.columns = opts->has_columns,
	};
	struct kma_report report = {
		.account = sizes->account,
		.metrics = sizes->metrics,
		.by = kma_sizes_by(opts->key),
		.key = kma_footprint_bys[opts->key].name,
		.key_title = kma_footprint_bys[opts->key].title,
		.bytes = opts->bytes,
		.csv_safe = opts->csv_safe,
		.release = "",
		.branch = opts->branch ?: "",
	};
	struct kma_err *err;

	err = kma_static_metrics(opts, sizes->metrics, &report, &list.sort);
	if (err)
		return err;
	kma_list_write(&list, &report, &text);
	return kma_outfile_write(opts->output, &text);
}

static int kma_static_run(const struct kma_options *opts)
{
	struct kma_sizes sizes;
	struct kma_err *err;
	int code;

	err = kma_sizes_load(opts,
			     opts->package		  ?:
				     opts->kernel.vmlinux ?:
				     opts->kernel.tree	  ?:
							    ".",
			     false, &sizes);
	if (!err && kma_chart_has_text(opts))
		err = kma_static_show(opts, &sizes);
	if (!err && opts->render.nr)
		err = kma_static_draw(opts, &sizes);
	code = sizes.no_image ? KMA_EXIT_DATA : KMA_EXIT_OK;
	kma_sizes_deinit(&sizes);
	return err ? kma_fail(err, KMA_EXIT_DATA) : code;
}

const struct kma_cmd kma_cmd_static = {
	.name = "static",
	.bits = KMA_CMD_STATIC,
	.args = "",
	.summary = "Show the static sizes of a built kernel: text, data, bss, init.",
	.examples = "  kmem-account static -k linux\n"
		    "  kmem-account static -k linux -b fs/ext4 --by symbol --top 20\n"
		    "  kmem-account static -k linux -r static.svg --chart treemap\n"
		    "  kmem-account static -k linux --image --by section --bytes\n"
		    "  kmem-account static --vmlinux /usr/lib/debug/boot/vmlinux-6.1.0-44-amd64\n"
		    "  kmem-account static --kernel-package / --by module --top 20\n",
	.run = kma_static_run,
};
