// SPDX-License-Identifier: GPL-2.0-only
/*
 * picture.c - draw a chart into a picture file. It has two tables: the kinds of charts, which add
 * shapes to a scene, and the kinds of files, which write a scene.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "picture.h"
#include "view/chart/boxes.h"
#include "view/chart/cairo.h"
#include "view/chart/frame.h"
#include "view/chart/legend.h"
#include "view/chart/rings.h"
#include "view/chart/svg.h"
#include "view/chart/treemap.h"
#include "view/page/page.h"

static void (*const kma_picture_charts[])(struct kma_canvas *canvas) = {
	[KMA_CHART_RINGS] = kma_rings_draw,
	[KMA_CHART_TREEMAP] = kma_treemap_draw,
	[KMA_CHART_ICICLE] = kma_icicle_draw,
	[KMA_CHART_FLAME] = kma_flame_draw,
};

static void picture_draw(const struct kma_chart *chart, struct kma_scene *scene)
{
	struct kma_canvas canvas = {
		.chart = chart,
		.theme = &kma_themes[chart->theme],
		.scene = scene,
		.frame = kma_frame_choose(chart->width),
		/* Boxes of a treemap are all as dark as level 2, so they match the legend. */
		.flat = chart->kind == KMA_CHART_TREEMAP ? 2 : 0,
	};

	kma_scene_init(scene, canvas.frame.width, canvas.frame.height);
	scene->theme = canvas.theme;
	kma_node_sort(chart->branch, chart->metric);
	canvas.total = kma_canvas_value(&canvas, chart->branch->values);
	canvas.tops = kma_xcalloc(chart->branch->nr_children + 1, sizeof(*canvas.tops));
	kma_chart_colours(chart, canvas.theme, canvas.tops);
	kma_frame_title(&canvas);
	if (!canvas.frame.narrow)
		kma_frame_footer(&canvas);
	kma_picture_charts[chart->kind](&canvas);
	kma_legend_draw(&canvas);
	if (canvas.frame.narrow) {
		kma_frame_footer(&canvas);
		scene->height = canvas.frame.height;
	}
	free(canvas.tops);
}

static struct kma_err *picture_svg(const struct kma_scene *scene, double width, int64_t when,
				   struct kma_strbuf *out)
{
	(void)when;
	kma_svg_write(scene, width, out);
	return NULL;
}

static struct kma_err *picture_png(const struct kma_scene *scene, double width, int64_t when,
				   struct kma_strbuf *out)
{
	(void)when;
	return kma_png_write(scene, width, out);
}

static const struct kma_picture kma_pictures[] = {
	{ ".svg", picture_svg },
	{ ".png", picture_png },
	{ ".pdf", kma_pdf_write },
	{ ".html", NULL },
};

struct kma_err *kma_picture_write(const struct kma_picture *picture, const struct kma_chart *chart,
				  struct kma_strbuf *out)
{
	struct kma_scene scene;
	struct kma_err *err;

	if (!picture->draw) {
		kma_page_write(chart, out);
		return NULL;
	}
	picture_draw(chart, &scene);
	err = picture->draw(&scene, chart->width, chart->time, out);
	kma_scene_deinit(&scene);
	return err;
}

struct kma_err *kma_picture_for(const char *path, const struct kma_picture **ret)
{
	_cleanup_strbuf_ struct kma_strbuf endings = { 0 };
	size_t len = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(kma_pictures); i++) {
		size_t end = strlen(kma_pictures[i].ending);

		*ret = &kma_pictures[i];
		if (len > end && !strcmp(path + len - end, kma_pictures[i].ending))
			return NULL;
		kma_strbuf_printf(&endings, "%s%s", i ? ", " : "", kma_pictures[i].ending);
	}
	return kma_err_create_kind(
		KMA_ERR_USAGE, NULL, 0,
		"'%s': unsupported picture format (expected a name that ends in one of %s)", path,
		endings.str ?: "");
}
