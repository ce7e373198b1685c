// SPDX-License-Identifier: GPL-2.0
/*
 * diff-trees.c - kmem-account diff of two built kernels.
 */
#include <string.h>

#include "diff-trees.h"
#include "diff-verdict.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/gaps.h"
#include "model/diff.h"
#include "session/charts.h"
#include "session/loaded.h"
#include "session/options.h"
#include "lib/say.h"
#include "session/sizes.h"
#include "session/write.h"
#include "tree/node.h"
#include "view/text/diff.h"

struct kma_trees {
	const struct kma_options *opts;
	const struct kma_footprint_by *by;
	enum kma_metric_id metric;
	struct kma_sizes sides[KMA_NR_DIFF_SIDES];
};

bool kma_diff_are_trees(const struct kma_options *opts)
{
	for (unsigned int i = 0; i < opts->nr_args; i++)
		if (kma_file_is_dir(opts->args[i]))
			return true;
	return false;
}

/* What is of accounts alone. */
static const char *kma_trees_excess(const struct kma_options *opts)
{
	const struct {
		bool given;
		const char *name;
	} options[] = {
		{ opts->tree, "-k" },		{ opts->vmlinux, "--vmlinux" },
		{ opts->db_file, "--db-file" }, { opts->save_db, "--save-db" },
		{ opts->malloc, "--malloc" },	{ opts->cache, "--cache" },
		{ opts->pages, "--pages" },	{ opts->percpu, "--percpu" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].given)
			return options[i].name;
	return NULL;
}

static struct kma_err *kma_trees_check(struct kma_trees *trees)
{
	const struct kma_options *opts = trees->opts;
	const char *excess = kma_trees_excess(opts);
	struct kma_err *err;

	if (opts->nr_args != KMA_NR_DIFF_SIDES)
		return kma_err_create(NULL, 0, "diff: needs two built trees, BEFORE and AFTER");
	if (excess)
		return kma_err_create(NULL, 0, "diff: %s is not for built trees", excess);
	if (!kma_diff_view_find(opts->format ?: "table"))
		return kma_err_create(NULL, 0, "unknown format '%s'; there is table, csv, json",
				      opts->format);
	err = kma_chart_check("diff", false, opts);
	if (!err)
		err = kma_footprint_find(opts->by, &trees->by);
	if (!err && opts->depth && strcmp(trees->by->name, "dir"))
		err = kma_err_create(NULL, 0, "--depth needs --by dir");
	trees->metric = KMA_STATIC;
	if (!err && opts->attr)
		err = kma_metric_find(opts->attr,
				      opts->image ? KMA_IMAGE_METRICS : KMA_STATIC_METRICS,
				      &trees->metric);
	return err;
}

/* A branch that only one side has is new, or gone; one that none has was mistyped. */
static struct kma_err *kma_trees_load(struct kma_trees *trees)
{
	struct kma_err *err = NULL, *missing = NULL;
	unsigned int nr_missing = 0;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		const char *dir = trees->opts->args[i];

		if (!kma_file_is_dir(dir)) {
			err = kma_err_create(
				dir, 0,
				"is no directory, and a built tree is compared with another one only");
			break;
		}
		err = kma_sizes_load(trees->opts, trees->by, dir, true, &trees->sides[i]);
		if (kma_err_is(err, KMA_ERR_NOT_FOUND)) {
			kma_err_destroy(missing);
			missing = err;
			err = NULL;
			nr_missing++;
		}
		if (err)
			break;
	}
	if (!err && nr_missing == KMA_NR_DIFF_SIDES)
		return missing;
	kma_err_destroy(missing);
	return err;
}

static struct kma_err *kma_trees_add(const struct kma_trees *trees, struct kma_diff *diff)
{
	struct kma_err *err = NULL;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES && !err; i++) {
		struct kma_rows rows;

		if (!trees->sides[i].branch)
			continue;
		err = kma_rows_init(&rows, trees->sides[i].branch, kma_sizes_by(trees->by),
				    trees->opts->depth);
		for (size_t n = 0; n < rows.nr && !err; n++)
			err = kma_diff_add(diff, i, rows.rows[n].key, rows.rows[n].values);
		kma_rows_deinit(&rows);
	}
	return err;
}

static struct kma_err *kma_trees_write(const struct kma_trees *trees, const struct kma_diff *diff)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct kma_options *opts = trees->opts;
	struct kma_diff_report report = {
		.diff = diff,
		.by = kma_sizes_by(trees->by),
		.key = trees->by->name,
		.key_title = trees->by->title,
		.sizes = true,
		.metric = trees->metric,
		.branch = opts->branch ?: "",
		.bytes = opts->bytes,
	};

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++)
		report.inputs[i] = (struct kma_diff_input){ trees->sides[i].account, "" };
	kma_diff_view_find(opts->format ?: "table")->write(&report, &text);
	return kma_write_text(&text, opts->output);
}

static struct kma_err *kma_trees_draw(const struct kma_trees *trees)
{
	struct kma_loaded sides[KMA_NR_SIDES];
	struct kma_compared both = {
		.sides = { &sides[KMA_BEFORE], &sides[KMA_AFTER] },
		.about = { trees->sides[KMA_BEFORE].release, trees->sides[KMA_AFTER].release },
		.match = KMA_DIFF_BY_SITE,
		.metric = trees->metric,
		.by = trees->by->tree ? "directory, file and section" : trees->by->name,
	};

	for (unsigned int i = 0; i < KMA_NR_SIDES; i++)
		kma_sizes_loaded(&trees->sides[i], trees->by, &sides[i]);
	return kma_chart_compare(trees->opts, &both);
}

/* A side that lacks files, or the image that was asked for, would change by what it lacks. */
static int kma_trees_verdict(const struct kma_trees *trees, const struct kma_diff *diff)
{
	const struct kma_sizes *sides = trees->sides;
	int code = KMA_EXIT_OK;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++)
		if (sides[i].no_image || kma_gaps_total(&sides[i].gaps))
			code = kma_diff_cannot_tell(trees->opts, sides[i].dir);
	return code ?: kma_diff_verdict(trees->opts, diff, trees->metric);
}

static struct kma_err *kma_trees_show(const struct kma_trees *trees, int *verdict)
{
	const struct kma_options *opts = trees->opts;
	struct kma_diff *diff;
	struct kma_err *err;

	err = kma_diff_create(&diff);
	if (err)
		return err;
	err = kma_trees_add(trees, diff);
	if (!err)
		err = kma_diff_finish(diff, trees->metric, opts->has_floor ? opts->floor : 1,
				      opts->top);
	if (!err && kma_chart_has_text(opts))
		err = kma_trees_write(trees, diff);
	if (!err && opts->nr_render)
		err = kma_trees_draw(trees);
	if (!err)
		*verdict = kma_trees_verdict(trees, diff);
	kma_diff_destroy(diff);
	return err;
}

int kma_diff_trees(const struct kma_options *opts)
{
	struct kma_trees trees = { .opts = opts };
	int verdict = KMA_EXIT_OK;
	struct kma_err *err;

	err = kma_trees_check(&trees);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = kma_trees_load(&trees);
	if (!err)
		err = kma_trees_show(&trees, &verdict);
	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		if (trees.sides[i].no_image)
			verdict = KMA_EXIT_DATA;
		kma_sizes_deinit(&trees.sides[i]);
	}
	return err ? kma_fail(err, KMA_EXIT_DATA) : verdict;
}
