/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-reasons.h - describe the reasons of a verdict in words, each with the figure that it is made
 * of.
 *
 * Locking: none; no data are shared.
 */
#ifndef KMA_MODEL_LEAK_REASONS_H
#define KMA_MODEL_LEAK_REASONS_H

#include "leak.h"
#include "lib/strbuf.h"

/*
 * Appends "1 of 98 allocations is never freed"; @brief leaves out the word "allocations", for a
 * caption. The member leaked of @ev is above 0.
 */
void kma_leak_say_share(const struct kma_leak_evidence *ev, bool brief, struct kma_strbuf *text);

/* Appends clauses, separated by "; ". */
void kma_leak_reasons(const struct kma_leak_result *result, struct kma_strbuf *text);

#endif /* KMA_MODEL_LEAK_REASONS_H */
