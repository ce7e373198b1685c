// SPDX-License-Identifier: GPL-2.0-only
/*
 * unit-walk.c - call a function for each compilation unit of a file, with libdw.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/file.h"
#include "unit-walk.h"

/*
 * Units that are read with one handle. libdw keeps what it has read until its handle is closed, and
 * fresh memory costs more than a new handle.
 */
#define KMA_UNIT_BATCH 64

/* One thread. */
struct kma_unit_reader {
	struct kma_unit_walk *walk;
	atomic_uint *taken; /* number of the first unit that no thread has taken */
	void *arg;	    /* its data, for the functions */
	pthread_t id;
	struct kma_err *err;
	uint64_t missing;
	uint32_t next; /* number of the unit that this thread reads next */
	bool done;     /* the file has no such unit */
	bool cut;      /* data that are no unit follow the last one */
};

unsigned int kma_unit_threads(const struct kma_image *image)
{
	int cpus = get_nprocs();

	if (kma_image_relocatable(image) || cpus < 1)
		return 1;
	return cpus > KMA_UNIT_THREADS ? KMA_UNIT_THREADS : cpus;
}

/*
 * Tests for unreadable data after the last unit: libdw reports the end of the units also where a
 * corrupt one begins. @last is the entry of the last unit that was found, zeroed if there was none.
 */
static bool unit_is_cut(Dwarf *dw, Dwarf_Die *last)
{
	Dwarf_Off at, behind;
	Dwarf_Die die;

	if (!last->addr)
		return false;
	at = dwarf_dieoffset(last) - dwarf_cuoffset(last);
	if (dwarf_next_unit(dw, at, &at, NULL, NULL, NULL, NULL, NULL, NULL, NULL))
		return true;
	/* No unit follows, and its last byte exists, so its length need not be checked. */
	return dwarf_next_unit(dw, at, &behind, NULL, NULL, NULL, NULL, NULL, NULL, NULL) != 1 ||
	       !dwarf_offdie(dw, at - 1, &die);
}

/* Reads one unit, with its split part if it has one. */
static struct kma_err *unit_read(struct kma_unit_reader *reader, uint32_t number, uint8_t type,
				 Dwarf_Die *die, Dwarf_Die *split)
{
	bool found = dwarf_tag(split) != DW_TAG_invalid;

	if (type == DW_UT_type || dwarf_tag(die) == DW_TAG_partial_unit)
		return NULL;
	if (type == DW_UT_skeleton && !found)
		reader->missing++;
	return reader->walk->unit(reader->arg, number, die,
				  type == DW_UT_skeleton && found ? split : die);
}

/* Reads units that this thread has taken from the counter, at most @most of them. */
static struct kma_err *unit_batch(struct kma_unit_reader *reader, Dwarf *dw, unsigned int most)
{
	Dwarf_Die die, split, last = { 0 };
	struct kma_err *err = NULL;
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	uint8_t type;

	if (reader->walk->begin)
		reader->walk->begin(reader->arg);
	for (uint32_t i = 0; !err && most; i++) {
		if (dwarf_get_units(dw, unit, &unit, &version, &type, &die, &split)) {
			reader->done = true;
			reader->cut = unit_is_cut(dw, &last);
			break;
		}
		if (version > 4 || type != DW_UT_type) /* DWARF 4 has type units elsewhere */
			last = die;
		if (i != reader->next)
			continue;
		most--;
		reader->next = atomic_fetch_add(reader->taken, 1);
		err = unit_read(reader, i, type, &die, &split);
	}
	return err;
}

static struct kma_err *unit_end(struct kma_unit_reader *reader)
{
	return reader->walk->end ? reader->walk->end(reader->arg) : NULL;
}

static struct kma_err *unit_file(struct kma_unit_reader *reader, Elf *elf)
{
	struct kma_err *err = NULL;

	reader->next = atomic_fetch_add(reader->taken, 1);
	while (!err && !reader->done) {
		Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);

		err = kma_image_units(reader->walk->image, dw) ?:
			      unit_batch(reader, dw, KMA_UNIT_BATCH);
		dwarf_end(dw);
	}
	return err ? err : unit_end(reader);
}

static void *unit_thread(void *arg)
{
	struct kma_unit_reader *reader = arg;
	const struct kma_image *image = reader->walk->image;
	Elf *elf = NULL;
	int fd;

	reader->err = kma_image_rename(image, kma_file_open(AT_FDCWD, kma_image_path(image),
							    KMA_FILE_REGULAR, &fd, NULL));
	if (!reader->err) {
		elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
		reader->err = elf ? unit_file(reader, elf) :
				    kma_err_create_kind(KMA_ERR_NOT_READABLE, kma_image_name(image),
							0, "cannot open: %s", elf_errmsg(-1));
	}
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* Reads a file with addresses. If a thread cannot be created, the others read its units. */
static struct kma_err *unit_linked(struct kma_unit_walk *walk, struct kma_unit_reader *readers)
{
	bool started[KMA_UNIT_THREADS] = { false };
	struct kma_err *err = NULL;

	for (unsigned int i = 1; i < walk->nr_threads; i++)
		started[i] = !pthread_create(&readers[i].id, NULL, unit_thread, &readers[i]);
	unit_thread(&readers[0]);
	for (unsigned int i = 0; i < walk->nr_threads; i++) {
		if (started[i])
			pthread_join(readers[i].id, NULL);
		if (err)
			kma_err_destroy(readers[i].err);
		else
			err = readers[i].err;
	}
	return err;
}

static struct kma_err *unit_dwfl(struct kma_unit_reader *reader, Dwfl *dwfl)
{
	const struct kma_image *image = reader->walk->image;
	Dwarf_Addr bias, main_bias;
	struct kma_err *err;
	Dwfl_Module *mod;
	bool have;
	Dwarf *dw;
	Elf *elf;

	dwfl_report_begin(dwfl);
	mod = dwfl_report_offline(dwfl, "module", kma_image_path(image), -1);
	dwfl_report_end(dwfl, NULL, NULL);
	elf = mod ? dwfl_module_getelf(mod, &main_bias) : NULL;
	if (!elf)
		return kma_err_create_kind(KMA_ERR_DAMAGED, kma_image_name(image), 0,
					   "cannot read: %s", dwfl_errmsg(-1));
	err = kma_image_dwarf(image, &have);
	if (err)
		return err;
	dw = dwfl_module_getdwarf(mod, &bias);
	if (!dw)
		return kma_err_create_kind(have ? KMA_ERR_DAMAGED : KMA_ERR_NOT_FOUND,
					   kma_image_name(image), 0,
					   "cannot read its debugging information: %s",
					   dwfl_errmsg(-1));
	err = kma_image_units(image, dw) ?: reader->walk->place(reader->arg, elf, main_bias - bias);
	reader->next = atomic_fetch_add(reader->taken, 1);
	return err ?: unit_batch(reader, dw, UINT_MAX) ?: unit_end(reader);
}

static struct kma_err *unit_module(struct kma_unit_reader *reader)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = kma_xmem(dwfl_begin(&callbacks));
	struct kma_err *err = unit_dwfl(reader, dwfl);

	dwfl_end(dwfl);
	return err;
}

struct kma_err *kma_unit_walk(struct kma_unit_walk *walk)
{
	struct kma_unit_reader readers[KMA_UNIT_THREADS] = { 0 };
	atomic_uint taken = 0;
	struct kma_err *err;

	for (unsigned int i = 0; i < walk->nr_threads; i++) {
		readers[i].walk = walk;
		readers[i].taken = &taken;
		readers[i].arg = walk->threads[i];
	}
	err = kma_image_relocatable(walk->image) ? unit_module(&readers[0]) :
						   unit_linked(walk, readers);
	/* each thread finds the same end of the file */
	walk->missing = readers[0].cut;
	for (unsigned int i = 0; i < walk->nr_threads; i++)
		walk->missing += readers[i].missing;
	return err;
}
