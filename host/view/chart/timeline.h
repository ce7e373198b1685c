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

struct kma_curves {
	const char *const *names; /* names of the owners, the largest first */
	const uint64_t *bytes;	  /* [owner * points + point] */
	const uint64_t *ns;	  /* time of each point, ascending */
	bool clock;		  /* @ns are since 1970: the picture has times of day */
	size_t owners, points;
	const struct kma_curves_mark *marks; /* of each point; see timeline-marks.h */
	const char *title;		     /* heading of the picture */
	const char *subject;		     /* line below it */
	const char *footer;		     /* events that were not counted, and the kernel */
	enum kma_theme_id theme;
	bool csv_safe; /* csv: guard names that look like formulas */
};

/* Appends lines "ns,total,OWNER...", one for each point. */
void kma_curves_csv(const struct kma_curves *series, struct kma_strbuf *out);

/*
 * Appends a trace in the JSON format of Chrome's tracing. There is one counter for each owner and
 * one for the total. A counter has an event only where its number changes. A mark is an instant
 * event.
 */
void kma_curves_trace(const struct kma_curves *series, struct kma_strbuf *out);

/*
 * Appends a table of the owners, for a page. An owner's row has its bytes at the first and the last
 * point, the least and the most. The marks follow as sentences.
 */
void kma_curves_html(const struct kma_curves *series, struct kma_strbuf *out);

/* @scene is initialised here. */
void kma_curves_draw(const struct kma_curves *series, struct kma_scene *scene);

#endif /* KMA_VIEW_CHART_TIMELINE_H */
