// SPDX-License-Identifier: GPL-2.0-only
/*
 * boxes.c - charts of rectangles: the list of boxes, how it is drawn, and the two charts that lay
 * a branch out level by level: icicle and flame.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "boxes.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "scene.h"

void kma_boxes_add(struct kma_boxes *boxes, const struct kma_box *box, size_t *index)
{
	kma_array_room(boxes->boxes, boxes->nr, boxes->alloc);
	*index = boxes->nr++;
	boxes->boxes[*index] = *box;
	boxes->boxes[*index].end = boxes->nr;
}

/* The arrangement of levels: as columns, or as rows. */
struct boxes_form {
	double whole;	 /* length of the branch along a level */
	bool more_above; /* hidden children of a box would lie above it; false: at its right */
	/* Set the place and size of a box. @levels are below the branch, which has level 0. */
	void (*place)(const struct kma_boxes_params *params, unsigned int levels,
		      const struct kma_slice *slice, struct kma_box *box);
	/* Add the labels of a box. */
	void (*label)(struct kma_boxes *boxes, size_t index);
};

/* Lays a branch out level by level, with the slices of rings (layout.h). */
static void boxes_partition(struct kma_boxes *boxes, const struct kma_node *root,
			    const struct kma_boxes_params *params, const struct boxes_form *form)
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
static void box_more_above(const struct kma_box *box, struct kma_canvas *canvas)
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
static void box_more(const struct kma_box *box, struct kma_canvas *canvas)
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

static void boxes_fill(const struct kma_boxes *boxes, struct kma_canvas *canvas)
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
			box_more_above(box, canvas);
		else if (box->part.more)
			box_more(box, canvas);
	}
}

/* Outer boxes have wider edges. The edge of a small box is limited to a twentieth of its side. */
static void boxes_frames(const struct kma_boxes *boxes, struct kma_canvas *canvas)
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

static void boxes_labels(const struct kma_boxes *boxes, struct kma_canvas *canvas)
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
	boxes_fill(&boxes, canvas);
	/* Only boxes within boxes need frames. */
	if (boxes.nr && !boxes.boxes->filled)
		boxes_frames(&boxes, canvas);
	boxes_labels(&boxes, canvas);
	kma_boxes_deinit(&boxes);
}

/*
 * Fits a name into the width @room of the box of a label, in a smaller font if the whole name fits
 * then. Returns the text, shortened if necessary; NULL: the box is too low or too narrow.
 */
static char *name_fit(const struct kma_boxes *boxes, const char *name, double room,
		      struct kma_label *label)
{
	double height = boxes->boxes[label->part].height;

	while (label->size > boxes->params.min_font &&
	       (label->size * KMA_LINE_HEIGHT > height - 2 ||
		kma_text_width(name, label->size, label->bold) > room))
		label->size = fmax(label->size - 1, boxes->params.min_font);
	if (label->size * KMA_LINE_HEIGHT > height - 1)
		return NULL;
	return kma_text_elide(name, label->size, label->bold, room);
}

/*
 * An icicle chart: the branch itself, its children, their children, and so on to the right. All
 * columns have the same width. The height of a box is its share of the branch. Lines of text are
 * wide and low, and so are most boxes of columns; most boxes of rows would be narrow and high.
 */

#define KMA_ROOT_WIDTH 36.0

/* The branch, with its name along a narrow column. */
static void icicle_label_root(struct kma_boxes *boxes, size_t index)
{
	_cleanup_free_ char *name = kma_part_name(&boxes->boxes[index].part, boxes->params.metric);
	const struct kma_box *box = &boxes->boxes[index];
	struct kma_label label = {
		.part = index,
		.x = box->x + box->width / 2,
		.y = box->y + box->height / 2,
		.turn = -M_PI / 2,
		.size = boxes->params.font,
		.bold = true,
	};
	char *text;

	if (label.size * KMA_LINE_HEIGHT > box->width - 4)
		return;
	text = kma_text_elide(name, label.size, true, box->height - 2 * KMA_BOX_PAD);
	if (text)
		kma_labels_add(&boxes->labels, &label, text);
}

/* The size of a box at its right end, below its name or next to it. */
static void icicle_value(struct kma_boxes *boxes, size_t index, double name_width,
			 const struct kma_label *name)
{
	const struct kma_box *box = &boxes->boxes[index];
	double room = box->width - 2 * KMA_BOX_PAD - (box->part.more ? 3 : 0);
	struct kma_label label = { .part = index };
	char value[24];
	double wide;

	kma_part_size(&box->part, boxes->params.metric, value, sizeof(value));
	label.size = fmax(name->size - 2, boxes->params.min_font - 1);
	wide = kma_text_width(value, label.size, false);
	if (name_width + name->size / 2 + wide <= room) {
		label.x = box->x + KMA_BOX_PAD + room - wide / 2;
		label.y = name->y + (name->size - label.size) * KMA_BASELINE;
		kma_labels_add(&boxes->labels, &label, kma_xstrdup(value));
		return;
	}
	label.x = box->x + KMA_BOX_PAD + wide / 2;
	label.y = name->y + (name->size + label.size) * KMA_LINE_HEIGHT / 2;
	if (wide > room || label.y + label.size * KMA_LINE_HEIGHT / 2 > box->y + box->height - 2)
		return;
	kma_labels_add(&boxes->labels, &label, kma_xstrdup(value));
}

/* A box of the columns. Its name is at the top, in a smaller font if the whole name fits then. */
static void icicle_label(struct kma_boxes *boxes, size_t index)
{
	_cleanup_free_ char *name = kma_part_name(&boxes->boxes[index].part, boxes->params.metric);
	const struct kma_box *box = &boxes->boxes[index];
	double room = box->width - 2 * KMA_BOX_PAD - (box->part.more ? 3 : 0);
	struct kma_label label = { .part = index, .bold = box->part.level == 1 };
	double height, wide;
	char *text;

	if (!box->part.level) {
		icicle_label_root(boxes, index);
		return;
	}
	label.size = fmax(boxes->params.font - box->part.level, boxes->params.min_font);
	text = name_fit(boxes, name, room, &label);
	if (!text)
		return;
	height = label.size * KMA_LINE_HEIGHT;
	wide = kma_text_width(text, label.size, label.bold);
	label.x = box->x + KMA_BOX_PAD + wide / 2;
	/* The name is in the middle of a low box and at the top of a high one. */
	label.y = box->y + height / 2 + fmin((box->height - height) / 2, KMA_BOX_PAD);
	kma_labels_add(&boxes->labels, &label, text);
	if (!box->part.others)
		icicle_value(boxes, index, wide, &label);
}

static void icicle_place(const struct kma_boxes_params *p, unsigned int levels,
			 const struct kma_slice *slice, struct kma_box *box)
{
	double column = (p->width - KMA_ROOT_WIDTH) / levels;
	unsigned int level = slice->part.level;

	box->x = level ? p->x + KMA_ROOT_WIDTH + column * (level - 1) : p->x;
	box->y = p->y + slice->start;
	box->width = level ? column : KMA_ROOT_WIDTH;
	box->height = slice->sweep;
}

void kma_icicle_init(struct kma_boxes *boxes, const struct kma_node *root,
		     const struct kma_boxes_params *params)
{
	const struct boxes_form columns = { .whole = params->height,
					    .place = icicle_place,
					    .label = icicle_label };

	boxes_partition(boxes, root, params, &columns);
}

void kma_icicle_draw(struct kma_canvas *canvas)
{
	kma_boxes_draw(canvas, kma_icicle_init, 2, 17);
}

/*
 * A flame graph (Brendan Gregg, "The Flame Graph", CACM 59(6), 2016): the branch is at the bottom,
 * and each row has the children of the row below it. The width of a box is its share of the branch.
 * All rows above it have the same height, and fill the picture.
 *
 * Stacks from the outermost function to the call site (--by stack) give the usual flame graph, in
 * which callers are below the functions that they call. As in all pictures, boxes are sorted by
 * size, with the largest at the left; flame graphs of other tools sort by name.
 */

#define KMA_FLAME_ROOT 34.0 /* most height of the lowest row, which is the branch */

/* The name of a narrow box, along its height. */
static void flame_label_turned(struct kma_boxes *boxes, const char *name, struct kma_label *label)
{
	const struct kma_box *box = &boxes->boxes[label->part];
	char *text;

	label->size = boxes->params.min_font;
	label->bold = false;
	label->turn = -M_PI / 2;
	label->x = box->x + box->width / 2;
	if (label->size * KMA_LINE_HEIGHT > box->width - 2)
		return;
	text = kma_text_elide(name, label->size, false, box->height - 2 * KMA_BOX_PAD);
	if (text)
		kma_labels_add(&boxes->labels, label, text);
}

/* The name of a box at its left end; its size at the right end if both fit. */
static void flame_label(struct kma_boxes *boxes, size_t index)
{
	_cleanup_free_ char *name = NULL;
	const struct kma_box *box = &boxes->boxes[index];
	double room = box->width - 2 * KMA_BOX_PAD, used, wide;
	struct kma_label label = {
		.part = index,
		.y = box->y + box->height / 2,
		.size = boxes->params.font,
		.bold = box->part.level <= 1,
	};
	char value[24], *text;

	name = kma_part_name(&box->part, boxes->params.metric);
	text = name_fit(boxes, name, room, &label);
	if (!text) {
		flame_label_turned(boxes, name, &label);
		return;
	}
	used = kma_text_width(text, label.size, label.bold);
	label.x = box->x + KMA_BOX_PAD + used / 2;
	kma_labels_add(&boxes->labels, &label, text);
	if (box->part.others)
		return;
	kma_part_size(&box->part, boxes->params.metric, value, sizeof(value));
	label.size = fmax(label.size - 2, boxes->params.min_font - 1);
	label.bold = false;
	wide = kma_text_width(value, label.size, false);
	if (used + label.size + wide > room)
		return;
	label.x = box->x + KMA_BOX_PAD + room - wide / 2;
	kma_labels_add(&boxes->labels, &label, kma_xstrdup(value));
}

static void flame_place(const struct kma_boxes_params *p, unsigned int levels,
			const struct kma_slice *slice, struct kma_box *box)
{
	double root = fmin(p->height / (levels + 1), KMA_FLAME_ROOT);
	double row = (p->height - root) / levels;
	unsigned int level = slice->part.level;

	box->x = p->x + slice->start;
	box->y = p->y + p->height - root - row * level;
	box->width = slice->sweep;
	box->height = level ? row : root;
}

/* The same as rows, the branch itself the lowest. */
static void flame_init(struct kma_boxes *boxes, const struct kma_node *root,
		       const struct kma_boxes_params *params)
{
	const struct boxes_form rows = { .whole = params->width,
					 .more_above = true,
					 .place = flame_place,
					 .label = flame_label };

	boxes_partition(boxes, root, params, &rows);
}

void kma_flame_draw(struct kma_canvas *canvas)
{
	kma_boxes_draw(canvas, flame_init, 1.5, 14);
}
