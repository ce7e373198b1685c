// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-colours.c - write the colours of a page, which are those of a picture of the same branch.
 *
 * The trees of a page share one palette, because many of their children have the same colours. The
 * hues of a tree are indexes of the palette, one for each child of its root.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "page-colours.h"
#include "view/chart/colour.h"

/* Levels that have shades of their own; deeper levels have that of the last one. */
enum { KMA_PAGE_LEVELS = 6 };

/* A child of the root and its colour at the first level. */
struct kma_page_hue {
	const struct kma_node *node;
	kma_rgb rgb;
};

static int cmp_hue(const void *a, const void *b)
{
	const struct kma_page_hue *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

/*
 * Chooses the colours of the children, those of a picture of the same branch. A child without a
 * size in this metric may have one in another metric of the page, so it gets a colour as well.
 */
static void page_hues(const struct kma_chart *chart, const struct kma_theme *theme,
		      struct kma_page_hue *hues)
{
	_cleanup_free_ const char **names =
		kma_xcalloc(chart->branch->nr_children + 1, sizeof(*names));
	_cleanup_free_ kma_rgb *shown = kma_xcalloc(chart->branch->nr_children + 1, sizeof(*shown));
	_cleanup_free_ kma_rgb *all = kma_xcalloc(chart->branch->nr_children + 1, sizeof(*all));
	const struct kma_node *branch = chart->branch;
	const struct kma_metric *metric = &kma_metrics[chart->metric];
	size_t nr = branch->nr_children;

	kma_node_sort(chart->branch, chart->metric);
	kma_chart_colours(chart, theme, shown);
	for (size_t i = 0; i < nr; i++)
		names[i] = branch->children[i]->name;
	kma_colour_assign(theme, names, nr, all);
	for (size_t i = 0; i < nr; i++) {
		bool here = metric->get(branch->children[i]->values);

		hues[i].node = branch->children[i];
		hues[i].rgb = here ? shown[i] : all[i];
	}
	qsort(hues, nr, sizeof(*hues), cmp_hue);
}

static void page_levels(const struct kma_theme *theme, kma_rgb rgb, struct kma_strbuf *out)
{
	for (unsigned int level = 1; level <= KMA_PAGE_LEVELS; level++) {
		kma_rgb fill = kma_colour_for_level(theme, rgb, level);

		kma_strbuf_printf(out, "%s\"#%06x\",\"#%06x\"", level > 1 ? "," : "[", fill,
				  kma_colour_text(fill));
	}
	kma_strbuf_puts(out, "]");
}

/* The colours that a page uses: grey, then the others in the order of their first use. */
struct kma_page_palette {
	kma_rgb used[32];
	size_t nr;
};

/* Returns the index of a colour. A full palette gives grey for a new colour. */
static size_t page_used(struct kma_page_palette *palette, kma_rgb rgb)
{
	size_t at = 0;

	while (at < palette->nr && palette->used[at] != rgb)
		at++;
	if (at < palette->nr)
		return at;
	if (palette->nr == ARRAY_SIZE(palette->used))
		return 0; /* grey */
	palette->used[palette->nr] = rgb;
	return palette->nr++;
}

/* Writes the index of the colour of each child of a tree's root. */
static void page_tree_hues(const struct kma_page_tree *tree, const struct kma_chart *chart,
			   const struct kma_theme *theme, struct kma_page_palette *palette,
			   struct kma_strbuf *out)
{
	size_t nr = tree->branch->nr_children;
	_cleanup_free_ struct kma_page_hue *hues = kma_xcalloc(nr + 1, sizeof(*hues));
	const struct kma_page_rows *rows = &tree->rows;
	struct kma_chart own = *chart;

	own.branch = tree->branch;
	page_hues(&own, theme, hues);
	for (size_t i = 1, sum = 0; i < rows->nr; i++) {
		const struct kma_page_hue *hue;

		if (rows->rows[i].depth != 1)
			continue;
		hue = bsearch(&(struct kma_page_hue){ .node = rows->rows[i].node }, hues, nr,
			      sizeof(*hues), cmp_hue);
		/* Combined rows are grey. Their node is the root, which has no colour. */
		kma_strbuf_puts(out, sum++ ? "," : "");
		kma_strbuf_u64(out, hue ? page_used(palette, hue->rgb) : 0);
	}
}

static void page_group_hues(const struct kma_page_groups *groups, const struct kma_page_rows *rows,
			    const struct kma_chart *chart, const struct kma_theme *theme,
			    struct kma_page_palette *palette, struct kma_strbuf *out)
{
	_cleanup_free_ kma_rgb *colours = kma_xcalloc(groups->nr, sizeof(*colours));

	kma_page_groups_colours(groups, rows, chart->metric, theme, colours);
	for (size_t i = 0; i < groups->nr; i++) {
		kma_strbuf_puts(out, i ? "," : "");
		kma_strbuf_u64(out, page_used(palette, colours[i]));
	}
}

/* Writes fill and text of each level for each colour. */
static void page_colours(const struct kma_page_trees *trees, const struct kma_chart *chart,
			 const struct kma_theme *theme, struct kma_strbuf *out)
{
	struct kma_page_palette palette = { .used = { theme->grey }, .nr = 1 };
	char name[KMA_KEYS_NAME];

	kma_strbuf_puts(out, "\"hues\":{");
	for (size_t i = 0; i < trees->nr; i++) {
		kma_strbuf_printf(out, "%s\"%s\":[", i ? "," : "",
				  kma_keys_name(&trees->trees[i].by, name));
		page_tree_hues(&trees->trees[i], chart, theme, &palette, out);
		kma_strbuf_puts(out, "]");
	}
	for (size_t i = 0; i < trees->trees[0].nr_groups; i++) {
		const struct kma_page_groups *groups = &trees->trees[0].groups[i];

		kma_strbuf_printf(out, ",\"%s\":[", kma_keys[groups->by].name);
		page_group_hues(groups, &trees->trees[0].rows, chart, theme, &palette, out);
		kma_strbuf_puts(out, "]");
	}
	kma_strbuf_puts(out, "},\n\"palette\":");
	for (size_t i = 0; i < palette.nr; i++) {
		kma_strbuf_puts(out, i ? "," : "[");
		page_levels(theme, palette.used[i], out);
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

void kma_page_themes(const struct kma_page_trees *trees, const struct kma_chart *chart,
		     struct kma_strbuf *out)
{
	for (unsigned int id = 0; id < KMA_NR_THEMES; id++) {
		const struct kma_theme *theme = &kma_themes[id];

		kma_strbuf_printf(out, "%s{\"name\":\"%s\",", id ? ",\n" : "[", theme->name);
		kma_strbuf_printf(out, "\"paper\":\"#%06x\",\"ink\":\"#%06x\",", theme->paper,
				  theme->ink);
		kma_strbuf_printf(out, "\"faint\":\"#%06x\",\"edge\":\"#%06x\",", theme->faint,
				  theme->edge);
		kma_strbuf_printf(out, "\"more\":\"#%06x\",", theme->more);
		if (chart->sides)
			page_changes(theme, out);
		else
			page_colours(trees, chart, theme, out);
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "]");
}
