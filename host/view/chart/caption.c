// SPDX-License-Identifier: GPL-2.0-only
/*
 * caption.c - heading, subject and footer of a picture that is not a chart of a tree.
 */

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "caption.h"

#define KMA_CAPTION_LEFT 44.0

void kma_caption_draw(struct kma_scene *scene, const char *title, const char *subject,
		      const char *footer)
{
	const struct {
		double y, size;
		bool bold;
		kma_rgb fill;
		const char *text;
	} lines[] = {
		{ 44, 26, true, scene->theme->ink, title },
		{ 80, 15, false, scene->theme->ink, subject },
		{ scene->height - 34, 13, false, scene->theme->faint, footer },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		kma_scene_add_text(scene,
				   &(struct kma_shape){ .x = KMA_CAPTION_LEFT,
							.y = lines[i].y,
							.size = lines[i].size,
							.bold = lines[i].bold,
							.fill = lines[i].fill },
				   KMA_CAPTION_WIDTH - 2 * KMA_CAPTION_LEFT, lines[i].text);
	scene->title = kma_xstrdup(title);
	scene->description = kma_xstrdup(subject);
}
