// SPDX-License-Identifier: GPL-2.0-only
/*
 * units.c - addresses of functions and variables, and the units that they were compiled in.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "srcpath.h"
#include "unit-walk.h"
#include "units.h"

/* Nesting of blocks that is followed; deeper blocks have no static variables. */
#define KMA_UNITS_DEPTH 64
/* References that are followed from a generated entry to its original. */
#define KMA_UNITS_HOPS 8

/* A unit. */
struct kma_dwarf_unit {
	Dwarf_Off offset; /* of its entry in .debug_info */
	size_t file;	  /* index in kma_units.files */
};

/* A function or variable that begins at an address. */
struct kma_unit_entry {
	uint64_t addr;
	size_t file; /* index in kma_units.files */
};

struct kma_units {
	char **files;		      /* one for each unit: its main file */
	struct kma_dwarf_unit *units; /* sorted by offset */
	size_t nr_units, alloc_units;
	struct kma_unit_entry *entries; /* sorted by address once all were read */
	size_t nr, alloc;
	uint64_t missing; /* units that are corrupt or not in the file */
	bool corrupt;	  /* the unit that is read has an entry that cannot be read */
};

static int kma_cmp_unit(const void *a, const void *b)
{
	const struct kma_dwarf_unit *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static int kma_cmp_unit_entry(const void *a, const void *b)
{
	const struct kma_unit_entry *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static void kma_units_add_entry(struct kma_units *units, uint64_t addr, size_t file)
{
	kma_array_room(units->entries, units->nr, units->alloc);
	units->entries[units->nr++] = (struct kma_unit_entry){ addr, file };
}

/* The unit in which an entry was originally written. */
static const struct kma_dwarf_unit *kma_units_origin(const struct kma_units *units, Dwarf_Die *die)
{
	struct kma_dwarf_unit key = { 0 };
	Dwarf_Die at = *die, next, unit;
	Dwarf_Attribute attr;

	for (unsigned int hop = 0; hop < KMA_UNITS_HOPS; hop++) {
		if ((!dwarf_attr(&at, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(&at, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, &next))
			break;
		at = next;
	}
	if (!dwarf_diecu(&at, &unit, NULL, NULL))
		return NULL;
	key.offset = dwarf_dieoffset(&unit);
	return bsearch(&key, units->units, units->nr_units, sizeof(key), kma_cmp_unit);
}

static void kma_units_function(struct kma_units *units, Dwarf_Die *die)
{
	const struct kma_dwarf_unit *unit = kma_units_origin(units, die);
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (unit && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		kma_units_add_entry(units, start, unit->file);
}

/* Get the address of a variable that has the same one in the whole function or unit. */
static bool kma_units_address(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attr, where;
	Dwarf_Op *ops;
	size_t nr;

	if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &nr) ||
	    nr != 1)
		return false;
	if (ops->atom == DW_OP_addr) {
		*ret = ops->number;
		return true;
	}
	return (ops->atom == DW_OP_addrx || ops->atom == DW_OP_GNU_addr_index) &&
	       !dwarf_getlocation_attr(&attr, ops, &where) && !dwarf_formaddr(&where, ret);
}

static void kma_units_variable(struct kma_units *units, Dwarf_Die *die)
{
	const struct kma_dwarf_unit *unit;
	uint64_t addr;

	if (!kma_units_address(die, &addr))
		return;
	unit = kma_units_origin(units, die);
	if (unit)
		kma_units_add_entry(units, addr, unit->file);
}

/* Read the entries below an entry. Unreadable ones count their unit as corrupt. */
static void kma_units_children(struct kma_units *units, Dwarf_Die *die, unsigned int depth)
{
	Dwarf_Die child;
	int ret = depth == KMA_UNITS_DEPTH ? 1 : dwarf_child(die, &child);

	while (!ret) {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			kma_units_function(units, &child);
			kma_units_children(units, &child, depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
			kma_units_children(units, &child, depth + 1);
			break;
		case DW_TAG_variable:
			kma_units_variable(units, &child);
			break;
		default:
			break;
		}
		ret = dwarf_siblingof(&child, &child);
	}
	units->corrupt |= ret < 0;
}

/* Add a unit and its main file, as the compiler was given it. */
static void kma_units_add_unit(struct kma_units *units, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die) ?: "", *dir;
	Dwarf_Attribute attr;

	if (units->nr_units == units->alloc_units) {
		size_t alloc = units->alloc_units ? 2 * units->alloc_units : 256;
		struct kma_dwarf_unit *list = kma_xrealloc(units->units, alloc, sizeof(*list));
		char **files;

		if (list)
			units->units = list;
		files = kma_xrealloc(units->files, alloc, sizeof(*files));
		if (files)
			units->files = files;
		units->alloc_units = alloc;
	}
	units->files[units->nr_units] = kma_xstrdup(name);
	dir = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attr));
	kma_srcpath_normalise(units->files[units->nr_units]);
	kma_srcpath_strip_dir(units->files[units->nr_units], dir);
	units->units[units->nr_units] =
		(struct kma_dwarf_unit){ dwarf_dieoffset(die), units->nr_units };
	units->nr_units++;
}

/*
 * Split debugging information (.dwo) has offsets of its own, to which no entry of another unit
 * refers. Compilers do not write it with link-time optimisation: such a unit counts as missing.
 */
static struct kma_err *kma_units_file_of(void *thread, uint32_t number, Dwarf_Die *die,
					 Dwarf_Die *split)
{
	struct kma_units *units = thread;

	(void)number;
	units->missing += split != die;
	if (dwarf_tag(die) == DW_TAG_compile_unit)
		kma_units_add_unit(units, die);
	return NULL;
}

static struct kma_err *kma_units_entries_of(void *thread, uint32_t number, Dwarf_Die *die,
					    Dwarf_Die *split)
{
	struct kma_units *units = thread;

	(void)number;
	(void)split;
	if (dwarf_tag(die) != DW_TAG_compile_unit)
		return NULL;
	units->corrupt = false;
	kma_units_children(units, die, 0);
	units->missing += units->corrupt;
	return NULL;
}

/* An object file has no addresses that a section could move. */
static struct kma_err *kma_units_place(void *thread, struct Elf *elf, uint64_t bias)
{
	(void)thread;
	(void)elf;
	(void)bias;
	return NULL;
}

/* Read all units first, because entries refer to units before and after their own. */
static struct kma_err *kma_units_read(struct kma_units *units, const struct kma_image *image)
{
	struct kma_unit_walk walk = {
		.image = image,
		.nr_threads = 1,
		.threads = { units },
		.place = kma_units_place,
		.unit = kma_units_file_of,
	};
	struct kma_err *err;

	err = kma_unit_walk(&walk);
	units->missing += walk.missing;
	if (!err)
		kma_srcpath_relative(units->files, units->nr_units);
	if (units->nr_units)
		qsort(units->units, units->nr_units, sizeof(*units->units), kma_cmp_unit);
	walk.unit = kma_units_entries_of;
	if (!err)
		err = kma_unit_walk(&walk);
	if (units->nr)
		qsort(units->entries, units->nr, sizeof(*units->entries), kma_cmp_unit_entry);
	return err;
}

struct kma_err *kma_units_create(const char *path, struct kma_units **ret)
{
	struct kma_units *units;
	struct kma_image *image;
	struct kma_err *err;
	bool have = false;

	*ret = NULL;
	err = kma_image_open(path, &image);
	if (err)
		return err;
	err = kma_image_dwarf(image, &have);
	if (!err && have) {
		units = kma_xcalloc(1, sizeof(*units));
		err = kma_units_read(units, image);
		if (err)
			kma_units_destroy(units);
		else
			*ret = units;
	}
	kma_image_close(image);
	return err;
}

void kma_units_destroy(struct kma_units *units)
{
	if (!units)
		return;
	for (size_t i = 0; i < units->nr_units; i++)
		free(units->files[i]);
	free(units->files);
	free(units->units);
	free(units->entries);
	free(units);
}

const char *kma_units_file(const struct kma_units *units, uint64_t addr)
{
	struct kma_unit_entry key = { .addr = addr };
	const struct kma_unit_entry *found;

	found = bsearch(&key, units->entries, units->nr, sizeof(key), kma_cmp_unit_entry);
	return found ? units->files[found->file] : NULL;
}

uint64_t kma_units_missing(const struct kma_units *units)
{
	return units->missing;
}
