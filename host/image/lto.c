// SPDX-License-Identifier: GPL-2.0-only
/*
 * lto.c - find the objects of code in a kernel with link-time optimisation.
 *
 * The functions and variables of the image are visited in the order of their addresses. If symbols
 * overlap, the first one has the bytes, as in pieces.c, so each byte is charged once. A symbol is
 * never charged more bytes than its section of the image has left, so the sums stay exact.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lto.h"
#include "symbol/units.h"

struct kma_lto_work {
	struct kma_vmlinux *priv;
	const struct kma_units *units;
	struct kma_static_object **objects; /* those without code, sorted by source file */
	size_t nr;
	struct kma_arena *texts; /* names of new sections and pieces; belongs to the objects */
};

static int kma_cmp_source(const void *a, const void *b)
{
	const struct kma_static_object *x = *(struct kma_static_object *const *)a;
	const struct kma_static_object *y = *(struct kma_static_object *const *)b;

	return strcmp(x->object->source, y->object->source);
}

static void kma_lto_objects(struct kma_lto_work *lto, struct kma_static *st)
{
	lto->objects = kma_xmalloc((st->nr + 1) * sizeof(*lto->objects));
	for (size_t i = 0; i < st->nr; i++) {
		struct kma_static_object *object = &st->objects[i];

		if (object->lto && !object->nr_sections && !object->object->module)
			lto->objects[lto->nr++] = object;
	}
	qsort(lto->objects, lto->nr, sizeof(*lto->objects), kma_cmp_source);
}

static struct kma_static_object *kma_lto_object(const struct kma_lto_work *lto, uint64_t addr)
{
	const char *file = kma_units_file(lto->units, addr);
	const struct kma_object what = { .source = (char *)file };
	const struct kma_static_object key = { .object = &what }, *p = &key;
	struct kma_static_object **found;

	if (!file)
		return NULL;
	found = bsearch(&p, lto->objects, lto->nr, sizeof(p), kma_cmp_source);
	return found ? *found : NULL;
}

/* Index of the section of the image that a symbol is in; -1: none. */
static int kma_lto_output(const struct kma_vmlinux *priv, const struct kma_binary_symbol *symbol)
{
	for (size_t i = 0; i < priv->bin->nr_sections; i++) {
		const struct kma_binary_section *section = &priv->bin->sections[i];

		if (section->index == symbol->section && symbol->value >= section->addr &&
		    symbol->value - section->addr < section->size)
			return i;
	}
	return -1;
}

/* Finds or adds the section of an object for a section of the image. Returns its index. */
static uint32_t kma_lto_section(struct kma_lto_work *lto, struct kma_static_object *object,
				int output)
{
	const struct kma_binary_section *section = &lto->priv->bin->sections[output];

	for (uint32_t i = 0; i < object->nr_sections; i++)
		if (object->sections[i].output == output)
			return i;
	object->sections =
		kma_xrealloc(object->sections, object->nr_sections + 1, sizeof(*object->sections));
	object->sections[object->nr_sections] = (struct kma_static_section){
		.name = kma_arena_text(lto->texts, section->name, strlen(section->name)),
		.kind = kma_vmlinux_is_init(lto->priv, section) ? KMA_INIT :
								  kma_static_kind(section, false),
		.output = output,
		.align = 1,
		.exec = section->exec,
	};
	return object->nr_sections++;
}

static void kma_lto_piece(struct kma_lto_work *lto, struct kma_static_object *object,
			  const struct kma_binary_symbol *symbol, uint64_t size, uint32_t section)
{
	/* The array is full at 0 and at each power of two: double it. */
	if (!(object->nr_pieces & (object->nr_pieces - 1)))
		object->pieces = kma_xrealloc(object->pieces,
					      object->nr_pieces ? 2 * object->nr_pieces : 1,
					      sizeof(*object->pieces));
	object->pieces[object->nr_pieces++] = (struct kma_static_piece){
		.name = kma_arena_text(lto->texts, symbol->name, strlen(symbol->name)),
		.size = size,
		.section = section,
		.local = symbol->local,
	};
}

/* Is an address in the stack of the first task? It has a row "[init stack]". */
static bool kma_lto_is_stack(const struct kma_vmlinux *priv, uint64_t addr)
{
	const struct kma_binary_symbol *begin = kma_vmlinux_symbol(priv, "__start_init_task");
	const struct kma_binary_symbol *end = kma_vmlinux_symbol(priv, "__end_init_task");

	return begin && end && addr >= begin->value && addr < end->value;
}

/* Charges a symbol to its object. *until is the end of the last symbol that was charged. */
static void kma_lto_book_symbol(struct kma_lto_work *lto, const struct kma_binary_symbol *symbol,
				uint64_t *until)
{
	struct kma_vmlinux *priv = lto->priv;
	uint64_t begin = symbol->value, end = begin + symbol->size, room;
	int output = kma_lto_output(priv, symbol);
	struct kma_static_object *object;
	uint32_t section;

	if (output < 0 || end < begin || kma_lto_is_stack(priv, begin))
		return;
	object = kma_lto_object(lto, begin);
	if (!object)
		return;
	begin = begin > *until ? begin : *until;
	if (end <= begin)
		return;
	*until = end;
	room = priv->bin->sections[output].size - priv->filled[output];
	room = end - begin < room ? end - begin : room;
	if (!room)
		return;
	section = kma_lto_section(lto, object, output);
	kma_lto_piece(lto, object, symbol, room, section);
	object->sections[section].size += room;
	object->sections[section].linked += room;
	priv->filled[output] += room;
	priv->used[output] = true;
}

/* Sorts pieces by section: tree/footprint.c needs the pieces of a section to be neighbours. */
static int kma_cmp_lto_piece(const void *a, const void *b)
{
	const struct kma_static_piece *x = a, *y = b;

	return (x->section > y->section) - (x->section < y->section);
}

static void kma_lto_book_symbols(struct kma_lto_work *lto, struct kma_static *st)
{
	const struct kma_vmlinux *priv = lto->priv;
	uint64_t until = 0;

	kma_lto_objects(lto, st);
	for (size_t i = 0; i < priv->bin->nr_symbols; i++)
		if (priv->by_addr[i]->func || priv->by_addr[i]->object)
			kma_lto_book_symbol(lto, priv->by_addr[i], &until);
	for (size_t i = 0; i < lto->nr; i++)
		qsort(lto->objects[i]->pieces, lto->objects[i]->nr_pieces,
		      sizeof(*lto->objects[i]->pieces), kma_cmp_lto_piece);
	free(lto->objects);
}

/* Units that cannot be read: their symbols stay in "[link-time optimisation]". */
static struct kma_err *kma_lto_missing(const char *path, const struct kma_units *units)
{
	uint64_t nr = kma_units_missing(units);

	return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
				   "debugging information of %" PRIu64
				   " compilation %s corrupt or missing",
				   nr, kma_plural(nr, "unit is", "units are"));
}

struct kma_err *kma_lto_book(const char *path, struct kma_vmlinux *priv, struct kma_static *st)
{
	struct kma_lto_work lto = { .priv = priv, .texts = &st->arenas[0] };
	struct kma_units *units = NULL;
	struct kma_err *err;

	/* Without debugging information all bytes stay in "[link-time optimisation]". */
	err = kma_gaps_note(&st->stats.gaps, KMA_GAP_IMAGE, kma_units_create(path, &units));
	if (!units)
		return err;
	lto.units = units;
	if (kma_units_missing(units))
		err = kma_gaps_note(&st->stats.gaps, KMA_GAP_SYMBOLS, kma_lto_missing(path, units));
	if (!err)
		kma_lto_book_symbols(&lto, st);
	kma_units_destroy(units);
	return err;
}
