/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-data.h - the data of a page.
 */
#ifndef KMA_VIEW_PAGE_PAGE_DATA_H
#define KMA_VIEW_PAGE_PAGE_DATA_H

#include "lib/strbuf.h"
#include "view/chart/chart.h"

/**
 * kma_page_data() - write the data of the page as JSON
 * @chart: the chart
 * @out: one JSON object is appended; kma_page_embed() makes it safe for HTML
 */
struct kma_err *kma_page_data(const struct kma_chart *chart, struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_PAGE_DATA_H */
