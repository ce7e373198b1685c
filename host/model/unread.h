/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unread.h - notes about the lines of an event log that have the shape of an allocation or a free
 * but were not counted. An account without such lines does not have these notes. If no line is
 * missing, the functions store and write nothing. @input is the name of the input.
 */
#ifndef KMA_MODEL_UNREAD_H
#define KMA_MODEL_UNREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "account.h"
#include "lib/doc.h"

struct kma_unread {
	uint64_t lines; /* that were not counted */
	uint64_t first; /* number of the first one, from 1 */
	uint64_t all;	/* lines with the shape of an event, with those that were counted */
};

/* Stores the numbers as notes of an account that is not finished. */
void kma_unread_note(struct kma_account *account, const struct kma_unread *unread);

/* Reads the notes; all 0, and false, if no line is missing. @account may be NULL. */
bool kma_unread_of(const struct kma_account *account, struct kma_unread *ret);

/*
 * Are so many lines missing, more than 1 % of those with the shape of an event, that the numbers
 * are wrong?
 */
bool kma_unread_too_many(const struct kma_unread *unread);

/* Appends a sentence; @input is NULL if it is clear which one. */
void kma_unread_text(const struct kma_unread *unread, const char *input, struct kma_strbuf *out);

/* Adds the member "event_lines_not_read" to an object. */
void kma_unread_json(const struct kma_unread *unread, const char *input, struct kma_json *json);

/*
 * Ends the rows of a sheet in CSV with one for the lines, the same after each sheet
 * (Documentation/format/csv.rst). Other formats get nothing.
 */
void kma_unread_row(const struct kma_unread *unread, const char *input, struct kma_doc *doc);

/* Writes the lines in the form that the format of the document has for them, after a sheet. */
void kma_unread_write(const struct kma_unread *unread, const char *input, struct kma_doc *doc);

#endif /* KMA_MODEL_UNREAD_H */
