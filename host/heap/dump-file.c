// SPDX-License-Identifier: GPL-2.0-only
/*
 * dump-file.c - read the segments and the notes of an ELF core.
 *
 * The file is not trusted: what its headers say is compared with its size before memory is
 * allocated, and no segment may end beyond the largest physical address. QEMU writes a segment for
 * each mapping of the page tables that it finds, so one page can be in many segments.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump-file.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"

#define KMA_DUMP_SEGMENTS (1U << 24)	      /* most segments */
#define KMA_DUMP_NOTE	  (1U << 20)	      /* most bytes of VMCOREINFO */
#define KMA_DUMP_NOTES	  (1U << 16)	      /* most notes: some for each CPU */
#define KMA_DUMP_END	  (UINT64_C(1) << 52) /* of physical addresses */
#define KMA_DUMP_INFO	  "VMCOREINFO"

void kma_dump_file_close(struct kma_dump_file *file)
{
	if (file->path)
		close(file->fd);
	free(file->path);
	free(file->data);
	free(file->ram);
	free(file->info);
	*file = (struct kma_dump_file){ 0 };
}

static struct kma_err *kma_dump_file_bad(const struct kma_dump_file *file, const char *text)
{
	return kma_err_create_kind(KMA_ERR_DAMAGED, file->path, 0, "%s", text);
}

static int kma_dump_file_compare(const void *a, const void *b)
{
	const struct kma_dump_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

/* Sort ranges, cut off what overlaps, and join what is adjacent. @places: in the file, too. */
static void kma_dump_file_disjoin(struct kma_dump_range *ranges, size_t *nr, bool places)
{
	size_t kept = 0;

	qsort(ranges, *nr, sizeof(*ranges), kma_dump_file_compare);
	for (size_t i = 0; i < *nr; i++) {
		struct kma_dump_range range = ranges[i], *last = kept ? &ranges[kept - 1] : NULL;

		if (last && range.start < last->end) {
			uint64_t cut = last->end - range.start;

			if (range.end <= last->end)
				continue;
			range.start += cut;
			range.off += cut;
		}
		if (last && range.start == last->end &&
		    (!places || range.off == last->off + (last->end - last->start)))
			last->end = range.end;
		else if (range.start < range.end)
			ranges[kept++] = range;
	}
	*nr = kept;
}

/* Take the memory of a segment. */
static struct kma_err *kma_dump_file_load(struct kma_dump_file *file, const Elf64_Phdr *segment,
					  uint64_t size)
{
	uint64_t bytes = segment->p_filesz;

	if (segment->p_paddr >= KMA_DUMP_END || segment->p_memsz > KMA_DUMP_END ||
	    bytes > segment->p_memsz || segment->p_paddr + segment->p_memsz > KMA_DUMP_END)
		return kma_dump_file_bad(file, "corrupt: a segment has an impossible size");
	if (bytes && (segment->p_offset > size || bytes > size - segment->p_offset))
		return kma_dump_file_bad(file,
					 "truncated: a segment ends behind the end of the file");
	if (bytes)
		file->data[file->nr_data++] = (struct kma_dump_range){ segment->p_paddr,
								       segment->p_paddr + bytes,
								       segment->p_offset };
	file->ram[file->nr_ram++] =
		(struct kma_dump_range){ segment->p_paddr, segment->p_paddr + segment->p_memsz, 0 };
	return NULL;
}

/* Find VMCOREINFO in a segment of notes. */
static struct kma_err *kma_dump_file_notes(struct kma_dump_file *file, const Elf64_Phdr *segment)
{
	uint64_t at = 0, len = segment->p_filesz;

	for (unsigned int i = 0; i < KMA_DUMP_NOTES && len - at > sizeof(Elf64_Nhdr); i++) {
		uint64_t from = segment->p_offset + at, skip;
		char name[sizeof(KMA_DUMP_INFO)] = "";
		Elf64_Nhdr note;

		if (!kma_file_pread(file->fd, &note, sizeof(note), from))
			return kma_dump_file_bad(file, "truncated in its notes");
		skip = sizeof(note) + ((note.n_namesz + UINT64_C(3)) & ~UINT64_C(3));
		if (note.n_namesz == sizeof(name) &&
		    !kma_file_pread(file->fd, name, sizeof(name), from + sizeof(note)))
			return kma_dump_file_bad(file, "truncated in its notes");
		if (!file->info && !memcmp(name, KMA_DUMP_INFO, sizeof(name))) {
			if (note.n_descsz > KMA_DUMP_NOTE)
				return kma_dump_file_bad(file, "corrupt: VMCOREINFO is too long");
			file->info = calloc(1, (size_t)note.n_descsz + 1);
			if (!file->info)
				return &kma_enomem;
			if (!kma_file_pread(file->fd, file->info, note.n_descsz, from + skip))
				return kma_dump_file_bad(file, "truncated in its notes");
		}
		skip += (note.n_descsz + UINT64_C(3)) & ~UINT64_C(3);
		if (skip > len - at)
			break;
		at += skip;
	}
	return NULL;
}

/* Check the header of the file, and find its segments. */
static struct kma_err *kma_dump_file_header(struct kma_dump_file *file, uint64_t size,
					    uint64_t *off, uint64_t *nr)
{
	Elf64_Ehdr header;
	Elf64_Shdr section;

	if (!kma_file_pread(file->fd, &header, sizeof(header), 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG))
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, file->path, 0,
					   "not a dump of a kernel as an ELF core");
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    header.e_machine != EM_X86_64 || header.e_type != ET_CORE)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, file->path, 0,
					   "not a dump of an x86-64 kernel");
	*nr = header.e_phnum;
	*off = header.e_phoff;
	/* More segments than fit into e_phnum: their number is in the first section. */
	if (*nr == PN_XNUM) {
		if (!kma_file_pread(file->fd, &section, sizeof(section), header.e_shoff))
			return kma_dump_file_bad(file, "truncated in its headers");
		*nr = section.sh_info;
	}
	if (header.e_phentsize != sizeof(Elf64_Phdr) || !*nr || *nr > KMA_DUMP_SEGMENTS)
		return kma_dump_file_bad(file, "corrupt: impossible headers of segments");
	if (*off > size || *nr * sizeof(Elf64_Phdr) > size - *off)
		return kma_dump_file_bad(file, "truncated in its headers");
	return NULL;
}

static struct kma_err *kma_dump_file_segments(struct kma_dump_file *file, uint64_t size)
{
	_cleanup_free_ Elf64_Phdr *segments = NULL;
	uint64_t off = 0, nr = 0;
	struct kma_err *err = kma_dump_file_header(file, size, &off, &nr);

	if (err)
		return err;
	segments = calloc(nr, sizeof(*segments));
	file->data = calloc(nr, sizeof(*file->data));
	file->ram = calloc(nr, sizeof(*file->ram));
	if (!segments || !file->data || !file->ram)
		return &kma_enomem;
	if (!kma_file_pread(file->fd, segments, nr * sizeof(*segments), off))
		return kma_dump_file_bad(file, "truncated in its headers");
	for (uint64_t i = 0; i < nr && !err; i++) {
		if (segments[i].p_type == PT_LOAD)
			err = kma_dump_file_load(file, &segments[i], size);
		else if (segments[i].p_type == PT_NOTE)
			err = kma_dump_file_notes(file, &segments[i]);
	}
	if (err)
		return err;
	kma_dump_file_disjoin(file->data, &file->nr_data, true);
	kma_dump_file_disjoin(file->ram, &file->nr_ram, false);
	return NULL;
}

struct kma_err *kma_dump_file_open(const char *path, struct kma_dump_file *ret)
{
	struct kma_err *err;
	struct stat st;

	*ret = (struct kma_dump_file){ 0 };
	err = kma_file_open(AT_FDCWD, path, KMA_FILE_REGULAR, &ret->fd, &st);
	if (err)
		return err;
	ret->path = strdup(path);
	if (!ret->path) {
		close(ret->fd);
		return &kma_enomem;
	}
	err = kma_dump_file_segments(ret, st.st_size);
	if (err)
		return err;
	if (!ret->nr_data)
		return kma_dump_file_bad(ret, "corrupt: no memory in it");
	if (!ret->info)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, path, 0,
			"no VMCOREINFO, which says where the kernel's structures are; QEMU writes it for a guest with the device vmcoreinfo");
	return NULL;
}

bool kma_dump_file_read(const struct kma_dump_file *file, uint64_t start, void *buf, size_t len)
{
	char *to = buf;

	while (len) {
		size_t i = kma_array_search(file->nr_data, n, file->data[n].end <= start);
		const struct kma_dump_range *range = &file->data[i];
		size_t part = len;

		if (i == file->nr_data || range->start > start)
			return false;
		if (part > range->end - start)
			part = range->end - start;
		if (!kma_file_pread(file->fd, to, part, range->off + (start - range->start)))
			return false;
		to += part;
		start += part;
		len -= part;
	}
	return true;
}

bool kma_dump_file_value(const struct kma_dump_file *file, const char *key, int base, uint64_t *ret)
{
	size_t len = strlen(key);
	const char *line = file->info;

	while (line && *line) {
		if (!strncmp(line, key, len) && line[len] == '=') {
			const char *digits = line + len + 1;
			char *end;

			*ret = strtoull(digits, &end, base);
			return end > digits && (*end == '\n' || !*end);
		}
		line = strchr(line, '\n');
		line += !!line;
	}
	return false;
}
