// SPDX-License-Identifier: GPL-2.0-only
/*
 * svg.c - write a scene as SVG: paths with tooltips, and texts as text elements, so that they can
 * be searched, read aloud and copied.
 */
#include <math.h>

#include "lib/escape.h"
#include "svg.h"

/* The program never calls setlocale(), so %f writes a point in any language. */
static void svg_point(struct kma_strbuf *out, const char *command, double x, double y)
{
	kma_strbuf_printf(out, "%s%.2f %.2f", command, x, y);
}

static void svg_arc(struct kma_strbuf *out, const struct kma_shape *s, double r, double from,
		    double to)
{
	bool large = fabs(to - from) > M_PI;

	kma_strbuf_printf(out, "A%.2f %.2f 0 %d %d %.2f %.2f", r, r, large, to > from,
			  s->x + r * sin(to), s->y - r * cos(to));
}

/* A whole ring is two halves: an arc that ends at its start is not drawn. */
static void svg_slice_path(struct kma_strbuf *out, const struct kma_shape *s, double start,
			   double sweep)
{
	double end = start + sweep;

	svg_point(out, "M", s->x + s->outer * sin(start), s->y - s->outer * cos(start));
	svg_arc(out, s, s->outer, start, end);
	svg_point(out, "L", s->x + s->inner * sin(end), s->y - s->inner * cos(end));
	svg_arc(out, s, s->inner, end, start);
	kma_strbuf_puts(out, "Z");
}

/* Ends an element, which may have a tooltip. */
static void svg_end(struct kma_strbuf *out, const char *element, const char *tip)
{
	if (!tip) {
		kma_strbuf_puts(out, "/>\n");
		return;
	}
	kma_strbuf_puts(out, "><title>");
	kma_escape_xml(out, tip);
	kma_strbuf_printf(out, "</title></%s>\n", element);
}

static void svg_slice(struct kma_strbuf *out, const struct kma_shape *s)
{
	bool whole = s->sweep > 2 * M_PI - 1e-6;

	kma_strbuf_printf(out, "<path fill=\"#%06x\"%s d=\"", s->fill,
			  s->outlined && !whole ? " class=\"s\"" : "");
	if (whole) {
		svg_slice_path(out, s, s->start, M_PI);
		svg_slice_path(out, s, s->start + M_PI, M_PI);
	} else {
		svg_slice_path(out, s, s->start, s->sweep);
	}
	kma_strbuf_puts(out, "\"");
	svg_end(out, "path", s->tip);
}

static void svg_edge(struct kma_strbuf *out, const struct kma_shape *s)
{
	double sweep = fmin(s->sweep, 2 * M_PI - 1e-3);

	kma_strbuf_printf(out, "<path class=\"e\" stroke=\"#%06x\" stroke-width=\"%.2f\" d=\"",
			  s->fill, s->size);
	svg_point(out, "M", s->x + s->outer * sin(s->start), s->y - s->outer * cos(s->start));
	svg_arc(out, s, s->outer, s->start, s->start + sweep);
	kma_strbuf_puts(out, "\"/>\n");
}

static void svg_text(struct kma_strbuf *out, const struct kma_shape *s)
{
	static const char *const anchors[] = { "start", "middle", "end" };

	if (fabs(s->turn) > 1e-9)
		kma_strbuf_printf(
			out, "<text transform=\"translate(%.2f %.2f) rotate(%.2f)\" y=\"%.2f\"",
			s->x, s->y, s->turn * 180 / M_PI, s->size * KMA_BASELINE);
	else
		kma_strbuf_printf(out, "<text x=\"%.2f\" y=\"%.2f\"", s->x,
				  s->y + s->size * KMA_BASELINE);
	kma_strbuf_printf(out, " font-size=\"%.1f\" fill=\"#%06x\"", s->size, s->fill);
	if (s->bold)
		kma_strbuf_puts(out, " font-weight=\"bold\"");
	if (s->anchor != KMA_ANCHOR_START)
		kma_strbuf_printf(out, " text-anchor=\"%s\"", anchors[s->anchor]);
	kma_strbuf_puts(out, ">");
	kma_escape_xml(out, s->text);
	kma_strbuf_puts(out, "</text>\n");
}

static void svg_rect(struct kma_strbuf *out, const struct kma_shape *s)
{
	kma_strbuf_printf(out, "<rect%s x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"",
			  s->outlined ? " class=\"s\"" : "", s->x, s->y, s->width, s->height);
	if (s->size > 0)
		kma_strbuf_printf(out, " rx=\"%.1f\"", s->size);
	kma_strbuf_printf(out, " fill=\"#%06x\"", s->fill);
	svg_end(out, "rect", s->tip);
}

static void svg_frame(struct kma_strbuf *out, const struct kma_shape *s)
{
	kma_strbuf_printf(out, "<rect class=\"e\" x=\"%.2f\" y=\"%.2f\"", s->x, s->y);
	kma_strbuf_printf(out, " width=\"%.2f\" height=\"%.2f\"", s->width, s->height);
	kma_strbuf_printf(out, " stroke=\"#%06x\" stroke-width=\"%.2f\"/>\n", s->fill, s->size);
}

static void svg_area(struct kma_strbuf *out, const struct kma_shape *s)
{
	kma_strbuf_printf(out, "<path fill=\"#%06x\" d=\"", s->fill);
	for (size_t i = 0; i < s->nr_points; i++)
		svg_point(out, i ? "L" : "M", s->points[2 * i], s->points[2 * i + 1]);
	kma_strbuf_puts(out, "Z\"");
	svg_end(out, "path", s->tip);
}

static void (*const kma_svg_shapes[])(struct kma_strbuf *out, const struct kma_shape *s) = {
	[KMA_SHAPE_RECT] = svg_rect, [KMA_SHAPE_FRAME] = svg_frame, [KMA_SHAPE_SLICE] = svg_slice,
	[KMA_SHAPE_ARC] = svg_edge,  [KMA_SHAPE_TEXT] = svg_text,   [KMA_SHAPE_AREA] = svg_area,
};

static void svg_style(const struct kma_theme *theme, struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "<style>.s{stroke:#%06x;stroke-width:1}.e{fill:none}", theme->edge);
	kma_strbuf_puts(
		out,
		".e,text{pointer-events:none}path:hover,rect:not(.p):hover{opacity:.8}</style>\n");
	kma_strbuf_printf(out,
			  "<rect class=\"p\" width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
			  theme->paper);
}

void kma_svg_element(const struct kma_scene *scene, double width, struct kma_strbuf *out)
{
	double height = width * scene->height / scene->width;

	kma_strbuf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\"", width);
	kma_strbuf_printf(out, " height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\"", height, scene->width,
			  scene->height);
	kma_strbuf_puts(out, " role=\"img\" aria-labelledby=\"t d\"");
	kma_strbuf_puts(out, " font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n");
	kma_strbuf_puts(out, "<title id=\"t\">");
	kma_escape_xml(out, scene->title ?: "");
	kma_strbuf_puts(out, "</title>\n<desc id=\"d\">");
	kma_escape_xml(out, scene->description ?: "");
	kma_strbuf_puts(out, "</desc>\n");
	svg_style(scene->theme, out);
	for (size_t i = 0; i < scene->nr; i++)
		kma_svg_shapes[scene->shapes[i].kind](out, &scene->shapes[i]);
	kma_strbuf_puts(out, "</svg>\n");
}

void kma_svg_write(const struct kma_scene *scene, double width, struct kma_strbuf *out)
{
	kma_strbuf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	kma_svg_element(scene, width, out);
}
