// SPDX-License-Identifier: GPL-2.0-only
/*
 * picture.c - the table of pictures.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "picture.h"
#include "view/chart/cairo.h"
#include "view/chart/draw.h"
#include "view/chart/svg.h"
#include "view/page/page.h"

static struct kma_err *kma_picture_svg(const struct kma_scene *scene, double width, int64_t when,
				       struct kma_strbuf *out)
{
	(void)when;
	kma_svg_write(scene, width, out);
	return NULL;
}

static struct kma_err *kma_picture_png(const struct kma_scene *scene, double width, int64_t when,
				       struct kma_strbuf *out)
{
	(void)when;
	return kma_png_write(scene, width, out);
}

static const struct kma_picture kma_pictures[] = {
	{ ".svg", kma_picture_svg },
	{ ".png", kma_picture_png },
	{ ".pdf", kma_pdf_write },
	{ ".html", NULL },
};

struct kma_err *kma_picture_write(const struct kma_picture *picture, const struct kma_chart *chart,
				  struct kma_strbuf *out)
{
	struct kma_scene scene;
	struct kma_err *err;

	if (!picture->draw)
		return kma_page_write(chart, out);
	err = kma_chart_draw(chart, &scene);
	if (!err)
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
