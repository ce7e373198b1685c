/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scene.h - a picture as a list of shapes. svg.c and cairo.c draw the same list. A scene has units
 * of its own; the writers scale it to the requested width. The widths of texts are those of DejaVu
 * Sans, from a table instead of a font library, so SVG and PNG are laid out alike.
 */
#ifndef KMA_VIEW_CHART_SCENE_H
#define KMA_VIEW_CHART_SCENE_H

#include <stdbool.h>
#include <stdio.h>

#include "colour.h"
#include "lib/err.h"
#include "lib/strbuf.h"

enum kma_shape_kind {
	KMA_SHAPE_RECT,
	KMA_SHAPE_FRAME, /* outline of a rect */
	KMA_SHAPE_SLICE,
	KMA_SHAPE_ARC,
	KMA_SHAPE_TEXT,
	KMA_SHAPE_AREA, /* a polygon */
};

enum kma_anchor { KMA_ANCHOR_START, KMA_ANCHOR_MIDDLE, KMA_ANCHOR_END };

struct kma_shape {
	enum kma_shape_kind kind;
	double x, y;	      /* rect, frame: corner; slice, arc: centre; text: see anchor */
	double width, height; /* rect, frame: size; text: width by the layout */
	double inner, outer;  /* slice: radii; arc: outer is its radius */
	double start, sweep;  /* slice, arc: clockwise from twelve o'clock */
	double turn;	      /* text: clockwise, around x, y */
	double size; /* text: size of the font; arc, frame: thickness; rect: radius of corners */
	bool bold;   /* text */
	enum kma_anchor anchor; /* text: the end that is at x; y is its middle */
	kma_rgb fill;		/* colour */
	bool outlined;		/* slice, rect: with a thin edge in the theme's colour */
	char *text;		/* text: a line of UTF-8 */
	double *points;		/* area: x and y of each corner */
	size_t nr_points;	/* area: corners */
	char *tip;		/* slice, rect, area: the tooltip; NULL: none */
};

struct kma_scene {
	double width, height;	       /* in its own units */
	const struct kma_theme *theme; /* colour of paper and edges */
	char *title;		       /* name of the picture */
	char *description;	       /* description for screen readers */
	struct kma_shape *shapes;      /* from the lowest to the highest */
	size_t nr;
	size_t alloc;
};

void kma_scene_init(struct kma_scene *scene, double width, double height);
void kma_scene_deinit(struct kma_scene *scene);

/*
 * Adds a copy of a shape on top of the others, with its points, and its texts by
 * kma_escape_label().
 */
void kma_scene_add(struct kma_scene *scene, const struct kma_shape *shape);

/*
 * Adds a line of text, shortened to the width @room; nothing if three characters do not fit. @like
 * has place, size, weight, anchor and colour.
 */
void kma_scene_add_text(struct kma_scene *scene, const struct kma_shape *like, double room,
			const char *text);

/* From the middle of a text (its y) down to its baseline, as a share of the font size. */
#define KMA_BASELINE 0.352

/* The height that a line of text needs, as a multiple of its font size. */
#define KMA_LINE_HEIGHT 1.2

/* The width of a line of DejaVu Sans in units of @size, 2 % more than the font has, as a margin. */
double kma_text_width(const char *text, double size, bool bold);

#define KMA_LETTERS_LEAST 5

/*
 * Shortens a text to a width, with an ellipsis at its end. To be freed by the caller; NULL if fewer
 * than five characters (KMA_LETTERS_LEAST) would be left.
 */
char *kma_text_elide(const char *text, double size, bool bold, double width);

#endif /* KMA_VIEW_CHART_SCENE_H */
