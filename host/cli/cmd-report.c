// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-report.c - kmem-account report: print an account as a list of owners.
 */
#include <inttypes.h>

#include "cmd-table.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "model/unread.h"
#include "open/open.h"
#include "session/load.h"
#include "session/options.h"
#include "view/text/list.h"
#include "view/text/view.h"

/* Chooses the columns: the requested metrics, or those of the input. */
static struct kma_err *choose_columns(const struct kma_options *opts,
				      const struct kma_loaded *loaded, struct kma_list *list,
				      struct kma_report *report)
{
	unsigned int have = loaded->metrics, asked;

	report->attr = opts->has_attr ? opts->attr : loaded->attr;
	list->sort = opts->has_sort ? opts->sort : report->attr;
	asked = 1U << report->attr | 1U << list->sort;
	/* Without an account, the columns are all kinds of sections. */
	report->columns = kma_account_metrics(loaded->account) ? kma_metric_shown(have, asked) :
								 have;
	if (opts->has_columns)
		report->columns = opts->columns == KMA_METRICS_ALL ? have : opts->columns;
	return kma_metric_check(asked | report->columns, have);
}

static struct kma_err *show(const struct kma_options *opts, const struct kma_loaded *loaded)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_list list = {
		.branch = loaded->branch,
		.depth = opts->depth,
		.top = opts->top,
		.format = opts->format,
		.fit = !opts->all && !opts->output,
		.columns = opts->has_columns,
	};
	struct kma_report report = {
		.account = loaded->account,
		.metrics = loaded->metrics,
		.by = opts->by,
		.bytes = opts->bytes,
		.csv_safe = opts->csv_safe,
		.has_source = loaded->has_files,
		.unresolved = loaded->kernel.stats.unresolved,
		.release = loaded->release,
		.build_id = loaded->build_id,
		.branch = loaded->branch->parent ? opts->branch : "",
	};
	struct kma_err *err;

	if (!loaded->has_files)
		report.by = kma_keys_without_files(&opts->by);
	err = choose_columns(opts, loaded, &list, &report);
	if (err)
		return err;
	kma_list_write(&list, &report, &text);
	return kma_outfile_write(opts->output, &text);
}

/* Says whether the input has too many lines that were not counted. The report is printed anyway. */
static bool lacks_lines(const struct kma_options *opts, const struct kma_loaded *loaded)
{
	struct kma_unread unread;

	kma_unread_of(loaded->account, &unread);
	if (opts->accept_unread || !kma_unread_too_many(&unread))
		return false;
	kma_warn("report: more than 1 %% of the event lines, %" PRIu64 " of %" PRIu64
		 ", %s not understood; --accept-unread accepts this",
		 unread.lines, unread.all, kma_plural(unread.lines, "was", "were"));
	return true;
}

static int run(const struct kma_options *opts)
{
	_cleanup_close_ struct kma_series *series = NULL;
	const char *name = opts->db_file ?: opts->account;
	struct kma_options mine = *opts;
	struct kma_loaded loaded;
	struct kma_err *err;
	int code;

	/* without an input, the built tree is shown */
	if (name) {
		err = kma_open(name, &series);
		if (err)
			return kma_fail_kind(err);
		if (!opts->db_file && series->kind == KMA_SERIES_TABLE) {
			const struct kma_text_options text = kma_options_text(opts);

			return kma_table_show(&text, KMA_NR_MODTABLES, &series, 1);
		}
	}
	mine.input = series;
	err = kma_load(&mine, &loaded) ?: show(opts, &loaded);
	code = err ? kma_fail_kind(err) : loaded.unsaved ? KMA_EXIT_DATA : KMA_EXIT_OK;
	if (!err && lacks_lines(opts, &loaded))
		code = KMA_EXIT_DATA;
	kma_unload(&loaded);
	return code;
}

const struct kma_cmd kma_cmd_report = {
	.name = "report",
	.bits = KMA_CMD_REPORT,
	.args = "[[-f] ACCOUNT]",
	.nr_args = 1,
	.summary = "Show the owners of kernel memory: callers, source files or directories.",
	.examples =
		"  kmem-account report /proc/kmem_account\n"
		"  kmem-account report -f kmem.log -k linux --by dir --top 20\n"
		"  kmem-account report -f kmem.log --vmlinux vmlinux --by file -b fs --sort waste\n"
		"  kmem-account report -f kmem.log -k linux -a current --by dir\n"
		"  ssh target cat /proc/kmem_account | kmem-account report -f - --format csv\n",
	.run = run,
};
