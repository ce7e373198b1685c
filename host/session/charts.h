/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * charts.h - from options and an account to a chart.
 */
#ifndef KMA_SESSION_CHARTS_H
#define KMA_SESSION_CHARTS_H

#include "loaded.h"
#include "model/diff.h"
#include "options.h"
#include "view/chart/chart.h"

/**
 * kma_chart_init() - set the content of a chart from options and input
 * @opts: options
 * @loaded: from kma_load()
 * @ret: all but its metric is set; what it points at stays with the two above
 */
void kma_chart_init(const struct kma_options *opts, const struct kma_loaded *loaded,
		    struct kma_chart *ret);

/**
 * kma_chart_has_text() - is a table wanted besides the pictures, or instead of them?
 * @opts: of a command that writes either
 *
 * Return: true without a picture, and when --format or -O asks for it.
 */
bool kma_chart_has_text(const struct kma_options *opts);

/**
 * kma_chart_write_scene() - write a drawn picture to a file that --render names
 * @opts: options
 * @nr: which of the files
 * @scene: the picture
 * @tables: its numbers, for a page: a document in KMA_FORMAT_HTML
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_chart_write_scene(const struct kma_options *opts, unsigned int nr,
				      const struct kma_scene *scene,
				      const struct kma_strbuf *tables);

/* Two inputs that are drawn as one. */
struct kma_compared {
	const struct kma_loaded *sides[KMA_NR_SIDES];
	const char *about[KMA_NR_SIDES]; /* kernel, when and where it was saved; "" is nothing */
	enum kma_diff_match match;	 /* how callers are compared */
	enum kma_metric_id metric;
	const char *by; /* what the parts are; NULL: directories, files, callers */
};

/**
 * kma_chart_compare() - write a chart of two inputs to each requested file
 * @opts: options
 * @both: the inputs
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_chart_compare(const struct kma_options *opts, const struct kma_compared *both);

/**
 * kma_chart_write() - write a chart to each requested file
 * @opts: options
 * @chart: what to draw
 *
 * Return: NULL or an error: also when there is nothing to draw.
 */
struct kma_err *kma_chart_write(const struct kma_options *opts, const struct kma_chart *chart);

#endif /* KMA_SESSION_CHARTS_H */
