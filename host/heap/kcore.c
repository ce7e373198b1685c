// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcore.c - read /proc/kcore by the segments of its ELF header, and leave out pages by their flags.
 *
 * The flags of a page (Documentation/admin-guide/mm/pagemap.rst of the kernel) say what it holds. A
 * page that is only mapped into a process (MMAP) may be a buffer of a driver, and is read. Before
 * 5.18 only the first page of a large folio has the flag LRU: its other pages get the flags of the
 * first one.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "frames.h"
#include "kcore.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"

#define KMA_KCORE	    "/proc/kcore"
#define KMA_KPAGEFLAGS	    "/proc/kpageflags"
#define KMA_CPUS	    "/sys/devices/system/cpu/possible"
#define KMA_NODES	    "/sys/devices/system/node/possible"
#define KMA_KCORE_KEPT	    64	/* pages that kcore_word() keeps; a power of two */
#define KMA_KCORE_FOLIO	    512 /* pages of the largest folio of the page cache or of a process */
#define KMA_KCORE_NO_ADDR   UINT64_MAX
#define KMA_KCORE_PAGE_MOST (64U << 10)
#define KMA_KCORE_NOTES	    (1U << 20) /* most bytes of the notes */
#define KMA_KCORE_INFO	    4096       /* bytes of VMCOREINFO, without what does not fit a page */
#define KMA_KCORE_TASK	    16384      /* bytes of a struct task_struct, its first ones */

/*
 * Bytes of one read. A kernel without full preemption copies them, through a buffer, without letting
 * other tasks of the CPU run: 1 MB costs them up to 0.3 ms.
 */
#define KMA_KCORE_STEP (8 << 10)

/* Times that KMA_HEAP_PAGES pages are read to overwrite a stack in the kernel. */
#define KMA_KCORE_FORGETS 4

/* Numbers of flags of /proc/kpageflags. */
enum {
	KMA_PAGE_LRU = 5,
	KMA_PAGE_SLAB = 7,
	KMA_PAGE_BUDDY = 10,
	KMA_PAGE_ANON = 12,
	KMA_PAGE_TAIL = 16,
	KMA_PAGE_HUGE = 17,
	KMA_PAGE_HWPOISON = 19,
	KMA_PAGE_NOPAGE = 20,
	KMA_PAGE_OFFLINE = 23,
	KMA_PAGE_RESERVED = 32,
};

/* Flags of pages that cannot be read. */
#define KMA_PAGES_ABSENT \
	(1ULL << KMA_PAGE_HWPOISON | 1ULL << KMA_PAGE_NOPAGE | 1ULL << KMA_PAGE_OFFLINE)

#define KMA_PAGES_SKIPPED                                                        \
	(1ULL << KMA_PAGE_LRU | 1ULL << KMA_PAGE_BUDDY | 1ULL << KMA_PAGE_ANON | \
	 1ULL << KMA_PAGE_HUGE | KMA_PAGES_ABSENT)

struct kma_kcore_reader {
	const struct kma_kcore *kcore;
	int fd, flags; /* open files */
	bool used;
};

struct kma_kcore_page {
	uint64_t number; /* of the page, from address 0 */
	bool is, readable;
	uint64_t words[KMA_HEAP_PAGE / 8];
};

struct kma_kcore {
	int fd;
	Elf64_Phdr *segments;
	unsigned int nr;
	uint64_t page;	/* bytes of a page of the kernel, a multiple of KMA_HEAP_PAGE */
	uint64_t base;	/* address of physical address 0 in the direct map */
	uint64_t image; /* where in the file the kernel's image is in the direct map; 0: unknown */
	struct kma_memory memory;
	struct kma_memory_area *areas;
	struct kma_kcore_reader readers[KMA_HEAP_THREADS];
	struct kma_kcore_page *kept;   /* KMA_KCORE_KEPT pages */
	struct kma_frame_table frames; /* for slabs and pages */
	struct utsname name;
};

static struct kma_err *kcore_file(const char *path, int *fd)
{
	struct kma_err *err = kma_file_open(AT_FDCWD, path, KMA_FILE_REGULAR, fd, NULL);

	if (err && (errno == EPERM || errno == EACCES)) {
		kma_err_destroy(err);
		return kma_err_create_kind(
			KMA_ERR_NOT_READABLE, path, 0,
			"no permission to read the kernel's memory; it needs root with CAP_SYS_RAWIO and CAP_SYS_ADMIN, and a kernel without lockdown=confidentiality");
	}
	return err;
}

static struct kma_err *kcore_header(struct kma_kcore *kcore)
{
	Elf64_Ehdr header;

	if (!kma_file_pread(kcore->fd, &header, sizeof(header), 0) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG))
		return kma_err_create_kind(KMA_ERR_DAMAGED, KMA_KCORE, 0, "not an ELF file");
	if (header.e_ident[EI_CLASS] != ELFCLASS64)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, KMA_KCORE, 0,
					   "only 64-bit kernels are supported");
	kcore->segments = kma_xcalloc(header.e_phnum, sizeof(*kcore->segments));
	kcore->areas = kma_xcalloc(header.e_phnum, sizeof(*kcore->areas));
	if (header.e_phentsize != sizeof(Elf64_Phdr) ||
	    !kma_file_pread(kcore->fd, kcore->segments, header.e_phnum * sizeof(*kcore->segments),
			    header.e_phoff))
		return kma_err_create_kind(KMA_ERR_DAMAGED, KMA_KCORE, 0,
					   "cannot read the segments");
	kcore->nr = header.e_phnum;
	for (unsigned int i = 0; i < kcore->nr; i++)
		if (kcore->segments[i].p_type == PT_LOAD)
			kcore->page = kcore->segments[i].p_align;
	if (kcore->page < KMA_HEAP_PAGE || kcore->page > KMA_KCORE_PAGE_MOST ||
	    kcore->page & (kcore->page - 1))
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, KMA_KCORE, 0,
			"only kernels with pages of 4, 16 and 64 KiB are supported");
	return NULL;
}

static void kcore_forget(void *arg);
static void kcore_close(void *arg);
static const struct kma_target_ops kcore_ops;

/* Read in steps. False if not all bytes can be read. */
static bool kcore_pread(int fd, void *buf, size_t len, uint64_t off)
{
	for (size_t done = 0, part; done < len; done += part) {
		part = len - done < KMA_KCORE_STEP ? len - done : KMA_KCORE_STEP;
		if (!kma_file_pread(fd, (char *)buf + done, part, off + done))
			return false;
	}
	return true;
}

struct kma_err *kma_kcore_open(struct kma_heap_target *ret)
{
	struct kma_kcore *kcore = kma_xcalloc(1, sizeof(*kcore));
	struct kma_err *err;

	/*
	 * When a process touches a new huge page, the kernel clears 2 MB, and many kernels let no other
	 * task of the CPU run meanwhile. A scan touches some 100 MB.
	 */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	for (unsigned int i = 0; i < KMA_HEAP_THREADS; i++)
		kcore->readers[i] = (struct kma_kcore_reader){ kcore, -1, -1, false };
	uname(&kcore->name);
	kcore->kept = kma_xcalloc(KMA_KCORE_KEPT, sizeof(*kcore->kept));
	kma_atend_call(kcore_forget, kcore);
	*ret = (struct kma_heap_target){ &kcore_ops, kcore };
	err = kcore_file(KMA_KCORE, &kcore->fd) ?: kcore_header(kcore);
	for (unsigned int i = 0; i < KMA_HEAP_THREADS && !err; i++)
		err = kcore_file(KMA_KCORE, &kcore->readers[i].fd) ?:
			      kcore_file(KMA_KPAGEFLAGS, &kcore->readers[i].flags);
	return err;
}

static void kcore_close(void *arg)
{
	struct kma_kcore *kcore = arg;

	for (unsigned int i = 0; i < KMA_HEAP_THREADS; i++) {
		if (kcore->readers[i].fd >= 0)
			close(kcore->readers[i].fd);
		if (kcore->readers[i].flags >= 0)
			close(kcore->readers[i].flags);
	}
	if (kcore->fd >= 0)
		close(kcore->fd);
	kcore_forget(kcore);
	kma_atend_forget(kcore_forget, kcore);
	free(kcore->kept);
	free(kcore->segments);
	free(kcore->areas);
	free(kcore);
}

/* The segment that has an address; NULL without one. */
static const Elf64_Phdr *kcore_segment(const struct kma_kcore *kcore, uint64_t addr)
{
	for (unsigned int i = 0; i < kcore->nr; i++) {
		const Elf64_Phdr *segment = &kcore->segments[i];

		if (segment->p_type == PT_LOAD && addr - segment->p_vaddr < segment->p_memsz)
			return segment;
	}
	return NULL;
}

/*
 * Find where the direct map has KMA_HEAP_PAGES pages of the kernel's image. Its own segment is not in
 * the direct map; arm64 has no such segment.
 */
static void kcore_image(struct kma_kcore *kcore)
{
	for (unsigned int i = 0; i < kcore->nr; i++) {
		const Elf64_Phdr *own = &kcore->segments[i], *map;
		uint64_t addr = (own->p_paddr + kcore->base + KMA_HEAP_PAGE - 1) &
				-(uint64_t)KMA_HEAP_PAGE;

		if (own->p_type != PT_LOAD || own->p_paddr == KMA_KCORE_NO_ADDR ||
		    own->p_vaddr - own->p_paddr == kcore->base ||
		    own->p_memsz < (KMA_HEAP_PAGES + 1) * KMA_HEAP_PAGE)
			continue;
		map = kcore_segment(kcore, addr);
		if (map)
			kcore->image = map->p_offset + (addr - map->p_vaddr);
	}
}

static int kcore_compare(const void *a, const void *b)
{
	const struct kma_memory_area *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static struct kma_err *kcore_find(void *arg, uint64_t heap)
{
	struct kma_kcore *kcore = arg;
	const Elf64_Phdr *own = kcore_segment(kcore, heap);
	size_t nr = 0;

	if (!own || own->p_paddr == KMA_KCORE_NO_ADDR)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, KMA_KCORE, 0,
			"no segment of the direct map has the address of a live object");
	kcore->base = own->p_vaddr - own->p_paddr;
	for (unsigned int i = 0; i < kcore->nr; i++) {
		const Elf64_Phdr *segment = &kcore->segments[i];
		uint64_t end = segment->p_vaddr + segment->p_memsz;

		if (segment->p_type != PT_LOAD || segment->p_paddr == KMA_KCORE_NO_ADDR ||
		    segment->p_vaddr - segment->p_paddr != kcore->base)
			continue;
		kcore->areas[nr++] = (struct kma_memory_area){
			(segment->p_vaddr + kcore->page - 1) & -kcore->page, end & -kcore->page
		};
	}
	qsort(kcore->areas, nr, sizeof(*kcore->areas), kcore_compare);
	kcore->memory.areas = kcore->areas;
	kcore->memory.nr_areas = nr;
	kcore_image(kcore);
	return NULL;
}

/* Read the flags of @nr pages from page frame @pfn; pages that have none are absent. */
static void kcore_flags(const struct kma_kcore_reader *reader, uint64_t pfn, size_t nr,
			uint64_t *flags)
{
	for (size_t i = 0; i < nr; i++)
		flags[i] = 1ULL << KMA_PAGE_NOPAGE;
	/* A short read leaves the rest absent. */
	kma_file_pread(reader->flags, flags, nr * sizeof(*flags), pfn * sizeof(*flags));
}

/* The flags of the first page of the folio whose tail page @pfn is. */
static uint64_t kcore_folio(const struct kma_kcore_reader *reader, uint64_t pfn)
{
	size_t nr = pfn < KMA_KCORE_FOLIO ? pfn : KMA_KCORE_FOLIO;
	uint64_t flags[KMA_KCORE_FOLIO];

	kcore_flags(reader, pfn - nr, nr, flags);
	while (nr && flags[nr - 1] & 1ULL << KMA_PAGE_TAIL)
		nr--;
	return nr ? flags[nr - 1] : 0;
}

/* Get the content of the first note with a name and a type in the notes at @at. NULL without one. */
static const char *kcore_find_note(const char *at, size_t len, const char *name, uint32_t type,
				   size_t *size)
{
	const Elf64_Nhdr *note;
	size_t of_name, of_text;

	for (; len >= sizeof(*note); at += of_text, len -= of_text) {
		note = (const Elf64_Nhdr *)at;
		of_name = sizeof(*note) + ((note->n_namesz + UINT64_C(3)) & ~UINT64_C(3));
		of_text = of_name + ((note->n_descsz + UINT64_C(3)) & ~UINT64_C(3));
		if (of_text > len)
			return NULL;
		*size = note->n_descsz;
		if (note->n_type == type && note->n_namesz == strlen(name) + 1 &&
		    !memcmp(note + 1, name, note->n_namesz))
			return at + of_name;
	}
	return NULL;
}

/* Read a note into @buf, up to @len bytes; false without it. */
static bool kcore_note(const struct kma_kcore *kcore, const char *name, uint32_t type, char *buf,
		       size_t len)
{
	for (unsigned int i = 0; i < kcore->nr; i++) {
		const Elf64_Phdr *segment = &kcore->segments[i];
		const char *text = NULL;
		char *notes;
		size_t size;

		if (segment->p_type != PT_NOTE || segment->p_filesz > KMA_KCORE_NOTES)
			continue;
		notes = kma_xcalloc(1, segment->p_filesz + 1);
		if (kma_file_pread(kcore->fd, notes, segment->p_filesz, segment->p_offset))
			text = kcore_find_note(notes, segment->p_filesz, name, type, &size);
		if (text)
			memcpy(buf, text, size < len ? size : len);
		explicit_bzero(notes, segment->p_filesz);
		free(notes);
		return text;
	}
	return false;
}

/* Read VMCOREINFO; false without it. */
static bool kcore_info(const struct kma_kcore *kcore, char text[KMA_KCORE_INFO + 1])
{
	memset(text, 0, KMA_KCORE_INFO + 1);
	return kcore_note(kcore, "VMCOREINFO", 0, text, KMA_KCORE_INFO);
}

static bool kcore_symbol(void *arg, const char *name, uint64_t *ret)
{
	char text[KMA_KCORE_INFO + 1], key[64];

	snprintf(key, sizeof(key), "SYMBOL(%s)", name);
	return kcore_info(arg, text) && kma_vmcoreinfo_number(text, key, 16, ret);
}

static bool kcore_task(void *arg, uint64_t offset, uint64_t *ret)
{
	char task[KMA_KCORE_TASK] = { 0 };
	bool is = offset % 8 == 0 && offset < sizeof(task) &&
		  kcore_note(arg, "CORE", NT_TASKSTRUCT, task, sizeof(task));

	if (is)
		memcpy(ret, task + offset, sizeof(*ret));
	explicit_bzero(task, sizeof(task));
	return is;
}

static uint64_t kcore_page(const void *arg)
{
	const struct kma_kcore *kcore = arg;

	return kcore->page;
}

static uint64_t kcore_base(const void *arg)
{
	const struct kma_kcore *kcore = arg;

	return kcore->base;
}

static uint64_t kcore_variable(const void *arg, uint64_t addr)
{
	const struct kma_kcore *kcore = arg;
	uint64_t physical = addr - kcore->base;

	for (unsigned int i = 0; i < kcore->nr; i++) {
		const Elf64_Phdr *segment = &kcore->segments[i];

		if (segment->p_type == PT_LOAD && segment->p_paddr != KMA_KCORE_NO_ADDR &&
		    segment->p_vaddr - segment->p_paddr != kcore->base &&
		    physical - segment->p_paddr < segment->p_memsz)
			return segment->p_vaddr + (physical - segment->p_paddr);
	}
	return 0;
}

static enum kma_page_use kcore_use(const void *arg, uint64_t addr)
{
	const struct kma_kcore *kcore = arg;
	const struct kma_kcore_reader *reader = &kcore->readers[0];
	uint64_t pfn = (addr - kcore->base) / kcore->page, flags;

	kcore_flags(reader, pfn, 1, &flags);
	if (flags & 1ULL << KMA_PAGE_TAIL)
		flags |= kcore_folio(reader, pfn);
	if (flags & 1ULL << KMA_PAGE_SLAB)
		return KMA_PAGE_USE_SLAB;
	return flags & 1ULL << KMA_PAGE_RESERVED ? KMA_PAGE_USE_RESERVED : KMA_PAGE_USE_OTHER;
}

static void *kcore_open_reader(const void *arg)
{
	struct kma_kcore_reader *reader = ((struct kma_kcore *)arg)->readers;

	while (reader->used)
		reader++;
	reader->used = true;
	return reader;
}

static void kcore_close_reader(void *reader)
{
	((struct kma_kcore_reader *)reader)->used = false;
}

/*
 * True if a page with these flags is read. Some kernels (6.12) show a slab that a CPU keeps as ANON:
 * the field of struct slab that counts such slabs is where other pages have the bit ANON.
 */
static bool kcore_wanted(uint64_t flags)
{
	return !(flags & (flags & 1ULL << KMA_PAGE_SLAB ? KMA_PAGES_ABSENT : KMA_PAGES_SKIPPED));
}

static bool kcore_read(void *arg, uint64_t addr, size_t nr, char *buf, bool *there)
{
	const struct kma_kcore_reader *reader = arg;
	const Elf64_Phdr *segment = kcore_segment(reader->kcore, addr);
	uint64_t pfn = (addr - reader->kcore->base) / reader->kcore->page;
	size_t each = reader->kcore->page / KMA_HEAP_PAGE, from = 0;
	uint64_t off = segment->p_offset + (addr - segment->p_vaddr);
	uint64_t flags[KMA_HEAP_PAGES], head = 0;

	/* Areas begin and end with a page of the kernel, and so do the parts that are read. */
	kcore_flags(reader, pfn, nr / each, flags);
	if (flags[0] & 1ULL << KMA_PAGE_TAIL)
		head = kcore_folio(reader, pfn);
	for (size_t i = 0; i < nr; i++) {
		if (!(flags[i / each] & 1ULL << KMA_PAGE_TAIL))
			head = flags[i / each];
		there[i] = kcore_wanted(flags[i / each] | head);
	}
	while (from < nr) {
		size_t to = from;

		while (to < nr && there[to])
			to++;
		/* If one page of a run cannot be read, the others are read one by one. */
		if (to > from &&
		    !kcore_pread(reader->fd, buf + from * KMA_HEAP_PAGE,
				 (to - from) * KMA_HEAP_PAGE, off + from * KMA_HEAP_PAGE))
			for (size_t i = from; i < to; i++)
				there[i] = kma_file_pread(reader->fd, buf + i * KMA_HEAP_PAGE,
							  KMA_HEAP_PAGE, off + i * KMA_HEAP_PAGE);
		from = to + 1;
	}
	return true;
}

/*
 * The kernel's stack of a thread keeps the addresses of the pages that the thread has read, also after
 * the thread has ended: the kernel does not clear the stacks that it has in stock. The addresses of
 * pages of the kernel's image, which have no objects, replace them.
 */
static void kcore_forget_stack(const struct kma_kcore *kcore, int fd, char *buf, size_t len)
{
	for (unsigned int i = 0; i < KMA_KCORE_FORGETS && kcore->image; i++)
		kcore_pread(fd, buf, len, kcore->image);
}

static void kcore_forget_reader(void *arg, char *buf)
{
	const struct kma_kcore_reader *reader = arg;

	kcore_forget_stack(reader->kcore, reader->fd, buf, KMA_HEAP_PAGES * KMA_HEAP_PAGE);
}

static const struct kma_memory *kcore_memory(void *arg)
{
	struct kma_kcore *kcore = arg;

	kcore->memory.arg = kcore;
	kcore->memory.open = kcore_open_reader;
	kcore->memory.read = kcore_read;
	kcore->memory.forget = kcore_forget_reader;
	kcore->memory.close = kcore_close_reader;
	return &kcore->memory;
}

static bool kcore_word(void *arg, uint64_t addr, uint64_t *ret)
{
	struct kma_kcore *kcore = arg;
	uint64_t number = addr / KMA_HEAP_PAGE, start = number * KMA_HEAP_PAGE;
	struct kma_kcore_page *page = &kcore->kept[number % KMA_KCORE_KEPT];
	const Elf64_Phdr *segment;

	if (!page->is || page->number != number) {
		segment = kcore_segment(kcore, addr);
		page->is = true;
		page->number = number;
		/* The start of the kernel's image may be in the middle of a page. */
		page->readable = segment && start >= segment->p_vaddr &&
				 kma_file_pread(kcore->fd, page->words, KMA_HEAP_PAGE,
						segment->p_offset + (start - segment->p_vaddr));
	}
	if (!page->readable || addr % 8)
		return false;
	*ret = page->words[addr % KMA_HEAP_PAGE / 8];
	return true;
}

static void kcore_forget(void *arg)
{
	struct kma_kcore *kcore = arg;

	kcore_forget_stack(kcore, kcore->fd, (char *)kcore->kept,
			   KMA_KCORE_KEPT * sizeof(*kcore->kept));
	explicit_bzero(kcore->kept, KMA_KCORE_KEPT * sizeof(*kcore->kept));
}

/* Call @fn for each page that has of a set of flags these ones. */
static struct kma_err *kcore_walk(struct kma_kcore *kcore, uint64_t of, uint64_t these,
				  kma_page_fn fn, void *fn_arg)
{
	const struct kma_words words = { kcore_word, kcore };
	uint64_t flags[KMA_HEAP_PAGES];
	char info[KMA_KCORE_INFO + 1];
	struct kma_err *err;

	kcore_info(kcore, info);
	err = kma_frames_init(&kcore->frames, info, kcore->page, KMA_KCORE);
	if (err)
		return err;
	for (size_t i = 0; i < kcore->memory.nr_areas; i++) {
		uint64_t at = kcore->areas[i].start, end = kcore->areas[i].end;

		for (size_t nr; at < end; at += nr * kcore->page) {
			uint64_t pfn = (at - kcore->base) / kcore->page;

			nr = (end - at) / kcore->page;
			nr = nr < KMA_HEAP_PAGES ? nr : KMA_HEAP_PAGES;
			kcore_flags(&kcore->readers[0], pfn, nr, flags);
			for (size_t n = 0; n < nr; n++)
				if ((flags[n] & of) == these)
					fn(fn_arg, at + n * kcore->page,
					   kma_frames_page(&kcore->frames, &words, pfn + n));
		}
	}
	return NULL;
}

/* The first page of each slab has the flag of slabs, and is no tail. */
static struct kma_err *kcore_slabs(void *arg, kma_page_fn fn, void *fn_arg)
{
	return kcore_walk(arg, 1ULL << KMA_PAGE_SLAB | 1ULL << KMA_PAGE_TAIL, 1ULL << KMA_PAGE_SLAB,
			  fn, fn_arg);
}

static struct kma_err *kcore_pages(void *arg, kma_page_fn fn, void *fn_arg)
{
	return kcore_walk(arg, KMA_PAGES_ABSENT | 1ULL << KMA_PAGE_SLAB | 1ULL << KMA_PAGE_BUDDY, 0,
			  fn, fn_arg);
}

static struct kma_btf *kcore_types(void *arg)
{
	struct kma_btf *btf = NULL;

	(void)arg;
	kma_err_destroy(kma_btf_read(KMA_BTF_VMLINUX, &btf));
	return btf;
}

/* The last number of a list like "0-3,8" and one more; 1 if there is no such file. */
static unsigned int kcore_possible(const char *path)
{
	_cleanup_free_ char *text = NULL;
	unsigned long last = 0;
	const char *at;
	size_t len;

	kma_err_destroy(kma_file_slurp_regular(path, &text, &len));
	for (at = text; at && *at;) {
		at += strcspn(at, "0123456789");
		if (*at)
			last = strtoul(at, (char **)&at, 10);
	}
	return last < KMA_TARGET_CPUS ? last + 1 : 1;
}

static unsigned int kcore_cpus(void *arg)
{
	(void)arg;
	return kcore_possible(KMA_CPUS);
}

static unsigned int kcore_nodes(void *arg)
{
	(void)arg;
	return kcore_possible(KMA_NODES);
}

static const char *kcore_release(const void *arg)
{
	const struct kma_kcore *kcore = arg;

	return kcore->name.release;
}

static const struct kma_target_ops kcore_ops = {
	.close = kcore_close,
	.find = kcore_find,
	.memory = kcore_memory,
	.word = kcore_word,
	.page = kcore_page,
	.base = kcore_base,
	.variable = kcore_variable,
	.symbol = kcore_symbol,
	.task = kcore_task,
	.use = kcore_use,
	.slabs = kcore_slabs,
	.pages = kcore_pages,
	.types = kcore_types,
	.cpus = kcore_cpus,
	.nodes = kcore_nodes,
	.release = kcore_release,
	.forget = kcore_forget,
};
