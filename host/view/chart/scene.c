// SPDX-License-Identifier: GPL-2.0-only
/*
 * scene.c - a picture as a list of shapes, and the widths of its texts.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/escape.h"
#include "scene.h"

#define KMA_ELLIPSIS "\xe2\x80\xa6"

/* clang-format off */
/* Advance widths of DejaVu Sans, from space on, in thousandths of the font size. */
static const unsigned short kma_advance[2][95] = {
	{ 318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838,
	  318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636,
	  636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698,
	  770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
	  603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390,
	  337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635,
	  634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
	  392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838 },
	{ 348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838,
	  380, 415, 380, 365, 696, 696, 696, 696, 696, 696, 696, 696,
	  696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734,
	  830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850,
	  733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457,
	  365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716,
	  712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595,
	  478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838 },
};
/* clang-format on */

/* Width of one character of @len bytes. */
static double char_width(const char *s, unsigned int len, bool bold)
{
	unsigned char c = *s;

	/* No other character of a label (ellipsis, dot, arrow) is wider. */
	if (len != 1 || c < ' ' || c > '~')
		return 1.0;
	return kma_advance[bold][c - ' '] / 1000.0;
}

double kma_text_width(const char *text, double size, bool bold)
{
	double width = 0;

	while (*text) {
		unsigned int len = kma_utf8_len(text);

		width += char_width(text, len, bold);
		text += len ? len : 1;
	}
	return width * size * 1.02;
}

char *kma_text_elide(const char *text, double size, bool bold, double width)
{
	double room = width / (size * 1.02) - 1.0; /* The width without the ellipsis. */
	unsigned int chars = 0;
	size_t kept = 0;
	char *elided;

	if (kma_text_width(text, size, bold) <= width)
		return strdup(text);
	for (;;) {
		unsigned int len = kma_utf8_len(text + kept);
		unsigned int step = len ? len : 1;

		if (!text[kept])
			break;
		room -= char_width(text + kept, len, bold);
		if (room < 0)
			break;
		kept += step;
		chars++;
	}
	if (chars < KMA_LETTERS_LEAST)
		return NULL;
	/* "ext4…" is easier to read than "ext4_…". */
	while (kept > 3 && strchr("_-./ ", text[kept - 1]))
		kept--;
	elided = malloc(kept + sizeof(KMA_ELLIPSIS));
	if (!elided)
		return NULL;
	memcpy(elided, text, kept);
	memcpy(elided + kept, KMA_ELLIPSIS, sizeof(KMA_ELLIPSIS));
	return elided;
}

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
static char *scene_text(const char *text)
{
	struct kma_strbuf copy = { 0 };

	if (!text)
		return NULL;
	kma_strbuf_puts(&copy, "");
	kma_escape_label(&copy, text);
	return copy.str;
}

void kma_scene_add(struct kma_scene *scene, const struct kma_shape *shape)
{
	struct kma_shape *to;

	kma_array_room(scene->shapes, scene->nr, scene->alloc);
	to = &scene->shapes[scene->nr++];
	*to = *shape;
	to->text = scene_text(shape->text);
	to->tip = scene_text(shape->tip);
	if (!shape->points)
		return;
	to->points = kma_xcalloc(2 * shape->nr_points, sizeof(*to->points));
	memcpy(to->points, shape->points, 2 * shape->nr_points * sizeof(*to->points));
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
