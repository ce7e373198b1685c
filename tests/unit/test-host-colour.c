// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-colour.c - host/view/chart/colour: all text can be read on what it stands on,
 * and owners can be told apart by people with any kind of colour vision. How colours
 * look to them is computed here, by the matrices of Machado, Oliveira and Fernandes
 * (2009) for missing cones, on linear RGB; how far two are apart by CIE L*a*b*, 1976, and by
 * CIEDE2000, which is nearer to what the eye sees of strong colours.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/cleanup.h"
#include "view/chart/colour.h"

#include "ktap.h"

static const char *const owners[] = { "fs",  "mm",	 "kernel", "drivers", "net",	"block",
				      "lib", "security", "init",   "arch",    "crypto", "io_uring" };

enum { OWNERS = ARRAY_SIZE(owners) };

static const struct {
	const char *name;
	double matrix[3][3];
	double apart;  /* no two owners are nearer by CIE L*a*b* */
	double ciede2000; /* nor by this */
} visions[] = {
	{ "normal", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, 20, 16 },
	{ "no long-wave cones",
	  { { 0.152286, 1.052583, -0.204868 },
	    { 0.114503, 0.786281, 0.099216 },
	    { -0.003882, -0.048116, 1.051998 } },
	  11,
	  11 },
	{ "no middle-wave cones",
	  { { 0.367322, 0.860646, -0.227968 },
	    { 0.280085, 0.672501, 0.047413 },
	    { -0.011820, 0.042940, 0.968881 } },
	  16,
	  11 },
	{ "no short-wave cones",
	  { { 1.255528, -0.076749, -0.178779 },
	    { -0.078411, 0.930809, 0.147602 },
	    { 0.004733, 0.691367, 0.303900 } },
	  13,
	  11 },
};

static double linear(unsigned int channel)
{
	double c = channel / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double lab_curve(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

static void seen_by(const double vision[3][3], kma_rgb rgb, double lab[3])
{
	static const double xyz[3][3] = { { 0.4124564, 0.3575761, 0.1804375 },
					  { 0.2126729, 0.7151522, 0.0721750 },
					  { 0.0193339, 0.1191920, 0.9503041 } };
	static const double white[3] = { 0.95047, 1, 1.08883 };
	double is[3] = { linear(rgb >> 16 & 0xff), linear(rgb >> 8 & 0xff), linear(rgb & 0xff) };
	double seen[3], f[3];

	for (int i = 0; i < 3; i++) {
		seen[i] = vision[i][0] * is[0] + vision[i][1] * is[1] + vision[i][2] * is[2];
		seen[i] = fmin(fmax(seen[i], 0), 1);
	}
	for (int i = 0; i < 3; i++)
		f[i] = lab_curve((xyz[i][0] * seen[0] + xyz[i][1] * seen[1] + xyz[i][2] * seen[2]) /
				 white[i]);
	lab[0] = 116 * f[1] - 16;
	lab[1] = 500 * (f[0] - f[1]);
	lab[2] = 200 * (f[1] - f[2]);
}

/* As Sharma, Wu and Dalal write it down (2005): hues are angles, in degrees. */
static double hue_of(double a, double b)
{
	double hue = a || b ? atan2(b, a) * 180 / M_PI : 0;

	return hue < 0 ? hue + 360 : hue;
}

static double cos_degrees(double angle)
{
	return cos(angle * M_PI / 180);
}

static double ciede2000(const double x[3], const double y[3])
{
	double seventh = pow((hypot(x[1], x[2]) + hypot(y[1], y[2])) / 2, 7);
	double more = 1 + 0.5 * (1 - sqrt(seventh / (seventh + pow(25, 7))));
	double chroma[2] = { hypot(more * x[1], x[2]), hypot(more * y[1], y[2]) };
	double hue[2] = { hue_of(more * x[1], x[2]), hue_of(more * y[1], y[2]) };
	double light = (x[0] + y[0]) / 2, chromas = (chroma[0] + chroma[1]) / 2;
	double turn = hue[1] - hue[0], hues = (hue[0] + hue[1]) / 2;

	if (!chroma[0] || !chroma[1]) {
		turn = 0;
		hues = hue[0] + hue[1];
	} else if (fabs(turn) > 180) {
		hues += hues < 180 ? 180 : -180;
		turn += turn < 0 ? 360 : -360;
	}
	double t = 1 - 0.17 * cos_degrees(hues - 30) + 0.24 * cos_degrees(2 * hues) +
		   0.32 * cos_degrees(3 * hues + 6) - 0.20 * cos_degrees(4 * hues - 63);
	double blue = 60 * exp(-pow((hues - 275) / 25, 2)), middle = pow(light - 50, 2);
	double turned = -sin(blue * M_PI / 180) * 2 *
			sqrt(pow(chromas, 7) / (pow(chromas, 7) + pow(25, 7)));
	double dl = (y[0] - x[0]) / (1 + 0.015 * middle / sqrt(20 + middle));
	double dc = (chroma[1] - chroma[0]) / (1 + 0.045 * chromas);
	double dh = 2 * sqrt(chroma[0] * chroma[1]) * sin(turn * M_PI / 360) /
		    (1 + 0.015 * chromas * t);

	return sqrt(dl * dl + dc * dc + dh * dh + turned * dc * dh);
}

static double seen_apart(const double vision[3][3], kma_rgb a, kma_rgb b)
{
	double x[3], y[3];

	seen_by(vision, a, x);
	seen_by(vision, b, y);
	return ciede2000(x, y);
}

static double apart(const double vision[3][3], kma_rgb a, kma_rgb b)
{
	double x[3], y[3];

	seen_by(vision, a, x);
	seen_by(vision, b, y);
	return sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
}

TEST(owners_can_be_told_apart)
{
	for (unsigned int id = 0; id < KMA_NR_THEMES; id++) {
		const struct kma_theme *theme = &kma_themes[id];
		/* Pale colours of print lie nearer; its edges are dark instead. */
		double share = id == KMA_THEME_PRINT ? 0.4 : 1;
		kma_rgb colours[OWNERS];

		kma_colour_assign(theme, owners, OWNERS, colours);
		for (size_t v = 0; v < ARRAY_SIZE(visions); v++)
			for (int i = 0; i < OWNERS; i++)
				for (int j = 0; j < i; j++) {
					kma_rgb a = kma_colour_for_level(theme, colours[i], 1);
					kma_rgb b = kma_colour_for_level(theme, colours[j], 1);

					EXPECT(apart(visions[v].matrix, a, b) >=
					       visions[v].apart * share);
					EXPECT(seen_apart(visions[v].matrix, a, b) >=
					       visions[v].ciede2000 * share);
				}
	}
}

/* Grey means that no owner is known: no owner looks so. */
TEST(no_owner_is_grey)
{
	for (unsigned int id = 0; id < KMA_NR_THEMES; id++) {
		const struct kma_theme *theme = &kma_themes[id];
		double share = id == KMA_THEME_PRINT ? 0.4 : 1;
		kma_rgb grey = kma_colour_for_level(theme, theme->grey, 1), colours[OWNERS];

		kma_colour_assign(theme, owners, OWNERS, colours);
		for (size_t v = 0; v < ARRAY_SIZE(visions); v++)
			for (int i = 0; i < OWNERS; i++) {
				kma_rgb own = kma_colour_for_level(theme, colours[i], 1);

				EXPECT(apart(visions[v].matrix, own, grey) >= 10 * share);
				EXPECT(seen_apart(visions[v].matrix, own, grey) >= 10 * share);
			}
	}
}

/* L*a*b* of known colours, so that the test's own arithmetic is tested. */
TEST(distances_are_those_of_the_books)
{
	double lab[3];

	seen_by(visions[0].matrix, 0xffffff, lab);
	EXPECT(fabs(lab[0] - 100) < 0.01 && fabs(lab[1]) < 0.02 && fabs(lab[2]) < 0.02);
	seen_by(visions[0].matrix, 0xff0000, lab);
	EXPECT(fabs(lab[0] - 53.24) < 0.02 && fabs(lab[1] - 80.09) < 0.05 &&
	       fabs(lab[2] - 67.20) < 0.05);
	/* Red and green of one lightness: far apart for most, near without middle cones. */
	EXPECT(apart(visions[0].matrix, 0xb85030, 0x6f7c20) >
	       2 * apart(visions[2].matrix, 0xb85030, 0x6f7c20));
}

/* Some of the pairs that Sharma, Wu and Dalal give to test programs with. */
TEST(ciede2000_is_that_of_the_paper)
{
	static const struct {
		double x[3], y[3], apart;
	} pairs[] = {
		{ { 50, 2.6772, -79.7751 }, { 50, 0, -82.7485 }, 2.0425 },
		{ { 50, 0, 0 }, { 50, -1, 2 }, 2.3669 },
		{ { 50, 2.49, -0.001 }, { 50, -2.49, 0.0009 }, 7.1792 },
		{ { 50, 2.5, 0 }, { 73, 25, -18 }, 27.1492 },
		{ { 60.2574, -34.0099, 36.2677 }, { 60.4626, -34.1751, 39.4387 }, 1.2644 },
		{ { 2.0776, 0.0795, -1.1350 }, { 0.9033, -0.0636, -0.5514 }, 0.9082 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		EXPECT(fabs(ciede2000(pairs[i].x, pairs[i].y) - pairs[i].apart) < 0.0001);
		EXPECT(fabs(ciede2000(pairs[i].y, pairs[i].x) - pairs[i].apart) < 0.0001);
	}
}

TEST(text_can_be_read_on_its_colour)
{
	for (unsigned int id = 0; id < KMA_NR_THEMES; id++) {
		const struct kma_theme *theme = &kma_themes[id];
		kma_rgb colours[OWNERS + 1];

		kma_colour_assign(theme, owners, OWNERS, colours);
		colours[OWNERS] = theme->grey;
		for (int i = 0; i <= OWNERS; i++) {
			for (unsigned int level = 1; level < 14; level++) {
				kma_rgb c = kma_colour_for_level(theme, colours[i], level);

				EXPECT(kma_colour_contrast(c, kma_colour_text(c)) >= 4.5);
			}
			for (int j = 0; j < i; j++)
				EXPECT(colours[i] != colours[j]);
		}
		for (uint64_t before = 0; before <= 20; before++) {
			for (uint64_t after = !before; after <= 20; after++) {
				kma_rgb c = kma_colour_for_change(theme, before, after);

				EXPECT(kma_colour_contrast(c, kma_colour_text(c)) >= 4.5);
			}
		}
		EXPECT(kma_colour_contrast(theme->paper, theme->ink) >= 7);
		EXPECT(kma_colour_contrast(theme->paper, theme->faint) >= 4.5);
		EXPECT(kma_colour_contrast(theme->rule, kma_colour_text(theme->rule)) >= 4.5);
		EXPECT(kma_colour_contrast(theme->paper, theme->more) >= 7);
	}
	for (kma_rgb grey = 0; grey < 0x1000000; grey += 0x010101)
		EXPECT(kma_colour_contrast(grey, kma_colour_text(grey)) >= 4.5);
	/* As WCAG says. */
	EXPECT(fabs(kma_colour_contrast(0xffffff, 0x000000) - 21) < 0.01);
	EXPECT(fabs(kma_colour_contrast(0x777777, 0xffffff) - 4.48) < 0.01);
}

/* Less and more, whatever the eye; and a little change is not the same as none. */
TEST(changes_can_be_told_apart)
{
	for (unsigned int id = 0; id < KMA_NR_THEMES; id++) {
		const struct kma_theme *theme = &kma_themes[id];
		kma_rgb gone = kma_colour_for_change(theme, 7, 0);
		kma_rgb added = kma_colour_for_change(theme, 0, 7);
		kma_rgb less = kma_colour_for_change(theme, 1000000, 999999);
		kma_rgb more = kma_colour_for_change(theme, 999999, 1000000);
		kma_rgb same = kma_colour_for_change(theme, 5, 5);

		EXPECT_EQ(same, theme->same);
		EXPECT_EQ(gone, theme->less);
		EXPECT_EQ(added, theme->greater);
		EXPECT_EQ(kma_colour_for_change(theme, 0, UINT64_MAX), added);
		for (size_t v = 0; v < ARRAY_SIZE(visions); v++) {
			EXPECT(apart(visions[v].matrix, gone, added) >= 40);
			EXPECT(apart(visions[v].matrix, less, more) >= 8);
			EXPECT(apart(visions[v].matrix, same, more) >= 4);
			EXPECT(apart(visions[v].matrix, same, less) >= 4);
		}
	}
}

TEST(colours_do_not_depend_on_order)
{
	static const char *const a[] = { "ext4", "proc", "btrfs", "xfs", "[unknown symbol]" };
	static const char *const b[] = { "xfs", "[unknown symbol]", "btrfs", "ext4", "proc" };
	static const int where[] = { 3, 4, 2, 0, 1 };
	const struct kma_theme *theme = &kma_themes[KMA_THEME_LIGHT];
	kma_rgb x[5], y[5];

	kma_colour_assign(theme, a, 5, x);
	kma_colour_assign(theme, b, 5, y);
	for (int i = 0; i < 5; i++) {
		EXPECT_EQ(y[i], x[where[i]]);
		for (int j = 0; j < i; j++)
			EXPECT(x[i] != x[j]);
	}
	EXPECT_EQ(x[4], theme->grey);
}

/* What is new beside it hardly changes the colour of a name, and never that of a fixed one. */
TEST(colours_stay)
{
	const struct kma_theme *theme = &kma_themes[KMA_THEME_LIGHT];
	char text[13][12];
	const char *names[13];
	unsigned int same = 0, all = 0, seed = 1;
	kma_rgb before[13], after[13];

	for (unsigned int round = 0; round < 500; round++) {
		unsigned int nr = 2 + round % 10;

		for (unsigned int i = 0; i < nr; i++) {
			/* Anywhere in the alphabet. */
			seed = seed * 1103515245 + 12345;
			snprintf(text[i], sizeof(text[i]), "d%06x", seed >> 8);
			names[i] = text[i];
		}
		names[0] = "mm";
		kma_colour_assign(theme, names, nr - 1, before);
		kma_colour_assign(theme, names, nr, after);
		EXPECT_EQ(before[0], after[0]);
		for (unsigned int i = 0; i < nr; i++)
			for (unsigned int j = 0; j < i; j++)
				EXPECT(after[i] != after[j]);
		for (unsigned int i = 1; i + 1 < nr; i++) {
			same += before[i] == after[i];
			all++;
		}
	}
	EXPECT(same * 100 >= all * 90);
	printf("# %u of %u colours stay when a name is added\n", same, all);
}

TEST_MAIN()
