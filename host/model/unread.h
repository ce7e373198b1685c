/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unread.h - notes about the lines of an event log that have the shape of an allocation or a free
 * but were not counted. An account without such lines does not have these notes.
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

/**
 * kma_unread_note() - store the numbers as notes of an account
 * @account: not finished
 * @unread: the numbers; nothing is stored if @lines is 0
 */
void kma_unread_note(struct kma_account *account, const struct kma_unread *unread);

/**
 * kma_unread_of() - read the notes of an account
 * @account: an account, or NULL
 * @ret: filled in; all 0 if no line is missing
 *
 * Return: true if lines are missing.
 */
bool kma_unread_of(const struct kma_account *account, struct kma_unread *ret);

/**
 * kma_unread_too_many() - test whether so many lines are missing that the numbers are wrong
 * @unread: the numbers
 *
 * Return: true if more than 1 % of the lines with the shape of an event were not counted.
 */
bool kma_unread_too_many(const struct kma_unread *unread);

/**
 * kma_unread_text() - describe the lines in a sentence
 * @unread: the numbers; nothing is added if no line is missing
 * @input: name of the input; NULL: it is clear which one
 * @out: the sentence is appended
 */
void kma_unread_text(const struct kma_unread *unread, const char *input, struct kma_strbuf *out);

/**
 * kma_unread_json() - add the member "event_lines_not_read" to a JSON object
 * @unread: the numbers; nothing is added if no line is missing
 * @input: as in kma_unread_text()
 * @json: in an object
 */
void kma_unread_json(const struct kma_unread *unread, const char *input, struct kma_json *json);

/**
 * kma_unread_row() - end the rows of CSV with one for the lines
 * @unread: the numbers; nothing is written if no line is missing
 * @input: name of the input
 * @doc: document with a sheet; nothing is written if it is not CSV
 *
 * Documentation/format/csv.rst describes the row, which is the same after each sheet.
 */
void kma_unread_row(const struct kma_unread *unread, const char *input, struct kma_doc *doc);

/**
 * kma_unread_write() - write the lines in the form that a document has for them
 * @unread: the numbers; nothing is written if no line is missing
 * @input: name of the input
 * @doc: document with a sheet
 */
void kma_unread_write(const struct kma_unread *unread, const char *input, struct kma_doc *doc);

#endif /* KMA_MODEL_UNREAD_H */
