// SPDX-License-Identifier: GPL-2.0-only
/*
 * elf.c - symbols of code in an ELF file, read with libelf.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"

struct kma_elf_file {
	int fd;
	Elf *elf;
	bool *executable; /* by index of the section */
	size_t nr_sections;
	bool arm; /* ARM, 32 bits: bit 0 of a function's address means Thumb code */
	Elf_Scn *symtab;
	GElf_Shdr symtab_hdr;
};

bool kma_elf_is_truncated(struct Elf *elf, uint64_t size)
{
	GElf_Ehdr hdr;
	size_t nr;

	return gelf_getehdr(elf, &hdr) && hdr.e_shoff &&
	       (hdr.e_shoff > size || elf_getshdrnum(elf, &nr) || !nr);
}

struct kma_err *kma_elf_truncated(const char *path)
{
	return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
				   "truncated; copy, install or build it again");
}

struct kma_err *kma_elf_refuse(int fd, const char *path)
{
	char magic[SELFMAG];

	if (pread(fd, magic, sizeof(magic), 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG))
		return kma_elf_truncated(path);
	return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0, "not an ELF file");
}

static struct kma_err *elf_open(const char *path, struct kma_elf_file *file)
{
	struct kma_err *err = kma_file_open(AT_FDCWD, path, KMA_FILE_REGULAR, &file->fd, NULL);

	if (err)
		return err;
	elf_version(EV_CURRENT);
	file->elf = elf_begin(file->fd, ELF_C_READ_MMAP, NULL);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF)
		return kma_elf_refuse(file->fd, path);
	return NULL;
}

static void elf_close(struct kma_elf_file *file)
{
	if (file->elf)
		elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	free(file->executable);
}

static struct kma_err *elf_find(struct kma_elf_file *file, const char *path,
				struct kma_elf_info *info, kma_elf_end_fn end, void *arg)
{
	Elf_Scn *scn = NULL;
	struct kma_err *err = NULL;
	size_t strings;

	if (elf_getshdrnum(file->elf, &file->nr_sections) || elf_getshdrstrndx(file->elf, &strings))
		return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0, "corrupt: %s", elf_errmsg(-1));
	file->executable = kma_xcalloc(file->nr_sections + 1, sizeof(bool));
	while ((scn = elf_nextscn(file->elf, scn))) {
		GElf_Shdr hdr;
		const char *name;

		if (!gelf_getshdr(scn, &hdr))
			return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0, "corrupt: %s",
						   elf_errmsg(-1));
		name = elf_strptr(file->elf, strings, hdr.sh_name);
		if (hdr.sh_type == SHT_SYMTAB) {
			file->symtab = scn;
			file->symtab_hdr = hdr;
		}
		if (name && (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
			info->has_dwarf = hdr.sh_type != SHT_NOBITS && hdr.sh_size;
		if (!(hdr.sh_flags & SHF_EXECINSTR))
			continue;
		file->executable[elf_ndxscn(scn)] = true;
		if (end && !info->relocatable && (hdr.sh_flags & SHF_ALLOC)) {
			err = end(arg, hdr.sh_addr + hdr.sh_size);
			if (err)
				return err;
		}
	}
	return NULL;
}

/* Get the release from "Linux version 6.1.0-56-cloud-amd64 (debian-kernel@...) ...". */
static void elf_banner(struct kma_elf_file *file, const GElf_Sym *sym, struct kma_elf_info *info)
{
	static const char prefix[] = "Linux version ";
	Elf_Scn *scn = elf_getscn(file->elf, sym->st_shndx);
	Elf_Data *data;
	const char *text;
	GElf_Shdr hdr;
	uint64_t at;
	size_t len;

	if (!scn || !gelf_getshdr(scn, &hdr) || hdr.sh_type == SHT_NOBITS ||
	    sym->st_value < hdr.sh_addr)
		return;
	at = sym->st_value - hdr.sh_addr;
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || at >= data->d_size ||
	    data->d_size - at < sizeof(prefix) + sizeof(info->banner))
		return;
	text = (const char *)data->d_buf + at;
	if (memcmp(text, prefix, sizeof(prefix) - 1))
		return;
	text += sizeof(prefix) - 1;
	for (len = 0; len + 1 < sizeof(info->banner) && text[len] > ' '; len++)
		info->banner[len] = text[len];
	info->banner[len] = '\0';
}

static struct kma_err *elf_symbols(struct kma_elf_file *file, const char *path,
				   struct kma_elf_info *info, kma_elf_symbol_fn fn, void *arg)
{
	Elf_Data *data = file->symtab ? elf_getdata(file->symtab, NULL) : NULL;
	size_t nr = 0;

	if (file->symtab && !data)
		return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0, "corrupt: %s", elf_errmsg(-1));
	if (data && file->symtab_hdr.sh_entsize)
		nr = data->d_size / file->symtab_hdr.sh_entsize;
	for (size_t i = 0; i < nr; i++) {
		struct kma_elf_symbol symbol;
		struct kma_err *err;
		GElf_Sym sym;
		int type;

		if (!gelf_getsym(data, i, &sym))
			return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0, "corrupt: %s",
						   elf_errmsg(-1));
		type = GELF_ST_TYPE(sym.st_info);
		if (sym.st_shndx == SHN_UNDEF || sym.st_shndx >= file->nr_sections ||
		    type == STT_SECTION || type == STT_FILE)
			continue;
		symbol.name = elf_strptr(file->elf, file->symtab_hdr.sh_link, sym.st_name);
		if (!symbol.name)
			return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0, "corrupt: %s",
						   elf_errmsg(-1));
		if (type == STT_OBJECT && !strcmp(symbol.name, "linux_banner"))
			elf_banner(file, &sym, info);
		if (!file->executable[sym.st_shndx])
			continue;
		symbol.value = sym.st_value;
		if (file->arm && (type == STT_FUNC || type == STT_GNU_IFUNC)) {
			info->thumb |= symbol.value & 1;
			symbol.value &= ~1ULL;
		}
		symbol.size = sym.st_size;
		symbol.section = sym.st_shndx;
		err = fn(arg, &symbol);
		if (err)
			return err;
	}
	return NULL;
}

struct kma_err *kma_elf_walk(const char *path, struct kma_elf_info *info, kma_elf_symbol_fn symbol,
			     kma_elf_end_fn end, void *arg)
{
	_cleanup_(elf_close) struct kma_elf_file file = { .fd = -1 };
	struct kma_err *err;
	GElf_Ehdr hdr;
	struct stat st;

	memset(info, 0, sizeof(*info));
	err = elf_open(path, &file);
	if (err)
		return err;
	if (!gelf_getehdr(file.elf, &hdr))
		return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0, "corrupt: %s", elf_errmsg(-1));
	if (fstat(file.fd, &st) || kma_elf_is_truncated(file.elf, st.st_size))
		return kma_elf_truncated(path);
	info->relocatable = hdr.e_type == ET_REL;
	file.arm = hdr.e_machine == EM_ARM;
	return elf_find(&file, path, info, end, arg) ?: elf_symbols(&file, path, info, symbol, arg);
}
