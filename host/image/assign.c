// SPDX-License-Identifier: GPL-2.0-only
/*
 * assign.c - find the owner of each byte of a linked kernel or a module.
 *
 * assign->units has the unit of each piece. Each rule of assign.h is a pass over the pieces that
 * only sets units which are still unknown, so the order of the passes in kma_assign_run() is the
 * precedence of the rules. The rules for tables and strings may instead split a piece into parts.
 * Passes are linear or binary searches in sorted arrays.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "targets.h"

/* Fill of this many bytes or more aligns a part of the image, not the symbol after it. */
#define KMA_FILL_MAX 4096

/* Symbols of the linker script and of kbuild, as in linked.c: a name or, with "*", a prefix. */
static const struct kma_assign_known {
	const char *symbol;
	const char *row;
} kma_assign_knowns[] = {
	{ "kallsyms_*", "[kallsyms]" },		 { "__start_init_task", "[init stack]" },
	{ "init_thread_union", "[init stack]" }, { "init_stack", "[init stack]" },
	{ "__brk_base", "[early brk]" },
};

/* Prefixes of symbols that were made for another symbol. */
static const struct kma_assign_prefix {
	const char *prefix;
	const char *instead; /* prefix of the other symbol's name */
} kma_assign_prefixes[] = {
	{ "__ksymtab_", "" },	    { "__kstrtabns_", "" },   { "__kstrtab_", "" },
	{ "__crc_", "" },	    { "__pfx_", "" },	      { "__cfi_", "" },
	{ "__export_symbol_", "" }, { "__SCT__", "__SCK__" },
};

/* How many prefixes a name may have: __ksymtab___SCT__NAME has two. */
#define KMA_ASSIGN_MADE 2

void kma_assign_destroy(struct kma_assign *assign)
{
	if (!assign)
		return;
	kma_binary_close(assign->bin);
	kma_extents_destroy(assign->ext);
	free(assign->pieces);
	free(assign->units);
	free(assign->split);
	free(assign->first);
	free(assign->by_address);
	free(assign->parts);
	free(assign);
}

/*
 * Corrects the sections of a file with debugging information alone (objcopy --only-keep-debug). All
 * its sections are without contents, but only .bss and .brk are so in memory.
 */
static void kma_assign_nobits(struct kma_binary *bin)
{
	bool debug = false;

	for (size_t i = 0; i < bin->nr_sections; i++)
		debug |= bin->sections[i].exec && bin->sections[i].nobits;
	for (size_t i = 0; debug && i < bin->nr_sections; i++)
		bin->sections[i].nobits = !strncmp(bin->sections[i].name, ".bss", 4) ||
					  !strncmp(bin->sections[i].name, ".brk", 4);
}

static uint64_t kma_assign_key(const struct kma_assign *assign, size_t piece)
{
	const struct kma_piece *p = &assign->pieces[piece];
	const struct kma_binary_section *section = &assign->bin->sections[p->section];

	return kma_extents_key(assign->bin->relocatable, section->index, section->addr + p->at);
}

static uint32_t kma_assign_symbol_unit(const struct kma_assign *assign,
				       const struct kma_binary_symbol *symbol)
{
	uint64_t key = kma_extents_key(assign->bin->relocatable, symbol->section, symbol->value);
	uint32_t unit = kma_extents_code(assign->ext, key, 0);

	return unit != KMA_EXTENT_NONE ? unit : kma_extents_data(assign->ext, key, 1);
}

/* Rules "code" and "variable": sets the units by the addresses of the debugging information. */
static void kma_assign_extents(struct kma_assign *assign)
{
	for (size_t i = 0; i < assign->nr; i++) {
		const struct kma_piece *piece = &assign->pieces[i];
		uint64_t key = kma_assign_key(assign, i);

		assign->units[i] = KMA_EXTENT_NONE;
		if (assign->bin->sections[piece->section].index == KMA_COMMON)
			continue;
		/* Code without a symbol may start with fill: a weak function that was replaced. */
		assign->units[i] =
			kma_extents_code(assign->ext, key, piece->symbol ? 0 : piece->size);
		if (assign->units[i] == KMA_EXTENT_NONE)
			assign->units[i] =
				kma_extents_data(assign->ext, key, piece->symbol ? piece->size : 0);
	}
}

static int kma_cmp_named(const void *a, const void *b)
{
	const struct kma_binary_symbol *x = *(const struct kma_binary_symbol *const *)a;
	const struct kma_binary_symbol *y = *(const struct kma_binary_symbol *const *)b;
	int cmp = strcmp(x->name, y->name);

	return cmp ? cmp : x->local - y->local;
}

/* Finds a symbol by name, a global one if there is one; NULL: none. */
static const struct kma_binary_symbol *
kma_assign_named(const struct kma_binary_symbol *const *by_name, size_t nr, const char *name)
{
	size_t low = kma_array_search(nr, i, strcmp(by_name[i]->name, name) < 0);

	return low < nr && !strcmp(by_name[low]->name, name) ? by_name[low] : NULL;
}

/* Finds the unit of the symbol for which the symbol @name was made. */
static uint32_t kma_assign_made(const struct kma_assign *assign,
				const struct kma_binary_symbol *const *by_name, const char *name,
				unsigned int depth)
{
	_cleanup_free_ char *other = NULL;
	const struct kma_binary_symbol *symbol;

	for (size_t i = 0; i < ARRAY_SIZE(kma_assign_prefixes); i++) {
		const struct kma_assign_prefix *made = &kma_assign_prefixes[i];
		size_t len = strlen(made->prefix);
		uint32_t unit;

		if (strncmp(name, made->prefix, len))
			continue;
		other = kma_xasprintf("%s%s", made->instead, name + len);
		symbol = kma_assign_named(by_name, assign->bin->nr_symbols, other);
		unit = symbol ? kma_assign_symbol_unit(assign, symbol) : KMA_EXTENT_NONE;
		if (unit != KMA_EXTENT_NONE || depth == KMA_ASSIGN_MADE)
			return unit;
		return kma_assign_made(assign, by_name, other, depth + 1);
	}
	return KMA_EXTENT_NONE;
}

/* Rule "name": a symbol that was made for another symbol gets the unit of that symbol. */
static void kma_assign_names(struct kma_assign *assign)
{
	_cleanup_free_ const struct kma_binary_symbol **by_name = NULL;
	size_t nr = assign->bin->nr_symbols;

	by_name = kma_xmalloc((nr + 1) * sizeof(*by_name));
	for (size_t i = 0; i < nr; i++)
		by_name[i] = &assign->bin->symbols[i];
	qsort(by_name, nr, sizeof(*by_name), kma_cmp_named);
	for (size_t i = 0; i < assign->nr; i++)
		if (assign->units[i] == KMA_EXTENT_NONE && assign->pieces[i].symbol)
			assign->units[i] =
				kma_assign_made(assign, by_name, assign->pieces[i].name, 1);
}

static const char *kma_assign_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Rule "local symbol": in the table of symbols, local symbols follow the STT_FILE symbol of their
 * unit. A group of them has the unit of its first symbol with a unit whose file has the same name.
 */
static void kma_assign_locals(struct kma_assign *assign)
{
	const struct kma_binary *bin = assign->bin;
	_cleanup_free_ uint32_t *groups = kma_xmalloc((bin->nr_units + 1) * sizeof(*groups));

	memset(groups, 0xff, (bin->nr_units + 1) * sizeof(*groups));
	for (size_t i = 0; i < bin->nr_symbols; i++) {
		const struct kma_binary_symbol *symbol = &bin->symbols[i];
		uint32_t unit;

		if (!symbol->unit || groups[symbol->unit] != KMA_EXTENT_NONE)
			continue;
		unit = kma_assign_symbol_unit(assign, symbol);
		if (unit != KMA_EXTENT_NONE &&
		    !strcmp(kma_assign_base(assign->ext->files[unit]),
			    kma_assign_base(bin->units[symbol->unit - 1])))
			groups[symbol->unit] = unit;
	}
	for (size_t i = 0; i < assign->nr; i++) {
		const struct kma_binary_symbol *symbol = assign->pieces[i].symbol;

		if (assign->units[i] == KMA_EXTENT_NONE && !assign->split[i] && symbol &&
		    symbol->unit)
			assign->units[i] = groups[symbol->unit];
	}
}

/* Is a piece a whole section, with no symbol or only a label without size at its start? */
static bool kma_assign_is_section(const struct kma_assign *assign, size_t piece)
{
	const struct kma_piece *p = &assign->pieces[piece];

	return p->size == assign->bin->sections[p->section].size &&
	       (!p->symbol || !p->symbol->size);
}

/*
 * Is a piece fill? Linkers and assemblers fill gaps with zeros and trap or no-op instructions. In a
 * section without contents, bytes without a symbol are fill: linker scripts align with them.
 */
static bool kma_assign_is_fill(const struct kma_assign *assign, size_t piece)
{
	const struct kma_piece *p = &assign->pieces[piece];
	const struct kma_binary_section *section = &assign->bin->sections[p->section];
	const unsigned char *bytes = kma_binary_bytes(assign->bin, section);

	if ((p->symbol && p->symbol->size) || kma_assign_is_section(assign, piece))
		return false;
	/* Padding between functions may be long no-op instructions: do not compare bytes. */
	if (!bytes || (section->exec && !strcmp(p->name, KMA_PIECE_PADDING)))
		return section->nobits || !strcmp(p->name, KMA_PIECE_PADDING);
	for (uint64_t i = 0; i < p->size; i++)
		if (bytes[p->at + i] && bytes[p->at + i] != 0xcc && bytes[p->at + i] != 0x90)
			return false;
	return true;
}

/* Row of a piece with a symbol of the linker script or of kbuild; NULL: another piece. */
static const char *kma_assign_known_row(const struct kma_assign *assign, size_t piece)
{
	const struct kma_piece *p = &assign->pieces[piece];

	for (size_t i = 0; p->symbol && i < ARRAY_SIZE(kma_assign_knowns); i++) {
		const char *symbol = kma_assign_knowns[i].symbol;
		size_t len = strcspn(symbol, "*");

		if (!strncmp(p->name, symbol, len) && (symbol[len] || !p->name[len]))
			return kma_assign_knowns[i].row;
	}
	return NULL;
}

/* Is a piece still without an owner, so that its neighbours decide? */
static bool kma_assign_is_open(const struct kma_assign *assign, size_t piece)
{
	return assign->units[piece] == KMA_EXTENT_NONE && !assign->split[piece] &&
	       !kma_assign_known_row(assign, piece);
}

/* Unit of the first bytes of a piece, or with @tail of its last bytes. */
static uint32_t kma_assign_end(const struct kma_assign *assign, const uint32_t *tails, size_t piece,
			       bool tail)
{
	if (!assign->split[piece])
		return assign->units[piece];
	return tails[2 * piece + tail];
}

/* Assigns the runs of pieces without an owner in one section. */
static void kma_assign_between(struct kma_assign *assign, const uint32_t *tails, size_t section)
{
	size_t first = assign->first[section], end = assign->first[section + 1], next;

	for (size_t i = first; i < end; i = next) {
		uint32_t before, after;

		next = i + 1;
		if (!kma_assign_is_open(assign, i))
			continue;
		while (next < end && kma_assign_is_open(assign, next))
			next++;
		before = i > first ? kma_assign_end(assign, tails, i - 1, true) : KMA_EXTENT_NONE;
		after = next < end ? kma_assign_end(assign, tails, next, false) : KMA_EXTENT_NONE;
		if (before == after) {
			for (size_t k = i; k < next; k++)
				assign->units[k] = before;
			continue;
		}
		for (size_t k = next; k-- > i && assign->pieces[k].size < KMA_FILL_MAX &&
				      kma_assign_is_fill(assign, k);)
			assign->units[k] = after;
	}
}

/* Rule "neighbour". @tails has the first and the last unit of each split piece. */
static void kma_assign_neighbours(struct kma_assign *assign)
{
	_cleanup_free_ uint32_t *tails = NULL;

	tails = kma_xmalloc((2 * assign->nr + 1) * sizeof(*tails));
	for (size_t i = 0; i < assign->nr_parts; i++) {
		const struct kma_assign_part *part = &assign->parts[i];

		if (!i || part[-1].piece != part->piece)
			tails[2 * part->piece] = part->unit;
		tails[2 * part->piece + 1] = part->unit;
	}
	for (size_t i = 0; i < assign->bin->nr_sections; i++)
		kma_assign_between(assign, tails, i);
}

static int kma_cmp_section_number(const void *a, const void *b, void *arg)
{
	const struct kma_binary_section *sections = arg;
	const struct kma_binary_section *x = &sections[*(const uint32_t *)a];
	const struct kma_binary_section *y = &sections[*(const uint32_t *)b];

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Allocates the arrays by piece and by section, and sorts the sections by address. */
static void kma_assign_index(struct kma_assign *assign)
{
	size_t nr = assign->bin->nr_sections, piece = 0;

	assign->units = kma_xmalloc((assign->nr + 1) * sizeof(*assign->units));
	assign->split = kma_xcalloc(assign->nr + 1, sizeof(*assign->split));
	assign->first = kma_xmalloc((nr + 1) * sizeof(*assign->first));
	assign->by_address = kma_xmalloc((nr + 1) * sizeof(*assign->by_address));
	for (size_t i = 0; i <= nr; i++) {
		while (piece < assign->nr && assign->pieces[piece].section < i)
			piece++;
		assign->first[i] = piece;
	}
	for (size_t i = 0; i < nr; i++)
		assign->by_address[i] = i;
	qsort_r(assign->by_address, nr, sizeof(*assign->by_address), kma_cmp_section_number,
		assign->bin->sections);
}

static struct kma_err *kma_assign_run(struct kma_assign *assign)
{
	struct kma_err *err;

	err = kma_binary_open(AT_FDCWD, kma_image_path(assign->image), true, &assign->bin);
	if (err)
		return err;
	kma_assign_nobits(assign->bin);
	err = kma_extents_create(assign->image, &assign->ext);
	if (err)
		return err;
	kma_pieces_cut(assign->bin, &assign->pieces, &assign->nr);
	kma_assign_index(assign);
	kma_assign_extents(assign);
	kma_assign_names(assign);
	kma_targets_assign(assign);
	kma_assign_locals(assign);
	kma_assign_neighbours(assign);
	return NULL;
}

struct kma_err *kma_assign_create(const struct kma_image *image, struct kma_assign **ret)
{
	struct kma_assign *assign = kma_xcalloc(1, sizeof(*assign));
	struct kma_err *err;

	assign->image = image;
	err = kma_image_rename(image, kma_assign_run(assign));
	if (err) {
		kma_assign_destroy(assign);
		return err;
	}
	*ret = assign;
	return NULL;
}

const char *kma_assign_row(const struct kma_assign *assign, size_t piece,
			   char buf[KMA_ASSIGN_ROW_MAX])
{
	const struct kma_piece *p = &assign->pieces[piece];
	const struct kma_binary_section *section = &assign->bin->sections[p->section];
	const char *known = kma_assign_known_row(assign, piece);

	if (known)
		return known;
	if (kma_assign_is_fill(assign, piece))
		return "[alignment]";
	if (p->symbol && !kma_assign_is_section(assign, piece))
		return "[no source file]";
	snprintf(buf, KMA_ASSIGN_ROW_MAX, "[%s]", section->name);
	return buf;
}
