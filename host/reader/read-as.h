/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * read-as.h - what a reader is, and how an input is read whose kind is known.
 *
 * A file of its own, so that a program that reads one kind needs no other reader.
 */
#ifndef KMA_READER_READ_AS_H
#define KMA_READER_READ_AS_H

#include "input/input.h"
#include "model/account.h"
#include "paste.h"

#define KMA_READER_SIGNS    8	 /* most signs of a reader */
#define KMA_READER_SIGNS_IN 8192 /* bytes at the start of a file that have a sign */

struct kma_reader_ops {
	const char *name; /* of the kind of file, for messages */
	const char *key;  /* name in FILE@KEY; NULL: a text with such a file has no other reports */
	bool times;	  /* the reader supports an interval, see kma_input_set_interval() */
	const char *begins; /* text at the start of every such file; NULL: signs or @probe decide */
	bool may_be_cut;    /* a file that ends within @begins is such a file, truncated */
	bool behind_text; /* such a file may begin with more than KMA_READER_SIGNS_IN of other text */
	/* Every such file has one of these texts near its start; NULL after the last. */
	const char *signs[KMA_READER_SIGNS + 1];
	/*
	 * Is it such a file? Asked if the file has a sign, or if the reader has no signs. @head is
	 * the beginning of the file, which need not be text. NULL: a sign suffices.
	 */
	bool (*probe)(const char *head, size_t len);
	/*
	 * What is this line, without blanks at its ends and without what pasted text has before its
	 * lines (paste.h)? A file with a line of its own (KMA_LINE_ROW) is such a file, wherever
	 * the line is. @read then gets the lines that are of the format, and empty ones. NULL: the
	 * reader expects nothing but its own lines.
	 */
	enum kma_line_kind (*line)(const char *text);
	/* As @line, for a reader of logs, whose lines are not filtered: only for recognition. */
	enum kma_line_kind (*like)(const char *text);
	bool several; /* a text may have several reports: @read calls kma_reports_end() */
	/* Read the whole input into an empty account. An error names the file and the line. */
	struct kma_err *(*read)(struct kma_input *input, struct kma_account *account);
};

/*
 * Reads an input, of which nothing was consumed, by one reader. @ret is a finished account;
 * unchanged after an error. Of several reports, @ret has the last one. The others are in those of
 * kma_input_set_reports(), if they are wanted.
 */
struct kma_err *kma_reader_read_as(const struct kma_reader_ops *ops, struct kma_input *input,
				   struct kma_account **ret);

#endif /* KMA_READER_READ_AS_H */
