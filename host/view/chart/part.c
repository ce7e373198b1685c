// SPDX-License-Identifier: GPL-2.0-only
/*
 * part.c - parts of a chart: names, sizes, colours, tooltips, labels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/cleanup.h"
#include "part.h"
#include "scene.h"
#include "view/text/view.h"

#define KMA_MINUS "\xe2\x88\x92"

void kma_labels_add(struct kma_labels *labels, const struct kma_label *label, char *text)
{
	struct kma_label *to;

	kma_array_room(labels->labels, labels->nr, labels->alloc);
	to = &labels->labels[labels->nr++];
	*to = *label;
	to->text = text;
	to->width = kma_text_width(text, to->size, to->bold);
	to->height = to->size * KMA_LINE_HEIGHT;
}

void kma_labels_deinit(struct kma_labels *labels)
{
	for (size_t i = 0; i < labels->nr; i++)
		free(labels->labels[i].text);
	free(labels->labels);
	memset(labels, 0, sizeof(*labels));
}

/* Shortens "mm/slub.c:2463 alloc_slab_page" to the function: the file is the node above it. */
static const char *caller_short(const char *caller)
{
	const char *colon = strchr(caller, ':');
	size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;

	return digits && colon[1 + digits] == ' ' && colon[2 + digits] ? colon + 2 + digits :
									 caller;
}

char *kma_part_name(const struct kma_part *part, enum kma_metric_id metric)
{
	const char *name = part->node->name;
	char number[24];

	if (part->others) {
		kma_part_size(part, metric, number, sizeof(number));
		return kma_xasprintf("other (%zu, %s)", part->others, number);
	}
	if (part->node->kind == KMA_NODE_CALLER && *name != '[') {
		name = caller_short(name);
		return kma_xstrndup(name, strcspn(name, "+"));
	}
	return kma_xstrdup(part->node->parent || *name ? name : "kernel");
}

const char *kma_change_format(char *buf, size_t len, uint64_t before, uint64_t after,
			      enum kma_unit unit)
{
	char number[24];

	kma_units_format(number, sizeof(number), before < after ? after - before : before - after,
			 unit);
	snprintf(buf, len, "%s%s", before < after ? "+" : before > after ? KMA_MINUS : "", number);
	return buf;
}

const char *kma_change_moves(char *buf, size_t len, uint64_t moved, uint64_t before, uint64_t after,
			     enum kma_unit unit)
{
	uint64_t net = before < after ? after - before : before - after;
	uint64_t less = moved < net ? 0 : (moved - net) / 2, more = moved - less;
	char plus[24], minus[24];

	*buf = '\0';
	if (!less)
		return buf;
	kma_units_format(plus, sizeof(plus), before < after ? more : less, unit);
	kma_units_format(minus, sizeof(minus), before < after ? less : more, unit);
	snprintf(buf, len, " (+%s and %s%s)", plus, KMA_MINUS, minus);
	return buf;
}

const char *kma_change_percent(char *buf, size_t len, uint64_t before, uint64_t after)
{
	double percent = 100.0 * ((double)after - (double)before) / before;
	const char *sign = percent < 0 ? KMA_MINUS : "+";

	percent = percent < 0 ? -percent : percent;
	if (percent >= 9999.5)
		snprintf(buf, len, "%s", ">9999%");
	else
		snprintf(buf, len, percent < 999.95 ? "%s%.1f%%" : "%s%.0f%%", sign, percent);
	return buf;
}

void kma_part_size(const struct kma_part *part, enum kma_metric_id metric, char *buf, size_t len)
{
	enum kma_unit unit = kma_metrics[metric].unit;

	if (part->two)
		kma_change_format(buf, len, part->sides[KMA_BEFORE], part->sides[KMA_AFTER], unit);
	else
		kma_units_format(buf, len, part->value, unit);
}

static void part_add(struct kma_part *part, const struct kma_node *node,
		     const struct kma_metric *metric)
{
	part->value += metric->get(node->values);
	part->two = node->sides;
	for (unsigned int i = 0; i < KMA_NR_SIDES && node->sides; i++)
		part->sides[i] += metric->get(&node->sides[i]);
}

struct kma_part kma_part_whole(const struct kma_node *node, enum kma_metric_id metric)
{
	struct kma_part part = { .node = node };

	part_add(&part, node, &kma_metrics[metric]);
	return part;
}

size_t kma_part_split(const struct kma_part *around, enum kma_metric_id id, double smallest,
		      struct kma_part *ret)
{
	const struct kma_node *node = around->node;
	const struct kma_metric *metric = &kma_metrics[id];
	struct kma_part rest = { .level = around->level + 1 };
	size_t nr = 0, last = 0;

	for (size_t i = 0; i < node->nr_children; i++) {
		uint64_t value = metric->get(node->children[i]->values);

		if (!value)
			continue;
		if (value < smallest) {
			part_add(&rest, node->children[i], metric);
			rest.others++;
			last = i;
			continue;
		}
		ret[nr] = (struct kma_part){ .node = node->children[i], .level = rest.level };
		ret[nr].top = around->level ? around->top : i;
		part_add(&ret[nr++], node->children[i], metric);
	}
	if (!rest.others)
		return nr;
	rest.top = around->level ? around->top : rest.others == 1 ? last : node->nr_children;
	rest.node = rest.others == 1 ? node->children[last] : node;
	rest.others = rest.others == 1 ? 0 : rest.others;
	ret[nr++] = rest;
	return nr;
}

bool kma_part_more(const struct kma_node *node, enum kma_metric_id metric)
{
	for (size_t i = 0; i < node->nr_children; i++)
		if (kma_metrics[metric].get(node->children[i]->values))
			return true;
	return false;
}

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
static void tip_sizes(const struct kma_canvas *canvas, const struct kma_part *part,
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

	kma_strbuf_puts(&tip, *path || part->others ? path : "kernel");
	if (part->others)
		kma_strbuf_printf(&tip, "%s%zu smaller ones", *path ? ": " : "", part->others);
	kma_strbuf_puts(&tip, ": ");
	tip_sizes(canvas, part, &tip);
	if (!part->two && part->level > 1 && !part->others) {
		kma_percent_format(share, sizeof(share), part->value,
				   kma_canvas_value(canvas, parent->values));
		kma_strbuf_printf(&tip, ", %s of %s", share, parent->name);
	}
	return tip.str;
}
