// SPDX-License-Identifier: GPL-2.0
/*
 * dwarf.c - a vmlinux or a module with debugging information, by libdwfl.
 *
 * libdwfl relocates modules and unpacks .xz and .gz; it is asked for files given
 * by name only. DEBUGINFOD_URLS has to be unset by the program, otherwise
 * libdwfl may go to the network.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/cleanup.h"
#include "dwarf.h"
#include "elf.h"
#include "srcpath.h"

struct kma_range {
	uint64_t start;
	uint64_t end;
	size_t unit;
};

struct kma_dwarf {
	struct kma_symtab *symtab;
	char **units; /* source path of each */
	size_t nr_units;
	size_t alloc_units;
	struct kma_range *ranges; /* by start, do not overlap in a sound file */
	size_t nr_ranges;
	size_t alloc_ranges;
	struct kma_elf_info info;
};

static struct kma_err *kma_dwarf_add_symbol(void *arg, const struct kma_elf_symbol *symbol)
{
	return kma_symtab_add(arg, symbol->name, symbol->value, symbol->size);
}

static struct kma_err *kma_dwarf_add_end(void *arg, uint64_t addr)
{
	return kma_symtab_add_end(arg, addr);
}

static struct kma_err *kma_dwarf_add_unit(struct kma_dwarf *dw, Dwarf_Die *die)
{
	_cleanup_free_ char *path = NULL;
	Dwarf_Attribute attr;
	const char *dir;

	if (dw->nr_units == dw->alloc_units) {
		size_t alloc = dw->alloc_units ? dw->alloc_units * 2 : 256;
		char **units = realloc(dw->units, alloc * sizeof(*units));

		if (!units)
			return &kma_enomem;
		dw->units = units;
		dw->alloc_units = alloc;
	}
	path = strdup(dwarf_diename(die) ?: "");
	if (!path)
		return &kma_enomem;
	kma_srcpath_normalise(path);
	dir = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attr));
	kma_srcpath_strip_dir(path, dir);
	dw->units[dw->nr_units++] = path;
	path = NULL;
	return NULL;
}

static struct kma_err *kma_dwarf_add_range(struct kma_dwarf *dw, uint64_t start, uint64_t end)
{
	if (dw->nr_ranges == dw->alloc_ranges) {
		size_t alloc = dw->alloc_ranges ? dw->alloc_ranges * 2 : 1024;
		struct kma_range *ranges = realloc(dw->ranges, alloc * sizeof(*ranges));

		if (!ranges)
			return &kma_enomem;
		dw->ranges = ranges;
		dw->alloc_ranges = alloc;
	}
	dw->ranges[dw->nr_ranges++] = (struct kma_range){ start, end, dw->nr_units - 1 };
	return NULL;
}

static int kma_cmp_range(const void *a, const void *b)
{
	const struct kma_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static struct kma_err *kma_dwarf_walk_units(struct kma_dwarf *dw, Dwfl_Module *mod)
{
	struct kma_err *err = NULL;
	Dwarf_Die *die = NULL;
	Dwarf_Addr bias;

	while (!err && (die = dwfl_module_nextcu(mod, die, &bias))) {
		Dwarf_Addr base, start, end;
		ptrdiff_t at = 0;

		err = kma_dwarf_add_unit(dw, die);
		/* A gap between functions belongs to no range, and so to no unit. */
		while (!err && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
			if (start < end)
				err = kma_dwarf_add_range(dw, start + bias, end + bias);
	}
	if (err)
		return err;
	if (dw->nr_ranges)
		qsort(dw->ranges, dw->nr_ranges, sizeof(*dw->ranges), kma_cmp_range);
	return kma_srcpath_relative(dw->units, dw->nr_units);
}

/* Symbols of a module as libdwfl has laid it out. */
static struct kma_err *kma_dwarf_module_symbols(struct kma_dwarf *dw, Dwfl_Module *mod)
{
	int nr = dwfl_module_getsymtab(mod);

	for (int i = 0; i < nr; i++) {
		struct kma_err *err;
		const char *name;
		GElf_Addr addr;
		GElf_Word shndx;
		GElf_Shdr hdr;
		GElf_Sym sym;
		Elf_Scn *scn;
		Elf *elf;
		int type;

		name = dwfl_module_getsym_info(mod, i, &sym, &addr, &shndx, &elf, NULL);
		type = GELF_ST_TYPE(sym.st_info);
		if (!name || shndx == SHN_UNDEF || type == STT_SECTION || type == STT_FILE)
			continue;
		scn = elf ? elf_getscn(elf, shndx) : NULL;
		if (!scn || !gelf_getshdr(scn, &hdr) || !(hdr.sh_flags & SHF_EXECINSTR))
			continue;
		err = kma_symtab_add(dw->symtab, name, addr, sym.st_size);
		if (err)
			return err;
	}
	return NULL;
}

static struct kma_err *kma_dwarf_load(struct kma_dwarf *dw, const char *path, Dwfl *dwfl,
				      bool with_symbols)
{
	struct kma_err *err = NULL;
	Dwfl_Module *mod;

	dwfl_report_begin(dwfl);
	mod = dwfl_report_offline(dwfl, "image", path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	if (!mod)
		return kma_err_create(path, 0, "cannot be read: %s", dwfl_errmsg(-1));
	if (with_symbols)
		err = kma_dwarf_module_symbols(dw, mod);
	return err ? err : kma_dwarf_walk_units(dw, mod);
}

static bool kma_is_compressed(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcmp(dot, ".xz") || !strcmp(dot, ".gz") || !strcmp(dot, ".zst"));
}

static struct kma_err *kma_dwarf_read(struct kma_dwarf *dw, const char *path)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct kma_err *err = kma_symtab_create(&dw->symtab);
	bool module = kma_is_compressed(path);
	Dwfl *dwfl;

	if (!err && !module) {
		/* libelf reads a hundred thousand symbols faster than libdwfl does. */
		err = kma_elf_walk(path, &dw->info, kma_dwarf_add_symbol, kma_dwarf_add_end,
				   dw->symtab);
		if (!err && dw->info.relocatable) {
			kma_symtab_destroy(dw->symtab);
			module = true;
			err = kma_symtab_create(&dw->symtab);
		}
	}
	if (err)
		return err;
	if (module || dw->info.has_dwarf) {
		dwfl = dwfl_begin(&callbacks);
		if (!dwfl)
			return &kma_enomem;
		err = kma_dwarf_load(dw, path, dwfl, module);
		dwfl_end(dwfl);
	}
	return err ? err : kma_symtab_finish(dw->symtab);
}

struct kma_err *kma_dwarf_create(const char *path, struct kma_dwarf **ret)
{
	struct kma_dwarf *dw = calloc(1, sizeof(*dw));
	struct kma_err *err;

	if (!dw)
		return &kma_enomem;
	err = kma_dwarf_read(dw, path);
	if (err) {
		kma_dwarf_destroy(dw);
		return err;
	}
	*ret = dw;
	return NULL;
}

void kma_dwarf_destroy(struct kma_dwarf *dw)
{
	if (!dw)
		return;
	for (size_t i = 0; i < dw->nr_units; i++)
		free(dw->units[i]);
	free(dw->units);
	free(dw->ranges);
	kma_symtab_destroy(dw->symtab);
	free(dw);
}

const struct kma_symtab *kma_dwarf_symtab(const struct kma_dwarf *dw)
{
	return dw->symtab;
}

size_t kma_dwarf_units(const struct kma_dwarf *dw)
{
	return dw->nr_units;
}

const char *kma_dwarf_release(const struct kma_dwarf *dw)
{
	return dw->info.banner;
}

const char *kma_dwarf_source(const struct kma_dwarf *dw, uint64_t ret_addr)
{
	uint64_t addr = ret_addr - 1; /* the call itself, see dwarf.h */
	size_t low = 0, high = dw->nr_ranges;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (dw->ranges[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || addr >= dw->ranges[low - 1].end)
		return NULL;
	return dw->units[dw->ranges[low - 1].unit];
}
