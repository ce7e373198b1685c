// SPDX-License-Identifier: GPL-2.0-only
/*
 * dump.c - a kernel in a dump: its page tables, its direct map, and its types.
 *
 * Everything is read by physical addresses; addresses of the kernel go through its page tables.
 * Each reader keeps some pages, so walks along the same tables are short.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump-file.h"
#include "dump.h"
#include "kallsyms.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "page-flags.h"
#include "page-table.h"

#define KMA_DUMP_KEPT  256			    /* pages that a reader keeps; a power of two */
#define KMA_DUMP_IMAGE UINT64_C(0xffffffff80000000) /* __START_KERNEL_map */

struct kma_dump_page {
	uint64_t number; /* of the page, from physical address 0, and one more; 0: none */
	bool readable;
	uint64_t words[KMA_HEAP_PAGE / 8];
};

struct kma_dump_reader {
	const struct kma_dump *dump;
	struct kma_dump_page *kept;
	uint64_t page, physical; /* the last page that was looked up, and one more; where it is */
	struct kma_words words;
	bool used;
};

enum {
	KMA_DUMP_TEXT,
	KMA_DUMP_STEXT,
	KMA_DUMP_BSS_END,
	KMA_DUMP_NR_CPUS,
	KMA_DUMP_NR_NODES,
	KMA_DUMP_BTF,
	KMA_DUMP_BTF_END,
	KMA_DUMP_SYMBOLS
};

struct kma_dump {
	struct kma_dump_file file;
	struct kma_kallsyms_symbol symbols[KMA_DUMP_SYMBOLS];
	struct kma_page_flags flags;
	struct kma_page_table tables;
	uint64_t phys_base; /* physical address of the image, less its offset in the map */
	uint64_t base;	    /* address of physical address 0 in the direct map */
	uint64_t missing;   /* pages of the kernel that the file does not have */
	char release[72];
	struct kma_memory memory;
	struct kma_memory_area *areas;
	size_t nr_areas, room_areas;
	struct kma_dump_reader readers[KMA_HEAP_THREADS + 1]; /* the last one is for word() */
};

static struct kma_dump_reader *dump_own(struct kma_dump *dump)
{
	return &dump->readers[KMA_HEAP_THREADS];
}

/* Read a word by its physical address. */
static bool dump_physical(void *arg, uint64_t at, uint64_t *ret)
{
	struct kma_dump_reader *reader = arg;
	uint64_t number = at / KMA_HEAP_PAGE;
	struct kma_dump_page *page = &reader->kept[number % KMA_DUMP_KEPT];

	if (page->number != number + 1) {
		page->number = number + 1;
		page->readable = kma_dump_file_read(&reader->dump->file, number * KMA_HEAP_PAGE,
						    page->words, KMA_HEAP_PAGE);
	}
	if (!page->readable)
		return false;
	*ret = page->words[at % KMA_HEAP_PAGE / 8];
	return true;
}

/* Find the physical address of a page of the kernel. */
static uint64_t dump_walk(struct kma_dump_reader *reader, uint64_t addr)
{
	const struct kma_words words = { dump_physical, reader };

	return kma_page_table_walk(&reader->dump->tables, &words, addr);
}

static bool dump_reader_word(void *arg, uint64_t addr, uint64_t *ret)
{
	struct kma_dump_reader *reader = arg;
	uint64_t number = addr / KMA_HEAP_PAGE;

	if (addr % 8)
		return false;
	if (reader->page != number + 1) {
		reader->page = number + 1;
		reader->physical = dump_walk(reader, addr);
	}
	return reader->physical != KMA_PAGE_TABLE_NONE &&
	       dump_physical(reader, reader->physical + addr % KMA_HEAP_PAGE, ret);
}

static bool dump_word(void *arg, uint64_t addr, uint64_t *ret)
{
	return dump_reader_word(dump_own(arg), addr, ret);
}

static void dump_close(void *arg)
{
	struct kma_dump *dump = arg;

	for (unsigned int i = 0; i <= KMA_HEAP_THREADS; i++)
		free(dump->readers[i].kept);
	kma_dump_file_close(&dump->file);
	free(dump->areas);
	free(dump);
}

/* Some number of the kernel of 4 bytes, at least 1. */
static unsigned int dump_number(struct kma_dump *dump, const struct kma_kallsyms_symbol *symbol)
{
	uint64_t word = 0;

	if (!symbol->found || !dump_word(dump, symbol->addr & ~7ULL, &word))
		return 1;
	word = word >> 8 * (symbol->addr & 4) & UINT32_MAX;
	return word && word <= KMA_TARGET_CPUS ? word : 1;
}

static unsigned int dump_cpus(void *arg)
{
	struct kma_dump *dump = arg;

	return dump_number(dump, &dump->symbols[KMA_DUMP_NR_CPUS]);
}

static unsigned int dump_nodes(void *arg)
{
	struct kma_dump *dump = arg;

	return dump_number(dump, &dump->symbols[KMA_DUMP_NR_NODES]);
}

static const char *dump_release(const void *arg)
{
	const struct kma_dump *dump = arg;

	return dump->release;
}

static uint64_t dump_page(const void *arg)
{
	(void)arg;
	return KMA_HEAP_PAGE;
}

static uint64_t dump_base(const void *arg)
{
	const struct kma_dump *dump = arg;

	return dump->base;
}

static uint64_t dump_variable(const void *arg, uint64_t addr)
{
	const struct kma_dump *dump = arg;
	uint64_t at = addr - dump->base - dump->phys_base + KMA_DUMP_IMAGE;
	uint64_t start = dump->symbols[KMA_DUMP_TEXT].addr;

	return at - start < dump->symbols[KMA_DUMP_BSS_END].addr - start ? at : 0;
}

static enum kma_page_use dump_use(const void *arg, uint64_t addr)
{
	struct kma_dump *dump = (struct kma_dump *)arg;
	unsigned int set = kma_page_flags_get(&dump->flags, &dump_own(dump)->words,
					      (addr - dump->base) / KMA_HEAP_PAGE);

	if (set & KMA_PAGE_IS_SLAB)
		return KMA_PAGE_USE_SLAB;
	/* Without types the bit is not known. The image is taken for reserved then. */
	if (set & KMA_PAGE_IS_RESERVED || (dump->flags.reserved < 0 && dump_variable(dump, addr)))
		return KMA_PAGE_USE_RESERVED;
	return KMA_PAGE_USE_OTHER;
}

static struct kma_err *dump_error(const void *arg)
{
	const struct kma_dump *dump = arg;

	return kma_dump_file_broken(&dump->file);
}

/* Call @fn for each page, or for the first one of each slab. */
static struct kma_err *dump_each(struct kma_dump *dump, bool slabs, kma_page_fn fn, void *fn_arg)
{
	const struct kma_words *words = &dump_own(dump)->words;

	for (size_t i = 0; i < dump->nr_areas; i++) {
		const struct kma_memory_area *area = &dump->areas[i];

		for (uint64_t at = area->start; at < area->end; at += KMA_HEAP_PAGE) {
			uint64_t pfn = (at - dump->base) / KMA_HEAP_PAGE;
			unsigned int set = kma_page_flags_get(&dump->flags, words, pfn);

			if (slabs ? set & KMA_PAGE_IS_SLAB &&
					    !kma_page_flags_tail(&dump->flags, words, pfn) :
				    !(set & (KMA_PAGE_IS_SLAB | KMA_PAGE_IS_ABSENT)))
				fn(fn_arg, at, kma_frames_page(&dump->flags.frames, words, pfn));
		}
	}
	return dump_error(dump);
}

static struct kma_err *dump_slabs(void *arg, kma_page_fn fn, void *fn_arg)
{
	return dump_each(arg, true, fn, fn_arg);
}

static struct kma_err *dump_pages(void *arg, kma_page_fn fn, void *fn_arg)
{
	return dump_each(arg, false, fn, fn_arg);
}

static bool dump_symbol(void *arg, const char *name, uint64_t *ret)
{
	const struct kma_dump *dump = arg;
	char key[64];

	snprintf(key, sizeof(key), "SYMBOL(%s)", name);
	return kma_vmcoreinfo_number(dump->file.info, key, 16, ret);
}

static struct kma_btf *dump_types(void *arg)
{
	_cleanup_free_ uint64_t *data = NULL;
	struct kma_btf *btf = NULL;
	struct kma_dump *dump = arg;
	const struct kma_kallsyms_symbol *first = &dump->symbols[KMA_DUMP_BTF];
	const struct kma_kallsyms_symbol *end = &dump->symbols[KMA_DUMP_BTF_END];
	uint64_t len = end->addr - first->addr;

	if (!first->found || !end->found || len > KMA_TARGET_BTF_MAX || first->addr % 8)
		return NULL;
	data = kma_xcalloc(len / 8 + 1, sizeof(*data));
	for (uint64_t i = 0; i < len; i += 8)
		if (!dump_word(dump, first->addr + i, &data[i / 8]))
			return NULL;
	kma_err_destroy(kma_btf_parse(dump->file.path, data, len, &btf));
	return btf;
}

/*
 * Add the parts of a range of RAM that the kernel has sections for. The headers of a corrupt file can
 * describe far more.
 */
static void dump_area(struct kma_dump *dump, const struct kma_dump_range *ram)
{
	uint64_t section = (uint64_t)KMA_HEAP_PAGE << dump->flags.frames.section_shift;
	uint64_t at = (ram->start + KMA_HEAP_PAGE - 1) & -(uint64_t)KMA_HEAP_PAGE;
	uint64_t end = ram->end & -(uint64_t)KMA_HEAP_PAGE, next;
	struct kma_memory_area *last;

	for (; at < end; at = next) {
		next = (at | (section - 1)) + 1;
		if (next > end)
			next = end;
		if (!kma_frames_page(&dump->flags.frames, &dump_own(dump)->words,
				     at / KMA_HEAP_PAGE))
			continue;
		last = dump->nr_areas ? &dump->areas[dump->nr_areas - 1] : NULL;
		if (last && last->end == dump->base + at) {
			last->end = dump->base + next;
			continue;
		}
		kma_array_room(dump->areas, dump->nr_areas, dump->room_areas);
		dump->areas[dump->nr_areas++] =
			(struct kma_memory_area){ dump->base + at, dump->base + next };
	}
}

static struct kma_err *dump_find(void *arg, uint64_t heap)
{
	struct kma_dump *dump = arg;
	uint64_t physical = dump_walk(dump_own(dump), heap);
	struct kma_err *err = dump_error(dump);

	if (err)
		return err;
	if (physical == KMA_PAGE_TABLE_NONE)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, dump->file.path, 0,
			"the page tables do not have the address of a live object; the tables of the module are of another boot");
	dump->base = heap - heap % KMA_HEAP_PAGE - physical;
	dump->nr_areas = 0;
	for (size_t i = 0; i < dump->file.nr_ram; i++)
		dump_area(dump, &dump->file.ram[i]);
	dump->memory.areas = dump->areas;
	dump->memory.nr_areas = dump->nr_areas;
	err = dump_error(dump);
	if (!err && !dump->nr_areas)
		err = kma_err_create_kind(
			KMA_ERR_DAMAGED, dump->file.path, 0,
			"corrupt: the kernel has no section for any of its memory");
	return err;
}

static void *dump_open_reader(const void *arg)
{
	struct kma_dump_reader *reader = ((struct kma_dump *)arg)->readers;

	while (reader->used)
		reader++;
	reader->used = true;
	return reader;
}

static void dump_close_reader(void *reader)
{
	((struct kma_dump_reader *)reader)->used = false;
}

static bool dump_read(void *arg, uint64_t addr, size_t nr, char *buf, bool *there)
{
	struct kma_dump_reader *reader = arg;
	struct kma_dump *dump = (struct kma_dump *)reader->dump;
	uint64_t start = addr - dump->base;

	for (size_t i = 0; i < nr; i++) {
		uint64_t at = start + i * KMA_HEAP_PAGE;
		unsigned int set =
			kma_page_flags_get(&dump->flags, &reader->words, at / KMA_HEAP_PAGE);

		there[i] = false;
		if (set & (KMA_PAGE_IS_ABSENT | KMA_PAGE_IS_SKIPPED))
			continue;
		there[i] =
			kma_dump_file_read(&dump->file, at, buf + i * KMA_HEAP_PAGE, KMA_HEAP_PAGE);
		if (!there[i])
			__atomic_fetch_add(&dump->missing, 1, __ATOMIC_RELAXED);
	}
	return !kma_dump_file_broken(&dump->file);
}

static const struct kma_memory *dump_memory(void *arg)
{
	struct kma_dump *dump = arg;

	dump->memory.arg = dump;
	dump->memory.open = dump_open_reader;
	dump->memory.read = dump_read;
	dump->memory.error = dump_error;
	dump->memory.close = dump_close_reader;
	return &dump->memory;
}

static void dump_forget(void *arg)
{
	(void)arg;
}

static void dump_lacks(const void *arg, struct kma_notes *notes)
{
	const struct kma_dump *dump = arg;

	kma_notes_add(
		notes,
		"a dump is one moment: there was one pass, and an object whose only reference was in a register is called lost");
	if (dump->missing)
		kma_notes_add(
			notes,
			"%s lacks %llu pages of the kernel (left out, or zeros); references in them are not seen",
			dump->file.path, (unsigned long long)dump->missing);
}

static const struct kma_target_ops dump_ops = {
	.close = dump_close,
	.find = dump_find,
	.memory = dump_memory,
	.word = dump_word,
	.page = dump_page,
	.base = dump_base,
	.variable = dump_variable,
	.symbol = dump_symbol,
	.use = dump_use,
	.slabs = dump_slabs,
	.pages = dump_pages,
	.types = dump_types,
	.cpus = dump_cpus,
	.nodes = dump_nodes,
	.release = dump_release,
	.forget = dump_forget,
	.lacks = dump_lacks,
};

/* Read the kernel's symbols, and check that they are of the same boot. */
static struct kma_err *dump_symbols(struct kma_dump *dump, const char *kallsyms)
{
	static const char *const names[KMA_DUMP_SYMBOLS] = {
		[KMA_DUMP_TEXT] = "_text",	     [KMA_DUMP_STEXT] = "_stext",
		[KMA_DUMP_BSS_END] = "_end",	     [KMA_DUMP_NR_CPUS] = "nr_cpu_ids",
		[KMA_DUMP_NR_NODES] = "nr_node_ids", [KMA_DUMP_BTF] = "__start_BTF",
		[KMA_DUMP_BTF_END] = "__stop_BTF",
	};
	struct kma_err *err;
	uint64_t stext;

	for (size_t i = 0; i < KMA_DUMP_SYMBOLS; i++)
		dump->symbols[i].name = names[i];
	err = kma_kallsyms_find(kallsyms, dump->symbols, KMA_DUMP_SYMBOLS);
	if (err)
		return err;
	for (size_t i = 0; i <= KMA_DUMP_BSS_END; i++)
		if (!dump->symbols[i].found)
			return kma_err_create_kind(KMA_ERR_NOT_FOUND, kallsyms, 0,
						   "no symbol '%s' of the kernel", names[i]);
	if (kma_vmcoreinfo_number(dump->file.info, "SYMBOL(_stext)", 16, &stext) &&
	    stext != dump->symbols[KMA_DUMP_STEXT].addr)
		return kma_err_create_kind(KMA_ERR_DATA, kallsyms, 0,
					   "symbols of another boot than that of %s",
					   dump->file.path);
	return NULL;
}

static struct kma_err *dump_tables(struct kma_dump *dump)
{
	const struct kma_dump_file *file = &dump->file;
	uint64_t page_size = 0, levels = 0, top;
	const char *release = strstr(file->info, "OSRELEASE=");

	if (!kma_vmcoreinfo_number(file->info, "PAGESIZE", 10, &page_size) ||
	    page_size != KMA_HEAP_PAGE)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, file->path, 0,
					   "only kernels with pages of 4 KiB are supported");
	if (!kma_vmcoreinfo_number(file->info, "NUMBER(phys_base)", 10, &dump->phys_base) ||
	    (!kma_vmcoreinfo_number(file->info, "SYMBOL(swapper_pg_dir)", 16, &top) &&
	     !kma_vmcoreinfo_number(file->info, "SYMBOL(init_top_pgt)", 16, &top)))
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, file->path, 0,
					   "VMCOREINFO lacks the place of the page tables");
	kma_vmcoreinfo_number(file->info, "NUMBER(pgtable_l5_enabled)", 10, &levels);
	kma_vmcoreinfo_number(file->info, "NUMBER(sme_mask)", 10, &dump->tables.encrypted);
	dump->tables.top = top - KMA_DUMP_IMAGE + dump->phys_base;
	dump->tables.form = kma_page_table_x86(levels == 1);
	if (release)
		snprintf(dump->release, sizeof(dump->release), "%.*s",
			 (int)strcspn(release + 10, "\n"), release + 10);
	return NULL;
}

/* VMCOREINFO has no number of the flag of reserved pages; the kernel's types have it. */
static void dump_reserved(struct kma_dump *dump)
{
	_cleanup_btf_ struct kma_btf *btf = dump_types(dump);

	if (btf)
		kma_btf_enumerator(btf, "PG_reserved", &dump->flags.reserved);
}

struct kma_err *kma_dump_open(const char *vmcore, const char *kallsyms, struct kma_heap_target *ret)
{
	struct kma_dump *dump = kma_xcalloc(1, sizeof(*dump));
	struct kma_err *err;

	*ret = (struct kma_heap_target){ &dump_ops, dump };
	for (unsigned int i = 0; i <= KMA_HEAP_THREADS; i++) {
		struct kma_dump_reader *reader = &dump->readers[i];

		reader->dump = dump;
		reader->words = (struct kma_words){ dump_reader_word, reader };
		reader->kept = kma_xcalloc(KMA_DUMP_KEPT, sizeof(*reader->kept));
	}
	err = kma_dump_file_open(vmcore, &dump->file)		     ?:
		      dump_tables(dump)				     ?:
		      kma_page_flags_init(&dump->flags, &dump->file) ?:
								       dump_symbols(dump, kallsyms);
	if (err)
		return err;
	dump_reserved(dump);
	return NULL;
}
