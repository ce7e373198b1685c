// SPDX-License-Identifier: GPL-2.0-only
/*
 * extents.c - units of code and variables. Each thread of the walk (unit-walk.h) has lists of its
 * own, which are merged and sorted at the end.
 */
#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "extents.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "srcpath.h"
#include "unit-walk.h"

/* Nesting of namespaces that is followed (Rust). */
#define KMA_EXTENTS_DEPTH 8

struct kma_extent_list {
	struct kma_extent *list;
	size_t nr, alloc;
};

/* Where a section of a module lies in the address space that libdwfl assigns. */
struct kma_extent_place {
	uint64_t addr;
	uint64_t size;
	uint32_t section;
};

/* The main file of a unit. */
struct kma_extent_unit {
	uint32_t number;
	const char *file; /* text in the walker's arena */
};

/* One thread, and what it has found. */
struct kma_extent_walker {
	struct kma_extent_place *places; /* of a module; NULL for a linked kernel */
	size_t nr_places;
	struct kma_arena texts;
	struct kma_extent_unit *units;
	size_t nr_units, alloc_units;
	struct kma_extent_list code, data;
};

static int cmp_extent(const void *a, const void *b)
{
	const struct kma_extent *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->unit > y->unit) - (x->unit < y->unit);
}

static void extent_list_add(struct kma_extent_list *list, struct kma_extent extent)
{
	kma_array_room(list->list, list->nr, list->alloc);
	list->list[list->nr++] = extent;
}

/* Convert an address to a position. In a module false is returned if no section has the address. */
static bool extent_key_at(const struct kma_extent_walker *walker, uint64_t addr, uint64_t *ret)
{
	if (!walker->places) {
		*ret = addr;
		return true;
	}
	for (size_t i = 0; i < walker->nr_places; i++)
		if (addr >= walker->places[i].addr &&
		    addr - walker->places[i].addr < walker->places[i].size) {
			*ret = kma_extents_key(true, walker->places[i].section,
					       addr - walker->places[i].addr);
			return true;
		}
	return false;
}

static void extent_ranges(struct kma_extent_walker *walker, uint32_t number, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	uint64_t key;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		if (end > start && extent_key_at(walker, start, &key))
			extent_list_add(&walker->code,
					(struct kma_extent){ key, key + (end - start), number });
}

static void extent_variable(struct kma_extent_walker *walker, uint32_t number, Dwarf_Die *die)
{
	Dwarf_Attribute attr, where;
	uint64_t addr, key;
	Dwarf_Op *ops;
	size_t nr;

	if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &nr) || !nr)
		return;
	if (ops->atom == DW_OP_addr)
		addr = ops->number;
	else if ((ops->atom != DW_OP_addrx && ops->atom != DW_OP_GNU_addr_index) ||
		 dwarf_getlocation_attr(&attr, ops, &where) || dwarf_formaddr(&where, &addr))
		return;
	if (!extent_key_at(walker, addr, &key))
		return;
	extent_list_add(&walker->data, (struct kma_extent){ key, key + 1, number });
}

static void extent_children(struct kma_extent_walker *walker, uint32_t number, Dwarf_Die *die,
			    unsigned int depth)
{
	Dwarf_Die child;

	if (depth == KMA_EXTENTS_DEPTH || dwarf_child(die, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_variable:
			extent_variable(walker, number, &child);
			break;
		case DW_TAG_namespace:
			extent_children(walker, number, &child, depth + 1);
			break;
		default:
			break;
		}
	} while (!dwarf_siblingof(&child, &child));
}

static void extent_file(struct kma_extent_walker *walker, uint32_t number, const char *name,
			Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *dir;
	char *file;

	kma_array_room(walker->units, walker->nr_units, walker->alloc_units);
	file = kma_arena_text(&walker->texts, name, strlen(name));
	dir = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attr));
	kma_srcpath_normalise(file);
	kma_srcpath_strip_dir(file, dir);
	walker->units[walker->nr_units++] = (struct kma_extent_unit){ number, file };
}

static struct kma_err *extent_unit(void *thread, uint32_t number, Dwarf_Die *die, Dwarf_Die *split)
{
	struct kma_extent_walker *walker = thread;
	const char *name = dwarf_diename(split) ?: dwarf_diename(die);

	/* the name of a unit of DWARF 5 may be in a split part that was not found */
	if (!name && die->addr == split->addr && dwarf_tag(die) != DW_TAG_compile_unit)
		return NULL;
	extent_file(walker, number, name ?: "", die);
	extent_ranges(walker, number, die);
	extent_children(walker, number, split, 0);
	return NULL;
}

/* Notes where libdwfl has put the sections of a module. */
static struct kma_err *extent_place(void *thread, struct Elf *elf, uint64_t bias)
{
	struct kma_extent_walker *walker = thread;
	Elf_Scn *scn = NULL;
	size_t nr;

	if (elf_getshdrnum(elf, &nr))
		nr = 0;
	walker->places = kma_xcalloc(nr + 1, sizeof(*walker->places));
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr hdr;

		if (gelf_getshdr(scn, &hdr) && hdr.sh_flags & SHF_ALLOC && hdr.sh_size)
			walker->places[walker->nr_places++] =
				(struct kma_extent_place){ hdr.sh_addr + bias, hdr.sh_size,
							   elf_ndxscn(scn) };
	}
	return NULL;
}

static void extent_list_merge(const struct kma_extent_list *from, struct kma_extent **to,
			      size_t *nr)
{
	struct kma_extent *grown = kma_xrealloc(*to, *nr + from->nr + 1, sizeof(*grown));

	*to = grown;
	if (from->nr)
		memcpy(grown + *nr, from->list, from->nr * sizeof(*grown));
	*nr += from->nr;
}

static void extents_merge(struct kma_extents *ext, const struct kma_extent_walker *walker)
{
	for (size_t i = 0; i < walker->nr_units; i++)
		ext->files[walker->units[i].number] = kma_xstrdup(walker->units[i].file);
	extent_list_merge(&walker->code, &ext->code, &ext->nr_code);
	extent_list_merge(&walker->data, &ext->data, &ext->nr_data);
}

/* Sort all, and make the names relative to the top of the source, all at once (srcpath.h). */
static void extents_finish(struct kma_extents *ext)
{
	for (size_t i = 0; i < ext->nr_files; i++)
		if (!ext->files[i])
			ext->files[i] = kma_xstrdup("");
	if (ext->nr_code)
		qsort(ext->code, ext->nr_code, sizeof(*ext->code), cmp_extent);
	if (ext->nr_data)
		qsort(ext->data, ext->nr_data, sizeof(*ext->data), cmp_extent);
	kma_srcpath_relative(ext->files, ext->nr_files);
}

static void extents_collect(struct kma_extents *ext, const struct kma_extent_walker *walkers,
			    unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		for (size_t k = 0; k < walkers[i].nr_units; k++)
			if (walkers[i].units[k].number >= ext->nr_files)
				ext->nr_files = walkers[i].units[k].number + 1;
	ext->files = kma_xcalloc(ext->nr_files + 1, sizeof(*ext->files));
	for (unsigned int i = 0; i < nr; i++)
		extents_merge(ext, &walkers[i]);
	extents_finish(ext);
}

struct kma_err *kma_extents_create(const struct kma_image *image, struct kma_extents **ret)
{
	struct kma_extent_walker walkers[KMA_UNIT_THREADS] = { 0 };
	struct kma_extents *ext = kma_xcalloc(1, sizeof(*ext));
	struct kma_unit_walk walk = {
		.image = image,
		.nr_threads = kma_unit_threads(image),
		.place = extent_place,
		.unit = extent_unit,
	};
	struct kma_err *err;

	for (unsigned int i = 0; i < walk.nr_threads; i++) {
		kma_arena_init(&walkers[i].texts);
		walk.threads[i] = &walkers[i];
	}
	err = kma_unit_walk(&walk);
	ext->missing = walk.missing;
	if (!err)
		extents_collect(ext, walkers, walk.nr_threads);
	for (unsigned int i = 0; i < walk.nr_threads; i++) {
		kma_arena_deinit(&walkers[i].texts);
		free(walkers[i].places);
		free(walkers[i].units);
		free(walkers[i].code.list);
		free(walkers[i].data.list);
	}
	if (err) {
		kma_extents_destroy(ext);
		return err;
	}
	*ret = ext;
	return NULL;
}

void kma_extents_destroy(struct kma_extents *ext)
{
	if (!ext)
		return;
	for (size_t i = 0; ext->files && i < ext->nr_files; i++)
		free(ext->files[i]);
	free(ext->files);
	free(ext->code);
	free(ext->data);
	free(ext);
}

/* The last extent that begins at or before a position; NULL if there is none. */
static const struct kma_extent *extent_before(const struct kma_extent *list, size_t nr,
					      uint64_t key)
{
	size_t low = kma_array_search(nr, i, list[i].start <= key);

	return low ? &list[low - 1] : NULL;
}

/* The unit of the first extent that begins within @size bytes from @key on. */
static uint32_t extent_within(const struct kma_extent *list, size_t nr, uint64_t key, uint64_t size)
{
	const struct kma_extent *found, *end = list + nr;

	if (!size)
		return KMA_EXTENT_NONE;
	found = key ? extent_before(list, nr, key - 1) : NULL;
	found = found ? found + 1 : list;
	return found < end && found->start - key < size ? found->unit : KMA_EXTENT_NONE;
}

uint32_t kma_extents_code(const struct kma_extents *ext, uint64_t key, uint64_t size)
{
	const struct kma_extent *found = extent_before(ext->code, ext->nr_code, key);

	if (found && key < found->end)
		return found->unit;
	return extent_within(ext->code, ext->nr_code, key, size);
}

uint32_t kma_extents_data(const struct kma_extents *ext, uint64_t key, uint64_t size)
{
	return extent_within(ext->data, ext->nr_data, key, size);
}
