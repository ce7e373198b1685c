// SPDX-License-Identifier: GPL-2.0-only
/*
 * binary.c - allocated sections and their symbols, read with libelf.
 */
#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "binary.h"
#include "elf.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"

/* Files larger than these bytes are mapped, smaller ones are read. */
#define KMA_MAP_FROM (16 << 20)

struct kma_binary_file {
	int fd;
	uint64_t size;
	Elf *elf;
	const char *path; /* for errors, while it is opened */
	size_t strings;	  /* index of the section with the names of sections */
	Elf_Scn *symtab;  /* section of the symbols, or NULL */
	GElf_Shdr symtab_hdr;
	Elf_Data *xindex; /* section indexes of symbols, where 16 bits do not hold them */
	size_t nr;	  /* sections of the file */
};

size_t kma_binary_module_len(const char *file)
{
	static const char *const ends[] = { ".ko", ".ko.xz", ".ko.gz", ".ko.zst", ".ko.debug" };
	size_t len = strlen(file);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t end = strlen(ends[i]);

		if (len > end && !strcmp(file + len - end, ends[i]))
			return len - end;
	}
	return 0;
}

void kma_binary_close(struct kma_binary *bin)
{
	if (!bin)
		return;
	if (bin->file && bin->file->elf)
		elf_end(bin->file->elf);
	if (bin->file && bin->file->fd >= 0)
		close(bin->file->fd);
	free(bin->file);
	free(bin->sections);
	free(bin->symbols);
	free(bin->units);
	free(bin);
}

static struct kma_err *binary_damaged(const struct kma_binary_file *file)
{
	return kma_err_create_kind(KMA_ERR_DAMAGED, file->path, 0, "corrupt: %s", elf_errmsg(-1));
}

/* Is it an object of clang for link-time optimisation? Bitcode may be raw or in a wrapper. */
static bool binary_is_bitcode(int fd)
{
	unsigned char magic[4];

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       (!memcmp(magic, "BC\xc0\xde", 4) || !memcmp(magic, "\xde\xc0\x17\x0b", 4));
}

/* elf_version() sets a variable that all threads share, so it is called once. */
static void binary_init(void)
{
	elf_version(EV_CURRENT);
}

static struct kma_err *binary_begin(int dir, struct kma_binary *bin)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct kma_binary_file *file = bin->file;
	struct kma_err *err;
	struct stat st;
	GElf_Ehdr hdr;

	pthread_once(&once, binary_init);
	err = kma_file_open(dir, file->path, KMA_FILE_REGULAR, &file->fd, &st);
	if (err)
		return err;
	/* For a small file, a few reads cost less than a mapping, above all with threads. */
	file->size = st.st_size;
	file->elf =
		elf_begin(file->fd, file->size > KMA_MAP_FROM ? ELF_C_READ_MMAP : ELF_C_READ, NULL);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF) {
		if (!binary_is_bitcode(file->fd))
			return kma_elf_refuse(file->fd, file->path);
		bin->lto = KMA_LTO_LLVM;
		return NULL;
	}
	if (!gelf_getehdr(file->elf, &hdr) || elf_getshdrnum(file->elf, &file->nr) ||
	    elf_getshdrstrndx(file->elf, &file->strings))
		return binary_damaged(file);
	if (kma_elf_is_truncated(file->elf, file->size))
		return kma_elf_truncated(file->path);
	bin->relocatable = hdr.e_type == ET_REL;
	bin->big_endian = hdr.e_ident[EI_DATA] == ELFDATA2MSB;
	bin->arm = hdr.e_machine == EM_ARM;
	bin->x86_64 = hdr.e_machine == EM_X86_64 && hdr.e_ident[EI_CLASS] == ELFCLASS64;
	bin->wide = hdr.e_ident[EI_CLASS] == ELFCLASS64;
	return NULL;
}

/* Note what a section that is not loaded tells about the file. */
static void binary_hint(struct kma_binary *bin, Elf_Scn *scn, const GElf_Shdr *hdr,
			const char *name)
{
	struct kma_binary_file *file = bin->file;

	if (hdr->sh_type == SHT_SYMTAB) {
		file->symtab = scn;
		file->symtab_hdr = *hdr;
	} else if (hdr->sh_type == SHT_SYMTAB_SHNDX) {
		file->xindex = elf_getdata(scn, NULL);
	} else if (!strncmp(name, ".gnu.lto_", 9)) {
		bin->lto = KMA_LTO_GCC;
	}
}

static struct kma_err *binary_sections(struct kma_binary *bin)
{
	struct kma_binary_file *file = bin->file;
	Elf_Scn *scn = NULL;

	/* One more than in the file, for COMMON. */
	bin->sections = kma_xcalloc(file->nr + 1, sizeof(*bin->sections));
	while ((scn = elf_nextscn(file->elf, scn))) {
		const char *name;
		GElf_Shdr hdr;

		if (!gelf_getshdr(scn, &hdr))
			return binary_damaged(file);
		if (hdr.sh_type != SHT_NOBITS &&
		    (hdr.sh_offset > file->size || hdr.sh_size > file->size - hdr.sh_offset))
			return kma_elf_truncated(file->path);
		name = elf_strptr(file->elf, file->strings, hdr.sh_name) ?: "";
		if (!(hdr.sh_flags & SHF_ALLOC)) {
			binary_hint(bin, scn, &hdr, name);
			continue;
		}
		if (hdr.sh_addralign & (hdr.sh_addralign - 1))
			return kma_err_create_kind(KMA_ERR_DAMAGED, file->path, 0,
						   "corrupt: section %.40s has alignment %" PRIu64
						   ", which is not a power of two",
						   name, (uint64_t)hdr.sh_addralign);
		bin->sections[bin->nr_sections++] = (struct kma_binary_section){
			.name = name,
			/* Since 6.12 some sections of modules have an address without a meaning. */
			.addr = bin->relocatable ? 0 : hdr.sh_addr,
			.size = hdr.sh_size,
			.align = hdr.sh_addralign ?: 1,
			.index = elf_ndxscn(scn),
			.exec = hdr.sh_flags & SHF_EXECINSTR,
			.write = hdr.sh_flags & SHF_WRITE,
			.merge = hdr.sh_flags & SHF_MERGE,
			.strings = hdr.sh_flags & SHF_STRINGS,
			.nobits = hdr.sh_type == SHT_NOBITS,
		};
	}
	return NULL;
}

/* Is it a label of the assembler, which names nothing: "$d" of ARM, or a local label? */
static bool binary_is_label(const char *name)
{
	return !*name || name[0] == '$' || !strncmp(name, ".L", 2) || !strncmp(name, "L0\001", 3);
}

/* gcc marks an object without code by a common symbol of one byte, which is not linked. */
static bool binary_is_mark(const struct kma_binary *bin, const GElf_Sym *sym)
{
	const struct kma_binary_file *file = bin->file;
	const char *name;

	if (bin->lto != KMA_LTO_GCC || sym->st_shndx != SHN_COMMON)
		return false;
	name = elf_strptr(file->elf, file->symtab_hdr.sh_link, sym->st_name);
	return name && !strncmp(name, "__gnu_lto_", 10);
}

static bool binary_symbol(const struct kma_binary *bin, const GElf_Sym *sym, Elf32_Word xindex,
			  struct kma_binary_symbol *ret)
{
	const struct kma_binary_file *file = bin->file;
	uint32_t section = sym->st_shndx == SHN_XINDEX ? xindex : sym->st_shndx;
	int type = GELF_ST_TYPE(sym->st_info), bind = GELF_ST_BIND(sym->st_info);

	if (type == STT_SECTION || type == STT_FILE || !section)
		return false;
	if (sym->st_shndx == SHN_COMMON)
		section = KMA_COMMON;
	else if (sym->st_shndx == SHN_ABS)
		section = 0;
	else if (sym->st_shndx >= SHN_LORESERVE && sym->st_shndx != SHN_XINDEX)
		return false;
	*ret = (struct kma_binary_symbol){
		.name = elf_strptr(file->elf, file->symtab_hdr.sh_link, sym->st_name) ?: "",
		.value = sym->st_value,
		.size = sym->st_size,
		.section = section,
		.unit = bind == STB_LOCAL ? bin->nr_units : 0,
		.local = bind == STB_LOCAL,
		.weak = bind == STB_WEAK,
		.func = type == STT_FUNC || type == STT_GNU_IFUNC,
		.object = type == STT_OBJECT || type == STT_TLS,
	};
	if (bin->arm && ret->func)
		ret->value &= ~1ULL;
	return !binary_is_label(ret->name);
}

/* Add a unit: the local symbols that follow belong to it. */
static void binary_unit(struct kma_binary *bin, const GElf_Sym *sym)
{
	const struct kma_binary_file *file = bin->file;
	const char **units = bin->units;

	if (!(bin->nr_units & (bin->nr_units + 1)))
		units = kma_xrealloc(units, 2 * (bin->nr_units + 1), sizeof(*units));
	bin->units = units;
	units[bin->nr_units++] = elf_strptr(file->elf, file->symtab_hdr.sh_link, sym->st_name) ?:
												 "";
}

/* Read the symbols. If @keep is false, only add up the sizes of the common ones. */
static struct kma_err *binary_symbols(struct kma_binary *bin, bool keep)
{
	struct kma_binary_file *file = bin->file;
	struct kma_binary_section common = {
		.name = "COMMON",
		.align = 1,
		.index = KMA_COMMON,
		.write = true,
		.nobits = true,
	};
	Elf_Data *data = file->symtab ? elf_getdata(file->symtab, NULL) : NULL;
	size_t nr = 0;

	if (file->symtab && !data)
		return binary_damaged(file);
	if (data && file->symtab_hdr.sh_entsize)
		nr = data->d_size / file->symtab_hdr.sh_entsize;
	if (keep)
		bin->symbols = kma_xmalloc((nr + 1) * sizeof(*bin->symbols));
	for (size_t i = 0; i < nr; i++) {
		struct kma_binary_symbol symbol;
		Elf32_Word xindex = 0;
		GElf_Sym sym;

		if (!gelf_getsymshndx(data, file->xindex, i, &sym, &xindex))
			return binary_damaged(file);
		if (binary_is_mark(bin, &sym))
			continue;
		if (sym.st_shndx == SHN_COMMON)
			common.size += sym.st_size;
		if (keep && GELF_ST_TYPE(sym.st_info) == STT_FILE)
			binary_unit(bin, &sym);
		if (keep && binary_symbol(bin, &sym, xindex, &symbol))
			bin->symbols[bin->nr_symbols++] = symbol;
	}
	if (common.size)
		bin->sections[bin->nr_sections++] = common;
	return NULL;
}

static struct kma_err *binary_read(struct kma_binary *bin, bool symbols)
{
	struct kma_err *err = binary_sections(bin);

	if (err)
		return err;
	return binary_symbols(bin, symbols);
}

struct kma_err *kma_binary_open(int dir, const char *path, bool symbols, struct kma_binary **ret)
{
	struct kma_binary *bin = kma_xcalloc(1, sizeof(*bin));
	struct kma_err *err;

	bin->file = kma_xcalloc(1, sizeof(*bin->file));
	bin->file->fd = -1;
	bin->file->path = path;
	err = binary_begin(dir, bin);
	if (!err && bin->lto != KMA_LTO_LLVM)
		err = binary_read(bin, symbols);
	if (err) {
		kma_binary_close(bin);
		return err;
	}
	bin->file->path = NULL;
	*ret = bin;
	return NULL;
}

const unsigned char *kma_binary_bytes(const struct kma_binary *bin,
				      const struct kma_binary_section *section)
{
	Elf_Scn *scn = section->index == KMA_COMMON ? NULL :
						      elf_getscn(bin->file->elf, section->index);
	Elf_Data *data = scn && !section->nobits ? elf_rawdata(scn, NULL) : NULL;

	return data && data->d_buf && data->d_size >= section->size ? data->d_buf : NULL;
}
