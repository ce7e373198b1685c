// SPDX-License-Identifier: GPL-2.0-only
/*
 * dump-file.c - read the segments and the notes of an ELF core, or a dump of makedumpfile by
 * libkdumpfile.
 *
 * An ELF core is not trusted: what its headers say is compared with its size before memory is
 * allocated, and no segment may end beyond the largest physical address. QEMU writes a segment for
 * each mapping of the page tables that it finds, so one page can be in many segments.
 *
 * libkdumpfile is loaded when a compressed dump is opened. It runs in a child, because it crashes
 * on corrupt files: the child answers requests for pages through a socket. A page that makedumpfile
 * left out is not there; any other page that cannot be read makes the dump useless, because a scan
 * of a part would call lost what the other part refers to (kma_dump_file_broken()). The library's
 * header is optional (Makefile), since few distributions have it. The bitmap of all RAM came with
 * 0.5.1, the flattened form with 0.5.3.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dump-file.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/child.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/library.h"
#include "memory.h"

#ifdef KMA_HAS_KDUMPFILE
#include <libkdumpfile/kdumpfile.h>
#endif

#define KMA_DUMP_SEGMENTS (1U << 24)	      /* most segments */
#define KMA_DUMP_NOTE	  (1U << 20)	      /* most bytes of VMCOREINFO */
#define KMA_DUMP_NOTES	  (1U << 16)	      /* most notes: some for each CPU */
#define KMA_DUMP_END	  (UINT64_C(1) << 52) /* of physical addresses */
#define KMA_DUMP_INFO	  "VMCOREINFO"

#define KMA_DUMP_HEAD 16  /* bytes of a file that tell its form */
#define KMA_DUMP_WHY  256 /* bytes of a reason of the child */

/* As it lies on a disk; and flattened, as it goes through a pipe, and as QEMU writes it. */
static const char disk[] = "KDUMP   ", flat[] = "makedumpfile";

static bool compressed_is(const char *head)
{
	return !memcmp(head, disk, sizeof(disk) - 1) || !memcmp(head, flat, sizeof(flat));
}

static struct kma_err *dump_file_bad(const struct kma_dump_file *file, const char *text)
{
	return kma_err_create_kind(KMA_ERR_DAMAGED, file->path, 0, "%s", text);
}

#ifdef KMA_HAS_KDUMPFILE
/* clang-format off */
#define KDUMP_FUNCTIONS(F) \
	F(kdump, new) F(kdump, open_fdset) F(kdump, read) F(kdump, get_err) F(kdump, set_attr) \
	F(kdump, get_typed_attr) F(kdump, bmp_find_set) F(kdump, bmp_find_clear) \
	F(kdump, blob_pin) F(kdump, blob_size)
/* clang-format on */

static struct {
	KDUMP_FUNCTIONS(KMA_LIBRARY_POINTER)
} kdump;

static const char *const names[] = { KDUMP_FUNCTIONS(KMA_LIBRARY_NAME) };

/* The functions above are the same in both. */
static const struct kma_library library = {
	"libkdumpfile",
	{ "libkdumpfile.so.10", "libkdumpfile.so.12" },
	"libkdumpfile10 or libkdumpfile12",
	KMA_LIBRARY_FUNCTIONS(kdump, names),
};

/* What the child says to a request. */
enum { ANSWER_DATA = 1, ANSWER_LEFT_OUT, ANSWER_BROKEN };

struct request {
	uint64_t start, len;
};

/* Requests of two readers must not mix: @lock. */
struct kma_dump_compressed {
	int socket;
	pid_t child;
	pthread_mutex_t lock;
	uint64_t broken; /* physical address that could not be read, and one more; 0: none */
	bool ended;	 /* then, because the child did, with @status */
	int status;
};

/* A signal that stops a scan interrupts both; the scan looks at it between two reads. */
static bool put(int fd, const void *buf, size_t len)
{
	ssize_t n = 0;

	for (size_t at = 0; at < len; at += n) {
		do {
			n = send(fd, (const char *)buf + at, len - at, MSG_NOSIGNAL);
		} while (n < 0 && errno == EINTR);
		if (n <= 0)
			return false;
	}
	return true;
}

static bool get(int fd, void *buf, size_t len)
{
	ssize_t n = 0;

	for (size_t at = 0; at < len; at += n) {
		do {
			n = recv(fd, (char *)buf + at, len - at, MSG_WAITALL);
		} while (n < 0 && errno == EINTR);
		if (n <= 0)
			return false;
	}
	return true;
}

/*
 * The library reads zeros after the end of a file, and a scan of zeros would call lost what the
 * missing part refers to. So what the file says of itself is compared with its size first. All
 * numbers below are those of struct disk_dump_header and related ones in makedumpfile's
 * diskdump_mod.h.
 */
static struct kma_err *compressed_whole(const struct kma_dump_file *file, const char *head,
					uint64_t size)
{
	static const char end[16] = { [0 ... 15] = -1 };
	struct {
		uint32_t status;
		int32_t block, sub;
		uint32_t bitmap;
	} header;
	struct {
		uint64_t off;
		uint32_t size, flags;
		uint64_t page;
	} pages[512];
	uint64_t bits[512], bitmap, at, left, nr = 0;
	int32_t split;
	char last[16];

	if (!memcmp(head, flat, sizeof(flat)))
		return kma_file_pread(file->fd, last, sizeof(last), size - sizeof(last)) &&
				       !memcmp(last, end, sizeof(end)) ?
			       NULL :
			       dump_file_bad(file, "truncated: it does not end with a mark");
	if (!kma_file_pread(file->fd, &header, sizeof(header), 424) ||
	    !kma_file_pread(file->fd, &split, sizeof(split), KMA_HEAP_PAGE + 12))
		return dump_file_bad(file, "truncated in its headers");
	if (header.block != KMA_HEAP_PAGE || header.sub < 1 || header.sub > 1024 ||
	    header.bitmap % 2 || header.bitmap > KMA_DUMP_SEGMENTS)
		return dump_file_bad(file, "corrupt: impossible sizes in its header");
	if (header.status & 8)
		return dump_file_bad(file,
				     "makedumpfile marked it as not complete; was its disk full?");
	if (split)
		return dump_file_bad(file,
				     "a part of a dump; makedumpfile --reassemble joins the parts");
	/* The second half of the bitmaps has the pages of the file; each has a descriptor. */
	bitmap = (1 + (uint64_t)header.sub + header.bitmap / 2) * KMA_HEAP_PAGE;
	for (uint32_t i = 0; i < header.bitmap / 2; i++) {
		if (!kma_file_pread(file->fd, bits, sizeof(bits), bitmap + i * sizeof(bits)))
			return dump_file_bad(file, "truncated in its bitmaps");
		for (size_t n = 0; n < ARRAY_SIZE(bits); n++)
			nr += __builtin_popcountll(bits[n]);
	}
	at = bitmap + header.bitmap / 2 * (uint64_t)KMA_HEAP_PAGE;
	for (; nr; nr -= left) {
		left = nr < ARRAY_SIZE(pages) ? nr : ARRAY_SIZE(pages);
		if (!kma_file_pread(file->fd, pages, left * sizeof(*pages), at))
			return dump_file_bad(file, "truncated in its list of pages");
		at += left * sizeof(*pages);
		for (size_t n = 0; n < left; n++)
			if (pages[n].off > size || pages[n].size > size - pages[n].off)
				return dump_file_bad(
					file, "truncated: a page ends behind the end of the file");
	}
	return NULL;
}

/* Why the child has ended; it has closed the socket. */
static struct kma_err *compressed_ended(const struct kma_dump_file *file)
{
	struct kma_dump_compressed *dump = file->compressed;

	if (dump->child > 0 && waitpid(dump->child, &dump->status, 0) == dump->child)
		dump->child = 0;
	return kma_err_create_kind(
		KMA_ERR_DAMAGED, file->path, 0,
		"the process that reads it with libkdumpfile ended by signal %d: the dump is corrupt, or memory is missing",
		WIFSIGNALED(dump->status) ? WTERMSIG(dump->status) : 0);
}

/* Make ranges of RAM from a bitmap of page frames. */
static bool find_ram(struct kma_dump_file *file, const char *name, kdump_ctx_t *ctx)
{
	kdump_attr_t map = { .type = KDUMP_BITMAP };
	kdump_addr_t at = 0, first;
	size_t room = 0;

	file->nr_ram = 0;
	if (kdump.get_typed_attr(ctx, name, &map) != KDUMP_OK)
		return false;
	while (kdump.bmp_find_set(map.val.bitmap, &at) == KDUMP_OK) {
		first = at;
		if (kdump.bmp_find_clear(map.val.bitmap, &at) != KDUMP_OK || at <= first ||
		    at > KMA_DUMP_END / KMA_HEAP_PAGE)
			return false;
		kma_array_room(file->ram, file->nr_ram, room);
		file->ram[file->nr_ram++] =
			(struct kma_dump_range){ first * KMA_HEAP_PAGE, at * KMA_HEAP_PAGE, 0 };
	}
	return file->nr_ram;
}

/* In the child: say why the dump cannot be used, or "", and then its RAM and VMCOREINFO. */
static void child_open(struct kma_dump_file *file, const char *head, kdump_ctx_t *ctx, int fd)
{
	kdump_attr_t machine = { .type = KDUMP_STRING }, info = { .type = KDUMP_BLOB };
	kdump_attr_t no_map = { .type = KDUMP_NUMBER, .val.number = KDUMP_MMAP_NEVER };
	char why[KMA_DUMP_WHY] = "";
	uint64_t len = 0;

	/* A page after the end of a mapped file would be a signal. */
	kdump.set_attr(ctx, KDUMP_ATTR_FILE_MMAP_POLICY, &no_map);
	if (kdump.open_fdset(ctx, 1, &file->fd) != KDUMP_OK)
		snprintf(why, sizeof(why), "libkdumpfile cannot read the dump: %.150s%s",
			 kdump.get_err(ctx),
			 memcmp(head, flat, sizeof(flat)) ?
				 "" :
				 "; makedumpfile -R makes a dump that is not flattened");
	/* QEMU does not say which machine a dump is of. */
	else if (kdump.get_typed_attr(ctx, KDUMP_ATTR_ARCH_NAME, &machine) == KDUMP_OK &&
		 strcmp(machine.val.string, KDUMP_ARCH_X86_64) != 0)
		snprintf(why, sizeof(why), "not a dump of an x86-64 kernel");
	else if (!find_ram(file, KDUMP_ATTR_MEMORY_PAGEMAP, ctx) &&
		 !find_ram(file, KDUMP_ATTR_FILE_PAGEMAP, ctx))
		snprintf(why, sizeof(why), "corrupt: no memory in it");
	if (!put(fd, why, sizeof(why)) || *why)
		_exit(1);
	/* kdump_vmcoreinfo_raw() needs the library to find the kernel's page tables first. */
	if (kdump.get_typed_attr(ctx, "linux.vmcoreinfo.raw", &info) == KDUMP_OK)
		len = kdump.blob_size(info.val.blob);
	put(fd, &file->nr_ram, sizeof(file->nr_ram));
	put(fd, file->ram, file->nr_ram * sizeof(*file->ram));
	put(fd, &len, sizeof(len));
	if (len)
		put(fd, kdump.blob_pin(info.val.blob), len);
}

/* The child: the library crashes on corrupt files. */
_Noreturn static void child_run(struct kma_dump_file *file, const char *head, int fd)
{
	kdump_ctx_t *ctx = kma_xmem(kdump.new());
	struct request request;
	char page[KMA_HEAP_PAGE];

	child_open(file, head, ctx, fd);
	while (get(fd, &request, sizeof(request))) {
		size_t len = request.len;
		kdump_status status =
			kdump.read(ctx, KDUMP_MACHPHYSADDR, request.start, page, &len);
		char answer = status == KDUMP_OK	 ? ANSWER_DATA :
			      status == KDUMP_ERR_NODATA ? ANSWER_LEFT_OUT :
							   ANSWER_BROKEN;

		if (!put(fd, &answer, 1) || (answer == ANSWER_DATA && !put(fd, page, request.len)))
			break;
	}
	_exit(0);
}

/* Take what child_open() sends. */
static struct kma_err *compressed_take(struct kma_dump_file *file)
{
	int fd = file->compressed->socket;
	char why[KMA_DUMP_WHY];
	uint64_t len;

	if (!get(fd, why, sizeof(why)))
		return compressed_ended(file);
	why[sizeof(why) - 1] = '\0';
	if (*why)
		return dump_file_bad(file, why);
	if (!get(fd, &file->nr_ram, sizeof(file->nr_ram)))
		return compressed_ended(file);
	file->ram = kma_xcalloc(file->nr_ram, sizeof(*file->ram));
	if (!get(fd, file->ram, file->nr_ram * sizeof(*file->ram)) || !get(fd, &len, sizeof(len)))
		return compressed_ended(file);
	if (len > KMA_DUMP_NOTE)
		return dump_file_bad(file, "corrupt: VMCOREINFO is too long");
	if (!len)
		return NULL;
	file->info = kma_xcalloc(1, len + 1);
	return get(fd, file->info, len) ? NULL : compressed_ended(file);
}

static struct kma_err *compressed_open(struct kma_dump_file *file, const char *head, uint64_t size)
{
	struct kma_dump_compressed *dump;
	struct kma_err *err;
	int pair[2];

	err = kma_library_load(&library);
	if (!err)
		err = compressed_whole(file, head, size);
	if (err)
		return err;
	file->compressed = dump = kma_xcalloc(1, sizeof(*dump));
	pthread_mutex_init(&dump->lock, NULL);
	dump->socket = -1;
	if (!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
		dump->child = kma_child_fork();
		if (!dump->child) {
			close(pair[0]);
			child_run(file, head, pair[1]);
		}
		dump->socket = pair[0];
		close(pair[1]);
	}
	if (dump->socket < 0 || dump->child < 0)
		return kma_err_create(file->path, 0, "cannot start a process to read it: %s",
				      strerror(errno));
	return compressed_take(file);
}

static void compressed_close(struct kma_dump_compressed *dump)
{
	if (dump->socket >= 0)
		close(dump->socket);
	if (dump->child > 0) {
		kill(dump->child, SIGKILL);
		waitpid(dump->child, NULL, 0);
	}
	pthread_mutex_destroy(&dump->lock);
	free(dump);
}

/* Read within a page. */
static bool compressed_read(struct kma_dump_compressed *dump, uint64_t start, void *buf, size_t len)
{
	struct request request = { start, len };
	char answer = ANSWER_BROKEN;

	pthread_mutex_lock(&dump->lock);
	if (!dump->broken &&
	    (!put(dump->socket, &request, sizeof(request)) || !get(dump->socket, &answer, 1) ||
	     (answer == ANSWER_DATA && !get(dump->socket, buf, len)))) {
		answer = ANSWER_BROKEN;
		dump->ended = true;
	}
	if (answer == ANSWER_BROKEN && !dump->broken)
		dump->broken = start + 1;
	pthread_mutex_unlock(&dump->lock);
	return answer == ANSWER_DATA;
}

struct kma_err *kma_dump_file_broken(const struct kma_dump_file *file)
{
	struct kma_dump_compressed *dump = file->compressed;
	struct kma_err *err = NULL;

	if (!dump)
		return NULL;
	pthread_mutex_lock(&dump->lock);
	if (dump->ended)
		err = compressed_ended(file);
	else if (dump->broken)
		err = kma_err_create_kind(
			KMA_ERR_DAMAGED, file->path, 0,
			"corrupt: libkdumpfile cannot read the page at physical address 0x%" PRIx64,
			dump->broken - 1);
	pthread_mutex_unlock(&dump->lock);
	return err;
}
#else
static struct kma_err *compressed_open(struct kma_dump_file *file, const char *head, uint64_t size)
{
	(void)head;
	(void)size;
	return kma_err_create_kind(
		KMA_ERR_DATA, file->path, 0,
		"this kmem-account was built without libkdumpfile, which reads compressed dumps; makedumpfile -E writes a dump as an ELF core");
}

static void compressed_close(struct kma_dump_compressed *dump)
{
	(void)dump;
}

static bool compressed_read(struct kma_dump_compressed *dump, uint64_t start, void *buf, size_t len)
{
	(void)dump, (void)start, (void)buf, (void)len;
	return false;
}

struct kma_err *kma_dump_file_broken(const struct kma_dump_file *file)
{
	(void)file;
	return NULL;
}
#endif

void kma_dump_file_close(struct kma_dump_file *file)
{
	if (file->compressed)
		compressed_close(file->compressed);
	if (file->path)
		close(file->fd);
	free(file->path);
	free(file->data);
	free(file->ram);
	free(file->info);
	*file = (struct kma_dump_file){ 0 };
}

static int dump_file_compare(const void *a, const void *b)
{
	const struct kma_dump_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

/* Sort ranges, cut off what overlaps, and join what is adjacent. @places: in the file, too. */
static void dump_file_disjoin(struct kma_dump_range *ranges, size_t *nr, bool places)
{
	size_t kept = 0;

	qsort(ranges, *nr, sizeof(*ranges), dump_file_compare);
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
static struct kma_err *dump_file_load(struct kma_dump_file *file, const Elf64_Phdr *segment,
				      uint64_t size)
{
	uint64_t bytes = segment->p_filesz;

	if (segment->p_paddr >= KMA_DUMP_END || segment->p_memsz > KMA_DUMP_END ||
	    bytes > segment->p_memsz || segment->p_paddr + segment->p_memsz > KMA_DUMP_END)
		return dump_file_bad(file, "corrupt: a segment has an impossible size");
	if (bytes && (segment->p_offset > size || bytes > size - segment->p_offset))
		return dump_file_bad(file, "truncated: a segment ends behind the end of the file");
	if (bytes)
		file->data[file->nr_data++] = (struct kma_dump_range){ segment->p_paddr,
								       segment->p_paddr + bytes,
								       segment->p_offset };
	file->ram[file->nr_ram++] =
		(struct kma_dump_range){ segment->p_paddr, segment->p_paddr + segment->p_memsz, 0 };
	return NULL;
}

/* Find VMCOREINFO in a segment of notes. */
static struct kma_err *dump_file_notes(struct kma_dump_file *file, const Elf64_Phdr *segment)
{
	uint64_t at = 0, len = segment->p_filesz;

	for (unsigned int i = 0; i < KMA_DUMP_NOTES && len - at > sizeof(Elf64_Nhdr); i++) {
		uint64_t from = segment->p_offset + at, skip;
		char name[sizeof(KMA_DUMP_INFO)] = "";
		Elf64_Nhdr note;

		if (!kma_file_pread(file->fd, &note, sizeof(note), from))
			return dump_file_bad(file, "truncated in its notes");
		skip = sizeof(note) + ((note.n_namesz + UINT64_C(3)) & ~UINT64_C(3));
		if (note.n_namesz == sizeof(name) &&
		    !kma_file_pread(file->fd, name, sizeof(name), from + sizeof(note)))
			return dump_file_bad(file, "truncated in its notes");
		if (!file->info && !memcmp(name, KMA_DUMP_INFO, sizeof(name))) {
			if (note.n_descsz > KMA_DUMP_NOTE)
				return dump_file_bad(file, "corrupt: VMCOREINFO is too long");
			file->info = kma_xcalloc(1, (size_t)note.n_descsz + 1);
			if (!kma_file_pread(file->fd, file->info, note.n_descsz, from + skip))
				return dump_file_bad(file, "truncated in its notes");
		}
		skip += (note.n_descsz + UINT64_C(3)) & ~UINT64_C(3);
		if (skip > len - at)
			break;
		at += skip;
	}
	return NULL;
}

/* Check the header of the file, and find its segments. */
static struct kma_err *dump_file_header(struct kma_dump_file *file, uint64_t size, uint64_t *off,
					uint64_t *nr)
{
	Elf64_Ehdr header;
	Elf64_Shdr section;

	if (!kma_file_pread(file->fd, &header, sizeof(header), 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG))
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, file->path, 0,
			"not a dump of a kernel: neither an ELF core nor compressed by makedumpfile");
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    header.e_machine != EM_X86_64 || header.e_type != ET_CORE)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, file->path, 0,
					   "not a dump of an x86-64 kernel");
	*nr = header.e_phnum;
	*off = header.e_phoff;
	/* More segments than fit into e_phnum: their number is in the first section. */
	if (*nr == PN_XNUM) {
		if (!kma_file_pread(file->fd, &section, sizeof(section), header.e_shoff))
			return dump_file_bad(file, "truncated in its headers");
		*nr = section.sh_info;
	}
	if (header.e_phentsize != sizeof(Elf64_Phdr) || !*nr || *nr > KMA_DUMP_SEGMENTS)
		return dump_file_bad(file, "corrupt: impossible headers of segments");
	if (*off > size || *nr * sizeof(Elf64_Phdr) > size - *off)
		return dump_file_bad(file, "truncated in its headers");
	return NULL;
}

static struct kma_err *dump_file_segments(struct kma_dump_file *file, uint64_t size)
{
	_cleanup_free_ Elf64_Phdr *segments = NULL;
	uint64_t off = 0, nr = 0;
	struct kma_err *err = dump_file_header(file, size, &off, &nr);

	if (err)
		return err;
	segments = kma_xcalloc(nr, sizeof(*segments));
	file->data = kma_xcalloc(nr, sizeof(*file->data));
	file->ram = kma_xcalloc(nr, sizeof(*file->ram));
	if (!kma_file_pread(file->fd, segments, nr * sizeof(*segments), off))
		return dump_file_bad(file, "truncated in its headers");
	for (uint64_t i = 0; i < nr; i++) {
		if (segments[i].p_type == PT_LOAD)
			err = dump_file_load(file, &segments[i], size);
		else if (segments[i].p_type == PT_NOTE)
			err = dump_file_notes(file, &segments[i]);
		if (err)
			return err;
	}
	dump_file_disjoin(file->data, &file->nr_data, true);
	dump_file_disjoin(file->ram, &file->nr_ram, false);
	return NULL;
}

struct kma_err *kma_dump_file_open(const char *path, struct kma_dump_file *ret)
{
	struct kma_err *err;
	struct stat st;
	char head[KMA_DUMP_HEAD];

	*ret = (struct kma_dump_file){ 0 };
	err = kma_file_open(AT_FDCWD, path, KMA_FILE_REGULAR, &ret->fd, &st);
	if (err)
		return err;
	ret->path = kma_xstrdup(path);
	if (kma_file_pread(ret->fd, head, sizeof(head), 0) && compressed_is(head))
		err = compressed_open(ret, head, st.st_size);
	else
		err = dump_file_segments(ret, st.st_size);
	if (err)
		return err;
	if (!ret->compressed && !ret->nr_data)
		return dump_file_bad(ret, "corrupt: no memory in it");
	if (!ret->info)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, path, 0,
			"no VMCOREINFO, which says where the kernel's structures are; QEMU writes it for a guest with the device vmcoreinfo");
	return NULL;
}

bool kma_dump_file_read(const struct kma_dump_file *file, uint64_t start, void *buf, size_t len)
{
	char *to = buf;

	if (file->compressed)
		return compressed_read(file->compressed, start, buf, len);
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
