// SPDX-License-Identifier: GPL-2.0
/*
 * rings.c - the ring chart as a picture.
 *
 * 1600 by 1000 units: title at the top, rings at the left, legend at the right,
 * footer at the bottom. Each first-ring directory has a colour, what lies in it is
 * the same colour, lighter with each ring; what has no place is grey.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/cleanup.h"
#include "chart.h"
#include "colour.h"
#include "layout.h"
#include "rows.h"
#include "textwidth.h"
#include "view.h"

#define KMA_WIDTH    1600.0
#define KMA_HEIGHT   1000.0
#define KMA_MARGIN   44.0
#define KMA_CENTRE_X 516.0
#define KMA_CENTRE_Y 532.0
#define KMA_RADIUS   416.0
#define KMA_HOLE     86.0
#define KMA_LEGEND_X 1030.0
#define KMA_LEGEND_R (KMA_WIDTH - KMA_MARGIN)

enum { KMA_LEGEND_OWNERS = 12, KMA_LEGEND_FILES = 12 };

struct kma_canvas {
	const struct kma_chart *chart;
	struct kma_scene *scene;
	struct kma_layout layout;
	kma_rgb *colours; /* of each slice in the first ring, by index of the slice */
	uint64_t total;
};

static uint64_t kma_rings_value(const struct kma_canvas *canvas, const struct kma_values *values)
{
	return kma_metrics[canvas->chart->metric].get(values);
}

static void kma_canvas_number(const struct kma_canvas *canvas, uint64_t value, char *buf,
			      size_t len)
{
	kma_units_format(buf, len, value, kma_metrics[canvas->chart->metric].unit);
}

/* A line of text, shortened to the room there is. */
static void kma_canvas_text(struct kma_canvas *canvas, const struct kma_shape *like, double room,
			    const char *text)
{
	_cleanup_free_ char *shown = kma_text_elide(text, like->size, like->bold, room);
	struct kma_shape shape = *like;

	if (!shown)
		return;
	shape.kind = KMA_SHAPE_TEXT;
	shape.text = shown;
	kma_scene_add(canvas->scene, &shape);
}

static kma_rgb kma_slice_colour(const struct kma_canvas *canvas, const struct kma_slice *slice)
{
	if (slice->others)
		return kma_colour_for_ring(KMA_GREY, slice->ring + 1);
	return kma_colour_for_ring(canvas->colours[slice->top], slice->ring);
}

static struct kma_err *kma_canvas_colours(struct kma_canvas *canvas)
{
	size_t nr = canvas->layout.nr_slices, owners = 0;
	_cleanup_free_ const char **names = malloc((nr + 1) * sizeof(*names));
	_cleanup_free_ size_t *where = malloc((nr + 1) * sizeof(*where));
	_cleanup_free_ kma_rgb *rgb = malloc((nr + 1) * sizeof(*rgb));

	canvas->colours = malloc((nr + 1) * sizeof(*canvas->colours));
	if (!names || !where || !rgb || !canvas->colours)
		return &kma_enomem;
	for (size_t i = 0; i < nr; i++) {
		const struct kma_slice *slice = &canvas->layout.slices[i];

		canvas->colours[i] = KMA_GREY;
		if (slice->ring != 1 || slice->others)
			continue;
		names[owners] = slice->node->name;
		where[owners++] = i;
	}
	kma_colour_assign(names, owners, rgb);
	for (size_t i = 0; i < owners; i++)
		canvas->colours[where[i]] = rgb[i];
	return NULL;
}

/* "fs/ext4: 1.2 MiB, 14.3% of all, 40.1% of fs" */
static char *kma_slice_tip(const struct kma_canvas *canvas, const struct kma_slice *slice)
{
	const struct kma_node *parent = slice->others ? slice->node : slice->node->parent;
	_cleanup_free_ char *path = kma_node_path(slice->node);
	char number[24], share[16], of_parent[16];
	char *tip;
	int len;

	if (!path)
		return NULL;
	kma_canvas_number(canvas, slice->value, number, sizeof(number));
	kma_percent_format(share, sizeof(share), slice->value, canvas->total);
	kma_percent_format(of_parent, sizeof(of_parent), slice->value,
			   kma_rings_value(canvas, &parent->values));
	if (slice->others)
		len = asprintf(&tip, "%s%s%zu smaller ones: %s, %s of all", path, *path ? ": " : "",
			       slice->others, number, share);
	else if (slice->ring == 1)
		len = asprintf(&tip, "%s: %s, %s of all", path, number, share);
	else
		len = asprintf(&tip, "%s: %s, %s of all, %s of %s", path, number, share, of_parent,
			       parent->name);
	return len < 0 ? NULL : tip;
}

static void kma_canvas_slices(struct kma_canvas *canvas)
{
	const struct kma_layout *layout = &canvas->layout;

	for (size_t i = 0; i < layout->nr_slices; i++) {
		const struct kma_slice *slice = &layout->slices[i];
		_cleanup_free_ char *tip = kma_slice_tip(canvas, slice);

		kma_scene_add(canvas->scene,
			      &(struct kma_shape){
				      .kind = KMA_SHAPE_SLICE,
				      .x = KMA_CENTRE_X,
				      .y = KMA_CENTRE_Y,
				      .inner = kma_layout_inner(layout, slice->ring),
				      .outer = kma_layout_inner(layout, slice->ring + 1),
				      .start = slice->start,
				      .sweep = slice->sweep,
				      .outlined = true,
				      .fill = kma_slice_colour(canvas, slice),
				      .tip = tip,
			      });
	}
	for (size_t i = 0; i < layout->nr_slices; i++) {
		const struct kma_slice *slice = &layout->slices[i];

		if (!slice->more)
			continue;
		kma_scene_add(canvas->scene, &(struct kma_shape){
						     .kind = KMA_SHAPE_ARC,
						     .x = KMA_CENTRE_X,
						     .y = KMA_CENTRE_Y,
						     .outer = layout->params.radius + 1.5,
						     .start = slice->start,
						     .sweep = slice->sweep,
						     .size = 4,
						     .fill = KMA_INK,
					     });
	}
}

static void kma_canvas_labels(struct kma_canvas *canvas)
{
	const struct kma_layout *layout = &canvas->layout;

	for (size_t i = 0; i < layout->nr_labels; i++) {
		const struct kma_label *label = &layout->labels[i];
		const struct kma_slice *slice = &layout->slices[label->slice];

		kma_scene_add(canvas->scene,
			      &(struct kma_shape){
				      .kind = KMA_SHAPE_TEXT,
				      .x = KMA_CENTRE_X + label->x,
				      .y = KMA_CENTRE_Y + label->y,
				      .turn = label->turn,
				      .size = label->size,
				      .bold = label->bold,
				      .anchor = KMA_ANCHOR_MIDDLE,
				      .fill = kma_colour_text(kma_slice_colour(canvas, slice)),
				      .text = label->text,
			      });
	}
}

static void kma_canvas_centre(struct kma_canvas *canvas)
{
	_cleanup_free_ char *path = kma_node_path(canvas->chart->branch);
	struct kma_shape text = {
		.x = KMA_CENTRE_X,
		.y = KMA_CENTRE_Y,
		.size = 27,
		.bold = true,
		.anchor = KMA_ANCHOR_MIDDLE,
		.fill = KMA_INK,
	};
	char number[24];

	kma_canvas_number(canvas, canvas->total, number, sizeof(number));
	/* The text is not wider than the hole at its height. */
	while (text.size > 12 && kma_text_width(number, text.size, true) > 1.75 * KMA_HOLE)
		text.size--;
	kma_canvas_text(canvas, &text, 2 * KMA_HOLE, number);
	text.size = 14;
	text.bold = false;
	text.fill = KMA_FAINT;
	text.y = KMA_CENTRE_Y + 28;
	kma_canvas_text(canvas, &text, 1.7 * KMA_HOLE, kma_metrics[canvas->chart->metric].what);
	text.y = KMA_CENTRE_Y - 30;
	kma_canvas_text(canvas, &text, 1.7 * KMA_HOLE, path && *path ? path : "kernel");
}

static const char *kma_rings_by(const struct kma_chart *chart)
{
	if (!chart->has_source)
		return "caller";
	if (!chart->objects)
		return "directory, file and caller";
	return chart->metric == KMA_FOOTPRINT ? "directory, file, section and caller" :
						"directory, file and section";
}

static void kma_canvas_title(struct kma_canvas *canvas)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	const struct kma_chart *chart = canvas->chart;
	const struct kma_node *branch = chart->branch;
	char *path = kma_node_path(branch);
	struct kma_shape text = {
		.x = KMA_MARGIN,
		.y = 44,
		.size = 29,
		.bold = true,
		.fill = KMA_INK,
	};

	if (chart->title)
		kma_strbuf_puts(&line, chart->title);
	else if (branch->parent)
		kma_strbuf_printf(&line, "Who holds kernel memory in %s", path ?: branch->name);
	else
		kma_strbuf_puts(&line, "Who holds kernel memory");
	free(path);
	if (!kma_strbuf_ok(&line))
		return;
	kma_canvas_text(canvas, &text, KMA_WIDTH - 2 * KMA_MARGIN, line.str);
	canvas->scene->title = line.str;
	kma_strbuf_init(&line); /* the scene keeps it */

	kma_strbuf_printf(&line, "%s, by %s", kma_metrics[chart->metric].what, kma_rings_by(chart));
	if (*chart->release)
		kma_strbuf_printf(&line, "  \xc2\xb7  Linux %s", chart->release);
	text.y = 78;
	text.size = 16;
	text.bold = false;
	text.fill = KMA_FAINT;
	if (!kma_strbuf_ok(&line))
		return;
	kma_canvas_text(canvas, &text, KMA_WIDTH - 2 * KMA_MARGIN, line.str);
	canvas->scene->description = line.str;
	kma_strbuf_init(&line);
}

/* One row of the legend: swatch, name, number, share. */
static void kma_canvas_owner(struct kma_canvas *canvas, double y, double size, kma_rgb swatch,
			     const char *name, uint64_t value, bool bold)
{
	struct kma_shape text = { .y = y, .size = size, .fill = KMA_INK, .bold = bold };
	double name_x = KMA_LEGEND_X + (swatch == KMA_WHITE ? 0 : 34);
	char number[24], share[16];

	if (swatch != KMA_WHITE)
		kma_scene_add(canvas->scene, &(struct kma_shape){
						     .kind = KMA_SHAPE_RECT,
						     .x = KMA_LEGEND_X,
						     .y = y - 10,
						     .width = 20,
						     .height = 20,
						     .size = 4,
						     .fill = swatch,
					     });
	text.x = name_x;
	kma_canvas_text(canvas, &text, KMA_LEGEND_R - 200 - name_x, name);
	kma_canvas_number(canvas, value, number, sizeof(number));
	text.anchor = KMA_ANCHOR_END;
	text.x = KMA_LEGEND_R - 84;
	kma_canvas_text(canvas, &text, 130, number);
	kma_percent_format(share, sizeof(share), value, canvas->total);
	text.x = KMA_LEGEND_R;
	text.fill = KMA_FAINT;
	text.bold = false;
	kma_canvas_text(canvas, &text, 80, share);
}

static void kma_canvas_heading(struct kma_canvas *canvas, double y, const char *heading)
{
	struct kma_shape text = {
		.x = KMA_LEGEND_X,
		.y = y,
		.size = 17,
		.bold = true,
		.fill = KMA_INK,
	};

	kma_canvas_text(canvas, &text, KMA_LEGEND_R - KMA_LEGEND_X, heading);
	kma_scene_add(canvas->scene, &(struct kma_shape){
					     .kind = KMA_SHAPE_RECT,
					     .x = KMA_LEGEND_X,
					     .y = y + 17,
					     .width = KMA_LEGEND_R - KMA_LEGEND_X,
					     .height = 1,
					     .fill = 0xd0d7de,
				     });
}

/* The owners of the first ring; gives the height below the last row. */
static double kma_canvas_owners(struct kma_canvas *canvas, double y)
{
	const struct kma_layout *layout = &canvas->layout;
	size_t shown = 0, owners = 0, rest = 0;
	uint64_t left = canvas->total;
	char name[48];

	for (size_t i = 0; i < layout->nr_slices; i++)
		owners += layout->slices[i].ring == 1 && !layout->slices[i].others;
	kma_canvas_heading(canvas, y, "Largest owners");
	y += 42;
	for (size_t i = 0; i < layout->nr_slices; i++) {
		const struct kma_slice *slice = &layout->slices[i];

		if (slice->ring != 1)
			continue;
		if (slice->others ||
		    (shown == KMA_LEGEND_OWNERS - 1 && owners > KMA_LEGEND_OWNERS)) {
			rest += slice->others ? slice->others : 1;
			continue;
		}
		kma_canvas_owner(canvas, y, 15, canvas->colours[i], slice->node->name, slice->value,
				 false);
		left -= slice->value;
		shown++;
		y += 28;
	}
	if (rest) {
		snprintf(name, sizeof(name), "other (%zu)", rest);
		kma_canvas_owner(canvas, y, 15, kma_colour_for_ring(KMA_GREY, 2), name, left,
				 false);
		y += 28;
	}
	return y;
}

/* The largest single files: what to look into first. */
static struct kma_err *kma_canvas_files(struct kma_canvas *canvas, double y)
{
	enum kma_by by = canvas->chart->has_source ? KMA_BY_FILE : KMA_BY_CALLER;
	struct kma_rows rows;
	struct kma_err *err;
	size_t shown = 0;

	err = kma_rows_init(&rows, canvas->chart->branch, by, 0);
	if (!err) {
		kma_rows_sort(&rows, canvas->chart->metric);
		kma_canvas_heading(canvas, y,
				   by == KMA_BY_FILE ? "Largest source files" : "Largest callers");
		y += 42;
	}
	for (size_t i = 0; !err && i < rows.nr && shown < KMA_LEGEND_FILES && y < 890; i++) {
		uint64_t value = kma_rings_value(canvas, &rows.rows[i].values);

		if (!value || (by == KMA_BY_FILE && rows.rows[i].key[0] == '['))
			continue;
		kma_canvas_owner(canvas, y, 15, KMA_WHITE, rows.rows[i].key, value, false);
		shown++;
		y += 28;
	}
	kma_rows_deinit(&rows);
	return err;
}

/* What the account leaves out. */
static void kma_footer_losses(const struct kma_chart *chart, struct kma_strbuf *line)
{
	uint64_t live = kma_account_total(chart->account)->current, events;
	char number[24], share[16];

	if (chart->has_source) {
		kma_units_format(number, sizeof(number), chart->unresolved, KMA_UNIT_BYTES);
		kma_percent_format(share, sizeof(share), chart->unresolved, live);
		kma_strbuf_printf(line, "  \xc2\xb7  live without a directory: %s (%s)", number,
				  share);
	}
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(chart->account, id, &events))
			kma_strbuf_printf(line, "  \xc2\xb7  %s: %" PRIu64, kma_losses[id].title,
					  events);
}

/* What the numbers are of. */
static void kma_footer_line(const struct kma_chart *chart, struct kma_strbuf *line)
{
	const char *input = chart->account ? kma_account_name(chart->account) : chart->input;
	const char *slash = input ? strrchr(input, '/') : NULL;
	size_t nr;

	kma_strbuf_printf(line, "%s:", slash && slash[1] ? slash + 1 : input ?: "");
	if (chart->objects)
		kma_strbuf_printf(line, " %zu objects", chart->objects);
	if (!chart->account || (chart->objects && chart->metric != KMA_FOOTPRINT))
		return;
	kma_account_sites(chart->account, &nr);
	kma_strbuf_printf(line, "%s %zu call sites", chart->objects ? "," : "", nr);
	kma_footer_losses(chart, line);
}

static void kma_canvas_footer(struct kma_canvas *canvas)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	struct kma_shape text = {
		.x = KMA_MARGIN,
		.y = 974,
		.size = 13,
		.fill = KMA_FAINT,
	};

	kma_footer_line(canvas->chart, &line);
	if (kma_strbuf_ok(&line))
		kma_canvas_text(canvas, &text, KMA_WIDTH - 2 * KMA_MARGIN, line.str);
	text.x = KMA_LEGEND_X;
	text.y = 930;
	kma_canvas_text(canvas, &text, KMA_LEGEND_R - KMA_LEGEND_X,
			"grey: gathered or not attributed  \xc2\xb7  dark edge: more lies inside");
}

static struct kma_err *kma_canvas_draw(struct kma_canvas *canvas)
{
	struct kma_err *err = kma_canvas_colours(canvas);
	double y;

	if (err)
		return err;
	kma_canvas_title(canvas);
	kma_canvas_slices(canvas);
	kma_canvas_labels(canvas);
	kma_canvas_centre(canvas);
	y = kma_canvas_owners(canvas, 130);
	err = kma_canvas_files(canvas, y + 26);
	kma_canvas_footer(canvas);
	return err;
}

struct kma_err *kma_chart_draw(const struct kma_chart *chart, struct kma_scene *scene)
{
	struct kma_layout_params params = {
		.metric = chart->metric,
		.rings = chart->depth,
		.hole = KMA_HOLE,
		.radius = KMA_RADIUS,
		.min_sweep = 0.5 * M_PI / 180,
		.font = 17,
		.min_font = 11,
	};
	struct kma_canvas canvas = { .chart = chart, .scene = scene };
	struct kma_err *err;

	kma_scene_init(scene, KMA_WIDTH, KMA_HEIGHT);
	kma_node_sort(chart->branch, chart->metric);
	canvas.total = kma_rings_value(&canvas, &chart->branch->values);
	err = kma_layout_init(&canvas.layout, chart->branch, &params);
	if (!err)
		err = kma_canvas_draw(&canvas);
	kma_layout_deinit(&canvas.layout);
	free(canvas.colours);
	if (!err && scene->failed)
		err = &kma_enomem;
	return err;
}
