// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame.c - a branch as rows, in the order of a flame graph (Brendan Gregg, "The Flame Graph",
 * CACM 59(6), 2016): the branch at the bottom, its children on it, theirs on them. The width of a
 * box is its share of the branch. All rows are of one height; rows that the branch does not need
 * stay empty, at the top.
 *
 * Stacks from the outermost function to the call site (--by stack) are a flame graph as everybody
 * knows them: callers are below what they call. Boxes are in the order of their sizes, the largest
 * at the left, as in all pictures; a flame graph sorts by name.
 *
 * The slices are those of the rings (layout.c), with the width of the drawing instead of a full
 * turn.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flame.h"
#include "layout.h"
#include "lib/cleanup.h"
#include "textwidth.h"

#define KMA_FLAME_ROW_MAX 34.0 /* a row is not higher, however few there are */

/* The name of a box at its left end, and its size at the right where both have room. */
static struct kma_err *kma_flame_label(struct kma_boxes *boxes, size_t index)
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
	struct kma_err *err;
	char value[24], *text;

	name = kma_part_name(&box->part, boxes->params.metric);
	if (!name)
		return &kma_enomem;
	while (label.size > boxes->params.min_font &&
	       (label.size * KMA_LINE_HEIGHT > box->height - 2 ||
		kma_text_width(name, label.size, label.bold) > room))
		label.size = fmax(label.size - 1, boxes->params.min_font);
	if (label.size * KMA_LINE_HEIGHT > box->height - 1)
		return NULL;
	text = kma_text_elide(name, label.size, label.bold, room);
	if (!text)
		return NULL;
	used = kma_text_width(text, label.size, label.bold);
	label.x = box->x + KMA_BOX_PAD + used / 2;
	err = kma_labels_add(&boxes->labels, &label, text);
	if (err || box->part.others)
		return err;
	kma_part_size(&box->part, boxes->params.metric, value, sizeof(value));
	label.size = fmax(label.size - 2, boxes->params.min_font - 1);
	label.bold = false;
	wide = kma_text_width(value, label.size, false);
	if (used + label.size + wide > room)
		return NULL;
	label.x = box->x + KMA_BOX_PAD + room - wide / 2;
	return kma_labels_add(&boxes->labels, &label, strdup(value));
}

static struct kma_err *kma_flame_boxes(struct kma_boxes *boxes, const struct kma_layout *layout,
				       const struct kma_part *whole)
{
	const struct kma_boxes_params *p = &boxes->params;
	double row = fmin(p->height / (layout->params.rings + 1), KMA_FLAME_ROW_MAX);
	struct kma_box box = { .part = *whole, .filled = true, .height = row };
	struct kma_err *err;
	size_t index;

	box.x = p->x;
	box.y = p->y + p->height - row;
	box.width = p->width;
	err = kma_boxes_add(boxes, &box, &index);
	for (size_t i = 0; i < layout->nr_slices && !err; i++) {
		const struct kma_slice *slice = &layout->slices[i];

		box.part = slice->part;
		box.x = p->x + slice->start;
		box.y = p->y + p->height - row * (slice->part.level + 1);
		box.width = slice->sweep;
		err = kma_boxes_add(boxes, &box, &index);
	}
	return err;
}

struct kma_err *kma_flame_init(struct kma_boxes *boxes, const struct kma_node *root,
			       const struct kma_boxes_params *params)
{
	struct kma_layout_params slices = {
		.metric = params->metric,
		.rings = params->depth,
		.whole = params->width,
		.min_sweep = params->smallest,
	};
	struct kma_part whole = kma_part_whole(root, params->metric);
	struct kma_layout layout;
	struct kma_err *err;

	memset(boxes, 0, sizeof(*boxes));
	boxes->params = *params;
	boxes->more_above = true;
	if (!whole.value)
		return NULL;
	err = kma_layout_init(&layout, root, &slices);
	if (!err)
		err = kma_flame_boxes(boxes, &layout, &whole);
	kma_layout_deinit(&layout);
	for (size_t i = 0; i < boxes->nr && !err && params->font; i++)
		err = kma_flame_label(boxes, i);
	return err;
}

struct kma_err *kma_flame_draw(struct kma_canvas *canvas)
{
	return kma_boxes_draw(canvas, kma_flame_init, 1.5, 14);
}
