// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-report.c - kmem-account report: an account as a list of owners.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "lib/file.h"

/* Options in the form that the report wants. */
struct kma_report_plan {
	enum kma_by by;
	const struct kma_view_ops *view;
};

static struct kma_err *kma_report_plan(const struct kma_options *opts, struct kma_report_plan *ret)
{
	const char *by = opts->by ?: "dir";
	const char *format = opts->format ?: "table";

	ret->view = kma_view_find(format);
	if (!ret->view)
		return kma_err_create(NULL, 0, "unknown format '%s'; there is table, csv, json",
				      format);
	for (ret->by = 0; ret->by < KMA_NR_BY; ret->by++)
		if (!strcmp(kma_by_names[ret->by], by))
			break;
	if (ret->by == KMA_NR_BY)
		return kma_err_create(NULL, 0, "cannot report by '%s'; there is caller, file, dir",
				      by);
	return NULL;
}

/* What only the input decides: are there files to report by? */
static struct kma_err *kma_report_by(const struct kma_options *opts,
				     const struct kma_loaded *loaded, struct kma_report_plan *plan)
{
	bool given = opts->tree || opts->vmlinux;
	struct kma_err *err;
	char option[16];

	snprintf(option, sizeof(option), "--by %s", kma_by_names[plan->by]);
	err = kma_needs_files(opts, loaded, opts->by && plan->by != KMA_BY_CALLER ? option : NULL);
	if (!err)
		err = kma_needs_files(opts, loaded, opts->branch ? "report: -b" : NULL);
	if (err)
		return err;
	if (opts->depth && (plan->by != KMA_BY_DIR || !(loaded->has_files || given)))
		return kma_err_create(NULL, 0, "--depth needs --by dir");
	/* Without files there are only callers, whatever was asked for. */
	if (!loaded->has_files)
		plan->by = KMA_BY_CALLER;
	return NULL;
}

static struct kma_err *kma_report_metrics(const struct kma_options *opts,
					  const struct kma_loaded *loaded, enum kma_metric_id *sort,
					  struct kma_report *report)
{
	unsigned int have = kma_account_metrics(loaded->account);
	struct kma_err *err = NULL;

	report->attr = kma_default_attr(loaded);
	if (opts->attr)
		err = kma_metric_find(opts->attr, have, &report->attr);
	*sort = report->attr;
	if (!err && opts->sort)
		err = kma_metric_find(opts->sort, have, sort);
	if (err)
		return err;
	if (opts->columns)
		return kma_metric_set(opts->columns, have, &report->columns);
	report->columns = kma_metric_shown(have, 1U << report->attr | 1U << *sort);
	return NULL;
}

static struct kma_err *kma_report_write(const struct kma_report *report,
					const struct kma_view_ops *view, const char *path)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_outfile *out;
	struct kma_err *err;

	view->write(report, &text);
	if (!kma_strbuf_ok(&text))
		return &kma_enomem;
	err = kma_outfile_create(path, &out);
	if (err)
		return err;
	fwrite(text.str, 1, text.len, kma_outfile_stream(out));
	err = kma_outfile_commit(out);
	kma_outfile_destroy(out);
	return err;
}

static struct kma_err *kma_report_show(const struct kma_options *opts,
				       const struct kma_report_plan *plan,
				       const struct kma_loaded *loaded)
{
	struct kma_report report = {
		.account = loaded->account,
		.by = plan->by,
		.bytes = opts->bytes,
		.has_source = loaded->has_files,
		.unresolved = loaded->stats.unresolved,
		.release = kma_release(loaded),
		.branch = loaded->branch->parent ? opts->branch : "",
	};
	enum kma_metric_id sort;
	struct kma_rows rows;
	struct kma_err *err;

	err = kma_report_metrics(opts, loaded, &sort, &report);
	if (err)
		return err;
	report.rows = &rows;
	err = kma_rows_init(&rows, loaded->branch, plan->by, opts->depth);
	if (!err) {
		kma_rows_sort(&rows, sort);
		err = kma_rows_top(&rows, opts->top);
	}
	if (!err)
		err = kma_report_write(&report, plan->view, opts->output);
	kma_rows_deinit(&rows);
	return err;
}

static int kma_report_run(const struct kma_cmd *cmd, int argc, char **argv)
{
	struct kma_report_plan plan = { 0 };
	struct kma_options opts;
	struct kma_loaded loaded;
	struct kma_err *err;
	int code;

	err = kma_options_parse(cmd, argc, argv, &opts);
	if (!err && opts.help) {
		kma_options_help(cmd);
		return KMA_EXIT_OK;
	}
	if (!err)
		err = kma_report_plan(&opts, &plan);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	code = KMA_EXIT_DATA;
	err = kma_load(&opts, &loaded);
	if (!err) {
		err = kma_report_by(&opts, &loaded, &plan);
		code = err ? KMA_EXIT_USAGE : KMA_EXIT_DATA;
	}
	if (!err)
		err = kma_report_show(&opts, &plan, &loaded);
	kma_unload(&loaded);
	return kma_fail(err, code);
}

const struct kma_cmd kma_cmd_report = {
	.name = "report",
	.bit = KMA_CMD_REPORT,
	.summary = "Show who holds kernel memory: by caller, source file or directory.",
	.examples = "  kmem-account report /proc/kmem_account\n"
		    "  kmem-account report -f kmem.log -k linux --by dir --top 20\n"
		    "  kmem-account report -f kmem.log --vmlinux vmlinux --by file -b fs -o waste\n"
		    "  ssh target cat /proc/kmem_account | kmem-account report -f - --format csv\n",
	.run = kma_report_run,
};
