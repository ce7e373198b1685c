/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-picture.h - draw the suspects of kmem-account leaks as small multiples.
 */
#ifndef KMA_CLI_LEAKS_PICTURE_H
#define KMA_CLI_LEAKS_PICTURE_H

#include "leaks-text.h"
#include "model/leak-series.h"
#include "session/options.h"

/**
 * kma_leaks_draw() - write the requested pictures
 * @table: the rows, ranked; those with the verdict leak, growing or filling are drawn
 * @series: finished; has the samples of the rows
 * @steps: intervals of the series that are drawn, see kma_leak_part(); NULL: all
 * @opts: options: render, top, title, theme, width
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_leaks_draw(const struct kma_leak_table *table,
			       const struct kma_leak_series *series, const double *steps,
			       const struct kma_options *opts);

#endif /* KMA_CLI_LEAKS_PICTURE_H */
