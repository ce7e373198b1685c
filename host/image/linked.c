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
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "constants.h"
#include "kbuild/static.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "linked.h"
#include "symbol/pieces.h"
#include "symbol/units.h"
#include "vmlinux.h"

/*
 * Find out which linker made a kernel, because linkers merge constants differently.
 */

/* Versions as in CONFIG_LD_VERSION: 2.40 is 24000. */
#define KMA_LD_2_41 24100

/* Value of the line CONFIG_LD_VERSION=24000 (kernels 5.12 and later); 0: not found. */
static unsigned long linker_config(const char *text)
{
	static const char key[] = "CONFIG_LD_VERSION=";

	for (const char *at = text; (at = strstr(at, key)); at += sizeof(key) - 1)
		if (at == text || at[-1] == '\n')
			return strtoul(at + sizeof(key) - 1, NULL, 10);
	return 0;
}

/* "... GNU ld (GNU Binutils for Debian) 2.44) #1 ...": the version is the word after ")". */
static unsigned long linker_version(const char *banner)
{
	const char *at = strstr(banner, "GNU ld ");
	unsigned int major, minor;

	if (!at)
		return 0;
	at += strlen("GNU ld ");
	if (*at == '(')
		at = strchr(at, ')') ? strchr(at, ')') + 1 : at;
	else if (!strncmp(at, "version ", 8))
		at += 8;
	return sscanf(at, " %u.%u", &major, &minor) == 2 ? major * 10000 + minor * 100 : 0;
}

/* Version of GNU ld in the text of the symbol linux_banner; 0: not found. */
static unsigned long linker_banner(const struct kma_vmlinux *priv)
{
	const struct kma_binary_symbol *symbol = kma_vmlinux_symbol(priv, "linux_banner");
	const struct kma_binary *bin = priv->bin;

	for (size_t i = 0; symbol && i < bin->nr_sections; i++) {
		const struct kma_binary_section *section = &bin->sections[i];
		const unsigned char *bytes;
		char text[512];
		uint64_t at;
		size_t len;

		if (section->index != symbol->section)
			continue;
		at = symbol->value - section->addr;
		bytes = kma_binary_bytes(bin, section);
		if (!bytes || symbol->value < section->addr || at >= section->size)
			return 0;
		len = section->size - at < sizeof(text) - 1 ? section->size - at : sizeof(text) - 1;
		memcpy(text, bytes + at, len);
		text[len] = '\0';
		return linker_version(text);
	}
	return 0;
}

/*
 * Find out which linker made a kernel.
 * @dir: top of the built tree
 * @priv: its image, with sections and sorted symbols
 * @ret: the linker
 *
 * LLVM's linker is recognised by the image's .comment. The version of GNU ld is CONFIG_LD_VERSION
 * in include/config/auto.conf, else the one in the image's linux_banner. If neither has a version,
 * the linker is treated as GNU ld before 2.41.
 *
 * Return: NULL; or an error that is not one of a file (kma_err_is_of_file()).
 */
static struct kma_err *linker_find(const char *dir, const struct kma_vmlinux *priv,
				   enum kma_constants_linker *ret)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	unsigned long version = 0;
	struct kma_err *err;
	size_t len;

	*ret = KMA_LINKER_LLD;
	if (priv->bin->lld)
		return NULL;
	path = kma_xasprintf("%s/include/config/auto.conf", dir);
	err = kma_file_slurp_regular(path, &text, &len);
	if (err && !kma_err_is_of_file(err))
		return err;
	if (!err)
		version = linker_config(text);
	kma_err_destroy(err);
	if (!version)
		version = linker_banner(priv);
	*ret = version >= KMA_LD_2_41 ? KMA_LINKER_LD_2_41 : KMA_LINKER_LD;
	return NULL;
}

/*
 * Find the objects of code in a kernel with link-time optimisation.
 *
 * The objects of such a kernel contain no code, but the debugging information of the image has the
 * source file of each function and variable. The bytes of a symbol of the image are charged to the
 * object that was compiled from this file; the object gets a section for them. Nothing is guessed:
 * symbols without debugging information, symbols of a file without such an object, and the bytes
 * between symbols stay in the row "[link-time optimisation]".
 */

struct kma_lto_work {
	struct kma_vmlinux *priv;
	const struct kma_units *units;
	struct kma_static_object **objects; /* those without code, sorted by source file */
	size_t nr;
	struct kma_arena *texts; /* names of new sections and pieces; belongs to the objects */
};

static int cmp_source(const void *a, const void *b)
{
	const struct kma_static_object *x = *(struct kma_static_object *const *)a;
	const struct kma_static_object *y = *(struct kma_static_object *const *)b;

	return strcmp(x->object->source, y->object->source);
}

static void lto_objects(struct kma_lto_work *lto, struct kma_static *st)
{
	lto->objects = kma_xmalloc((st->nr + 1) * sizeof(*lto->objects));
	for (size_t i = 0; i < st->nr; i++) {
		struct kma_static_object *object = &st->objects[i];

		if (object->lto && !object->nr_sections && !object->object->module)
			lto->objects[lto->nr++] = object;
	}
	qsort(lto->objects, lto->nr, sizeof(*lto->objects), cmp_source);
}

static struct kma_static_object *lto_object(const struct kma_lto_work *lto, uint64_t addr)
{
	const char *file = kma_units_file(lto->units, addr);
	const struct kma_object what = { .source = (char *)file };
	const struct kma_static_object key = { .object = &what }, *p = &key;
	struct kma_static_object **found;

	if (!file)
		return NULL;
	found = bsearch(&p, lto->objects, lto->nr, sizeof(p), cmp_source);
	return found ? *found : NULL;
}

/* Index of the section of the image that a symbol is in; -1: none. */
static int lto_output(const struct kma_vmlinux *priv, const struct kma_binary_symbol *symbol)
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
static uint32_t lto_section(struct kma_lto_work *lto, struct kma_static_object *object, int output)
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

static void lto_piece(struct kma_lto_work *lto, struct kma_static_object *object,
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
static bool lto_is_stack(const struct kma_vmlinux *priv, uint64_t addr)
{
	const struct kma_binary_symbol *begin = kma_vmlinux_symbol(priv, "__start_init_task");
	const struct kma_binary_symbol *end = kma_vmlinux_symbol(priv, "__end_init_task");

	return begin && end && addr >= begin->value && addr < end->value;
}

/* Charges a symbol to its object. *until is the end of the last symbol that was charged. */
static void lto_book_symbol(struct kma_lto_work *lto, const struct kma_binary_symbol *symbol,
			    uint64_t *until)
{
	struct kma_vmlinux *priv = lto->priv;
	uint64_t begin = symbol->value, end = begin + symbol->size, room;
	int output = lto_output(priv, symbol);
	struct kma_static_object *object;
	uint32_t section;

	if (output < 0 || end < begin || lto_is_stack(priv, begin))
		return;
	object = lto_object(lto, begin);
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
	section = lto_section(lto, object, output);
	lto_piece(lto, object, symbol, room, section);
	object->sections[section].size += room;
	object->sections[section].linked += room;
	priv->filled[output] += room;
	priv->used[output] = true;
}

/* Sorts pieces by section: tree/footprint.c needs the pieces of a section to be neighbours. */
static int cmp_lto_piece(const void *a, const void *b)
{
	const struct kma_static_piece *x = a, *y = b;

	return (x->section > y->section) - (x->section < y->section);
}

static void lto_book_symbols(struct kma_lto_work *lto, struct kma_static *st)
{
	const struct kma_vmlinux *priv = lto->priv;
	uint64_t until = 0;

	lto_objects(lto, st);
	for (size_t i = 0; i < priv->bin->nr_symbols; i++)
		if (priv->by_addr[i]->func || priv->by_addr[i]->object)
			lto_book_symbol(lto, priv->by_addr[i], &until);
	for (size_t i = 0; i < lto->nr; i++)
		qsort(lto->objects[i]->pieces, lto->objects[i]->nr_pieces,
		      sizeof(*lto->objects[i]->pieces), cmp_lto_piece);
	free(lto->objects);
}

/* Units that cannot be read: their symbols stay in "[link-time optimisation]". */
static struct kma_err *lto_missing(const char *path, const struct kma_units *units)
{
	uint64_t nr = kma_units_missing(units);

	return kma_err_create_kind(KMA_ERR_DAMAGED, path, 0,
				   "debugging information of %" PRIu64
				   " compilation %s corrupt or missing",
				   nr, kma_plural(nr, "unit is", "units are"));
}

/*
 * Charge symbols of the image to objects without code.
 * @path: path of the image
 * @priv: the image; the charged bytes are added to @priv->filled
 * @st: the objects; those for link-time optimisation that have no sections get sections and pieces
 *
 * Return: NULL or an error. Missing debugging information is not an error; if it cannot be read,
 * this is counted in the gaps of @st.
 */
static struct kma_err *lto_book(const char *path, struct kma_vmlinux *priv, struct kma_static *st)
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
		err = kma_gaps_note(&st->stats.gaps, KMA_GAP_SYMBOLS, lto_missing(path, units));
	if (!err)
		lto_book_symbols(&lto, st);
	kma_units_destroy(units);
	return err;
}

/*
 * The sections of all objects in the order in which the linker placed them.
 *
 * Two things depend on that order: padding, which belongs to the section whose alignment requires
 * it, and ARM's index of unwinding, where ld drops an entry that repeats the one before it.
 */

/* A section of an object that was linked into the image. */
struct kma_placed {
	const struct kma_static_object *object;
	struct kma_static_section *section; /* of @object */
	size_t number;			    /* of the object, in the order of linking */
};

/* Sorted by section of the image, then statement of the linker script, then object. */
struct kma_order {
	struct kma_placed *list;
	size_t nr;
};

/*
 * Free the list.
 * @order: from order_create(), or zeroed
 */
static void order_deinit(struct kma_order *order)
{
	free(order->list);
}

static int cmp_placed(const void *a, const void *b)
{
	const struct kma_placed *x = a, *y = b;
	uint32_t one = x->section->rank & ~KMA_LDS_SORTED, two = y->section->rank & ~KMA_LDS_SORTED;
	int cmp = (x->section->output > y->section->output) -
		  (x->section->output < y->section->output);

	if (!cmp)
		cmp = (one > two) - (one < two);
	if (!cmp)
		cmp = (x->number > y->number) - (x->number < y->number);
	return cmp ? cmp : (x->section > y->section) - (x->section < y->section);
}

/*
 * Sort the linked sections of objects as the linker placed them.
 * @objects: in the order of linking; output and rank of their sections are set
 * @nr: number of objects
 * @ret: the order; it refers to the sections of @objects
 */
static void order_create(struct kma_static_object *const *objects, size_t nr, struct kma_order *ret)
{
	size_t sections = 0;

	for (size_t i = 0; i < nr; i++)
		sections += objects[i]->nr_sections;
	ret->list = kma_xmalloc((sections + 1) * sizeof(*ret->list));
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < objects[i]->nr_sections; k++)
			if (objects[i]->sections[k].output >= 0)
				ret->list[ret->nr++] =
					(struct kma_placed){ objects[i], &objects[i]->sections[k],
							     i };
	qsort(ret->list, ret->nr, sizeof(*ret->list), cmp_placed);
}

/* Finds the index of unwinding of a section of code: .ARM.exidx.init.text is that of .init.text. */
static struct kma_static_section *order_index_of(const struct kma_placed *placed)
{
	static const char prefix[] = ".ARM.exidx";
	const char *code = placed->section->name;

	for (size_t i = 0; i < placed->object->nr_sections; i++) {
		struct kma_static_section *section = &placed->object->sections[i];
		const char *name = section->name;

		if (!section->unwind || section->output < 0 ||
		    strncmp(name, prefix, strlen(prefix)))
			continue;
		name += strlen(prefix);
		if (!strcmp(*name ? name : ".text", code))
			return section;
	}
	return NULL;
}

/* Kind of an entry's data: no entry yet, "cannot unwind", in the word itself, in a table. */
enum kma_unwind { KMA_UNWIND_NONE, KMA_UNWIND_NOT, KMA_UNWIND_INLINE, KMA_UNWIND_TABLE };

struct kma_unwind_state {
	enum kma_unwind last; /* kind of the last entry */
	uint32_t word;	      /* data of the last entry of kind KMA_UNWIND_INLINE */
};

static uint32_t unwind_word(const unsigned char *bytes, bool big_endian)
{
	uint32_t word = 0;

	for (unsigned int i = 0; i < 4; i++)
		word |= (uint32_t)bytes[i] << (big_endian ? 24 - 8 * i : 8 * i);
	return word;
}

/* Counts the bytes of an index that ld keeps; @state is that of the index before it. */
static uint64_t unwind_keep(const struct kma_static_section *index, bool big_endian,
			    struct kma_unwind_state *state)
{
	uint64_t kept = 0;

	for (uint64_t at = 0; at + 8 <= index->size; at += 8) {
		uint32_t word = unwind_word(index->unwind + at + 4, big_endian);
		enum kma_unwind is = word == 1	     ? KMA_UNWIND_NOT :
				     word & 1U << 31 ? KMA_UNWIND_INLINE :
						       KMA_UNWIND_TABLE;
		bool same = is == state->last && (is == KMA_UNWIND_NOT ||
						  (is == KMA_UNWIND_INLINE && word == state->word));

		if (is == KMA_UNWIND_INLINE)
			state->word = word;
		state->last = is;
		kept += same ? 0 : 8;
	}
	return kept;
}

/*
 * Compute the bytes that ld keeps of ARM's index of unwinding.
 * @order: the order; linked of the sections .ARM.exidx* is set
 *
 * ld drops an entry with the same unwinding data as the entry before it, also if that is of another
 * object. It adds an entry "cannot unwind" where code without an index follows. Other sections are
 * not changed.
 */
static void order_unwind(const struct kma_order *order)
{
	struct kma_unwind_state state = { KMA_UNWIND_NONE, 0 };
	struct kma_static_section *last = NULL;

	for (size_t i = 0; i < order->nr; i++) {
		const struct kma_placed *placed = &order->list[i];
		struct kma_static_section *index;

		if (!placed->section->exec)
			continue;
		index = order_index_of(placed);
		if (index) {
			index->linked = unwind_keep(index, placed->object->big_endian, &state);
			last = index;
		} else if (last && state.last != KMA_UNWIND_NOT) {
			/* This code has no index: ld adds an entry that ends the one before. */
			last->linked += last->linked < last->size ? 8 : 0;
			state.last = KMA_UNWIND_NOT;
		}
	}
	if (last && state.last != KMA_UNWIND_NOT)
		last->linked += last->linked < last->size ? 8 : 0;
}

/* Finds the symbol of a name; false if there is none, or more than one. */
static bool order_unique(const struct kma_vmlinux *priv, const char *name,
			 const struct kma_binary_symbol **ret)
{
	const struct kma_binary_symbol **all = priv->by_name;
	size_t low = kma_array_search(priv->bin->nr_symbols, i, strcmp(all[i]->name, name) < 0);

	if (low == priv->bin->nr_symbols || strcmp(all[low]->name, name) ||
	    (low + 1 < priv->bin->nr_symbols && !strcmp(all[low + 1]->name, name)))
		return false;
	*ret = all[low];
	return true;
}

/*
 * Computes the address of an object's section from a symbol in it. The symbol has to be unique in
 * the image, of the same size, and lead to an aligned address in the right section of the image.
 */
static bool order_base(const struct kma_placed *placed, const struct kma_vmlinux *priv,
		       uint64_t *ret)
{
	const struct kma_binary_section *output = &priv->bin->sections[placed->section->output];
	uint32_t place = placed->section - placed->object->sections;
	const struct kma_binary_symbol *symbol;
	uint64_t offset = 0;

	for (size_t i = 0; i < placed->object->nr_pieces; i++) {
		const struct kma_static_piece *piece = &placed->object->pieces[i];

		if (piece->section != place)
			continue;
		if (!piece->section_name && *piece->name != '[' &&
		    order_unique(priv, piece->name, &symbol) &&
		    (!symbol->size || symbol->size == piece->size) &&
		    symbol->value - offset >= output->addr &&
		    symbol->value - offset - output->addr < output->size &&
		    !((symbol->value - offset) & (placed->section->align - 1))) {
			*ret = symbol->value - offset;
			return true;
		}
		offset += piece->size;
	}
	return false;
}

/* The sections that were laid out since the last section whose position a symbol confirmed. */
struct kma_layout_run {
	size_t first; /* index of the first of them in the list */
	uint64_t at;  /* predicted address after the last of them */
	bool sure;    /* the order and the size of all of them is certain */
};

/* Drops the padding of the sections [first, end) of the list. */
static void order_give_up(const struct kma_order *order, size_t first, size_t end)
{
	for (; first < end; first++)
		order->list[first].section->padding = 0;
}

/* Lays out one section of the image, [begin, end) of the list. Returns the bytes of padding. */
static uint64_t order_align_output(const struct kma_order *order, const struct kma_vmlinux *priv,
				   size_t begin, size_t end)
{
	const struct kma_static_section *head = order->list[begin].section;
	struct kma_layout_run run = { begin, priv->bin->sections[head->output].addr, true };
	uint64_t sum = 0;

	for (size_t i = begin; i < end; i++) {
		struct kma_static_section *section = order->list[i].section;
		uint64_t want = (run.at + section->align - 1) & ~(uint64_t)(section->align - 1);
		uint64_t base;

		if (!section->linked)
			continue;
		section->padding = want - run.at;
		/*
		 * Merged constants are at the position of the first one of their kind; only
		 * symbols show this position.
		 */
		if (section->bytes || section->rank & KMA_LDS_SORTED ||
		    !strcmp(section->name, "COMMON"))
			run.sure = false;
		run.at = want + section->linked;
		if (!order_base(&order->list[i], priv, &base))
			continue;
		if (base != want || !run.sure)
			order_give_up(order, run.first, i + 1);
		run = (struct kma_layout_run){ i + 1, base + section->linked, true };
	}
	order_give_up(order, run.first, end);
	for (size_t i = begin; i < end; i++)
		sum += order->list[i].section->padding;
	return sum;
}

/*
 * Charge padding to the objects that need it.
 * @order: the order; linked and output of all sections are set, padding will be
 * @priv: the image; the padding is added to @priv->filled
 *
 * Padding belongs to the section after it, whose alignment requires it. The sections are laid out
 * one after the other, as ld does. The result is accepted only between two sections whose symbols
 * in the image confirm their addresses; elsewhere padding stays 0. Space that the linker script
 * reserves therefore has no owner.
 */
static void order_align(const struct kma_order *order, struct kma_vmlinux *priv)
{
	size_t begin = 0;

	for (size_t i = 1; i <= order->nr; i++) {
		int output = order->list[begin].section->output;
		uint64_t sum;

		if (i < order->nr && order->list[i].section->output == output)
			continue;
		sum = order_align_output(order, priv, begin, i);
		/* More bytes than the section has: the image is of another build. */
		if (sum > priv->bin->sections[output].size - priv->filled[output])
			order_give_up(order, begin, i);
		else
			priv->filled[output] += sum;
		begin = i;
	}
}

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
static int linked_place(const struct kma_vmlinux *priv, uint32_t index)
{
	for (size_t i = 0; i < priv->bin->nr_sections; i++)
		if (priv->bin->sections[i].index == index)
			return i;
	return -1;
}

static int linked_named(const struct kma_vmlinux *priv, const char *name, size_t len)
{
	for (size_t i = 0; i < priv->bin->nr_sections; i++)
		if (!strncmp(priv->bin->sections[i].name, name, len) &&
		    !priv->bin->sections[i].name[len])
			return i;
	return -1;
}

/* Without a script: the section of that name, or of the longest part up to a dot. */
static int linked_guess(const struct kma_vmlinux *priv, const char *name)
{
	int output;

	if (!strncmp(name, ".discard", 8))
		return -1;
	if (!strcmp(name, "COMMON"))
		name = ".bss";
	for (size_t len = strlen(name); len > 1; len--) {
		if (name[len] && name[len] != '.')
			continue;
		output = linked_named(priv, name, len);
		if (output >= 0)
			return output;
	}
	return -1;
}

static int linked_output(const struct kma_vmlinux *priv, const char *object,
			 struct kma_static_section *of)
{
	const char *section = of->name;
	const char *name;

	if (!priv->lds)
		return linked_guess(priv, section);
	name = kma_lds_output(priv->lds, object, section, &of->rank) ?: section;
	return linked_named(priv, name, strlen(name));
}

/*
 * Does the image have a global symbol of a section of an object (UINT32_MAX: of any section)?
 * Returns 1 if it has one, 0 if it has none of them, -1 if the section has no global symbols.
 */
static int linked_has(const struct kma_vmlinux *priv, const struct kma_static_object *object,
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
static void linked_assign(const struct kma_vmlinux *priv, struct kma_static_object *object)
{
	bool gone;

	for (size_t i = 0; i < object->nr_sections; i++)
		object->sections[i].output =
			linked_output(priv, object->object->path, &object->sections[i]);
	/* A stripped image has no symbols to compare; parts of an object have other names. */
	if (!priv->bin->nr_symbols || object->object->part)
		return;
	gone = !linked_has(priv, object, UINT32_MAX);
	for (size_t i = 0; i < object->nr_sections; i++)
		if (gone || !linked_has(priv, object, i))
			object->sections[i].output = -1;
}

/* Adds the mergeable sections of an object; kma_constants_finish() sets their linked bytes. */
static void linked_merge(struct kma_static_object *object, struct kma_constants *merge)
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
static void linked_book(struct kma_vmlinux *priv, struct kma_static *st)
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
static void linked_shrink(struct kma_linked *image, struct kma_static *st, int output)
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
static void linked_add_row(struct kma_linked *image, int output, const char *name, uint64_t size)
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
static uint64_t linked_span(const struct kma_vmlinux *priv, const struct kma_binary_symbol *symbol,
			    int output)
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
static uint64_t linked_inside(const struct kma_static *st, const char *row)
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

static void linked_find_tables(struct kma_linked *image, const struct kma_static *st)
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
		output = symbol ? linked_place(priv, symbol->section) : -1;
		if (output < 0 || (kma_linked_tables[i].end && !end))
			continue;
		size = end ? end->value - symbol->value : linked_span(priv, symbol, output);
		inside = linked_inside(st, row);
		if (size > inside)
			linked_add_row(image, output, row, size - inside);
	}
}

/* May a section consist only of code and data that link-time optimisation generated? */
static bool linked_maybe_lto(const struct kma_binary_section *section)
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
static void linked_find_rest(struct kma_linked *image, const struct kma_static *st)
{
	const char *rest = st->stats.lto ? KMA_LINKED_LTO : KMA_LINKED_ALIGNMENT;
	const struct kma_vmlinux *priv = image->priv;

	for (size_t i = 0; i < priv->bin->nr_sections; i++) {
		const struct kma_binary_section *section = &priv->bin->sections[i];
		bool used = priv->used[i] || (st->stats.lto && linked_maybe_lto(section));
		char name[64];

		snprintf(name, sizeof(name), used ? "%.60s" : "[%.60s]",
			 used ? rest : section->name);
		linked_add_row(image, i, name, section->size - priv->filled[i]);
		image->size += section->size;
	}
}

static int cmp_order(const void *a, const void *b)
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
static void linked_assign_all(const struct kma_vmlinux *priv, struct kma_static *st,
			      enum kma_constants_linker linker, struct kma_order *order)
{
	_cleanup_free_ struct kma_static_object **objects = NULL;
	struct kma_constants *merge = kma_constants_create(linker);
	size_t nr = 0;

	objects = kma_xmalloc((st->nr + 1) * sizeof(*objects));
	for (size_t i = 0; i < st->nr; i++)
		if (!st->objects[i].object->module)
			objects[nr++] = &st->objects[i];
	qsort(objects, nr, sizeof(*objects), cmp_order);
	for (size_t i = 0; i < nr; i++) {
		linked_assign(priv, objects[i]);
		linked_merge(objects[i], merge);
	}
	kma_constants_finish(merge);
	kma_constants_destroy(merge);
	order_create(objects, nr, order);
}

static struct kma_err *linked_link(const char *dir, const char *path, struct kma_linked *image,
				   struct kma_static *st)
{
	_cleanup_(order_deinit) struct kma_order order = { 0 };
	enum kma_constants_linker linker;
	struct kma_vmlinux *priv = image->priv;
	struct kma_err *err;

	err = linker_find(dir, priv, &linker);
	if (err)
		return err;
	linked_assign_all(priv, st, linker, &order);
	order_unwind(&order);
	linked_book(priv, st);
	for (size_t i = 0; i < priv->bin->nr_sections; i++)
		if (priv->filled[i] > priv->bin->sections[i].size)
			linked_shrink(image, st, i);
	image->rows = kma_xcalloc(priv->bin->nr_sections + ARRAY_SIZE(kma_linked_tables),
				  sizeof(*image->rows));
	priv->names =
		kma_xcalloc(priv->bin->nr_sections + ARRAY_SIZE(kma_linked_tables), sizeof(char *));
	linked_find_tables(image, st);
	err = st->stats.lto ? lto_book(path, priv, st) : NULL;
	if (err)
		return err;
	if (priv->lds)
		order_align(&order, priv);
	linked_find_rest(image, st);
	return NULL;
}

/*
 * Finds arch/ARCH/kernel/vmlinux.lds. If a tree was built for several architectures, takes the file
 * that was built last. Returns NULL if there is none.
 */
static char *linked_find_script(const char *dir)
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
static struct kma_err *linked_read_script(const char *dir, struct kma_lds **ret)
{
	_cleanup_free_ char *path = linked_find_script(dir), *text = NULL;
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

static struct kma_err *linked_read(const char *dir, struct kma_static *st, struct kma_linked *image)
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
	err = linked_read_script(dir, &image->priv->lds);
	return err ?: linked_link(dir, path, image, st);
}

struct kma_err *kma_linked_create(const char *dir, struct kma_static *st, struct kma_linked **ret)
{
	struct kma_linked *image = kma_xcalloc(1, sizeof(*image));
	struct kma_err *err;

	image->priv = kma_xcalloc(1, sizeof(*image->priv));
	err = linked_read(dir, st, image);
	if (err) {
		kma_linked_destroy(image);
		return err;
	}
	image->has_script = image->priv->lds;
	*ret = image;
	return NULL;
}
