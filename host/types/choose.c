// SPDX-License-Identifier: GPL-2.0-only
/*
 * choose.c - which of the types that take the result of a call its objects have.
 *
 * Two checks keep wrong types away, because a wrong type is worse than none:
 *
 *	Size. A struct that is larger than the objects is none of theirs, unless only the union or array at
 *	its end is cut (kma_types_type.end). One that is smaller names them
 *	with a mark, unless it ends with an array. If only inlined functions know it, it has to be a quarter
 *	of the objects: a list of anything begins with a list_head.
 *	Callee. An allocator returns a pointer to void or to bytes. What else returns a pointer may have
 *	allocated something besides: the struct and a buffer for it. Then, and for a call through a
 *	pointer, the size has to be that of the type.
 *
 * What takes a pointer to a struct often takes one to its first member as well (list_add()). Of two
 * types, one of which begins with the other, the outer one counts. If several remain, that with the size
 * of the objects does; otherwise both are shown.
 */
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "lib/alloc.h"
#include "lib/strbuf.h"

#define CACHE_LINE 64UL /* bytes */

/* A type that may be that of the objects. */
struct choice {
	uint32_t number;
	const struct kma_types_type *type;
	bool aggregate, weak, possible, drop;
};

struct choices {
	const struct kma_types *types;
	const struct kma_type_ask *ask;
	struct choice *list;
	uint32_t nr;
	unsigned int visits; /* of members */
};

/* Does a type begin with another one? */
static bool begins_with(struct choices *choices, const struct kma_types_type *type,
			const struct kma_types_type *first, unsigned int depth)
{
	const struct kma_types *types = choices->types;

	if (depth == KMA_TYPES_DEEP)
		return false;
	for (uint32_t i = 0; i < type->nr; i++) {
		const struct kma_types_member *member = &types->members[type->first + i];
		const struct kma_types_type *to;

		if (member->offset || member->type == KMA_TYPES_NONE)
			continue;
		if (choices->visits++ >= KMA_TYPES_VISITS)
			return false;
		to = &types->types[member->type];
		if ((to->name == first->name && to->size == first->size) ||
		    begins_with(choices, to, first, depth + 1))
			return true;
	}
	return false;
}

/*
 * Are the objects of the type's own size? Those of a cache may be larger by an alignment, also by that of
 * another cache that was merged with it. If the cache has the name of the type, it was made for it: of
 * task_struct the kernel allocates less than sizeof says, because the end depends on the CPU.
 */
static bool fits(const struct choices *choices, const struct choice *one)
{
	const struct kma_type_ask *ask = choices->ask;
	uint64_t size = one->type->size;
	uint64_t most = ask->slab ? (size + CACHE_LINE - 1) & ~(CACHE_LINE - 1) : size;

	if (ask->slab && ask->cache && one->aggregate &&
	    !strcmp(ask->cache, kma_types_text(choices->types, one->type->name)))
		return true;
	if (!ask->exact || !ask->objects || !size)
		return false;
	return ask->bytes / size >= ask->objects && ask->bytes <= most * ask->objects;
}

/* Can the objects be of the type, or arrays of it? */
static bool is_possible(const struct choices *choices, const struct choice *one)
{
	const struct kma_type_ask *ask = choices->ask;
	bool plain = ask->call->flags & KMA_TYPES_PLAIN;
	uint64_t size = one->type->size;

	if (!ask->objects)
		return plain;
	if (fits(choices, one) || !plain)
		return fits(choices, one);
	if (!size)
		return one->aggregate;
	if (ask->bytes / size < ask->objects)
		return ask->exact && one->aggregate && !one->weak &&
		       ask->bytes / ask->objects > one->type->end;
	if (!one->aggregate)
		return !ask->exact || !(ask->bytes % size);
	return !one->weak || !ask->exact || one->type->flags & KMA_TYPES_OPEN ||
	       ask->bytes / ask->objects <= 4 * size;
}

/*
 * Drops what cannot be, in the order in which the types were found. A part at the start of another type
 * goes. If the other one is too large for the objects, it may still be theirs (task_struct): then the
 * part needs a variable, or the right size.
 */
static void choose(struct choices *choices)
{
	bool aggregate = false, fit = false;
	struct choice *list = choices->list;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < choices->nr; i++) {
		list[i].possible = is_possible(choices, &list[i]);
		aggregate |= list[i].aggregate;
	}
	for (uint32_t i = 0; i < choices->nr; i++) {
		struct choice *one = &list[i];

		one->drop = !one->possible || (aggregate && !one->aggregate);
		for (uint32_t k = 0; k < choices->nr && !one->drop; k++)
			one->drop = k != i && list[k].aggregate &&
				    (list[k].possible || (one->weak && !fits(choices, one))) &&
				    begins_with(choices, list[k].type, one->type, 0);
		/* Of words for the same bytes the first one is that of the variable. */
		for (uint32_t k = 0; k < i && !one->drop && !aggregate; k++)
			one->drop = !list[k].drop && list[k].type->size == one->type->size;
		fit |= !one->drop && fits(choices, one);
	}
	for (uint32_t i = 0; i < choices->nr; i++)
		if (!list[i].drop && (!fit || fits(choices, &list[i])))
			list[nr++] = list[i];
	choices->nr = choices->visits < KMA_TYPES_VISITS ? nr : 0;
}

static bool is_array(const struct choices *choices, const struct choice *one)
{
	return !one->aggregate || choices->ask->call->flags & KMA_TYPES_ARRAY;
}

/* The name of a type with what the sizes tell: nothing, "[]" or "+". */
static void describe(const struct choices *choices, const struct choice *one,
		     struct kma_strbuf *out)
{
	const struct kma_type_ask *ask = choices->ask;

	kma_strbuf_puts(out, kma_types_text(choices->types, one->type->name));
	if (is_array(choices, one))
		kma_strbuf_puts(out, "[]");
	else if (ask->exact && ask->objects && one->type->size && !fits(choices, one) &&
		 ask->bytes / one->type->size >= ask->objects &&
		 !(one->type->flags & KMA_TYPES_OPEN))
		kma_strbuf_puts(out, "+");
}

struct kma_type_answer kma_types_choose(const struct kma_types *types,
					const struct kma_type_ask *ask)
{
	struct choices choices = { .types = types, .ask = ask, .nr = ask->call->nr };
	struct kma_type_answer answer = { .type = KMA_TYPES_NONE };
	struct kma_strbuf text = { 0 };

	choices.list = kma_xcalloc(choices.nr + 1, sizeof(*choices.list));
	for (uint32_t i = 0; i < choices.nr; i++) {
		const struct kma_types_candidate *one = &types->candidates[ask->call->first + i];
		struct choice *to = &choices.list[i];

		to->number = one->type;
		to->type = &types->types[one->type];
		to->aggregate = to->type->flags & KMA_TYPES_AGGREGATE;
		to->weak = one->weak;
	}
	choose(&choices);
	for (uint32_t i = 0; i < choices.nr && choices.nr <= 2; i++) {
		kma_strbuf_puts(&text, i ? " or " : "");
		describe(&choices, &choices.list[i], &text);
	}
	if (choices.nr == 1) {
		answer.type = choices.list->number;
		answer.array = is_array(&choices, choices.list);
	}
	answer.text = text.str;
	free(choices.list);
	return answer;
}
