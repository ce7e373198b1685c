/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * boxes.h - charts of rectangles (treemap, icicle and flame): their geometry, labels and drawing.
 *
 * The boxes are in the order of a walk over the tree: after a box come the boxes within it
 * (treemap) or next to it (icicle, flame), up to @end. A box has exactly its share of the branch:
 * as area in a treemap, as height in an icicle, as width in a flame chart. Headings and margins
 * therefore take no area. In a treemap only the boxes without other boxes within them are filled.
 * A label lies within one filled box.
 *
 * Each kind of chart has an init function (kma_treemap_init() and so on) that fills struct
 * kma_boxes. kma_boxes_draw() calls it and adds shapes to the scene, so the geometry can be tested
 * without drawing. Icicle and flame are laid out level by level, with the slices of rings; a treemap
 * has an algorithm of its own.
 *
 * Boxes smaller than @smallest are combined into one box for each parent, so the boxes of a parent
 * always add up to it. The number of boxes is therefore limited by the size of the picture, not by
 * that of the tree. These functions never change the tree.
 */
#ifndef KMA_VIEW_CHART_BOXES_H
#define KMA_VIEW_CHART_BOXES_H

#include "part.h"
#include "layout.h"

struct kma_box {
	struct kma_part part;
	double x, y, width, height;
	size_t end;  /* index after the last box that belongs to this one */
	bool filled; /* no other box lies within it */
};

struct kma_boxes_params {
	enum kma_metric_id metric;
	unsigned int depth;	    /* levels below the branch */
	double x, y, width, height; /* area of the chart */
	double smallest;	    /* area, height or width; smaller boxes are combined */
	double font;		    /* size of the largest labels; 0: no labels */
	double min_font;	    /* size of the smallest labels */
};

struct kma_boxes {
	struct kma_boxes_params params;
	struct kma_box *boxes;
	size_t nr;
	size_t alloc;
	struct kma_labels labels;
	bool more_above; /* hidden children of a box would lie above it; false: at its right */
};

/* Copies a box, and sets @index to its index. */
void kma_boxes_add(struct kma_boxes *boxes, const struct kma_box *box, size_t *index);

/*
 * Lays out a branch as columns, the branch itself the first. @root is rolled up and sorted by
 * @params->metric, and must outlive @boxes.
 */
void kma_icicle_init(struct kma_boxes *boxes, const struct kma_node *root,
		     const struct kma_boxes_params *params);

void kma_boxes_deinit(struct kma_boxes *boxes);

/* kma_treemap_init(), kma_icicle_init(), or that of a flame chart */
typedef void (*kma_boxes_init_fn)(struct kma_boxes *boxes, const struct kma_node *root,
				  const struct kma_boxes_params *params);

/*
 * Lays out a chart and adds its boxes and labels. @smallest is the area, height or width of the
 * smallest box that is drawn on its own, @font the size of the largest labels.
 */
void kma_boxes_draw(struct kma_canvas *canvas, kma_boxes_init_fn init, double smallest,
		    double font);

/* Draw the branch as columns, or as rows. */
void kma_icicle_draw(struct kma_canvas *canvas);
void kma_flame_draw(struct kma_canvas *canvas);

/* The distance between a text and the edges of its box. */
#define KMA_BOX_PAD 5.0

#endif /* KMA_VIEW_CHART_BOXES_H */
