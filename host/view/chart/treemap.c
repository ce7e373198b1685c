// SPDX-License-Identifier: GPL-2.0-only
/*
 * treemap.c - a branch as rectangles within rectangles.
 *
 * A box is divided among its children in rows along its shorter side (Bruls, Huizing, van Wijk,
 * "Squarified Treemaps", 2000). The children are sorted by size. A row takes the next child as long
 * as this does not make the worst ratio of sides in the row worse. The last tile of a row and the
 * last row end exactly at the edge, so that rounding leaves no gap. The boxes are in the order of a
 * walk over the tree; box.end is the index after the boxes within a box. The walk is recursive, as
 * deep as params.depth.
 *
 * A directory's name is in one of the boxes within it: the first with enough space, above the name
 * of that box. A heading of its own would take area from the boxes, and the boxes of two
 * directories could not be compared.
 */
#include <math.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "scene.h"
#include "treemap.h"

/* The part of a box that is not used yet. */
struct kma_room {
	double x, y, width, height;
};

static void treemap_inside(struct kma_boxes *boxes, size_t index);

/* The worst ratio of sides in a row of tiles along a side of @length; all sizes are areas. */
static double row_worst(double largest, double smallest, double sum, double length)
{
	double thickness = sum / length;

	return fmax(largest / (thickness * thickness), thickness * thickness / smallest);
}

/* The number of tiles that make the best row; *sum is their area. */
static size_t row_length(const struct kma_part *tiles, size_t nr, double scale, double length,
			 double *sum)
{
	double worst = INFINITY;
	size_t i;

	*sum = 0;
	for (i = 0; i < nr; i++) {
		double with = *sum + tiles[i].value * scale;
		/*
		 * The last tile may be larger than the tiles before it if it combines several
		 * children.
		 */
		double smallest = fmin(tiles[0].value * scale, tiles[i].value * scale);
		double largest = fmax(tiles[0].value * scale, tiles[i].value * scale);
		double ratio = row_worst(largest, smallest, with, length);

		if (ratio > worst)
			break;
		worst = ratio;
		*sum = with;
	}
	return i;
}

/* Place a row along the shorter side. The last row and the last tile end exactly at the edge. */
static void row_place(struct kma_boxes *boxes, const struct kma_part *tiles, size_t nr,
		      double scale, double sum, bool last, struct kma_room *room)
{
	bool down = room->height <= room->width;
	double length = down ? room->height : room->width;
	double across = down ? room->width : room->height;
	double thickness = last ? across : fmin(sum / length, across);
	double before = 0;

	for (size_t i = 0; i < nr; i++) {
		double from = length * before / sum;
		double to = i + 1 == nr ? length : length * (before + tiles[i].value * scale) / sum;
		struct kma_box box = { .part = tiles[i] };
		size_t index;

		box.x = room->x + (down ? 0 : from);
		box.y = room->y + (down ? from : 0);
		box.width = down ? thickness : to - from;
		box.height = down ? to - from : thickness;
		before += tiles[i].value * scale;
		kma_boxes_add(boxes, &box, &index);
		treemap_inside(boxes, index);
		boxes->boxes[index].end = boxes->nr;
	}
	room->x += down ? thickness : 0;
	room->y += down ? 0 : thickness;
	room->width -= down ? thickness : 0;
	room->height -= down ? 0 : thickness;
}

/* Divide a box among its children, or leave it filled. */
static void treemap_inside(struct kma_boxes *boxes, size_t index)
{
	_cleanup_free_ struct kma_part *tiles = NULL;
	const struct kma_box around = boxes->boxes[index];
	const struct kma_part *part = &around.part;
	double scale = around.width * around.height / part->value;
	struct kma_room room = { around.x, around.y, around.width, around.height };
	size_t nr;

	boxes->boxes[index].filled = true;
	if (part->others || !kma_part_more(part->node, boxes->params.metric))
		return;
	boxes->boxes[index].part.more = true;
	if (part->level == boxes->params.depth)
		return;
	tiles = kma_xcalloc(part->node->nr_children + 1, sizeof(*tiles));
	nr = kma_part_split(part, boxes->params.metric, boxes->params.smallest / scale, tiles);
	/* If all children are too small to draw, the box stays filled. */
	if (nr == 1 && tiles->others)
		return;
	boxes->boxes[index].filled = false;
	boxes->boxes[index].part.more = false;
	for (size_t i = 0; i < nr;) {
		double sum;
		size_t row =
			row_length(tiles + i, nr - i, scale, fmin(room.width, room.height), &sum);

		row_place(boxes, tiles + i, row, scale, sum, i + row == nr, &room);
		i += row;
	}
}

/* The lines of text in a box. */
struct kma_treemap_lines {
	double used; /* height of all lines */
	double size; /* smallest font so far; later lines are not larger */
	bool named;  /* the box's own name is in one of the lines, or in a box within it */
};

/* The size after a name: next to the name, or below it if there is plenty of space. */
static void treemap_value(struct kma_boxes *boxes, const struct kma_part *of,
			  const struct kma_label *name, double room,
			  struct kma_treemap_lines *lines)
{
	const struct kma_box *box = &boxes->boxes[name->part];
	struct kma_label label = { .part = name->part };
	double name_wide = kma_text_width(name->text, name->size, name->bold), wide;
	char value[24];

	label.size = fmax(name->size - 2, boxes->params.min_font - 1);
	kma_part_size(of, boxes->params.metric, value, sizeof(value));
	wide = kma_text_width(value, label.size, false);
	if (name_wide + name->size / 2 + wide <= room) {
		label.x = box->x + KMA_BOX_PAD + name_wide + name->size / 2 + wide / 2;
		label.y = name->y + (name->size - label.size) * KMA_BASELINE;
		kma_labels_add(&boxes->labels, &label, kma_xstrdup(value));
		return;
	}
	if (wide > room || lines->used + label.size * KMA_LINE_HEIGHT > box->height / 2)
		return;
	label.x = box->x + KMA_BOX_PAD + wide / 2;
	label.y = box->y + lines->used + label.size * KMA_LINE_HEIGHT / 2;
	lines->used += label.size * KMA_LINE_HEIGHT;
	kma_labels_add(&boxes->labels, &label, kma_xstrdup(value));
}

/* Try to add a line below the lines of a box. */
static bool treemap_line(struct kma_boxes *boxes, const struct kma_part *of,
			 struct kma_label *label, bool shorten, struct kma_treemap_lines *lines)
{
	_cleanup_free_ char *name = kma_part_name(of, boxes->params.metric);
	_cleanup_free_ char *text = NULL;
	const struct kma_box *box = &boxes->boxes[label->part];
	double height = label->size * KMA_LINE_HEIGHT;
	/* The dark edge is at the right. */
	double room = box->width - 2 * KMA_BOX_PAD - (box->part.more ? 3 : 0);

	if (label->size > lines->size || lines->used + height > box->height - KMA_BOX_PAD ||
	    (!shorten && kma_text_width(name, label->size, label->bold) > room))
		return false;
	text = kma_text_elide(name, label->size, label->bold, room);
	if (!text)
		return false;
	label->text = text;
	label->x = box->x + KMA_BOX_PAD + kma_text_width(text, label->size, label->bold) / 2;
	label->y = box->y + lines->used + height / 2;
	lines->used += height;
	lines->size = label->size;
	kma_labels_add(&boxes->labels, label, kma_xstrdup(text));
	if (!of->others)
		treemap_value(boxes, of, label, room, lines);
	return true;
}

/*
 * Place the name of a box: in the box itself if it is filled, otherwise in the first box within it
 * that has space. If no box has space, the name is shortened.
 */
static bool treemap_label(struct kma_boxes *boxes, size_t index, struct kma_treemap_lines *lines)
{
	const struct kma_part part = boxes->boxes[index].part;
	const struct kma_boxes_params *p = &boxes->params;
	double largest = fmax(p->font - 2 * (part.level - 1.0), p->min_font);
	struct kma_label label = { 0 };

	label.bold = part.level <= 2 && part.node->kind != KMA_NODE_SECTION;
	for (label.size = largest; label.size >= p->min_font; label.size -= 1) {
		for (size_t i = index; i < boxes->boxes[index].end; i++) {
			label.part = i;
			if (boxes->boxes[i].filled &&
			    treemap_line(boxes, &part, &label, false, &lines[i]))
				return true;
		}
	}
	label.size = p->min_font;
	for (size_t i = index; i < boxes->boxes[index].end && !part.others; i++) {
		label.part = i;
		if (boxes->boxes[i].filled && treemap_line(boxes, &part, &label, true, &lines[i]))
			return true;
	}
	return false;
}

/* A section name such as "text" is shown with the name of its file. */
static bool treemap_is_nameless(const struct kma_boxes *boxes, size_t index,
				const struct kma_treemap_lines *lines)
{
	unsigned int level = boxes->boxes[index].part.level;
	size_t around = index;

	if (boxes->boxes[index].part.node->kind != KMA_NODE_SECTION || level == 1)
		return false;
	while (boxes->boxes[around].part.level >= level)
		around--;
	return !lines[around].named;
}

/* Outer boxes come first, so that their names are above those of the inner boxes. */
static void treemap_labels(struct kma_boxes *boxes)
{
	_cleanup_free_ struct kma_treemap_lines *lines = kma_xcalloc(boxes->nr + 1, sizeof(*lines));

	for (size_t i = 0; i < boxes->nr; i++)
		lines[i] = (struct kma_treemap_lines){ KMA_BOX_PAD - 1, boxes->params.font, false };
	for (unsigned int level = 1; level <= boxes->params.depth; level++)
		for (size_t i = 0; i < boxes->nr; i++)
			if (boxes->boxes[i].part.level == level &&
			    !treemap_is_nameless(boxes, i, lines))
				lines[i].named = treemap_label(boxes, i, lines);
}

void kma_treemap_init(struct kma_boxes *boxes, const struct kma_node *root,
		      const struct kma_boxes_params *params)
{
	struct kma_box whole = {
		.part = kma_part_whole(root, params->metric),
		.x = params->x,
		.y = params->y,
		.width = params->width,
		.height = params->height,
	};
	size_t index;

	memset(boxes, 0, sizeof(*boxes));
	boxes->params = *params;
	if (!whole.part.value)
		return;
	kma_boxes_add(boxes, &whole, &index);
	treemap_inside(boxes, index);
	boxes->boxes[index].end = boxes->nr;
	if (params->font)
		treemap_labels(boxes);
}

void kma_treemap_draw(struct kma_canvas *canvas)
{
	kma_boxes_draw(canvas, kma_treemap_init, 40, 18);
}
