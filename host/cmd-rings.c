// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-rings.c - kmem-account rings: an account as a ring chart.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "view/picture.h"

static struct kma_err *kma_rings_check(const struct kma_options *opts)
{
	const struct kma_picture *picture;
	struct kma_err *err = NULL;

	if (!opts->nr_render)
		return kma_err_create(NULL, 0,
				      "rings: no picture asked for; use -r FILE.svg or .png");
	for (unsigned int i = 0; i < opts->nr_render && !err; i++)
		err = kma_picture_for(opts->render[i], &picture);
	return err;
}

static struct kma_err *kma_rings_write(const struct kma_chart *chart, const char *path)
{
	_cleanup_strbuf_ struct kma_strbuf bytes = { 0 };
	const struct kma_picture *picture;
	struct kma_err *err;

	err = kma_picture_for(path, &picture);
	if (!err)
		err = picture->write(chart, &bytes);
	return err ? err : kma_write_text(&bytes, path);
}

static struct kma_err *kma_rings_show(const struct kma_options *opts,
				      const struct kma_loaded *loaded)
{
	struct kma_chart chart = {
		.account = loaded->account,
		.branch = loaded->branch,
		.depth = opts->depth ? opts->depth : 5,
		.width = opts->width ? opts->width : 1600,
		.title = opts->title,
		.metrics = kma_account_metrics(loaded->account),
		.release = kma_release(loaded),
		.build_id = kma_account_note(loaded->account, KMA_NOTE_BUILD_ID) ?: "",
		.has_source = loaded->has_files,
		.unresolved = loaded->stats.unresolved,
	};
	struct kma_err *err = NULL;

	chart.metric = kma_default_attr(loaded);
	if (opts->attr)
		err = kma_metric_find(opts->attr, kma_account_metrics(loaded->account),
				      &chart.metric);
	if (err)
		return err;
	if (!kma_metrics[chart.metric].get(&chart.branch->values))
		return kma_err_create(kma_account_name(loaded->account), 0,
				      "has nothing to draw: no %s", kma_metrics[chart.metric].what);
	for (unsigned int i = 0; i < opts->nr_render && !err; i++)
		err = kma_rings_write(&chart, opts->render[i]);
	return err;
}

static struct kma_err *kma_rings_suits(const struct kma_options *opts,
				       const struct kma_loaded *loaded)
{
	return kma_needs_files(opts, loaded, opts->branch ? "rings: -b" : NULL);
}

const struct kma_cmd kma_cmd_rings = {
	.name = "rings",
	.bit = KMA_CMD_RINGS,
	.args = "[-f] ACCOUNT -r FILE...",
	.nr_args = 1,
	.summary = "Draw who holds kernel memory: directories, files and callers as rings.",
	.examples = "  kmem-account rings -f kmem.log -k linux -r rings.svg -r rings.png\n"
		    "  kmem-account rings -f kmem.log -k linux -b fs -a waste -r fs.svg\n",
	.run = kma_cmd_show,
	.check = kma_rings_check,
	.suits = kma_rings_suits,
	.show = kma_rings_show,
};
