/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-picture.h - the suspects of kmem-account leaks as small multiples.
 */
#ifndef KMA_CLI_LEAKS_PICTURE_H
#define KMA_CLI_LEAKS_PICTURE_H

#include "leaks-text.h"
#include "model/leak-series.h"
#include "session/options.h"

/**
 * kma_leaks_draw() - write the pictures that are asked for
 * @table: the rows, ranked; those that are a leak, grow or fill are drawn
 * @series: finished; has their samples
 * @opts: render, top, title, theme and width are looked at
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_leaks_draw(const struct kma_leak_table *table,
			       const struct kma_leak_series *series,
			       const struct kma_options *opts);

#endif /* KMA_CLI_LEAKS_PICTURE_H */
