/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page.h - write a chart as a page: one HTML file with the tree, all its metrics, and the script
 * that draws them. It is the only kind of picture with more data than it shows at once.
 *
 * The parts: page-trees.c collects the trees of a page, page-rows.c selects their nodes, page.c
 * writes them as JSON with short codes, and embeds the JSON in the fixed text of the page
 * (page-text.h), which assemble.sh makes of the files of this directory.
 * Documentation/format/page.rst describes the data.
 */
#ifndef KMA_VIEW_PAGE_PAGE_H
#define KMA_VIEW_PAGE_PAGE_H

#include "lib/strbuf.h"
#include "view/chart/chart.h"

/* The branch of @chart, the first view, is the root of the page. */
void kma_page_write(const struct kma_chart *chart, struct kma_strbuf *out);

/*
 * Appends valid JSON so that an HTML parser cannot find a tag in it. In JSON, the characters <,
 * U+2028 and U+2029 are only in strings, where \\u003c and so on have the same meaning.
 */
void kma_page_embed(struct kma_strbuf *out, const char *json);

#endif /* KMA_VIEW_PAGE_PAGE_H */
