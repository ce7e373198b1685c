// SPDX-License-Identifier: GPL-2.0-only
/*
 * scene.c - a picture as a list of shapes.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/escape.h"
#include "scene.h"
#include "textwidth.h"

void kma_scene_init(struct kma_scene *scene, double width, double height)
{
	memset(scene, 0, sizeof(*scene));
	scene->width = width;
	scene->height = height;
	scene->theme = &kma_themes[KMA_THEME_LIGHT];
}

void kma_scene_deinit(struct kma_scene *scene)
{
	for (size_t i = 0; i < scene->nr; i++) {
		free(scene->shapes[i].text);
		free(scene->shapes[i].points);
		free(scene->shapes[i].tip);
	}
	free(scene->shapes);
	free(scene->title);
	free(scene->description);
	memset(scene, 0, sizeof(*scene));
}

/*
 * Copy a text, which may be NULL. Characters that cannot be drawn are replaced: cairo would stop
 * at them.
 */
static char *kma_scene_text(struct kma_scene *scene, const char *text)
{
	struct kma_strbuf copy = { 0 };

	if (!text)
		return NULL;
	kma_strbuf_puts(&copy, "");
	kma_escape_label(&copy, text);
	if (kma_strbuf_ok(&copy))
		return copy.str;
	kma_strbuf_deinit(&copy);
	scene->failed = true;
	return NULL;
}

void kma_scene_add(struct kma_scene *scene, const struct kma_shape *shape)
{
	struct kma_shape *to;

	if (!kma_array_room(scene->shapes, scene->nr, scene->alloc)) {
		scene->failed = true;
		return;
	}
	to = &scene->shapes[scene->nr++];
	*to = *shape;
	to->text = kma_scene_text(scene, shape->text);
	to->tip = kma_scene_text(scene, shape->tip);
	if (!shape->points)
		return;
	to->points = calloc(2 * shape->nr_points, sizeof(*to->points));
	if (to->points)
		memcpy(to->points, shape->points, 2 * shape->nr_points * sizeof(*to->points));
	else
		to->nr_points = 0;
	scene->failed |= !to->points;
}

void kma_scene_add_text(struct kma_scene *scene, const struct kma_shape *like, double room,
			const char *text)
{
	char *shown = kma_text_elide(text, like->size, like->bold, room);
	struct kma_shape shape = *like;

	if (!shown)
		return;
	shape.kind = KMA_SHAPE_TEXT;
	shape.text = shown;
	kma_scene_add(scene, &shape);
	free(shown);
}
