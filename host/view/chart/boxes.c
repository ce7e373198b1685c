// SPDX-License-Identifier: GPL-2.0-only
/*
 * boxes.c - charts of rectangles: the list of boxes, and how it is drawn.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "boxes.h"
#include "lib/array.h"
#include "lib/cleanup.h"

void kma_boxes_add(struct kma_boxes *boxes, const struct kma_box *box, size_t *index)
{
	kma_array_room(boxes->boxes, boxes->nr, boxes->alloc);
	*index = boxes->nr++;
	boxes->boxes[*index] = *box;
	boxes->boxes[*index].end = boxes->nr;
}

void kma_boxes_partition(struct kma_boxes *boxes, const struct kma_node *root,
			 const struct kma_boxes_params *params, const struct kma_boxes_form *form)
{
	struct kma_layout_params slices = {
		.metric = params->metric,
		.rings = params->depth,
		.whole = form->whole,
		.min_sweep = params->smallest,
	};
	struct kma_slice branch = { .part = kma_part_whole(root, params->metric),
				    .sweep = form->whole };
	struct kma_layout layout;

	memset(boxes, 0, sizeof(*boxes));
	boxes->params = *params;
	boxes->more_above = form->more_above;
	if (!branch.part.value)
		return;
	kma_layout_init(&layout, root, &slices);
	for (size_t i = 0; i <= layout.nr_slices; i++) {
		const struct kma_slice *slice = i ? &layout.slices[i - 1] : &branch;
		struct kma_box box = { .part = slice->part, .filled = true };
		size_t index;

		form->place(params, layout.params.rings, slice, &box);
		kma_boxes_add(boxes, &box, &index);
	}
	kma_layout_deinit(&layout);
	for (size_t i = 0; i < boxes->nr && params->font; i++)
		form->label(boxes, i);
}

void kma_boxes_deinit(struct kma_boxes *boxes)
{
	kma_labels_deinit(&boxes->labels);
	free(boxes->boxes);
	memset(boxes, 0, sizeof(*boxes));
}

/* A dark edge at the top: the box contains more than the chart shows. */
static void kma_box_more_above(const struct kma_box *box, struct kma_canvas *canvas)
{
	if (box->width < 3 || box->height < 8)
		return;
	kma_scene_add(canvas->scene, &(struct kma_shape){
					     .kind = KMA_SHAPE_RECT,
					     .x = box->x + 1,
					     .y = box->y + 1,
					     .width = box->width - 2,
					     .height = 2,
					     .fill = canvas->theme->more,
				     });
}

/* A dark edge at the right: the box contains more than the chart shows. */
static void kma_box_more(const struct kma_box *box, struct kma_canvas *canvas)
{
	if (box->width < 10 || box->height < 3)
		return;
	kma_scene_add(canvas->scene, &(struct kma_shape){
					     .kind = KMA_SHAPE_RECT,
					     .x = box->x + box->width - 3.5,
					     .y = box->y + 1,
					     .width = 2.5,
					     .height = box->height - 2,
					     .fill = canvas->theme->more,
				     });
}

static void kma_boxes_fill(const struct kma_boxes *boxes, struct kma_canvas *canvas)
{
	for (size_t i = 0; i < boxes->nr; i++) {
		_cleanup_free_ char *tip = NULL;
		const struct kma_box *box = &boxes->boxes[i];

		if (!box->filled)
			continue;
		tip = kma_canvas_tip(canvas, &box->part);
		kma_scene_add(canvas->scene, &(struct kma_shape){
						     .kind = KMA_SHAPE_RECT,
						     .x = box->x,
						     .y = box->y,
						     .width = box->width,
						     .height = box->height,
						     .outlined = true,
						     .fill = kma_canvas_colour(canvas, &box->part),
						     .tip = tip,
					     });
		if (box->part.more && boxes->more_above)
			kma_box_more_above(box, canvas);
		else if (box->part.more)
			kma_box_more(box, canvas);
	}
}

/* Outer boxes have wider edges. The edge of a small box is limited to a twentieth of its side. */
static void kma_boxes_frames(const struct kma_boxes *boxes, struct kma_canvas *canvas)
{
	const double widths[] = { 0, canvas->theme->frame, canvas->theme->frame * 0.6 };

	for (unsigned int level = ARRAY_SIZE(widths) - 1; level; level--) {
		for (size_t i = 0; i < boxes->nr; i++) {
			const struct kma_box *box = &boxes->boxes[i];
			double wide = fmin(widths[level], 0.05 * fmin(box->width, box->height));

			/* Every box has an edge of 1 already. */
			if (box->part.level != level || wide <= 1)
				continue;
			kma_scene_add(canvas->scene, &(struct kma_shape){
							     .kind = KMA_SHAPE_FRAME,
							     .x = box->x,
							     .y = box->y,
							     .width = box->width,
							     .height = box->height,
							     .size = wide,
							     .fill = canvas->theme->edge,
						     });
		}
	}
}

static void kma_boxes_labels(const struct kma_boxes *boxes, struct kma_canvas *canvas)
{
	for (size_t i = 0; i < boxes->labels.nr; i++) {
		const struct kma_label *label = &boxes->labels.labels[i];
		const struct kma_box *box = &boxes->boxes[label->part];
		bool turned = fabs(label->turn) > 1e-9;

		kma_scene_add(
			canvas->scene,
			&(struct kma_shape){
				.kind = KMA_SHAPE_TEXT,
				.x = turned ? label->x : label->x - label->width / 2,
				.y = label->y,
				.turn = label->turn,
				.size = label->size,
				.bold = label->bold,
				.anchor = turned ? KMA_ANCHOR_MIDDLE : KMA_ANCHOR_START,
				.fill = kma_colour_text(kma_canvas_colour(canvas, &box->part)),
				.text = label->text,
			});
	}
}

void kma_boxes_draw(struct kma_canvas *canvas, kma_boxes_init_fn init, double smallest, double font)
{
	const struct kma_chart *chart = canvas->chart;
	struct kma_boxes_params params = {
		.metric = chart->metric,
		.depth = chart->depth,
		.x = canvas->frame.area_x,
		.y = canvas->frame.area_y,
		.width = canvas->frame.area_w,
		.height = canvas->frame.area_h,
		.smallest = smallest,
		.font = font,
		.min_font = 11,
	};
	struct kma_boxes boxes;

	init(&boxes, chart->branch, &params);
	kma_boxes_fill(&boxes, canvas);
	/* Only boxes within boxes need frames. */
	if (boxes.nr && !boxes.boxes->filled)
		kma_boxes_frames(&boxes, canvas);
	kma_boxes_labels(&boxes, canvas);
	kma_boxes_deinit(&boxes);
}
