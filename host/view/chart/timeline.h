/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timeline.h - bytes of a few owners over time: as csv, as counters in the JSON format of Chrome's
 * tracing (which Perfetto opens), as a table for a page, and as a stacked chart.
 *
 * Locking: none.
 */
#ifndef KMA_VIEW_CHART_TIMELINE_H
#define KMA_VIEW_CHART_TIMELINE_H

#include "scene.h"
#include "timeline-marks.h"

struct kma_series {
	const char *const *names; /* names of the owners, the largest first */
	const uint64_t *bytes;	  /* owner by owner, @points of each */
	const uint64_t *ns;	  /* time of each point, rising */
	bool clock;		  /* @ns are since 1970: the picture has times of day */
	size_t owners, points;
	const struct kma_series_mark *marks; /* of each point */
	const char *title;		     /* heading of the picture */
	const char *subject;		     /* line below it */
	const char *footer;		     /* what is not counted, of which kernel */
	enum kma_theme_id theme;
	bool csv_safe; /* csv: no name is a formula for a spreadsheet */
};

/**
 * kma_series_csv() - "ns,total,OWNER...", a line for each point
 * @series: what to write
 * @out: appended to
 */
void kma_series_csv(const struct kma_series *series, struct kma_strbuf *out);

/**
 * kma_series_trace() - a trace of counters
 * @series: what to write
 * @out: appended to
 *
 * One counter for each owner and one for the total; where a number has not changed there is
 * no event. A mark is an instant.
 */
void kma_series_trace(const struct kma_series *series, struct kma_strbuf *out);

/**
 * kma_series_html() - a table of the owners, for a page
 * @series: what to write: of each owner its bytes at both ends, the least and the most; and the
 *	marks, as sentences
 * @out: appended to
 */
void kma_series_html(const struct kma_series *series, struct kma_strbuf *out);

/**
 * kma_series_draw() - a stacked chart
 * @series: what to draw
 * @scene: not initialised; to be deinitialised in any case
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_series_draw(const struct kma_series *series, struct kma_scene *scene);

#endif /* KMA_VIEW_CHART_TIMELINE_H */
