/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pieces.h - the sections of an object cut at its symbols, so that each byte has an
 * owner. Pieces of a section add up to its size.
 *
 * A byte is that of the symbol that covers it; of several that do, the one that begins
 * first, of aliases a global one. What no symbol covers:
 *
 *	after a symbol without a size	is that symbol's, up to the next
 *	less than the next one's alignment, after a symbol	"[padding]"
 *	strings, constants that may be merged	"[strings]", "[constants]"
 *	other	"[NAME]", the section's name
 */
#ifndef KMA_SYMBOL_PIECES_H
#define KMA_SYMBOL_PIECES_H

#include "binary.h"

#define KMA_PIECE_PADDING   "[padding]"
#define KMA_PIECE_STRINGS   "[strings]"
#define KMA_PIECE_CONSTANTS "[constants]"

struct kma_piece {
	const char *name; /* of a symbol: stays with the file; of a section, without brackets */
	uint64_t size;	  /* more than 0 */
	size_t section;	  /* place in the file's sections */
	uint64_t at;	  /* offset in the section; of common symbols 0 */
	const struct kma_binary_symbol *symbol; /* that has the bytes, or NULL */
	bool local;				/* a symbol that other files may have, too */
	bool section_name;			/* no symbol: @name is the section's */
};

/**
 * kma_pieces_cut() - cut all sections of a file
 * @bin: opened with its symbols
 * @ret: pieces by section and place, to be freed by the caller
 * @nr: how many
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_pieces_cut(const struct kma_binary *bin, struct kma_piece **ret, size_t *nr);

/**
 * kma_section_family() - the name of a section without that of its only symbol
 * @name: of a section: ".text.foo", "___ksymtab+foo", ".text.unlikely"
 *
 * -ffunction-sections and -fdata-sections give each symbol a section.
 *
 * Return: how many bytes of @name to keep: 5, 10, all.
 */
size_t kma_section_family(const char *name);

#endif /* KMA_SYMBOL_PIECES_H */
