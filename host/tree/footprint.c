// SPDX-License-Identifier: GPL-2.0-only
/*
 * footprint.c - static sizes by owner.
 *
 * Each section, or for symbols each piece of a section, is an entry with the name of its owner. The
 * entries are sorted by name and file, and equal neighbours are added up to a row. A sort is used
 * instead of a hash table, because the order of rows is then the same in each run.
 *
 * An entry has three sizes, which add up to what the compiler made: linked (in the image), merged
 * (shared with equal constants of other objects) and discarded. kbuild/static.h has them for whole
 * sections only. The pieces of a section share them in the order of addresses: the first pieces
 * get what was linked, the next what was merged, and the last are discarded. For a single symbol of
 * a section that was not kept whole this is an estimate; the sums are exact.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "footprint.h"
#include "image/linked.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "static.h"
#include "symbol/pieces.h"

static const char *key_object(const struct kma_static_object *object,
			      const struct kma_static_section *section,
			      const struct kma_static_piece *piece)
{
	(void)section;
	(void)piece;
	return object->object->path;
}

static const char *key_module(const struct kma_static_object *object,
			      const struct kma_static_section *section,
			      const struct kma_static_piece *piece)
{
	(void)section;
	(void)piece;
	return object->object->module ?: "vmlinux";
}

static const char *key_section(const struct kma_static_object *object,
			       const struct kma_static_section *section,
			       const struct kma_static_piece *piece)
{
	(void)object;
	(void)piece;
	return section->name;
}

static const char *key_symbol(const struct kma_static_object *object,
			      const struct kma_static_section *section,
			      const struct kma_static_piece *piece)
{
	(void)object;
	(void)section;
	return piece->name;
}

const struct kma_footprint_by kma_footprint_bys[KMA_NR_FOOTPRINT_KEYS] = {
	[KMA_FOOTPRINT_DIR] = { .name = "dir", .title = "directory", .tree = true },
	[KMA_FOOTPRINT_FILE] = { .name = "file", .title = "file", .tree = true },
	[KMA_FOOTPRINT_SUBSYSTEM] = { .name = "subsystem", .title = "subsystem", .tree = true },
	[KMA_FOOTPRINT_OBJECT] = { .name = "object", .title = "object", .key = key_object },
	[KMA_FOOTPRINT_SYMBOL] = { .name = "symbol",
				   .title = "symbol",
				   .pieces = true,
				   .key = key_symbol },
	[KMA_FOOTPRINT_SECTION] = { .name = "section", .title = "section", .key = key_section },
	[KMA_FOOTPRINT_MODULE] = { .name = "module", .title = "module", .key = key_module },
};

/* The bytes of one section or piece. */
struct kma_footprint_entry {
	const char *name;		 /* of the owner */
	const char *file;		 /* source file of a symbol; NULL: the name is unique */
	const struct kma_object *object; /* of a piece or of padding; else NULL */
	enum kma_metric_id kind;	 /* KMA_TEXT to KMA_OTHER */
	uint64_t linked;		 /* bytes in the image */
	uint64_t merged;		 /* bytes shared with other objects */
	uint64_t discarded;		 /* bytes that the linker dropped */
};

struct kma_entries {
	const struct kma_footprint *fp;
	struct kma_footprint_entry *list;
	size_t nr;
	size_t alloc;
	struct kma_arena names; /* names that were composed here */
};

static int cmp_entry(const void *a, const void *b)
{
	const struct kma_footprint_entry *x = a, *y = b;
	int cmp = strcmp(x->name, y->name);

	return cmp ? cmp : strcmp(x->file ?: "", y->file ?: "");
}

static void entries_add(struct kma_entries *entries, const struct kma_footprint_entry *entry)
{
	kma_array_room(entries->list, entries->nr, entries->alloc);
	entries->list[entries->nr++] = *entry;
}

/*
 * Name of a piece's owner: "[.data]" for bytes that no symbol covers. If plain, the numbers that a
 * compiler adds to static symbols are removed: "foo" for "foo.123".
 */
static const char *entries_name(struct kma_entries *entries, const char *name, bool brackets)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	size_t len = strlen(name);

	if (brackets) {
		kma_strbuf_printf(&text, "[%.*s]", (int)kma_section_family(name), name);
		return kma_arena_text(&entries->names, text.str, text.len);
	}
	if (!entries->fp->plain)
		return name;
	for (size_t i = 0; i < len;) {
		size_t digits = 0;

		if (name[i] == '.')
			while (isdigit((unsigned char)name[i + 1 + digits]))
				digits++;
		if (!digits)
			kma_strbuf_add(&text, name + i, 1);
		i += digits + 1;
	}
	return text.len == len ? name : kma_arena_text(&entries->names, text.str ?: "", text.len);
}

static const char *entries_section(struct kma_entries *entries,
				   const struct kma_static_section *section)
{
	size_t len = kma_section_family(section->name);

	if (section->output >= 0)
		return kma_linked_section(entries->fp->image, section->output);
	if (!section->name[len])
		return section->name;
	return kma_arena_text(&entries->names, section->name, len);
}

static void entries_sections(struct kma_entries *entries, const struct kma_static_object *object)
{
	const struct kma_footprint_by *by = entries->fp->by;

	for (size_t i = 0; i < object->nr_sections; i++) {
		const struct kma_static_section *section = &object->sections[i];
		struct kma_footprint_entry entry = {
			.name = by->key == key_section ? entries_section(entries, section) :
							 by->key(object, section, NULL),
			.kind = section->kind,
			.linked = section->linked,
			.merged = section->merged,
			.discarded = section->size - section->linked - section->merged,
		};

		entries_add(entries, &entry);
	}
}

/* Adds the pieces of an object. Each takes its share of what is left of its section's sizes. */
static void entries_pieces(struct kma_entries *entries, const struct kma_static_object *object)
{
	uint64_t linked = 0, merged = 0;
	uint32_t last = UINT32_MAX;

	for (size_t i = 0; i < object->nr_pieces; i++) {
		const struct kma_static_piece *piece = &object->pieces[i];
		const struct kma_static_section *section = &object->sections[piece->section];
		bool bracketed = piece->section_name || *piece->name == '[';
		struct kma_footprint_entry entry = { .object = object->object,
						     .kind = section->kind };

		if (piece->section != last) {
			linked = section->linked;
			merged = section->merged;
			last = piece->section;
		}
		entry.name = entries_name(entries, piece->name, piece->section_name);
		entry.file = bracketed || entries->fp->plain ? NULL : object->object->source;
		entry.linked = piece->size < linked ? piece->size : linked;
		linked -= entry.linked;
		entry.merged = piece->size - entry.linked;
		if (entry.merged > merged)
			entry.merged = merged;
		merged -= entry.merged;
		entry.discarded = piece->size - entry.linked - entry.merged;
		entries_add(entries, &entry);
	}
}

/* Is the path of a file the branch itself or below it? */
static bool footprint_below(const char *branch, const char *file)
{
	size_t len = branch ? strlen(branch) : 0;

	return !len || (!strncmp(file, branch, len) && (!file[len] || file[len] == '/'));
}

/* Adds the padding before the sections of an object, which belongs to the object's directory. */
static void entries_padding(struct kma_entries *entries, const struct kma_static_object *object)
{
	_cleanup_free_ char *path = NULL;
	const struct kma_footprint *fp = entries->fp;

	for (size_t i = 0; i < object->nr_sections; i++) {
		const struct kma_static_section *section = &object->sections[i];
		struct kma_footprint_entry entry = { .name = KMA_STATIC_ALIGNMENT,
						     .object = object->object,
						     .kind = section->kind,
						     .linked = section->padding };

		if (!section->padding)
			continue;
		path = path ?: kma_static_alignment(object->object);
		if (!footprint_below(fp->branch, path))
			break;
		if (fp->by->key == key_section)
			entry.name = kma_linked_section(fp->image, section->output);
		entries_add(entries, &entry);
	}
}

static void entries_fill(struct kma_entries *entries)
{
	const struct kma_footprint *fp = entries->fp;

	for (size_t i = 0; i < fp->st->nr; i++) {
		const struct kma_static_object *object = &fp->st->objects[i];

		if (object->unreadable || (fp->image && object->object->module))
			continue;
		if (footprint_below(fp->branch, object->object->source)) {
			if (fp->by->pieces)
				entries_pieces(entries, object);
			else
				entries_sections(entries, object);
		}
		entries_padding(entries, object);
	}
	for (size_t i = 0; fp->image && i < fp->image->nr_rows; i++) {
		const struct kma_linked_row *row = &fp->image->rows[i];
		struct kma_footprint_entry entry = { .name = row->name,
						     .kind = row->kind,
						     .linked = row->size };

		if (fp->by->key == key_section)
			entry.name = kma_linked_section(fp->image, row->output);
		if (footprint_below(fp->branch, row->name))
			entries_add(entries, &entry);
	}
}

/* Adds a row. If several files share the name, the name gets the file. */
static void entries_row(const struct kma_footprint_entry *entry, bool shared,
			const struct kma_values *values, struct kma_node *root)
{
	_cleanup_free_ char *name = NULL;

	if (shared)
		name = kma_xasprintf("%s (%s)", entry->name, entry->file);
	kma_node_add_caller(root, name ?: entry->name, values);
}

static void entries_rows(const struct kma_entries *entries, struct kma_node *root)
{
	const struct kma_footprint_entry *list = entries->list;
	struct kma_values sum = { 0 };
	bool shared = false;

	for (size_t i = 0; i < entries->nr; i++) {
		const struct kma_metric *metric = &kma_metrics[list[i].kind];
		bool first = !i || strcmp(list[i].name, list[i - 1].name);

		if (first) {
			/* Entries of one name are sorted by file: does another file follow? */
			size_t last = i;

			while (last + 1 < entries->nr &&
			       !strcmp(list[last + 1].name, list[i].name) &&
			       !cmp_entry(&list[last + 1], &list[i]))
				last++;
			shared = last + 1 < entries->nr &&
				 !strcmp(list[last + 1].name, list[i].name);
		}
		metric->set(&sum, metric->get(&sum) + list[i].linked);
		sum.merged += list[i].merged;
		sum.discarded += list[i].discarded;
		if (i + 1 < entries->nr && !cmp_entry(&list[i], &list[i + 1]))
			continue;
		entries_row(&list[i], shared && list[i].file, &sum, root);
		memset(&sum, 0, sizeof(sum));
	}
}

static void entries_deinit(struct kma_entries *entries)
{
	kma_arena_deinit(&entries->names);
	free(entries->list);
}

static void footprint_list(const struct kma_footprint *fp, struct kma_node *root)
{
	_cleanup_(entries_deinit) struct kma_entries entries = { .fp = fp };

	entries_fill(&entries);
	if (entries.nr)
		qsort(entries.list, entries.nr, sizeof(*entries.list), cmp_entry);
	entries_rows(&entries, root);
}

/* Adds directories and files, and a row in brackets for bytes that the linker created. */
static void footprint_dirs(const struct kma_footprint *fp, struct kma_node *root)
{
	kma_static_add(fp->st, !fp->image, root);
	for (size_t i = 0; fp->image && i < fp->image->nr_rows; i++) {
		const struct kma_linked_row *row = &fp->image->rows[i];
		struct kma_values values = { 0 };

		kma_metrics[row->kind].set(&values, row->size);
		kma_node_add_section(kma_node_add_named(root, row->name),
				     kma_metrics[row->kind].name, &values);
	}
	kma_node_roll_up(root);
}

struct kma_err *kma_footprint_tree(const struct kma_footprint *fp, struct kma_node **ret)
{
	_cleanup_free_ char *path = NULL;
	struct kma_footprint below = *fp;
	struct kma_node *root, *branch;
	struct kma_err *err;

	root = kma_node_create();
	if (fp->by->tree || fp->branch)
		footprint_dirs(fp, root);
	if (fp->branch) {
		err = kma_node_find(root, fp->branch, &branch);
		if (err) {
			kma_node_destroy(root);
			return err;
		}
		/* Use the path as the tree has it: a user may type "/fs//ext4/". */
		below.branch = path = kma_node_path(branch);
	}
	if (!fp->by->tree) {
		kma_node_destroy(root);
		root = kma_node_create();
		footprint_list(&below, root);
		kma_node_roll_up(root);
	}
	*ret = root;
	return NULL;
}

struct kma_err *kma_footprint_each(const struct kma_footprint *fp,
				   struct kma_err *(*fn)(void *arg,
							 const struct kma_footprint_part *part),
				   void *arg)
{
	_cleanup_(entries_deinit) struct kma_entries entries = { .fp = fp };
	struct kma_err *err = NULL;

	entries_fill(&entries);
	for (size_t i = 0; i < entries.nr && !err; i++) {
		const struct kma_footprint_entry *entry = &entries.list[i];

		if (entry->linked)
			err = fn(arg, &(struct kma_footprint_part){ .name = entry->name,
								    .file = entry->object->source,
								    .module = entry->object->module,
								    .kind = entry->kind,
								    .bytes = entry->linked });
	}
	return err;
}
