// SPDX-License-Identifier: GPL-2.0-only
/*
 * order.c - the order of the objects' sections in the image, and what depends on it.
 *
 * Padding: kma_order_align_output() lays out the sections of one section of the image from its
 * start. The address that this predicts for a section is checked when a symbol that is unique in
 * the image shows the section's real address. If the two differ, or the order was not certain (a
 * statement with SORT, merged constants, common symbols), all padding since the last confirmed
 * section is dropped, and the layout restarts at the real address. So padding is never guessed.
 *
 * ARM's index of unwinding (.ARM.exidx) has an entry of 8 bytes for each function: an offset and a
 * word with the unwinding data. ld drops an entry that repeats the data of the entry before it
 * (bfd/elf32-arm.c). Only the word is compared; data in a table is never equal.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "order.h"
#include "symbol/pieces.h"

void kma_order_deinit(struct kma_order *order)
{
	free(order->list);
}

static int kma_cmp_placed(const void *a, const void *b)
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

void kma_order_create(struct kma_static_object *const *objects, size_t nr, struct kma_order *ret)
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
	qsort(ret->list, ret->nr, sizeof(*ret->list), kma_cmp_placed);
}

/* Finds the index of unwinding of a section of code: .ARM.exidx.init.text is that of .init.text. */
static struct kma_static_section *kma_order_index_of(const struct kma_placed *placed)
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

static uint32_t kma_unwind_word(const unsigned char *bytes, bool big_endian)
{
	uint32_t word = 0;

	for (unsigned int i = 0; i < 4; i++)
		word |= (uint32_t)bytes[i] << (big_endian ? 24 - 8 * i : 8 * i);
	return word;
}

/* Counts the bytes of an index that ld keeps; @state is that of the index before it. */
static uint64_t kma_unwind_keep(const struct kma_static_section *index, bool big_endian,
				struct kma_unwind_state *state)
{
	uint64_t kept = 0;

	for (uint64_t at = 0; at + 8 <= index->size; at += 8) {
		uint32_t word = kma_unwind_word(index->unwind + at + 4, big_endian);
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

void kma_order_unwind(const struct kma_order *order)
{
	struct kma_unwind_state state = { KMA_UNWIND_NONE, 0 };
	struct kma_static_section *last = NULL;

	for (size_t i = 0; i < order->nr; i++) {
		const struct kma_placed *placed = &order->list[i];
		struct kma_static_section *index;

		if (!placed->section->exec)
			continue;
		index = kma_order_index_of(placed);
		if (index) {
			index->linked = kma_unwind_keep(index, placed->object->big_endian, &state);
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
static bool kma_order_unique(const struct kma_vmlinux *priv, const char *name,
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
static bool kma_order_base(const struct kma_placed *placed, const struct kma_vmlinux *priv,
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
		    kma_order_unique(priv, piece->name, &symbol) &&
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
static void kma_order_give_up(const struct kma_order *order, size_t first, size_t end)
{
	for (; first < end; first++)
		order->list[first].section->padding = 0;
}

/* Lays out one section of the image, [begin, end) of the list. Returns the bytes of padding. */
static uint64_t kma_order_align_output(const struct kma_order *order,
				       const struct kma_vmlinux *priv, size_t begin, size_t end)
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
		if (!kma_order_base(&order->list[i], priv, &base))
			continue;
		if (base != want || !run.sure)
			kma_order_give_up(order, run.first, i + 1);
		run = (struct kma_layout_run){ i + 1, base + section->linked, true };
	}
	kma_order_give_up(order, run.first, end);
	for (size_t i = begin; i < end; i++)
		sum += order->list[i].section->padding;
	return sum;
}

void kma_order_align(const struct kma_order *order, struct kma_vmlinux *priv)
{
	size_t begin = 0;

	for (size_t i = 1; i <= order->nr; i++) {
		int output = order->list[begin].section->output;
		uint64_t sum;

		if (i < order->nr && order->list[i].section->output == output)
			continue;
		sum = kma_order_align_output(order, priv, begin, i);
		/* More bytes than the section has: the image is of another build. */
		if (sum > priv->bin->sections[output].size - priv->filled[output])
			kma_order_give_up(order, begin, i);
		else
			priv->filled[output] += sum;
		begin = i;
	}
}
