/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * colour.h - colours of a chart: a fixed palette that people with any kind of
 * colour vision can tell apart, the same colour for the same name in every chart.
 */
#ifndef KMA_VIEW_CHART_COLOUR_H
#define KMA_VIEW_CHART_COLOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

typedef uint32_t kma_rgb; /* 0xRRGGBB */

#define KMA_INK	  0x1b1f24
#define KMA_WHITE 0xffffff

/* Colours of a whole picture. */
enum kma_theme_id { KMA_THEME_LIGHT, KMA_THEME_DARK, KMA_THEME_PRINT, KMA_NR_THEMES };

struct kma_theme {
	const char *name;
	kma_rgb paper;	 /* behind all */
	kma_rgb ink;	 /* text on paper */
	kma_rgb faint;	 /* text on paper that matters less */
	kma_rgb rule;	 /* lines on paper */
	kma_rgb grey;	 /* what is gathered, or has no place */
	kma_rgb edge;	 /* between two slices */
	kma_rgb more;	 /* edge of what has more inside */
	kma_rgb same;	 /* neither larger nor smaller than before */
	kma_rgb less;	 /* gone */
	kma_rgb greater; /* new */
	double frame;	 /* width of the edge around the outermost boxes of a treemap */
	bool bright;	 /* owners have brighter colours */
	double fade[6];	 /* share of paper in an owner's colour, by level */
};

extern const struct kma_theme kma_themes[KMA_NR_THEMES];

/**
 * kma_colour_assign() - colours for the owners of one chart
 * @theme: of the picture
 * @names: names of the owners, the most important first
 * @nr: how many
 * @ret: @nr colours
 *
 * The top directories of a kernel have fixed colours. Any other name has the one that its
 * hash says; of the first names those that would share one take the next free, in the
 * order of the alphabet, so that sizes do not matter. With more names than colours the
 * first ones get a colour each and the others share. Names in brackets are grey, because nobody
 * is known to own their bytes; modules, interrupts, kernel threads and removed cgroups are owners.
 */
void kma_colour_assign(const struct kma_theme *theme, const char *const *names, size_t nr,
		       kma_rgb *ret);

/**
 * kma_colour_for_level() - a colour, nearer to the paper with each level
 * @theme: of the picture
 * @base: colour of the first level
 * @level: 1 and up
 *
 * Return: the colour.
 */
kma_rgb kma_colour_for_level(const struct kma_theme *theme, kma_rgb base, unsigned int level);

/**
 * kma_colour_for_change() - colour of what grew or shrank
 * @theme: of the picture
 * @before: what it was
 * @after: what it is
 *
 * Return: from blue (gone) over grey (the same) to orange (new), by the share of the larger
 * that has changed.
 */
kma_rgb kma_colour_for_change(const struct kma_theme *theme, uint64_t before, uint64_t after);

/**
 * kma_colour_text() - colour of text on a background
 * @background: the background
 *
 * Return: white where it has enough contrast, else near-black or black; always at least 4.5:1.
 */
kma_rgb kma_colour_text(kma_rgb background);

/**
 * kma_colour_contrast() - contrast of two colours
 * @a: one
 * @b: the other
 *
 * Return: 1 to 21, as WCAG 2 defines it.
 */
double kma_colour_contrast(kma_rgb a, kma_rgb b);

#endif /* KMA_VIEW_CHART_COLOUR_H */
