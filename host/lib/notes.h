/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notes.h - what a component below session/ has to tell the user, but cannot print itself.
 *
 * Notes are sentences. The component adds them, in the order in which they apply; its caller prints
 * them.
 *
 * Gaps are data that could not be read, counted by kind. A sum over files that lacks some of them is
 * too small, and these counts report that. A component that continues after an unreadable file
 * counts the file as a gap. kma_notes_gaps() makes a sentence from the counts.
 */
#ifndef KMA_LIB_NOTES_H
#define KMA_LIB_NOTES_H

#include <stddef.h>

#include "err.h"
#include "strbuf.h"

/* What could not be read. */
enum kma_gap {
	KMA_GAP_DIR,	 /* a directory: nothing in it is known */
	KMA_GAP_CMD,	 /* a .cmd file: its object is not counted */
	KMA_GAP_ARCHIVE, /* the command of an archive: its members are not known */
	KMA_GAP_OBJECT,	 /* an object: its sizes are not counted */
	KMA_GAP_SYMBOLS, /* the symbols of an object: its functions are not found */
	KMA_GAP_MODULE,	 /* a module: its build and its functions are not known */
	KMA_GAP_IMAGE,	 /* the kernel image: its build is not known */
	KMA_NR_GAPS,
};

/* All zeros: nothing is missing. */
struct kma_gaps {
	size_t nr[KMA_NR_GAPS];
	char first[512]; /* path of the first, and why it could not be read; "" for none */
};

/**
 * kma_gaps_total() - number of all gaps
 * @gaps: the counts
 *
 * Return: the sum over the kinds, 0 if nothing is missing.
 */
size_t kma_gaps_total(const struct kma_gaps *gaps);

/**
 * kma_gaps_note() - count an error as a gap, if it is an error of a file
 * @gaps: the counts
 * @gap: what could not be read
 * @err: the error that reading it gave, may be NULL; is destroyed if it is counted
 *
 * Return: NULL if there was no error or it was counted; else @err, for which
 * kma_err_is_of_file() is false, and which the caller returns.
 */
struct kma_err *kma_gaps_note(struct kma_gaps *gaps, enum kma_gap gap, struct kma_err *err);

/**
 * kma_gaps_merge() - add counts to others
 * @to: the sum; keeps its own first gap, if it has one
 * @from: what is added
 */
void kma_gaps_merge(struct kma_gaps *to, const struct kma_gaps *from);

/**
 * kma_gaps_text() - the counts in words
 * @gaps: the counts
 *
 * Return: "2 directories, 1 .cmd file", to be freed; NULL without memory.
 */
char *kma_gaps_text(const struct kma_gaps *gaps);

/* The effect of gaps in a tree whose static sizes are added up. */
#define KMA_GAPS_SIZES "the sizes in them are missing, or in a wrong row"

/* The effect of gaps in what call sites are looked up in. */
#define KMA_GAPS_SITES "call sites in them may have no file"

/* Zero is empty. */
struct kma_notes {
	struct kma_strbuf text; /* the sentences, each with a NUL at its end */
};

/**
 * kma_notes_add() - add a sentence
 * @notes: the notes; if memory runs out the sentence is lost, and kma_strbuf_ok() of the text is
 *	 false
 * @fmt: printf format of the sentence, without a newline at its end
 */
void kma_notes_add(struct kma_notes *notes, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kma_notes_gaps() - add what could not be read, in one sentence
 * @notes: where to
 * @name: the tree or image that has the gaps
 * @gaps: the counts; nothing is added if all are 0
 * @effect: what the result lacks, as the middle of a sentence
 */
void kma_notes_gaps(struct kma_notes *notes, const char *name, const struct kma_gaps *gaps,
		    const char *effect);

/**
 * kma_notes_next() - walk over the sentences
 * @notes: the sentences
 * @note: the previous sentence; NULL to start
 *
 * Return: the next sentence, NULL after the last. @notes owns it.
 */
const char *kma_notes_next(const struct kma_notes *notes, const char *note);

/**
 * kma_notes_move() - give the sentences to other notes, behind theirs
 * @notes: empty afterwards
 * @to: where to; NULL: nobody wants them
 */
void kma_notes_move(struct kma_notes *notes, struct kma_notes *to);

/**
 * kma_notes_deinit() - free the sentences
 * @notes: empty afterwards
 */
void kma_notes_deinit(struct kma_notes *notes);

#endif /* KMA_LIB_NOTES_H */
