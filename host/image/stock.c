// SPDX-License-Identifier: GPL-2.0-only
/*
 * stock.c - the static sizes of a kernel that was built elsewhere.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "assign.h"
#include "kbuild/static.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cachefile.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/texts.h"
#include "model/metric.h"
#include "stock.h"
#include "symbol/binary.h"
#include "symbol/elf.h"
#include "symbol/image.h"

/*
 * The bytes of each source file in each section of a linked kernel or a module.
 *
 * They take long to compute (assign.h), so the result is stored in the cache under the build ID of
 * the file. It is one block, which has the same form in memory and in the cache:
 *
 *	struct kma_holdings		header
 *	struct kma_holdings_section[]	24 bytes each, in the order of the file
 *	struct kma_holding[]		24 bytes each, sorted by file, then section, then name
 *	texts				each with its zero; offset 0 is the empty text
 *
 * A holding is the bytes of one name (a symbol, or a section in brackets) in one section, owned by
 * one file. The holdings of a section add up to its size.
 *
 * Numbers have the byte order of the machine that wrote the block. A block of another byte order,
 * another version or another file, or whose hash or references are wrong, is ignored and computed
 * again. The format is therefore not a contract between versions.
 */

#define KMA_HOLDINGS_MAGIC   "KMAHOLDS"
#define KMA_HOLDINGS_VERSION 3
#define KMA_HOLDINGS_ORDER   0x01020304

/* A section that takes memory. */
struct kma_holdings_section {
	uint64_t size;	/* bytes */
	uint32_t name;	/* offset in the texts */
	uint32_t kind;	/* enum kma_metric_id: KMA_TEXT to KMA_OTHER */
	uint32_t flags; /* KMA_HOLDINGS_EXEC, or 0 */
	uint32_t align; /* bytes */
};

/* Flags of a section and of a holding. */
enum {
	KMA_HOLDINGS_EXEC = 1 << 0,	    /* of a section: it has code */
	KMA_HOLDINGS_LOCAL = 1 << 1,	    /* of a holding: its symbol is local */
	KMA_HOLDINGS_SECTION_NAME = 1 << 2, /* of a holding: its name is its section's */
};

struct kma_holding {
	uint64_t size;	  /* bytes, more than 0 */
	uint32_t file;	  /* offset in the texts: "fs/exec.c", or "[...]" without a file */
	uint32_t section; /* index of the section */
	uint32_t name;	  /* offset in the texts */
	uint32_t flags;	  /* KMA_HOLDINGS_LOCAL | KMA_HOLDINGS_SECTION_NAME */
};

/* The header of a block. */
struct kma_holdings {
	char magic[8];	  /* KMA_HOLDINGS_MAGIC, without a zero */
	uint32_t version; /* KMA_HOLDINGS_VERSION */
	uint32_t order;	  /* KMA_HOLDINGS_ORDER, to recognise another byte order */
	uint64_t hash;	  /* XXH3, 64 bits, of all bytes after this member */
	uint64_t size;	  /* bytes of the block, with this header */
	uint64_t source;  /* size in bytes of the file from which it was computed */
	uint64_t missing; /* compilation units that could not be read; 0 in the cache */
	char build_id[KMA_BUILD_ID_CHARS + 7]; /* of the file, in hex */
	char release[128];		       /* of the kernel, "" when unknown */
	uint64_t nr_sections;
	uint64_t nr_holdings;
	uint64_t nr_texts; /* bytes of texts, each terminated; the first is empty */
};

/* In the order of the file. */
static inline const struct kma_holdings_section *
holdings_sections(const struct kma_holdings *holdings)
{
	return (const void *)(holdings + 1);
}

static inline const struct kma_holding *holdings_list(const struct kma_holdings *holdings)
{
	return (const void *)(holdings_sections(holdings) + holdings->nr_sections);
}

static inline const char *holdings_text(const struct kma_holdings *holdings, uint32_t at)
{
	return (const char *)(holdings_list(holdings) + holdings->nr_holdings) + at;
}

#define KMA_HOLDINGS_FOLDER "static"

static uint64_t holdings_hash(const struct kma_holdings *holdings)
{
	size_t from = offsetof(struct kma_holdings, hash) + sizeof(holdings->hash);

	return XXH3_64bits((const char *)holdings + from, holdings->size - from);
}

/* Do the arrays fill the block exactly, and are all offsets and indexes within them? */
static bool holdings_sound(const struct kma_holdings *holdings, size_t size)
{
	const struct kma_holdings_section *sections;
	const struct kma_holding *list;
	uint64_t left = size - sizeof(*holdings);

	if (holdings->size != size || holdings->nr_sections > left / sizeof(*sections))
		return false;
	left -= holdings->nr_sections * sizeof(*sections);
	if (holdings->nr_holdings > left / sizeof(*list))
		return false;
	left -= holdings->nr_holdings * sizeof(*list);
	if (!left || holdings->nr_texts != left || ((const char *)holdings)[size - 1])
		return false;
	sections = holdings_sections(holdings);
	for (uint64_t i = 0; i < holdings->nr_sections; i++)
		if (sections[i].name >= left || sections[i].kind < KMA_TEXT ||
		    sections[i].kind > KMA_OTHER)
			return false;
	list = holdings_list(holdings);
	for (uint64_t i = 0; i < holdings->nr_holdings; i++)
		if (list[i].file >= left || list[i].name >= left ||
		    list[i].section >= holdings->nr_sections)
			return false;
	return !holdings->release[sizeof(holdings->release) - 1];
}

/* Is a mapped block valid, and of this file and version? The hash comes last, as it reads all. */
static bool holdings_right(const struct kma_image *image, const struct kma_holdings *holdings,
			   size_t size)
{
	return size >= sizeof(*holdings) &&
	       !memcmp(holdings->magic, KMA_HOLDINGS_MAGIC, sizeof(holdings->magic)) &&
	       holdings->version == KMA_HOLDINGS_VERSION && holdings->order == KMA_HOLDINGS_ORDER &&
	       holdings->source == kma_image_size(image) &&
	       !strncmp(holdings->build_id, kma_image_build_id(image),
			sizeof(holdings->build_id)) &&
	       holdings_sound(holdings, size) && holdings->hash == holdings_hash(holdings);
}

/* Map the block of a file from the cache. */
static const struct kma_holdings *holdings_load(const struct kma_image *image, size_t *ret_mapped)
{
	struct kma_holdings *holdings;

	holdings = kma_cachefile_map(KMA_HOLDINGS_FOLDER, kma_image_build_id(image), ret_mapped);
	if (!holdings || holdings_right(image, holdings, *ret_mapped))
		return holdings;
	munmap(holdings, *ret_mapped);
	return NULL;
}

/*
 * Store a block in the cache. A block for which some compilation units could not be read is not
 * stored. A cache that cannot be written is not an error.
 */
static void holdings_keep(struct kma_holdings *holdings)
{
	holdings->hash = holdings_hash(holdings);
	if (!holdings->missing)
		kma_cachefile_keep(KMA_HOLDINGS_FOLDER, holdings->build_id, holdings,
				   holdings->size);
}

/*
 * Compute the holdings of a file.
 */

/* The parts of a block before they are put together. */
struct kma_making {
	const struct kma_assign *assign;
	bool module;
	char *dir; /* of a module: the directory that its units share, with a slash, or "" */
	struct kma_texts texts;
	uint32_t *files;   /* for each unit: offset of its file name in the texts, or 0 */
	uint32_t *numbers; /* for each section of the file: its index in @sections */
	struct kma_holdings_section *sections; /* those with a size */
	size_t nr_sections;
	struct kma_holding *list;
	size_t nr, alloc;
	char release[128]; /* of the kernel, "" when unknown */
};

static uint32_t making_text(struct kma_making *making, const char *text)
{
	/* before the array is read: kma_texts_add() may move it */
	uint32_t number = kma_texts_add(&making->texts, text);

	return making->texts.at[number];
}

/*
 * Finds the directory that all units of a module share: "fs/xfs/" for fs/xfs/xfs_log.c and
 * fs/xfs/libxfs/xfs_bit.c. Absolute names and names without a directory are left out.
 */
static void making_dir(struct kma_making *making)
{
	const struct kma_extents *ext = making->assign->ext;
	const char *first = NULL;
	size_t len = 0;

	for (size_t i = 0; making->module && i < ext->nr_files; i++) {
		const char *file = ext->files[i], *slash = strrchr(file, '/');
		size_t same = 0;

		if (!slash || *file == '/')
			continue;
		if (!first) {
			first = file;
			len = slash + 1 - file;
		}
		while (same < len && file[same] == first[same])
			same++;
		while (same && first[same - 1] != '/')
			same--;
		len = same;
	}
	making->dir = kma_xstrndup(first ?: "", len);
}

/* Is a section in the range that is freed after boot? Per-CPU data is a model for other copies. */
static bool making_is_init(const struct kma_binary *bin, const struct kma_binary_section *section)
{
	uint64_t begin = 0, end = 0;

	for (size_t i = 0; i < bin->nr_symbols; i++) {
		const struct kma_binary_symbol *symbol = &bin->symbols[i];

		if (symbol->local || symbol->name[0] != '_')
			continue;
		if (!strcmp(symbol->name, "__init_begin"))
			begin = symbol->value;
		else if (!strcmp(symbol->name, "__init_end"))
			end = symbol->value;
	}
	return begin && section->addr >= begin && section->addr + section->size <= end &&
	       strcmp(section->name, ".data..percpu");
}

static void making_sections(struct kma_making *making)
{
	const struct kma_binary *bin = making->assign->bin;

	making->numbers = kma_xcalloc(bin->nr_sections + 1, sizeof(*making->numbers));
	making->sections = kma_xcalloc(bin->nr_sections + 1, sizeof(*making->sections));
	for (size_t i = 0; i < bin->nr_sections; i++) {
		const struct kma_binary_section *section = &bin->sections[i];
		struct kma_holdings_section *to = &making->sections[making->nr_sections];

		if (!section->size)
			continue;
		making->numbers[i] = making->nr_sections++;
		to->size = section->size;
		to->align = section->align;
		to->flags = section->exec ? KMA_HOLDINGS_EXEC : 0;
		to->kind = !making->module && making_is_init(bin, section) ?
				   KMA_INIT :
				   kma_static_kind(section, making->module);
		to->name = making_text(making, section->name);
	}
}

/* The file of a piece without a unit: a row in brackets. */
static uint32_t making_row(struct kma_making *making, size_t piece)
{
	_cleanup_free_ char *path = NULL;
	char buf[KMA_ASSIGN_ROW_MAX];

	path = kma_xasprintf("%s%s", making->dir, kma_assign_row(making->assign, piece, buf));
	return making_text(making, path);
}

static void making_add(struct kma_making *making, size_t piece, uint32_t unit, uint64_t size)
{
	const struct kma_piece *p = &making->assign->pieces[piece];
	struct kma_holding *to;

	kma_array_room(making->list, making->nr, making->alloc);
	to = &making->list[making->nr];
	*to = (struct kma_holding){
		.size = size,
		.section = making->numbers[p->section],
		.flags = (p->local ? KMA_HOLDINGS_LOCAL : 0) |
			 (p->section_name ? KMA_HOLDINGS_SECTION_NAME : 0),
	};
	if (unit != KMA_EXTENT_NONE)
		to->file = making->files[unit];
	to->file = to->file ?: making_row(making, piece);
	to->name = making_text(making, p->name);
	making->nr++;
}

static void making_pieces(struct kma_making *making)
{
	const struct kma_assign *assign = making->assign;

	for (size_t i = 0; i < assign->nr; i++)
		if (!assign->split[i])
			making_add(making, i, assign->units[i], assign->pieces[i].size);
	for (size_t i = 0; i < assign->nr_parts; i++)
		making_add(making, assign->parts[i].piece, assign->parts[i].unit,
			   assign->parts[i].size);
}

/* Stores the names of files. "<artificial>", a unit of link-time optimisation, is not a file. */
static void making_files(struct kma_making *making)
{
	const struct kma_extents *ext = making->assign->ext;

	making->files = kma_xcalloc(ext->nr_files + 1, sizeof(*making->files));
	for (size_t i = 0; i < ext->nr_files; i++)
		if (*ext->files[i] && *ext->files[i] != '<')
			making->files[i] = making_text(making, ext->files[i]);
}

static int cmp_holding(const void *a, const void *b, void *arg)
{
	const struct kma_holding *x = a, *y = b;
	const char *pool = arg;

	if (x->file != y->file)
		return strcmp(pool + x->file, pool + y->file);
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return x->name == y->name ? 0 : strcmp(pool + x->name, pool + y->name);
}

static void making_merge(struct kma_making *making)
{
	size_t nr = 0;

	qsort_r(making->list, making->nr, sizeof(*making->list), cmp_holding,
		making->texts.pool.str);
	for (size_t i = 0; i < making->nr; i++) {
		struct kma_holding *last = nr ? &making->list[nr - 1] : NULL;

		if (last && !cmp_holding(last, &making->list[i], making->texts.pool.str))
			last->size += making->list[i].size;
		else
			making->list[nr++] = making->list[i];
	}
	making->nr = nr;
}

static struct kma_holdings *making_block(const struct kma_making *making)
{
	const struct kma_image *image = making->assign->image;
	size_t texts = making->texts.pool.len, size;
	struct kma_holdings *block;
	char *to;

	size = sizeof(*block) + making->nr_sections * sizeof(*making->sections) +
	       making->nr * sizeof(*making->list) + texts;
	block = kma_xcalloc(1, size);
	memcpy(block->magic, KMA_HOLDINGS_MAGIC, sizeof(block->magic));
	block->version = KMA_HOLDINGS_VERSION;
	block->order = KMA_HOLDINGS_ORDER;
	block->size = size;
	block->source = kma_image_size(image);
	block->missing = making->assign->ext->missing;
	strcpy(block->build_id, kma_image_build_id(image));
	strcpy(block->release, making->release);
	block->nr_sections = making->nr_sections;
	block->nr_holdings = making->nr;
	block->nr_texts = texts;
	to = (char *)(block + 1);
	memcpy(to, making->sections, making->nr_sections * sizeof(*making->sections));
	to += making->nr_sections * sizeof(*making->sections);
	memcpy(to, making->list, making->nr * sizeof(*making->list));
	memcpy(to + making->nr * sizeof(*making->list), making->texts.pool.str, texts);
	return block;
}

/* Sets the release of the kernel, or of a module's kernel: the word after @prefix in a section. */
static void making_release(struct kma_making *making, const char *name, const char *prefix)
{
	const struct kma_binary *bin = making->assign->bin;

	for (size_t i = 0; i < bin->nr_sections && !*making->release; i++) {
		const struct kma_binary_section *section = &bin->sections[i];
		const unsigned char *bytes = kma_binary_bytes(bin, section);
		const char *text, *end;
		size_t len = 0;

		if (!bytes || strcmp(section->name, name))
			continue;
		end = (const char *)bytes + section->size;
		text = memmem(bytes, section->size, prefix, strlen(prefix));
		if (!text)
			continue;
		text += strlen(prefix);
		while (text + len < end && text[len] > ' ' && len + 1 < sizeof(making->release))
			len++;
		memcpy(making->release, text, len);
	}
}

static struct kma_holdings *making_run(struct kma_making *making)
{
	making_dir(making);
	making_sections(making);
	making_files(making);
	making_pieces(making);
	if (making->module)
		making_release(making, ".modinfo", "vermagic=");
	else
		making_release(making, ".rodata", "Linux version ");
	making_merge(making);
	return making_block(making);
}

/*
 * Computes the bytes of each source file in a linked kernel or a module, with debugging
 * information: a block for free(3).
 */
static struct kma_err *holdings_make(const struct kma_image *image, bool module,
				     struct kma_holdings **ret)
{
	struct kma_making making = { .module = module };
	struct kma_assign *assign;
	struct kma_err *err;

	err = kma_assign_create(image, &assign);
	if (err)
		return err;
	making.assign = assign;
	kma_texts_add(&making.texts, ""); /* offset 0: no text */
	*ret = making_run(&making);
	kma_texts_deinit(&making.texts);
	free(making.dir);
	free(making.files);
	free(making.numbers);
	free(making.sections);
	free(making.list);
	kma_assign_destroy(assign);
	return NULL;
}

/* Most threads that read modules, in addition to the calling one. */
#define KMA_STOCK_THREADS 8

/* vmlinux or a module. */
struct kma_stock_file {
	char *path;
	char *module;			     /* as the kernel prints it; NULL: vmlinux */
	const struct kma_holdings *holdings; /* NULL if it could not be read */
	size_t mapped; /* bytes if holdings are mapped from the cache; 0: allocated */
	struct kma_err *err;
};

/* Reports a file that is of the wrong type or has no debugging information. */
static struct kma_err *stock_check(const struct kma_image *image, bool module)
{
	struct kma_binary *bin;
	struct kma_err *err;
	bool have;

	if (!module && kma_image_relocatable(image))
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, kma_image_name(image), 0,
			"a module or an object file, not a vmlinux; give modules with --modules DIR");
	err = kma_image_dwarf(image, &have);
	if (err || have)
		return err;
	/* A truncated file also seems to have no sections: kma_binary_open() reports it. */
	err = kma_binary_open(AT_FDCWD, kma_image_path(image), false, &bin);
	if (err)
		return kma_image_rename(image, err);
	kma_binary_close(bin);
	return kma_err_create_kind(
		KMA_ERR_OTHER_FORMAT, kma_image_name(image), 0,
		"has no debugging information (DWARF); install the kernel's debug package (Debian: linux-image-RELEASE-dbg, Fedora: kernel-debuginfo) and give its file");
}

/* Loads the holdings of a file from the cache or computes them. */
static struct kma_err *stock_read_image(struct kma_stock_file *file, const struct kma_image *image)
{
	struct kma_holdings *made;
	struct kma_err *err;

	err = stock_check(image, file->module);
	if (err)
		return err;
	file->holdings = holdings_load(image, &file->mapped);
	if (file->holdings)
		return NULL;
	file->mapped = 0;
	err = holdings_make(image, file->module, &made);
	if (err)
		return err;
	file->holdings = made;
	return NULL;
}

/* Runs in any thread. */
static struct kma_err *stock_read_file(struct kma_stock_file *file)
{
	struct kma_image *image;
	struct kma_err *err;

	err = kma_image_open(file->path, &image);
	if (err)
		return err;
	err = stock_read_image(file, image);
	kma_image_close(image);
	return err;
}

struct kma_stock_work {
	struct kma_stock *stock;
	atomic_size_t next; /* index of the next file that no thread has taken */
};

static void *stock_thread(void *arg)
{
	struct kma_stock_work *work = arg;
	struct kma_stock *stock = work->stock;
	size_t i;

	while ((i = atomic_fetch_add(&work->next, 1)) < stock->nr_files)
		stock->files[i].err = stock_read_file(&stock->files[i]);
	return NULL;
}

/* Reads the modules in this thread and in as many more as CPUs permit and as can be started. */
static void stock_run(struct kma_stock *stock)
{
	struct kma_stock_work work = { .stock = stock, .next = 1 };
	pthread_t threads[KMA_STOCK_THREADS];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int started = 0;

	while ((long)started + 1 < cpus && started < KMA_STOCK_THREADS &&
	       !pthread_create(&threads[started], NULL, stock_thread, &work))
		started++;
	stock_thread(&work);
	while (started)
		pthread_join(threads[--started], NULL);
}

static void stock_add_file(struct kma_stock *stock, const char *path, const char *module,
			   size_t len)
{
	struct kma_stock_file *file;

	stock->files = kma_xrealloc(stock->files, stock->nr_files + 1, sizeof(*stock->files));
	file = &stock->files[stock->nr_files++];
	*file = (struct kma_stock_file){ .path = kma_xstrdup(path) };
	if (module)
		file->module = kma_xstrndup(module, len);
	for (char *p = file->module; p && *p; p++)
		*p = *p == '-' ? '_' : *p;
}

static struct kma_err *stock_find_modules(struct kma_stock *stock, const char *dir)
{
	char *roots[] = { (char *)dir, NULL };
	struct kma_err *err = NULL;
	FTSENT *entry;
	FTS *fts;

	if (!kma_file_is_dir(dir))
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, dir, 0,
					   "not a directory; give the directory of the modules");
	fts = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	if (!fts)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, dir, 0, "cannot open: %s",
					   strerror(errno));
	while (!err && (entry = fts_read(fts))) {
		size_t len = kma_binary_module_len(entry->fts_name);

		/* "build" and "source" of installed modules are links to trees: do not search them. */
		if (entry->fts_info == FTS_D && entry->fts_level &&
		    (!strcmp(entry->fts_name, "build") || !strcmp(entry->fts_name, "source")))
			fts_set(fts, entry, FTS_SKIP);
		else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_NS)
			err = kma_gaps_note(
				&stock->gaps, KMA_GAP_DIR,
				kma_err_create_kind(KMA_ERR_NOT_READABLE, entry->fts_path, 0,
						    "cannot open: %s", strerror(entry->fts_errno)));
		else if (entry->fts_info != FTS_D && entry->fts_info != FTS_DP && len)
			stock_add_file(stock, entry->fts_path, entry->fts_name, len);
	}
	fts_close(fts);
	if (err || stock->nr_files > 1 || kma_gaps_total(&stock->gaps))
		return err;
	return kma_err_create_kind(
		KMA_ERR_NOT_FOUND, dir, 0,
		"has no module (*.ko); give the directory of the modules with debugging information");
}

/* Refuses modules of another kernel: the sum would be that of no existing kernel. */
static struct kma_err *stock_match(const struct kma_stock *stock)
{
	for (size_t i = 1; i < stock->nr_files; i++) {
		const struct kma_stock_file *file = &stock->files[i];

		if (file->holdings && *file->holdings->release && *stock->release &&
		    strcmp(file->holdings->release, stock->release))
			return kma_err_create_kind(
				KMA_ERR_DAMAGED, file->path, 0,
				"a module of kernel %s, but %s is kernel %s; give the modules of kernel %s",
				file->holdings->release, stock->files[0].path, stock->release,
				stock->release);
	}
	return NULL;
}

/*
 * Stores new holdings in the cache. Runs in one thread, because the files of the cache are
 * registered for removal by signal handlers.
 */
static void stock_keep(const struct kma_stock *stock)
{
	for (size_t i = 0; i < stock->nr_files; i++) {
		const struct kma_stock_file *file = &stock->files[i];

		if (file->holdings && !file->mapped)
			holdings_keep((struct kma_holdings *)file->holdings);
	}
}

static int cmp_stock_file(const void *a, const void *b)
{
	const struct kma_stock_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Is the module in the directory that depmod(8) searches first, unless it is configured otherwise? */
static bool stock_updated(const struct kma_stock_file *file)
{
	return strstr(file->path, "/updates/");
}

/* Sorts by module. The first file of a module is the one that counts. */
static int cmp_stock_module(const void *a, const void *b)
{
	const struct kma_stock_file *x = a, *y = b;

	return strcmp(x->module, y->module)		   ?:
		       !!y->holdings - !!x->holdings	   ?:
		       stock_updated(y) - stock_updated(x) ?:
							     strcmp(x->path, y->path);
}

static void stock_file_deinit(struct kma_stock_file *file)
{
	free(file->path);
	free(file->module);
	kma_err_destroy(file->err);
	if (file->mapped)
		munmap((void *)file->holdings, file->mapped);
	else
		free((void *)file->holdings);
}

/*
 * Leaves out all files of a module except one, and sorts the files by path. A package often has
 * each module twice, with and without debugging information, so the files must have been read.
 */
static void stock_unique(struct kma_stock *stock)
{
	struct kma_stock_file *modules = stock->files + 1;
	size_t nr = stock->nr_files - 1, kept = 0;

	qsort(modules, nr, sizeof(*modules), cmp_stock_module);
	for (size_t i = 0; i < nr; i++) {
		if (!kept || strcmp(modules[kept - 1].module, modules[i].module)) {
			modules[kept++] = modules[i];
			continue;
		}
		if (!stock->nr_twice++)
			stock->twice = kma_xasprintf("%s, also in %s", modules[i].path,
						     modules[kept - 1].path);
		stock_file_deinit(&modules[i]);
	}
	stock->nr_files = kept + 1;
	qsort(modules, kept, sizeof(*modules), cmp_stock_file);
}

/* Collects the errors of the files that count. */
static struct kma_err *stock_settle(struct kma_stock *stock)
{
	struct kma_err *err = NULL;

	for (size_t i = 0; i < stock->nr_files && !err; i++) {
		struct kma_stock_file *file = &stock->files[i];

		if (file->holdings)
			stock->missing += file->holdings->missing;
		err = i ? kma_gaps_note(&stock->gaps, KMA_GAP_MODULE, file->err) : file->err;
		file->err = NULL;
	}
	return err;
}

/* Makes an object of the holdings of one source file; they are sorted by section. */
static void stock_add_object(struct kma_stock *stock, const struct kma_stock_file *file,
			     const struct kma_holding *list, size_t nr)
{
	const struct kma_holdings_section *sections = holdings_sections(file->holdings);
	struct kma_static_object *to = &stock->st->objects[stock->st->nr];
	struct kma_object *object = &stock->objects[stock->st->nr++];

	object->source = object->path = (char *)holdings_text(file->holdings, list->file);
	object->module = file->module;
	object->linked = true;
	to->object = object;
	for (size_t i = 0; i < nr; i++) {
		const struct kma_holdings_section *from = &sections[list[i].section];

		if (!i || list[i].section != list[i - 1].section)
			to->sections[to->nr_sections++] = (struct kma_static_section){
				.name = holdings_text(file->holdings, from->name),
				.kind = from->kind,
				.output = -1,
				.align = from->align,
			};
		to->sections[to->nr_sections - 1].size += list[i].size;
		to->sections[to->nr_sections - 1].linked += list[i].size;
		to->pieces[to->nr_pieces++] = (struct kma_static_piece){
			.name = holdings_text(file->holdings, list[i].name),
			.size = list[i].size,
			.section = to->nr_sections - 1,
			.local = list[i].flags & KMA_HOLDINGS_LOCAL,
			.section_name = list[i].flags & KMA_HOLDINGS_SECTION_NAME,
		};
	}
}

static void stock_objects_of(struct kma_stock *stock, const struct kma_stock_file *file)
{
	const struct kma_holding *list = holdings_list(file->holdings);
	uint64_t nr = file->holdings->nr_holdings, next;

	for (uint64_t i = 0; i < nr; i = next) {
		struct kma_static_object *to = &stock->st->objects[stock->st->nr];

		for (next = i + 1; next < nr && list[next].file == list[i].file;)
			next++;
		to->sections = kma_xcalloc(next - i, sizeof(*to->sections));
		to->pieces = kma_xcalloc(next - i, sizeof(*to->pieces));
		stock_add_object(stock, file, &list[i], next - i);
	}
}

static void stock_objects(struct kma_stock *stock)
{
	size_t most = 0;

	for (size_t i = 0; i < stock->nr_files; i++)
		for (uint64_t k = 0;
		     stock->files[i].holdings && k < stock->files[i].holdings->nr_holdings; k++) {
			const struct kma_holding *list = holdings_list(stock->files[i].holdings);

			most += !k || list[k].file != list[k - 1].file;
		}
	stock->st = kma_xcalloc(1, sizeof(*stock->st));
	stock->objects = kma_xcalloc(most + 1, sizeof(*stock->objects));
	stock->st->objects = kma_xcalloc(most + 1, sizeof(*stock->st->objects));
	for (size_t i = 0; i < stock->nr_files; i++)
		if (stock->files[i].holdings)
			stock_objects_of(stock, &stock->files[i]);
	stock->nr_objects = stock->st->stats.objects = stock->st->nr;
}

static struct kma_err *stock_load(struct kma_stock *stock, const char *vmlinux, const char *modules)
{
	struct kma_err *err;

	stock_add_file(stock, vmlinux, NULL, 0);
	err = modules ? stock_find_modules(stock, modules) : NULL;
	if (err)
		return err;
	stock->files[0].err = stock_read_file(&stock->files[0]);
	if (!stock->files[0].err)
		stock_run(stock);
	stock_keep(stock);
	stock_unique(stock);
	err = stock_settle(stock);
	if (err)
		return err;
	strcpy(stock->release, stock->files[0].holdings->release);
	err = stock_match(stock);
	if (err)
		return err;
	stock_objects(stock);
	return NULL;
}

struct kma_err *kma_stock_read(const char *vmlinux, const char *modules, struct kma_stock **ret)
{
	struct kma_stock *stock = kma_xcalloc(1, sizeof(*stock));
	struct kma_err *err;

	err = stock_load(stock, vmlinux, modules);
	if (err) {
		kma_stock_destroy(stock);
		return err;
	}
	*ret = stock;
	return NULL;
}

void kma_stock_destroy(struct kma_stock *stock)
{
	if (!stock)
		return;
	kma_static_destroy(stock->st);
	for (size_t i = 0; i < stock->nr_files; i++)
		stock_file_deinit(&stock->files[i]);
	free(stock->files);
	free(stock->objects);
	free(stock->twice);
	free(stock);
}
