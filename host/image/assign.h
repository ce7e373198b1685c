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

/**
 * kma_assign_create() - find the unit of each byte of a file
 * @image: the file, with debugging information; has to live as long as @ret
 * @ret: pieces, units and parts; to be freed by kma_assign_destroy()
 *
 * Return: NULL; or an error that names the file: corrupt.
 */
struct kma_err *kma_assign_create(const struct kma_image *image, struct kma_assign **ret);

/* Free the pieces and their units. */
void kma_assign_destroy(struct kma_assign *assign);

/**
 * kma_assign_row() - get the row in brackets for a piece without a unit
 * @assign: the pieces
 * @piece: index of the piece
 * @buf: memory for the name
 *
 * Return: a name in brackets, which is constant or in @buf.
 */
const char *kma_assign_row(const struct kma_assign *assign, size_t piece,
			   char buf[KMA_ASSIGN_ROW_MAX]);

#endif /* KMA_IMAGE_ASSIGN_H */
