/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paste.h - reports as people paste them: quoted, out of the kernel log, with prose around them.
 *
 * What precedes a report's own lines is removed (the table in paste.c), and lines that are not of
 * the report are skipped. A warning of the account reports both. A reader that recognises its lines
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
	struct kma_times *times; /* of the reports; NULL: not needed */
};

/* Removes what precedes a line of a report; blanks stay. The decorations are added to @removed. */
void kma_paste_strip(char *text, unsigned int *removed);

/* The same, and removes the blanks around the line. */
void kma_paste_undress(char *text, unsigned int *removed);

/* Undresses a line, for kma_input_set_filter(); false if it is not one of the reader's format. */
bool kma_paste_line(void *paste, unsigned int line, char *text);

/*
 * Appends the next line to the current one, the beginning of a row, if the row was wrapped as
 * mailers do, with a blank in between. @goes_on: is the text, without what precedes pasted lines,
 * the rest of such a row? True if it was appended.
 */
bool kma_paste_join(struct kma_cursor *cur, bool (*goes_on)(const char *text));

/* The same for a line that ends with the "=" of a mail in quoted-printable, without a blank. */
bool kma_paste_join_soft(struct kma_cursor *cur);

/* Notes a line that is not of the reader's format, as kma_paste_undress() leaves it. */
void kma_paste_other(struct kma_paste *paste, uint64_t line, const char *text);

/* Add the warning about the size of a page. @stated: bytes, as the input has it; 0: it does not. */
void kma_paste_say_page(const struct kma_input *input, uint64_t stated,
			struct kma_account *account);

/* Add a warning if the input has @nr rows more than once. @one, @more: "row is", "rows are". */
void kma_paste_say_again(uint64_t nr, const char *one, const char *more,
			 struct kma_account *account);

/* Add the warning about what was removed and passed over. */
void kma_paste_close(const struct kma_paste *paste, struct kma_account *account);

#endif /* KMA_READER_PASTE_H */
