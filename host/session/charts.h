/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * charts.h - make charts of an account as the options say.
 */
#ifndef KMA_SESSION_CHARTS_H
#define KMA_SESSION_CHARTS_H

#include "loaded.h"
#include "model/diff.h"
#include "options.h"
#include "view/chart/chart.h"

/*
 * Sets all of a chart except the metric. It refers to @opts and @loaded. The keys are those of a
 * tree of directories.
 */
void kma_chart_init(const struct kma_chart_options *opts, const struct kma_loaded *loaded,
		    struct kma_chart *ret);

/*
 * Writes a drawn picture to file number @nr of @opts->render. @tables has the numbers of the
 * picture in KMA_FORMAT_HTML, for a page.
 */
struct kma_err *kma_chart_write_scene(const struct kma_chart_options *opts, unsigned int nr,
				      const struct kma_scene *scene,
				      const struct kma_strbuf *tables);

/* Two inputs that are drawn as one chart (tree/union.h). */
struct kma_compared {
	const struct kma_loaded *sides[KMA_NR_SIDES];
	const char *about[KMA_NR_SIDES]; /* kernel, time and host of each side; "": unknown */
	enum kma_diff_match match;	 /* when callers are the same owner */
	enum kma_metric_id metric;	 /* the metric to draw */
	const char *branch;		 /* path in the tree to draw; NULL: all */
	const char *by; /* subtitle: what the parts are; NULL: directories, files, callers */
};

/* Writes a chart of two inputs to each requested file. */
struct kma_err *kma_chart_compare(const struct kma_chart_options *opts,
				  const struct kma_compared *both);

/* The same for one input. It is an error if there is nothing to draw. */
struct kma_err *kma_chart_write(const struct kma_chart_options *opts,
				const struct kma_chart *chart);

#endif /* KMA_SESSION_CHARTS_H */
