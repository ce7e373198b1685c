// SPDX-License-Identifier: GPL-2.0-only
/*
 * dwarf.c - a vmlinux or a module with debugging information.
 *
 * Symbols are read with libelf, which is much faster than libdwfl. A module has no addresses;
 * image.c assigns the same ones for its symbols and its lines.
 */
#include <stdlib.h>

#include "dwarf.h"
#include "elf.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"

struct kma_dwarf {
	struct kma_image *image;
	struct kma_symtab *symtab;
	struct kma_inlines *inlines; /* NULL when there is no debugging information */
	struct kma_elf_info info;
};

static struct kma_err *dwarf_add_symbol(void *arg, const struct kma_elf_symbol *symbol)
{
	struct kma_dwarf *dw = arg;
	uint64_t addr;

	if (!kma_image_place(dw->image, symbol->section, symbol->value, &addr))
		return NULL;
	kma_symtab_add(dw->symtab, symbol->name, addr, symbol->size);
	return NULL;
}

/* Add the ends of sections: no symbol extends beyond the end of its section. */
static void dwarf_add_ends(struct kma_dwarf *dw)
{
	const struct kma_image_text *texts;
	size_t nr;

	texts = kma_image_texts(dw->image, &nr);
	for (size_t i = 0; i < nr; i++)
		kma_symtab_add_end(dw->symtab, texts[i].addr + texts[i].size);
}

static struct kma_err *dwarf_read(struct kma_dwarf *dw, const char *path)
{
	struct kma_err *err;
	bool have;

	err = kma_image_open(path, &dw->image);
	if (err)
		return err;
	err = kma_image_dwarf(dw->image, &have);
	if (err)
		return err;
	kma_symtab_create(&dw->symtab);
	err = kma_image_rename(dw->image, kma_elf_walk(kma_image_path(dw->image), &dw->info,
						       dwarf_add_symbol, NULL, dw));
	if (err)
		return err;
	dwarf_add_ends(dw);
	kma_symtab_finish(dw->symtab);
	/* Debian has debugging information of modules in files of their own; libdwfl finds them. */
	return have || kma_image_relocatable(dw->image) ?
		       kma_inlines_create(dw->image, &dw->inlines) :
		       NULL;
}

struct kma_err *kma_dwarf_create(const char *path, struct kma_dwarf **ret)
{
	struct kma_dwarf *dw = kma_xcalloc(1, sizeof(*dw));
	struct kma_err *err;

	err = dwarf_read(dw, path);
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
	kma_inlines_destroy(dw->inlines);
	kma_symtab_destroy(dw->symtab);
	kma_image_close(dw->image);
	free(dw);
}

const struct kma_symtab *kma_dwarf_symtab(const struct kma_dwarf *dw)
{
	return dw->symtab;
}

size_t kma_dwarf_units(const struct kma_dwarf *dw)
{
	return dw->inlines ? kma_inlines_units(dw->inlines) : 0;
}

bool kma_dwarf_is_whole(const struct kma_dwarf *dw)
{
	return !dw->inlines || !kma_inlines_missing(dw->inlines);
}

const char *kma_dwarf_release(const struct kma_dwarf *dw)
{
	return dw->info.banner;
}

const struct kma_image *kma_dwarf_image(const struct kma_dwarf *dw)
{
	return dw->image;
}

uint64_t kma_dwarf_return(const struct kma_dwarf *dw, uint64_t ret_addr)
{
	return dw->info.thumb ? ret_addr & ~1ULL : ret_addr;
}

bool kma_dwarf_call(const struct kma_dwarf *dw, uint64_t ret_addr, struct kma_call *ret)
{
	uint64_t addr = kma_dwarf_return(dw, ret_addr) - 1; /* the call, see dwarf.h */
	const struct kma_symbol *sym;

	ret->unit = NULL;
	ret->nr_frames = 0;
	if (dw->inlines)
		ret->nr_frames = kma_inlines_at(dw->inlines, addr, ret->frames, &ret->unit);
	if (ret->nr_frames && !*ret->frames[ret->nr_frames - 1].function) {
		sym = kma_symtab_at(dw->symtab, addr);
		if (sym)
			ret->frames[ret->nr_frames - 1].function = sym->name;
	}
	return ret->nr_frames;
}
