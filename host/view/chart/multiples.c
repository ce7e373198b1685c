// SPDX-License-Identifier: GPL-2.0-only
/*
 * multiples.c - small multiples: live bytes of call sites, their minima and trends.
 */
#include <math.h>
#include <stdlib.h>

#include "caption.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/units.h"
#include "multiples.h"

#define KMA_MUL_COLUMNS 3
#define KMA_MUL_LEFT	44.0
#define KMA_MUL_TOP	112.0
#define KMA_MUL_PANEL_W 504.0 /* including the gap to the next panel */
#define KMA_MUL_PANEL_H 208.0
#define KMA_MUL_GAP	36.0
#define KMA_MUL_HEAD	44.0 /* two lines above a panel's area */
#define KMA_MUL_FOOT	18.0 /* the times below it */
#define KMA_MUL_LINE	1.6  /* thickness of half the line of the minima */
#define KMA_MUL_TREND	0.6  /* of the trend, which leaves that line visible below it */

/* The area in which a panel's values are drawn, and their scale. */
struct kma_mul_area {
	double x, y, width, height;
	double from, to; /* s */
	double run;	 /* s that stand for a run; 0: they are s */
	double top;	 /* bytes */
};

static double mul_x(const struct kma_mul_area *area, double time)
{
	double span = area->to > area->from ? area->to - area->from : 1;

	return area->x + (time - area->from) / span * area->width;
}

static double mul_y(const struct kma_mul_area *area, double bytes)
{
	double share = area->top > 0 ? bytes / area->top : 0;

	return area->y + area->height * (1 - fmin(fmax(share, 0), 1));
}

/* Draws a line of twice the thickness @half; 0: fills the area between the line and the axis. */
static void mul_band(struct kma_scene *scene, const struct kma_mul_area *area, const double *times,
		     const double *values, size_t nr, double half, kma_rgb fill)
{
	_cleanup_free_ double *points = kma_xcalloc(4 * nr + 1, sizeof(*points));

	for (size_t i = 0; i < nr; i++) {
		double *upper = points + 2 * i, *lower = points + 4 * nr - 2 * (i + 1);

		upper[0] = lower[0] = mul_x(area, times[i]);
		upper[1] = mul_y(area, values[i]) - half;
		lower[1] = half > 0 ? mul_y(area, values[i]) + half : area->y + area->height;
	}
	if (nr > 1)
		kma_scene_add(scene, &(struct kma_shape){ .kind = KMA_SHAPE_AREA,
							  .points = points,
							  .nr_points = 2 * nr,
							  .fill = fill });
}

static int mul_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Draws the trend by Theil and Sen (model/trend.h): a line with the slope of the minima, whose
 * intercept is the median of the minima minus slope times time.
 */
static void mul_trend(struct kma_scene *scene, const struct kma_mul_area *area,
		      const struct kma_multiple *panel)
{
	_cleanup_free_ double *rest = kma_xcalloc(panel->nr_low + 1, sizeof(*rest));
	double ends[2], values[2];

	if (!panel->nr_low)
		return;
	for (size_t i = 0; i < panel->nr_low; i++)
		rest[i] = panel->low[i] - panel->slope * (panel->low_times[i] - area->from);
	qsort(rest, panel->nr_low, sizeof(*rest), mul_compare);
	ends[0] = panel->low_times[0];
	ends[1] = area->to;
	for (size_t i = 0; i < 2; i++)
		values[i] = rest[panel->nr_low / 2] + panel->slope * (ends[i] - area->from);
	mul_band(scene, area, ends, values, 2, KMA_MUL_TREND, scene->theme->ink);
}

/* The time that a panel covers, in the largest unit that gives at least 2: "29 min". */
static void mul_span(char *text, size_t len, double seconds)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = { { 86400, "days" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	size_t unit = 0;

	while (unit < ARRAY_SIZE(units) - 1 && seconds < 2 * units[unit].seconds)
		unit++;
	snprintf(text, len, "%.3g %s", seconds / units[unit].seconds, units[unit].name);
}

/* Draws both axes with their numbers: 0 and the largest value, and the time that is covered. */
static void mul_axes(struct kma_scene *scene, const struct kma_mul_area *area)
{
	struct kma_shape text = { .size = 12, .fill = scene->theme->faint };
	char number[KMA_NUMBER_LEN];

	for (int i = 0; i < 2; i++) {
		double y = i ? area->y : area->y + area->height;

		kma_scene_add(scene, &(struct kma_shape){ .kind = KMA_SHAPE_RECT,
							  .x = area->x,
							  .y = y - 0.5,
							  .width = area->width,
							  .height = 1,
							  .fill = scene->theme->rule });
	}
	text.x = area->x + area->width + 8;
	text.y = area->y;
	kma_scene_add_text(scene, &text, 80,
			   kma_units_format(number, sizeof(number), area->top, KMA_UNIT_BYTES));
	text.y = area->y + area->height;
	kma_scene_add_text(scene, &text, 80, "0");
	text.y += 12;
	text.x = area->x;
	kma_scene_add_text(scene, &text, 80, "0");
	text.x = area->x + area->width;
	text.anchor = KMA_ANCHOR_END;
	if (area->run)
		snprintf(number, sizeof(number), "%.0f runs", (area->to - area->from) / area->run);
	else
		mul_span(number, sizeof(number), area->to - area->from);
	kma_scene_add_text(scene, &text, 120, number);
}

static void mul_panel(struct kma_scene *scene, const struct kma_multiple *panel, double x, double y,
		      kma_rgb colour)
{
	double width = KMA_MUL_PANEL_W - KMA_MUL_GAP;
	struct kma_mul_area area = { .x = x,
				     .y = y + KMA_MUL_HEAD,
				     .width = width - 84,
				     .run = panel->run,
				     .height = KMA_MUL_PANEL_H - KMA_MUL_HEAD - KMA_MUL_FOOT -
					       KMA_MUL_GAP / 2 };
	struct kma_shape text = { .x = x, .y = y + 8, .size = 15, .fill = scene->theme->ink };

	text.bold = true;
	kma_scene_add_text(scene, &text, width, panel->name);
	text.bold = false;
	text.size = 13;
	text.y = y + 27;
	text.x = x + 16;
	text.fill = scene->theme->faint;
	kma_scene_add(scene, &(struct kma_shape){ .kind = KMA_SHAPE_RECT,
						  .x = x,
						  .y = y + 22,
						  .width = 10,
						  .height = 10,
						  .size = 2,
						  .fill = colour });
	kma_scene_add_text(scene, &text, width - 16, panel->verdict);
	if (!panel->nr)
		return;
	area.from = panel->times[0];
	area.to = panel->times[panel->nr - 1];
	for (size_t i = 0; i < panel->nr; i++)
		area.top = fmax(area.top, panel->values[i]);
	mul_axes(scene, &area);
	mul_band(scene, &area, panel->times, panel->values, panel->nr, 0,
		 kma_colour_for_level(scene->theme, colour, 3));
	mul_band(scene, &area, panel->low_times, panel->low, panel->nr_low, KMA_MUL_LINE, colour);
	mul_trend(scene, &area, panel);
}

void kma_multiples_draw(const struct kma_multiples *multiples, struct kma_scene *scene)
{
	static const char *const groups[KMA_MULTIPLES_GROUPS] = { "leak", "growing", "filling" };
	size_t nr = multiples->nr < KMA_MULTIPLES_MOST ? multiples->nr : KMA_MULTIPLES_MOST;
	size_t rows = nr ? (nr + KMA_MUL_COLUMNS - 1) / KMA_MUL_COLUMNS : 1;
	kma_rgb colours[KMA_MULTIPLES_GROUPS];

	kma_scene_init(scene, KMA_CAPTION_WIDTH,
		       KMA_MUL_TOP + rows * KMA_MUL_PANEL_H + KMA_CAPTION_FOOT);
	scene->theme = &kma_themes[multiples->theme];
	kma_colour_assign(scene->theme, groups, KMA_MULTIPLES_GROUPS, colours);
	/* the most certain growth has the colour of growth in a comparison */
	colours[0] = scene->theme->greater;
	kma_caption_draw(scene, multiples->title, multiples->subject, multiples->footer);
	if (!multiples->nr)
		kma_scene_add_text(scene,
				   &(struct kma_shape){ .x = KMA_MUL_LEFT,
							.y = KMA_MUL_TOP + 40,
							.size = 15,
							.fill = scene->theme->faint },
				   800, "No call site has the verdict leak, growing or filling.");
	for (size_t i = 0; i < nr; i++)
		mul_panel(scene, &multiples->panels[i],
			  KMA_MUL_LEFT + i % KMA_MUL_COLUMNS * KMA_MUL_PANEL_W,
			  KMA_MUL_TOP + i / KMA_MUL_COLUMNS * KMA_MUL_PANEL_H,
			  colours[multiples->panels[i].group]);
}
