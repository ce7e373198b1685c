/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost-text.h - the output of kmem-account lost: a row for each call site, and sentences for bug
 * reports.
 *
 * Locking: none.
 */
#ifndef KMA_CLI_LOST_TEXT_H
#define KMA_CLI_LOST_TEXT_H

#include "heap/lost.h"
#include "lib/strbuf.h"
#include "model/place.h"
#include "rows.h"

struct kma_lost_text {
	const struct kma_lost *lost;
	const struct kma_place *const *places; /* of each of its rows; NULL: unknown */
	struct kma_text_options opts;
	bool workload;	 /* the objects are those of a workload */
	bool has_places; /* a table has the columns of @places */
};

void kma_lost_write(const struct kma_lost_text *text, struct kma_strbuf *out);

#endif /* KMA_CLI_LOST_TEXT_H */
