/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * choice.h - refuse a word that is not one of a list: "did you mean report? expected report or
 * top".
 *
 * Locking: none.
 */
#ifndef KMA_LIB_CHOICE_H
#define KMA_LIB_CHOICE_H

#include "cleanup.h"
#include "strbuf.h"

struct kma_choice {
	const char *word;	 /* as typed, set by the caller; NULL: none was given */
	struct kma_strbuf names; /* the names that were added, with commas */
	const char *nearest;	 /* of these, if @word is it with typing errors; or NULL */
	unsigned int errors;	 /* number of typing errors between the two */
	char *text;
};

/* @last is the text before the last name (" or "), else NULL. */
void kma_choice_add(struct kma_choice *choice, const char *name, const char *last);

/* "did you mean NAME? expected NAMES", to be printed in brackets; valid until the next call. */
const char *kma_choice_text(struct kma_choice *choice);

void kma_choice_deinit(struct kma_choice *choice);

#define _cleanup_choice_ _cleanup_(kma_choice_deinit)

#endif /* KMA_LIB_CHOICE_H */
