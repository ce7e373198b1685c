/* SPDX-License-Identifier: GPL-2.0 */
/*
 * write.h - what was made goes to the file that the options name.
 */
#ifndef KMA_SESSION_WRITE_H
#define KMA_SESSION_WRITE_H

#include "lib/strbuf.h"
#include "options.h"
#include "view/text/view.h"

/**
 * kma_write_text() - write what was made to a file or the standard output
 * @text: all of it
 * @path: NULL or "-" is the standard output
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_write_text(const struct kma_strbuf *text, const char *path);

/**
 * kma_report_write() - list a branch and write it as --top, --depth, --format and -O say
 * @opts: options
 * @branch: node to begin at
 * @sort: order of the rows
 * @report: complete but for its rows
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_report_write(const struct kma_options *opts, const struct kma_node *branch,
				 enum kma_metric_id sort, struct kma_report *report);

#endif /* KMA_SESSION_WRITE_H */
