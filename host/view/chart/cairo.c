// SPDX-License-Identifier: GPL-2.0-only
/*
 * cairo.c - write a scene as PNG and as PDF, by cairo. Equal scenes give equal bytes, because the
 * only time in the file is that of the account.
 */
#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>
#include <time.h>

#include "cairo.h"

/* cairo counts angles from three o'clock. */
#define KMA_CAIRO_ANGLE(a) ((a)-M_PI / 2)

static void kma_cairo_fill(cairo_t *cr, kma_rgb rgb)
{
	cairo_set_source_rgb(cr, (rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0,
			     (rgb & 0xff) / 255.0);
}

/* Draws the outline of the path if @outlined, and clears the path. */
static void kma_cairo_outline(cairo_t *cr, const struct kma_theme *theme, bool outlined)
{
	if (outlined) {
		kma_cairo_fill(cr, theme->edge);
		cairo_set_line_width(cr, 1);
		cairo_stroke(cr);
	}
	cairo_new_path(cr);
}

static void kma_cairo_slice(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	double from = KMA_CAIRO_ANGLE(s->start), to = KMA_CAIRO_ANGLE(s->start + s->sweep);

	cairo_new_path(cr);
	cairo_arc(cr, s->x, s->y, s->outer, from, to);
	if (s->sweep > 2 * M_PI - 1e-6)
		cairo_new_sub_path(cr);
	cairo_arc_negative(cr, s->x, s->y, s->inner, to, from);
	cairo_close_path(cr);
	kma_cairo_fill(cr, s->fill);
	cairo_fill_preserve(cr);
	kma_cairo_outline(cr, theme, s->outlined && s->sweep <= 2 * M_PI - 1e-6);
}

static void kma_cairo_edge(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	(void)theme;
	cairo_new_path(cr);
	cairo_arc(cr, s->x, s->y, s->outer, KMA_CAIRO_ANGLE(s->start),
		  KMA_CAIRO_ANGLE(s->start + s->sweep));
	kma_cairo_fill(cr, s->fill);
	cairo_set_line_width(cr, s->size);
	cairo_stroke(cr);
}

static void kma_cairo_text(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	cairo_text_extents_t extents;
	double x = 0;

	(void)theme;
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
	kma_cairo_fill(cr, s->fill);
	cairo_show_text(cr, s->text);
	cairo_restore(cr);
}

static void kma_cairo_rect(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	double r = s->size, x = s->x, y = s->y, w = s->width, h = s->height;

	cairo_new_path(cr);
	if (r > 0) {
		cairo_arc(cr, x + w - r, y + r, r, -M_PI / 2, 0);
		cairo_arc(cr, x + w - r, y + h - r, r, 0, M_PI / 2);
		cairo_arc(cr, x + r, y + h - r, r, M_PI / 2, M_PI);
		cairo_arc(cr, x + r, y + r, r, M_PI, 3 * M_PI / 2);
		cairo_close_path(cr);
	} else {
		cairo_rectangle(cr, x, y, w, h);
	}
	kma_cairo_fill(cr, s->fill);
	cairo_fill_preserve(cr);
	kma_cairo_outline(cr, theme, s->outlined);
}

static void kma_cairo_frame(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	(void)theme;
	cairo_rectangle(cr, s->x, s->y, s->width, s->height);
	kma_cairo_fill(cr, s->fill);
	cairo_set_line_width(cr, s->size);
	cairo_stroke(cr);
}

static void kma_cairo_area(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	(void)theme;
	cairo_new_path(cr);
	for (size_t i = 0; i < s->nr_points; i++)
		cairo_line_to(cr, s->points[2 * i], s->points[2 * i + 1]);
	cairo_close_path(cr);
	kma_cairo_fill(cr, s->fill);
	cairo_fill(cr);
}

static void (*const kma_cairo_shapes[])(cairo_t *cr, const struct kma_theme *theme,
					const struct kma_shape *s) = {
	[KMA_SHAPE_RECT] = kma_cairo_rect,   [KMA_SHAPE_FRAME] = kma_cairo_frame,
	[KMA_SHAPE_SLICE] = kma_cairo_slice, [KMA_SHAPE_ARC] = kma_cairo_edge,
	[KMA_SHAPE_TEXT] = kma_cairo_text,   [KMA_SHAPE_AREA] = kma_cairo_area,
};

static cairo_status_t kma_cairo_append(void *out, const unsigned char *bytes, unsigned int len)
{
	kma_strbuf_add(out, (const char *)bytes, len);
	return kma_strbuf_ok(out) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_NO_MEMORY;
}

static cairo_status_t kma_cairo_draw(cairo_surface_t *surface, const struct kma_scene *scene,
				     double scale)
{
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_t *cr = cairo_create(surface);
	cairo_status_t status;

	/* Hinted widths would depend on the scale and differ from those of the layout. */
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_set_font_options(cr, options);
	kma_cairo_fill(cr, scene->theme->paper);
	cairo_paint(cr);
	cairo_scale(cr, scale, scale);
	for (size_t i = 0; i < scene->nr; i++)
		kma_cairo_shapes[scene->shapes[i].kind](cr, scene->theme, &scene->shapes[i]);
	status = cairo_status(cr);
	cairo_font_options_destroy(options);
	cairo_destroy(cr);
	return status;
}

static struct kma_err *kma_cairo_err(cairo_status_t status)
{
	if (status == CAIRO_STATUS_SUCCESS)
		return NULL;
	return kma_err_create(NULL, 0, "cannot draw the picture: %s",
			      cairo_status_to_string(status));
}

struct kma_err *kma_png_write(const struct kma_scene *scene, double width, struct kma_strbuf *out)
{
	double scale = width / scene->width;
	cairo_surface_t *surface;
	cairo_status_t status;

	surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, lround(width),
					     lround(scene->height * scale));
	status = kma_cairo_draw(surface, scene, scale);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_write_to_png_stream(surface, kma_cairo_append, out);
	cairo_surface_destroy(surface);
	return kma_cairo_err(status);
}

struct kma_err *kma_pdf_write(const struct kma_scene *scene, double width, int64_t when,
			      struct kma_strbuf *out)
{
	double scale = width * 72 / 96 / scene->width;
	cairo_surface_t *surface;
	cairo_status_t status;
	time_t seconds = when;
	char text[32] = "";
	struct tm tm;

	surface = cairo_pdf_surface_create_for_stream(kma_cairo_append, out, scene->width * scale,
						      scene->height * scale);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, scene->title ?: "");
	/* Without a date, cairo writes the current time, and no two files would be equal. */
	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, text);
	status = kma_cairo_draw(surface, scene, scale);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	return kma_cairo_err(status);
}
