// SPDX-License-Identifier: GPL-2.0-only
/*
 * holdings-make.c - compute the holdings of a file.
 *
 * Each piece of the file, or each part of a split piece, becomes a holding of (file, section,
 * name). The holdings are sorted and equal neighbours are added up. Texts are stored once
 * (lib/texts.h), so equal texts have equal offsets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assign.h"
#include "holdings-make.h"
#include "kbuild/static.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/texts.h"
#include "symbol/elf.h"

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

static uint32_t kma_making_text(struct kma_making *making, const char *text)
{
	/* before the array is read: kma_texts_add() may move it */
	uint32_t number = kma_texts_add(&making->texts, text);

	return making->texts.at[number];
}

/*
 * Finds the directory that all units of a module share: "fs/xfs/" for fs/xfs/xfs_log.c and
 * fs/xfs/libxfs/xfs_bit.c. Absolute names and names without a directory are left out.
 */
static void kma_making_dir(struct kma_making *making)
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
static bool kma_making_is_init(const struct kma_binary *bin,
			       const struct kma_binary_section *section)
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

static void kma_making_sections(struct kma_making *making)
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
		to->kind = !making->module && kma_making_is_init(bin, section) ?
				   KMA_INIT :
				   kma_static_kind(section, making->module);
		to->name = kma_making_text(making, section->name);
	}
}

/* The file of a piece without a unit: a row in brackets. */
static uint32_t kma_making_row(struct kma_making *making, size_t piece)
{
	_cleanup_free_ char *path = NULL;
	char buf[KMA_ASSIGN_ROW_MAX];

	path = kma_xasprintf("%s%s", making->dir, kma_assign_row(making->assign, piece, buf));
	return kma_making_text(making, path);
}

static void kma_making_add(struct kma_making *making, size_t piece, uint32_t unit, uint64_t size)
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
	to->file = to->file ?: kma_making_row(making, piece);
	to->name = kma_making_text(making, p->name);
	making->nr++;
}

static void kma_making_pieces(struct kma_making *making)
{
	const struct kma_assign *assign = making->assign;

	for (size_t i = 0; i < assign->nr; i++)
		if (!assign->split[i])
			kma_making_add(making, i, assign->units[i], assign->pieces[i].size);
	for (size_t i = 0; i < assign->nr_parts; i++)
		kma_making_add(making, assign->parts[i].piece, assign->parts[i].unit,
			       assign->parts[i].size);
}

/* Stores the names of files. "<artificial>", a unit of link-time optimisation, is not a file. */
static void kma_making_files(struct kma_making *making)
{
	const struct kma_extents *ext = making->assign->ext;

	making->files = kma_xcalloc(ext->nr_files + 1, sizeof(*making->files));
	for (size_t i = 0; i < ext->nr_files; i++)
		if (*ext->files[i] && *ext->files[i] != '<')
			making->files[i] = kma_making_text(making, ext->files[i]);
}

static int kma_cmp_holding(const void *a, const void *b, void *arg)
{
	const struct kma_holding *x = a, *y = b;
	const char *pool = arg;

	if (x->file != y->file)
		return strcmp(pool + x->file, pool + y->file);
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return x->name == y->name ? 0 : strcmp(pool + x->name, pool + y->name);
}

static void kma_making_merge(struct kma_making *making)
{
	size_t nr = 0;

	qsort_r(making->list, making->nr, sizeof(*making->list), kma_cmp_holding,
		making->texts.pool.str);
	for (size_t i = 0; i < making->nr; i++) {
		struct kma_holding *last = nr ? &making->list[nr - 1] : NULL;

		if (last && !kma_cmp_holding(last, &making->list[i], making->texts.pool.str))
			last->size += making->list[i].size;
		else
			making->list[nr++] = making->list[i];
	}
	making->nr = nr;
}

static struct kma_holdings *kma_making_block(const struct kma_making *making)
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
static void kma_making_release(struct kma_making *making, const char *name, const char *prefix)
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

static struct kma_holdings *kma_making_run(struct kma_making *making)
{
	kma_making_dir(making);
	kma_making_sections(making);
	kma_making_files(making);
	kma_making_pieces(making);
	if (making->module)
		kma_making_release(making, ".modinfo", "vermagic=");
	else
		kma_making_release(making, ".rodata", "Linux version ");
	kma_making_merge(making);
	return kma_making_block(making);
}

struct kma_err *kma_holdings_make(const struct kma_image *image, bool module,
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
	*ret = kma_making_run(&making);
	kma_texts_deinit(&making.texts);
	free(making.dir);
	free(making.files);
	free(making.numbers);
	free(making.sections);
	free(making.list);
	kma_assign_destroy(assign);
	return NULL;
}
