/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assign.h - finds the owner of each byte of a linked kernel or a module, only by its debugging
 * information and symbols. The rules, the first that fits:
 *
 *	code		the unit whose ranges cover it
 *	variable	the unit whose variable begins there
 *	name		what EXPORT_SYMBOL() and objtool make for a symbol is that symbol's
 *	table		an entry that begins with the address of something is that thing's
 *			(targets.h)
 *	string		the first place that refers to it (targets.h)
 *	local symbol	the unit that the other local symbols of its STT_FILE are in, if the
 *			names agree
 *	neighbour	bytes between two of one unit are that unit's, fill before a symbol is the
 *			symbol's
 *
 * What no rule has an answer for is in a row in brackets: "[alignment]", "[kallsyms]",
 * "[.BTF]" for a section that no unit has anything of, else "[no source file]". In a module
 * these rows lie in the directory that its units share.
 */
#ifndef KMA_IMAGE_ASSIGN_H
#define KMA_IMAGE_ASSIGN_H

#include "assignment.h"

/* A name in brackets, terminated; the names of longer sections are cut. */
#define KMA_ASSIGN_ROW_MAX 128

/**
 * kma_assign_create() - find the unit of each byte of a file
 * @image: the file, with debugging information
 * @ret: pieces, units and parts
 *
 * Return: NULL; or an error that names the file: damaged.
 */
struct kma_err *kma_assign_create(const struct kma_image *image, struct kma_assign **ret);

/**
 * kma_assign_destroy() - free it
 * @assign: from kma_assign_create(); NULL is fine
 */
void kma_assign_destroy(struct kma_assign *assign);

/**
 * kma_assign_row() - the row of a piece without a unit
 * @assign: the pieces
 * @piece: number of the piece
 *
 * @buf: for the name
 *
 * Return: a name in brackets, constant or in @buf.
 */
const char *kma_assign_row(const struct kma_assign *assign, size_t piece,
			   char buf[KMA_ASSIGN_ROW_MAX]);

#endif /* KMA_IMAGE_ASSIGN_H */
