/* SPDX-License-Identifier: GPL-2.0 */
/*
 * layout.h - geometry of a ring chart, and nothing but geometry: no colours, no
 * drawing.
 *
 * The root is the hole in the middle; its children are the first ring, theirs
 * the second, and so on. The angle of a slice is its share of its parent's angle,
 * and all rings have the same thickness, so a slice can be compared with all
 * others of its ring. Children that would be thinner than min_sweep are gathered
 * into one slice for each parent. Children fill their parent; nothing overlaps.
 *
 * A label is a rectangle, possibly turned, that lies within its own slice by
 * construction: as slices do not overlap, labels cannot collide.
 *
 * Angles are radians clockwise from twelve o'clock; x grows to the right, y down,
 * both from the centre of the chart.
 */
#ifndef KMA_VIEW_LAYOUT_H
#define KMA_VIEW_LAYOUT_H

#include "../tree/node.h"

struct kma_layout_params {
	enum kma_metric_id metric; /* angles are shares of this */
	unsigned int rings;	   /* at most; in a layout, as many as are used */
	double hole;		   /* radius of the hole */
	double radius;		   /* outer radius of the last ring */
	double min_sweep;	   /* thinner slices are gathered */
	double font;		   /* size of the largest labels */
	double min_font;	   /* and of the smallest */
};

struct kma_slice {
	const struct kma_node *node; /* what it shows; the parent when it gathers */
	unsigned int ring;	     /* 1 is next to the hole */
	double start;		     /* angle of its begin */
	double sweep;		     /* angle that it covers */
	size_t others;		     /* number of gathered children, 0 for a node */
	bool more;		     /* the node has children that no ring shows */
	uint64_t value;		     /* of the metric */
	size_t top;		     /* index of its ancestor in the first ring */
};

struct kma_label {
	size_t slice;  /* index of its slice */
	char *text;    /* one line */
	double x, y;   /* middle of its rectangle */
	double turn;   /* of the text, clockwise; 0 is horizontal */
	double width;  /* of the rectangle, along the text */
	double height; /* of the rectangle */
	double size;   /* font size */
	bool bold;     /* weight */
};

struct kma_layout {
	struct kma_layout_params params;
	struct kma_slice *slices;
	size_t nr_slices;
	size_t alloc_slices;
	struct kma_label *labels;
	size_t nr_labels;
	size_t alloc_labels;
};

/**
 * kma_layout_init() - lay out a branch
 * @layout: owned by the caller
 * @root: rolled up and sorted by @params->metric; must outlive @layout
 * @params: measures, copied
 *
 * Return: NULL or an error; in both cases @layout has to be deinitialised.
 */
struct kma_err *kma_layout_init(struct kma_layout *layout, const struct kma_node *root,
				const struct kma_layout_params *params);

/**
 * kma_layout_deinit() - free slices and labels
 * @layout: as initialised
 */
void kma_layout_deinit(struct kma_layout *layout);

/**
 * kma_layout_inner() - inner radius of a ring
 * @layout: the layout
 * @ring: 1 and up; one more than the last gives the outer radius of the chart
 *
 * Return: the radius.
 */
double kma_layout_inner(const struct kma_layout *layout, unsigned int ring);

#endif /* KMA_VIEW_LAYOUT_H */
