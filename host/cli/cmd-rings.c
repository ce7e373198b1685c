// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-rings.c - kmem-account rings, treemap, icicle, flame: draw an account as a picture or a page.
 * The four commands differ only in the kind of chart. Several inputs, and a history, become a page
 * over time (session/over-time.h).
 */
#include "cmd.h"
#include "lib/say.h"
#include "open/open.h"
#include "session/charts.h"
#include "session/groupings.h"
#include "session/over-time.h"
#include "session/load.h"
#include "session/options.h"
#include "view/chart/chart.h"

/* Writes the pictures of a loaded account. @over is NULL for a single account. */
static struct kma_err *show(const struct kma_options *opts, const struct kma_loaded *loaded,
			    const struct kma_over_time *over)
{
	/* A picture by directory needs only the account's own tree. */
	bool more = opts->render.pages || !kma_keys_are(&opts->by, KMA_KEY_DIR);
	struct kma_chart_tree trees[KMA_CHART_TREES];
	struct kma_groupings groupings = { 0 };
	struct kma_err *err = NULL;
	struct kma_chart chart;

	kma_chart_init(opts, loaded, &chart);
	if (more)
		err = kma_groupings_init(&groupings, opts, loaded, over);
	for (size_t i = 0; i < groupings.nr; i++)
		trees[chart.nr_trees++] = groupings.trees[i];
	for (size_t i = 0; over && i < over->nr_trees; i++)
		trees[chart.nr_trees++] = over->trees[i];
	chart.trees = trees;
	chart.times = over ? &over->series.times : NULL;
	chart.metric = opts->has_attr ? opts->attr : loaded->attr;
	if (!err)
		err = kma_chart_write(opts, &chart);
	if (more)
		kma_groupings_deinit(&groupings);
	return err;
}

static bool is_past(const struct kma_options *opts)
{
	return opts->nr_args <= 1 && opts->input && !opts->db_file && !opts->input->ref.label &&
	       kma_series_has_past(opts->input);
}

static struct kma_err *check(const struct kma_options *opts, bool past)
{
	bool page = opts->render.pages && past;
	char name[KMA_KEYS_NAME];

	if (opts->nr_args > 1 && kma_keys_need(&opts->by, KMA_KEY_NEEDS_STACKS))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: --by %s takes one input",
					   opts->command, kma_keys_name(&opts->by, name));
	if (opts->has_points && !page)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "%s: --points needs a history and -r FILE.html",
					   opts->command);
	if (opts->save_db && page)
		return kma_err_create_kind(KMA_ERR_USAGE, opts->account, 0,
					   "--save-db saves one sample of a history; use '%s@TIME'",
					   opts->account);
	return NULL;
}

/* Converts --from and --to: seconds of an event log, or times of a history that is a page. */
static struct kma_err *convert_interval(struct kma_options *opts, bool past)
{
	if (!past || !(opts->past_from || opts->past_to))
		return kma_load_interval(opts, opts->input, &opts->interval);
	opts->interval.is = !opts->render.pages;
	return NULL;
}

static struct kma_err *draw_over_time(struct kma_options *opts, struct kma_loaded *loaded)
{
	struct kma_over_time over;
	struct kma_err *err;

	kma_over_time_prepare(opts);
	err = kma_over_time_load(&over, opts, loaded);
	if (!err)
		err = show(opts, loaded, &over);
	kma_unload(loaded);
	*loaded = (struct kma_loaded){ 0 };
	kma_over_time_deinit(&over);
	return err;
}

/* Several inputs are shown over time, and a whole history that is drawn as a page. */
static struct kma_err *draw(struct kma_options *opts, struct kma_loaded *loaded)
{
	bool past = is_past(opts);
	struct kma_err *err;

	err = check(opts, past);
	if (err)
		return err;
	err = convert_interval(opts, past);
	if (err)
		return err;
	if (opts->nr_args > 1 || (past && opts->render.pages))
		return draw_over_time(opts, loaded);
	err = kma_load(opts, loaded);
	return err ?: show(opts, loaded, NULL);
}

static int run(const struct kma_options *opts)
{
	_cleanup_close_ struct kma_series *series = NULL;
	const char *name = opts->db_file ?: opts->account;
	struct kma_loaded loaded = { 0 };
	struct kma_options mine = *opts;
	struct kma_err *err = NULL;
	int code;

	/* without an input, the built tree is drawn; several inputs are opened one after the other */
	if (name && opts->nr_args <= 1)
		err = kma_open(name, &series);
	mine.input = series;
	err = err ?: draw(&mine, &loaded);
	code = err ? kma_fail_kind(err) : loaded.unsaved ? KMA_EXIT_DATA : KMA_EXIT_OK;
	kma_unload(&loaded);
	return code;
}

/* Members that all four commands have in common. */
#define KMA_PICTURE .args = "[[-f] ACCOUNT...] -r FILE...", .nr_args = KMA_MAX_ARGS, .run = run

const struct kma_cmd kma_cmd_rings = {
	.name = "rings",
	.bits = KMA_CMD_RINGS,
	.chart = KMA_CHART_RINGS,
	.summary = "Draw the owners of kernel memory as rings: directories, files and callers.",
	.examples = "  kmem-account rings -f kmem.log -k linux -r rings.svg -r rings.png\n"
		    "  kmem-account rings -f kmem.log -k linux -b fs -a waste -r fs.svg\n"
		    "  kmem-account rings -k linux -a static -r static.pdf --theme print\n",
	KMA_PICTURE,
};

const struct kma_cmd kma_cmd_treemap = {
	.name = "treemap",
	.bits = KMA_CMD_TREEMAP,
	.chart = KMA_CHART_TREEMAP,
	.summary = "Draw the owners of kernel memory as rectangles: the area shows the share.",
	.examples = "  kmem-account treemap -f kmem.log -k linux -r treemap.svg\n"
		    "  kmem-account treemap -f kmem.log -k linux --theme print -r treemap.pdf\n",
	KMA_PICTURE,
};

const struct kma_cmd kma_cmd_icicle = {
	.name = "icicle",
	.bits = KMA_CMD_ICICLE,
	.chart = KMA_CHART_ICICLE,
	.summary = "Draw the owners of kernel memory as columns: the height shows the share.",
	.examples = "  kmem-account icicle -f kmem.log -k linux -r icicle.svg\n"
		    "  kmem-account icicle -f kmem.log -k linux -b net --depth 3 -r net.png\n",
	KMA_PICTURE,
};

const struct kma_cmd kma_cmd_flame = {
	.name = "flame",
	.bits = KMA_CMD_FLAME,
	.chart = KMA_CHART_FLAME,
	.summary = "Draw the owners of kernel memory as a flame graph: the width shows the share.",
	.examples = "  kmem-account flame sites --by stack -r flame.svg\n"
		    "  kmem-account flame -f kmem.log -k linux -b fs -r fs.html\n",
	KMA_PICTURE,
};
