/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gaps.h - data that could not be read, counted by kind. A sum over files that lacks some of them
 * is too small, and these counts report that. A component that continues after an unreadable file
 * counts the file here. kma_notes_gaps() makes a message from the counts.
 */
#ifndef KMA_LIB_GAPS_H
#define KMA_LIB_GAPS_H

#include <stddef.h>

#include "err.h"

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

#endif /* KMA_LIB_GAPS_H */
