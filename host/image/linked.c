// SPDX-License-Identifier: GPL-2.0-only
/*
 * linked.c - attribute each byte of a linked kernel to the objects that it was linked from.
 *
 * The steps, in this order:
 *
 *	1. Find out which linker made the image, because linkers merge constants differently.
 *	2. Choose the output section of each section of an object; -1 if it was not linked.
 *	3. Merge constants, in the order of linking: the first object with a constant has it.
 *	4. Drop entries of ARM's index of unwinding as ld does.
 *	5. Add up the linked bytes of each section of the image (priv->filled). If they exceed its
 *	   size, reduce the objects proportionally (shrunk).
 *	6. Attribute the rest: tables at known symbols, code of link-time optimisation, padding that
 *	   an object's alignment requires, and one row for what remains.
 *
 * priv->filled never exceeds the size of a section, so each step attributes only bytes that are
 * left, and the last step makes the sum exact.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "constants.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "linked.h"
#include "linker.h"
#include "lto.h"
#include "order.h"
#include "vmlinux.h"

void kma_linked_destroy(struct kma_linked *image)
{
	if (!image)
		return;
	kma_vmlinux_deinit(image->priv);
	free(image->priv);
	free(image->rows);
	free(image);
}

const char *kma_linked_section(const struct kma_linked *image, int output)
{
	return image->priv->bin->sections[output].name;
}

/* Position in bin->sections of the section with an index of the ELF file; -1: none. */
static int kma_linked_place(const struct kma_vmlinux *priv, uint32_t index)
{
	for (size_t i = 0; i < priv->bin->nr_sections; i++)
		if (priv->bin->sections[i].index == index)
			return i;
	return -1;
}

static int kma_linked_named(const struct kma_vmlinux *priv, const char *name, size_t len)
{
	for (size_t i = 0; i < priv->bin->nr_sections; i++)
		if (!strncmp(priv->bin->sections[i].name, name, len) &&
		    !priv->bin->sections[i].name[len])
			return i;
	return -1;
}

/* Without a script: the section of that name, or of the longest part up to a dot. */
static int kma_linked_guess(const struct kma_vmlinux *priv, const char *name)
{
	int output;

	if (!strncmp(name, ".discard", 8))
		return -1;
	if (!strcmp(name, "COMMON"))
		name = ".bss";
	for (size_t len = strlen(name); len > 1; len--) {
		if (name[len] && name[len] != '.')
			continue;
		output = kma_linked_named(priv, name, len);
		if (output >= 0)
			return output;
	}
	return -1;
}

static int kma_linked_output(const struct kma_vmlinux *priv, const char *object,
			     struct kma_static_section *of)
{
	const char *section = of->name;
	const char *name;

	if (!priv->lds)
		return kma_linked_guess(priv, section);
	name = kma_lds_output(priv->lds, object, section, &of->rank) ?: section;
	return kma_linked_named(priv, name, strlen(name));
}

/*
 * Does the image have a global symbol of a section of an object (UINT32_MAX: of any section)?
 * Returns 1 if it has one, 0 if it has none of them, -1 if the section has no global symbols.
 */
static int kma_linked_has(const struct kma_vmlinux *priv, const struct kma_static_object *object,
			  uint32_t section)
{
	int has = -1;

	for (size_t i = 0; i < object->nr_pieces && has < 1; i++) {
		const struct kma_static_piece *piece = &object->pieces[i];

		if (piece->local || piece->section_name || *piece->name == '[' ||
		    (section != UINT32_MAX && piece->section != section) ||
		    object->sections[piece->section].output < 0)
			continue;
		has = !!kma_vmlinux_symbol(priv, piece->name);
	}
	return has;
}

/* Sets the section of the image for each section of an object; -1 if it was not linked. */
static void kma_linked_assign(const struct kma_vmlinux *priv, struct kma_static_object *object)
{
	bool gone;

	for (size_t i = 0; i < object->nr_sections; i++)
		object->sections[i].output =
			kma_linked_output(priv, object->object->path, &object->sections[i]);
	/* A stripped image has no symbols to compare; parts of an object have other names. */
	if (!priv->bin->nr_symbols || object->object->part)
		return;
	gone = !kma_linked_has(priv, object, UINT32_MAX);
	for (size_t i = 0; i < object->nr_sections; i++)
		if (gone || !kma_linked_has(priv, object, i))
			object->sections[i].output = -1;
}

/* Adds the mergeable sections of an object; kma_constants_finish() sets their linked bytes. */
static void kma_linked_merge(struct kma_static_object *object, struct kma_constants *merge)
{
	for (size_t i = 0; i < object->nr_sections; i++) {
		struct kma_static_section *section = &object->sections[i];
		struct kma_constants_section add = {
			.bytes = section->bytes,
			.size = section->size,
			.entsize = section->entsize,
			.align = section->align,
			.strings = section->strings,
			.output = section->output,
			.kept = &section->linked,
		};

		if (section->output < 0)
			section->linked = 0;
		else if (section->bytes)
			kma_constants_add(merge, &add);
	}
}

/* Adds the linked bytes of the objects to the sections of the image. */
static void kma_linked_book(struct kma_vmlinux *priv, struct kma_static *st)
{
	for (size_t i = 0; i < st->nr; i++) {
		struct kma_static_object *object = &st->objects[i];

		for (size_t k = 0; !object->object->module && k < object->nr_sections; k++) {
			struct kma_static_section *section = &object->sections[k];

			if (section->output < 0)
				continue;
			section->merged = section->size - section->linked;
			priv->filled[section->output] += section->linked;
			priv->used[section->output] = true;
			if (kma_vmlinux_is_init(priv, &priv->bin->sections[section->output]))
				section->kind = KMA_INIT;
		}
	}
}

/*
 * The objects have more bytes than the image, because the linker relaxed code or the tree was built
 * again. All objects are reduced proportionally, so that the sum holds.
 */
static void kma_linked_shrink(struct kma_linked *image, struct kma_static *st, int output)
{
	uint64_t room = image->priv->bin->sections[output].size;
	uint64_t filled = image->priv->filled[output], seen = 0, kept = 0;

	image->shrunk += filled - room;
	for (size_t i = 0; i < st->nr; i++) {
		struct kma_static_object *object = &st->objects[i];

		for (size_t k = 0; !object->object->module && k < object->nr_sections; k++) {
			struct kma_static_section *section = &object->sections[k];
			uint64_t until;

			if (section->output != output)
				continue;
			seen += section->linked;
			until = (__uint128_t)seen * room / filled;
			section->linked = until - kept;
			kept = until;
		}
	}
	image->priv->filled[output] = room;
}

/* Adds a row in brackets, of at most as many bytes as the section has left. */
static void kma_linked_add_row(struct kma_linked *image, int output, const char *name,
			       uint64_t size)
{
	struct kma_vmlinux *priv = image->priv;
	const struct kma_binary_section *section = &priv->bin->sections[output];
	uint64_t left = section->size - priv->filled[output];
	char *copy;

	if (size > left)
		size = left;
	if (!size)
		return;
	copy = kma_xstrdup(name);
	priv->names[priv->nr_names++] = copy;
	priv->filled[output] += size;
	image->rows[image->nr_rows++] = (struct kma_linked_row){
		.name = copy,
		.output = output,
		.kind = kma_vmlinux_is_init(priv, section) ? KMA_INIT :
							     kma_static_kind(section, false),
		.size = size,
	};
}

/* Bytes from a symbol to the next one that has another address. */
static uint64_t kma_linked_span(const struct kma_vmlinux *priv,
				const struct kma_binary_symbol *symbol, int output)
{
	const struct kma_binary_section *section = &priv->bin->sections[output];
	uint64_t end = section->addr + section->size;
	size_t low = kma_array_search(priv->bin->nr_symbols, i,
				      priv->by_addr[i]->value <= symbol->value);

	if (low < priv->bin->nr_symbols && priv->by_addr[low]->value < end)
		end = priv->by_addr[low]->value;
	return end > symbol->value ? end - symbol->value : 0;
}

/* Tables that the linker script and kbuild add, by the symbols at their start. */
static const struct {
	const char *symbol;
	const char *end; /* NULL: up to the next symbol */
	const char *row;
} kma_linked_tables[] = {
	{ "kallsyms_addresses", NULL, "[kallsyms]" },
	{ "kallsyms_offsets", NULL, "[kallsyms]" },
	{ "kallsyms_relative_base", NULL, "[kallsyms]" },
	{ "kallsyms_num_syms", NULL, "[kallsyms]" },
	{ "kallsyms_names", NULL, "[kallsyms]" },
	{ "kallsyms_markers", NULL, "[kallsyms]" },
	{ "kallsyms_token_table", NULL, "[kallsyms]" },
	{ "kallsyms_token_index", NULL, "[kallsyms]" },
	{ "kallsyms_seqs_of_names", NULL, "[kallsyms]" },
	{ "__start_init_task", "__end_init_task", "[init stack]" },
	{ "__brk_base", NULL, "[early brk]" },
};

/* Bytes of objects within the range of a table: the first task's data is inside its stack. */
static uint64_t kma_linked_inside(const struct kma_static *st, const char *row)
{
	uint64_t sum = 0;

	if (strcmp(row, "[init stack]"))
		return 0;
	for (size_t i = 0; i < st->nr; i++)
		for (size_t k = 0; k < st->objects[i].nr_sections; k++)
			if (!strncmp(st->objects[i].sections[k].name, ".data..init_t", 13) &&
			    !st->objects[i].object->module)
				sum += st->objects[i].sections[k].linked;
	return sum;
}

static void kma_linked_find_tables(struct kma_linked *image, const struct kma_static *st)
{
	const struct kma_vmlinux *priv = image->priv;

	for (size_t i = 0; i < ARRAY_SIZE(kma_linked_tables); i++) {
		const struct kma_binary_symbol *symbol, *end = NULL;
		const char *row = kma_linked_tables[i].row;
		uint64_t size, inside;
		int output;

		symbol = kma_vmlinux_symbol(priv, kma_linked_tables[i].symbol);
		if (kma_linked_tables[i].end)
			end = kma_vmlinux_symbol(priv, kma_linked_tables[i].end);
		output = symbol ? kma_linked_place(priv, symbol->section) : -1;
		if (output < 0 || (kma_linked_tables[i].end && !end))
			continue;
		size = end ? end->value - symbol->value : kma_linked_span(priv, symbol, output);
		inside = kma_linked_inside(st, row);
		if (size > inside)
			kma_linked_add_row(image, output, row, size - inside);
	}
}

/* May a section consist only of code and data that link-time optimisation generated? */
static bool kma_linked_maybe_lto(const struct kma_binary_section *section)
{
	static const char *const names[] = { ".text",	   ".rodata",	 ".data",     ".bss",
					     ".init.text", ".init.data", ".exit.text" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(section->name, names[i]))
			return true;
	return false;
}

/*
 * Adds a row for the rest of each section: alignment if objects are linked into the section, else
 * a row with the name of the section. With link-time optimisation the rest is code, not alignment.
 */
static void kma_linked_find_rest(struct kma_linked *image, const struct kma_static *st)
{
	const char *rest = st->stats.lto ? KMA_LINKED_LTO : KMA_LINKED_ALIGNMENT;
	const struct kma_vmlinux *priv = image->priv;

	for (size_t i = 0; i < priv->bin->nr_sections; i++) {
		const struct kma_binary_section *section = &priv->bin->sections[i];
		bool used = priv->used[i] || (st->stats.lto && kma_linked_maybe_lto(section));
		char name[64];

		snprintf(name, sizeof(name), used ? "%.60s" : "[%.60s]",
			 used ? rest : section->name);
		kma_linked_add_row(image, i, name, section->size - priv->filled[i]);
		image->size += section->size;
	}
}

static int kma_cmp_order(const void *a, const void *b)
{
	const struct kma_static_object *x = *(struct kma_static_object *const *)a;
	const struct kma_static_object *y = *(struct kma_static_object *const *)b;
	int cmp = (x->object->order > y->object->order) - (x->object->order < y->object->order);

	return cmp ? cmp : strcmp(x->object->path, y->object->path);
}

/*
 * Assigns the sections of all objects in the order of linking, because a constant that several
 * objects have belongs to the first one.
 */
static void kma_linked_assign_all(const struct kma_vmlinux *priv, struct kma_static *st,
				  enum kma_constants_linker linker, struct kma_order *order)
{
	_cleanup_free_ struct kma_static_object **objects = NULL;
	struct kma_constants *merge = kma_constants_create(linker);
	size_t nr = 0;

	objects = kma_xmalloc((st->nr + 1) * sizeof(*objects));
	for (size_t i = 0; i < st->nr; i++)
		if (!st->objects[i].object->module)
			objects[nr++] = &st->objects[i];
	qsort(objects, nr, sizeof(*objects), kma_cmp_order);
	for (size_t i = 0; i < nr; i++) {
		kma_linked_assign(priv, objects[i]);
		kma_linked_merge(objects[i], merge);
	}
	kma_constants_finish(merge);
	kma_constants_destroy(merge);
	kma_order_create(objects, nr, order);
}

static struct kma_err *kma_linked_link(const char *dir, const char *path, struct kma_linked *image,
				       struct kma_static *st)
{
	_cleanup_(kma_order_deinit) struct kma_order order = { 0 };
	enum kma_constants_linker linker;
	struct kma_vmlinux *priv = image->priv;
	struct kma_err *err;

	err = kma_linker_find(dir, priv, &linker);
	if (err)
		return err;
	kma_linked_assign_all(priv, st, linker, &order);
	kma_order_unwind(&order);
	kma_linked_book(priv, st);
	for (size_t i = 0; i < priv->bin->nr_sections; i++)
		if (priv->filled[i] > priv->bin->sections[i].size)
			kma_linked_shrink(image, st, i);
	image->rows = kma_xcalloc(priv->bin->nr_sections + ARRAY_SIZE(kma_linked_tables),
				  sizeof(*image->rows));
	priv->names =
		kma_xcalloc(priv->bin->nr_sections + ARRAY_SIZE(kma_linked_tables), sizeof(char *));
	kma_linked_find_tables(image, st);
	err = st->stats.lto ? kma_lto_book(path, priv, st) : NULL;
	if (err)
		return err;
	if (priv->lds)
		kma_order_align(&order, priv);
	kma_linked_find_rest(image, st);
	return NULL;
}

/*
 * Finds arch/ARCH/kernel/vmlinux.lds. If a tree was built for several architectures, takes the file
 * that was built last. Returns NULL if there is none.
 */
static char *kma_linked_find_script(const char *dir)
{
	_cleanup_dir_ DIR *d = NULL;
	_cleanup_free_ char *arch = kma_xasprintf("%s/arch", dir);
	struct timespec newest = { 0 };
	struct dirent *entry;
	char *found = NULL;
	struct stat st;

	d = opendir(arch);
	while (d && (entry = readdir(d))) {
		_cleanup_free_ char *path =
			kma_xasprintf("%s/%s/kernel/vmlinux.lds", arch, entry->d_name);

		if (*entry->d_name == '.' || stat(path, &st) ||
		    (found &&
		     (st.st_mtim.tv_sec < newest.tv_sec || (st.st_mtim.tv_sec == newest.tv_sec &&
							    st.st_mtim.tv_nsec <= newest.tv_nsec))))
			continue;
		newest = st.st_mtim;
		free(found);
		found = path;
		path = NULL;
	}
	return found;
}

/* Reads the linker script. *ret stays NULL if the tree has none or it cannot be read. */
static struct kma_err *kma_linked_read_script(const char *dir, struct kma_lds **ret)
{
	_cleanup_free_ char *path = kma_linked_find_script(dir), *text = NULL;
	struct kma_err *err;
	size_t len;

	if (!path)
		return NULL;
	err = kma_file_slurp_regular(path, &text, &len);
	/* Without the script, sections are matched by name, and a note informs the user. */
	if (err && !kma_err_is_of_file(err))
		return err;
	if (!err)
		*ret = kma_lds_parse(text, len);
	kma_err_destroy(err);
	return NULL;
}

static struct kma_err *kma_linked_read(const char *dir, struct kma_static *st,
				       struct kma_linked *image)
{
	_cleanup_free_ char *path = kma_xasprintf("%s/vmlinux", dir);
	struct kma_err *err;

	err = kma_binary_open(AT_FDCWD, path, true, &image->priv->bin);
	if (err)
		return err;
	if (image->priv->bin->relocatable)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0,
					   "an object file, not a linked kernel");
	kma_vmlinux_index(image->priv);
	err = kma_linked_read_script(dir, &image->priv->lds);
	return err ?: kma_linked_link(dir, path, image, st);
}

struct kma_err *kma_linked_create(const char *dir, struct kma_static *st, struct kma_linked **ret)
{
	struct kma_linked *image = kma_xcalloc(1, sizeof(*image));
	struct kma_err *err;

	image->priv = kma_xcalloc(1, sizeof(*image->priv));
	err = kma_linked_read(dir, st, image);
	if (err) {
		kma_linked_destroy(image);
		return err;
	}
	image->has_script = image->priv->lds;
	*ret = image;
	return NULL;
}
