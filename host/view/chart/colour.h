/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * colour.h - colours of a chart: a fixed palette that people with any kind of colour vision can
 * distinguish. A name has the same colour in every chart.
 */
#ifndef KMA_VIEW_CHART_COLOUR_H
#define KMA_VIEW_CHART_COLOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

typedef uint32_t kma_rgb; /* 0xRRGGBB */

/* Near-black, for text; and white. */
#define KMA_INK	  0x1b1f24
#define KMA_WHITE 0xffffff

/* Colours of a whole picture. */
enum kma_theme_id { KMA_THEME_LIGHT, KMA_THEME_DARK, KMA_THEME_PRINT, KMA_NR_THEMES };

struct kma_theme {
	const char *name;
	kma_rgb paper;	 /* the background */
	kma_rgb ink;	 /* text on paper */
	kma_rgb faint;	 /* less important text on paper */
	kma_rgb rule;	 /* lines on paper */
	kma_rgb grey;	 /* combined parts, and parts without a place in the source */
	kma_rgb edge;	 /* between two slices */
	kma_rgb more;	 /* edge of a part with hidden children */
	kma_rgb same;	 /* neither larger nor smaller than before */
	kma_rgb less;	 /* gone */
	kma_rgb greater; /* new */
	double frame;	 /* width of the edge around the outermost boxes of a treemap */
	bool bright;	 /* owners have brighter colours */
	double fade[6];	 /* share of paper in an owner's colour, by level */
};

extern const struct kma_theme kma_themes[KMA_NR_THEMES];

#define KMA_COLOURS 12 /* of owners */

/* A colour of owners, and the top directory that always has it. */
kma_rgb kma_colour_slot(const struct kma_theme *theme, size_t slot, const char **owner);

/*
 * Sets the colours of @nr owners, the most important first. The top directories of a kernel have
 * fixed colours. Every other name has the colour of its hash. If several of the first names have
 * the same hash, the later ones in alphabetical order take the next free colour, so that colours do
 * not depend on sizes. If there are more names than colours, the first names have a colour each and
 * the others share colours. Names in brackets are grey, because the owner of their bytes is
 * unknown; modules, interrupts, kernel threads and removed cgroups are owners.
 */
void kma_colour_assign(const struct kma_theme *theme, const char *const *names, size_t nr,
		       kma_rgb *ret);

/* Mixes the colour of level 1 with more paper for each further level. */
kma_rgb kma_colour_for_level(const struct kma_theme *theme, kma_rgb base, unsigned int level);

/*
 * From blue (gone) over grey (the same) to orange (new). The distance from grey is the change as a
 * share of the larger size.
 */
kma_rgb kma_colour_for_change(const struct kma_theme *theme, uint64_t before, uint64_t after);

/*
 * For text on a background: white if its contrast is at least 4.5:1, otherwise near-black or black,
 * which have it.
 */
kma_rgb kma_colour_text(kma_rgb background);

/* 1 to 21, as WCAG 2 defines it. */
double kma_colour_contrast(kma_rgb a, kma_rgb b);

#endif /* KMA_VIEW_CHART_COLOUR_H */
