/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-reasons.h - describe the reasons of a verdict in words, each with the figure that it is made of.
 *
 * Locking: none; no data are shared.
 */
#ifndef KMA_MODEL_LEAK_REASONS_H
#define KMA_MODEL_LEAK_REASONS_H

#include "leak.h"
#include "lib/strbuf.h"

/**
 * kma_leak_say_share() - describe the share of the allocations that is never freed
 * @ev: its member leaked is above 0
 * @brief: leave out the word "allocations", for a caption
 * @text: "1 of 98 allocations is never freed" is appended
 */
void kma_leak_say_share(const struct kma_leak_evidence *ev, bool brief, struct kma_strbuf *text);

/**
 * kma_leak_reasons() - describe the reasons of a verdict, each with its figure
 * @result: from kma_leak_judge()
 * @text: clauses are appended, separated by "; "
 */
void kma_leak_reasons(const struct kma_leak_result *result, struct kma_strbuf *text);

#endif /* KMA_MODEL_LEAK_REASONS_H */
