// SPDX-License-Identifier: GPL-2.0
/*
 * picture.c - the table of pictures.
 */
#include <string.h>

#include "../lib/cleanup.h"
#include "picture.h"

static struct kma_err *kma_write_svg(const struct kma_scene *scene, double width,
				     struct kma_strbuf *out)
{
	kma_svg_write(scene, width, out);
	return NULL;
}

static const struct kma_picture kma_pictures[] = {
	{ ".svg", kma_write_svg },
	{ ".png", kma_png_write },
};

const struct kma_picture *kma_picture_for(const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(kma_pictures); i++) {
		size_t end = strlen(kma_pictures[i].ending);

		if (len > end && !strcmp(path + len - end, kma_pictures[i].ending))
			return &kma_pictures[i];
	}
	return NULL;
}
