/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paste.h - reports as people paste them: quoted, out of the kernel log, with prose around them.
 *
 * What stands before a report's own lines is removed (the table in paste.c), and lines that are not
 * of the report are passed over. A warning of the account tells both. A reader that states its lines
 * (kma_reader_ops.line) needs nothing else: it gets its own lines, without blanks at their ends.
 */
#ifndef KMA_READER_PASTE_H
#define KMA_READER_PASTE_H

#include "input/cursor.h"
#include "model/account.h"
#include "stamp.h"

/* What a line is to a reader. */
enum kma_line_kind {
	KMA_LINE_OTHER, /* not of the reader's format */
	KMA_LINE_MORE,	/* of the format, but other texts may have such lines, too */
	KMA_LINE_ROW,	/* only the format has such lines */
};

struct kma_paste {
	enum kma_line_kind (*line_of)(const char *text);
	uint64_t passed, first; /* lines that were passed over; number of the first */
	const char *(*format_of)(const char *text); /* see reports.h; NULL: not asked */
	const char *other;	 /* a format that lines which were passed over have */
	uint64_t other_line;	 /* the first of these */
	unsigned int removed;	 /* set of decorations, 1 << index */
	struct kma_times *times; /* of the reports; NULL: nobody asks */
};

/* Remove what stands before a line of a report; blanks stay. The decorations are added to @removed. */
void kma_paste_strip(char *text, unsigned int *removed);

/**
 * kma_paste_undress() - remove what stands before a line of a report, and the blanks around it
 * @text: the line, which is modified
 * @removed: the decorations that were removed are added to this set
 */
void kma_paste_undress(char *text, unsigned int *removed);

/* Undress a line for kma_input_set_filter(); false if the line is not one of the reader's format. */
bool kma_paste_line(void *paste, unsigned int line, char *text);

/**
 * kma_paste_join() - append the next line, if a row was wrapped as mailers do
 * @cur: its current line is the beginning of a row
 * @goes_on: is the text, without what stands before pasted lines, the rest of such a row?
 *
 * Return: true if it was appended, behind a blank.
 */
bool kma_paste_join(struct kma_cursor *cur, bool (*goes_on)(const char *text));

/* The same for a line that ends with the "=" of a mail in quoted-printable, without a blank. */
bool kma_paste_join_soft(struct kma_cursor *cur);

/* Note a line that is not of the reader's format, as kma_paste_undress() leaves it. */
void kma_paste_other(struct kma_paste *paste, uint64_t line, const char *text);

/* Add the warning about the size of a page. @stated: bytes, as the input has it; 0: it does not. */
void kma_paste_say_page(const struct kma_input *input, uint64_t stated,
			struct kma_account *account);

/* Add the warning about what was removed and passed over. */
void kma_paste_close(const struct kma_paste *paste, struct kma_account *account);

#endif /* KMA_READER_PASTE_H */
