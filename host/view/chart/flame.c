// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame.c - a branch as rows, in the order of a flame graph (Brendan Gregg, "The Flame Graph",
 * CACM 59(6), 2016): the branch is at the bottom, and each row has the children of the row below
 * it. The width of a box is its share of the branch. All rows have the same height; unused rows
 * are empty, at the top.
 *
 * Stacks from the outermost function to the call site (--by stack) give the usual flame graph, in
 * which callers are below the functions that they call. As in all pictures, boxes are sorted by
 * size, with the largest at the left; flame graphs of other tools sort by name.
 *
 * The slices are those of the rings (layout.c), with the width of the drawing instead of a full
 * turn.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flame.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "scene.h"

#define KMA_FLAME_ROW_MAX 34.0 /* height of a row if there are few rows */

/* The name of a box at its left end; its size at the right end if both fit. */
static void kma_flame_label(struct kma_boxes *boxes, size_t index)
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
	while (label.size > boxes->params.min_font &&
	       (label.size * KMA_LINE_HEIGHT > box->height - 2 ||
		kma_text_width(name, label.size, label.bold) > room))
		label.size = fmax(label.size - 1, boxes->params.min_font);
	if (label.size * KMA_LINE_HEIGHT > box->height - 1)
		return;
	text = kma_text_elide(name, label.size, label.bold, room);
	if (!text)
		return;
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

static void kma_flame_place(const struct kma_boxes_params *p, unsigned int levels,
			    const struct kma_slice *slice, struct kma_box *box)
{
	double row = fmin(p->height / (levels + 1), KMA_FLAME_ROW_MAX);

	box->x = p->x + slice->start;
	box->y = p->y + p->height - row * (slice->part.level + 1);
	box->width = slice->sweep;
	box->height = row;
}

void kma_flame_init(struct kma_boxes *boxes, const struct kma_node *root,
		    const struct kma_boxes_params *params)
{
	const struct kma_boxes_form rows = { .whole = params->width,
					     .more_above = true,
					     .place = kma_flame_place,
					     .label = kma_flame_label };

	kma_boxes_partition(boxes, root, params, &rows);
}

void kma_flame_draw(struct kma_canvas *canvas)
{
	kma_boxes_draw(canvas, kma_flame_init, 1.5, 14);
}
