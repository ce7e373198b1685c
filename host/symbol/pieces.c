// SPDX-License-Identifier: GPL-2.0-only
/*
 * pieces.c - cut the sections of an object at its symbols.
 *
 * Symbols are sorted by section, address and size, largest first, and walked once. @at is the first
 * byte without an owner: a symbol gets the bytes from there to its end, and a symbol that ends
 * before it is an alias or a part of an earlier one.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "pieces.h"

/* State while the symbols are walked in order. */
struct kma_cut {
	const struct kma_binary *bin;
	struct kma_piece *pieces;
	size_t nr;
	size_t section;			       /* index of the current section */
	const struct kma_binary_symbol *label; /* symbol without a size that owns what follows */
	uint64_t at;			       /* all bytes before this offset have an owner */
};

static int cmp_symbol(const void *a, const void *b)
{
	const struct kma_binary_symbol *x = *(const struct kma_binary_symbol *const *)a;
	const struct kma_binary_symbol *y = *(const struct kma_binary_symbol *const *)b;
	int cmp = (x->section > y->section) - (x->section < y->section);

	if (!cmp)
		cmp = (x->value > y->value) - (x->value < y->value);
	if (!cmp) /* the largest first: it covers the others */
		cmp = (x->size < y->size) - (x->size > y->size);
	if (!cmp)
		cmp = x->local - y->local;
	if (!cmp)
		cmp = x->weak - y->weak;
	return cmp ? cmp : strcmp(x->name, y->name);
}

static void cut_add(struct kma_cut *cut, const struct kma_binary_symbol *symbol, const char *name,
		    uint64_t size)
{
	if (!size)
		return;
	cut->pieces[cut->nr++] = (struct kma_piece){
		.name = symbol ? symbol->name :
			name   ? name :
				 cut->bin->sections[cut->section].name,
		.size = size,
		.section = cut->section,
		.at = cut->at,
		.symbol = symbol,
		.local = symbol && symbol->local,
		.section_name = !symbol && !name,
	};
}

/* Give the bytes before @end to the label, or name them. @align: that of what follows at @end. */
static void cut_gap(struct kma_cut *cut, uint64_t end, uint64_t align)
{
	const struct kma_binary_section *section = &cut->bin->sections[cut->section];
	uint64_t size = end - cut->at;

	if (cut->label)
		cut_add(cut, cut->label, NULL, size);
	else if (section->merge)
		cut_add(cut, NULL, section->strings ? KMA_PIECE_STRINGS : KMA_PIECE_CONSTANTS,
			size);
	else
		cut_add(cut, NULL, cut->at && size < align ? KMA_PIECE_PADDING : NULL, size);
	cut->at = end;
}

/* The alignment that an offset has, at most that of its section. */
static uint64_t cut_align(const struct kma_cut *cut, uint64_t value)
{
	uint64_t align = cut->bin->sections[cut->section].align, shown = value & -value;

	return shown && shown < align ? shown : align;
}

static void cut_symbol(struct kma_cut *cut, const struct kma_binary_symbol *symbol)
{
	const struct kma_binary_section *section = &cut->bin->sections[cut->section];
	uint64_t value = symbol->value - section->addr, end;

	if (value >= section->size)
		return; /* a symbol at the end of the section, which covers no byte */
	end = symbol->size < section->size - value ? value + symbol->size : section->size;
	if (value > cut->at)
		cut_gap(cut, value, cut_align(cut, value));
	if (!symbol->size) {
		/* A label inside another symbol's bytes does not own them. */
		if (value == cut->at && !cut->label)
			cut->label = symbol;
		else if (value == cut->at && cut->label->value != symbol->value)
			cut->label = symbol;
		return;
	}
	if (end <= cut->at)
		return; /* an alias, or a part of an earlier symbol */
	cut->label = NULL;
	cut_add(cut, symbol, NULL, end - cut->at);
	cut->at = end;
}

/* Add the common symbols, which have no position. */
static void cut_common(struct kma_cut *cut, const struct kma_binary_symbol *const *symbols,
		       size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (symbols[i]->section == KMA_COMMON)
			cut_add(cut, symbols[i], NULL, symbols[i]->size);
}

void kma_pieces_cut(const struct kma_binary *bin, struct kma_piece **ret, size_t *nr)
{
	_cleanup_free_ const struct kma_binary_symbol **symbols = NULL;
	struct kma_cut cut = { .bin = bin };
	size_t next = 0;

	/* Each symbol makes at most one piece and one gap. */
	symbols = kma_xmalloc((bin->nr_symbols + 1) * sizeof(*symbols));
	cut.pieces =
		kma_xmalloc((2 * bin->nr_symbols + bin->nr_sections + 1) * sizeof(*cut.pieces));
	for (size_t i = 0; i < bin->nr_symbols; i++)
		symbols[i] = &bin->symbols[i];
	qsort(symbols, bin->nr_symbols, sizeof(*symbols), cmp_symbol);
	for (; cut.section < bin->nr_sections; cut.section++) {
		const struct kma_binary_section *section = &bin->sections[cut.section];

		if (section->index == KMA_COMMON) {
			cut_common(&cut, symbols, bin->nr_symbols);
			continue;
		}
		cut.at = 0;
		cut.label = NULL;
		while (next < bin->nr_symbols && symbols[next]->section < section->index)
			next++;
		for (; next < bin->nr_symbols && symbols[next]->section == section->index; next++)
			cut_symbol(&cut, symbols[next]);
		if (cut.at < section->size)
			cut_gap(&cut, section->size, section->align);
	}
	*ret = cut.pieces;
	*nr = cut.nr;
}

/* Is this part of a section's name a kind of section, and not a symbol? */
static bool section_is_kind(const char *suffix)
{
	static const char *const kinds[] = { "hot",   "unlikely", "startup",	 "exit", "unknown",
					     "fixup", "asan",	  "tsan",	 "once", "rel",
					     "str",   "cst",	  "page_aligned" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t len = strlen(kinds[i]);

		if (!strncmp(suffix, kinds[i], len) && (!suffix[len] || suffix[len] == '.' ||
							(suffix[len] >= '0' && suffix[len] <= '9')))
			return true;
	}
	return *suffix == '.'; /* two dots: the kernel's own sections */
}

size_t kma_section_family(const char *name)
{
	static const char *const families[] = { ".text",      ".rodata",      ".data",
						".bss",	      ".init.text",   ".init.data",
						".exit.text", ".init.rodata", ".ARM.exidx",
						".ARM.extab" };
	size_t plus = strcspn(name, "+");

	if (name[plus])
		return plus;
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		size_t len = strlen(families[i]);

		if (!strncmp(name, families[i], len) && name[len] == '.' &&
		    !section_is_kind(name + len + 1))
			return len;
	}
	return plus;
}
