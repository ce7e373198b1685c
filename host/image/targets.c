// SPDX-License-Identifier: GPL-2.0-only
/*
 * targets.c - find the units of bytes without a symbol, by the addresses in a linked kernel.
 *
 * Tables: each piece without a unit is tried as a table with 12 lengths of an entry and two forms
 * of an address. A length is given up after KMA_ENTRIES_TRIED entries, so a piece that is not a
 * table is cheap. An entry whose address leads nowhere gets the unit of the entry before it.
 *
 * Strings: the remaining pieces are regions in which texts may start. All words of code and data
 * that are addresses within a region and lead to the start of a printable text are collected, 16
 * bytes each, and sorted by address, then in the order in which they were found. The first
 * reference to each text decides. Zeros after a text belong to it; unreferenced bytes, up to
 * KMA_STRINGS_GAP, belong to the text before them.
 */
#include <ctype.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "targets.h"

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

void kma_targets_part(struct kma_assign *assign, size_t piece, uint32_t unit, uint64_t size)
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
static const struct kma_binary_section *kma_target_section(const struct kma_assign *assign,
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
static uint32_t kma_target_unit(const struct kma_assign *assign, uint64_t addr)
{
	uint32_t unit = kma_extents_code(assign->ext, addr, 0);
	const struct kma_binary_section *section;
	size_t number, first, nr;

	if (unit != KMA_EXTENT_NONE)
		return unit;
	section = kma_target_section(assign, addr, &number);
	if (!section)
		return KMA_EXTENT_NONE;
	first = assign->first[number];
	nr = kma_array_search(assign->first[number + 1] - first, i,
			      assign->pieces[first + i].at <= addr - section->addr);
	return nr ? assign->units[first + nr - 1] : KMA_EXTENT_NONE;
}

static uint32_t kma_target_u32(const struct kma_assign *assign, const unsigned char *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return assign->bin->big_endian ? be32toh(value) : le32toh(value);
}

static uint64_t kma_target_u64(const struct kma_assign *assign, const unsigned char *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return assign->bin->big_endian ? be64toh(value) : le64toh(value);
}

/* Reads the address at the start of an entry that is at @addr. */
static uint64_t kma_target_read(const struct kma_assign *assign, enum kma_target_form form,
				uint64_t addr, const unsigned char *bytes)
{
	return form == KMA_TARGET_REL32 ? addr + (int32_t)kma_target_u32(assign, bytes) :
					  kma_target_u64(assign, bytes);
}

/* Contents and address of a piece; NULL if it has no contents. */
static const unsigned char *kma_target_bytes(const struct kma_assign *assign, size_t piece,
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

static bool kma_table_fits(const struct kma_assign *assign, const struct kma_entry_table *table)
{
	uint64_t width = table->form == KMA_TARGET_REL32 ? 4 : 8, nr = 0, found = 0;

	for (uint64_t at = 0; at + width <= table->size; at += table->stride) {
		uint64_t target =
			kma_target_read(assign, table->form, table->addr + at, table->bytes + at);

		nr++;
		found += target != table->addr + at &&
			 kma_target_unit(assign, target) != KMA_EXTENT_NONE;
		if (nr == KMA_ENTRIES_TRIED && found * 10 < nr * 9)
			return false;
	}
	return nr >= KMA_ENTRIES_MIN && found * 10 >= nr * 9;
}

/* Finds the smallest length of an entry that fits, and the form of its address. */
static bool kma_table_find(const struct kma_assign *assign, struct kma_entry_table *table)
{
	static const unsigned int strides[] = { 4, 8, 12, 14, 16, 20, 24, 32, 40, 48, 56, 64 };

	for (size_t i = 0; i < ARRAY_SIZE(strides); i++)
		for (int form = KMA_TARGET_REL32; form <= KMA_TARGET_ABS64; form++) {
			if (form == KMA_TARGET_ABS64 && (!assign->bin->wide || strides[i] % 8))
				continue;
			table->stride = strides[i];
			table->form = form;
			if (kma_table_fits(assign, table))
				return true;
		}
	return false;
}

/* Splits a piece into the entries of a table. */
static void kma_table_assign(struct kma_assign *assign, size_t piece,
			     const struct kma_entry_table *table)
{
	uint64_t width = table->form == KMA_TARGET_REL32 ? 4 : 8, size = assign->pieces[piece].size;
	uint32_t unit = KMA_EXTENT_NONE;
	uint64_t at = 0;

	for (; at < table->size; at += table->stride) {
		uint32_t found = KMA_EXTENT_NONE;

		if (at + width <= table->size)
			found = kma_target_unit(assign, kma_target_read(assign, table->form,
									table->addr + at,
									table->bytes + at));
		unit = found == KMA_EXTENT_NONE ? unit : found;
		kma_targets_part(assign, piece, unit,
				 at + table->stride > size ? size - at : table->stride);
	}
	if (at < size)
		kma_targets_part(assign, piece, KMA_EXTENT_NONE, size - at);
}

static void kma_targets_entries(struct kma_assign *assign)
{
	for (size_t i = 0; i < assign->nr; i++) {
		struct kma_entry_table table = { .size = assign->pieces[i].size };

		if (assign->units[i] != KMA_EXTENT_NONE || assign->split[i])
			continue;
		table.bytes = kma_target_bytes(assign, i, &table.addr);
		if (!table.bytes)
			continue;
		/* The linker script may round the size of a table up. */
		while (table.size && !table.bytes[table.size - 1])
			table.size--;
		if (table.size >= KMA_ENTRIES_MIN * 4 && kma_table_find(assign, &table))
			kma_table_assign(assign, i, &table);
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

static size_t kma_target_named(const struct kma_assign *assign, const char *name)
{
	for (size_t i = 0; i < assign->bin->nr_sections; i++)
		if (!strcmp(assign->bin->sections[i].name, name))
			return i;
	return SIZE_MAX;
}

static void kma_parallel_assign(struct kma_assign *assign, const struct kma_parallel *par)
{
	size_t section = kma_target_named(assign, par->name);
	size_t other = kma_target_named(assign, par->other);
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
		uint32_t found =
			kma_target_unit(assign, kma_target_read(assign, KMA_TARGET_REL32,
								from->addr + at, bytes + at));

		unit = found == KMA_EXTENT_NONE ? unit : found;
		kma_targets_part(assign, piece, unit, par->stride);
	}
	kma_targets_part(assign, piece, KMA_EXTENT_NONE, to->size % par->stride);
}

static int kma_cmp_region(const void *a, const void *b)
{
	const struct kma_text_region *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

/* May a section have strings of units? Only if it is of strings, or a piece of it has a unit. */
static bool kma_target_is_owned(const struct kma_assign *assign, size_t section)
{
	if (assign->bin->sections[section].strings)
		return true;
	for (size_t i = assign->first[section]; i < assign->first[section + 1]; i++)
		if (assign->units[i] != KMA_EXTENT_NONE)
			return true;
	return false;
}

static void kma_regions_find(const struct kma_assign *assign, struct kma_regions *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->list = kma_xmalloc((assign->nr + 1) * sizeof(*ret->list));
	for (size_t i = 0; i < assign->nr; i++) {
		struct kma_text_region region = { .size = assign->pieces[i].size, .piece = i };

		if (assign->units[i] != KMA_EXTENT_NONE || assign->split[i])
			continue;
		region.bytes = kma_target_bytes(assign, i, &region.addr);
		/* Per-CPU data starts at address 0: each small number would be a reference to it. */
		if (region.bytes && assign->bin->sections[assign->pieces[i].section].addr &&
		    kma_target_is_owned(assign, assign->pieces[i].section))
			ret->list[ret->nr++] = region;
	}
	if (!ret->nr)
		return;
	qsort(ret->list, ret->nr, sizeof(*ret->list), kma_cmp_region);
	ret->low = ret->list[0].addr;
	ret->high = ret->list[ret->nr - 1].addr + ret->list[ret->nr - 1].size;
}

/* Length of the text that starts at an offset, with its zero; 0: no text starts there. */
static uint64_t kma_text_len(const struct kma_text_region *region, uint64_t at)
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

static const struct kma_text_region *kma_region_at(const struct kma_regions *regions, uint64_t addr)
{
	size_t low = kma_array_search(regions->nr, i, regions->list[i].addr <= addr);

	return low && addr - regions->list[low - 1].addr < regions->list[low - 1].size ?
		       &regions->list[low - 1] :
		       NULL;
}

/* Adds a reference if the word at @from, of a known unit, leads to the start of a text at @addr. */
static void kma_references_try(const struct kma_assign *assign, const struct kma_regions *regions,
			       uint64_t from, uint64_t addr, struct kma_references *refs)
{
	const struct kma_text_region *region;
	uint32_t unit;

	if (addr < regions->low || addr >= regions->high)
		return;
	region = kma_region_at(regions, addr);
	if (!region || !kma_text_len(region, addr - region->addr))
		return;
	unit = kma_target_unit(assign, from);
	if (unit == KMA_EXTENT_NONE)
		return;
	kma_array_room(refs->list, refs->nr, refs->alloc);
	refs->list[refs->nr] = (struct kma_reference){ addr, unit, refs->nr };
	refs->nr++;
}

/* Tries each offset in code of x86-64, where an address is 32 bits, sign-extended. */
static void kma_references_code(const struct kma_assign *assign, const struct kma_regions *regions,
				const struct kma_binary_section *section,
				const unsigned char *bytes, struct kma_references *refs)
{
	for (uint64_t at = 0; at + 4 <= section->size; at++) {
		uint64_t addr = (int64_t)(int32_t)kma_target_u32(assign, bytes + at);

		if (addr - regions->low < regions->high - regions->low)
			kma_references_try(assign, regions, section->addr + at, addr, refs);
	}
}

/* Tries aligned words of data: addresses of 8 bytes, and of 4 relative to themselves. */
static void kma_references_data(const struct kma_assign *assign, const struct kma_regions *regions,
				const struct kma_binary_section *section,
				const unsigned char *bytes, struct kma_references *refs)
{
	for (uint64_t at = 0; at + 4 <= section->size; at += 4) {
		uint64_t from = section->addr + at;

		kma_references_try(assign, regions, from,
				   kma_target_read(assign, KMA_TARGET_REL32, from, bytes + at),
				   refs);
		if (assign->bin->wide && !(at % 8) && at + 8 <= section->size)
			kma_references_try(
				assign, regions, from,
				kma_target_read(assign, KMA_TARGET_ABS64, from, bytes + at), refs);
	}
}

static int kma_cmp_reference(const void *a, const void *b)
{
	const struct kma_reference *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Collects the references. Code comes first: a function that uses a text owns it before a table. */
static void kma_references_find(const struct kma_assign *assign, const struct kma_regions *regions,
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
				kma_references_data(assign, regions, section, bytes, refs);
			else if (bin->x86_64)
				kma_references_code(assign, regions, section, bytes, refs);
		}
	if (refs->nr)
		qsort(refs->list, refs->nr, sizeof(*refs->list), kma_cmp_reference);
}

/* Splits a region at the texts with references, which are sorted by address. */
static void kma_strings_assign(struct kma_assign *assign, const struct kma_text_region *region,
			       const struct kma_reference *refs, size_t nr)
{
	uint64_t done = 0;
	uint32_t unit = KMA_EXTENT_NONE;

	for (size_t i = 0; i < nr; i++) {
		uint64_t at = refs[i].addr - region->addr, len;

		if (at < done)
			continue;
		len = kma_text_len(region, at);
		while (at + len < region->size && !region->bytes[at + len])
			len++;
		kma_targets_part(assign, region->piece,
				 at - done <= KMA_STRINGS_GAP ? unit : KMA_EXTENT_NONE, at - done);
		unit = refs[i].unit;
		kma_targets_part(assign, region->piece, unit, len);
		done = at + len;
	}
	if (region->size - done > KMA_STRINGS_GAP)
		unit = KMA_EXTENT_NONE;
	kma_targets_part(assign, region->piece, unit, region->size - done);
}

static void kma_targets_strings(struct kma_assign *assign)
{
	struct kma_references refs = { 0 };
	struct kma_regions regions;
	size_t next = 0;

	kma_regions_find(assign, &regions);
	if (regions.nr)
		kma_references_find(assign, &regions, &refs);
	for (size_t i = 0; i < regions.nr; i++) {
		const struct kma_text_region *region = &regions.list[i];
		size_t from;

		while (next < refs.nr && refs.list[next].addr < region->addr)
			next++;
		from = next;
		while (next < refs.nr && refs.list[next].addr - region->addr < region->size)
			next++;
		if (next > from)
			kma_strings_assign(assign, region, &refs.list[from], next - from);
	}
	free(regions.list);
	free(refs.list);
}

void kma_targets_assign(struct kma_assign *assign)
{
	if (assign->bin->relocatable)
		return;
	kma_targets_entries(assign);
	for (size_t i = 0; i < ARRAY_SIZE(kma_parallels); i++)
		kma_parallel_assign(assign, &kma_parallels[i]);
	kma_targets_strings(assign);
}
