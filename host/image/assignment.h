/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assignment.h - the pieces of a file and their units, for assign.c.
 *
 * A piece (symbol/pieces.h) is a range of bytes of a section with one name, usually a symbol. A
 * unit is a compilation unit of the debugging information; its number is an index into ext->files.
 * A piece has one unit, or is split: then parts have its bytes, in order, each with a unit.
 */
#ifndef KMA_IMAGE_ASSIGNMENT_H
#define KMA_IMAGE_ASSIGNMENT_H

#include "symbol/binary.h"
#include "symbol/extents.h"
#include "symbol/image.h"
#include "symbol/pieces.h"

/* Consecutive bytes of a split piece that belong to one unit. */
struct kma_assign_part {
	size_t piece;  /* index of the piece */
	uint32_t unit; /* KMA_EXTENT_NONE: unknown */
	uint64_t size; /* bytes, more than 0 */
};

/* The state of a search for the units of all pieces of a file. */
struct kma_assign {
	const struct kma_image *image;
	struct kma_binary *bin;	       /* sections and symbols */
	struct kma_extents *ext;       /* addresses of functions and variables, with their units */
	struct kma_piece *pieces;      /* by section, then by offset */
	size_t nr;		       /* number of @pieces */
	uint32_t *units;	       /* unit of each piece; KMA_EXTENT_NONE: unknown */
	bool *split;		       /* of each piece: its units are in @parts */
	size_t *first;		       /* first piece of each section, and @nr at the end */
	uint32_t *by_address;	       /* section numbers, sorted by address */
	struct kma_assign_part *parts; /* parts of one piece are neighbours, in order of bytes */
	size_t nr_parts, alloc_parts;
};

#endif /* KMA_IMAGE_ASSIGNMENT_H */
