// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-static.c - kmem-account static: print or draw the static sizes of a built kernel.
 *
 * If an object cannot be read, or vmlinux is missing, one line reports it, and the report covers
 * the rest.
 */
#include "cmd.h"
#include "lib/file.h"
#include "lib/say.h"
#include "rows.h"
#include "session/charts.h"
#include "session/options.h"
#include "session/sizes.h"
#include "view/chart/chart.h"
#include "view/text/list.h"
#include "view/text/view.h"

struct static_args {
	struct kma_sizes_options sizes;
	struct kma_text_options text;
	struct kma_chart_options chart;
	enum kma_metric_id attr, sort; /* valid with has_attr, has_sort */
	unsigned int columns; /* set of metrics, KMA_METRICS_ALL is all; with has_columns */
	unsigned long depth;
	bool has_attr, has_sort, has_columns, quiet;
};

#define KMA_ARGS struct static_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_OPTION_HEADING("Kernel"),
	{ "kernel", 'k', .arg = "DIR", TO(TEXT, sizes.kernel.tree),
	  .help = "built kernel tree (*.o, .*.cmd) to show (default: the current directory)" },
	{ "vmlinux", .arg = "FILE", TO(TEXT, sizes.kernel.vmlinux), .excludes = "kernel image",
	  .help = "show this vmlinux by its debugging information, without a tree" },
	{ "modules", .arg = "DIR", TO(TEXT, sizes.kernel.modules), .needs = "vmlinux",
	  .help = "with --vmlinux: show the modules with debugging information below\n"
		  "DIR, too" },
	{ "kernel-package", .arg = "DIR", TO(TEXT, sizes.package), .excludes = "kernel vmlinux image",
	  .help = "show vmlinux and modules of the debug package that was unpacked in\n"
		  "DIR (/ for an installed one)" },
	KMA_ROW_IMAGE(sizes),
	KMA_ROW_MAINTAINERS(sizes.kernel),
	KMA_OPTION_HEADING("Rows and columns"),
	KMA_ROW_BRANCH(sizes.branch),
	{ "by", .arg = "KEY", TO_NAME(sizes.key, kma_footprint_bys),
	  .help = "show a row for each dir (default), file, subsystem, object,\n"
		  "symbol, section or module" },
	{ "attr", 'a', .arg = "ATTR", OWN(metric, attr), KMA_OPTION_NAMES(kma_metrics),
	  .given = AT(has_attr), .min = KMA_IMAGE_METRICS,
	  .help = "show static (default), text, rodata, data, bss, init or other" },
	KMA_ROWS_COLUMNS,
	KMA_ROW_TOP_OTHER(text),
	KMA_ROW_DEPTH(depth),
	KMA_OPTION_HEADING("Output"),
	KMA_ROWS_TEXT(text, "top"),
	KMA_ROWS_CHARTS(chart),
	KMA_ROW_QUIET(quiet, "a large input is read"),
	KMA_OPTION_END
};
/* clang-format on */

/* Chooses the columns: the requested metrics, or those of the tree. */
static struct kma_err *static_metrics(const struct static_args *args, unsigned int have,
				      struct kma_report *report, enum kma_metric_id *sort)
{
	report->attr = args->has_attr ? args->attr : KMA_STATIC;
	*sort = args->has_sort ? args->sort : report->attr;
	if (args->has_columns)
		report->columns = args->columns == KMA_METRICS_ALL ? have : args->columns;
	return kma_metric_check(1U << report->attr | 1U << *sort | report->columns, have);
}

static struct kma_err *static_draw(const struct static_args *args, const struct kma_sizes *sizes)
{
	const struct kma_footprint_by *by = &kma_footprint_bys[args->sizes.key];
	struct kma_report report = { 0 };
	enum kma_metric_id sort;
	struct kma_loaded loaded;
	struct kma_chart chart;
	struct kma_err *err;

	err = static_metrics(args, sizes->metrics, &report, &sort);
	if (err)
		return err;
	kma_sizes_loaded(sizes, args->sizes.key, &loaded);
	kma_chart_init(&args->chart, &loaded, &chart);
	chart.metric = report.attr;
	chart.release = sizes->release;
	chart.by = by->tree ? NULL : by->name;
	return kma_chart_write(&args->chart, &chart);
}

static struct kma_err *static_show(const struct static_args *args, const struct kma_sizes *sizes)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_list list = {
		.branch = sizes->branch,
		.depth = args->depth,
		.top = args->text.top,
		.format = args->text.format,
		.fit = !args->text.all && !args->text.output,
		.columns = args->has_columns,
	};
	struct kma_report report = {
		.account = sizes->account,
		.metrics = sizes->metrics,
		.by = kma_sizes_by(args->sizes.key),
		.key = kma_footprint_bys[args->sizes.key].name,
		.key_title = kma_footprint_bys[args->sizes.key].title,
		.bytes = args->text.bytes,
		.csv_safe = args->text.csv_safe,
		.release = "",
		.branch = args->sizes.branch ?: "",
	};
	struct kma_err *err;

	err = static_metrics(args, sizes->metrics, &report, &list.sort);
	if (err)
		return err;
	kma_list_write(&list, &report, &text);
	return kma_outfile_write(args->text.output, &text);
}

static int main_static(int argc, char **argv)
{
	struct static_args args = { .sizes.key = KMA_FOOTPRINT_DIR,
				    .chart.width = KMA_CHART_WIDTH };
	const struct kma_kernel_query *kernel = &args.sizes.kernel;
	struct kma_sizes sizes;
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_cmd_static, argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = kma_pictures_check("static", &args.chart, args.text.output) ?:
		      kma_sizes_check("static", &args.sizes, args.depth, args.chart.render.pages);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = kma_sizes_load(&args.sizes,
			     args.sizes.package	     ?:
				     kernel->vmlinux ?:
				     kernel->tree    ?:
						       ".",
			     false, &sizes);
	if (!err && kma_text_wanted(&args.text, &args.chart))
		err = static_show(&args, &sizes);
	if (!err && args.chart.render.nr)
		err = static_draw(&args, &sizes);
	code = sizes.no_image ? KMA_EXIT_DATA : KMA_EXIT_OK;
	kma_sizes_deinit(&sizes);
	return err ? kma_fail(err, KMA_EXIT_DATA) : code;
}

const struct kma_cmd kma_cmd_static = {
	.name = "static",
	.usage = "[OPTION...]",
	.about = "Show the static sizes of a built kernel: text, data, bss, init.",
	.examples = "  kmem-account static -k linux\n"
		    "  kmem-account static -k linux -b fs/ext4 --by symbol --top 20\n"
		    "  kmem-account static -k linux -r static.svg --chart treemap\n"
		    "  kmem-account static -k linux --image --by section --bytes\n"
		    "  kmem-account static --vmlinux /usr/lib/debug/boot/vmlinux-6.1.0-44-amd64\n"
		    "  kmem-account static --kernel-package / --by module --top 20\n",
	.options = options,
	.main = main_static,
};
