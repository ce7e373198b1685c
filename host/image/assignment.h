/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * assignment.h - the pieces of a file and their units, for assign.c and targets.c.
 */
#ifndef KMA_IMAGE_ASSIGNMENT_H
#define KMA_IMAGE_ASSIGNMENT_H

#include "symbol/binary.h"
#include "symbol/extents.h"
#include "symbol/image.h"
#include "symbol/pieces.h"

/* A part of a piece that is not the whole piece's unit's. */
struct kma_assign_part {
	size_t piece;
	uint32_t unit;
	uint64_t size;
};

/* The pieces of a file, while their units are looked for. */
struct kma_assign {
	const struct kma_image *image;
	struct kma_binary *bin;
	struct kma_extents *ext;
	struct kma_piece *pieces; /* by section, then by offset */
	size_t nr;
	uint32_t *units;	       /* unit of each piece; KMA_EXTENT_NONE: unknown */
	bool *split;		       /* of each piece: @parts have it */
	size_t *first;		       /* of each section: its first piece; one more at the end */
	uint32_t *by_address;	       /* numbers of the sections; of a linked kernel */
	struct kma_assign_part *parts; /* those of a piece one after the other */
	size_t nr_parts, alloc_parts;
};

#endif /* KMA_IMAGE_ASSIGNMENT_H */
