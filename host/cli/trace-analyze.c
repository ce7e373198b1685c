// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace-analyze.c - read the command line of trace_analyze.py by a table that fills in the options
 * of this program.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/option.h"
#include "lib/unpack.h"
#include "rows.h"
#include "session/options.h"
#include "trace-analyze.h"

#define KMA_ARGS struct kma_trace_options

/* Converts a name of a metric. Some metrics have other names in the script. */
static struct kma_err *kma_trace_metric(const struct kma_option_given *given, void *member)
{
	static const struct {
		const char *name;
		enum kma_metric_id metric;
	} names[] = {
		{ "total_dyamic", KMA_TOTAL },
		{ "alloc_count", KMA_ALLOCS },
		{ "free_count", KMA_FREES },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(given->value, names[i].name)) {
			*(enum kma_metric_id *)member = names[i].metric;
			return NULL;
		}
	return kma_options_metric(given, member);
}

/* The words of the script's help, for completion. Other metrics are accepted, too. */
static const char *const kma_trace_attr_words[] = { "current", "static", "waste", "current_dynamic",
						    "total_dynamic" };
static const char *const kma_trace_order_words[] = { "current_dynamic", "total_dynamic",
						     "alloc_count", "free_count", "waste" };

/* clang-format off */
static const struct kma_option kma_trace_table[] = {
	{ "kernel", 'k', .arg = "DIR", TO(TEXT, load.kernel.tree),
	  .help = "built kernel tree; without a log, the current directory" },
	{ "file", 'f', .arg = "LOG", TO(TEXT, load.account), .excludes = "db-file",
	  .help = "log of kmem events, or any account; - is the standard\n"
		  "input; without one, static sizes are shown" },
	{ "account-file", 'c', .arg = "FILE", TO(TEXT, account_file), .needs = "file db-file",
	  .help = "write an account: a line for each caller" },
	{ "callers-file", 'l', .arg = "FILE", TO(TEXT, callers_file), .needs = "file db-file",
	  .help = "write the callers with their source files" },
	{ "rings-file", 'r', .optional = true, .arg = "[FILE]", TO(TEXT, rings_file), .given = AT(rings),
	  .help = "draw a ring chart, FILE.png or FILE.svg (rings.png)" },
	{ "rings-show", 'i', TO(FLAG, show),
	  .help = "open the chart with the desktop's viewer" },
	{ "rings-attr", 'a', .arg = "ATTR", .type = KMA_OPTION_OWN, .convert = kma_trace_metric,
	  .member = AT(load.attr), .given = AT(load.has_attr), KMA_OPTION_NAMES(kma_trace_attr_words),
	  .help = "what the chart shows: current, static, waste,\n"
		  "current_dynamic (default), total_dynamic" },
	{ "start-branch", 'b', .arg = "BRANCH", TO(TEXT, load.branch),
	  .help = "only what is in this directory (fs, fs/ext2)" },
	{ "order-by", 'o', .arg = "ORDER", .type = KMA_OPTION_OWN, .convert = kma_trace_metric,
	  .member = AT(sort), .given = AT(has_sort), KMA_OPTION_NAMES(kma_trace_order_words),
	  .help = "order of the account: current_dynamic (default),\n"
		  "total_dynamic, alloc_count, free_count, waste" },
	{ "malloc", TO(BITS, load.kinds), .min = 1 << KMA_KIND_KMALLOC,
	  .help = "only what kmalloc allocated" },
	{ "cache", TO(BITS, load.kinds), .min = 1 << KMA_KIND_CACHE,
	  .help = "only what kmem_cache_alloc allocated" },
	{ "save-db", .arg = "FILE", TO(TEXT, load.save_db), .needs = "file db-file",
	  .help = "save the account of the log in a DB file" },
	{ "db-file", .arg = "FILE", TO(TEXT, load.db_file),
	  .help = "use a DB file instead of the log" },
	KMA_ROW_MAX_INPUT,
	{ "help", 'h', .type = KMA_OPTION_FLAG,
	  .help = "this text" },
	{ .name = NULL },
};
/* clang-format on */

const struct kma_option_set kma_trace_option_set = {
	.program = "trace_analyze",
	.usage = "[OPTION...]",
	.about = "Show what a kernel allocates, and its static sizes.",
	.examples = "Examples:\n"
		    "  trace_analyze -k linux -b fs/ext2 -r ext2.png\n"
		    "  trace_analyze -k linux -f kmem.log -c account.txt -o waste --malloc\n"
		    "  trace_analyze -k linux -f kmem.log -r fs.png -a waste -b fs\n"
		    "  trace_analyze -k linux -f kmem.log --save-db db\n"
		    "  trace_analyze -k linux --db-file db -r rings.png -c account.txt\n",
	.options = kma_trace_table,
	.stops = true,
	.width = 24,
};

struct kma_err *kma_trace_options_parse(int argc, char **argv, struct kma_trace_options *ret,
					bool *ret_help)
{
	struct kma_err *err;
	int first;

	*ret = (struct kma_trace_options){
		.load = { .by = KMA_BY(KMA_KEY_DIR), .sizes = KMA_SIZES_IF_THERE },
		.chart = { .levels = 5, .width = KMA_CHART_WIDTH },
	};
	err = kma_option_read(&kma_trace_option_set, argc, argv, ret, &first);
	*ret_help = !err && !first;
	if (err || *ret_help)
		return err;
	ret->chart.file = ret->load.account;
	ret->load.asks_tree = ret->load.has_attr && KMA_TREE_METRICS >> ret->load.attr & 1;
	/* Without a log, the static sizes of a tree are shown, so a tree is needed. */
	if (!ret->load.account && !ret->load.db_file && !ret->load.kernel.tree)
		ret->load.kernel.tree = ".";
	return NULL;
}
