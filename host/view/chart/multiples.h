/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multiples.h - small multiples (Tufte, The Visual Display of Quantitative Information): the live
 * bytes of a few call sites over time, in a panel for each site, with their minima and trend.
 *
 * Each panel has a scale of its own, from 0 to the largest value, so panels are compared by their
 * shape. The numbers at the axis give the size.
 */
#ifndef KMA_VIEW_CHART_MULTIPLES_H
#define KMA_VIEW_CHART_MULTIPLES_H

#include "scene.h"

#define KMA_MULTIPLES_MOST   12 /* most panels of a picture */
#define KMA_MULTIPLES_GROUPS 3	/* number of colours of panels */

struct kma_multiple {
	const char *name;    /* name of the call site */
	const char *verdict; /* text below the name, after a mark in the colour of @group */
	size_t group;	     /* less than KMA_MULTIPLES_GROUPS; the colour, 0 is the most visible */
	const double *times; /* s, rising */
	const double *values; /* bytes at @times */
	size_t nr;
	const double *low_times; /* s, of the minima; rising */
	const double *low;	 /* minima of the live bytes */
	size_t nr_low;
	double slope; /* trend of the minima in bytes a second */
	double run;   /* s of the times that stand for a run of a workload; 0: they are s */
};

struct kma_multiples {
	const struct kma_multiple *panels; /* the most important first */
	size_t nr;			   /* the first KMA_MULTIPLES_MOST of them are drawn */
	const char *title, *subject, *footer;
	enum kma_theme_id theme;
};

/* Without panels, the picture has a sentence instead. @scene is initialised here. */
void kma_multiples_draw(const struct kma_multiples *multiples, struct kma_scene *scene);

#endif /* KMA_VIEW_CHART_MULTIPLES_H */
