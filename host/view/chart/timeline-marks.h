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

/**
 * kma_marks_gaps() - find the points before which samples are missing
 * @ns: time of each point, ascending
 * @points: number of points
 * @marks: of each point; gap is set
 *
 * An interval is a gap if it is longer than 2.5 times the median interval. Fewer than three points
 * have no gap.
 */
void kma_marks_gaps(const uint64_t *ns, size_t points, struct kma_curves_mark *marks);

/**
 * kma_mark_sentence() - describe a mark
 * @mark: the mark
 * @out: "12 events not recorded; end of a gap without samples" is appended; nothing if the mark
 *	is empty
 */
void kma_mark_sentence(const struct kma_curves_mark *mark, struct kma_strbuf *out);

/**
 * kma_marks_draw() - draw the marks above the areas of a chart
 * @marks: of each point
 * @area: the area of the chart
 * @scene: the picture
 */
void kma_marks_draw(const struct kma_curves_mark *marks, const struct kma_marks_area *area,
		    struct kma_scene *scene);

#endif /* KMA_VIEW_CHART_TIMELINE_MARKS_H */
