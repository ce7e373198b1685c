// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-colours.c - write the colours of a page. Its script (colour.js) gives them to names as
 * view/chart/colour.c does, for the branch that is shown.
 */
#include <stdlib.h>

#include "page-colours.h"
#include "view/chart/colour.h"

/* Levels that have shades of their own; deeper levels have that of the last one. */
enum { KMA_PAGE_LEVELS = 6 };

static void page_levels(const struct kma_theme *theme, kma_rgb rgb, struct kma_strbuf *out)
{
	for (unsigned int level = 1; level <= KMA_PAGE_LEVELS; level++) {
		kma_rgb fill = kma_colour_for_level(theme, rgb, level);

		kma_strbuf_printf(out, "%s\"#%06x\",\"#%06x\"", level > 1 ? "," : "[", fill,
				  kma_colour_text(fill));
	}
	kma_strbuf_puts(out, "]");
}

/* Writes fill and text of each level for grey, and then for each colour of owners. */
static void page_palette(const struct kma_theme *theme, struct kma_strbuf *out)
{
	const char *owner;

	kma_strbuf_puts(out, "\"palette\":[");
	page_levels(theme, theme->grey, out);
	for (size_t i = 0; i < KMA_COLOURS; i++) {
		kma_strbuf_puts(out, ",");
		page_levels(theme, kma_colour_slot(theme, i, &owner), out);
	}
	kma_strbuf_puts(out, "]");
}

/* Number of steps from unchanged to new, and from unchanged to gone. */
enum { KMA_PAGE_STEPS = 16 };

static void page_changes(const struct kma_theme *theme, struct kma_strbuf *out)
{
	kma_strbuf_puts(out, "\"changes\":[");
	for (int step = -KMA_PAGE_STEPS; step <= KMA_PAGE_STEPS; step++) {
		uint64_t before = KMA_PAGE_STEPS - (step > 0 ? step : 0);
		uint64_t after = KMA_PAGE_STEPS + (step < 0 ? step : 0);
		kma_rgb fill = kma_colour_for_change(theme, before, after);

		kma_strbuf_printf(out, "%s\"#%06x\",\"#%06x\"", step > -KMA_PAGE_STEPS ? "," : "",
				  fill, kma_colour_text(fill));
	}
	kma_strbuf_puts(out, "]");
}

void kma_page_themes(bool changes, struct kma_strbuf *out)
{
	const char *owner;

	for (unsigned int id = 0; id < KMA_NR_THEMES; id++) {
		const struct kma_theme *theme = &kma_themes[id];

		kma_strbuf_printf(out, "%s{\"name\":\"%s\",", id ? ",\n" : "[", theme->name);
		kma_strbuf_printf(out, "\"paper\":\"#%06x\",\"ink\":\"#%06x\",", theme->paper,
				  theme->ink);
		kma_strbuf_printf(out, "\"faint\":\"#%06x\",\"edge\":\"#%06x\",", theme->faint,
				  theme->edge);
		kma_strbuf_printf(out, "\"more\":\"#%06x\",", theme->more);
		if (changes)
			page_changes(theme, out);
		else
			page_palette(theme, out);
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "]");
	for (size_t i = 0; i < KMA_COLOURS; i++) {
		kma_colour_slot(&kma_themes[0], i, &owner);
		kma_strbuf_printf(out, "%s\"%s\"", i ? "," : ",\n\"owners\":[", owner);
	}
	kma_strbuf_puts(out, "]");
}
