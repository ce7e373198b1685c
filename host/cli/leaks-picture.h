/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-picture.h - draw the suspects of kmem-account leaks as small multiples.
 */
#ifndef KMA_CLI_LEAKS_PICTURE_H
#define KMA_CLI_LEAKS_PICTURE_H

#include "leaks-text.h"
#include "model/leak-series.h"
#include "rows.h"
#include "session/options.h"

/*
 * Writes the requested pictures of the rows with the verdict leak, growing or filling. @steps:
 * intervals of the series that are drawn, see kma_leak_part(); NULL: all.
 */
struct kma_err *kma_leaks_draw(const struct kma_leak_table *table,
			       const struct kma_leak_series *series, const double *steps,
			       const struct kma_text_options *text,
			       const struct kma_chart_options *chart);

#endif /* KMA_CLI_LEAKS_PICTURE_H */
