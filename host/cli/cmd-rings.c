// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-rings.c - kmem-account rings, treemap, icicle, flame: draw an account as a picture or a page.
 * The four commands differ only in the kind of chart. Several inputs, and a history, become a page
 * over time (session/over-time.h).
 */
#include <string.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "lib/say.h"
#include "lib/unpack.h"
#include "open/open.h"
#include "rows.h"
#include "session/charts.h"
#include "session/groupings.h"
#include "session/over-time.h"
#include "session/load.h"
#include "session/options.h"
#include "view/chart/chart.h"

struct rings_args {
	struct kma_over_options over; /* its load is also that of a single account */
	struct kma_chart_options chart;
	bool has_points;
};

#define KMA_ARGS struct rings_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_OPTION_HEADING("Input"),
	KMA_ROWS_INPUT(over.load),
	KMA_ROWS_TIMES(over.from, over.to, KMA_HELP_FROM, KMA_HELP_TO),
	{ "points", .arg = "N", TO(COUNT, over.points), .given = AT(has_points),
	  .min = 2, .max = 10000, .unit = "samples",
	  .help = "of a history: take about N samples into an HTML page (default 48)" },
	KMA_OPTION_HEADING("Kernel"),
	KMA_ROWS_KERNEL_OWNERS(over.load.kernel),
	KMA_OPTION_HEADING("Call sites"),
	KMA_ROWS_STACKS(over.load.stacks),
	KMA_ROW_BRANCH(over.load.branch),
	KMA_ROWS_SITES(over.load),
	KMA_OPTION_HEADING("Picture"),
	KMA_ROW_RENDER(chart),
	{ "by", .arg = "KEY", OWN(keys, over.load.by), KMA_OPTION_NAMES(kma_keys),
	  .given = AT(over.load.has_by), .min = KMA_KEYS_IN_TREE,
	  .help = "divide the chart by dir (default: directories and files), by another\n"
		  "key of report, or by several, outermost first, as cgroup,module,dir.\n"
		  "stack goes from the outermost function to the call site, callers from\n"
		  "the call site to its callers. module, cache and subsystem (needs\n"
		  "--maintainers or -k) alone have directories below them. cgroup and\n"
		  "node need a snapshot with groups (an event log has cgroups, too), task\n"
		  "a log, root a file of scan. An HTML page starts with KEY and can\n"
		  "switch to other keys of the input" },
	KMA_ROW_ATTR(over.load),
	{ "depth", .arg = "N", TO(COUNT, chart.levels), .min = 1, .max = 24, .unit = "levels",
	  .help = "draw N levels (default 5; flame: 24)" },
	KMA_ROWS_LOOK(chart),
	KMA_ROW_TITLE(chart),
	KMA_ROWS_PAGE(chart),
	KMA_OPTION_HEADING("More"),
	KMA_ROWS_END(over.load.quiet),
};
/* clang-format on */

/* Writes the pictures of a loaded account. @over is NULL for a single account. */
static struct kma_err *show(const struct rings_args *args, const struct kma_loaded *loaded,
			    const struct kma_over_time *over)
{
	const struct kma_load_options *load = &args->over.load;
	/* A picture by directory needs only the account's own tree. */
	bool more = load->page || !kma_keys_are(&load->by, KMA_KEY_DIR);
	struct kma_chart_tree trees[KMA_CHART_TREES];
	struct kma_groupings groupings = { 0 };
	struct kma_err *err = NULL;
	struct kma_chart chart;

	kma_chart_init(&args->chart, loaded, &chart);
	chart.key = load->by;
	if (load->kernel.by)
		chart.main_key = *load->kernel.by;
	chart.groups = load->kernel.by;
	if (more)
		err = kma_groupings_init(&groupings, load, loaded, over);
	for (size_t i = 0; i < groupings.nr; i++)
		trees[chart.nr_trees++] = groupings.trees[i];
	for (size_t i = 0; over && i < over->nr_trees; i++)
		trees[chart.nr_trees++] = over->trees[i];
	chart.trees = trees;
	chart.times = over ? &over->series.times : NULL;
	chart.metric = load->has_attr ? load->attr : loaded->attr;
	if (!err)
		err = kma_chart_write(&args->chart, &chart);
	if (more)
		kma_groupings_deinit(&groupings);
	return err;
}

static struct kma_err *refuse(const struct rings_args *args, const char *sentence)
{
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: %s", args->over.load.command,
				   sentence);
}

/* The rules that need no input, and the account of this machine if no other is named. */
static struct kma_err *check(struct rings_args *args)
{
	struct kma_load_options *load = &args->over.load;
	const struct kma_outputs *render = &args->chart.render;
	bool several = args->over.nr_inputs > 1;
	char name[KMA_KEYS_NAME];
	struct kma_err *err;

	load->page = render->pages;
	err = kma_load_check(load) ?: kma_pictures_check(load->command, &args->chart, NULL);
	if (err)
		return err;
	if (several && render->pages < render->nr)
		return refuse(
			args,
			"several inputs need -r FILE.html and cannot be combined with other pictures");
	if (several && load->save_db)
		return refuse(args, "--save-db takes one input");
	if (!render->nr)
		return refuse(args, "no picture given; use -r FILE.svg, .png, .pdf or .html");
	if (several && kma_keys_need(&load->by, KMA_KEY_NEEDS_STACKS))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: --by %s takes one input",
					   load->command, kma_keys_name(&load->by, name));
	/* A page shows all sizes, so the static ones are loaded if the tree is there. */
	if (render->pages == render->nr)
		load->sizes = KMA_SIZES_IF_THERE;
	load->interval = (struct kma_interval){ .is = args->over.from, .ends = args->over.to };
	return kma_load_asks(load, "-a", load->has_attr ? 1U << load->attr : 0) ?:
										  kma_load_own(load);
}

/* Draws over time: several inputs, or a history. */
static struct kma_err *draw_over_time(struct rings_args *args, struct kma_loaded *loaded)
{
	struct kma_over_time over;
	struct kma_err *err;

	kma_over_time_prepare(&args->over);
	err = kma_over_time_load(&over, &args->over, loaded);
	if (!err)
		err = show(args, loaded, &over);
	kma_unload(loaded);
	*loaded = (struct kma_loaded){ 0 };
	kma_over_time_deinit(&over);
	return err;
}

/* Several inputs are shown over time, and a whole history that is drawn as a page. */
static struct kma_err *draw(struct rings_args *args, struct kma_loaded *loaded)
{
	struct kma_load_options *load = &args->over.load;
	const struct kma_series *input = load->input;
	bool several = args->over.nr_inputs > 1;
	bool past = !several && input && !load->db_file && !input->ref.label &&
		    kma_series_has_past(input);
	struct kma_err *err = NULL;

	if (args->has_points && !(load->page && past))
		return refuse(args, "--points needs a history and -r FILE.html");
	if (load->save_db && load->page && past)
		return kma_err_create_kind(KMA_ERR_USAGE, load->account, 0,
					   "--save-db saves one sample of a history; use '%s@TIME'",
					   load->account);
	/* --from and --to are times of a history that is a page; else seconds of an event log */
	if (past && (args->over.from || args->over.to))
		load->interval = (struct kma_interval){ .is = !load->page };
	else
		err = kma_load_interval(load, input, args->over.from, args->over.to,
					&load->interval);
	if (err)
		return err;
	if (several || (past && load->page))
		return draw_over_time(args, loaded);
	err = kma_load(load, loaded);
	return err ?: show(args, loaded, NULL);
}

static const struct kma_cmd *const cmds[] = {
	[KMA_CHART_RINGS] = &kma_cmd_rings,
	[KMA_CHART_TREEMAP] = &kma_cmd_treemap,
	[KMA_CHART_ICICLE] = &kma_cmd_icicle,
	[KMA_CHART_FLAME] = &kma_cmd_flame,
};

static int main_rings(int argc, char **argv)
{
	_cleanup_close_ struct kma_series *series = NULL;
	struct rings_args args = {
		.over = { .load = { .command = argv[0],
				    .by = KMA_BY(KMA_KEY_DIR),
				    .drawn = true,
				    .sizes = KMA_SIZES_IF_ASKED },
			  .points = 48 },
		.chart = { .width = KMA_CHART_WIDTH },
	};
	struct kma_load_options *load = &args.over.load;
	struct kma_loaded loaded = { 0 };
	struct kma_err *err;
	int first, code;

	while (strcmp(cmds[args.chart.chart]->name, argv[0]))
		args.chart.chart++;
	err = kma_option_read(cmds[args.chart.chart], argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.over.inputs = argv + first;
	args.over.nr_inputs = argc - first;
	load->account = argv[first] ?: load->account;
	err = check(&args);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.chart.file = load->account;
	/* without an input, the built tree is drawn; several inputs are opened one after the other */
	if ((load->db_file || load->account) && args.over.nr_inputs <= 1)
		err = kma_open(load->db_file ?: load->account, &series);
	load->input = series;
	err = err ?: draw(&args, &loaded);
	code = err ? kma_fail_kind(err) : loaded.unsaved ? KMA_EXIT_DATA : KMA_EXIT_OK;
	kma_unload(&loaded);
	return code;
}

/* Members that all four commands have in common. */
#define COMMON                                                                   \
	.usage = "[OPTION...] [[-f] ACCOUNT...] -r FILE...", .options = options, \
	.most = KMA_MAX_ARGS, .main = main_rings

const struct kma_cmd kma_cmd_rings = {
	.name = "rings",
	.about = "Draw the owners of kernel memory as rings: directories, files and callers.",
	.examples = "  kmem-account rings -f kmem.log -k linux -r rings.svg -r rings.png\n"
		    "  kmem-account rings -f kmem.log -k linux -b fs -a waste -r fs.svg\n"
		    "  kmem-account rings -k linux -a static -r static.pdf --theme print\n",
	COMMON,
};

const struct kma_cmd kma_cmd_treemap = {
	.name = "treemap",
	.about = "Draw the owners of kernel memory as rectangles: the area shows the share.",
	.examples = "  kmem-account treemap -f kmem.log -k linux -r treemap.svg\n"
		    "  kmem-account treemap -f kmem.log -k linux --theme print -r treemap.pdf\n",
	COMMON,
};

const struct kma_cmd kma_cmd_icicle = {
	.name = "icicle",
	.about = "Draw the owners of kernel memory as columns: the height shows the share.",
	.examples = "  kmem-account icicle -f kmem.log -k linux -r icicle.svg\n"
		    "  kmem-account icicle -f kmem.log -k linux -b net --depth 3 -r net.png\n",
	COMMON,
};

const struct kma_cmd kma_cmd_flame = {
	.name = "flame",
	.about = "Draw the owners of kernel memory as a flame graph: the width shows the share.",
	.examples = "  kmem-account flame sites --by stack -r flame.svg\n"
		    "  kmem-account flame -f kmem.log -k linux -b fs -r fs.html\n",
	COMMON,
};
