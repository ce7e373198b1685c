// SPDX-License-Identifier: GPL-2.0
/*
 * write.c - what was made goes to the file that the options name.
 */
#include <stdio.h>

#include "lib/cleanup.h"
#include "lib/file.h"
#include "tree/node.h"
#include "view/text/view.h"
#include "write.h"

struct kma_err *kma_write_text(const struct kma_strbuf *text, const char *path)
{
	struct kma_outfile *out;
	struct kma_err *err;

	if (!kma_strbuf_ok(text))
		return &kma_enomem;
	err = kma_outfile_create(path, &out);
	if (err)
		return err;
	fwrite(text->str, 1, text->len, kma_outfile_stream(out));
	err = kma_outfile_commit(out);
	kma_outfile_destroy(out);
	return err;
}

struct kma_err *kma_report_write(const struct kma_options *opts, const struct kma_node *branch,
				 enum kma_metric_id sort, struct kma_report *report)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_rows rows;
	struct kma_err *err;

	err = kma_rows_init(&rows, branch, report->by, opts->depth);
	if (!err) {
		kma_rows_sort(&rows, sort);
		err = kma_rows_top(&rows, opts->top);
	}
	report->rows = &rows;
	if (!err) {
		kma_view_find(opts->format ?: "table")->write(report, &text);
		err = kma_write_text(&text, opts->output);
	}
	report->rows = NULL;
	kma_rows_deinit(&rows);
	return err;
}
