/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * part.h - what any kind of chart is made of: parts, and labels on them.
 */
#ifndef KMA_VIEW_CHART_PART_H
#define KMA_VIEW_CHART_PART_H

#include "tree/node.h"

/* A node, or small children of one that are gathered. */
struct kma_part {
	const struct kma_node *node;  /* what it shows; the parent when it gathers */
	size_t others;		      /* number of gathered children, 0 for a node */
	unsigned int level;	      /* below the branch; 0 is the branch */
	size_t top;		      /* index of its ancestor among the branch's children */
	uint64_t value;		      /* of the metric */
	uint64_t sides[KMA_NR_SIDES]; /* the same of two trees, when there are */
	bool two;		      /* there are */
	bool more;		      /* the node has children that are not shown */
};

struct kma_label {
	size_t part;   /* index of what it belongs to */
	char *text;    /* one line */
	double x, y;   /* middle of its rectangle */
	double turn;   /* of the text, clockwise; 0 is horizontal */
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
 * @label: copied, but for its text; width and height are set here
 * @text: taken in any case; NULL is no memory
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_labels_add(struct kma_labels *labels, const struct kma_label *label,
			       char *text);

/**
 * kma_labels_deinit() - free all labels
 * @labels: as added to
 */
void kma_labels_deinit(struct kma_labels *labels);

/**
 * kma_part_name() - what a part is called
 * @part: the part
 * @metric: what sizes mean
 *
 * Callers are without their offset or line, it only takes room.
 *
 * Return: "inode.c", "other (12, 3.4 KiB)"; to be freed by the caller, NULL without memory.
 */
char *kma_part_name(const struct kma_part *part, enum kma_metric_id metric);

/**
 * kma_part_size() - its size as text; in a comparison the change with its sign
 * @part: the part
 * @metric: what sizes mean
 * @buf: where to
 * @len: room there is; 24 bytes are enough
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
 * kma_part_split() - the parts that a part consists of
 * @around: the part, which gathers nothing
 * @metric: what sizes mean
 * @smallest: children of a smaller value are gathered in one part, the last
 * @ret: room for one more than the node's children
 *
 * A single child that is too small is a part like others, but the last.
 *
 * Return: how many.
 */
size_t kma_part_split(const struct kma_part *around, enum kma_metric_id metric, double smallest,
		      struct kma_part *ret);

/**
 * kma_part_more() - has a node anything below it?
 * @node: the node
 * @metric: of which metric
 *
 * Return: true when a child has a value.
 */
bool kma_part_more(const struct kma_node *node, enum kma_metric_id metric);

/**
 * kma_change_format() - a change for people
 * @buf: where to
 * @len: room there is; 24 bytes are enough
 * @before: what it was
 * @after: what it is
 * @unit: of both
 *
 * Return: @buf: "+1.2 KiB", "\u22121.2 KiB", "0 B".
 */
const char *kma_change_format(char *buf, size_t len, uint64_t before, uint64_t after,
			      enum kma_unit unit);

/**
 * kma_change_moves() - what a sum of changes hides
 * @buf: where to
 * @len: room there is; 64 bytes are enough
 * @moved: all changes below, without their signs
 * @before: what it was
 * @after: what it is
 * @unit: of all
 *
 * Return: @buf: " (+1.3 MiB and \u22121.4 MiB)"; "" if all changes are in one direction.
 */
const char *kma_change_moves(char *buf, size_t len, uint64_t moved, uint64_t before, uint64_t after,
			     enum kma_unit unit);

/**
 * kma_change_percent() - a change as a share of what was
 * @buf: where to
 * @len: room there is; 24 bytes are enough
 * @before: what it was, not 0
 * @after: what it is
 *
 * Return: @buf: "+12.3%", "\u221212.3%".
 */
const char *kma_change_percent(char *buf, size_t len, uint64_t before, uint64_t after);

#endif /* KMA_VIEW_CHART_PART_H */
