/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slice.h - slices of rings or of columns.
 */
#ifndef KMA_VIEW_CHART_SLICE_H
#define KMA_VIEW_CHART_SLICE_H

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

/**
 * kma_layout_inner() - inner radius of a ring
 * @layout: the layout
 * @ring: 1 and up; one more than the last gives the outer radius of the chart
 *
 * Return: the radius.
 */
double kma_layout_inner(const struct kma_layout *layout, unsigned int ring);

#endif /* KMA_VIEW_CHART_SLICE_H */
