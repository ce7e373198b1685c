// SPDX-License-Identifier: GPL-2.0
/*
 * treemap.c - a branch as rectangles within rectangles.
 *
 * A directory's name stands in one of the boxes within it, the first that has room,
 * above the name of that box: a heading of its own would take area from the boxes and
 * make those of two directories impossible to compare.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/cleanup.h"
#include "boxes.h"
#include "textwidth.h"

/* One that is to be placed: a child, or those that are too small. */
struct kma_tile {
	struct kma_part part;
	double area;
};

/* What is still free of a box. */
struct kma_room {
	double x, y, width, height;
};

static struct kma_err *kma_treemap_inside(struct kma_boxes *boxes, size_t index);

/* The worst ratio of sides in a row of tiles along a side of @length. */
static double kma_row_worst(double largest, double smallest, double sum, double length)
{
	double thickness = sum / length;

	return fmax(largest / (thickness * thickness), thickness * thickness / smallest);
}

/* How many of the tiles, which are sorted, make the best row. */
static size_t kma_row_length(const struct kma_tile *tiles, size_t nr, double length, double *sum)
{
	double worst = INFINITY;
	size_t i;

	*sum = 0;
	for (i = 0; i < nr; i++) {
		double with = *sum + tiles[i].area;
		/* The last one may be larger than those before: what is gathered. */
		double smallest = fmin(tiles[0].area, tiles[i].area);
		double largest = fmax(tiles[0].area, tiles[i].area);
		double ratio = kma_row_worst(largest, smallest, with, length);

		if (ratio > worst)
			break;
		worst = ratio;
		*sum = with;
	}
	return i;
}

/* Places a row along the shorter side; the last row and the last tile end at the edge. */
static struct kma_err *kma_row_place(struct kma_boxes *boxes, const struct kma_tile *tiles,
				     size_t nr, double sum, bool last, struct kma_room *room)
{
	bool down = room->height <= room->width;
	double length = down ? room->height : room->width;
	double across = down ? room->width : room->height;
	double thickness = last ? across : fmin(sum / length, across);
	double before = 0;
	struct kma_err *err = NULL;

	for (size_t i = 0; i < nr && !err; i++) {
		double from = length * before / sum;
		double to = i + 1 == nr ? length : length * (before + tiles[i].area) / sum;
		struct kma_box box = { .part = tiles[i].part };
		size_t index;

		box.x = room->x + (down ? 0 : from);
		box.y = room->y + (down ? from : 0);
		box.width = down ? thickness : to - from;
		box.height = down ? to - from : thickness;
		before += tiles[i].area;
		err = kma_boxes_add(boxes, &box, &index);
		if (!err)
			err = kma_treemap_inside(boxes, index);
		if (!err)
			boxes->boxes[index].end = boxes->nr;
	}
	room->x += down ? thickness : 0;
	room->y += down ? 0 : thickness;
	room->width -= down ? thickness : 0;
	room->height -= down ? 0 : thickness;
	return err;
}

/* The children that get a box of their own, and one tile for all others. */
static size_t kma_tiles_make(const struct kma_boxes *boxes, const struct kma_box *around,
			     struct kma_tile *tiles)
{
	const struct kma_node *node = around->part.node;
	const struct kma_metric *metric = &kma_metrics[boxes->params.metric];
	double scale = around->width * around->height / around->part.value;
	struct kma_tile rest = { .part = around->part };
	size_t nr = 0, only = 0;

	rest.part.level++;
	rest.part.value = 0;
	for (size_t i = 0; i < node->nr_children; i++) {
		struct kma_tile tile = { .part = rest.part };

		tile.part.value = metric->get(&node->children[i]->values);
		tile.part.node = node->children[i];
		tile.part.others = 0;
		if (tile.part.level == 1)
			tile.part.top = i;
		tile.area = tile.part.value * scale;
		if (!tile.part.value)
			continue;
		if (tile.area >= boxes->params.smallest) {
			tiles[nr++] = tile;
			continue;
		}
		rest.part.value += tile.part.value;
		rest.part.others++;
		only = i;
	}
	rest.area = rest.part.value * scale;
	if (rest.part.level == 1)
		rest.part.top = rest.part.others == 1 ? only : node->nr_children;
	if (rest.part.others == 1) {
		rest.part.node = node->children[only];
		rest.part.others = 0;
		tiles[nr++] = rest;
	} else if (rest.part.others) {
		tiles[nr++] = rest;
	}
	return nr;
}

/* Fills a box with its children, or leaves it filled. */
static struct kma_err *kma_treemap_inside(struct kma_boxes *boxes, size_t index)
{
	_cleanup_free_ struct kma_tile *tiles = NULL;
	const struct kma_box around = boxes->boxes[index];
	const struct kma_part *part = &around.part;
	struct kma_room room = { around.x, around.y, around.width, around.height };
	struct kma_err *err = NULL;
	size_t nr;

	boxes->boxes[index].filled = true;
	if (part->others || !kma_part_more(part->node, boxes->params.metric))
		return NULL;
	boxes->boxes[index].part.more = true;
	if (part->level == boxes->params.depth)
		return NULL;
	tiles = malloc((part->node->nr_children + 1) * sizeof(*tiles));
	if (!tiles)
		return &kma_enomem;
	nr = kma_tiles_make(boxes, &around, tiles);
	/* All of them too small: the box says more as it is. */
	if (nr == 1 && tiles->part.others)
		return NULL;
	boxes->boxes[index].filled = false;
	boxes->boxes[index].part.more = false;
	for (size_t i = 0; i < nr && !err;) {
		double sum;
		size_t row = kma_row_length(tiles + i, nr - i, fmin(room.width, room.height), &sum);

		err = kma_row_place(boxes, tiles + i, row, sum, i + row == nr, &room);
		i += row;
	}
	return err;
}

/* Tries to set a line below those that a box has; what it takes is in @used. */
static struct kma_err *kma_treemap_line(struct kma_boxes *boxes, const struct kma_part *of,
					size_t index, double size, double *used, bool *done)
{
	_cleanup_free_ char *name = kma_part_name(of, boxes->params.metric);
	const struct kma_box *box = &boxes->boxes[index];
	double height = size * KMA_LINE_HEIGHT;
	/* The dark edge is at the right. */
	double room = box->width - 2 * KMA_BOX_PAD - (box->part.more ? 3 : 0);
	struct kma_label label = { .part = index, .size = size, .bold = of->level <= 2 };
	char value[24];
	double wide;
	struct kma_err *err;

	if (!name)
		return &kma_enomem;
	wide = kma_text_width(name, size, label.bold);
	if (wide > room || *used + height > box->height - KMA_BOX_PAD)
		return NULL;
	*done = true;
	label.x = box->x + KMA_BOX_PAD + wide / 2;
	label.y = box->y + *used + height / 2;
	*used += height;
	err = kma_labels_add(&boxes->labels, &label, strdup(name));
	if (err || of->others)
		return err;
	/* The value beside it, where there is room. */
	label.bold = false;
	label.size = fmax(size - 2, boxes->params.min_font - 1);
	label.y += (size - label.size) * KMA_BASELINE;
	kma_part_size(of, boxes->params.metric, value, sizeof(value));
	if (wide + size / 2 + kma_text_width(value, label.size, false) > room)
		return NULL;
	label.x = box->x + KMA_BOX_PAD + wide + size / 2 +
		  kma_text_width(value, label.size, false) / 2;
	return kma_labels_add(&boxes->labels, &label, strdup(value));
}

/* The name of a box: in itself if it is filled, else in the first within it with room. */
static struct kma_err *kma_treemap_label(struct kma_boxes *boxes, size_t index, double *used)
{
	const struct kma_part part = boxes->boxes[index].part;
	double largest = fmax(boxes->params.font - 2 * (part.level - 1.0), boxes->params.min_font);
	struct kma_err *err = NULL;
	bool done = false;

	for (double size = largest; size >= boxes->params.min_font && !done; size -= 1) {
		for (size_t i = index; i < boxes->boxes[index].end && !err && !done; i++)
			if (boxes->boxes[i].filled)
				err = kma_treemap_line(boxes, &part, i, size, &used[i], &done);
	}
	return err;
}

/* Outer ones first, so that their names stand above those of the inner ones. */
static struct kma_err *kma_treemap_labels(struct kma_boxes *boxes)
{
	_cleanup_free_ double *used = malloc((boxes->nr + 1) * sizeof(*used));
	struct kma_err *err = NULL;

	if (!used)
		return &kma_enomem;
	for (size_t i = 0; i < boxes->nr; i++)
		used[i] = KMA_BOX_PAD - 1;
	for (unsigned int level = 1; level <= boxes->params.depth; level++)
		for (size_t i = 0; i < boxes->nr && !err; i++)
			if (boxes->boxes[i].part.level == level)
				err = kma_treemap_label(boxes, i, used);
	return err;
}

struct kma_err *kma_treemap_init(struct kma_boxes *boxes, const struct kma_node *root,
				 const struct kma_boxes_params *params)
{
	struct kma_box whole = {
		.part = { .node = root, .value = kma_metrics[params->metric].get(&root->values) },
		.x = params->x,
		.y = params->y,
		.width = params->width,
		.height = params->height,
	};
	struct kma_err *err;
	size_t index;

	memset(boxes, 0, sizeof(*boxes));
	boxes->params = *params;
	if (!whole.part.value)
		return NULL;
	err = kma_boxes_add(boxes, &whole, &index);
	if (!err)
		err = kma_treemap_inside(boxes, index);
	if (err)
		return err;
	boxes->boxes[index].end = boxes->nr;
	return params->font ? kma_treemap_labels(boxes) : NULL;
}

struct kma_err *kma_treemap_draw(struct kma_canvas *canvas)
{
	struct kma_boxes_params params = {
		.metric = canvas->chart->metric,
		.depth = canvas->chart->depth,
		.x = KMA_AREA_X,
		.y = KMA_AREA_Y,
		.width = KMA_AREA_W,
		.height = KMA_AREA_H,
		.smallest = 40,
		.font = 18,
		.min_font = 11,
	};
	struct kma_boxes boxes;
	struct kma_err *err;

	err = kma_treemap_init(&boxes, canvas->chart->branch, &params);
	if (!err)
		kma_boxes_draw(&boxes, canvas);
	kma_boxes_deinit(&boxes);
	return err;
}
