// SPDX-License-Identifier: GPL-2.0-only
/*
 * ELF files: symbols, sections, and the units of DWARF with their ranges.
 */
#include <fcntl.h>

#include "symbol/binary.h"
#include "symbol/dwarf.h"
#include "symbol/elf.h"

#include "fuzz-file.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	/* As main() does: libdwfl is not to ask the network. And no table is kept. */
	return unsetenv("DEBUGINFOD_URLS") || unsetenv("XDG_CACHE_HOME") || unsetenv("HOME");
}

/* For all to see, so that looking is not optimised away. */
size_t kma_fuzz_seen;

/* A text that is handed out has an end. */
static void kma_fuzz_text(const char *text)
{
	for (; *text; text++)
		kma_fuzz_seen++;
}

static struct kma_err *kma_fuzz_symbol(void *arg, const struct kma_elf_symbol *symbol)
{
	(void)arg;
	kma_fuzz_text(symbol->name);
	return NULL;
}

static struct kma_err *kma_fuzz_end(void *arg, uint64_t addr)
{
	(void)arg;
	kma_fuzz_seen += addr;
	return NULL;
}

/* Sections and their bytes, symbols and their names: all of it is there. */
static void kma_fuzz_binary(const char *path, bool symbols)
{
	struct kma_binary *bin = NULL;
	struct kma_err *err = kma_binary_open(AT_FDCWD, path, symbols, &bin);
	const unsigned char *bytes;

	if (!err == !bin)
		abort();
	kma_err_destroy(err);
	for (size_t i = 0; bin && i < bin->nr_sections; i++) {
		kma_fuzz_text(bin->sections[i].name);
		bytes = kma_binary_bytes(bin, &bin->sections[i]);
		for (uint64_t at = 0; bytes && at < bin->sections[i].size; at++)
			kma_fuzz_seen += bytes[at];
		/* As binary.h has it. */
		if (bin->sections[i].align & (bin->sections[i].align - 1))
			abort();
	}
	for (size_t i = 0; bin && i < bin->nr_symbols; i++)
		kma_fuzz_text(bin->symbols[i].name);
	kma_binary_close(bin);
}

static void kma_fuzz_call(const struct kma_dwarf *dw, uint64_t ret_addr)
{
	struct kma_call call;

	if (!kma_dwarf_call(dw, ret_addr, &call))
		return;
	kma_fuzz_text(call.unit);
	if (!call.nr_frames || call.nr_frames > KMA_FRAMES_MAX)
		abort();
	for (unsigned int i = 0; i < call.nr_frames; i++) {
		kma_fuzz_text(call.frames[i].function);
		kma_fuzz_text(call.frames[i].file);
	}
}

/* Each symbol is found by its name and by its address, and has a source or not. */
static void kma_fuzz_dwarf(const struct kma_dwarf *dw)
{
	const struct kma_symtab *tab = kma_dwarf_symtab(dw);
	const struct kma_symbol *const *named;
	size_t nr;

	kma_fuzz_text(kma_dwarf_release(dw));
	named = kma_symtab_named(tab, "twin", &nr);
	for (size_t i = 0; i < nr; i++) {
		const struct kma_symbol *at = kma_symtab_at(tab, named[i]->addr);

		/* Several may begin there; one without bytes holds no address. */
		if (named[i]->span && (!at || at->addr != named[i]->addr))
			abort();
		kma_fuzz_call(dw, named[i]->addr + 1);
		kma_fuzz_call(dw, named[i]->addr + named[i]->span);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = kma_fuzz_file(data, size);
	struct kma_dwarf *dw = NULL;
	struct kma_elf_info info;
	struct kma_err *err;

	kma_err_destroy(kma_elf_walk(path, &info, kma_fuzz_symbol, kma_fuzz_end, NULL));
	kma_fuzz_text(info.banner);
	kma_fuzz_binary(path, false);
	kma_fuzz_binary(path, true);
	err = kma_dwarf_create(path, &dw);
	/* One of the two, and never both. */
	if (!err == !dw)
		abort();
	if (dw)
		kma_fuzz_dwarf(dw);
	kma_err_destroy(err);
	kma_dwarf_destroy(dw);
	return 0;
}
