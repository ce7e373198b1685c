// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff-trees.c - kmem-account diff of two built kernels, by static sizes.
 *
 * A side is a built tree, a vmlinux or a debug package; session/sizes.c loads each of them into the
 * same form. The rows of both sides (by directory, file, subsystem, object, symbol, section or
 * module) go into a diff of accounts (model/diff.c), which matches them by their names. Tables,
 * pictures and --fail-above are therefore the same as those of accounts.
 *
 * A branch (-b) that only one side has is new or gone: all of its rows are on that side. If neither
 * side has the branch, this is an error.
 *
 * If files of a side could not be read, or its image is missing, their bytes would look like a
 * change. The comparison is then shown with a note, and --fail-above reports that it cannot tell
 * (diff-verdict.c) instead of a verdict.
 *
 * Both sides are in memory at the same time. Nothing is built, and no file of a tree is changed.
 */
#include <string.h>

#include "diff-trees.h"
#include "diff-verdict.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/notes.h"
#include "model/diff.h"
#include "open/open.h"
#include "session/charts.h"
#include "session/loaded.h"
#include "session/options.h"
#include "lib/say.h"
#include "session/sizes.h"
#include "tree/node.h"
#include "view/text/diff.h"

struct kma_trees {
	const struct kma_diff_args *args;
	enum kma_metric_id metric;
	struct kma_sizes sides[KMA_NR_DIFF_SIDES];
};

static struct kma_err *kma_trees_check(struct kma_trees *trees)
{
	const struct kma_diff_args *args = trees->args;

	if (args->nr_names != KMA_NR_DIFF_SIDES)
		return kma_err_create(NULL, 0, "diff: needs two built trees, BEFORE and AFTER");
	trees->metric = args->load.has_attr ? args->load.attr : KMA_STATIC;
	return kma_metric_check(1U << trees->metric,
				args->sizes.image ? KMA_IMAGE_METRICS : KMA_STATIC_METRICS);
}

/* Loads both kernels. A branch that only one has is new or gone; if neither has it, an error. */
static struct kma_err *kma_trees_load(struct kma_trees *trees)
{
	struct kma_err *err = NULL, *missing = NULL;
	unsigned int nr_missing = 0;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		const char *dir = trees->args->names[i];

		enum kma_series_kind kind = kma_open_kind(dir);

		if (kind != KMA_SERIES_DIR && kind != KMA_SERIES_ELF &&
		    kind != KMA_SERIES_HISTORY) {
			err = kma_err_create(
				dir, 0,
				"not a directory; a built tree can be compared only with another built tree or a vmlinux");
			break;
		}
		err = kma_sizes_load(&trees->args->sizes, dir, true, &trees->sides[i]);
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

static void kma_trees_add(const struct kma_trees *trees, struct kma_diff *diff)
{
	const struct kma_keys by = kma_sizes_by(trees->args->sizes.key);

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		struct kma_rows rows;

		if (!trees->sides[i].branch)
			continue;
		kma_rows_init(&rows, trees->sides[i].branch, &by, trees->args->load.depth);
		for (size_t n = 0; n < rows.nr; n++)
			kma_diff_add(diff, i, rows.rows[n].key, rows.rows[n].values);
		kma_rows_deinit(&rows);
	}
}

static struct kma_err *kma_trees_write(const struct kma_trees *trees, const struct kma_diff *diff)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct kma_diff_args *args = trees->args;
	struct kma_diff_report report = {
		.diff = diff,
		.by = kma_sizes_by(trees->args->sizes.key),
		.key = kma_footprint_bys[args->sizes.key].name,
		.key_title = kma_footprint_bys[args->sizes.key].title,
		.sizes = true,
		.metric = trees->metric,
		.branch = args->load.branch ?: "",
		.bytes = args->text.bytes,
		.csv_safe = args->text.csv_safe,
		.fit = !args->text.all && !args->text.output && !args->text.top,
	};

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++)
		report.inputs[i] = (struct kma_diff_input){ trees->sides[i].account, "" };
	kma_diff_text(&report, args->text.format, &text);
	return kma_outfile_write(args->text.output, &text);
}

static struct kma_err *kma_trees_draw(const struct kma_trees *trees)
{
	const struct kma_footprint_by *by = &kma_footprint_bys[trees->args->sizes.key];
	struct kma_loaded sides[KMA_NR_SIDES];
	struct kma_compared both = {
		.sides = { &sides[KMA_BEFORE], &sides[KMA_AFTER] },
		.about = { trees->sides[KMA_BEFORE].release, trees->sides[KMA_AFTER].release },
		.match = KMA_DIFF_BY_SITE,
		.metric = trees->metric,
		.branch = trees->args->sizes.branch,
		.by = by->tree ? "directory, file and section" : by->name,
	};

	for (unsigned int i = 0; i < KMA_NR_SIDES; i++)
		kma_sizes_loaded(&trees->sides[i], trees->args->sizes.key, &sides[i]);
	return kma_chart_compare(&trees->args->chart, &both);
}

/* Exit status. If a side lacks files or the image, missing bytes would look like a change. */
static int kma_trees_verdict(const struct kma_trees *trees, const struct kma_diff *diff)
{
	const struct kma_sizes *sides = trees->sides;
	int code = KMA_EXIT_OK;

	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++)
		if (sides[i].no_image || kma_gaps_total(&sides[i].gaps))
			code = kma_diff_cannot_tell(trees->args, sides[i].dir);
	return code ?: kma_diff_verdict(trees->args, diff, trees->metric);
}

static struct kma_err *kma_trees_show(const struct kma_trees *trees, int *verdict)
{
	const struct kma_diff_args *args = trees->args;
	struct kma_diff *diff = kma_diff_create();
	struct kma_err *err = NULL;

	kma_trees_add(trees, diff);
	kma_diff_finish(diff, trees->metric, args->floor, args->text.top);
	if (kma_text_wanted(&args->text, &args->chart))
		err = kma_trees_write(trees, diff);
	if (!err && args->chart.render.nr)
		err = kma_trees_draw(trees);
	if (!err)
		*verdict = kma_trees_verdict(trees, diff);
	kma_diff_destroy(diff);
	return err;
}

int kma_diff_trees(const struct kma_diff_args *args)
{
	struct kma_trees trees = { .args = args };
	int verdict = KMA_EXIT_OK;
	struct kma_err *err;

	err = kma_trees_check(&trees);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = kma_trees_load(&trees) ?: kma_trees_show(&trees, &verdict);
	for (unsigned int i = 0; i < KMA_NR_DIFF_SIDES; i++) {
		if (trees.sides[i].no_image)
			verdict = KMA_EXIT_DATA;
		kma_sizes_deinit(&trees.sides[i]);
	}
	return err ? kma_fail(err, KMA_EXIT_DATA) : verdict;
}
