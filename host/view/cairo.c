// SPDX-License-Identifier: GPL-2.0
/*
 * cairo.c - a picture as PNG, by cairo.
 */
#include <cairo.h>
#include <math.h>

#include "scene.h"

/* cairo counts angles from three o'clock. */
#define KMA_CAIRO_ANGLE(a) ((a)-M_PI / 2)

static void kma_png_fill(cairo_t *cr, kma_rgb rgb)
{
	cairo_set_source_rgb(cr, (rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0,
			     (rgb & 0xff) / 255.0);
}

static void kma_png_slice(cairo_t *cr, const struct kma_shape *s)
{
	double from = KMA_CAIRO_ANGLE(s->start), to = KMA_CAIRO_ANGLE(s->start + s->sweep);

	cairo_new_path(cr);
	cairo_arc(cr, s->x, s->y, s->outer, from, to);
	if (s->sweep > 2 * M_PI - 1e-6)
		cairo_new_sub_path(cr);
	cairo_arc_negative(cr, s->x, s->y, s->inner, to, from);
	cairo_close_path(cr);
	kma_png_fill(cr, s->fill);
	cairo_fill_preserve(cr);
	if (s->outlined && s->sweep <= 2 * M_PI - 1e-6) {
		kma_png_fill(cr, KMA_WHITE);
		cairo_set_line_width(cr, 1);
		cairo_stroke(cr);
	}
	cairo_new_path(cr);
}

static void kma_png_edge(cairo_t *cr, const struct kma_shape *s)
{
	cairo_new_path(cr);
	cairo_arc(cr, s->x, s->y, s->outer, KMA_CAIRO_ANGLE(s->start),
		  KMA_CAIRO_ANGLE(s->start + s->sweep));
	kma_png_fill(cr, s->fill);
	cairo_set_line_width(cr, s->size);
	cairo_stroke(cr);
}

static void kma_png_text(cairo_t *cr, const struct kma_shape *s)
{
	cairo_text_extents_t extents;
	double x = 0;

	cairo_save(cr);
	cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
			       s->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(cr, s->size);
	cairo_text_extents(cr, s->text, &extents);
	if (s->anchor == KMA_ANCHOR_MIDDLE)
		x = -extents.x_advance / 2;
	else if (s->anchor == KMA_ANCHOR_END)
		x = -extents.x_advance;
	cairo_translate(cr, s->x, s->y);
	cairo_rotate(cr, s->turn);
	cairo_move_to(cr, x, s->size * KMA_BASELINE);
	kma_png_fill(cr, s->fill);
	cairo_show_text(cr, s->text);
	cairo_restore(cr);
}

static void kma_png_rect(cairo_t *cr, const struct kma_shape *s)
{
	double r = s->size, x = s->x, y = s->y, w = s->width, h = s->height;

	cairo_new_path(cr);
	cairo_arc(cr, x + w - r, y + r, r, -M_PI / 2, 0);
	cairo_arc(cr, x + w - r, y + h - r, r, 0, M_PI / 2);
	cairo_arc(cr, x + r, y + h - r, r, M_PI / 2, M_PI);
	cairo_arc(cr, x + r, y + r, r, M_PI, 3 * M_PI / 2);
	cairo_close_path(cr);
	kma_png_fill(cr, s->fill);
	cairo_fill(cr);
}

static void (*const kma_png_shapes[])(cairo_t *cr, const struct kma_shape *s) = {
	[KMA_SHAPE_RECT] = kma_png_rect,
	[KMA_SHAPE_SLICE] = kma_png_slice,
	[KMA_SHAPE_ARC] = kma_png_edge,
	[KMA_SHAPE_TEXT] = kma_png_text,
};

static cairo_status_t kma_png_append(void *out, const unsigned char *bytes, unsigned int len)
{
	kma_strbuf_add(out, (const char *)bytes, len);
	return kma_strbuf_ok(out) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_NO_MEMORY;
}

struct kma_err *kma_png_write(const struct kma_scene *scene, double width, struct kma_strbuf *out)
{
	double scale = width / scene->width;
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_surface_t *surface;
	cairo_status_t status;
	cairo_t *cr;

	surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, lround(width),
					     lround(scene->height * scale));
	cr = cairo_create(surface);
	/* Hinted widths would depend on the scale and differ from those of the layout. */
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_set_font_options(cr, options);
	kma_png_fill(cr, KMA_WHITE);
	cairo_paint(cr);
	cairo_scale(cr, scale, scale);
	for (size_t i = 0; i < scene->nr; i++)
		kma_png_shapes[scene->shapes[i].kind](cr, &scene->shapes[i]);
	status = cairo_status(cr);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_write_to_png_stream(surface, kma_png_append, out);
	cairo_font_options_destroy(options);
	cairo_destroy(cr);
	cairo_surface_destroy(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		return NULL;
	return kma_err_create(NULL, 0, "cannot draw the picture: %s",
			      cairo_status_to_string(status));
}
