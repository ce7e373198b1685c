// SPDX-License-Identifier: GPL-2.0-only
/*
 * rings.c - a branch as rings.
 *
 * layout.c makes the slices and the places of the labels. This file turns them into shapes of the
 * scene, in this order, because later shapes cover earlier ones: all slices, the arcs outside the
 * last ring, the labels, and the text in the hole.
 *
 * A ring is a level of the tree, and the angle of a slice is its share of the branch. Children
 * thinner than half a degree are combined into one slice for each parent, so that the slices of a
 * parent always add up to it. An arc outside the last ring marks a slice whose children are below
 * the last level.
 *
 * Each directory in the first ring has a colour. Its contents have the same colour, paler with each
 * ring. Bytes without a place in the source are grey. The hole shows the total of the branch; its
 * text shrinks until it fits.
 *
 * The time is linear in the number of slices, which the smallest angle limits. The tree is only
 * read.
 */
#include <math.h>

#include "layout.h"
#include "lib/cleanup.h"
#include "rings.h"
#include "scene.h"

static void rings_slices(struct kma_canvas *canvas, const struct kma_layout *layout)
{
	for (size_t i = 0; i < layout->nr_slices; i++) {
		_cleanup_free_ char *tip = kma_canvas_tip(canvas, &layout->slices[i].part);
		const struct kma_slice *slice = &layout->slices[i];

		kma_scene_add(canvas->scene,
			      &(struct kma_shape){
				      .kind = KMA_SHAPE_SLICE,
				      .x = canvas->frame.centre_x,
				      .y = canvas->frame.centre_y,
				      .inner = kma_layout_inner(layout, slice->part.level),
				      .outer = kma_layout_inner(layout, slice->part.level + 1),
				      .start = slice->start,
				      .sweep = slice->sweep,
				      .outlined = true,
				      .fill = kma_canvas_colour(canvas, &slice->part),
				      .tip = tip,
			      });
	}
	for (size_t i = 0; i < layout->nr_slices; i++) {
		const struct kma_slice *slice = &layout->slices[i];

		if (!slice->part.more)
			continue;
		kma_scene_add(canvas->scene, &(struct kma_shape){
						     .kind = KMA_SHAPE_ARC,
						     .x = canvas->frame.centre_x,
						     .y = canvas->frame.centre_y,
						     .outer = layout->params.radius + 1.5,
						     .start = slice->start,
						     .sweep = slice->sweep,
						     .size = 4,
						     .fill = canvas->theme->more,
					     });
	}
}

static void rings_labels(struct kma_canvas *canvas, const struct kma_layout *layout)
{
	for (size_t i = 0; i < layout->labels.nr; i++) {
		const struct kma_label *label = &layout->labels.labels[i];
		const struct kma_slice *slice = &layout->slices[label->part];

		kma_scene_add(
			canvas->scene,
			&(struct kma_shape){
				.kind = KMA_SHAPE_TEXT,
				.x = canvas->frame.centre_x + label->x,
				.y = canvas->frame.centre_y + label->y,
				.turn = label->turn,
				.size = label->size,
				.bold = label->bold,
				.anchor = KMA_ANCHOR_MIDDLE,
				.fill = kma_colour_text(kma_canvas_colour(canvas, &slice->part)),
				.text = label->text,
			});
	}
}

static void rings_centre(struct kma_canvas *canvas)
{
	const struct kma_chart *chart = canvas->chart;
	_cleanup_free_ char *path = kma_node_path(chart->branch);
	struct kma_part part = kma_part_whole(chart->branch, chart->metric);
	struct kma_shape text = {
		.x = canvas->frame.centre_x,
		.y = canvas->frame.centre_y,
		.size = 27,
		.bold = true,
		.anchor = KMA_ANCHOR_MIDDLE,
		.fill = canvas->theme->ink,
	};
	char number[24];

	kma_part_size(&part, chart->metric, number, sizeof(number));
	/* The text is at most as wide as the hole is at its height. */
	while (text.size > 12 &&
	       kma_text_width(number, text.size, true) > 1.75 * canvas->frame.hole)
		text.size--;
	kma_scene_add_text(canvas->scene, &text, 2 * canvas->frame.hole, number);
	text.size = 14;
	text.bold = false;
	text.fill = canvas->theme->faint;
	text.y = canvas->frame.centre_y + 28;
	kma_scene_add_text(canvas->scene, &text, 1.7 * canvas->frame.hole,
			   kma_metrics[chart->metric].what);
	text.y = canvas->frame.centre_y - 30;
	kma_scene_add_text(canvas->scene, &text, 1.7 * canvas->frame.hole, *path ? path : "kernel");
}

void kma_rings_draw(struct kma_canvas *canvas)
{
	struct kma_layout_params params = {
		.metric = canvas->chart->metric,
		.rings = canvas->chart->depth,
		.whole = 2 * M_PI,
		.min_sweep = 0.5 * M_PI / 180,
		.hole = canvas->frame.hole,
		.radius = canvas->frame.radius,
		.font = 17,
		.min_font = 11,
	};
	struct kma_layout layout;

	kma_layout_init(&layout, canvas->chart->branch, &params);
	rings_slices(canvas, &layout);
	rings_labels(canvas, &layout);
	rings_centre(canvas);
	kma_layout_deinit(&layout);
}
