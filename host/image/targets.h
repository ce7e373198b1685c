/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * targets.h - find the units of bytes without a symbol, by the addresses in a linked kernel.
 *
 *	entries		Tables such as __mcount_loc, __bug_table and .orc_unwind_ip have an
 *			entry for each place in the code. An entry starts with the address of the
 *			place: 4 bytes relative to themselves, or 8 bytes. The length of an entry
 *			is the smallest for which nine of ten entries lead to bytes whose unit is
 *			known. Tables are recognised by this test, not by their names.
 *	parallel	Entry n of .orc_unwind has the unit of entry n of .orc_unwind_ip. The
 *			pairs of such tables are listed by name.
 *	strings		The linker merges strings, so they have no symbol. A string belongs to the
 *			unit with the first reference to its first byte, in code before data.
 *			References are addresses in data, and on x86-64 any 32 bits in code. A
 *			word that only looks like a reference has no effect unless a text starts
 *			at the address.
 *
 * Files without contents (of objcopy --only-keep-debug) and modules, whose addresses the loader
 * fills in, are not changed.
 */
#ifndef KMA_IMAGE_TARGETS_H
#define KMA_IMAGE_TARGETS_H

#include "assignment.h"

/**
 * kma_targets_assign() - split pieces without a unit by the addresses in tables and to strings
 * @assign: the pieces; pieces for which an answer is found are split into parts
 */
void kma_targets_assign(struct kma_assign *assign);

/**
 * kma_targets_part() - append a part to a split piece
 * @assign: the pieces
 * @piece: index of the piece; its parts are added in the order of their bytes
 * @unit: unit of the part, or KMA_EXTENT_NONE
 * @size: bytes; 0 does nothing
 *
 * A part with the unit of the part before it is added to that part.
 */
void kma_targets_part(struct kma_assign *assign, size_t piece, uint32_t unit, uint64_t size);

#endif /* KMA_IMAGE_TARGETS_H */
