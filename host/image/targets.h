/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * targets.h - units of bytes without a symbol, by the addresses in a linked kernel.
 *
 *	entries		Tables such as __mcount_loc, __bug_table and .orc_unwind_ip have an
 *			entry for each place in the code, which begins with the address of
 *			the place: 4 bytes relative to themselves, or 8 bytes. The length of
 *			an entry is the smallest for which nine of ten entries lead to
 *			something whose unit is known. No table is known by its name.
 *	parallel	Entry n of .orc_unwind is that of entry n of .orc_unwind_ip.
 *	strings		The linker merges strings, so they have no symbol. A string is of the
 *			unit that has the first reference to its first byte. References are
 *			addresses in data, and on x86-64 32 bits anywhere in code. A word that
 *			only looks like a reference is of no effect unless a text begins where
 *			it leads.
 *
 * Files that hold no contents (of objcopy --only-keep-debug) and modules, whose addresses
 * are not filled in, are left as they are.
 */
#ifndef KMA_IMAGE_TARGETS_H
#define KMA_IMAGE_TARGETS_H

#include "assignment.h"

/**
 * kma_targets_assign() - find units by addresses
 * @assign: the pieces; units and parts of pieces without a unit are set
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_targets_assign(struct kma_assign *assign);

/**
 * kma_targets_part() - give a part of a piece to a unit
 * @assign: the pieces
 * @piece: number of the piece; parts come in the order of their bytes
 * @unit: the unit, or KMA_EXTENT_NONE
 * @size: bytes; 0 does nothing
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_targets_part(struct kma_assign *assign, size_t piece, uint32_t unit,
				 uint64_t size);

#endif /* KMA_IMAGE_TARGETS_H */
