/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * part.h - the elements of every kind of chart: the canvas on which the chart is drawn, its parts,
 * and the labels on them.
 *
 * A canvas is the state of a chart while it is drawn: its content, its scene, and the colours of
 * the branch's children. All kinds of charts share one frame of 1600 by 1000 units: the title at
 * the top, the drawing at the left, the legend at the right, the footer at the bottom. A narrow
 * picture has fewer units, so that its text is readable, and its parts are below each other.
 *
 * Texts are written into buffers of the caller, @len bytes; 24 are sufficient unless the function
 * says more.
 */
#ifndef KMA_VIEW_CHART_PART_H
#define KMA_VIEW_CHART_PART_H

#include "chart.h"
#include "tree/node.h"

/* Narrower pictures, in pixels, have the legend below the drawing. */
#define KMA_NARROW 900

/* Positions of the parts, in units of the scene. */
struct kma_chart_frame {
	bool narrow;
	double width, height;
	double margin;
	double area_x, area_y, area_w, area_h;	 /* the drawing */
	double centre_x, centre_y, radius, hole; /* centre and radius of rings */
	double legend_x, legend_r, legend_top;	 /* left, right, first row */
	double footer;
};

struct kma_canvas {
	const struct kma_chart *chart;
	const struct kma_theme *theme;
	struct kma_scene *scene;
	struct kma_chart_frame frame;
	kma_rgb *tops;	   /* colour of each child of the branch, and grey after the last */
	uint64_t total;	   /* size of the branch by the chart's metric */
	unsigned int flat; /* level whose shade all levels have; 0: each level has its own */
};

/* A node, or several small children of a node that are combined. */
struct kma_part {
	const struct kma_node *node;  /* the node; for combined children, their parent */
	size_t others;		      /* number of combined children; 0: a node */
	unsigned int level;	      /* levels below the branch; 0: the branch */
	size_t top;		      /* index of its ancestor among the branch's children */
	uint64_t value;		      /* size by the metric */
	uint64_t sides[KMA_NR_SIDES]; /* sizes in both trees of a comparison; valid if two */
	bool two;		      /* the chart is a comparison */
	bool more;		      /* the node has children that are not shown */
};

/* A line of text within a slice or a box. */
struct kma_label {
	size_t part;   /* index of its slice or box */
	char *text;    /* one line, allocated */
	double x, y;   /* middle of its rectangle */
	double turn;   /* of the text in radians, clockwise; 0 is horizontal */
	double width;  /* of the rectangle, along the text */
	double height; /* of the rectangle */
	double size;   /* font size */
	bool bold;     /* weight */
};

struct kma_labels {
	struct kma_label *labels;
	size_t nr;
	size_t alloc;
};

/* The labels own @text. @label is copied, and its width and height are set. */
void kma_labels_add(struct kma_labels *labels, const struct kma_label *label, char *text);

void kma_labels_deinit(struct kma_labels *labels);

/*
 * "inode.c", "other (12, 3.4 KiB)"; to be freed by the caller. Callers have no offset or line, to
 * save space.
 */
char *kma_part_name(const struct kma_part *part, enum kma_metric_id metric);

/* In a comparison the change with its sign. */
void kma_part_size(const struct kma_part *part, enum kma_metric_id metric, char *buf, size_t len);

/* A branch as a part of level 0. */
struct kma_part kma_part_whole(const struct kma_node *node, enum kma_metric_id metric);

/*
 * Splits a node that is not combined children into parts, and returns their number; @ret has space
 * for one more than its children. Those with a value below @smallest are combined into one part,
 * the last one. A single child that is too small is the last part, but not a combined one.
 */
size_t kma_part_split(const struct kma_part *around, enum kma_metric_id metric, double smallest,
		      struct kma_part *ret);

/* Does a child of the node have a value? */
bool kma_part_more(const struct kma_node *node, enum kma_metric_id metric);

/* "+1.2 KiB", "\u22121.2 KiB", "0 B". Returns @buf. */
const char *kma_change_format(char *buf, size_t len, uint64_t before, uint64_t after,
			      enum kma_unit unit);

/*
 * The increases and decreases that a sum of changes hides: " (+1.3 MiB and \u22121.4 MiB)"; "" if
 * all changes are in one direction. @moved is the sum of all changes below, without their signs.
 * @buf has 64 bytes. Returns @buf.
 */
const char *kma_change_moves(char *buf, size_t len, uint64_t moved, uint64_t before, uint64_t after,
			     enum kma_unit unit);

/* "+12.3%", "\u221212.3%" of @before, which is not 0. Returns @buf. */
const char *kma_change_percent(char *buf, size_t len, uint64_t before, uint64_t after);

/* The number of the chart's metric. */
uint64_t kma_canvas_value(const struct kma_canvas *canvas, const struct kma_values *values);

void kma_canvas_number(const struct kma_canvas *canvas, uint64_t value, char *buf, size_t len);

/* The colour by owner and level, or in a comparison by change. */
kma_rgb kma_canvas_colour(const struct kma_canvas *canvas, const struct kma_part *part);

/* "fs/ext4: 1.2 MiB, 14.3% of all, 40.1% of fs", to be freed. */
char *kma_canvas_tip(const struct kma_canvas *canvas, const struct kma_part *part);

#endif /* KMA_VIEW_CHART_PART_H */
