/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-text.h - the rows of top as a document, which batch mode prints, and which can be saved.
 */
#ifndef KMA_VIEW_SCREEN_TOP_TEXT_H
#define KMA_VIEW_SCREEN_TOP_TEXT_H

#include "lib/doc.h"
#include "top.h"

struct kma_top_text {
	const struct kma_top_facts *facts;
	const struct kma_top_rows *rows;
	const struct kma_top_state *state;
	enum kma_format format;
	bool csv_safe;
	size_t top; /* most rows; 0: all */
};

/* Rates are whole numbers per second. Cgroups have their whole paths. */
void kma_top_text_write(const struct kma_top_text *text, struct kma_strbuf *out);

#endif /* KMA_VIEW_SCREEN_TOP_TEXT_H */
