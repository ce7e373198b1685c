/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * canvas.h - the state of a chart while it is drawn: its content, its scene, and the colours of the
 * branch's children.
 *
 * All kinds of charts share one frame of 1600 by 1000 units: the title at the top, the drawing at
 * the left, the legend at the right, the footer at the bottom. A narrow picture has fewer units,
 * so that its text is readable, and its parts are below each other.
 */
#ifndef KMA_VIEW_CHART_CANVAS_H
#define KMA_VIEW_CHART_CANVAS_H

#include "chart.h"
#include "part.h"

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

#endif /* KMA_VIEW_CHART_CANVAS_H */
