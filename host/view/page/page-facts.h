/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-facts.h - write the facts about the numbers of a page: title, first view, footer.
 */
#ifndef KMA_VIEW_PAGE_PAGE_FACTS_H
#define KMA_VIEW_PAGE_PAGE_FACTS_H

#include "page-rows.h"

/**
 * kma_page_facts() - write title, initial view and the items of the footer
 * @rows: rows of the first tree
 * @chart: the chart
 * @out: members of a JSON object are appended
 */
void kma_page_facts(const struct kma_page_rows *rows, const struct kma_chart *chart,
		    struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_PAGE_FACTS_H */
