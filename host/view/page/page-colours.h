/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-colours.h - colours of the pictures of a page, for each theme.
 */
#ifndef KMA_VIEW_PAGE_PAGE_COLOURS_H
#define KMA_VIEW_PAGE_PAGE_COLOURS_H

#include "lib/strbuf.h"
#include "page-trees.h"
#include "view/chart/chart.h"

/**
 * kma_page_themes() - write the colours, for each theme of a page
 * @trees: of the page; the branches get sorted by the metric of @chart
 * @chart: the chart
 * @out: a JSON list is appended: name, palette (fill and text of six levels for each
 *	colour, the first is grey), hues (for each key the colour of each child of the root); of
 *	a comparison changes (fill and text, from gone over the same to new) in their place
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_page_themes(const struct kma_page_trees *trees, const struct kma_chart *chart,
				struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_PAGE_COLOURS_H */
