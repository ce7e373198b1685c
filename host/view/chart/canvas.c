// SPDX-License-Identifier: GPL-2.0-only
/*
 * canvas.c - common parts of all charts: colours of owners, tooltips.
 */
#include <stdlib.h>

#include "canvas.h"
#include "lib/cleanup.h"
#include "view/text/view.h"

uint64_t kma_canvas_value(const struct kma_canvas *canvas, const struct kma_values *values)
{
	return kma_metrics[canvas->chart->metric].get(values);
}

void kma_canvas_number(const struct kma_canvas *canvas, uint64_t value, char *buf, size_t len)
{
	kma_units_format(buf, len, value, kma_metrics[canvas->chart->metric].unit);
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
	char number[24], share[16], moves[64];

	for (unsigned int i = 0; i < KMA_NR_SIDES && part->two; i++) {
		kma_canvas_number(canvas, part->sides[i], number, sizeof(number));
		kma_strbuf_printf(tip, "%s %s", number, i == KMA_BEFORE ? "before, " : "after: ");
	}
	kma_part_size(part, canvas->chart->metric, number, sizeof(number));
	kma_strbuf_puts(tip, number);
	if (part->two) {
		if (canvas->chart->same)
			return;
		kma_change_moves(moves, sizeof(moves), part->value, part->sides[KMA_BEFORE],
				 part->sides[KMA_AFTER], kma_metrics[canvas->chart->metric].unit);
		kma_strbuf_puts(tip, moves);
		return;
	}
	kma_percent_format(share, sizeof(share), part->value, canvas->total);
	kma_strbuf_printf(tip, ", %s of all", share);
}

char *kma_canvas_tip(const struct kma_canvas *canvas, const struct kma_part *part)
{
	_cleanup_free_ char *path = kma_node_path(part->node);
	const struct kma_node *parent = part->others ? part->node : part->node->parent;
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
