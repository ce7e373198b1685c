// SPDX-License-Identifier: GPL-2.0-only
/*
 * cairo.c - write a scene as PNG and as PDF, by cairo, which is loaded for that. Equal scenes give
 * equal bytes, because the only time in the file is that of the account.
 */
#ifdef KMA_HAS_CAIRO
#include <cairo-pdf.h>
#include <cairo.h>
#endif
#include <math.h>
#include <time.h>

#include "cairo.h"
#include "lib/library.h"

#ifdef KMA_HAS_CAIRO
/* The functions of cairo that are used here. */
/* clang-format off */
#define KMA_CAIRO_FUNCTIONS(F) \
	F(cairo, arc) F(cairo, arc_negative) F(cairo, close_path) F(cairo, create) \
	F(cairo, destroy) F(cairo, fill) F(cairo, fill_preserve) F(cairo, font_options_create) \
	F(cairo, font_options_destroy) F(cairo, font_options_set_antialias) \
	F(cairo, font_options_set_hint_metrics) F(cairo, font_options_set_hint_style) \
	F(cairo, image_surface_create) F(cairo, line_to) F(cairo, move_to) F(cairo, new_path) \
	F(cairo, new_sub_path) F(cairo, paint) F(cairo, pdf_surface_create_for_stream) \
	F(cairo, pdf_surface_set_metadata) F(cairo, rectangle) F(cairo, restore) \
	F(cairo, rotate) F(cairo, save) F(cairo, scale) F(cairo, select_font_face) \
	F(cairo, set_font_options) F(cairo, set_font_size) F(cairo, set_line_width) \
	F(cairo, set_source_rgb) F(cairo, show_text) F(cairo, status) \
	F(cairo, status_to_string) F(cairo, stroke) F(cairo, surface_destroy) \
	F(cairo, surface_finish) F(cairo, surface_status) F(cairo, surface_write_to_png_stream) \
	F(cairo, text_extents) F(cairo, translate) F(cairo, version_string)
/* clang-format on */

static struct {
	KMA_CAIRO_FUNCTIONS(KMA_LIBRARY_POINTER)
} kma_cairo;

static const char *const kma_cairo_names[] = { KMA_CAIRO_FUNCTIONS(KMA_LIBRARY_NAME) };

static const struct kma_library kma_cairo_library = {
	"cairo",
	{ "libcairo.so.2" },
	"libcairo2 or cairo",
	KMA_LIBRARY_FUNCTIONS(kma_cairo, kma_cairo_names),
};

/* cairo counts angles from three o'clock. */
#define KMA_CAIRO_ANGLE(a) ((a)-M_PI / 2)

static void fill_with(cairo_t *cr, kma_rgb rgb)
{
	kma_cairo.set_source_rgb(cr, (rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0,
				 (rgb & 0xff) / 255.0);
}

/* Draws the outline of the path if @outlined, and clears the path. */
static void draw_outline(cairo_t *cr, const struct kma_theme *theme, bool outlined)
{
	if (outlined) {
		fill_with(cr, theme->edge);
		kma_cairo.set_line_width(cr, 1);
		kma_cairo.stroke(cr);
	}
	kma_cairo.new_path(cr);
}

static void draw_slice(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	double from = KMA_CAIRO_ANGLE(s->start), to = KMA_CAIRO_ANGLE(s->start + s->sweep);

	kma_cairo.new_path(cr);
	kma_cairo.arc(cr, s->x, s->y, s->outer, from, to);
	if (s->sweep > 2 * M_PI - 1e-6)
		kma_cairo.new_sub_path(cr);
	kma_cairo.arc_negative(cr, s->x, s->y, s->inner, to, from);
	kma_cairo.close_path(cr);
	fill_with(cr, s->fill);
	kma_cairo.fill_preserve(cr);
	draw_outline(cr, theme, s->outlined && s->sweep <= 2 * M_PI - 1e-6);
}

static void draw_edge(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	(void)theme;
	kma_cairo.new_path(cr);
	kma_cairo.arc(cr, s->x, s->y, s->outer, KMA_CAIRO_ANGLE(s->start),
		      KMA_CAIRO_ANGLE(s->start + s->sweep));
	fill_with(cr, s->fill);
	kma_cairo.set_line_width(cr, s->size);
	kma_cairo.stroke(cr);
}

static void draw_text(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	cairo_text_extents_t extents;
	double x = 0;

	(void)theme;
	kma_cairo.save(cr);
	kma_cairo.select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
				   s->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	kma_cairo.set_font_size(cr, s->size);
	kma_cairo.text_extents(cr, s->text, &extents);
	if (s->anchor == KMA_ANCHOR_MIDDLE)
		x = -extents.x_advance / 2;
	else if (s->anchor == KMA_ANCHOR_END)
		x = -extents.x_advance;
	kma_cairo.translate(cr, s->x, s->y);
	kma_cairo.rotate(cr, s->turn);
	kma_cairo.move_to(cr, x, s->size * KMA_BASELINE);
	fill_with(cr, s->fill);
	kma_cairo.show_text(cr, s->text);
	kma_cairo.restore(cr);
}

static void draw_rect(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	double r = s->size, x = s->x, y = s->y, w = s->width, h = s->height;

	kma_cairo.new_path(cr);
	if (r > 0) {
		kma_cairo.arc(cr, x + w - r, y + r, r, -M_PI / 2, 0);
		kma_cairo.arc(cr, x + w - r, y + h - r, r, 0, M_PI / 2);
		kma_cairo.arc(cr, x + r, y + h - r, r, M_PI / 2, M_PI);
		kma_cairo.arc(cr, x + r, y + r, r, M_PI, 3 * M_PI / 2);
		kma_cairo.close_path(cr);
	} else {
		kma_cairo.rectangle(cr, x, y, w, h);
	}
	fill_with(cr, s->fill);
	kma_cairo.fill_preserve(cr);
	draw_outline(cr, theme, s->outlined);
}

static void draw_frame(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	(void)theme;
	kma_cairo.rectangle(cr, s->x, s->y, s->width, s->height);
	fill_with(cr, s->fill);
	kma_cairo.set_line_width(cr, s->size);
	kma_cairo.stroke(cr);
}

static void draw_area(cairo_t *cr, const struct kma_theme *theme, const struct kma_shape *s)
{
	(void)theme;
	kma_cairo.new_path(cr);
	for (size_t i = 0; i < s->nr_points; i++)
		kma_cairo.line_to(cr, s->points[2 * i], s->points[2 * i + 1]);
	kma_cairo.close_path(cr);
	fill_with(cr, s->fill);
	kma_cairo.fill(cr);
}

static void (*const kma_cairo_shapes[])(cairo_t *cr, const struct kma_theme *theme,
					const struct kma_shape *s) = {
	[KMA_SHAPE_RECT] = draw_rect,	[KMA_SHAPE_FRAME] = draw_frame,
	[KMA_SHAPE_SLICE] = draw_slice, [KMA_SHAPE_ARC] = draw_edge,
	[KMA_SHAPE_TEXT] = draw_text,	[KMA_SHAPE_AREA] = draw_area,
};

static cairo_status_t append_bytes(void *out, const unsigned char *bytes, unsigned int len)
{
	kma_strbuf_add(out, (const char *)bytes, len);
	return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t draw_scene(cairo_surface_t *surface, const struct kma_scene *scene,
				 double scale)
{
	cairo_font_options_t *options = kma_cairo.font_options_create();
	cairo_t *cr = kma_cairo.create(surface);
	cairo_status_t status;

	/* Hinted widths would depend on the scale and differ from those of the layout. */
	kma_cairo.font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	kma_cairo.font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	kma_cairo.font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	kma_cairo.set_font_options(cr, options);
	fill_with(cr, scene->theme->paper);
	kma_cairo.paint(cr);
	kma_cairo.scale(cr, scale, scale);
	for (size_t i = 0; i < scene->nr; i++)
		kma_cairo_shapes[scene->shapes[i].kind](cr, scene->theme, &scene->shapes[i]);
	status = kma_cairo.status(cr);
	kma_cairo.font_options_destroy(options);
	kma_cairo.destroy(cr);
	return status;
}

static struct kma_err *err_of_status(cairo_status_t status)
{
	if (status == CAIRO_STATUS_SUCCESS)
		return NULL;
	return kma_err_create(NULL, 0, "cannot draw the picture: %s",
			      kma_cairo.status_to_string(status));
}

const char *kma_cairo_version(void)
{
	struct kma_err *err = kma_library_load(&kma_cairo_library);

	if (!err)
		return kma_cairo.version_string();
	kma_err_destroy(err);
	return NULL;
}

struct kma_err *kma_png_write(const struct kma_scene *scene, double width, struct kma_strbuf *out)
{
	struct kma_err *err = kma_library_load(&kma_cairo_library);
	double scale = width / scene->width;
	cairo_surface_t *surface;
	cairo_status_t status;

	if (err)
		return err;
	surface = kma_cairo.image_surface_create(CAIRO_FORMAT_RGB24, lround(width),
						 lround(scene->height * scale));
	status = draw_scene(surface, scene, scale);
	if (status == CAIRO_STATUS_SUCCESS)
		status = kma_cairo.surface_write_to_png_stream(surface, append_bytes, out);
	kma_cairo.surface_destroy(surface);
	return err_of_status(status);
}

struct kma_err *kma_pdf_write(const struct kma_scene *scene, double width, int64_t when,
			      struct kma_strbuf *out)
{
	struct kma_err *err = kma_library_load(&kma_cairo_library);
	double scale = width * 72 / 96 / scene->width;
	cairo_surface_t *surface;
	cairo_status_t status;
	time_t seconds = when;
	char text[32] = "";
	struct tm tm;

	if (err)
		return err;
	surface = kma_cairo.pdf_surface_create_for_stream(append_bytes, out, scene->width * scale,
							  scene->height * scale);
	kma_cairo.pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, scene->title ?: "");
	/* Without a date, cairo writes the current time, and no two files would be equal. */
	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	kma_cairo.pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, text);
	status = draw_scene(surface, scene, scale);
	kma_cairo.surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = kma_cairo.surface_status(surface);
	kma_cairo.surface_destroy(surface);
	return err_of_status(status);
}
#else
static struct kma_err *no_cairo(void)
{
	return kma_err_create(
		NULL, 0,
		"PNG and PDF need a program that was built with cairo (libcairo2-dev or cairo-devel, then 'make'); SVG does not");
}

const char *kma_cairo_version(void)
{
	return NULL;
}

struct kma_err *kma_png_write(const struct kma_scene *scene, double width, struct kma_strbuf *out)
{
	(void)scene, (void)width, (void)out;
	return no_cairo();
}

struct kma_err *kma_pdf_write(const struct kma_scene *scene, double width, int64_t when,
			      struct kma_strbuf *out)
{
	(void)scene, (void)width, (void)when, (void)out;
	return no_cairo();
}
#endif
