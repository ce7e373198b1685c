// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-report.c - kmem-account report: an account as a list of owners.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "session/load-static.h"
#include "session/loaded.h"
#include "session/options.h"
#include "session/write.h"
#include "show.h"
#include "view/text/view.h"

static struct kma_err *kma_report_check(const struct kma_cmd *cmd, const struct kma_options *opts)
{
	const char *format = opts->format ?: "table";
	struct kma_err *err;
	enum kma_by by;

	if (!kma_view_find(format))
		return kma_err_create(NULL, 0, "unknown format '%s'; there is table, csv, json",
				      format);
	err = kma_by_find(opts, &by);
	return err ? err : kma_check_static(cmd->name, opts);
}

static struct kma_err *kma_report_metrics(const struct kma_options *opts,
					  const struct kma_loaded *loaded, enum kma_metric_id *sort,
					  struct kma_report *report)
{
	unsigned int account = kma_account_metrics(loaded->account);
	unsigned int have = account | loaded->metrics;
	struct kma_err *err = NULL;

	report->metrics = have;
	report->attr = account ? kma_default_attr(loaded) : KMA_STATIC;
	if (opts->attr)
		err = kma_metric_find(opts->attr, have, &report->attr);
	*sort = report->attr;
	if (!err && opts->sort)
		err = kma_metric_find(opts->sort, have, sort);
	if (err)
		return err;
	if (opts->columns)
		return kma_metric_set(opts->columns, have, &report->columns);
	/* Of a tree alone all kinds of sections. */
	report->columns = account ? kma_metric_shown(have, 1U << report->attr | 1U << *sort) : have;
	return NULL;
}

static struct kma_err *kma_report_show(const struct kma_cmd *cmd, const struct kma_options *opts,
				       const struct kma_loaded *loaded)
{
	struct kma_report report = {
		.account = loaded->account,
		.bytes = opts->bytes,
		.has_source = loaded->has_files,
		.unresolved = loaded->stats.unresolved,
		.release = kma_release(loaded),
		.build_id = kma_build_id(loaded),
		.branch = loaded->branch->parent ? opts->branch : "",
	};
	enum kma_metric_id sort;
	struct kma_err *err;

	(void)cmd;
	err = kma_by_find(opts, &report.by);
	if (!err)
		err = kma_report_metrics(opts, loaded, &sort, &report);
	if (err)
		return err;
	/* What needs files is shown by caller without them, whatever was asked for. */
	if (!loaded->has_files && (KMA_BY_NEEDS_FILES >> report.by & 1))
		report.by = KMA_BY_CALLER;
	return kma_report_write(opts, loaded->branch, sort, &report);
}

const struct kma_cmd kma_cmd_report = {
	.name = "report",
	.bit = KMA_CMD_REPORT,
	.args = "[[-f] ACCOUNT]",
	.nr_args = 1,
	.summary = "Show who holds kernel memory: by caller, source file or directory.",
	.examples = "  kmem-account report /proc/kmem_account\n"
		    "  kmem-account report -f kmem.log -k linux --by dir --top 20\n"
		    "  kmem-account report -f kmem.log --vmlinux vmlinux --by file -b fs -o waste\n"
		    "  kmem-account report -f kmem.log -k linux -a current --by dir\n"
		    "  ssh target cat /proc/kmem_account | kmem-account report -f - --format csv\n",
	.run = kma_cmd_show,
	.check = kma_report_check,
	.load = kma_load_static,
	.suits = kma_by_suits,
	.show = kma_report_show,
};
