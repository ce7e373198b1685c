/* SPDX-License-Identifier: GPL-2.0 */
/*
 * colour.h - colours of a chart: a fixed palette that people with any kind of
 * colour vision can tell apart, the same colour for the same name in every chart.
 */
#ifndef KMA_VIEW_COLOUR_H
#define KMA_VIEW_COLOUR_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t kma_rgb; /* 0xRRGGBB */

#define KMA_GREY  0x9aa0a6
#define KMA_INK	  0x1b1f24
#define KMA_FAINT 0x57606a
#define KMA_WHITE 0xffffff

/**
 * kma_colour_assign() - colours for the owners of one chart
 * @names: names of the owners, the most important first
 * @nr: how many
 * @ret: @nr colours
 *
 * The top directories of a kernel have fixed colours. Any other name begins at the
 * colour that its hash says, and takes the next free one when an earlier name, by
 * alphabet, has that; so it does not depend on sizes. With more names than colours
 * the first ones are told apart and the others share. Names in brackets are grey.
 */
void kma_colour_assign(const char *const *names, size_t nr, kma_rgb *ret);

/**
 * kma_colour_for_ring() - a colour, lighter with each ring
 * @base: colour of the first ring
 * @ring: 1 and up
 *
 * Return: the colour.
 */
kma_rgb kma_colour_for_ring(kma_rgb base, unsigned int ring);

/**
 * kma_colour_text() - colour of text on a background
 * @background: the background
 *
 * Return: near-black or white, whichever has more contrast; always at least 4.5:1.
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

#endif /* KMA_VIEW_COLOUR_H */
