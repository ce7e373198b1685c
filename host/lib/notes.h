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

size_t kma_gaps_total(const struct kma_gaps *gaps);

/*
 * Counts an error that concerns a single file (kma_err_is_of_file()), and frees it. Returns any
 * other error, which the caller has to return.
 */
struct kma_err *kma_gaps_note(struct kma_gaps *gaps, enum kma_gap gap, struct kma_err *err);

/* @to keeps its own first message, if it has one. */
void kma_gaps_merge(struct kma_gaps *to, const struct kma_gaps *from);

/* "2 directories, 1 .cmd file", to be freed by the caller. */
char *kma_gaps_text(const struct kma_gaps *gaps);

/* Effect of gaps on the sum of static sizes of a tree. */
#define KMA_GAPS_SIZES "the sizes in them are missing, or in a wrong row"

/* Effect of gaps on the lookup of call sites. */
#define KMA_GAPS_SITES "call sites in them may have no file or type"

/* Zeroed: no sentence. */
struct kma_notes {
	struct kma_strbuf text; /* the sentences, each with a zero byte at its end */
};

/* The sentence has no newline at its end. */
void kma_notes_add(struct kma_notes *notes, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Adds a sentence about the files of the tree or image @name that could not be read; none if there
 * are no gaps. @effect is what the result lacks, as the middle of a sentence.
 */
void kma_notes_gaps(struct kma_notes *notes, const char *name, const struct kma_gaps *gaps,
		    const char *effect);

/*
 * The sentence after @note, owned by @notes; the first one if @note is NULL. NULL after the last
 * one.
 */
const char *kma_notes_next(const struct kma_notes *notes, const char *note);

/* Appends the sentences to @to, and empties @notes. With @to = NULL they are dropped. */
void kma_notes_move(struct kma_notes *notes, struct kma_notes *to);

/* @notes are empty afterwards. */
void kma_notes_deinit(struct kma_notes *notes);

#endif /* KMA_LIB_NOTES_H */
