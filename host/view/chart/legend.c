// SPDX-License-Identifier: GPL-2.0-only
/*
 * legend.c - the column at the right of a chart: the owner of each colour and the largest parts;
 * in a comparison the meaning of the colours, and the largest changes.
 *
 * The first list has the children of the branch, which own the colours. Those that do not fit are
 * one row, "other". The second list has the largest files, callers or functions of the branch; if
 * no child is a directory, or a file with callers, the first list stands alone and is longer. A
 * comparison has the scale of colours and one list: the files, or callers without a file, that
 * changed most.
 *
 * In a wide picture the notes have a fixed place at the bottom. In a narrow picture the legend
 * stands below the chart; the notes follow its rows, and the footer's place depends on them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "legend.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "view/text/rows.h"
#include "view/text/view.h"

#define KMA_ROW	   28.0	 /* height of a row */
#define KMA_BOTTOM 760.0 /* from the legend's top; no row of a largest part starts below it */
#define KMA_NOTE   800.0 /* from the legend's top: the notes of a wide picture */

#define KMA_LEGEND_GREY "grey: combined or not attributed  \xc2\xb7  "

enum {
	KMA_LEGEND_OWNERS = 12,
	KMA_LEGEND_ALONE = 24,
	KMA_LEGEND_FILES = 12,
	KMA_LEGEND_CHANGES = 22
};

/* A row: swatch, name, number, and the text at the right end. */
struct kma_legend_row {
	const char *name;
	const char *number;
	const char *right;
	kma_rgb swatch;
	bool has_swatch;
};

static void legend_row(struct kma_canvas *canvas, double y, const struct kma_legend_row *row)
{
	struct kma_shape text = { .y = y, .size = 15, .fill = canvas->theme->ink };
	double name_x = canvas->frame.legend_x + (row->has_swatch ? 34 : 0);

	if (row->has_swatch)
		kma_scene_add(canvas->scene, &(struct kma_shape){
						     .kind = KMA_SHAPE_RECT,
						     .x = canvas->frame.legend_x,
						     .y = y - 10,
						     .width = 20,
						     .height = 20,
						     .size = 4,
						     .fill = row->swatch,
						     .outlined = true,
					     });
	text.x = name_x;
	kma_scene_add_text(canvas->scene, &text, canvas->frame.legend_r - 200 - name_x, row->name);
	text.anchor = KMA_ANCHOR_END;
	text.x = canvas->frame.legend_r - 84;
	kma_scene_add_text(canvas->scene, &text, 130, row->number);
	text.x = canvas->frame.legend_r;
	text.fill = canvas->theme->faint;
	kma_scene_add_text(canvas->scene, &text, 80, row->right);
}

static void legend_owner(struct kma_canvas *canvas, double y, struct kma_legend_row *row,
			 uint64_t value)
{
	char number[24], share[16];

	kma_canvas_number(canvas, value, number, sizeof(number));
	kma_percent_format(share, sizeof(share), value, canvas->total);
	row->number = number;
	row->right = share;
	legend_row(canvas, y, row);
}

static void legend_heading(struct kma_canvas *canvas, double y, const char *heading)
{
	struct kma_shape text = {
		.x = canvas->frame.legend_x,
		.y = y,
		.size = 17,
		.bold = true,
		.fill = canvas->theme->ink,
	};

	kma_scene_add_text(canvas->scene, &text, canvas->frame.legend_r - canvas->frame.legend_x,
			   heading);
	kma_scene_add(canvas->scene,
		      &(struct kma_shape){
			      .kind = KMA_SHAPE_RECT,
			      .x = canvas->frame.legend_x,
			      .y = y + 17,
			      .width = canvas->frame.legend_r - canvas->frame.legend_x,
			      .height = 1,
			      .fill = canvas->theme->rule,
		      });
}

static void legend_note(struct kma_canvas *canvas, double y, const char *note)
{
	struct kma_shape text = {
		.x = canvas->frame.legend_x,
		.y = y,
		.size = 13,
		.fill = canvas->theme->faint,
	};

	kma_scene_add_text(canvas->scene, &text, canvas->frame.legend_r - canvas->frame.legend_x,
			   note);
}

/* Draws the rows of the branch's children. Returns y below the last row. */
static double legend_owners(struct kma_canvas *canvas, double y, size_t most)
{
	const struct kma_node *branch = canvas->chart->branch;
	struct kma_legend_row row = { .has_swatch = true };
	size_t shown = 0, owners = 0;
	uint64_t left = canvas->total;
	char name[48];

	for (size_t i = 0; i < branch->nr_children; i++)
		owners += !!kma_canvas_value(canvas, branch->children[i]->values);
	legend_heading(canvas, y, "Largest owners");
	y += 42;
	for (size_t i = 0; i < branch->nr_children; i++) {
		uint64_t value = kma_canvas_value(canvas, branch->children[i]->values);

		if (!value)
			continue;
		if (shown == most - 1 && owners > most)
			break;
		row.swatch =
			kma_colour_for_level(canvas->theme, canvas->tops[i], canvas->flat ?: 1);
		row.name = branch->children[i]->name;
		legend_owner(canvas, y, &row, value);
		left -= value;
		shown++;
		y += KMA_ROW;
	}
	if (shown == owners)
		return y;
	snprintf(name, sizeof(name), "other (%zu)", owners - shown);
	row.swatch = kma_colour_for_level(canvas->theme, canvas->theme->grey, 2);
	row.name = name;
	legend_owner(canvas, y, &row, left);
	return y + KMA_ROW;
}

static const char *const kma_legend_headings[KMA_NR_KEYS] = {
	[KMA_KEY_FILE] = "Largest source files",
	[KMA_KEY_CALLER] = "Largest callers",
	[KMA_KEY_FUNCTION] = "Largest functions",
};

/* Draws the rows of the largest files, callers or functions. */
static double legend_largest(struct kma_canvas *canvas, double y, enum kma_key_id by)
{
	struct kma_rows rows;
	size_t shown = 0;

	kma_rows_init(&rows, canvas->chart->branch, &KMA_BY(by), 0);
	kma_rows_sort(&rows, canvas->chart->metric);
	legend_heading(canvas, y,
		       canvas->chart->stacks ? "Largest leaf functions" : kma_legend_headings[by]);
	y += 42;
	for (size_t i = 0;
	     i < rows.nr && shown < KMA_LEGEND_FILES && y < canvas->frame.legend_top + KMA_BOTTOM;
	     i++) {
		struct kma_legend_row row = { .name = rows.rows[i].label ?: rows.rows[i].key };
		uint64_t value = kma_canvas_value(canvas, rows.rows[i].values);

		if (!value || (by == KMA_KEY_FILE && rows.rows[i].key[0] == '['))
			continue;
		legend_owner(canvas, y, &row, value);
		shown++;
		y += KMA_ROW;
	}
	kma_rows_deinit(&rows);
	return y;
}

/*
 * Draws the second list, of the parts of the first one: files, or callers if it has files, or
 * functions.
 */
static double legend_lists(struct kma_canvas *canvas, double y)
{
	const struct kma_node *branch = canvas->chart->branch;
	bool sections = canvas->chart->objects && canvas->chart->metric != KMA_FOOTPRINT;
	bool dirs = false, files = false;

	for (size_t i = 0; i < branch->nr_children; i++) {
		dirs |= branch->children[i]->kind == KMA_NODE_DIR;
		files |= branch->children[i]->kind == KMA_NODE_FILE;
	}
	if (!dirs && (!files || sections))
		return legend_owners(canvas, y, KMA_LEGEND_ALONE);
	y = legend_owners(canvas, y, KMA_LEGEND_OWNERS) + 26;
	/* A call site has a row in each group; its function is one row. */
	if (canvas->chart->stacks || canvas->chart->groups)
		return legend_largest(canvas, y, KMA_KEY_FUNCTION);
	return legend_largest(canvas, y, dirs ? KMA_KEY_FILE : KMA_KEY_CALLER);
}

/* Draws the scale of colours of a comparison, from blue to orange in nine steps. */
static double legend_scale(struct kma_canvas *canvas, double y)
{
	static const char *const names[] = { "gone", "the same", "new" };
	const double width = (canvas->frame.legend_r - canvas->frame.legend_x) / 9;
	struct kma_shape text = { .y = y + 76, .size = 13, .fill = canvas->theme->faint };

	legend_heading(canvas, y, "Blue: less than before; orange: more");
	for (int i = -4; i <= 4; i++)
		kma_scene_add(canvas->scene,
			      &(struct kma_shape){
				      .kind = KMA_SHAPE_RECT,
				      .x = canvas->frame.legend_x + (i + 4) * width,
				      .y = y + 36,
				      .width = width,
				      .height = 24,
				      .outlined = true,
				      .fill = kma_colour_for_change(
					      canvas->theme, i > 0 ? 4 - i : 4, i < 0 ? 4 + i : 4),
			      });
	for (int i = 0; i < 3; i++) {
		text.x = canvas->frame.legend_x +
			 i * (canvas->frame.legend_r - canvas->frame.legend_x) / 2;
		text.anchor = i;
		kma_scene_add_text(canvas->scene, &text, 200, names[i]);
	}
	return y + 116;
}

/* A file, or a caller without a file, and its change. */
struct kma_changed {
	const struct kma_node *node;
	uint64_t before, after;
};

struct kma_changes {
	struct kma_changed *rows;
	size_t nr, alloc;
};

static uint64_t changed_by(const struct kma_changed *row)
{
	return row->before < row->after ? row->after - row->before : row->before - row->after;
}

static int cmp_changed(const void *a, const void *b)
{
	_cleanup_free_ char *x = NULL, *y = NULL;
	const struct kma_changed *rows[] = { a, b };
	uint64_t by[] = { changed_by(a), changed_by(b) };

	if (by[0] != by[1])
		return by[0] < by[1] ? 1 : -1;
	x = kma_node_path(rows[0]->node);
	y = kma_node_path(rows[1]->node);
	return strcmp(x, y);
}

static void changes_collect(const struct kma_canvas *canvas, const struct kma_node *node,
			    struct kma_changes *changes)
{
	struct kma_changed row = { .node = node };

	if (node->kind != KMA_NODE_FILE && node->kind != KMA_NODE_NAMED &&
	    !kma_node_is_leaf(node)) {
		for (size_t i = 0; i < node->nr_children; i++)
			changes_collect(canvas, node->children[i], changes);
		return;
	}
	row.before = kma_canvas_value(canvas, &node->sides[KMA_BEFORE]);
	row.after = kma_canvas_value(canvas, &node->sides[KMA_AFTER]);
	if (row.before == row.after)
		return;
	kma_array_room(changes->rows, changes->nr, changes->alloc);
	changes->rows[changes->nr++] = row;
}

static void legend_change(struct kma_canvas *canvas, double y, const struct kma_changed *row)
{
	_cleanup_free_ char *path = kma_node_path(row->node);
	char number[24], share[24] = "new";
	struct kma_legend_row legend = {
		.name = path,
		.number = number,
		.right = row->after ? share : "gone",
		.swatch = kma_colour_for_change(canvas->theme, row->before, row->after),
		.has_swatch = true,
	};

	kma_change_format(number, sizeof(number), row->before, row->after,
			  kma_metrics[canvas->chart->metric].unit);
	if (row->before && row->after)
		kma_change_percent(share, sizeof(share), row->before, row->after);
	legend_row(canvas, y, &legend);
}

static void legend_changes(struct kma_canvas *canvas, double *end)
{
	const struct kma_node *branch = canvas->chart->branch;
	struct kma_changes changes = { 0 };
	double y = legend_scale(canvas, *end);

	legend_heading(canvas, y, "Largest changes");
	y += 42;
	/* A file of a comparison has its callers as children. */
	for (size_t i = 0; i < branch->nr_children; i++)
		changes_collect(canvas, branch->children[i], &changes);
	if (changes.nr)
		qsort(changes.rows, changes.nr, sizeof(*changes.rows), cmp_changed);
	for (size_t i = 0;
	     i < changes.nr && i < KMA_LEGEND_CHANGES && y < canvas->frame.legend_top + KMA_BOTTOM;
	     i++) {
		legend_change(canvas, y, &changes.rows[i]);
		y += KMA_ROW;
	}
	if (!changes.nr)
		legend_note(canvas, y, "nothing changed");
	*end = changes.nr ? y : y + KMA_ROW;
	free(changes.rows);
}

static void legend_notes(struct kma_canvas *canvas, double y)
{
	char note[80];

	snprintf(note, sizeof(note), "%s%s edge: contains more than shown",
		 canvas->chart->sides ? "" : KMA_LEGEND_GREY,
		 canvas->theme->bright ? "bright" : "dark");
	legend_note(canvas, y, note);
	if (canvas->chart->sides)
		legend_note(canvas, y - 20, "size: sum of all changes, up and down");
}

void kma_legend_draw(struct kma_canvas *canvas)
{
	double y = canvas->frame.legend_top;

	if (!canvas->frame.narrow)
		legend_notes(canvas, y + KMA_NOTE);
	if (canvas->chart->sides)
		legend_changes(canvas, &y);
	else
		y = legend_lists(canvas, y);
	if (!canvas->frame.narrow)
		return;
	y += canvas->chart->sides ? 28 : 8;
	legend_notes(canvas, y);
	canvas->frame.footer = y + 40;
}
