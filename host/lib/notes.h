/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notes.h - messages for the user from components below session/, which must not print.
 *
 * Notes are sentences. The component adds them, in the order in which they apply; its caller prints
 * them.
 *
 * Gaps are data that could not be read, counted by kind. A sum over files that lacks some of them
 * is too small, and these counts report that. A component that continues after an unreadable file
 * counts the file as a gap. kma_notes_gaps() makes a sentence from the counts.
 *
 * Locking: none. Threads have gaps of their own, which kma_gaps_merge() adds up.
 */
#ifndef KMA_LIB_NOTES_H
#define KMA_LIB_NOTES_H

#include <stddef.h>

#include "err.h"
#include "strbuf.h"

/* Kinds of files that could not be read, and what the result lacks. */
enum kma_gap {
	KMA_GAP_DIR,	 /* a directory: the files in it are unknown */
	KMA_GAP_CMD,	 /* a .cmd file: its object is not counted */
	KMA_GAP_ARCHIVE, /* the command of an archive: its members are unknown */
	KMA_GAP_OBJECT,	 /* an object: its sizes are not counted */
	KMA_GAP_SYMBOLS, /* the symbols of an object: its functions are not found */
	KMA_GAP_MODULE,	 /* a module: its build and its functions are unknown */
	KMA_GAP_IMAGE,	 /* the kernel image: its build is unknown */
	KMA_NR_GAPS,
};

/* Zeroed: nothing is missing. */
struct kma_gaps {
	size_t nr[KMA_NR_GAPS]; /* number of gaps of each kind */
	char first[512];	/* message of the first error, with the path; "": none */
};

/**
 * kma_gaps_total() - count all gaps
 * @gaps: the counts
 *
 * Return: the sum over the kinds; 0 if nothing is missing.
 */
size_t kma_gaps_total(const struct kma_gaps *gaps);

/**
 * kma_gaps_note() - count an error as a gap, if it concerns a single file
 * @gaps: the counts
 * @gap: kind of the file
 * @err: the error, or NULL; it is freed if it is counted
 *
 * Return: NULL if there was no error or it was counted; otherwise @err, for which
 * kma_err_is_of_file() is false, and which the caller has to return.
 */
struct kma_err *kma_gaps_note(struct kma_gaps *gaps, enum kma_gap gap, struct kma_err *err);

/**
 * kma_gaps_merge() - add counts to others
 * @to: the sum; keeps its own first message, if it has one
 * @from: the counts to add
 */
void kma_gaps_merge(struct kma_gaps *to, const struct kma_gaps *from);

/**
 * kma_gaps_text() - describe the counts in words
 * @gaps: the counts
 *
 * Return: "2 directories, 1 .cmd file", which the caller has to free; NULL without memory.
 */
char *kma_gaps_text(const struct kma_gaps *gaps);

/* Effect of gaps on the sum of static sizes of a tree. */
#define KMA_GAPS_SIZES "the sizes in them are missing, or in a wrong row"

/* Effect of gaps on the lookup of call sites. */
#define KMA_GAPS_SITES "call sites in them may have no file"

/* Zeroed: no sentence. */
struct kma_notes {
	struct kma_strbuf text; /* the sentences, each with a zero byte at its end */
};

/**
 * kma_notes_add() - add a sentence
 * @notes: the notes; without memory the sentence is lost
 * @fmt: printf format of the sentence, without a newline at its end
 */
void kma_notes_add(struct kma_notes *notes, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kma_notes_gaps() - add a sentence about files that could not be read
 * @notes: the notes
 * @name: the tree or image that has the gaps
 * @gaps: the counts; nothing is added if all are 0
 * @effect: what the result lacks, as the middle of a sentence
 */
void kma_notes_gaps(struct kma_notes *notes, const char *name, const struct kma_gaps *gaps,
		    const char *effect);

/**
 * kma_notes_next() - get the next sentence
 * @notes: the notes
 * @note: the previous sentence; NULL to get the first one
 *
 * Return: a sentence owned by @notes; NULL after the last one.
 */
const char *kma_notes_next(const struct kma_notes *notes, const char *note);

/**
 * kma_notes_move() - append the sentences to other notes
 * @notes: empty afterwards
 * @to: the other notes; NULL: the sentences are dropped
 */
void kma_notes_move(struct kma_notes *notes, struct kma_notes *to);

/**
 * kma_notes_deinit() - free the sentences
 * @notes: empty afterwards
 */
void kma_notes_deinit(struct kma_notes *notes);

#endif /* KMA_LIB_NOTES_H */
