// SPDX-License-Identifier: GPL-2.0-only
/*
 * chart.c - names of the kinds of charts, titles of charts and of their inputs, colours of owners.
 */
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"

const char *const kma_chart_bys[KMA_NR_CHART_BY] = {
	[KMA_CHART_BY_DIR] = "dir",
	[KMA_CHART_BY_STACK] = "stack",
	[KMA_CHART_BY_CALLERS] = "callers",
	[KMA_CHART_BY_CGROUP] = "cgroup",
	[KMA_CHART_BY_CGROUP_DIR] = "cgroup,dir",
	[KMA_CHART_BY_NODE] = "node",
	[KMA_CHART_BY_NODE_DIR] = "node,dir",
	[KMA_CHART_BY_TASK] = "task",
	[KMA_CHART_BY_TASK_DIR] = "task,dir",
	[KMA_CHART_BY_ROOT] = "root",
	[KMA_CHART_BY_ROOT_DIR] = "root,dir",
	[KMA_CHART_BY_SUBSYSTEM] = "subsystem",
	[KMA_CHART_BY_MODULE] = "module",
	[KMA_CHART_BY_CACHE] = "cache",
};

const struct kma_chart_key kma_chart_keys[KMA_NR_CHART_BY] = {
	[KMA_CHART_BY_DIR] = { .title = "directory" },
	[KMA_CHART_BY_STACK] = { .title = "stack",
				 .subtitle = "stack, from the outermost function to the call site",
				 .stacks = true },
	[KMA_CHART_BY_CALLERS] = { .title = "call site and its callers",
				   .subtitle = "call site and its callers",
				   .stacks = true },
	[KMA_CHART_BY_CGROUP] = { .title = "cgroup",
				  .subtitle = "cgroup and call site",
				  .groups = KMA_GROUPED_CGROUP,
				  .levels = KMA_JOIN_GROUPS },
	[KMA_CHART_BY_CGROUP_DIR] = { .title = "cgroup and directory",
				      .subtitle = "cgroup, directory, file and call site",
				      .groups = KMA_GROUPED_CGROUP,
				      .levels = KMA_JOIN_GROUPS_FILES },
	[KMA_CHART_BY_NODE] = { .title = "NUMA node",
				.subtitle = "NUMA node and call site",
				.groups = KMA_GROUPED_NODE,
				.levels = KMA_JOIN_GROUPS },
	[KMA_CHART_BY_NODE_DIR] = { .title = "NUMA node and directory",
				    .subtitle = "NUMA node, directory, file and call site",
				    .groups = KMA_GROUPED_NODE,
				    .levels = KMA_JOIN_GROUPS_FILES },
	[KMA_CHART_BY_TASK] = { .title = "task",
				.subtitle = "task and call site",
				.groups = KMA_GROUPED_TASK,
				.levels = KMA_JOIN_GROUPS },
	[KMA_CHART_BY_TASK_DIR] = { .title = "task and directory",
				    .subtitle = "task, directory, file and call site",
				    .groups = KMA_GROUPED_TASK,
				    .levels = KMA_JOIN_GROUPS_FILES },
	[KMA_CHART_BY_ROOT] = { .title = "root",
				.subtitle = "root that retains it and call site",
				.groups = KMA_GROUPED_ROOT,
				.levels = KMA_JOIN_GROUPS },
	[KMA_CHART_BY_ROOT_DIR] = { .title = "root and directory",
				    .subtitle =
					    "root that retains it, directory, file and call site",
				    .groups = KMA_GROUPED_ROOT,
				    .levels = KMA_JOIN_GROUPS_FILES },
	[KMA_CHART_BY_SUBSYSTEM] = { .title = "subsystem",
				     .subtitle = "subsystem, directory, file and call site",
				     .row = KMA_BY_SUBSYSTEM },
	[KMA_CHART_BY_MODULE] = { .title = "module",
				  .subtitle = "module, directory, file and call site",
				  .row = KMA_BY_MODULE },
	[KMA_CHART_BY_CACHE] = { .title = "slab cache",
				 .subtitle = "slab cache, directory, file and call site",
				 .row = KMA_BY_CACHE },
};

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

const struct kma_chart_tree *kma_chart_tree(const struct kma_chart *chart, enum kma_chart_by by)
{
	for (size_t i = 0; i < chart->nr_trees; i++)
		if (chart->trees[i].by == by)
			return &chart->trees[i];
	return NULL;
}

const char *kma_chart_title(const struct kma_chart *chart)
{
	if (chart->title)
		return chart->title;
	if (chart->metric == KMA_LATENCY || chart->metric == KMA_WAITS)
		return chart->sides ? "What changed in waiting for memory" : "Who waits for memory";
	return chart->sides ? "What changed in kernel memory" : "Who holds kernel memory";
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

struct kma_err *kma_chart_colours(const struct kma_chart *chart, const struct kma_theme *theme,
				  kma_rgb *ret)
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
	return NULL;
}
