// SPDX-License-Identifier: GPL-2.0-only
/*
 * extents.c - units of code and variables, read with libdw. A module is read with libdwfl, which
 * relocates it.
 *
 * Each thread opens the file and goes through all units in order, but reads only the units whose
 * number it took from the counter. Results are merged and sorted when all threads have ended.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "extents.h"
#include "inline-walk.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "srcpath.h"

#define KMA_EXTENTS_THREADS 8
/*
 * Units that are read with one handle. libdw keeps what it has read until its handle is closed, and
 * fresh memory costs more than a new handle.
 */
#define KMA_EXTENTS_BATCH 64
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

/* Data that all walkers share. */
struct kma_extent_walk {
	const struct kma_image *image;
	const struct kma_extent_place *places; /* of a module; NULL for a linked kernel */
	size_t nr_places;
	atomic_uint next; /* number of the first unit that no walker has taken */
};

/* One thread, and what it has found. */
struct kma_extent_walker {
	struct kma_extent_walk *walk;
	pthread_t id;
	struct kma_err *err;
	struct kma_arena texts;
	struct kma_extent_unit *units;
	size_t nr_units, alloc_units;
	struct kma_extent_list code, data;
	uint64_t missing;
	uint32_t next; /* number of the unit that this walker reads next */
	bool done;     /* the file has no such unit */
};

static int kma_cmp_extent(const void *a, const void *b)
{
	const struct kma_extent *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->unit > y->unit) - (x->unit < y->unit);
}

static struct kma_err *kma_extent_list_add(struct kma_extent_list *list, struct kma_extent extent)
{
	if (!kma_array_room(list->list, list->nr, list->alloc))
		return &kma_enomem;
	list->list[list->nr++] = extent;
	return NULL;
}

/* Convert an address to a position. In a module false is returned if no section has the address. */
static bool kma_extent_key_at(const struct kma_extent_walk *walk, uint64_t addr, uint64_t *ret)
{
	if (!walk->places) {
		*ret = addr;
		return true;
	}
	for (size_t i = 0; i < walk->nr_places; i++)
		if (addr >= walk->places[i].addr &&
		    addr - walk->places[i].addr < walk->places[i].size) {
			*ret = kma_extents_key(true, walk->places[i].section,
					       addr - walk->places[i].addr);
			return true;
		}
	return false;
}

static struct kma_err *kma_extent_ranges(struct kma_extent_walker *walker, uint32_t number,
					 Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	struct kma_err *err = NULL;
	ptrdiff_t at = 0;
	uint64_t key;

	while (!err && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		if (end > start && kma_extent_key_at(walker->walk, start, &key))
			err = kma_extent_list_add(&walker->code,
						  (struct kma_extent){ key, key + (end - start),
								       number });
	return err;
}

static struct kma_err *kma_extent_variable(struct kma_extent_walker *walker, uint32_t number,
					   Dwarf_Die *die)
{
	Dwarf_Attribute attr, where;
	uint64_t addr, key;
	Dwarf_Op *ops;
	size_t nr;

	if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &nr) || !nr)
		return NULL;
	if (ops->atom == DW_OP_addr)
		addr = ops->number;
	else if ((ops->atom != DW_OP_addrx && ops->atom != DW_OP_GNU_addr_index) ||
		 dwarf_getlocation_attr(&attr, ops, &where) || dwarf_formaddr(&where, &addr))
		return NULL;
	if (!kma_extent_key_at(walker->walk, addr, &key))
		return NULL;
	return kma_extent_list_add(&walker->data, (struct kma_extent){ key, key + 1, number });
}

static struct kma_err *kma_extent_children(struct kma_extent_walker *walker, uint32_t number,
					   Dwarf_Die *die, unsigned int depth)
{
	struct kma_err *err = NULL;
	Dwarf_Die child;

	if (depth == KMA_EXTENTS_DEPTH || dwarf_child(die, &child))
		return NULL;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_variable:
			err = kma_extent_variable(walker, number, &child);
			break;
		case DW_TAG_namespace:
			err = kma_extent_children(walker, number, &child, depth + 1);
			break;
		default:
			break;
		}
	} while (!err && !dwarf_siblingof(&child, &child));
	return err;
}

static struct kma_err *kma_extent_file(struct kma_extent_walker *walker, uint32_t number,
				       Dwarf_Die *die)
{
	const char *name = dwarf_diename(die) ?: "", *dir;
	Dwarf_Attribute attr;
	char *file;

	if (!kma_array_room(walker->units, walker->nr_units, walker->alloc_units))
		return &kma_enomem;
	file = kma_arena_text(&walker->texts, name, strlen(name));
	if (!file)
		return &kma_enomem;
	dir = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attr));
	kma_srcpath_normalise(file);
	kma_srcpath_strip_dir(file, dir);
	walker->units[walker->nr_units++] = (struct kma_extent_unit){ number, file };
	return NULL;
}

static struct kma_err *kma_extent_unit(struct kma_extent_walker *walker, uint32_t number,
				       Dwarf_Die *die)
{
	struct kma_err *err = kma_extent_file(walker, number, die);

	if (!err)
		err = kma_extent_ranges(walker, number, die);
	return err ? err : kma_extent_children(walker, number, die, 0);
}

/* Read units that this walker has taken from the counter, at most @most of them. */
static struct kma_err *kma_extent_units(struct kma_extent_walker *walker, Dwarf *dw,
					unsigned int most)
{
	Dwarf_Die die, split, last = { 0 };
	struct kma_err *err = NULL;
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	uint8_t type;

	for (uint32_t i = 0; !err && most; i++) {
		if (dwarf_get_units(dw, unit, &unit, &version, &type, &die, &split)) {
			walker->done = true;
			walker->missing += kma_walk_is_cut(dw, &last);
			break;
		}
		if (version > 4 || type != DW_UT_type)
			last = die;
		if (i != walker->next)
			continue;
		most--;
		walker->next = atomic_fetch_add(&walker->walk->next, 1);
		if (type == DW_UT_type || dwarf_tag(&die) != DW_TAG_compile_unit)
			continue;
		if (type == DW_UT_skeleton && dwarf_tag(&split) == DW_TAG_invalid)
			walker->missing++;
		err = kma_extent_unit(walker, i, &die);
	}
	return err;
}

static struct kma_err *kma_extent_linked(struct kma_extent_walker *walker, Elf *elf)
{
	const struct kma_image *image = walker->walk->image;
	struct kma_err *err = NULL;

	walker->next = atomic_fetch_add(&walker->walk->next, 1);
	while (!err && !walker->done) {
		Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);

		err = kma_image_units(image, dw) ?: kma_extent_units(walker, dw, KMA_EXTENTS_BATCH);
		dwarf_end(dw);
	}
	return err;
}

static void *kma_extent_thread(void *arg)
{
	struct kma_extent_walker *walker = arg;
	const struct kma_image *image = walker->walk->image;
	int fd = open(kma_image_path(image), O_RDONLY | O_CLOEXEC);
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;

	walker->err = elf ? kma_extent_linked(walker, elf) :
			    kma_err_create_kind(KMA_ERR_NOT_READABLE, kma_image_name(image), 0,
						"cannot open: %s",
						fd < 0 ? strerror(errno) : elf_errmsg(-1));
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* Walker 0 runs in this thread. If a thread cannot be created, the others read its units. */
static struct kma_err *kma_extent_run(struct kma_extent_walker *walkers, unsigned int nr)
{
	bool started[KMA_EXTENTS_THREADS] = { false };
	struct kma_err *err = NULL;

	for (unsigned int i = 1; i < nr; i++)
		started[i] = !pthread_create(&walkers[i].id, NULL, kma_extent_thread, &walkers[i]);
	kma_extent_thread(&walkers[0]);
	for (unsigned int i = 0; i < nr; i++) {
		if (started[i])
			pthread_join(walkers[i].id, NULL);
		if (err)
			kma_err_destroy(walkers[i].err);
		else
			err = walkers[i].err;
	}
	return err;
}

static struct kma_err *kma_extent_places(struct kma_extent_walk *walk, Elf *elf, uint64_t bias,
					 struct kma_extent_place **ret)
{
	Elf_Scn *scn = NULL;
	size_t nr;

	if (elf_getshdrnum(elf, &nr))
		nr = 0;
	*ret = calloc(nr + 1, sizeof(**ret));
	if (!*ret)
		return &kma_enomem;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr hdr;

		if (gelf_getshdr(scn, &hdr) && hdr.sh_flags & SHF_ALLOC && hdr.sh_size)
			(*ret)[walk->nr_places++] = (struct kma_extent_place){ hdr.sh_addr + bias,
									       hdr.sh_size,
									       elf_ndxscn(scn) };
	}
	walk->places = *ret;
	return NULL;
}

static struct kma_err *kma_extent_dwfl(struct kma_extent_walker *walker, Dwfl *dwfl)
{
	const struct kma_image *image = walker->walk->image;
	struct kma_extent_place *places = NULL;
	Dwarf_Addr bias, main_bias;
	struct kma_err *err;
	Dwfl_Module *mod;
	Dwarf *dw;
	Elf *elf;

	dwfl_report_begin(dwfl);
	mod = dwfl_report_offline(dwfl, "module", kma_image_path(image), -1);
	dwfl_report_end(dwfl, NULL, NULL);
	elf = mod ? dwfl_module_getelf(mod, &main_bias) : NULL;
	dw = elf ? dwfl_module_getdwarf(mod, &bias) : NULL;
	if (!dw)
		return kma_err_create_kind(KMA_ERR_DAMAGED, kma_image_name(image), 0,
					   "cannot read its debugging information: %s",
					   dwfl_errmsg(-1));
	err = kma_image_units(image, dw) ?:
		      kma_extent_places(walker->walk, elf, main_bias - bias, &places);
	walker->next = atomic_fetch_add(&walker->walk->next, 1);
	if (!err)
		err = kma_extent_units(walker, dw, UINT32_MAX);
	free(places);
	return err;
}

static struct kma_err *kma_extent_module(struct kma_extent_walker *walker)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	struct kma_err *err;

	if (!dwfl)
		return &kma_enomem;
	err = kma_extent_dwfl(walker, dwfl);
	dwfl_end(dwfl);
	return err;
}

static struct kma_err *kma_extent_list_merge(const struct kma_extent_list *from,
					     struct kma_extent **to, size_t *nr)
{
	struct kma_extent *grown = reallocarray(*to, *nr + from->nr + 1, sizeof(*grown));

	if (!grown)
		return &kma_enomem;
	*to = grown;
	if (from->nr)
		memcpy(grown + *nr, from->list, from->nr * sizeof(*grown));
	*nr += from->nr;
	return NULL;
}

static struct kma_err *kma_extents_merge(struct kma_extents *ext,
					 const struct kma_extent_walker *walker)
{
	struct kma_err *err;

	for (size_t i = 0; i < walker->nr_units; i++) {
		ext->files[walker->units[i].number] = strdup(walker->units[i].file);
		if (!ext->files[walker->units[i].number])
			return &kma_enomem;
	}
	ext->missing += walker->missing;
	err = kma_extent_list_merge(&walker->code, &ext->code, &ext->nr_code);
	return err ? err : kma_extent_list_merge(&walker->data, &ext->data, &ext->nr_data);
}

/* Sort all, and make the names relative to the top of the source, all at once (srcpath.h). */
static struct kma_err *kma_extents_finish(struct kma_extents *ext)
{
	for (size_t i = 0; i < ext->nr_files; i++)
		if (!ext->files[i]) {
			ext->files[i] = strdup("");
			if (!ext->files[i])
				return &kma_enomem;
		}
	if (ext->nr_code)
		qsort(ext->code, ext->nr_code, sizeof(*ext->code), kma_cmp_extent);
	if (ext->nr_data)
		qsort(ext->data, ext->nr_data, sizeof(*ext->data), kma_cmp_extent);
	return kma_srcpath_relative(ext->files, ext->nr_files);
}

static struct kma_err *kma_extents_collect(struct kma_extents *ext,
					   const struct kma_extent_walker *walkers, unsigned int nr)
{
	struct kma_err *err = NULL;

	for (unsigned int i = 0; i < nr; i++)
		for (size_t k = 0; k < walkers[i].nr_units; k++)
			if (walkers[i].units[k].number >= ext->nr_files)
				ext->nr_files = walkers[i].units[k].number + 1;
	ext->files = calloc(ext->nr_files + 1, sizeof(*ext->files));
	if (!ext->files)
		return &kma_enomem;
	for (unsigned int i = 0; i < nr && !err; i++)
		err = kma_extents_merge(ext, &walkers[i]);
	return err ? err : kma_extents_finish(ext);
}

struct kma_err *kma_extents_create(const struct kma_image *image, struct kma_extents **ret)
{
	struct kma_extent_walker walkers[KMA_EXTENTS_THREADS] = { 0 };
	struct kma_extents *ext = calloc(1, sizeof(*ext));
	struct kma_extent_walk walk = { .image = image };
	bool module = kma_image_relocatable(image);
	int cpus = get_nprocs();
	struct kma_err *err;
	unsigned int nr;

	if (!ext)
		return &kma_enomem;
	nr = module || cpus < 1 ? 1 : cpus > KMA_EXTENTS_THREADS ? KMA_EXTENTS_THREADS : cpus;
	for (unsigned int i = 0; i < nr; i++) {
		walkers[i].walk = &walk;
		kma_arena_init(&walkers[i].texts);
	}
	err = module ? kma_extent_module(&walkers[0]) : kma_extent_run(walkers, nr);
	if (!err)
		err = kma_extents_collect(ext, walkers, nr);
	for (unsigned int i = 0; i < nr; i++) {
		kma_arena_deinit(&walkers[i].texts);
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
static const struct kma_extent *kma_extent_before(const struct kma_extent *list, size_t nr,
						  uint64_t key)
{
	size_t low = kma_array_search(nr, i, list[i].start <= key);

	return low ? &list[low - 1] : NULL;
}

/* The unit of the first extent that begins within @size bytes from @key on. */
static uint32_t kma_extent_within(const struct kma_extent *list, size_t nr, uint64_t key,
				  uint64_t size)
{
	const struct kma_extent *found, *end = list + nr;

	if (!size)
		return KMA_EXTENT_NONE;
	found = key ? kma_extent_before(list, nr, key - 1) : NULL;
	found = found ? found + 1 : list;
	return found < end && found->start - key < size ? found->unit : KMA_EXTENT_NONE;
}

uint32_t kma_extents_code(const struct kma_extents *ext, uint64_t key, uint64_t size)
{
	const struct kma_extent *found = kma_extent_before(ext->code, ext->nr_code, key);

	if (found && key < found->end)
		return found->unit;
	return kma_extent_within(ext->code, ext->nr_code, key, size);
}

uint32_t kma_extents_data(const struct kma_extents *ext, uint64_t key, uint64_t size)
{
	return kma_extent_within(ext->data, ext->nr_data, key, size);
}
