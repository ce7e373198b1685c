/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timeline-marks.h - mark where a timeline is unreliable: events were lost, samples are missing, or
 * the numbers are of another account than before.
 */
#ifndef KMA_VIEW_CHART_TIMELINE_MARKS_H
#define KMA_VIEW_CHART_TIMELINE_MARKS_H

#include <stdint.h>

#include "scene.h"

/* Facts about the interval between a point and the point before it. */
struct kma_curves_mark {
	uint64_t lost; /* events that were not recorded in it */
	bool begins;   /* the point is of another boot or account */
	bool gap;      /* the interval is much longer than usual: samples are missing */
};

/* The area of a chart and the times of its points, in units of the scene. */
struct kma_marks_area {
	double left, right, top, bottom;
	const uint64_t *ns;
	size_t points;
};

/*
 * Sets gap of the points before which samples are missing: the interval before is longer than 2.5
 * times the median interval. Fewer than three points have no gap. @ns is ascending.
 */
void kma_marks_gaps(const uint64_t *ns, size_t points, struct kma_curves_mark *marks);

/* Appends "12 events not recorded; end of a gap without samples"; nothing if the mark is empty. */
void kma_mark_sentence(const struct kma_curves_mark *mark, struct kma_strbuf *out);

/* Draws the marks of all points above the areas of a chart. */
void kma_marks_draw(const struct kma_curves_mark *marks, const struct kma_marks_area *area,
		    struct kma_scene *scene);

#endif /* KMA_VIEW_CHART_TIMELINE_MARKS_H */
