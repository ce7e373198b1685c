/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assign.h - find the owner of each byte of a linked kernel or a module, only by its debugging
 * information and symbols.
 *
 * Distributions ship vmlinux with debugging information, but not the objects. So the bytes are cut
 * into pieces at their symbols, and each piece gets a compilation unit by the first of these rules
 * that applies:
 *
 *	code		the unit whose ranges of addresses cover the piece
 *	variable	the unit with a variable at the start of the piece
 *	name		a symbol that EXPORT_SYMBOL() or objtool made for another symbol
 *			(__ksymtab_NAME): the unit of that symbol
 *	table		an entry that begins with an address: the unit at that address
 *	string		the unit with the first reference to the string
 *	local symbol	the unit of other local symbols after the same STT_FILE symbol, if the file
 *			names agree
 *	neighbour	between two pieces of one unit: that unit; fill before a symbol: the
 *			symbol's unit
 *
 * A piece to which no rule applies is in a row in brackets: "[alignment]", "[kallsyms]",
 * "[.BTF]" if the piece is a whole section or has no symbol, else "[no source file]". In a module
 * these rows are in the directory that its units share. The sizes of all pieces add up to those of
 * the sections, whatever the rules find.
 */
#ifndef KMA_IMAGE_ASSIGN_H
#define KMA_IMAGE_ASSIGN_H

#include "assignment.h"

/* Bytes of a name in brackets with its zero; longer names of sections are truncated. */
#define KMA_ASSIGN_ROW_MAX 128

/* @image has debugging information, and must live as long as @ret. A corrupt file is an error. */
struct kma_err *kma_assign_create(const struct kma_image *image, struct kma_assign **ret);

void kma_assign_destroy(struct kma_assign *assign);

/* The row in brackets of a piece without a unit: a constant, or in @buf. */
const char *kma_assign_row(const struct kma_assign *assign, size_t piece,
			   char buf[KMA_ASSIGN_ROW_MAX]);

#endif /* KMA_IMAGE_ASSIGN_H */
