// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-rings.c - kmem-account rings, treemap, icicle: an account as a picture. Three
 * commands of one make: they differ in the kind of chart alone.
 */
#include "cmd.h"
#include "session/charts.h"
#include "session/loaded.h"
#include "session/options.h"
#include "show.h"
#include "view/chart/chart.h"

static struct kma_err *kma_picture_check(const struct kma_cmd *cmd, const struct kma_options *opts)
{
	return kma_chart_check(cmd->name, true, opts);
}

static struct kma_err *kma_picture_suits(const struct kma_cmd *cmd, const struct kma_options *opts,
					 const struct kma_loaded *loaded)
{
	(void)cmd;
	return kma_needs_files(opts, loaded, opts->branch ? "-b" : NULL);
}

static struct kma_err *kma_picture_show(const struct kma_cmd *cmd, const struct kma_options *opts,
					const struct kma_loaded *loaded)
{
	struct kma_chart chart;
	struct kma_err *err = NULL;

	kma_chart_init(opts, loaded, &chart);
	chart.kind = cmd->chart;
	chart.metric = kma_account_metrics(loaded->account) ? kma_default_attr(loaded) : KMA_STATIC;
	if (opts->attr)
		err = kma_metric_find(opts->attr, chart.metrics, &chart.metric);
	return err ? err : kma_chart_write(opts, &chart);
}

/* What all have in common. */
#define KMA_PICTURE                                                                     \
	.args = "[[-f] ACCOUNT] -r FILE...", .nr_args = 1, .run = kma_cmd_show,         \
	.check = kma_picture_check, .load = kma_chart_load, .suits = kma_picture_suits, \
	.show = kma_picture_show

const struct kma_cmd kma_cmd_rings = {
	.name = "rings",
	.bit = KMA_CMD_RINGS,
	.chart = KMA_CHART_RINGS,
	.summary = "Draw who holds kernel memory: directories, files and callers as rings.",
	.examples = "  kmem-account rings -f kmem.log -k linux -r rings.svg -r rings.png\n"
		    "  kmem-account rings -f kmem.log -k linux -b fs -a waste -r fs.svg\n"
		    "  kmem-account rings -k linux -a static -r static.pdf --theme print\n",
	KMA_PICTURE,
};

const struct kma_cmd kma_cmd_treemap = {
	.name = "treemap",
	.bit = KMA_CMD_TREEMAP,
	.chart = KMA_CHART_TREEMAP,
	.summary = "Draw the same as rectangles: an area is a share.",
	.examples = "  kmem-account treemap -f kmem.log -k linux -r treemap.svg\n"
		    "  kmem-account treemap -f kmem.log -k linux --theme print -r treemap.pdf\n",
	KMA_PICTURE,
};

const struct kma_cmd kma_cmd_icicle = {
	.name = "icicle",
	.bit = KMA_CMD_ICICLE,
	.chart = KMA_CHART_ICICLE,
	.summary = "Draw the same as columns: a height is a share, names are easy to read.",
	.examples = "  kmem-account icicle -f kmem.log -k linux -r icicle.svg\n"
		    "  kmem-account icicle -f kmem.log -k linux -b net --depth 3 -r net.png\n",
	KMA_PICTURE,
};
