/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layout.h - geometry of slices and of their labels, without colours or drawing.
 *
 * The root is the hole in the middle. Its children are the first ring, their children the second,
 * and so on. The angle of a slice is its share of its parent's angle. All rings have the same
 * thickness, so a slice can be compared with all others of its ring. Children that would be
 * thinner than min_sweep are combined into one slice for each parent. Children fill their parent,
 * and slices do not overlap.
 *
 * A label is a rectangle, possibly turned, that lies within its own slice by construction. Slices
 * do not overlap, so labels cannot collide.
 *
 * With a length instead of a turn, the same slices make an icicle.
 *
 * Angles are radians clockwise from twelve o'clock. x grows to the right, y down, both from the
 * centre of the chart.
 */
#ifndef KMA_VIEW_CHART_LAYOUT_H
#define KMA_VIEW_CHART_LAYOUT_H

#include "part.h"

struct kma_layout_params {
	enum kma_metric_id metric; /* sizes and sweeps are by this metric */
	unsigned int rings;	   /* limit; in a layout, the number in use */
	double whole;		   /* sweep of the root: a full turn, or a length */
	double min_sweep;	   /* thinner slices are combined */
	double hole;		   /* radius of the hole */
	double radius;		   /* outer radius of the last ring */
	double font;		   /* size of the largest labels; 0: no labels */
	double min_font;	   /* size of the smallest labels */
};

struct kma_slice {
	struct kma_part part; /* level 1 is the ring next to the hole */
	double start;	      /* angle of its start */
	double sweep;	      /* angle that it covers */
};

struct kma_layout {
	struct kma_layout_params params;
	struct kma_slice *slices;
	size_t nr_slices;
	size_t alloc_slices;
	struct kma_labels labels;
};

/* @root is rolled up and sorted by @params->metric, and must outlive @layout. */
void kma_layout_init(struct kma_layout *layout, const struct kma_node *root,
		     const struct kma_layout_params *params);

/* Inner radius of a ring, from 1 up; one more than the last gives the outer radius of the chart. */
double kma_layout_inner(const struct kma_layout *layout, unsigned int ring);

void kma_layout_deinit(struct kma_layout *layout);

#endif /* KMA_VIEW_CHART_LAYOUT_H */
