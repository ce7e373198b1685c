// SPDX-License-Identifier: GPL-2.0-only
/*
 * colour.c - colours of a chart.
 *
 * The palette began with the colours of Okabe and Ito and Paul Tol's "muted". A search moved them
 * until any two differ by at least 11 in CIEDE2000, with normal vision and with any one kind of
 * cones missing (by the matrices of Machado and others, 2009), and each by at least 10 from the
 * grey of what has no owner; tests/unit/test-host-colour.c computes the distances again. The same
 * hues are brighter on dark paper.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "tree/node.h"
#include "lib/cleanup.h"

const struct kma_theme kma_themes[] = {
	[KMA_THEME_LIGHT] = {
		.name = "light",
		.paper = KMA_WHITE,
		.ink = KMA_INK,
		.faint = 0x57606a,
		.rule = 0xd0d7de,
		.grey = 0x9aa0a6,
		.edge = KMA_WHITE,
		.more = KMA_INK,
		.frame = 4,
		.same = 0xe4e6e8,
		.less = 0x1f6fb4,
		.greater = 0xe0750a,
		.fade = { 0, 0.22, 0.40, 0.54, 0.64, 0.70 },
	},
	[KMA_THEME_DARK] = {
		.name = "dark",
		.paper = 0x14181d,
		.ink = 0xe8ebee,
		.faint = 0xa3acb5,
		.rule = 0x3a424b,
		.grey = 0x7d858d,
		.edge = 0x14181d,
		.more = 0xf0f3f6,
		.frame = 4,
		.same = 0x3a4047,
		.less = 0x4da3f0,
		.greater = 0xf28c28,
		.bright = true,
		.fade = { 0, 0.20, 0.36, 0.48, 0.57, 0.63 },
	},
	/*
	 * Little ink, black text and dark edges, so that a print in shades of grey can be read as
	 * well.
	 */
	[KMA_THEME_PRINT] = {
		.name = "print",
		.paper = KMA_WHITE,
		.ink = 0x000000,
		.faint = 0x333333,
		.rule = 0x999999,
		.grey = 0xa0a0a0,
		.edge = 0x444444,
		.more = 0x000000,
		.frame = 2.5,
		.same = 0xffffff,
		.less = 0x6aaade,
		.greater = 0xf5a65b,
		.fade = { 0.50, 0.62, 0.71, 0.78, 0.83, 0.86 },
	},
};

static const struct {
	kma_rgb rgb, bright;
	const char *owner; /* the top directory that always has this colour */
} kma_palette[KMA_COLOURS] = {
	{ 0x0b77c0, 0x41a9ff, "fs" },	  { 0xe85a01, 0xdf4f0d, "mm" },
	{ 0x256c40, 0x419357, "kernel" }, { 0xb62587, 0xb47bbb, "drivers" },
	{ 0xfbad0c, 0xffce38, "net" },	  { 0x8bc9a7, 0x6be2ca, "block" },
	{ 0xa99b6a, 0xa8b461, "lib" },	  { 0x69153b, 0xa84067, "security" },
	{ 0xf9ee9c, 0xfef1bb, "init" },	  { 0x150c74, 0x485bd3, "arch" },
	{ 0x7debff, 0xc2e2ff, "crypto" }, { 0xb86b7a, 0xe0979b, "io_uring" },
};

static unsigned int hash_of(const char *name)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

static int cmp_owner(const void *a, const void *b)
{
	return strcmp(**(const char *const *const *)a, **(const char *const *const *)b);
}

static bool colour_fixed(const char *name, size_t *slot)
{
	for (*slot = 0; *slot < ARRAY_SIZE(kma_palette); (*slot)++)
		if (!strcmp(kma_palette[*slot].owner, name))
			return true;
	return false;
}

/* Grey means that no owner is known. A name in brackets has no owner, except for these. */
static bool colour_is_grey(const char *name)
{
	static const char *const owners[] = { KMA_NODE_MODULE, "[irq]", "[kthread]", "[gone]" };

	if (*name != '[')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(owners); i++)
		if (!strncmp(name, owners[i], strlen(owners[i])))
			return false;
	return true;
}

static kma_rgb colour_of(const struct kma_theme *theme, size_t slot)
{
	return theme->bright ? kma_palette[slot].bright : kma_palette[slot].rgb;
}

kma_rgb kma_colour_slot(const struct kma_theme *theme, size_t slot, const char **owner)
{
	*owner = kma_palette[slot].owner;
	return colour_of(theme, slot);
}

/* The slots of the palette while colours are assigned. */
struct kma_slots {
	const struct kma_theme *theme;
	bool taken[ARRAY_SIZE(kma_palette)];
	size_t free;
};

static kma_rgb slot_take(struct kma_slots *slots, size_t slot)
{
	slots->free -= !slots->taken[slot];
	slots->taken[slot] = true;
	return colour_of(slots->theme, slot);
}

/* A name without a fixed colour gets the colour of its hash, or else the next free one. */
static void colour_others(struct kma_slots *slots, const char *const *names,
			  const char *const **order, size_t nr, kma_rgb *ret)
{
	bool done[ARRAY_SIZE(kma_palette)] = { false };
	size_t slot;

	/*
	 * First pass: each name takes the colour it hashes to if that is free; the second pass
	 * resolves collisions.
	 */
	for (size_t i = 0; i < nr; i++) {
		slot = hash_of(*order[i]) % ARRAY_SIZE(kma_palette);
		done[i] = !slots->taken[slot];
		if (done[i])
			ret[order[i] - names] = slot_take(slots, slot);
	}
	for (size_t i = 0; i < nr; i++) {
		slot = hash_of(*order[i]) % ARRAY_SIZE(kma_palette);
		while (slots->free && slots->taken[slot])
			slot = (slot + 1) % ARRAY_SIZE(kma_palette);
		if (!done[i])
			ret[order[i] - names] = slot_take(slots, slot);
	}
}

void kma_colour_assign(const struct kma_theme *theme, const char *const *names, size_t nr,
		       kma_rgb *ret)
{
	struct kma_slots slots = { .theme = theme, .free = ARRAY_SIZE(kma_palette) };
	const char *const *order[ARRAY_SIZE(kma_palette)];
	size_t first = 0, slot;

	for (size_t i = 0; i < nr; i++) {
		ret[i] = theme->grey;
		if (colour_fixed(names[i], &slot))
			ret[i] = slot_take(&slots, slot);
		else if (colour_is_grey(names[i]))
			continue;
		else if (i < ARRAY_SIZE(order))
			order[first++] = &names[i];
		else
			ret[i] = colour_of(theme, hash_of(names[i]) % ARRAY_SIZE(kma_palette));
	}
	/* Names that fit into the legend get different colours; the others share colours. */
	qsort(order, first, sizeof(*order), cmp_owner);
	colour_others(&slots, names, order, first, ret);
}

static kma_rgb colour_mix(kma_rgb a, kma_rgb b, double share_of_b)
{
	kma_rgb mixed = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int from = a >> shift & 0xff, to = b >> shift & 0xff;

		mixed |= (kma_rgb)lround(from + (to - from) * share_of_b) << shift;
	}
	return mixed;
}

kma_rgb kma_colour_for_level(const struct kma_theme *theme, kma_rgb base, unsigned int level)
{
	size_t i = level ? level - 1 : 0;

	i = i < ARRAY_SIZE(theme->fade) ? i : ARRAY_SIZE(theme->fade) - 1;
	return colour_mix(base, theme->paper, theme->fade[i]);
}

kma_rgb kma_colour_for_change(const struct kma_theme *theme, uint64_t before, uint64_t after)
{
	double more = fmax(before, after), less = fmin(before, after);
	double share;

	if (before == after)
		return theme->same;
	/* The smallest change still differs from grey. */
	share = 0.2 + 0.8 * (more - less) / more;
	return colour_mix(theme->same, before < after ? theme->greater : theme->less, share);
}

static double luminance(kma_rgb rgb)
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
	double x = luminance(a), y = luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

kma_rgb kma_colour_text(kma_rgb background)
{
	if (kma_colour_contrast(background, KMA_WHITE) >= 4.5)
		return KMA_WHITE;
	/* If white has too little contrast, black has enough. */
	return kma_colour_contrast(background, KMA_INK) >= 4.5 ? KMA_INK : 0x000000;
}
