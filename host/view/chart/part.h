/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * part.h - the elements of every kind of chart: the canvas on which the chart is drawn, its parts,
 * and the labels on them.
 *
 * A canvas is the state of a chart while it is drawn: its content, its scene, and the colours of the
 * branch's children. All kinds of charts share one frame of 1600 by 1000 units: the title at the
 * top, the drawing at the left, the legend at the right, the footer at the bottom. A narrow picture
 * has fewer units, so that its text is readable, and its parts are below each other.
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

/**
 * kma_labels_add() - add a label
 * @labels: all of a chart
 * @label: copied except for its text; width and height are set here
 * @text: the labels own it
 */
void kma_labels_add(struct kma_labels *labels, const struct kma_label *label, char *text);

/**
 * kma_labels_deinit() - free all labels
 * @labels: as added to
 */
void kma_labels_deinit(struct kma_labels *labels);

/**
 * kma_part_name() - name of a part
 * @part: the part
 * @metric: what sizes mean
 *
 * Callers have no offset or line, to save space.
 *
 * Return: "inode.c", "other (12, 3.4 KiB)"; to be freed by the caller.
 */
char *kma_part_name(const struct kma_part *part, enum kma_metric_id metric);

/**
 * kma_part_size() - size of a part as text; in a comparison the change with its sign
 * @part: the part
 * @metric: of the sizes
 * @buf: the text
 * @len: bytes of @buf; 24 are sufficient
 */
void kma_part_size(const struct kma_part *part, enum kma_metric_id metric, char *buf, size_t len);

/**
 * kma_part_whole() - a branch as a part
 * @node: the branch
 * @metric: what sizes mean
 *
 * Return: the part, level 0.
 */
struct kma_part kma_part_whole(const struct kma_node *node, enum kma_metric_id metric);

/**
 * kma_part_split() - split a node into parts
 * @around: the part of the node; not of combined children
 * @metric: of the sizes
 * @smallest: children with a smaller value are combined into one part, the last one
 * @ret: the parts; has space for one more than the node's children
 *
 * A single child that is too small is the last part, but not a combined one.
 *
 * Return: the number of parts.
 */
size_t kma_part_split(const struct kma_part *around, enum kma_metric_id metric, double smallest,
		      struct kma_part *ret);

/**
 * kma_part_more() - check whether a node has children with a size
 * @node: the node
 * @metric: of the sizes
 *
 * Return: true if a child has a value.
 */
bool kma_part_more(const struct kma_node *node, enum kma_metric_id metric);

/**
 * kma_change_format() - format a change for people
 * @buf: the text
 * @len: bytes of @buf; 24 are sufficient
 * @before: the old value
 * @after: the new value
 * @unit: of both
 *
 * Return: @buf: "+1.2 KiB", "\u22121.2 KiB", "0 B".
 */
const char *kma_change_format(char *buf, size_t len, uint64_t before, uint64_t after,
			      enum kma_unit unit);

/**
 * kma_change_moves() - format the increases and decreases that a sum of changes hides
 * @buf: the text
 * @len: bytes of @buf; 64 are sufficient
 * @moved: the sum of all changes below, without their signs
 * @before: the old value
 * @after: the new value
 * @unit: of all values
 *
 * Return: @buf: " (+1.3 MiB and \u22121.4 MiB)"; "" if all changes are in one direction.
 */
const char *kma_change_moves(char *buf, size_t len, uint64_t moved, uint64_t before, uint64_t after,
			     enum kma_unit unit);

/**
 * kma_change_percent() - format a change as a share of the old value
 * @buf: the text
 * @len: bytes of @buf; 24 are sufficient
 * @before: the old value, not 0
 * @after: the new value
 *
 * Return: @buf: "+12.3%", "\u221212.3%".
 */
const char *kma_change_percent(char *buf, size_t len, uint64_t before, uint64_t after);

/**
 * kma_canvas_value() - get the size of a node
 * @canvas: the chart
 * @values: numbers of the node
 *
 * Return: the value of the chart's metric.
 */
uint64_t kma_canvas_value(const struct kma_canvas *canvas, const struct kma_values *values);

/**
 * kma_canvas_number() - format a size
 * @canvas: the chart
 * @value: a value of the chart's metric
 * @buf: set to the text
 * @len: bytes of @buf; 24 are sufficient
 */
void kma_canvas_number(const struct kma_canvas *canvas, uint64_t value, char *buf, size_t len);

/**
 * kma_canvas_colour() - get the colour of a part
 * @canvas: the chart
 * @part: the part
 *
 * Return: the colour by owner and level, or in a comparison by change.
 */
kma_rgb kma_canvas_colour(const struct kma_canvas *canvas, const struct kma_part *part);

/**
 * kma_canvas_tip() - make the tooltip of a part
 * @canvas: the chart
 * @part: the part
 *
 * Return: "fs/ext4: 1.2 MiB, 14.3% of all, 40.1% of fs", to be freed; NULL if out of memory.
 */
char *kma_canvas_tip(const struct kma_canvas *canvas, const struct kma_part *part);

#endif /* KMA_VIEW_CHART_PART_H */
