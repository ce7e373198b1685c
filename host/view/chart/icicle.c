// SPDX-License-Identifier: GPL-2.0-only
/*
 * icicle.c - a branch as columns: the branch itself, its children, their children, and so on to
 * the right. All columns have the same width. The height of a box is its share of the branch.
 * Lines of text are wide and low, and so are most boxes of columns; most boxes of rows would be
 * narrow and high.
 *
 * The slices are those of the rings (layout.c), with the height of the drawing instead of a full
 * turn.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "icicle.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "scene.h"

#define KMA_ROOT_WIDTH 36.0

/* The branch, with its name along a narrow column. */
static void kma_icicle_label_root(struct kma_boxes *boxes, size_t index)
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
static void kma_icicle_value(struct kma_boxes *boxes, size_t index, double name_width,
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
static void kma_icicle_label(struct kma_boxes *boxes, size_t index)
{
	_cleanup_free_ char *name = kma_part_name(&boxes->boxes[index].part, boxes->params.metric);
	const struct kma_box *box = &boxes->boxes[index];
	double room = box->width - 2 * KMA_BOX_PAD - (box->part.more ? 3 : 0);
	struct kma_label label = { .part = index, .bold = box->part.level == 1 };
	double height, wide;
	char *text;

	if (!box->part.level) {
		kma_icicle_label_root(boxes, index);
		return;
	}
	label.size = fmax(boxes->params.font - box->part.level, boxes->params.min_font);
	while (label.size > boxes->params.min_font &&
	       (label.size * KMA_LINE_HEIGHT > box->height - 2 ||
		kma_text_width(name, label.size, label.bold) > room))
		label.size = fmax(label.size - 1, boxes->params.min_font);
	height = label.size * KMA_LINE_HEIGHT;
	if (height > box->height - 1)
		return;
	text = kma_text_elide(name, label.size, label.bold, room);
	if (!text)
		return;
	wide = kma_text_width(text, label.size, label.bold);
	label.x = box->x + KMA_BOX_PAD + wide / 2;
	/* The name is in the middle of a low box and at the top of a high one. */
	label.y = box->y + height / 2 + fmin((box->height - height) / 2, KMA_BOX_PAD);
	kma_labels_add(&boxes->labels, &label, text);
	if (!box->part.others)
		kma_icicle_value(boxes, index, wide, &label);
}

static void kma_icicle_place(const struct kma_boxes_params *p, unsigned int levels,
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
	const struct kma_boxes_form columns = { .whole = params->height,
						.place = kma_icicle_place,
						.label = kma_icicle_label };

	kma_boxes_partition(boxes, root, params, &columns);
}

void kma_icicle_draw(struct kma_canvas *canvas)
{
	kma_boxes_draw(canvas, kma_icicle_init, 2, 17);
}
