// SPDX-License-Identifier: GPL-2.0-only
/*
 * timeline-marks.c - mark where a timeline is unreliable. Missing samples are an empty area with a
 * frame, lost events a triangle above the chart, and another account a vertical line.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "scene.h"
#include "timeline-marks.h"

/* Half the width of a triangle. */
#define KMA_MARK_SIZE 9.0

static int cmp_step(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void kma_marks_gaps(const uint64_t *ns, size_t points, struct kma_curves_mark *marks)
{
	_cleanup_free_ uint64_t *steps = kma_xcalloc(points + 1, sizeof(*steps));
	uint64_t usual;

	if (points < 3)
		return;
	for (size_t i = 1; i < points; i++)
		steps[i - 1] = ns[i] - ns[i - 1];
	qsort(steps, points - 1, sizeof(*steps), cmp_step);
	usual = steps[(points - 1) / 2];
	for (size_t i = 1; i < points && usual; i++)
		marks[i].gap = ns[i] - ns[i - 1] > usual * 5 / 2;
}

void kma_mark_sentence(const struct kma_curves_mark *mark, struct kma_strbuf *out)
{
	size_t begin = out->len;

	if (mark->lost)
		kma_strbuf_printf(out, "%" PRIu64 " %s not recorded", mark->lost,
				  kma_plural(mark->lost, "event", "events"));
	if (mark->begins)
		kma_strbuf_printf(out, "%sanother boot or account begins",
				  out->len > begin ? "; " : "");
	if (mark->gap)
		kma_strbuf_printf(out, "%send of a gap without samples",
				  out->len > begin ? "; " : "");
}

static double mark_x(const struct kma_marks_area *area, size_t point)
{
	double span = area->ns[area->points - 1] - area->ns[0];

	return area->left +
	       (area->right - area->left) * (area->ns[point] - area->ns[0]) / (span ?: 1);
}

static void mark_gap(const struct kma_marks_area *area, size_t point, char *tip,
		     struct kma_scene *scene)
{
	const char *text = "no samples";
	struct kma_shape blank = { .kind = KMA_SHAPE_RECT,
				   .x = mark_x(area, point - 1),
				   .y = area->top,
				   .height = area->bottom - area->top,
				   .fill = scene->theme->paper,
				   .tip = tip };

	blank.width = mark_x(area, point) - blank.x;
	kma_scene_add(scene, &blank);
	blank.kind = KMA_SHAPE_FRAME;
	blank.fill = scene->theme->faint;
	blank.tip = NULL;
	kma_scene_add(scene, &blank);
	/* Half of this text would say nothing. */
	if (kma_text_width(text, 14, false) > blank.width - 8)
		return;
	kma_scene_add_text(scene,
			   &(struct kma_shape){ .x = blank.x + blank.width / 2,
						.y = (area->top + area->bottom) / 2,
						.size = 14,
						.anchor = KMA_ANCHOR_MIDDLE,
						.fill = scene->theme->faint },
			   blank.width - 8, text);
}

static void mark_line(const struct kma_marks_area *area, size_t point, char *tip,
		      struct kma_scene *scene)
{
	kma_scene_add(scene, &(struct kma_shape){ .kind = KMA_SHAPE_RECT,
						  .x = mark_x(area, point) - 1,
						  .y = area->top - 14,
						  .width = 2,
						  .height = area->bottom - area->top + 14,
						  .fill = scene->theme->ink,
						  .tip = tip });
}

static void mark_lost(const struct kma_marks_area *area, size_t point, char *tip,
		      struct kma_scene *scene)
{
	double x = mark_x(area, point), y = area->top - 4;
	double corners[] = { x,
			     y,
			     x - KMA_MARK_SIZE,
			     y - 1.7 * KMA_MARK_SIZE,
			     x + KMA_MARK_SIZE,
			     y - 1.7 * KMA_MARK_SIZE };

	kma_scene_add(scene, &(struct kma_shape){ .kind = KMA_SHAPE_AREA,
						  .points = corners,
						  .nr_points = 3,
						  .fill = scene->theme->ink,
						  .tip = tip });
}

void kma_marks_draw(const struct kma_curves_mark *marks, const struct kma_marks_area *area,
		    struct kma_scene *scene)
{
	for (size_t i = 1; i < area->points; i++) {
		_cleanup_strbuf_ struct kma_strbuf tip = { 0 };

		kma_mark_sentence(&marks[i], &tip);
		if (marks[i].gap)
			mark_gap(area, i, tip.str, scene);
		if (marks[i].begins)
			mark_line(area, i, tip.str, scene);
		if (marks[i].lost)
			mark_lost(area, i, tip.str, scene);
	}
}
