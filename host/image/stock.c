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

#include "holdings-make.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "stock.h"
#include "symbol/binary.h"

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
static struct kma_err *kma_stock_check(const struct kma_image *image, bool module)
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
static struct kma_err *kma_stock_read_image(struct kma_stock_file *file,
					    const struct kma_image *image)
{
	struct kma_holdings *made;
	struct kma_err *err;

	err = kma_stock_check(image, file->module);
	if (err)
		return err;
	file->holdings = kma_holdings_load(image, &file->mapped);
	if (file->holdings)
		return NULL;
	file->mapped = 0;
	err = kma_holdings_make(image, file->module, &made);
	if (err)
		return err;
	file->holdings = made;
	return NULL;
}

/* Runs in any thread. */
static struct kma_err *kma_stock_read_file(struct kma_stock_file *file)
{
	struct kma_image *image;
	struct kma_err *err;

	err = kma_image_open(file->path, &image);
	if (err)
		return err;
	err = kma_stock_read_image(file, image);
	kma_image_close(image);
	return err;
}

struct kma_stock_work {
	struct kma_stock *stock;
	atomic_size_t next; /* index of the next file that no thread has taken */
};

static void *kma_stock_thread(void *arg)
{
	struct kma_stock_work *work = arg;
	struct kma_stock *stock = work->stock;
	size_t i;

	while ((i = atomic_fetch_add(&work->next, 1)) < stock->nr_files)
		stock->files[i].err = kma_stock_read_file(&stock->files[i]);
	return NULL;
}

/* Reads the modules in this thread and in as many more as CPUs permit and as can be started. */
static void kma_stock_run(struct kma_stock *stock)
{
	struct kma_stock_work work = { .stock = stock, .next = 1 };
	pthread_t threads[KMA_STOCK_THREADS];
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int started = 0;

	while ((long)started + 1 < cpus && started < KMA_STOCK_THREADS &&
	       !pthread_create(&threads[started], NULL, kma_stock_thread, &work))
		started++;
	kma_stock_thread(&work);
	while (started)
		pthread_join(threads[--started], NULL);
}

static void kma_stock_add_file(struct kma_stock *stock, const char *path, const char *module,
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

static struct kma_err *kma_stock_find_modules(struct kma_stock *stock, const char *dir)
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
			kma_stock_add_file(stock, entry->fts_path, entry->fts_name, len);
	}
	fts_close(fts);
	if (err || stock->nr_files > 1 || kma_gaps_total(&stock->gaps))
		return err;
	return kma_err_create_kind(
		KMA_ERR_NOT_FOUND, dir, 0,
		"has no module (*.ko); give the directory of the modules with debugging information");
}

/* Refuses modules of another kernel: the sum would be that of no existing kernel. */
static struct kma_err *kma_stock_match(const struct kma_stock *stock)
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
static void kma_stock_keep(const struct kma_stock *stock)
{
	for (size_t i = 0; i < stock->nr_files; i++) {
		const struct kma_stock_file *file = &stock->files[i];

		if (file->holdings && !file->mapped)
			kma_holdings_keep((struct kma_holdings *)file->holdings);
	}
}

static int kma_cmp_stock_file(const void *a, const void *b)
{
	const struct kma_stock_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Is the module in the directory that depmod(8) searches first, unless it is configured otherwise? */
static bool kma_stock_updated(const struct kma_stock_file *file)
{
	return strstr(file->path, "/updates/");
}

/* Sorts by module. The first file of a module is the one that counts. */
static int kma_cmp_stock_module(const void *a, const void *b)
{
	const struct kma_stock_file *x = a, *y = b;

	return strcmp(x->module, y->module)			   ?:
		       !!y->holdings - !!x->holdings		   ?:
		       kma_stock_updated(y) - kma_stock_updated(x) ?:
								     strcmp(x->path, y->path);
}

static void kma_stock_file_deinit(struct kma_stock_file *file)
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
static void kma_stock_unique(struct kma_stock *stock)
{
	struct kma_stock_file *modules = stock->files + 1;
	size_t nr = stock->nr_files - 1, kept = 0;

	qsort(modules, nr, sizeof(*modules), kma_cmp_stock_module);
	for (size_t i = 0; i < nr; i++) {
		if (!kept || strcmp(modules[kept - 1].module, modules[i].module)) {
			modules[kept++] = modules[i];
			continue;
		}
		if (!stock->nr_twice++)
			stock->twice = kma_xasprintf("%s, also in %s", modules[i].path,
						     modules[kept - 1].path);
		kma_stock_file_deinit(&modules[i]);
	}
	stock->nr_files = kept + 1;
	qsort(modules, kept, sizeof(*modules), kma_cmp_stock_file);
}

/* Collects the errors of the files that count. */
static struct kma_err *kma_stock_settle(struct kma_stock *stock)
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
static void kma_stock_add_object(struct kma_stock *stock, const struct kma_stock_file *file,
				 const struct kma_holding *list, size_t nr)
{
	const struct kma_holdings_section *sections = kma_holdings_sections(file->holdings);
	struct kma_static_object *to = &stock->st->objects[stock->st->nr];
	struct kma_object *object = &stock->objects[stock->st->nr++];

	object->source = object->path = (char *)kma_holdings_text(file->holdings, list->file);
	object->module = file->module;
	object->linked = true;
	to->object = object;
	for (size_t i = 0; i < nr; i++) {
		const struct kma_holdings_section *from = &sections[list[i].section];

		if (!i || list[i].section != list[i - 1].section)
			to->sections[to->nr_sections++] = (struct kma_static_section){
				.name = kma_holdings_text(file->holdings, from->name),
				.kind = from->kind,
				.output = -1,
				.align = from->align,
				.exec = from->flags & KMA_HOLDINGS_EXEC,
			};
		to->sections[to->nr_sections - 1].size += list[i].size;
		to->sections[to->nr_sections - 1].linked += list[i].size;
		to->pieces[to->nr_pieces++] = (struct kma_static_piece){
			.name = kma_holdings_text(file->holdings, list[i].name),
			.size = list[i].size,
			.section = to->nr_sections - 1,
			.local = list[i].flags & KMA_HOLDINGS_LOCAL,
			.section_name = list[i].flags & KMA_HOLDINGS_SECTION_NAME,
		};
	}
}

static void kma_stock_objects_of(struct kma_stock *stock, const struct kma_stock_file *file)
{
	const struct kma_holding *list = kma_holdings_list(file->holdings);
	uint64_t nr = file->holdings->nr_holdings, next;

	for (uint64_t i = 0; i < nr; i = next) {
		struct kma_static_object *to = &stock->st->objects[stock->st->nr];

		for (next = i + 1; next < nr && list[next].file == list[i].file;)
			next++;
		to->sections = kma_xcalloc(next - i, sizeof(*to->sections));
		to->pieces = kma_xcalloc(next - i, sizeof(*to->pieces));
		kma_stock_add_object(stock, file, &list[i], next - i);
	}
}

static void kma_stock_objects(struct kma_stock *stock)
{
	size_t most = 0;

	for (size_t i = 0; i < stock->nr_files; i++)
		for (uint64_t k = 0;
		     stock->files[i].holdings && k < stock->files[i].holdings->nr_holdings; k++) {
			const struct kma_holding *list =
				kma_holdings_list(stock->files[i].holdings);

			most += !k || list[k].file != list[k - 1].file;
		}
	stock->st = kma_xcalloc(1, sizeof(*stock->st));
	stock->objects = kma_xcalloc(most + 1, sizeof(*stock->objects));
	stock->st->objects = kma_xcalloc(most + 1, sizeof(*stock->st->objects));
	for (size_t i = 0; i < stock->nr_files; i++)
		if (stock->files[i].holdings)
			kma_stock_objects_of(stock, &stock->files[i]);
	stock->nr_objects = stock->st->stats.objects = stock->st->nr;
}

static struct kma_err *kma_stock_load(struct kma_stock *stock, const char *vmlinux,
				      const char *modules)
{
	struct kma_err *err;

	kma_stock_add_file(stock, vmlinux, NULL, 0);
	err = modules ? kma_stock_find_modules(stock, modules) : NULL;
	if (err)
		return err;
	stock->files[0].err = kma_stock_read_file(&stock->files[0]);
	if (!stock->files[0].err)
		kma_stock_run(stock);
	kma_stock_keep(stock);
	kma_stock_unique(stock);
	err = kma_stock_settle(stock);
	if (err)
		return err;
	strcpy(stock->release, stock->files[0].holdings->release);
	err = kma_stock_match(stock);
	if (err)
		return err;
	kma_stock_objects(stock);
	return NULL;
}

struct kma_err *kma_stock_read(const char *vmlinux, const char *modules, struct kma_stock **ret)
{
	struct kma_stock *stock = kma_xcalloc(1, sizeof(*stock));
	struct kma_err *err;

	err = kma_stock_load(stock, vmlinux, modules);
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
		kma_stock_file_deinit(&stock->files[i]);
	free(stock->files);
	free(stock->objects);
	free(stock->twice);
	free(stock);
}
