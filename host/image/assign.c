// SPDX-License-Identifier: GPL-2.0-only
/*
 * assign.c - find the owner of each byte of a linked kernel or a module.
 *
 * assign->units has the unit of each piece. Each rule of assign.h is a pass over the pieces that
 * only sets units which are still unknown, so the order of the passes in assign_run() is the
 * precedence of the rules. The rules for tables and strings may instead split a piece into parts.
 * Passes are linear or binary searches in sorted arrays.
 */
#include <ctype.h>
#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "assignment.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"

/*
 * Find the units of bytes without a symbol, by the addresses in a linked kernel.
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

/* Least number of entries of a table. */
#define KMA_ENTRIES_MIN 2
/* Number of entries after which a length is given up if fewer than nine of ten fit. */
#define KMA_ENTRIES_TRIED 64
/* Most bytes without a reference that belong to the text before them. */
#define KMA_STRINGS_GAP 4096

/* Form of the address in an entry: 4 bytes relative to themselves, or 8 bytes absolute. */
enum kma_target_form { KMA_TARGET_REL32, KMA_TARGET_ABS64 };

/* A reference to the first byte of a text. */
struct kma_reference {
	uint64_t addr;	/* of the text */
	uint32_t unit;	/* of the code or data with the reference */
	uint32_t order; /* number in the order in which references were found */
};

struct kma_references {
	struct kma_reference *list;
	size_t nr, alloc;
};

/* A piece without a unit, in which texts may start. */
struct kma_text_region {
	uint64_t addr;		    /* of its first byte */
	uint64_t size;		    /* bytes */
	const unsigned char *bytes; /* contents */
	size_t piece;		    /* index of the piece */
};

struct kma_regions {
	struct kma_text_region *list; /* sorted by address */
	size_t nr;
	uint64_t low, high; /* all regions are in [low, high) */
};

/*
 * Appends a part of @size bytes (0 does nothing) to a split piece, in the order of its bytes. A
 * part with the unit of the part before it is added to that part.
 */
static void targets_part(struct kma_assign *assign, size_t piece, uint32_t unit, uint64_t size)
{
	struct kma_assign_part *last;

	if (!size)
		return;
	assign->split[piece] = true;
	last = assign->nr_parts ? &assign->parts[assign->nr_parts - 1] : NULL;
	if (last && last->piece == piece && last->unit == unit) {
		last->size += size;
		return;
	}
	kma_array_room(assign->parts, assign->nr_parts, assign->alloc_parts);
	assign->parts[assign->nr_parts++] = (struct kma_assign_part){ piece, unit, size };
}

/* Finds the section of an address and its number; NULL: none. */
static const struct kma_binary_section *target_section(const struct kma_assign *assign,
						       uint64_t addr, size_t *ret)
{
	const struct kma_binary *bin = assign->bin;
	size_t low = kma_array_search(bin->nr_sections, i,
				      bin->sections[assign->by_address[i]].addr <= addr);

	if (!low)
		return NULL;
	*ret = assign->by_address[low - 1];
	return addr - bin->sections[*ret].addr < bin->sections[*ret].size ? &bin->sections[*ret] :
									    NULL;
}

/* Unit of the code or the piece at an address. */
static uint32_t target_unit(const struct kma_assign *assign, uint64_t addr)
{
	uint32_t unit = kma_extents_code(assign->ext, addr, 0);
	const struct kma_binary_section *section;
	size_t number, first, nr;

	if (unit != KMA_EXTENT_NONE)
		return unit;
	section = target_section(assign, addr, &number);
	if (!section)
		return KMA_EXTENT_NONE;
	first = assign->first[number];
	nr = kma_array_search(assign->first[number + 1] - first, i,
			      assign->pieces[first + i].at <= addr - section->addr);
	return nr ? assign->units[first + nr - 1] : KMA_EXTENT_NONE;
}

static uint32_t target_u32(const struct kma_assign *assign, const unsigned char *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return assign->bin->big_endian ? be32toh(value) : le32toh(value);
}

static uint64_t target_u64(const struct kma_assign *assign, const unsigned char *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return assign->bin->big_endian ? be64toh(value) : le64toh(value);
}

/* Reads the address at the start of an entry that is at @addr. */
static uint64_t target_read(const struct kma_assign *assign, enum kma_target_form form,
			    uint64_t addr, const unsigned char *bytes)
{
	return form == KMA_TARGET_REL32 ? addr + (int32_t)target_u32(assign, bytes) :
					  target_u64(assign, bytes);
}

/* Contents and address of a piece; NULL if it has no contents. */
static const unsigned char *target_bytes(const struct kma_assign *assign, size_t piece,
					 uint64_t *addr)
{
	const struct kma_piece *p = &assign->pieces[piece];
	const struct kma_binary_section *section = &assign->bin->sections[p->section];
	const unsigned char *bytes = kma_binary_bytes(assign->bin, section);

	*addr = section->addr + p->at;
	return bytes ? bytes + p->at : NULL;
}

/* A piece that may be a table. */
struct kma_entry_table {
	const unsigned char *bytes; /* contents */
	uint64_t addr;		    /* of its first byte */
	uint64_t size;		    /* bytes without the zeros at the end */
	uint64_t stride;	    /* bytes of an entry */
	enum kma_target_form form;
};

static bool table_fits(const struct kma_assign *assign, const struct kma_entry_table *table)
{
	uint64_t width = table->form == KMA_TARGET_REL32 ? 4 : 8, nr = 0, found = 0;

	for (uint64_t at = 0; at + width <= table->size; at += table->stride) {
		uint64_t target =
			target_read(assign, table->form, table->addr + at, table->bytes + at);

		nr++;
		found += target != table->addr + at &&
			 target_unit(assign, target) != KMA_EXTENT_NONE;
		if (nr == KMA_ENTRIES_TRIED && found * 10 < nr * 9)
			return false;
	}
	return nr >= KMA_ENTRIES_MIN && found * 10 >= nr * 9;
}

/* Finds the smallest length of an entry that fits, and the form of its address. */
static bool table_find(const struct kma_assign *assign, struct kma_entry_table *table)
{
	static const unsigned int strides[] = { 4, 8, 12, 14, 16, 20, 24, 32, 40, 48, 56, 64 };

	for (size_t i = 0; i < ARRAY_SIZE(strides); i++)
		for (int form = KMA_TARGET_REL32; form <= KMA_TARGET_ABS64; form++) {
			if (form == KMA_TARGET_ABS64 && (!assign->bin->wide || strides[i] % 8))
				continue;
			table->stride = strides[i];
			table->form = form;
			if (table_fits(assign, table))
				return true;
		}
	return false;
}

/* Splits a piece into the entries of a table. */
static void table_assign(struct kma_assign *assign, size_t piece,
			 const struct kma_entry_table *table)
{
	uint64_t width = table->form == KMA_TARGET_REL32 ? 4 : 8, size = assign->pieces[piece].size;
	uint32_t unit = KMA_EXTENT_NONE;
	uint64_t at = 0;

	for (; at < table->size; at += table->stride) {
		uint32_t found = KMA_EXTENT_NONE;

		if (at + width <= table->size)
			found = target_unit(assign,
					    target_read(assign, table->form, table->addr + at,
							table->bytes + at));
		unit = found == KMA_EXTENT_NONE ? unit : found;
		targets_part(assign, piece, unit,
			     at + table->stride > size ? size - at : table->stride);
	}
	if (at < size)
		targets_part(assign, piece, KMA_EXTENT_NONE, size - at);
}

static void targets_entries(struct kma_assign *assign)
{
	for (size_t i = 0; i < assign->nr; i++) {
		struct kma_entry_table table = { .size = assign->pieces[i].size };

		if (assign->units[i] != KMA_EXTENT_NONE || assign->split[i])
			continue;
		table.bytes = target_bytes(assign, i, &table.addr);
		if (!table.bytes)
			continue;
		/* The linker script may round the size of a table up. */
		while (table.size && !table.bytes[table.size - 1])
			table.size--;
		if (table.size >= KMA_ENTRIES_MIN * 4 && table_find(assign, &table))
			table_assign(assign, i, &table);
	}
}

/* Pairs of tables: entry n of the section @name has the unit of entry n of the section @other. */
static const struct kma_parallel {
	const char *name, *other;
	unsigned int stride, other_stride; /* bytes of an entry */
} kma_parallels[] = {
	{ ".orc_unwind", ".orc_unwind_ip", 6, 4 },
	{ "__kcrctab", "__ksymtab", 4, 12 },
	{ "__kcrctab_gpl", "__ksymtab_gpl", 4, 12 },
};

static size_t target_named(const struct kma_assign *assign, const char *name)
{
	for (size_t i = 0; i < assign->bin->nr_sections; i++)
		if (!strcmp(assign->bin->sections[i].name, name))
			return i;
	return SIZE_MAX;
}

static void parallel_assign(struct kma_assign *assign, const struct kma_parallel *par)
{
	size_t section = target_named(assign, par->name);
	size_t other = target_named(assign, par->other);
	const struct kma_binary_section *from, *to;
	uint32_t unit = KMA_EXTENT_NONE;
	const unsigned char *bytes;
	size_t piece;

	if (section == SIZE_MAX || other == SIZE_MAX)
		return;
	from = &assign->bin->sections[other];
	to = &assign->bin->sections[section];
	bytes = kma_binary_bytes(assign->bin, from);
	piece = assign->first[section];
	/* The section has to be one piece without a unit, with as many entries as the other. */
	if (!bytes || assign->first[section + 1] != piece + 1 || assign->split[piece] ||
	    assign->units[piece] != KMA_EXTENT_NONE ||
	    to->size / par->stride != from->size / par->other_stride)
		return;
	for (uint64_t n = 0; n < to->size / par->stride; n++) {
		uint64_t at = n * par->other_stride;
		uint32_t found = target_unit(assign, target_read(assign, KMA_TARGET_REL32,
								 from->addr + at, bytes + at));

		unit = found == KMA_EXTENT_NONE ? unit : found;
		targets_part(assign, piece, unit, par->stride);
	}
	targets_part(assign, piece, KMA_EXTENT_NONE, to->size % par->stride);
}

static int cmp_region(const void *a, const void *b)
{
	const struct kma_text_region *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* May a section have strings of units? Only if it is of strings, or a piece of it has a unit. */
static bool target_is_owned(const struct kma_assign *assign, size_t section)
{
	if (assign->bin->sections[section].strings)
		return true;
	for (size_t i = assign->first[section]; i < assign->first[section + 1]; i++)
		if (assign->units[i] != KMA_EXTENT_NONE)
			return true;
	return false;
}

static void regions_find(const struct kma_assign *assign, struct kma_regions *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->list = kma_xmalloc((assign->nr + 1) * sizeof(*ret->list));
	for (size_t i = 0; i < assign->nr; i++) {
		struct kma_text_region region = { .size = assign->pieces[i].size, .piece = i };

		if (assign->units[i] != KMA_EXTENT_NONE || assign->split[i])
			continue;
		region.bytes = target_bytes(assign, i, &region.addr);
		/* Per-CPU data starts at address 0: each small number would be a reference to it. */
		if (region.bytes && assign->bin->sections[assign->pieces[i].section].addr &&
		    target_is_owned(assign, assign->pieces[i].section))
			ret->list[ret->nr++] = region;
	}
	if (!ret->nr)
		return;
	qsort(ret->list, ret->nr, sizeof(*ret->list), cmp_region);
	ret->low = ret->list[0].addr;
	ret->high = ret->list[ret->nr - 1].addr + ret->list[ret->nr - 1].size;
}

/* Length of the text that starts at an offset, with its zero; 0: no text starts there. */
static uint64_t text_len(const struct kma_text_region *region, uint64_t at)
{
	uint64_t len = 0;

	if (at && region->bytes[at - 1])
		return 0;
	for (; at + len < region->size && region->bytes[at + len]; len++) {
		unsigned char c = region->bytes[at + len];

		/* '\001' is KERN_SOH, which starts the level of a message. */
		if (c < 0x80 && !isprint(c) && !isspace(c) && c != '\001' && c != '\033' &&
		    c != '\b')
			return 0;
	}
	return at + len < region->size ? len + 1 : 0;
}

static const struct kma_text_region *region_at(const struct kma_regions *regions, uint64_t addr)
{
	size_t low = kma_array_search(regions->nr, i, regions->list[i].addr <= addr);

	return low && addr - regions->list[low - 1].addr < regions->list[low - 1].size ?
		       &regions->list[low - 1] :
		       NULL;
}

/* Adds a reference if the word at @from, of a known unit, leads to the start of a text at @addr. */
static void references_try(const struct kma_assign *assign, const struct kma_regions *regions,
			   uint64_t from, uint64_t addr, struct kma_references *refs)
{
	const struct kma_text_region *region;
	uint32_t unit;

	if (addr < regions->low || addr >= regions->high)
		return;
	region = region_at(regions, addr);
	if (!region || !text_len(region, addr - region->addr))
		return;
	unit = target_unit(assign, from);
	if (unit == KMA_EXTENT_NONE)
		return;
	kma_array_room(refs->list, refs->nr, refs->alloc);
	refs->list[refs->nr] = (struct kma_reference){ addr, unit, refs->nr };
	refs->nr++;
}

/* Tries each offset in code of x86-64, where an address is 32 bits, sign-extended. */
static void references_code(const struct kma_assign *assign, const struct kma_regions *regions,
			    const struct kma_binary_section *section, const unsigned char *bytes,
			    struct kma_references *refs)
{
	for (uint64_t at = 0; at + 4 <= section->size; at++) {
		uint64_t addr = (int64_t)(int32_t)target_u32(assign, bytes + at);

		if (addr - regions->low < regions->high - regions->low)
			references_try(assign, regions, section->addr + at, addr, refs);
	}
}

/* Tries aligned words of data: addresses of 8 bytes, and of 4 relative to themselves. */
static void references_data(const struct kma_assign *assign, const struct kma_regions *regions,
			    const struct kma_binary_section *section, const unsigned char *bytes,
			    struct kma_references *refs)
{
	for (uint64_t at = 0; at + 4 <= section->size; at += 4) {
		uint64_t from = section->addr + at;

		references_try(assign, regions, from,
			       target_read(assign, KMA_TARGET_REL32, from, bytes + at), refs);
		if (assign->bin->wide && !(at % 8) && at + 8 <= section->size)
			references_try(assign, regions, from,
				       target_read(assign, KMA_TARGET_ABS64, from, bytes + at),
				       refs);
	}
}

static int cmp_reference(const void *a, const void *b)
{
	const struct kma_reference *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Collects the references. Code comes first: a function that uses a text owns it before a table. */
static void references_find(const struct kma_assign *assign, const struct kma_regions *regions,
			    struct kma_references *refs)
{
	const struct kma_binary *bin = assign->bin;

	for (int exec = 1; exec >= 0; exec--)
		for (size_t i = 0; i < bin->nr_sections; i++) {
			const struct kma_binary_section *section = &bin->sections[i];
			const unsigned char *bytes = kma_binary_bytes(bin, section);

			if (!bytes || section->exec != exec)
				continue;
			if (!exec)
				references_data(assign, regions, section, bytes, refs);
			else if (bin->x86_64)
				references_code(assign, regions, section, bytes, refs);
		}
	if (refs->nr)
		qsort(refs->list, refs->nr, sizeof(*refs->list), cmp_reference);
}

/* Splits a region at the texts with references, which are sorted by address. */
static void strings_assign(struct kma_assign *assign, const struct kma_text_region *region,
			   const struct kma_reference *refs, size_t nr)
{
	uint64_t done = 0;
	uint32_t unit = KMA_EXTENT_NONE;

	for (size_t i = 0; i < nr; i++) {
		uint64_t at = refs[i].addr - region->addr, len;

		if (at < done)
			continue;
		len = text_len(region, at);
		while (at + len < region->size && !region->bytes[at + len])
			len++;
		targets_part(assign, region->piece,
			     at - done <= KMA_STRINGS_GAP ? unit : KMA_EXTENT_NONE, at - done);
		unit = refs[i].unit;
		targets_part(assign, region->piece, unit, len);
		done = at + len;
	}
	if (region->size - done > KMA_STRINGS_GAP)
		unit = KMA_EXTENT_NONE;
	targets_part(assign, region->piece, unit, region->size - done);
}

static void targets_strings(struct kma_assign *assign)
{
	struct kma_references refs = { 0 };
	struct kma_regions regions;
	size_t next = 0;

	regions_find(assign, &regions);
	if (regions.nr)
		references_find(assign, &regions, &refs);
	for (size_t i = 0; i < regions.nr; i++) {
		const struct kma_text_region *region = &regions.list[i];
		size_t from;

		while (next < refs.nr && refs.list[next].addr < region->addr)
			next++;
		from = next;
		while (next < refs.nr && refs.list[next].addr - region->addr < region->size)
			next++;
		if (next > from)
			strings_assign(assign, region, &refs.list[from], next - from);
	}
	free(regions.list);
	free(refs.list);
}

/* Splits pieces without a unit by the addresses in tables and to strings, if an answer is found. */
static void targets_assign(struct kma_assign *assign)
{
	if (assign->bin->relocatable)
		return;
	targets_entries(assign);
	for (size_t i = 0; i < ARRAY_SIZE(kma_parallels); i++)
		parallel_assign(assign, &kma_parallels[i]);
	targets_strings(assign);
}

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
static void assign_nobits(struct kma_binary *bin)
{
	bool debug = false;

	for (size_t i = 0; i < bin->nr_sections; i++)
		debug |= bin->sections[i].exec && bin->sections[i].nobits;
	for (size_t i = 0; debug && i < bin->nr_sections; i++)
		bin->sections[i].nobits = !strncmp(bin->sections[i].name, ".bss", 4) ||
					  !strncmp(bin->sections[i].name, ".brk", 4);
}

static uint64_t assign_key(const struct kma_assign *assign, size_t piece)
{
	const struct kma_piece *p = &assign->pieces[piece];
	const struct kma_binary_section *section = &assign->bin->sections[p->section];

	return kma_extents_key(assign->bin->relocatable, section->index, section->addr + p->at);
}

static uint32_t assign_symbol_unit(const struct kma_assign *assign,
				   const struct kma_binary_symbol *symbol)
{
	uint64_t key = kma_extents_key(assign->bin->relocatable, symbol->section, symbol->value);
	uint32_t unit = kma_extents_code(assign->ext, key, 0);

	return unit != KMA_EXTENT_NONE ? unit : kma_extents_data(assign->ext, key, 1);
}

/* Rules "code" and "variable": sets the units by the addresses of the debugging information. */
static void assign_extents(struct kma_assign *assign)
{
	for (size_t i = 0; i < assign->nr; i++) {
		const struct kma_piece *piece = &assign->pieces[i];
		uint64_t key = assign_key(assign, i);

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

static int cmp_named(const void *a, const void *b)
{
	const struct kma_binary_symbol *x = *(const struct kma_binary_symbol *const *)a;
	const struct kma_binary_symbol *y = *(const struct kma_binary_symbol *const *)b;
	int cmp = strcmp(x->name, y->name);

	return cmp ? cmp : x->local - y->local;
}

/* Finds a symbol by name, a global one if there is one; NULL: none. */
static const struct kma_binary_symbol *assign_named(const struct kma_binary_symbol *const *by_name,
						    size_t nr, const char *name)
{
	size_t low = kma_array_search(nr, i, strcmp(by_name[i]->name, name) < 0);

	return low < nr && !strcmp(by_name[low]->name, name) ? by_name[low] : NULL;
}

/* Finds the unit of the symbol for which the symbol @name was made. */
static uint32_t assign_made(const struct kma_assign *assign,
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
		symbol = assign_named(by_name, assign->bin->nr_symbols, other);
		unit = symbol ? assign_symbol_unit(assign, symbol) : KMA_EXTENT_NONE;
		if (unit != KMA_EXTENT_NONE || depth == KMA_ASSIGN_MADE)
			return unit;
		return assign_made(assign, by_name, other, depth + 1);
	}
	return KMA_EXTENT_NONE;
}

/* Rule "name": a symbol that was made for another symbol gets the unit of that symbol. */
static void assign_names(struct kma_assign *assign)
{
	_cleanup_free_ const struct kma_binary_symbol **by_name = NULL;
	size_t nr = assign->bin->nr_symbols;

	by_name = kma_xmalloc((nr + 1) * sizeof(*by_name));
	for (size_t i = 0; i < nr; i++)
		by_name[i] = &assign->bin->symbols[i];
	qsort(by_name, nr, sizeof(*by_name), cmp_named);
	for (size_t i = 0; i < assign->nr; i++)
		if (assign->units[i] == KMA_EXTENT_NONE && assign->pieces[i].symbol)
			assign->units[i] = assign_made(assign, by_name, assign->pieces[i].name, 1);
}

static const char *assign_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Rule "local symbol": in the table of symbols, local symbols follow the STT_FILE symbol of their
 * unit. A group of them has the unit of its first symbol with a unit whose file has the same name.
 */
static void assign_locals(struct kma_assign *assign)
{
	const struct kma_binary *bin = assign->bin;
	_cleanup_free_ uint32_t *groups = kma_xmalloc((bin->nr_units + 1) * sizeof(*groups));

	memset(groups, 0xff, (bin->nr_units + 1) * sizeof(*groups));
	for (size_t i = 0; i < bin->nr_symbols; i++) {
		const struct kma_binary_symbol *symbol = &bin->symbols[i];
		uint32_t unit;

		if (!symbol->unit || groups[symbol->unit] != KMA_EXTENT_NONE)
			continue;
		unit = assign_symbol_unit(assign, symbol);
		if (unit != KMA_EXTENT_NONE && !strcmp(assign_base(assign->ext->files[unit]),
						       assign_base(bin->units[symbol->unit - 1])))
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
static bool assign_is_section(const struct kma_assign *assign, size_t piece)
{
	const struct kma_piece *p = &assign->pieces[piece];

	return p->size == assign->bin->sections[p->section].size &&
	       (!p->symbol || !p->symbol->size);
}

/*
 * Is a piece fill? Linkers and assemblers fill gaps with zeros and trap or no-op instructions. In a
 * section without contents, bytes without a symbol are fill: linker scripts align with them.
 */
static bool assign_is_fill(const struct kma_assign *assign, size_t piece)
{
	const struct kma_piece *p = &assign->pieces[piece];
	const struct kma_binary_section *section = &assign->bin->sections[p->section];
	const unsigned char *bytes = kma_binary_bytes(assign->bin, section);

	if ((p->symbol && p->symbol->size) || assign_is_section(assign, piece))
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
static const char *assign_known_row(const struct kma_assign *assign, size_t piece)
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
static bool assign_is_open(const struct kma_assign *assign, size_t piece)
{
	return assign->units[piece] == KMA_EXTENT_NONE && !assign->split[piece] &&
	       !assign_known_row(assign, piece);
}

/* Unit of the first bytes of a piece, or with @tail of its last bytes. */
static uint32_t assign_end(const struct kma_assign *assign, const uint32_t *tails, size_t piece,
			   bool tail)
{
	if (!assign->split[piece])
		return assign->units[piece];
	return tails[2 * piece + tail];
}

/* Assigns the runs of pieces without an owner in one section. */
static void assign_between(struct kma_assign *assign, const uint32_t *tails, size_t section)
{
	size_t first = assign->first[section], end = assign->first[section + 1], next;

	for (size_t i = first; i < end; i = next) {
		uint32_t before, after;

		next = i + 1;
		if (!assign_is_open(assign, i))
			continue;
		while (next < end && assign_is_open(assign, next))
			next++;
		before = i > first ? assign_end(assign, tails, i - 1, true) : KMA_EXTENT_NONE;
		after = next < end ? assign_end(assign, tails, next, false) : KMA_EXTENT_NONE;
		if (before == after) {
			for (size_t k = i; k < next; k++)
				assign->units[k] = before;
			continue;
		}
		for (size_t k = next;
		     k-- > i && assign->pieces[k].size < KMA_FILL_MAX && assign_is_fill(assign, k);)
			assign->units[k] = after;
	}
}

/* Rule "neighbour". @tails has the first and the last unit of each split piece. */
static void assign_neighbours(struct kma_assign *assign)
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
		assign_between(assign, tails, i);
}

static int cmp_section_number(const void *a, const void *b, void *arg)
{
	const struct kma_binary_section *sections = arg;
	const struct kma_binary_section *x = &sections[*(const uint32_t *)a];
	const struct kma_binary_section *y = &sections[*(const uint32_t *)b];

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* Allocates the arrays by piece and by section, and sorts the sections by address. */
static void assign_index(struct kma_assign *assign)
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
	qsort_r(assign->by_address, nr, sizeof(*assign->by_address), cmp_section_number,
		assign->bin->sections);
}

static struct kma_err *assign_run(struct kma_assign *assign)
{
	struct kma_err *err;

	err = kma_binary_open(AT_FDCWD, kma_image_path(assign->image), true, &assign->bin);
	if (err)
		return err;
	assign_nobits(assign->bin);
	err = kma_extents_create(assign->image, &assign->ext);
	if (err)
		return err;
	kma_pieces_cut(assign->bin, &assign->pieces, &assign->nr);
	assign_index(assign);
	assign_extents(assign);
	assign_names(assign);
	targets_assign(assign);
	assign_locals(assign);
	assign_neighbours(assign);
	return NULL;
}

struct kma_err *kma_assign_create(const struct kma_image *image, struct kma_assign **ret)
{
	struct kma_assign *assign = kma_xcalloc(1, sizeof(*assign));
	struct kma_err *err;

	assign->image = image;
	err = kma_image_rename(image, assign_run(assign));
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
	const char *known = assign_known_row(assign, piece);

	if (known)
		return known;
	if (assign_is_fill(assign, piece))
		return "[alignment]";
	if (p->symbol && !assign_is_section(assign, piece))
		return "[no source file]";
	snprintf(buf, KMA_ASSIGN_ROW_MAX, "[%s]", section->name);
	return buf;
}
