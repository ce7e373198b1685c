// SPDX-License-Identifier: GPL-2.0-only
/*
 * figure.c - write a picture with its numbers as a page.
 *
 * A picture is drawn for one width. In a window narrower than KMA_FIGURE_LEAST, the picture keeps
 * that width, so that its texts can be read, and scrolls. A table does the same.
 */
#include "../../../module/uapi/version.h"
#include "figure.h"
#include "lib/escape.h"
#include "view/chart/svg.h"

#define KMA_FIGURE_LEAST "60rem"

static const char kma_figure_head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\"\n"
	" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"generator\" content=\"kmem-account " KMA_VERSION "\">\n";

static const char kma_figure_style[] =
	"body{margin:0 auto;max-width:110rem;padding:1rem;\n"
	"font:14px/1.45 system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}\n"
	"h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}\n"
	"figure{margin:0 0 1rem}\n"
	"figure svg{display:block;width:100%;min-width:" KMA_FIGURE_LEAST ";height:auto}\n"
	".wide{overflow-x:auto}\n"
	":focus-visible{outline:2px solid currentcolor;outline-offset:1px}\n"
	"p{margin:.2rem 0}\n"
	"table{border-collapse:collapse;width:max-content;margin:1rem 0;font-variant-numeric:tabular-nums}\n"
	"caption{text-align:left;font-weight:600;padding:.2rem 0}\n"
	"th,td{padding:.3rem 1rem .3rem 0;text-align:left;vertical-align:top}\n"
	"td{max-width:28rem;overflow-wrap:break-word}\n"
	".n{text-align:right;white-space:nowrap}\n"
	"@media print{body{padding:0;font-size:10px}figure svg{min-width:0}.wide{overflow:visible}\n"
	"table{width:auto}td{overflow-wrap:anywhere}\n"
	"tr{break-inside:avoid}}\n";

static void figure_colours(const struct kma_theme *theme, struct kma_strbuf *out)
{
	kma_strbuf_printf(out, ":root{color-scheme:%s}\n",
			  kma_colour_text(theme->paper) == KMA_WHITE ? "dark" : "light");
	kma_strbuf_printf(out, "html{background:#%06x;color:#%06x}\n", theme->paper, theme->ink);
	kma_strbuf_printf(out,
			  "thead th{color:#%06x;font-weight:600;border-bottom:1px solid #%06x}\n",
			  theme->faint, theme->rule);
	kma_strbuf_printf(out, "tbody tr+tr td{border-top:1px solid #%06x}\n", theme->rule);
}

/* Starts a part that may be wider than the window; it takes the focus, so that keys scroll it. */
static void figure_wide(const char *name, struct kma_strbuf *out)
{
	kma_strbuf_printf(out,
			  "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n",
			  name);
}

void kma_figure_write(const struct kma_scene *scene, double width, const char *tables,
		      struct kma_strbuf *out)
{
	kma_strbuf_puts(out, kma_figure_head);
	kma_strbuf_puts(out, "<title>");
	kma_escape_xml(out, scene->title ?: "");
	kma_strbuf_puts(out, "</title>\n<style>\n");
	kma_strbuf_puts(out, kma_figure_style);
	figure_colours(scene->theme, out);
	kma_strbuf_puts(out, "</style>\n</head>\n<body>\n<main>\n<h1>");
	kma_escape_xml(out, scene->title ?: "");
	kma_strbuf_puts(out, "</h1>\n");
	figure_wide("picture", out);
	kma_strbuf_puts(out, "<figure>\n");
	kma_svg_element(scene, width, out);
	kma_strbuf_puts(out, "</figure>\n</div>\n");
	if (tables) {
		figure_wide("numbers", out);
		kma_strbuf_puts(out, tables);
		kma_strbuf_puts(out, "</div>\n");
	}
	kma_strbuf_puts(out, "</main>\n</body>\n</html>\n");
}
