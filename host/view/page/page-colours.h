/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-colours.h - write the colours of the charts of a page, for each theme.
 */
#ifndef KMA_VIEW_PAGE_PAGE_COLOURS_H
#define KMA_VIEW_PAGE_PAGE_COLOURS_H

#include <stdbool.h>

#include "lib/strbuf.h"

/*
 * Appends a JSON list with an object for each theme: name; palette (fill and text of six levels for
 * each colour; the first colour is grey); with @changes, in place of it, fill and text from gone
 * over unchanged to new. Then a member "owners": the name that has each colour but grey for itself.
 */
void kma_page_themes(bool changes, struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_PAGE_COLOURS_H */
