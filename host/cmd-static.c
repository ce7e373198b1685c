// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-static.c - kmem-account static: what a built kernel holds from the start.
 *
 * An object that cannot be read, a vmlinux that is not there: said in one line, and the
 * report is of what is there.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "tree/footprint.h"
#include "tree/linked.h"

struct kma_sizes {
	const struct kma_options *opts;
	const struct kma_footprint_by *by;
	struct kma_objects *objects;
	struct kma_static *st;
	struct kma_linked *image;
	struct kma_node *root;
	struct kma_account *account; /* without sites: views want one */
	unsigned int metrics;
};

static void kma_sizes_deinit(struct kma_sizes *sizes)
{
	kma_account_destroy(sizes->account);
	kma_node_destroy(sizes->root);
	kma_linked_destroy(sizes->image);
	kma_static_destroy(sizes->st);
	kma_objects_destroy(sizes->objects);
}

static const char *kma_sizes_dir(const struct kma_sizes *sizes)
{
	return sizes->opts->tree ?: ".";
}

static struct kma_err *kma_static_check(const struct kma_options *opts,
					const struct kma_footprint_by **by)
{
	const char *format = opts->format ?: "table";
	struct kma_err *err;

	if (!kma_view_find(format))
		return kma_err_create(NULL, 0, "unknown format '%s'; there is table, csv, json",
				      format);
	err = kma_footprint_find(opts->by, by);
	if (!err && opts->depth && strcmp((*by)->name, "dir"))
		err = kma_err_create(NULL, 0, "--depth needs --by dir");
	return err;
}

static void kma_sizes_say(const struct kma_sizes *sizes)
{
	const struct kma_static_stats *stats = &sizes->st->stats;
	const char *dir = kma_sizes_dir(sizes);

	if (stats->unreadable)
		kma_warn("%s: %zu of %zu objects cannot be read and are missing, the first: %s",
			 dir, stats->unreadable, stats->objects + stats->unreadable, stats->first);
	if (stats->lto)
		kma_warn(
			"%s: %zu of %zu objects are of link-time optimisation: their code is made when vmlinux is linked, in no object's name",
			dir, stats->lto, stats->objects);
	if (!sizes->image)
		return;
	if (sizes->image->shrunk)
		kma_warn("%s/vmlinux: has %" PRIu64
			 " bytes less than its objects: relaxed by the linker, or of another build",
			 dir, sizes->image->shrunk);
	if (!sizes->image->has_script)
		kma_warn(
			"%s: has no arch/*/kernel/vmlinux.lds; sections are matched by their names",
			dir);
}

static struct kma_err *kma_sizes_load(struct kma_sizes *sizes)
{
	bool image = sizes->opts->image;
	unsigned int flags = 0;
	struct kma_err *err;

	if (sizes->by->pieces || image)
		flags |= KMA_STATIC_PIECES;
	if (image)
		flags |= KMA_STATIC_BYTES;
	sizes->metrics = image ? KMA_IMAGE_METRICS : KMA_STATIC_METRICS;
	err = kma_objects_create(kma_sizes_dir(sizes), &sizes->objects);
	if (!err)
		err = kma_static_read(sizes->objects, flags, &sizes->st);
	if (!err && image)
		err = kma_linked_create(kma_sizes_dir(sizes), sizes->st, &sizes->image);
	if (!err)
		kma_sizes_say(sizes);
	if (!err)
		err = kma_account_create(kma_sizes_dir(sizes), &sizes->account);
	return err ? err : kma_account_finish(sizes->account);
}

static struct kma_err *kma_sizes_tree(struct kma_sizes *sizes, struct kma_node **branch)
{
	struct kma_footprint fp = {
		.st = sizes->st,
		.image = sizes->image,
		.by = sizes->by,
		.branch = sizes->opts->branch,
	};
	struct kma_err *err;

	err = kma_footprint_tree(&fp, &sizes->root);
	*branch = sizes->root;
	if (!err && sizes->by->tree && sizes->opts->branch)
		err = kma_node_find(sizes->root, sizes->opts->branch, branch);
	return err;
}

static struct kma_err *kma_sizes_metrics(const struct kma_sizes *sizes, struct kma_report *report,
					 enum kma_metric_id *sort)
{
	const struct kma_options *opts = sizes->opts;
	struct kma_err *err = NULL;

	report->attr = KMA_STATIC;
	if (opts->attr)
		err = kma_metric_find(opts->attr, sizes->metrics, &report->attr);
	*sort = report->attr;
	if (!err && opts->sort)
		err = kma_metric_find(opts->sort, sizes->metrics, sort);
	if (!err && opts->columns)
		err = kma_metric_set(opts->columns, sizes->metrics, &report->columns);
	return err;
}

static struct kma_err *kma_sizes_show(struct kma_sizes *sizes)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct kma_options *opts = sizes->opts;
	struct kma_rows rows = { 0 };
	struct kma_report report = {
		.account = sizes->account,
		.rows = &rows,
		.metrics = sizes->metrics,
		.by = !sizes->by->tree		     ? KMA_BY_CALLER :
		      strcmp(sizes->by->name, "dir") ? KMA_BY_FILE :
						       KMA_BY_DIR,
		.key = sizes->by->name,
		.key_title = sizes->by->title,
		.bytes = opts->bytes,
		.release = "",
		.branch = opts->branch ?: "",
	};
	struct kma_node *branch;
	enum kma_metric_id sort;
	struct kma_err *err;

	err = kma_sizes_metrics(sizes, &report, &sort);
	if (!err)
		err = kma_sizes_tree(sizes, &branch);
	if (!err)
		err = kma_rows_init(&rows, branch, report.by, opts->depth);
	if (!err) {
		kma_rows_sort(&rows, sort);
		err = kma_rows_top(&rows, opts->top);
	}
	if (!err) {
		kma_view_find(opts->format ?: "table")->write(&report, &text);
		err = kma_write_text(&text, opts->output);
	}
	kma_rows_deinit(&rows);
	return err;
}

static int kma_static_run(const struct kma_cmd *cmd, int argc, char **argv)
{
	struct kma_options opts;
	struct kma_sizes sizes = { .opts = &opts };
	struct kma_err *err;

	err = kma_options_parse(cmd, argc, argv, &opts);
	if (!err && opts.help) {
		kma_options_help(cmd);
		return KMA_EXIT_OK;
	}
	if (!err)
		err = kma_static_check(&opts, &sizes.by);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = kma_sizes_load(&sizes);
	if (!err)
		err = kma_sizes_show(&sizes);
	kma_sizes_deinit(&sizes);
	return kma_fail(err, KMA_EXIT_DATA);
}

const struct kma_cmd kma_cmd_static = {
	.name = "static",
	.bit = KMA_CMD_STATIC,
	.args = "",
	.summary = "Show what a built kernel holds from the start: text, data, bss, init.",
	.examples = "  kmem-account static -k linux\n"
		    "  kmem-account static -k linux -b fs/ext4 --by symbol --top 20\n"
		    "  kmem-account static -k linux --image --by section --bytes\n",
	.run = kma_static_run,
};
