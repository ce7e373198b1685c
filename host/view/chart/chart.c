// SPDX-License-Identifier: GPL-2.0
/*
 * chart.c - the kinds of charts, and what they have in common: colours of owners, tips,
 * texts that are not wider than their room.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "lib/cleanup.h"
#include "textwidth.h"
#include "view/text/view.h"

const char *const kma_chart_names[] = {
	[KMA_CHART_RINGS] = "rings",
	[KMA_CHART_TREEMAP] = "treemap",
	[KMA_CHART_ICICLE] = "icicle",
};

static struct kma_err *(*const kma_chart_kinds[])(struct kma_canvas *canvas) = {
	[KMA_CHART_RINGS] = kma_rings_draw,
	[KMA_CHART_TREEMAP] = kma_treemap_draw,
	[KMA_CHART_ICICLE] = kma_icicle_draw,
};

struct kma_err *kma_chart_find(const char *name, enum kma_chart_kind *ret)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };

	for (*ret = 0; *ret < KMA_NR_CHARTS; (*ret)++) {
		if (!strcmp(kma_chart_names[*ret], name))
			return NULL;
		kma_strbuf_printf(&names, "%s%s", *ret ? ", " : "", kma_chart_names[*ret]);
	}
	return kma_err_create(NULL, 0, "unknown chart '%s'; there is %s", name, names.str ?: "");
}

const char *kma_chart_title(const struct kma_chart *chart)
{
	if (chart->title)
		return chart->title;
	if (chart->metric == KMA_LATENCY || chart->metric == KMA_WAITS)
		return chart->sides ? "What changed in waiting for memory" : "Who waits for memory";
	return chart->sides ? "What changed in kernel memory" : "Who holds kernel memory";
}

const char *kma_chart_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *kma_chart_side(const struct kma_chart_sides *sides, unsigned int side)
{
	const char *name = kma_account_name(sides->accounts[side]);
	const char *other = kma_account_name(sides->accounts[!side]);

	return strcmp(kma_chart_base(name), kma_chart_base(other)) ? kma_chart_base(name) : name;
}

uint64_t kma_canvas_value(const struct kma_canvas *canvas, const struct kma_values *values)
{
	return kma_metrics[canvas->chart->metric].get(values);
}

void kma_canvas_number(const struct kma_canvas *canvas, uint64_t value, char *buf, size_t len)
{
	kma_units_format(buf, len, value, kma_metrics[canvas->chart->metric].unit);
}

void kma_canvas_text(struct kma_canvas *canvas, const struct kma_shape *like, double room,
		     const char *text)
{
	_cleanup_free_ char *shown = kma_text_elide(text, like->size, like->bold, room);
	struct kma_shape shape = *like;

	if (!shown)
		return;
	shape.kind = KMA_SHAPE_TEXT;
	shape.text = shown;
	kma_scene_add(canvas->scene, &shape);
}

kma_rgb kma_canvas_colour(const struct kma_canvas *canvas, const struct kma_part *part)
{
	const struct kma_theme *theme = canvas->theme;

	if (part->two)
		return kma_colour_for_change(theme, part->sides[KMA_BEFORE],
					     part->sides[KMA_AFTER]);
	if (!part->level)
		return kma_colour_for_level(theme, theme->grey, 3);
	if (part->others)
		return kma_colour_for_level(theme, theme->grey, part->level + 1);
	return kma_colour_for_level(theme, canvas->tops[part->top], canvas->flat ?: part->level);
}

/* "1.2 MiB, 14.3% of all"; "1.0 MiB before, 1.2 MiB after: +0.2 MiB" */
static void kma_tip_sizes(const struct kma_canvas *canvas, const struct kma_part *part,
			  struct kma_strbuf *tip)
{
	char number[24], share[16];

	for (unsigned int i = 0; i < KMA_NR_SIDES && part->two; i++) {
		kma_canvas_number(canvas, part->sides[i], number, sizeof(number));
		kma_strbuf_printf(tip, "%s %s", number, i == KMA_BEFORE ? "before, " : "after: ");
	}
	kma_part_size(part, canvas->chart->metric, number, sizeof(number));
	kma_strbuf_puts(tip, number);
	if (part->two)
		return;
	kma_percent_format(share, sizeof(share), part->value, canvas->total);
	kma_strbuf_printf(tip, ", %s of all", share);
}

char *kma_canvas_tip(const struct kma_canvas *canvas, const struct kma_part *part)
{
	const struct kma_node *parent = part->others ? part->node : part->node->parent;
	_cleanup_free_ char *path = kma_node_path(part->node);
	struct kma_strbuf tip = { 0 };
	char share[16];

	if (!path)
		return NULL;
	kma_strbuf_puts(&tip, *path || part->others ? path : "kernel");
	if (part->others)
		kma_strbuf_printf(&tip, "%s%zu smaller ones", *path ? ": " : "", part->others);
	kma_strbuf_puts(&tip, ": ");
	kma_tip_sizes(canvas, part, &tip);
	if (!part->two && part->level > 1 && !part->others) {
		kma_percent_format(share, sizeof(share), part->value,
				   kma_canvas_value(canvas, &parent->values));
		kma_strbuf_printf(&tip, ", %s of %s", share, parent->name);
	}
	if (kma_strbuf_ok(&tip))
		return tip.str;
	kma_strbuf_deinit(&tip);
	return NULL;
}

struct kma_err *kma_chart_colours(const struct kma_chart *chart, const struct kma_theme *theme,
				  kma_rgb *ret)
{
	_cleanup_free_ const char **names = NULL;
	const struct kma_node *branch = chart->branch;
	const struct kma_metric *metric = &kma_metrics[chart->metric];
	size_t nr = 0;

	names = calloc(branch->nr_children + 1, sizeof(*names));
	if (!names)
		return &kma_enomem;
	/* What has nothing, and what is in brackets, is last, and grey. */
	for (; nr < branch->nr_children && metric->get(&branch->children[nr]->values); nr++)
		names[nr] = branch->children[nr]->name;
	kma_colour_assign(theme, names, nr, ret);
	for (; nr <= branch->nr_children; nr++)
		ret[nr] = theme->grey;
	return NULL;
}

struct kma_err *kma_chart_draw(const struct kma_chart *chart, struct kma_scene *scene)
{
	struct kma_canvas canvas = {
		.chart = chart,
		.theme = &kma_themes[chart->theme],
		.scene = scene,
		.frame = kma_frame_choose(chart->width),
		/* Only the innermost boxes are seen: paler ones would not be the legend's. */
		.flat = chart->kind == KMA_CHART_TREEMAP ? 2 : 0,
	};
	struct kma_err *err;

	kma_scene_init(scene, canvas.frame.width, canvas.frame.height);
	scene->theme = canvas.theme;
	kma_node_sort(chart->branch, chart->metric);
	canvas.total = kma_canvas_value(&canvas, &chart->branch->values);
	canvas.tops = malloc((chart->branch->nr_children + 1) * sizeof(*canvas.tops));
	err = canvas.tops ? kma_chart_colours(chart, canvas.theme, canvas.tops) : &kma_enomem;
	if (!err) {
		kma_frame_title(&canvas);
		if (!canvas.frame.narrow)
			kma_frame_footer(&canvas);
		err = kma_chart_kinds[chart->kind](&canvas);
	}
	if (!err)
		err = kma_legend_draw(&canvas);
	if (!err && canvas.frame.narrow) {
		kma_frame_footer(&canvas);
		scene->height = canvas.frame.height;
	}
	free(canvas.tops);
	if (!err && scene->failed)
		err = &kma_enomem;
	return err;
}
