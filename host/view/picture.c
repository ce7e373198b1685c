// SPDX-License-Identifier: GPL-2.0
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

static struct kma_err *kma_picture_svg(const struct kma_chart *chart, struct kma_strbuf *out)
{
	struct kma_scene scene;
	struct kma_err *err = kma_chart_draw(chart, &scene);

	if (!err)
		kma_svg_write(&scene, chart->width, out);
	kma_scene_deinit(&scene);
	return err;
}

static struct kma_err *kma_picture_png(const struct kma_chart *chart, struct kma_strbuf *out)
{
	struct kma_scene scene;
	struct kma_err *err = kma_chart_draw(chart, &scene);

	if (!err)
		err = kma_png_write(&scene, chart->width, out);
	kma_scene_deinit(&scene);
	return err;
}

static struct kma_err *kma_picture_pdf(const struct kma_chart *chart, struct kma_strbuf *out)
{
	struct kma_scene scene;
	struct kma_err *err = kma_chart_draw(chart, &scene);

	if (!err)
		err = kma_pdf_write(&scene, chart->width, chart->time, out);
	kma_scene_deinit(&scene);
	return err;
}

static const struct kma_picture kma_pictures[] = {
	{ ".svg", false, kma_picture_svg },
	{ ".png", false, kma_picture_png },
	{ ".pdf", false, kma_picture_pdf },
	{ ".html", true, kma_page_write },
};

struct kma_err *kma_picture_for(const char *path, const struct kma_picture **ret)
{
	_cleanup_strbuf_ struct kma_strbuf endings = { 0 };
	size_t len = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(kma_pictures); i++) {
		size_t end = strlen(kma_pictures[i].ending);

		*ret = &kma_pictures[i];
		if (len > end && !strcmp(path + len - end, kma_pictures[i].ending))
			return NULL;
		kma_strbuf_printf(&endings, "%s%s", i ? " nor in " : "", kma_pictures[i].ending);
	}
	return kma_err_create(NULL, 0, "'%s' ends neither in %s", path, endings.str ?: "");
}
