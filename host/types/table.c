// SPDX-License-Identifier: GPL-2.0-only
/*
 * table.c - keep types, calls and variables, each type once.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "table.h"

void kma_types_deinit(struct kma_types *types)
{
	kma_texts_deinit(&types->texts);
	kma_map_free(&types->map);
	free(types->types);
	free(types->members);
	free(types->variables);
	free(types->calls);
	free(types->candidates);
	free(types->images);
	free(types->functions);
	*types = (struct kma_types){ 0 };
}

static bool is_same(const struct kma_types *types, uint32_t number,
		    const struct kma_types_type *type, const struct kma_types_member *members)
{
	const struct kma_types_type *other = &types->types[number];

	return other->name == type->name && other->flags == type->flags &&
	       other->size == type->size && other->end == type->end && other->nr == type->nr &&
	       (!type->nr ||
		!memcmp(&types->members[other->first], members, type->nr * sizeof(*members)));
}

static uint32_t hash_of(const struct kma_types_type *type)
{
	return kma_map_number((uint64_t)type->name << 32 | type->size) ^ kma_map_number(type->nr);
}

void kma_types_index(struct kma_types *types)
{
	for (uint32_t i = 0; i < types->nr_types; i++)
		kma_map_add(&types->map, hash_of(&types->types[i]));
}

uint32_t kma_types_add(struct kma_types *types, const struct kma_types_type *type, const char *name,
		       const struct kma_types_member *members)
{
	struct kma_types_type new = *type;
	uint32_t hash, number;

	new.name = kma_types_name(types, name);
	hash = hash_of(&new);
	pthread_mutex_lock(&types->lock);
	number = kma_map_find(&types->map, hash, i, is_same(types, i, &new, members));
	if (number == KMA_MAP_NONE) {
		number = kma_map_add(&types->map, hash);
		new.first = types->nr_members;
		kma_array_room(types->types, types->nr_types, types->room_types);
		types->types[types->nr_types++] = new;
		for (uint32_t i = 0; i < new.nr; i++) {
			kma_array_room(types->members, types->nr_members, types->room_members);
			types->members[types->nr_members++] = members[i];
		}
	}
	pthread_mutex_unlock(&types->lock);
	return number;
}

void kma_types_add_call(struct kma_types *types, const struct kma_types_call *call,
			const struct kma_types_candidate *list)
{
	pthread_mutex_lock(&types->lock);
	kma_array_room(types->calls, types->nr_calls, types->room_calls);
	types->calls[types->nr_calls] = *call;
	types->calls[types->nr_calls++].first = types->nr_candidates;
	for (uint32_t i = 0; i < call->nr; i++) {
		kma_array_room(types->candidates, types->nr_candidates, types->room_candidates);
		types->candidates[types->nr_candidates++] = list[i];
	}
	pthread_mutex_unlock(&types->lock);
}

void kma_types_add_variable(struct kma_types *types, const struct kma_types_member *variable)
{
	pthread_mutex_lock(&types->lock);
	kma_array_room(types->variables, types->nr_variables, types->room_variables);
	types->variables[types->nr_variables++] = *variable;
	pthread_mutex_unlock(&types->lock);
}

static int cmp_call(const void *a, const void *b)
{
	const struct kma_types_call *x = a, *y = b;

	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	return (x->addr > y->addr) - (x->addr < y->addr);
}

static int cmp_variable(const void *a, const void *b)
{
	const struct kma_types_member *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

static void sort_calls(struct kma_types *types)
{
	uint32_t nr = 0;

	if (types->nr_calls)
		qsort(types->calls, types->nr_calls, sizeof(*types->calls), cmp_call);
	for (uint32_t i = 0; i < types->nr_calls; i++)
		if (!nr || cmp_call(&types->calls[nr - 1], &types->calls[i]))
			types->calls[nr++] = types->calls[i];
	types->nr_calls = nr;
}

static void sort_variables(struct kma_types *types)
{
	struct kma_types_member *list = types->variables;
	uint32_t nr = 0;

	if (types->nr_variables)
		qsort(list, types->nr_variables, sizeof(*list), cmp_variable);
	for (uint32_t i = 0; i < types->nr_variables; i++) {
		if (!nr || cmp_variable(&list[nr - 1], &list[i]))
			list[nr++] = list[i];
		else if (memcmp(&list[nr - 1], &list[i], sizeof(*list)) != 0)
			list[nr - 1].size = 0;
	}
	types->nr_variables = nr;
}

void kma_types_sort(struct kma_types *types)
{
	sort_calls(types);
	sort_variables(types);
}

const struct kma_types_call *kma_types_call_at(const struct kma_types *types, uint32_t image,
					       uint64_t addr)
{
	const struct kma_types_call want = { .image = image, .addr = addr };
	size_t at = kma_array_search(types->nr_calls, i, cmp_call(&types->calls[i], &want) < 0);

	return at < types->nr_calls && !cmp_call(&types->calls[at], &want) ? &types->calls[at] :
									     NULL;
}

const struct kma_types_member *kma_types_variable(struct kma_types *types, uint32_t image,
						  const char *name)
{
	const struct kma_types_member want = { .offset = image,
					       .name = kma_types_name(types, name) };
	const struct kma_types_member *list = types->variables;
	size_t at = kma_array_search(types->nr_variables, i, cmp_variable(&list[i], &want) < 0);

	return at < types->nr_variables && !cmp_variable(&list[at], &want) && list[at].size ?
		       &list[at] :
		       NULL;
}

void kma_types_add_image(struct kma_types *types, const char *name, const char *build_id)
{
	struct kma_types_image image = { .name = kma_types_name(types, name),
					 .build_id = kma_types_name(types, build_id) };

	kma_array_room(types->images, types->nr_images, types->room_images);
	types->images[types->nr_images++] = image;
}

static int cmp_function(const void *a, const void *b)
{
	const struct kma_types_function *x = a, *y = b;

	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return (x->addr > y->addr) - (x->addr < y->addr);
}

void kma_types_add_functions(struct kma_types *types, uint32_t image,
			     const struct kma_symtab *symtab)
{
	const struct kma_symbol *last = NULL, *symbol;

	for (uint32_t i = 0; i < types->nr_calls; i++) {
		if (types->calls[i].image != image || !types->calls[i].nr)
			continue;
		symbol = kma_symtab_at(symtab, types->calls[i].addr - 1);
		if (!symbol || symbol == last || symbol->span > UINT32_MAX)
			continue;
		kma_array_room(types->functions, types->nr_functions, types->room_functions);
		types->functions[types->nr_functions++] = (struct kma_types_function){
			.addr = symbol->addr,
			.image = image,
			.name = kma_types_name(types, symbol->name),
			.span = symbol->span,
			.size = symbol->size < UINT32_MAX ? symbol->size : 0,
		};
		last = symbol;
	}
	if (types->nr_functions)
		qsort(types->functions, types->nr_functions, sizeof(*types->functions),
		      cmp_function);
}

uint32_t kma_types_image(const struct kma_types *types, const char *name, const char *build_id)
{
	for (uint32_t i = 0; i < types->nr_images; i++) {
		const char *id = kma_types_text(types, types->images[i].build_id);

		if (build_id && *build_id && *id ?
			    !strcmp(id, build_id) :
			    !strcmp(kma_types_text(types, types->images[i].name), name))
			return i;
	}
	return KMA_TYPES_NONE;
}

bool kma_types_is_of(const struct kma_types *types, const char *build_id)
{
	uint32_t image = kma_types_image(types, "vmlinux", build_id);

	return image != KMA_TYPES_NONE && *build_id &&
	       !strcmp(kma_types_text(types, types->images[image].build_id), build_id);
}

const struct kma_types_call *kma_types_call_in(struct kma_types *types, uint32_t image,
					       const char *function, uint64_t offset, uint64_t span)
{
	const struct kma_types_function want = { .image = image,
						 .name = kma_types_name(types, function) };
	const struct kma_types_function *list = types->functions, *only = NULL;
	size_t at = kma_array_search(types->nr_functions, i, cmp_function(&list[i], &want) < 0);

	for (; at < types->nr_functions && list[at].image == image && list[at].name == want.name;
	     at++) {
		if ((list[at].span != span && list[at].size != span) || offset > span)
			continue;
		if (only)
			return NULL;
		only = &list[at];
	}
	return only ? kma_types_call_at(types, image, only->addr + offset) : NULL;
}
