// SPDX-License-Identifier: GPL-2.0-only
/*
 * image.c - a vmlinux or a module, apart from its symbols.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf.h"
#include "image.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/unpack.h"

/* ELFCOMPRESS_ZLIB; elf.h has no constant for zstd, so both are numbers here. */
#define KMA_COMPRESS_ZLIB 1

/* Bytes to which a file may decompress. A few corrupt bytes could decompress to any size. */
#define KMA_IMAGE_MAX (8ULL << 30)

struct kma_image {
	char *name;
	char path[32]; /* of a decompressed file: /proc/self/fd/N; "": the file is @name */
	int fd;
	Elf *elf;
	GElf_Ehdr hdr;
	uint64_t size;
	char build_id[KMA_BUILD_ID_CHARS];
	bool has_dwarf;
	unsigned int packing; /* compression (ch_type) of .debug_info if libdw lacks it, else 0 */
	struct kma_image_text *texts;
	size_t nr_texts;
};

static struct kma_err *image_write(const char *name, int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t done = write(fd, bytes, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return kma_err_create_kind(KMA_ERR_DAMAGED, name, 0,
						   "cannot decompress: %s", strerror(errno));
		bytes += done;
		len -= done;
	}
	return NULL;
}

/* Decompress a mapped file into memory that has a file descriptor. */
static struct kma_err *image_unpack(struct kma_image *image, struct kma_unpack *unpack,
				    const char *map, size_t len, int fd)
{
	_cleanup_free_ char *room = kma_xmalloc(1U << 20);
	struct kma_unpack_io io = { .in = map, .in_len = len, .in_last = true };
	struct kma_err *err;
	uint64_t total = 0;
	size_t left;

	do {
		left = io.in_len;
		io.out = room;
		io.out_len = 1U << 20;
		err = kma_unpack_step(unpack, &io) ?:
			      image_write(image->name, fd, room, io.out - room);
		if (err)
			return err;
		total += io.out - room;
		if (total > KMA_IMAGE_MAX)
			return kma_err_create_kind(KMA_ERR_DAMAGED, image->name, 0,
						   "decompresses to more than %llu GiB",
						   KMA_IMAGE_MAX >> 30);
	} while (io.out != room || io.in_len != left); /* a step may give no output */
	return NULL;
}

static struct kma_err *image_if_packed(struct kma_image *image, size_t len)
{
	struct kma_unpack *unpack;
	struct kma_err *err = NULL;
	void *map;
	int fd = -1;

	map = len ? mmap(NULL, len, PROT_READ, MAP_PRIVATE, image->fd, 0) : MAP_FAILED;
	if (map == MAP_FAILED)
		return NULL; /* libelf reports the error */
	unpack = kma_unpack_create(image->name, map,
				   len < KMA_UNPACK_MAGIC_MAX ? len : KMA_UNPACK_MAGIC_MAX);
	if (unpack) {
		fd = memfd_create("kmem-account", MFD_CLOEXEC);
		if (fd < 0)
			err = kma_err_create_kind(KMA_ERR_DAMAGED, image->name, 0,
						  "cannot decompress: %s", strerror(errno));
		else
			err = image_unpack(image, unpack, map, len, fd);
		kma_unpack_destroy(unpack);
	}
	munmap(map, len);
	if (fd < 0)
		return err;
	close(image->fd);
	image->fd = fd;
	snprintf(image->path, sizeof(image->path), "/proc/self/fd/%d", fd);
	return err;
}

/* Sets the build ID if it is among the notes. */
static void image_note(Elf_Data *data, char build_id[KMA_BUILD_ID_CHARS])
{
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (data && !*build_id && (at = gelf_getnote(data, at, &note, &name, &desc))) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp((const char *)data->d_buf + name, "GNU", 4) ||
		    note.n_descsz > KMA_BUILD_ID_MAX)
			continue;
		kma_build_id_set((const char *)data->d_buf + desc, note.n_descsz, build_id);
	}
}

const void *kma_image_btf(const struct kma_image *image, size_t *len)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	size_t strings;
	GElf_Shdr hdr;

	while (!elf_getshdrstrndx(image->elf, &strings) && (scn = elf_nextscn(image->elf, scn))) {
		if (!gelf_getshdr(scn, &hdr) || hdr.sh_type != SHT_PROGBITS ||
		    strcmp(elf_strptr(image->elf, strings, hdr.sh_name) ?: "", ".BTF") != 0)
			continue;
		data = elf_rawdata(scn, NULL);
		*len = data ? data->d_size : 0;
		return data ? data->d_buf : NULL;
	}
	return NULL;
}

/* Add a section of code. @ends: ends of a module's two parts so far, see image.h. */
static struct kma_err *image_add_text(struct kma_image *image, Elf_Scn *scn, const GElf_Shdr *hdr,
				      const char *name, uint64_t ends[2])
{
	unsigned int index = elf_ndxscn(scn);
	Elf_Data *data = hdr->sh_type != SHT_NOBITS ? elf_rawdata(scn, NULL) : NULL;
	bool init = !strncmp(name, ".init", 5);
	uint64_t align = hdr->sh_addralign ?: 1, addr = hdr->sh_addr;
	struct kma_image_text *texts;

	if (hdr->sh_size > KMA_IMAGE_MAX || (align & (align - 1)) || align > KMA_IMAGE_INIT)
		return kma_err_create_kind(KMA_ERR_DAMAGED, image->name, 0,
					   "corrupt: section %u has an invalid size or alignment",
					   index);
	if (kma_image_relocatable(image)) {
		addr = (ends[init] + align - 1) & ~(align - 1);
		ends[init] = addr + hdr->sh_size;
	}
	texts = kma_xrealloc(image->texts, image->nr_texts + 1, sizeof(*texts));
	image->texts = texts;
	texts[image->nr_texts++] = (struct kma_image_text){
		.index = index,
		.addr = addr,
		.size = hdr->sh_size,
		.bytes = data && data->d_size == hdr->sh_size ? data->d_buf : NULL,
	};
	return NULL;
}

static int cmp_text(const void *a, const void *b)
{
	const struct kma_image_text *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static void image_debug_info(struct kma_image *image, Elf_Scn *scn, const GElf_Shdr *hdr)
{
	GElf_Chdr packed;

	image->has_dwarf = hdr->sh_type != SHT_NOBITS && hdr->sh_size;
	if ((hdr->sh_flags & SHF_COMPRESSED) && gelf_getchdr(scn, &packed) &&
	    packed.ch_type != KMA_COMPRESS_ZLIB)
		image->packing = packed.ch_type;
}

static struct kma_err *image_sections(struct kma_image *image)
{
	uint64_t ends[2] = { 0, KMA_IMAGE_INIT };
	struct kma_err *err = NULL;
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(image->elf, &strings))
		return kma_err_create_kind(KMA_ERR_DAMAGED, image->name, 0,
					   "corrupt or truncated: %s", elf_errmsg(-1));
	while (!err && (scn = elf_nextscn(image->elf, scn))) {
		GElf_Shdr hdr;
		const char *name;

		if (!gelf_getshdr(scn, &hdr))
			return kma_err_create_kind(KMA_ERR_DAMAGED, image->name, 0,
						   "corrupt or truncated: %s", elf_errmsg(-1));
		name = elf_strptr(image->elf, strings, hdr.sh_name) ?: "";
		if (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info"))
			image_debug_info(image, scn, &hdr);
		if (hdr.sh_type == SHT_NOTE)
			image_note(elf_getdata(scn, NULL), image->build_id);
		if ((hdr.sh_flags & SHF_ALLOC) && (hdr.sh_flags & SHF_EXECINSTR) && hdr.sh_size)
			err = image_add_text(image, scn, &hdr, name, ends);
	}
	if (!err && image->nr_texts)
		qsort(image->texts, image->nr_texts, sizeof(*image->texts), cmp_text);
	return err;
}

static struct kma_err *image_read(struct kma_image *image)
{
	struct kma_err *err;
	struct stat st;

	elf_version(EV_CURRENT);
	err = kma_file_open(AT_FDCWD, image->name, KMA_FILE_REGULAR, &image->fd, &st);
	if (err)
		return err;
	err = image_if_packed(image, st.st_size);
	if (err)
		return err;
	if (fstat(image->fd, &st))
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, image->name, 0, "cannot open: %s",
					   strerror(errno));
	image->size = st.st_size;
	image->elf = elf_begin(image->fd, ELF_C_READ_MMAP, NULL);
	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF)
		return kma_elf_refuse(image->fd, image->name);
	if (!gelf_getehdr(image->elf, &image->hdr))
		return kma_err_create_kind(KMA_ERR_DAMAGED, image->name, 0, "corrupt: %s",
					   elf_errmsg(-1));
	if (kma_elf_is_truncated(image->elf, image->size))
		return kma_elf_truncated(image->name);
	return image_sections(image);
}

struct kma_err *kma_image_open(const char *path, struct kma_image **ret)
{
	struct kma_image *image = kma_xcalloc(1, sizeof(*image));
	struct kma_err *err;

	image->fd = -1;
	image->name = kma_xstrdup(path);
	err = image_read(image);
	if (err) {
		kma_image_close(image);
		return err;
	}
	*ret = image;
	return NULL;
}

void kma_image_close(struct kma_image *image)
{
	if (!image)
		return;
	if (image->elf)
		elf_end(image->elf);
	if (image->fd >= 0)
		close(image->fd);
	free(image->texts);
	free(image->name);
	free(image);
}

const char *kma_image_path(const struct kma_image *image)
{
	return *image->path ? image->path : image->name;
}

const char *kma_image_name(const struct kma_image *image)
{
	return image->name;
}

struct kma_err *kma_image_rename(const struct kma_image *image, struct kma_err *err)
{
	return kma_err_rename(err, image->name);
}

uint64_t kma_image_size(const struct kma_image *image)
{
	return image->size;
}

const char *kma_image_build_id(const struct kma_image *image)
{
	return image->build_id;
}

bool kma_image_relocatable(const struct kma_image *image)
{
	return image->hdr.e_type == ET_REL;
}

struct kma_err *kma_image_dwarf(const struct kma_image *image, bool *have)
{
	*have = image->has_dwarf;
	if (!image->packing)
		return NULL;
	*have = false;
	return kma_err_create_kind(
		KMA_ERR_DAMAGED, image->name, 0,
		"libdw does not support the compression of its DWARF (%s); decompress it with objcopy %s",
		image->packing == 2 ? "zstd" : "unknown", "--decompress-debug-sections");
}

struct kma_err *kma_image_units(const struct kma_image *image, Dwarf *dw)
{
	Dwarf_Off next;
	size_t header;

	if (dw && (!image->has_dwarf ||
		   !dwarf_next_unit(dw, 0, &next, &header, NULL, NULL, NULL, NULL, NULL, NULL)))
		return NULL;
	return kma_err_create_kind(
		KMA_ERR_DAMAGED, image->name, 0, "cannot read its debugging information: %s",
		image->has_dwarf ? "its section .debug_info is corrupt" : dwarf_errmsg(-1));
}

const struct kma_image_text *kma_image_texts(const struct kma_image *image, size_t *nr)
{
	*nr = image->nr_texts;
	return image->texts;
}

bool kma_image_main_text(const struct kma_image *image, uint64_t *start, uint64_t *end)
{
	const struct kma_image_text *best = NULL;

	for (size_t i = 0; i < image->nr_texts; i++)
		if (!best || image->texts[i].size > best->size)
			best = &image->texts[i];
	if (!best)
		return false;
	*start = best->addr;
	*end = best->addr + best->size;
	return true;
}

bool kma_image_place(const struct kma_image *image, unsigned int section, uint64_t value,
		     uint64_t *ret)
{
	for (size_t i = 0; i < image->nr_texts; i++) {
		if (image->texts[i].index != section)
			continue;
		*ret = kma_image_relocatable(image) ? image->texts[i].addr + value : value;
		return true;
	}
	return false;
}

/* Do the @len bytes before @end end with a call instruction? */
static bool call_x86(const unsigned char *end, uint64_t len)
{

	/* call rel32; call *reg, *(reg), *disp8(reg), *disp32(reg): ff /2 */
	return (len >= 5 && end[-5] == 0xe8) ||
	       (len >= 2 && end[-2] == 0xff && (end[-1] & 0x38) == 0x10) ||
	       (len >= 3 && end[-3] == 0xff && (end[-2] & 0xf8) == 0x50) ||
	       (len >= 6 && end[-6] == 0xff && (end[-5] & 0x38) == 0x10);
}

static bool call_arm64(const unsigned char *end, uint64_t len)
{
	uint32_t insn;

	if (len < 4)
		return false;
	insn = end[-4] | end[-3] << 8 | end[-2] << 16 | (uint32_t)end[-1] << 24;
	return (insn & 0xfc000000) == 0x94000000 || (insn & 0xfffffc1f) == 0xd63f0000;
}

static const struct {
	unsigned int machine;
	bool (*is_call)(const unsigned char *end, uint64_t len);
} kma_calls[] = {
	{ EM_X86_64, call_x86 },
	{ EM_386, call_x86 },
	{ EM_AARCH64, call_arm64 },
};

unsigned int kma_image_machine(const struct kma_image *image)
{
	return image->hdr.e_machine;
}

/* The section with the byte before an address, where a call that returns to it would be. */
static const struct kma_image_text *text_before(const struct kma_image *image, uint64_t addr)
{
	for (size_t i = 0; i < image->nr_texts; i++)
		if (addr > image->texts[i].addr &&
		    addr - image->texts[i].addr <= image->texts[i].size)
			return &image->texts[i];
	return NULL;
}

const unsigned char *kma_image_code(const struct kma_image *image, uint64_t addr, uint64_t *before,
				    uint64_t *after)
{
	const struct kma_image_text *text = text_before(image, addr);

	if (!text || !text->bytes)
		return NULL;
	*before = addr - text->addr;
	*after = text->size - *before;
	return text->bytes + *before;
}

int kma_image_calls(const struct kma_image *image, uint64_t addr)
{
	uint64_t before, after;
	const unsigned char *end;

	if (!text_before(image, addr))
		return 0;
	end = kma_image_code(image, addr, &before, &after);
	for (size_t i = 0; end && i < ARRAY_SIZE(kma_calls); i++)
		if (kma_calls[i].machine == image->hdr.e_machine)
			return kma_calls[i].is_call(end, before);
	return -1;
}
