// SPDX-License-Identifier: GPL-2.0
/*
 * colour.c - colours of a chart.
 *
 * The palette is Okabe and Ito's and Paul Tol's "muted", without the pairs that
 * are alike: safe for all kinds of colour vision, calm enough to be looked at.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/cleanup.h"
#include "colour.h"

static const struct {
	kma_rgb rgb;
	const char *owner; /* top directory that always has it */
} kma_palette[] = {
	{ 0x2a6fb0, "fs" },	 { 0xd55e00, "mm" },	   { 0x117733, "kernel" },
	{ 0x8e4a9e, "drivers" }, { 0xe69f00, "net" },	   { 0x44aa99, "block" },
	{ 0x999933, "lib" },	 { 0x882255, "security" }, { 0xddcc77, "init" },
	{ 0x332288, "arch" },	 { 0x88ccee, "crypto" },   { 0xcc6677, "io_uring" },
};

static unsigned int kma_hash(const char *name)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

static int kma_cmp_owner(const void *a, const void *b)
{
	return strcmp(**(const char *const *const *)a, **(const char *const *const *)b);
}

static bool kma_colour_fixed(const char *name, size_t *slot)
{
	for (*slot = 0; *slot < ARRAY_SIZE(kma_palette); (*slot)++)
		if (!strcmp(kma_palette[*slot].owner, name))
			return true;
	return false;
}

void kma_colour_assign(const char *const *names, size_t nr, kma_rgb *ret)
{
	_cleanup_free_ const char *const **order = malloc((nr + 1) * sizeof(*order));
	bool taken[ARRAY_SIZE(kma_palette)] = { false };
	size_t free_slots = ARRAY_SIZE(kma_palette);
	size_t slot;

	for (size_t i = 0; i < nr; i++) {
		ret[i] = KMA_GREY;
		if (order)
			order[i] = &names[i];
		if (!kma_colour_fixed(names[i], &slot))
			continue;
		ret[i] = kma_palette[slot].rgb;
		free_slots -= !taken[slot];
		taken[slot] = true;
	}
	if (!order)
		return; /* grey, but drawn */
	/* Those that a legend has room for are told apart; the others share. */
	qsort(order, nr < ARRAY_SIZE(taken) ? nr : ARRAY_SIZE(taken), sizeof(*order),
	      kma_cmp_owner);
	for (size_t i = 0; i < nr; i++) {
		const char *name = *order[i];

		if (*name == '[' || kma_colour_fixed(name, &slot))
			continue;
		slot = kma_hash(name) % ARRAY_SIZE(kma_palette);
		while (i < ARRAY_SIZE(taken) && free_slots && taken[slot])
			slot = (slot + 1) % ARRAY_SIZE(kma_palette);
		free_slots -= free_slots && !taken[slot];
		taken[slot] = true;
		ret[order[i] - names] = kma_palette[slot].rgb;
	}
}

kma_rgb kma_colour_for_ring(kma_rgb base, unsigned int ring)
{
	static const double white[] = { 0, 0.22, 0.40, 0.54, 0.64, 0.70 };
	size_t i = ring ? ring - 1 : 0;
	kma_rgb mixed = 0;
	double share;

	share = white[i < ARRAY_SIZE(white) ? i : ARRAY_SIZE(white) - 1];
	for (int shift = 0; shift <= 16; shift += 8) {
		unsigned int channel = base >> shift & 0xff;

		mixed |= (kma_rgb)lround(channel + (255 - channel) * share) << shift;
	}
	return mixed;
}

static double kma_luminance(kma_rgb rgb)
{
	static const double weight[] = { 0.0722, 0.7152, 0.2126 };
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double c = (rgb >> 8 * i & 0xff) / 255.0;

		sum += weight[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double kma_colour_contrast(kma_rgb a, kma_rgb b)
{
	double x = kma_luminance(a), y = kma_luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

kma_rgb kma_colour_text(kma_rgb background)
{
	if (kma_colour_contrast(background, KMA_WHITE) >= 4.5)
		return KMA_WHITE;
	/* Where white does not do, black always does. */
	return kma_colour_contrast(background, KMA_INK) >= 4.5 ? KMA_INK : 0x000000;
}
