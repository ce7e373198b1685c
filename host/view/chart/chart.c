// SPDX-License-Identifier: GPL-2.0-only
/*
 * chart.c - names of the kinds of charts, titles of charts and of their inputs, colours of owners.
 */
#include <string.h>

#include "chart.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "model/scope.h"

const char *const kma_chart_names[] = {
	[KMA_CHART_RINGS] = "rings",
	[KMA_CHART_TREEMAP] = "treemap",
	[KMA_CHART_ICICLE] = "icicle",
	[KMA_CHART_FLAME] = "flame",
};

const unsigned int kma_chart_depths[KMA_NR_CHARTS] = {
	[KMA_CHART_RINGS] = 5,
	[KMA_CHART_TREEMAP] = 5,
	[KMA_CHART_ICICLE] = 5,
	[KMA_CHART_FLAME] = 24,
};

const struct kma_chart_tree *kma_chart_tree(const struct kma_chart *chart,
					    const struct kma_keys *by)
{
	for (size_t i = 0; i < chart->nr_trees; i++)
		if (kma_keys_equal(&chart->trees[i].by, by))
			return &chart->trees[i];
	return NULL;
}

/* Static sizes are of files; all else is of an account, which knows what it counts. */
static bool title_has_scope(const struct kma_chart *chart)
{
	return chart->account && kma_account_metrics(chart->account) &&
	       !(KMA_TREE_METRICS >> chart->metric & 1);
}

void kma_chart_title(const struct kma_chart *chart, bool amount, struct kma_strbuf *out)
{
	_cleanup_free_ char *path = kma_node_path(chart->branch);
	bool waits = chart->metric == KMA_LATENCY || chart->metric == KMA_WAITS;

	if (chart->title) {
		kma_strbuf_puts(out, chart->title);
	} else if (!chart->sides && !waits && title_has_scope(chart)) {
		kma_scope_text(chart->account, path, out);
		if (chart->metric == KMA_CURRENT && amount)
			kma_scope_amount(chart->account, chart->branch->values->current,
					 KMA_UNIT_BYTES, chart->slab, out);
	} else {
		kma_strbuf_puts(out, waits && chart->sides ? "What changed in waiting for memory" :
				     waits		   ? "Who waits for memory" :
				     chart->sides	   ? "What changed in kernel memory" :
							     "Who holds kernel memory");
		if (*path)
			kma_strbuf_printf(out, " in %s", path);
	}
}

const char *kma_chart_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *kma_chart_side(const struct kma_chart_sides *sides, unsigned int side)
{
	const char *name = kma_account_name(sides->accounts[side]);
	const char *other = kma_account_name(sides->accounts[!side]);

	return strcmp(kma_chart_base(name), kma_chart_base(other)) ? kma_chart_base(name) : name;
}

void kma_chart_colours(const struct kma_chart *chart, const struct kma_theme *theme, kma_rgb *ret)
{
	_cleanup_free_ const char **names = NULL;
	const struct kma_node *branch = chart->branch;
	const struct kma_metric *metric = &kma_metrics[chart->metric];
	size_t nr = 0;

	names = kma_xcalloc(branch->nr_children + 1, sizeof(*names));
	/* Children without bytes are last in the order, and grey. Names in brackets are grey, too. */
	for (; nr < branch->nr_children && metric->get(branch->children[nr]->values); nr++)
		names[nr] = branch->children[nr]->name;
	kma_colour_assign(theme, names, nr, ret);
	for (; nr <= branch->nr_children; nr++)
		ret[nr] = theme->grey;
}
