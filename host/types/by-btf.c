// SPDX-License-Identifier: GPL-2.0-only
/*
 * by-btf.c - add the types of BTF to a table.
 *
 * Each struct is added after those that are in it. A struct that contains itself, as in a corrupt
 * file, gets a member without a type.
 */
#include <stdlib.h>
#include <string.h>

#include "by-btf.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"

#define BUSY (KMA_TYPES_NONE - 1) /* number of a struct whose members are being added */

struct kma_by_btf_function {
	const char *name; /* owned by the kma_btf */
	uint32_t returns; /* number in the table; NONE */
};

static bool is_aggregate(enum kma_btf_kind kind)
{
	return kind == KMA_BTF_STRUCT || kind == KMA_BTF_UNION;
}

static uint32_t add(struct kma_by_btf *by, struct kma_types *types, uint32_t number,
		    unsigned int depth);

/* What a member is, without its name and its offset. */
static void describe(struct kma_by_btf *by, struct kma_types *types, uint32_t type,
		     struct kma_types_member *ret, unsigned int depth)
{
	enum kma_btf_kind kind;
	uint64_t size = 0;

	type = kma_btf_strip(by->btf, type);
	kind = kma_btf_kind(by->btf, type);
	kma_btf_size(by->btf, type, &size);
	if (kind == KMA_BTF_ARRAY) {
		uint32_t of = kma_btf_strip(by->btf, kma_btf_target(by->btf, type));

		kind = kma_btf_kind(by->btf, of);
		if (kind != KMA_BTF_ARRAY) {
			ret->nr = kma_btf_elements(by->btf, type) ?: KMA_TYPES_FLEXIBLE;
			size = 0;
			kma_btf_size(by->btf, of, &size);
		}
		type = of;
	}
	ret->size = size < UINT32_MAX ? size : 0;
	if (is_aggregate(kind))
		ret->type = add(by, types, type, depth + 1);
	else if (kind == KMA_BTF_PTR)
		ret->word = KMA_TYPES_POINTER;
	else if (kind == KMA_BTF_INT && size == sizeof(uint64_t))
		ret->word = KMA_TYPES_LONG;
}

/* Sets what the last member says of a struct: its end, and whether it is open. */
static void look_at_end(const struct kma_types *types, const struct kma_types_member *last,
			struct kma_types_type *type)
{
	const struct kma_types_type *to = last->type == KMA_TYPES_NONE ? NULL :
									 &types->types[last->type];

	if (last->nr) {
		type->end = last->offset;
		/* [], [0], and [1], which old code has in their place */
		if (last->nr == KMA_TYPES_FLEXIBLE || last->nr == 1)
			type->flags |= KMA_TYPES_OPEN;
	} else if (to) {
		type->end = to->flags & KMA_TYPES_UNION ? last->offset : last->offset + to->end;
		type->flags |= to->flags & KMA_TYPES_OPEN;
	}
}

/* Adds a struct or a union, once. Returns its number, or NONE. */
static uint32_t add(struct kma_by_btf *by, struct kma_types *types, uint32_t number,
		    unsigned int depth)
{
	_cleanup_free_ struct kma_types_member *list = NULL;
	struct kma_types_type new = { .flags = KMA_TYPES_AGGREGATE };
	uint32_t room = 0;
	struct kma_btf_member member;
	const char *name;
	bool is_last = false; /* the last member is in the list, and no bit field */
	uint64_t size = 0;

	if (by->numbers[number] == BUSY || depth == KMA_TYPES_DEEP)
		return KMA_TYPES_NONE;
	if (by->numbers[number] != KMA_TYPES_NONE)
		return by->numbers[number];
	by->numbers[number] = BUSY;
	kma_btf_size(by->btf, number, &size);
	new.size = new.end = size < UINT32_MAX ? size : 0;
	if (kma_btf_kind(by->btf, number) == KMA_BTF_UNION)
		new.flags |= KMA_TYPES_UNION;
	for (uint32_t i = 0; kma_btf_member_at(by->btf, number, i, &member, &name); i++) {
		is_last = !member.bits && !member.bit && member.offset <= UINT32_MAX;
		if (!is_last)
			continue;
		kma_array_room(list, new.nr, room);
		list[new.nr] = (struct kma_types_member){ .name = kma_types_name(types, name),
							  .offset = member.offset,
							  .type = KMA_TYPES_NONE };
		describe(by, types, member.type, &list[new.nr++], depth);
	}
	if (is_last)
		look_at_end(types, &list[new.nr - 1], &new);
	by->numbers[number] = kma_types_add(types, &new, kma_btf_name(by->btf, number), list);
	return by->numbers[number];
}

static int cmp_function(const void *a, const void *b)
{
	const struct kma_by_btf_function *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* What a function returns a pointer to. */
static uint32_t pointee(const struct kma_by_btf *by, uint32_t function)
{
	uint32_t proto = kma_btf_target(by->btf, function);
	uint32_t type = kma_btf_strip(by->btf, kma_btf_target(by->btf, proto));

	if (kma_btf_kind(by->btf, type) != KMA_BTF_PTR)
		return KMA_TYPES_NONE;
	return by->numbers[kma_btf_strip(by->btf, kma_btf_target(by->btf, type))];
}

void kma_by_btf_create(struct kma_btf *btf, struct kma_types *types, struct kma_by_btf *ret)
{
	uint32_t count = kma_btf_count(btf), room = 0;

	*ret = (struct kma_by_btf){ .btf = btf };
	ret->numbers = kma_xmalloc(count * sizeof(*ret->numbers));
	for (uint32_t i = 0; i < count; i++)
		ret->numbers[i] = KMA_TYPES_NONE;
	for (uint32_t i = 1; i < count; i++)
		if (is_aggregate(kma_btf_kind(btf, i)))
			add(ret, types, i, 0);
	for (uint32_t i = 1; i < count; i++) {
		if (kma_btf_kind(btf, i) != KMA_BTF_FUNC)
			continue;
		kma_array_room(ret->functions, ret->nr, room);
		ret->functions[ret->nr++] =
			(struct kma_by_btf_function){ kma_btf_name(btf, i), pointee(ret, i) };
	}
	if (ret->nr)
		qsort(ret->functions, ret->nr, sizeof(*ret->functions), cmp_function);
}

void kma_by_btf_deinit(struct kma_by_btf *by)
{
	kma_btf_destroy(by->btf);
	free(by->numbers);
	free(by->functions);
	*by = (struct kma_by_btf){ 0 };
}

uint32_t kma_by_btf_returns(const struct kma_by_btf *by, const char *function)
{
	/* The compiler adds suffixes to symbols: fib6_add_1.constprop.0. */
	_cleanup_free_ char *name = kma_xstrndup(function, strcspn(function, "."));
	const struct kma_by_btf_function want = { .name = name }, *list = by->functions;
	size_t at = kma_array_search(by->nr, i, cmp_function(&list[i], &want) < 0);
	uint32_t returns = KMA_TYPES_NONE;

	for (size_t i = at; i < by->nr && !cmp_function(&list[i], &want); i++) {
		if (i > at && list[i].returns != returns)
			return KMA_TYPES_NONE;
		returns = list[i].returns;
	}
	return returns;
}
