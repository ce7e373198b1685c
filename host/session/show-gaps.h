/* SPDX-License-Identifier: GPL-2.0 */
/*
 * show-gaps.h - the one line that says what could not be read.
 */
#ifndef KMA_SESSION_SHOW_GAPS_H
#define KMA_SESSION_SHOW_GAPS_H

#include "lib/gaps.h"

/* The effect of gaps in a tree whose static sizes are added up. */
#define KMA_GAPS_SIZES "the sizes in them are missing, or in a wrong row"

/* The effect of gaps in what call sites are looked up in. */
#define KMA_GAPS_SITES "call sites in them may have no file"

/**
 * kma_warn_gaps() - print on stderr what could not be read, in one line
 * @name: the tree or image that has the gaps
 * @gaps: the counts; nothing is printed if all are 0
 * @effect: what the result lacks, as the middle of a sentence
 */
void kma_warn_gaps(const char *name, const struct kma_gaps *gaps, const char *effect);

#endif /* KMA_SESSION_SHOW_GAPS_H */
