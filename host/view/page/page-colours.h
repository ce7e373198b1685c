/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-colours.h - write the colours of the charts of a page, for each theme.
 */
#ifndef KMA_VIEW_PAGE_PAGE_COLOURS_H
#define KMA_VIEW_PAGE_PAGE_COLOURS_H

#include "lib/strbuf.h"
#include "page-trees.h"
#include "view/chart/chart.h"

/*
 * Appends a JSON list with an object for each theme: name; palette (fill and text of six levels for
 * each colour; the first colour is grey); hues (for each key, the index of the colour of each child
 * of the root). In a comparison, changes (fill and text, from gone over unchanged to new) replace
 * palette and hues. The branches of @trees are sorted by the metric of @chart.
 */
void kma_page_themes(const struct kma_page_trees *trees, const struct kma_chart *chart,
		     struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_PAGE_COLOURS_H */
