// SPDX-License-Identifier: GPL-2.0-only
/*
 * draw.c - makes the scene of a chart, by the kind of the chart.
 */
#include <stdlib.h>

#include "canvas.h"
#include "draw.h"
#include "flame.h"
#include "frame.h"
#include "icicle.h"
#include "legend.h"
#include "rings.h"
#include "treemap.h"

static struct kma_err *(*const kma_chart_kinds[])(struct kma_canvas *canvas) = {
	[KMA_CHART_RINGS] = kma_rings_draw,
	[KMA_CHART_TREEMAP] = kma_treemap_draw,
	[KMA_CHART_ICICLE] = kma_icicle_draw,
	[KMA_CHART_FLAME] = kma_flame_draw,
};

struct kma_err *kma_chart_draw(const struct kma_chart *chart, struct kma_scene *scene)
{
	struct kma_canvas canvas = {
		.chart = chart,
		.theme = &kma_themes[chart->theme],
		.scene = scene,
		.frame = kma_frame_choose(chart->width),
		/* A treemap shows the innermost boxes only; paler, they would not match the legend. */
		.flat = chart->kind == KMA_CHART_TREEMAP ? 2 : 0,
	};
	struct kma_err *err;

	kma_scene_init(scene, canvas.frame.width, canvas.frame.height);
	scene->theme = canvas.theme;
	kma_node_sort(chart->branch, chart->metric);
	canvas.total = kma_canvas_value(&canvas, &chart->branch->values);
	canvas.tops = malloc((chart->branch->nr_children + 1) * sizeof(*canvas.tops));
	err = canvas.tops ? kma_chart_colours(chart, canvas.theme, canvas.tops) : &kma_enomem;
	if (!err) {
		kma_frame_title(&canvas);
		if (!canvas.frame.narrow)
			kma_frame_footer(&canvas);
		err = kma_chart_kinds[chart->kind](&canvas);
	}
	if (!err)
		err = kma_legend_draw(&canvas);
	if (!err && canvas.frame.narrow) {
		kma_frame_footer(&canvas);
		scene->height = canvas.frame.height;
	}
	free(canvas.tops);
	if (!err && scene->failed)
		err = &kma_enomem;
	return err;
}
