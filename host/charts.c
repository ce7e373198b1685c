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
#include <sys/stat.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "view/picture.h"

struct kma_err *kma_chart_check(const struct kma_cmd *cmd, const struct kma_options *opts)
{
	const struct kma_picture *picture;
	struct kma_err *err = NULL;
	enum kma_theme_id theme;

	if (!opts->nr_render)
		return kma_err_create(NULL, 0,
				      "%s: no picture asked for; use -r FILE.svg, .png or .pdf",
				      cmd->name);
	for (unsigned int i = 0; i < opts->nr_render && !err; i++)
		err = kma_picture_for(opts->render[i], &picture);
	if (!err && opts->theme)
		err = kma_theme_find(opts->theme, &theme);
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

void kma_chart_init(const struct kma_options *opts, const struct kma_loaded *loaded,
		    struct kma_chart *ret)
{
	enum kma_theme_id theme;

	*ret = (struct kma_chart){
		.account = loaded->account,
		.branch = loaded->branch,
		.metrics = kma_account_metrics(loaded->account),
		.depth = opts->depth ? opts->depth : 5,
		.width = opts->width ? opts->width : 1600,
		.title = opts->title,
		.release = kma_release(loaded),
		.build_id = kma_account_note(loaded->account, KMA_NOTE_BUILD_ID) ?: "",
		.time = kma_chart_time(opts, loaded),
		.has_source = loaded->has_files,
		.unresolved = loaded->stats.unresolved,
	};
	/* Checked before. */
	if (opts->theme && !kma_theme_find(opts->theme, &theme))
		ret->theme = theme;
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
