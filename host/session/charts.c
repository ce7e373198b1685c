// SPDX-License-Identifier: GPL-2.0
/*
 * charts.c - from options and an account to a chart, for all commands that draw one.
 *
 * No time of day gets into a picture: it has that of the account. A snapshot knows its
 * own, a plain file has that of its last change. SOURCE_DATE_EPOCH, if it is set, is the
 * latest that is taken, and stands in where none is known.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "charts.h"
#include "lib/cleanup.h"
#include "load-static.h"
#include "model/account.h"
#include "tree/node.h"
#include "tree/union.h"
#include "view/chart/chart.h"
#include "view/picture.h"
#include "view/text/view.h"
#include "write.h"

struct kma_err *kma_chart_check(const char *command, bool always, const struct kma_options *opts)
{
	const struct kma_picture *picture;
	struct kma_err *err = NULL;
	enum kma_chart_kind kind;
	enum kma_theme_id theme;
	bool page = false;

	if (!opts->nr_render && always)
		return kma_err_create(
			NULL, 0, "%s: no picture asked for; use -r FILE.svg, .png, .pdf or .html",
			command);
	if (!opts->nr_render && (opts->chart || opts->theme || opts->width || opts->title))
		return kma_err_create(
			NULL, 0, "%s: --chart, --theme, --width and --title need -r FILE", command);
	for (unsigned int i = 0; i < opts->nr_render && !err; i++) {
		err = kma_picture_for(opts->render[i], &picture);
		page |= !err && picture->whole;
	}
	if (!err && !page && (opts->max_nodes || opts->plain))
		err = kma_err_create(NULL, 0, "%s: --max-nodes and --plain need -r FILE.html",
				     command);
	if (!err && opts->theme)
		err = kma_theme_find(opts->theme, &theme);
	if (!err && opts->chart)
		err = kma_chart_find(opts->chart, &kind);
	return err || !always ? err : kma_check_static(command, opts);
}

bool kma_chart_has_text(const struct kma_options *opts)
{
	return !opts->nr_render || opts->format || opts->output;
}

/* A page has all that there is, and a built tree is there for the looking. */
static bool kma_chart_pages(const struct kma_options *opts)
{
	const struct kma_picture *picture;
	struct kma_err *err = NULL;
	bool pages = opts->nr_render > 0;

	for (unsigned int i = 0; i < opts->nr_render && !err; i++) {
		err = kma_picture_for(opts->render[i], &picture);
		pages = pages && !err && picture->whole;
	}
	kma_err_destroy(err);
	return pages;
}

struct kma_err *kma_chart_load(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err = kma_load_static(opts, ret);

	if (!err && !kma_wants_static(opts) && ret->source && ret->source->ops->objects &&
	    kma_chart_pages(opts))
		err = kma_join_static(opts, ret);
	return err;
}

/* Files of /proc and /sys are of now, and have no size. */
static int64_t kma_chart_time(const struct kma_options *opts, const struct kma_loaded *loaded)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	int64_t when = 0, latest;
	struct stat st;
	char *end;

	if (loaded->snapshot.id)
		when = loaded->snapshot.time;
	else if (opts->account && !stat(opts->account, &st) && S_ISREG(st.st_mode) && st.st_size)
		when = st.st_mtime;
	if (!epoch || !*epoch)
		return when;
	errno = 0;
	latest = strtoll(epoch, &end, 10);
	if (errno || *end || latest < 0)
		return when;
	return when && when < latest ? when : latest;
}

static unsigned int kma_chart_metrics(const struct kma_loaded *loaded)
{
	return kma_account_metrics(loaded->account) | loaded->metrics;
}

void kma_chart_init(const struct kma_options *opts, const struct kma_loaded *loaded,
		    struct kma_chart *ret)
{
	enum kma_chart_kind kind;
	enum kma_theme_id theme;

	*ret = (struct kma_chart){
		.account = loaded->account,
		.branch = loaded->branch,
		.metrics = kma_chart_metrics(loaded),
		.depth = opts->depth ? opts->depth : 5,
		.width = opts->width ? opts->width : 1600,
		.max_nodes = opts->max_nodes,
		.plain = opts->plain,
		.title = opts->title,
		.release = kma_release(loaded),
		.build_id = kma_account_note(loaded->account, KMA_NOTE_BUILD_ID) ?: "",
		.time = kma_chart_time(opts, loaded),
		.has_source = loaded->has_files,
		.unresolved = loaded->stats.unresolved,
		.objects = loaded->objects,
	};
	/* Checked before. */
	if (opts->theme && !kma_theme_find(opts->theme, &theme))
		ret->theme = theme;
	if (opts->chart && !kma_chart_find(opts->chart, &kind))
		ret->kind = kind;
}

struct kma_err *kma_chart_compare(const struct kma_options *opts, const struct kma_compared *both)
{
	const struct kma_loaded *const *sides = both->sides;
	struct kma_union_params params = {
		.sides = { sides[KMA_BEFORE]->root, sides[KMA_AFTER]->root },
		.match = both->match,
		/* Where one side knows no files, of callers alone. */
		.flat = !sides[KMA_BEFORE]->has_files || !sides[KMA_AFTER]->has_files,
	};
	struct kma_chart_sides names = {
		.accounts = { sides[KMA_BEFORE]->account, sides[KMA_AFTER]->account },
		.about = { both->about[KMA_BEFORE], both->about[KMA_AFTER] },
		.unresolved = { sides[KMA_BEFORE]->stats.unresolved,
				sides[KMA_AFTER]->stats.unresolved },
	};
	struct kma_node *root = NULL;
	struct kma_chart chart;
	struct kma_err *err;

	kma_chart_init(opts, sides[KMA_AFTER], &chart);
	err = kma_union_create(&params, &root);
	chart.branch = root;
	if (!err && opts->branch && !params.flat)
		err = kma_node_find(root, opts->branch, &chart.branch);
	chart.metric = both->metric;
	chart.metrics &= kma_chart_metrics(sides[KMA_BEFORE]);
	chart.has_source = !params.flat;
	chart.by = both->by;
	chart.sides = &names;
	if (!err)
		err = kma_chart_write(opts, &chart);
	kma_node_destroy(root);
	return err;
}

static struct kma_err *kma_chart_write_one(const struct kma_chart *chart, const char *path)
{
	_cleanup_strbuf_ struct kma_strbuf bytes = { 0 };
	const struct kma_picture *picture;
	struct kma_err *err;

	err = kma_picture_for(path, &picture);
	if (!err)
		err = picture->write(chart, &bytes);
	return err ? err : kma_write_text(&bytes, path);
}

struct kma_err *kma_chart_write(const struct kma_options *opts, const struct kma_chart *chart)
{
	struct kma_err *err = NULL;

	if (!kma_metrics[chart->metric].get(&chart->branch->values))
		return kma_err_create(chart->account ? kma_account_name(chart->account) : NULL, 0,
				      "has nothing to draw: no %s",
				      kma_metrics[chart->metric].what);
	for (unsigned int i = 0; i < opts->nr_render && !err; i++)
		err = kma_chart_write_one(chart, opts->render[i]);
	return err;
}
