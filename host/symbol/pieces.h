/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pieces.h - cut the sections of an object at its symbols, so that each byte has one owner. The
 * pieces of a section add up to its size.
 *
 * A byte belongs to the symbol that covers it. If several do, it belongs to the one that begins
 * first; among aliases, to a global one. Bytes that no symbol covers belong to
 *
 *	the symbol before them, if that has no size	up to the next symbol
 *	"[padding]"	after a symbol, if shorter than the alignment of the next one
 *	"[strings]", "[constants]"	in sections that the linker may merge
 *	"[NAME]"	otherwise, with the name of the section
 */
#ifndef KMA_SYMBOL_PIECES_H
#define KMA_SYMBOL_PIECES_H

#include "binary.h"

#define KMA_PIECE_PADDING   "[padding]"
#define KMA_PIECE_STRINGS   "[strings]"
#define KMA_PIECE_CONSTANTS "[constants]"

struct kma_piece {
	const char *name; /* of the symbol, valid as long as the file; or of the section */
	uint64_t size;	  /* bytes, more than 0 */
	size_t section;	  /* index in the file's @sections */
	uint64_t at;	  /* offset in the section; 0 for common symbols */
	const struct kma_binary_symbol *symbol; /* owner of the bytes, or NULL */
	bool local;				/* a symbol whose name other files may have, too */
	bool section_name;			/* no owner: @name is that of the section */
};

/*
 * Cuts all sections of a file that was opened with its symbols. The pieces are sorted by section
 * and offset, and freed by the caller.
 */
void kma_pieces_cut(const struct kma_binary *bin, struct kma_piece **ret, size_t *nr);

/*
 * Bytes of the name of a section without the symbol, if it has only that one: 5 for ".text.foo", 10
 * for "___ksymtab+foo", all for ".text.unlikely". -ffunction-sections and -fdata-sections give each
 * symbol a section.
 */
size_t kma_section_family(const char *name);

#endif /* KMA_SYMBOL_PIECES_H */
