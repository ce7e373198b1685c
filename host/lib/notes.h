/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notes.h - sentences for the user that a component below session/ cannot print itself. The
 * component adds them, in the order in which they apply; its caller prints them.
 */
#ifndef KMA_LIB_NOTES_H
#define KMA_LIB_NOTES_H

#include "gaps.h"
#include "strbuf.h"

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
