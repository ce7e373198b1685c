// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout.c - geometry of slices and of their labels.
 *
 * Slices: layout_around() is recursive over the tree, as deep as the rings. The start of a
 * slice is computed from the sum of the values before it, so rounding leaves no gap. Rings that no
 * slice reaches are removed at the end, so the others get thicker. Time is linear in the slices.
 *
 * A label may lie in three ways: horizontal, along the ring, or along the radius. For each way, a
 * bisection finds the widest rectangle that fits (if a rectangle fits, so does a narrower one).
 * The text is set in the first way that has space for all of it: first with its value below it,
 * then alone, then in a smaller font. If no way has enough space, the text is shortened in the way
 * that has the most. A label is never drawn outside its slice; a slice may have none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "scene.h"

/* Least distance of a label's rectangle from the edges of its slice. */
#define KMA_LABEL_PAD 3.0

/* Free width on both sides of a text: a text that ends at an edge is hard to read. */
#define KMA_LABEL_MARGIN 6.0

enum kma_way { KMA_WAY_FLAT, KMA_WAY_RING, KMA_WAY_RADIUS, KMA_NR_WAYS };

double kma_layout_inner(const struct kma_layout *layout, unsigned int ring)
{
	const struct kma_layout_params *p = &layout->params;

	return p->hole + (p->radius - p->hole) * (ring - 1) / p->rings;
}

static void layout_add(struct kma_layout *layout, const struct kma_slice *slice, size_t *index)
{
	kma_array_room(layout->slices, layout->nr_slices, layout->alloc_slices);
	*index = layout->nr_slices++;
	layout->slices[*index] = *slice;
}

/* Adds the children of a slice, and their children. */
static void layout_around(struct kma_layout *layout, const struct kma_slice *inner)
{
	_cleanup_free_ struct kma_part *parts = NULL;
	const struct kma_part *part = &inner->part;
	double scale = inner->sweep / part->value;
	uint64_t before = 0;
	size_t nr, index;

	parts = kma_xcalloc(part->node->nr_children + 1, sizeof(*parts));
	nr = kma_part_split(part, layout->params.metric, layout->params.min_sweep / scale, parts);
	for (size_t i = 0; i < nr; i++) {
		bool last = parts[i].level == layout->params.rings;
		struct kma_slice slice = {
			.part = parts[i],
			/*
			 * Compute angles from sums, not step by step, so that rounding leaves no
			 * gaps.
			 */
			.start = inner->start + before * scale,
			.sweep = parts[i].value * scale,
		};

		before += parts[i].value;
		/* A dark edge marks hidden children; the grey of a combined slice does so, too. */
		slice.part.more = last && !parts[i].others &&
				  kma_part_more(parts[i].node, layout->params.metric);
		layout_add(layout, &slice, &index);
		if (!last && !parts[i].others)
			layout_around(layout, &slice);
	}
}

/* Signed distance of a point from the line through the centre at an angle. */
static double beside(double angle, double x, double y)
{
	/* Clockwise of the line is positive; its direction is (sin, -cos). */
	return sin(angle) * y + cos(angle) * x;
}

static void label_corners(const struct kma_label *label, double corners[4][2])
{
	double c = cos(label->turn), s = sin(label->turn);

	for (int i = 0; i < 4; i++) {
		double u = (i & 1 ? 0.5 : -0.5) * label->width;
		double v = (i & 2 ? 0.5 : -0.5) * label->height;

		corners[i][0] = label->x + u * c - v * s;
		corners[i][1] = label->y + u * s + v * c;
	}
}

/*
 * Does a turned rectangle lie within a slice, @pad away from its edges? For a slice of more than
 * half a turn, the result may be false although the rectangle just fits.
 */
static bool label_fits(const struct kma_layout *layout, const struct kma_slice *slice,
		       const struct kma_label *label, double pad)
{
	double inner = kma_layout_inner(layout, slice->part.level) + pad;
	double outer = kma_layout_inner(layout, slice->part.level + 1) - pad;
	double c = cos(label->turn), s = sin(label->turn);
	bool after_start = true, before_end = true;
	double corners[4][2], u, v;

	label_corners(label, corners);
	for (int i = 0; i < 4; i++) {
		double x = corners[i][0], y = corners[i][1];

		if (hypot(x, y) > outer)
			return false;
		after_start &= beside(slice->start, x, y) >= pad;
		before_end &= beside(slice->start + slice->sweep, x, y) <= -pad;
	}
	/* Nearest point of the rectangle to the centre, in the rectangle's own axes. */
	u = fmax(fabs(label->x * c + label->y * s) - label->width / 2, 0);
	v = fmax(fabs(-label->x * s + label->y * c) - label->height / 2, 0);
	if (hypot(u, v) < inner)
		return false;
	if (slice->sweep >= 2 * M_PI - 1e-9)
		return true;
	/*
	 * A wedge of up to half a turn is convex. For a larger one, one half must contain the
	 * rectangle.
	 */
	return slice->sweep <= M_PI ? after_start && before_end : after_start || before_end;
}

static void label_place(const struct kma_layout *layout, const struct kma_slice *slice,
			enum kma_way way, struct kma_label *label)
{
	double r = (kma_layout_inner(layout, slice->part.level) +
		    kma_layout_inner(layout, slice->part.level + 1)) /
		   2;
	double middle = slice->start + slice->sweep / 2;
	bool lower;

	middle = fmod(middle, 2 * M_PI);
	lower = middle > M_PI / 2 && middle < 3 * M_PI / 2;
	label->x = r * sin(middle);
	label->y = -r * cos(middle);
	/* A text is never upside down. */
	if (way == KMA_WAY_FLAT)
		label->turn = 0;
	else if (way == KMA_WAY_RING)
		label->turn = lower ? middle - M_PI : middle;
	else
		label->turn = middle < M_PI ? middle - M_PI / 2 : middle + M_PI / 2;
}

/* Width of the widest text of this height with a margin; 0: no text fits. */
static double label_room(const struct kma_layout *layout, const struct kma_slice *slice,
			 enum kma_way way, double height, double margin)
{
	double low = 0, high = 2 * layout->params.radius;
	struct kma_label label = { .height = height };

	label_place(layout, slice, way, &label);
	while (high - low > 0.5) {
		label.width = (low + high) / 2;
		if (label_fits(layout, slice, &label, KMA_LABEL_PAD))
			low = label.width;
		else
			high = label.width;
	}
	return fmax(low - margin, 0);
}

static void label_add(struct kma_layout *layout, size_t index, enum kma_way way,
		      const struct kma_label *line, char *text)
{
	struct kma_label label = *line;

	label_place(layout, &layout->slices[index], way, &label);
	/* A line above or below the middle moves across the text. */
	label.x += -sin(label.turn) * line->y;
	label.y += cos(label.turn) * line->y;
	label.part = index;
	kma_labels_add(&layout->labels, &label, text);
}

/* Name and value on two lines, in one way and size. */
static bool label_try_two(struct kma_layout *layout, size_t index, const char *name,
			  enum kma_way way, double size)
{
	const struct kma_slice *slice = &layout->slices[index];
	double small = fmax(size * 0.85, layout->params.min_font);
	double height = (size + small) * KMA_LINE_HEIGHT;
	struct kma_label line = { .size = size, .bold = true };
	char value[24];

	kma_part_size(&slice->part, layout->params.metric, value, sizeof(value));
	if (label_room(layout, slice, way, height, KMA_LABEL_MARGIN) <
	    fmax(kma_text_width(name, size, true), kma_text_width(value, small, false)))
		return false;
	line.y = -(height - size * KMA_LINE_HEIGHT) / 2;
	label_add(layout, index, way, &line, kma_xstrdup(name));
	line = (struct kma_label){ .size = small };
	line.y = (height - small * KMA_LINE_HEIGHT) / 2;
	label_add(layout, index, way, &line, kma_xstrdup(value));
	return true;
}

/* A slightly smaller horizontal text is easier to read than a larger turned one. */
static bool label_two_lines(struct kma_layout *layout, size_t index, const char *name,
			    double largest)
{
	double smallest = fmax(largest - 3, layout->params.min_font + 1);

	for (enum kma_way way = KMA_WAY_FLAT; way <= KMA_WAY_RING; way++)
		for (double size = largest; size >= smallest; size -= 1)
			if (label_try_two(layout, index, name, way, size))
				return true;
	return false;
}

static bool label_one_line(struct kma_layout *layout, size_t index, const char *name, double size,
			   double margin, bool shorten)
{
	const struct kma_slice *slice = &layout->slices[index];
	struct kma_label line = { .size = size, .bold = slice->part.level == 1 };
	double width = kma_text_width(name, size, line.bold), room[KMA_NR_WAYS];
	enum kma_way best = KMA_WAY_FLAT;
	char *text;

	for (enum kma_way way = KMA_WAY_FLAT; way < KMA_NR_WAYS; way++) {
		room[way] = label_room(layout, slice, way, size * KMA_LINE_HEIGHT, margin);
		if (room[way] >= width) {
			label_add(layout, index, way, &line, kma_xstrdup(name));
			return true;
		}
		if (room[way] > room[best])
			best = way;
	}
	if (!shorten)
		return false;
	text = kma_text_elide(name, size, line.bold, room[best]);
	if (!text)
		return false;
	label_add(layout, index, best, &line, text);
	return true;
}

/* Gives a slice its label, if one fits. */
static void label_slice(struct kma_layout *layout, size_t index)
{
	_cleanup_free_ char *name =
		kma_part_name(&layout->slices[index].part, layout->params.metric);
	const struct kma_slice *slice = &layout->slices[index];
	const struct kma_layout_params *p = &layout->params;
	double largest = fmax(p->font - (slice->part.level - 1), p->min_font);

	if (label_room(layout, slice, KMA_WAY_RADIUS, p->min_font * KMA_LINE_HEIGHT, 0) <= 0 &&
	    label_room(layout, slice, KMA_WAY_RING, p->min_font * KMA_LINE_HEIGHT, 0) <= 0)
		return;
	if (!slice->part.others && label_two_lines(layout, index, name, largest))
		return;
	for (double size = largest; size >= p->min_font; size -= 1)
		if (label_one_line(layout, index, name, size, KMA_LABEL_MARGIN, false))
			return;
	/*
	 * Narrow margins are better than a shortened text. "other (12, 3 KiB)" becomes "other
	 * (12)".
	 */
	if (slice->part.others && strchr(name, ','))
		strcpy(strchr(name, ','), ")");
	/* A shortened "other" adds nothing to the grey colour. */
	if (!label_one_line(layout, index, name, p->min_font, 0, false) && !slice->part.others)
		label_one_line(layout, index, name, p->min_font, 0, true);
}

void kma_layout_init(struct kma_layout *layout, const struct kma_node *root,
		     const struct kma_layout_params *params)
{
	struct kma_slice whole = {
		.part = kma_part_whole(root, params->metric),
		.sweep = params->whole,
	};

	memset(layout, 0, sizeof(*layout));
	layout->params = *params;
	if (whole.part.value)
		layout_around(layout, &whole);
	/* Rings that no slice reaches are left out, so that the others are thicker. */
	layout->params.rings = 1;
	for (size_t i = 0; i < layout->nr_slices; i++)
		if (layout->slices[i].part.level > layout->params.rings)
			layout->params.rings = layout->slices[i].part.level;
	for (size_t i = 0; i < layout->nr_slices && params->font; i++)
		label_slice(layout, i);
}

void kma_layout_deinit(struct kma_layout *layout)
{
	kma_labels_deinit(&layout->labels);
	free(layout->slices);
	memset(layout, 0, sizeof(*layout));
}
