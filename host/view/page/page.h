/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page.h - a chart as a page: one HTML file with the tree, all its metrics, and the
 * script that draws them. It is the only kind of picture that gets more than is seen
 * at once.
 */
#ifndef KMA_VIEW_PAGE_PAGE_H
#define KMA_VIEW_PAGE_PAGE_H

#include "lib/strbuf.h"
#include "view/chart/chart.h"

/**
 * kma_page_write() - write the whole page
 * @chart: what it shows first; its branch is the root of the page
 * @out: the page is appended
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_page_write(const struct kma_chart *chart, struct kma_strbuf *out);

/**
 * kma_page_embed() - append JSON in a way that no HTML parser can end or misread
 * @out: where to
 * @json: valid JSON
 *
 * Where JSON has a <, U+2028 or U+2029 it is in a string, so that \u003c and the like
 * mean the same there.
 */
void kma_page_embed(struct kma_strbuf *out, const char *json);

#endif /* KMA_VIEW_PAGE_PAGE_H */
