// SPDX-License-Identifier: GPL-2.0-only
/*
 * charts.c - make charts of an account as the options say, for all commands that draw one.
 *
 * A picture contains the time of the account, not the current time. A snapshot of the module, a sample
 * of a history and a snapshot in a DB file have their own times, a plain file that of its last change.
 * SOURCE_DATE_EPOCH, if set, is the upper limit of this time, and replaces an unknown time.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "charts.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/strbuf.h"
#include "model/account.h"
#include "model/moment.h"
#include "model/sampled.h"
#include "tree/node.h"
#include "tree/union.h"
#include "view/chart/chart.h"
#include "view/page/figure.h"
#include "view/picture.h"

struct kma_err *kma_chart_write_scene(const struct kma_chart_options *opts, unsigned int nr,
				      const struct kma_scene *scene,
				      const struct kma_strbuf *tables)
{
	_cleanup_strbuf_ struct kma_strbuf bytes = { 0 };
	const struct kma_picture *picture = opts->render.list[nr].picture;
	struct kma_err *err = NULL;

	if (picture->draw)
		err = picture->draw(scene, opts->width, 0, &bytes);
	else
		kma_figure_write(scene, opts->width, tables->str ?: "", &bytes);
	return err ?: kma_outfile_write(opts->render.list[nr].path, &bytes);
}

/* Time of a chart in seconds since 1970; 0: unknown, as for files of /proc and /sys. */
static int64_t chart_time(const struct kma_chart_options *opts, const struct kma_loaded *loaded)
{
	const struct kma_account *account = loaded->whole ?: loaded->account;
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	struct kma_moment moment;
	int64_t when = 0, latest;
	struct stat st;
	char *end;

	if (account && kma_moment_of(account, &moment))
		when = moment.time / 1000000000;
	else if (loaded->snapshot.id)
		when = loaded->snapshot.time;
	else if (opts->file && !stat(opts->file, &st) && S_ISREG(st.st_mode) && st.st_size)
		when = st.st_mtime;
	if (!epoch || !*epoch)
		return when;
	errno = 0;
	latest = strtoll(epoch, &end, 10);
	if (errno || *end || latest < 0)
		return when;
	return when && when < latest ? when : latest;
}

void kma_chart_init(const struct kma_chart_options *opts, const struct kma_loaded *loaded,
		    struct kma_chart *ret)
{
	*ret = (struct kma_chart){
		.kind = opts->chart,
		.theme = opts->theme,
		.account = loaded->account,
		.branch = loaded->branch,
		.metrics = loaded->metrics,
		.depth = opts->levels ?: kma_chart_depths[opts->chart],
		.width = opts->width,
		.max_nodes = opts->max_nodes,
		.plain = opts->plain,
		.source_url = opts->source_url,
		.title = opts->title,
		.only = loaded->only.len ? loaded->only.str : NULL,
		.release = loaded->release,
		.build_id = kma_account_note(loaded->account, KMA_NOTE_BUILD_ID) ?: "",
		.time = chart_time(opts, loaded),
		.has_source = loaded->has_files,
		.unresolved = loaded->kernel.stats.unresolved,
		.slab = loaded->slab,
		.objects = loaded->objects,
		.key = KMA_BY(KMA_KEY_DIR),
		.main_key = KMA_BY(KMA_KEY_DIR),
	};
}

static void destroy_node(struct kma_node **node)
{
	kma_node_destroy(*node);
}

struct kma_err *kma_chart_compare(const struct kma_chart_options *opts,
				  const struct kma_compared *both)
{
	const struct kma_loaded *const *sides = both->sides;
	struct kma_union_params params = {
		.sides = { sides[KMA_BEFORE]->kernel.root, sides[KMA_AFTER]->kernel.root },
		.match = both->match,
		/* If one side has no files, callers are compared without them. */
		.flat = !sides[KMA_BEFORE]->has_files || !sides[KMA_AFTER]->has_files,
	};
	struct kma_chart_sides names = {
		.accounts = { sides[KMA_BEFORE]->account, sides[KMA_AFTER]->account },
		.about = { both->about[KMA_BEFORE], both->about[KMA_AFTER] },
		.unresolved = { sides[KMA_BEFORE]->kernel.stats.unresolved,
				sides[KMA_AFTER]->kernel.stats.unresolved },
	};
	_cleanup_(destroy_node) struct kma_node *root = kma_union_create(&params);
	struct kma_err *err;
	struct kma_chart chart;

	kma_chart_init(opts, sides[KMA_AFTER], &chart);
	chart.branch = root;
	if (both->branch && !params.flat) {
		err = kma_node_find(root, both->branch, &chart.branch);
		if (err)
			return err;
	}
	chart.metric = both->metric;
	chart.metrics &= sides[KMA_BEFORE]->metrics;
	chart.has_source = !params.flat;
	chart.by = both->by;
	chart.sides = &names;
	chart.same = kma_union_use_after(chart.branch, chart.metric);
	return kma_chart_write(opts, &chart);
}

/* Returns the chart for a picture, which shows only the tree by the requested keys. @by: its subtitle. */
static struct kma_chart chart_pictured(const struct kma_chart *chart, struct kma_strbuf *by)
{
	const struct kma_chart_tree *tree = kma_chart_tree(chart, &chart->key);
	struct kma_chart picture = *chart;

	if (!chart->by && !kma_keys_are(&chart->key, KMA_KEY_DIR)) {
		kma_keys_levels(&chart->key, by);
		picture.by = by->str;
	}
	if (!tree)
		return picture;
	picture.account = tree->account;
	picture.branch = tree->root;
	picture.metrics = tree->metrics;
	picture.has_source = tree->has_source;
	picture.unresolved = tree->unresolved;
	picture.stacks = kma_keys_need(&chart->key, KMA_KEY_NEEDS_STACKS);
	picture.groups = !picture.stacks;
	return picture;
}

/* Adds a remark to the subtitle of a picture whose stacks are samples. */
static void chart_estimates(struct kma_chart *picture, struct kma_strbuf *by)
{
	if (!picture->by || !picture->account ||
	    !kma_account_note(picture->account, KMA_NOTE_SAMPLED))
		return;
	kma_strbuf_puts(by, "; estimates from samples");
	picture->by = by->str;
}

struct kma_err *kma_chart_write(const struct kma_chart_options *opts, const struct kma_chart *chart)
{
	_cleanup_strbuf_ struct kma_strbuf by = { 0 };
	struct kma_chart picture = chart_pictured(chart, &by);
	struct kma_err *err;

	chart_estimates(&picture, &by);
	err = kma_metric_check(1U << chart->metric, picture.metrics);
	if (err)
		return err;
	if (!kma_metrics[chart->metric].get(picture.branch->values))
		return kma_err_create(chart->account ? kma_account_name(chart->account) : NULL, 0,
				      "nothing to draw: no %s in this input",
				      kma_metrics[chart->metric].what);
	for (unsigned int i = 0; i < opts->render.nr; i++) {
		_cleanup_strbuf_ struct kma_strbuf bytes = { 0 };
		const struct kma_picture *kind = opts->render.list[i].picture;

		err = kma_picture_write(kind, kind->draw ? &picture : chart, &bytes);
		if (err)
			return err;
		err = kma_outfile_write(opts->render.list[i].path, &bytes);
		if (err)
			return err;
	}
	return NULL;
}
