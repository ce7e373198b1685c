// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - name each root once, and collect the objects that the roots of a name refer to; combine
 * the roots of each module.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "model/intern.h"

/* A group while the roots are named, with its number in the table of names. */
struct kma_root_found {
	struct kma_root_group group;
	uint32_t number;
};

void kma_root_groups_deinit(struct kma_root_groups *groups)
{
	free(groups->list);
	kma_free_large(groups->of);
	kma_free_large(groups->offsets);
	kma_free_large(groups->first);
	kma_free_large(groups->to);
	kma_intern_destroy(groups->names);
	*groups = (struct kma_root_groups){ 0 };
}

/* By class and name; names that were not found are last. */
static int root_groups_compare(const void *a, const void *b)
{
	const struct kma_root_found *x = a, *y = b;

	if (!x->group.name || !y->group.name)
		return !x->group.name - !y->group.name;
	if (x->group.class != y->group.class)
		return x->group.class < y->group.class ? -1 : 1;
	return strcmp(x->group.name, y->group.name);
}

/* Set the name of place @i of @of, which is its number until root_groups_sort(). */
static void root_groups_set(struct kma_root_groups *groups, size_t i,
			    const struct kma_root_group *group, struct kma_root_found **found,
			    uint32_t *room)
{
	uint32_t number =
		kma_intern(groups->names, KMA_KIND_UNKNOWN, group->name, strlen(group->name));
	struct kma_root_found *at;
	enum kma_kind kind;
	size_t len;

	kma_array_reach(*found, *room, number);
	at = &(*found)[number];
	at->group.name = kma_intern_site(groups->names, number, &kind, &len);
	at->group.class = group->class;
	at->number = number;
	groups->of[i] = number;
	if (number >= groups->nr)
		groups->nr = number + 1;
}

static void root_groups_name(struct kma_root_groups *groups, const struct kma_graph *graph,
			     const struct kma_root_names *names, struct kma_root_found **found)
{
	struct kma_root_name name;
	uint32_t room = 0;

	for (size_t i = 0; i < graph->nr_roots; i++) {
		struct kma_root_group group = { .name = name.text };

		kma_roots_name(names, graph->roots[i].key ^ KMA_HEAP_KEY, &name);
		group.class = name.class;
		groups->offsets[i] = name.offset < INT32_MAX ? name.offset : -1;
		root_groups_set(groups, i, &group, found, &room);
	}
}

/* Number the groups in their order; @of has @nr_roots places. */
static void root_groups_sort(struct kma_root_groups *groups, size_t nr_roots,
			     struct kma_root_found *found)
{
	_cleanup_free_ uint32_t *rank = kma_xcalloc((size_t)groups->nr + 1, sizeof(*rank));
	uint32_t nr = 0;

	groups->list = kma_xcalloc((size_t)groups->nr + 1, sizeof(*groups->list));
	if (groups->nr)
		qsort(found, groups->nr, sizeof(*found), root_groups_compare);
	for (; nr < groups->nr && found[nr].group.name; nr++) {
		groups->list[nr] = found[nr].group;
		rank[found[nr].number] = nr;
	}
	for (size_t i = 0; i < nr_roots; i++)
		groups->of[i] = rank[groups->of[i]];
	groups->list[nr] = (struct kma_root_group){ KMA_ROOT_WAS_FREE_NAME, KMA_ROOT_WAS_FREE };
	groups->nr = nr + 1;
}

static int root_groups_by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Keep each target of a group once. */
static void root_groups_unique(struct kma_root_groups *groups)
{
	uint32_t *first = groups->first, *to = groups->to;
	uint32_t kept = 0, end;

	for (uint32_t i = 0, begin = 0; i < groups->nr; i++, begin = end) {
		end = first[i + 1];
		first[i] = kept;
		if (end > begin)
			qsort(&to[begin], end - begin, sizeof(*to), root_groups_by_number);
		for (uint32_t n = begin; n < end; n++)
			if (n == begin || to[n] != to[n - 1])
				to[kept++] = to[n];
	}
	first[groups->nr] = kept;
}

/* Collect what the groups refer to, sorted by group. */
static void root_groups_targets(struct kma_root_groups *groups, const struct kma_graph *graph)
{
	uint32_t last = groups->nr - 1;
	uint32_t *first, *to;

	first = groups->first = kma_xcalloc((size_t)groups->nr + 2, sizeof(*first));
	to = groups->to = kma_xmalloc((graph->nr_roots + graph->nr + 1) * sizeof(*to));
	for (size_t i = 0; i < graph->nr_roots; i++)
		first[groups->of[i] + 2]++;
	for (uint32_t i = 2; i <= groups->nr; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < graph->nr_roots; i++)
		to[first[groups->of[i] + 1]++] = graph->roots[i].to;
	for (uint32_t i = 0; i < graph->nr; i++)
		if (graph->objects[i].site == KMA_HEAP_FREE && !graph->still[i])
			to[first[last + 1]++] = i;
	root_groups_unique(groups);
}

void kma_root_groups_make(const struct kma_graph *graph, const struct kma_root_names *names,
			  struct kma_root_groups *ret)
{
	_cleanup_free_ struct kma_root_found *found = NULL;

	ret->of = kma_xcalloc(graph->nr_roots + 1, sizeof(*ret->of));
	ret->offsets = kma_xcalloc(graph->nr_roots + 1, sizeof(*ret->offsets));
	ret->names = kma_intern_new();
	root_groups_name(ret, graph, names, &found);
	root_groups_sort(ret, graph->nr_roots, found);
	root_groups_targets(ret, graph);
}

const char *kma_root_groups_module(const char *name, size_t *len)
{
	const char *module = strrchr(name, '[');

	*len = module ? strlen(module) : 0;
	if (*len < 3 || module[*len - 1] != ']')
		return NULL;
	*len -= 2;
	return module + 1;
}

/* Name the groups after their modules, or after what they are. */
static void root_groups_by_module(struct kma_root_groups *groups,
				  const struct kma_root_groups *from, struct kma_root_found **found)
{
	static const char *const others[KMA_ROOT_CLASSES] = {
		[KMA_ROOT_VARIABLE] = "variables of the kernel",
		[KMA_ROOT_MEMORY] = "vmalloc areas and older objects",
		[KMA_ROOT_STACK] = "stacks",
		[KMA_ROOT_OTHER] = "other pages",
	};
	uint32_t room = 0;

	for (uint32_t i = 0; i < from->nr; i++) {
		struct kma_root_group group = from->list[i];
		char text[64];
		size_t len;
		const char *module = kma_root_groups_module(group.name, &len);

		if (group.class == KMA_ROOT_WAS_FREE)
			continue;
		if (module) {
			snprintf(text, sizeof(text), "%.*s", (int)len, module);
			group.class = KMA_ROOT_VARIABLE;
		}
		group.name = module ? text : others[group.class];
		root_groups_set(groups, i, &group, found, &room);
	}
}

void kma_root_groups_modules(const struct kma_root_groups *from, struct kma_root_groups *ret)
{
	_cleanup_free_ struct kma_root_found *found = NULL;
	uint32_t *first;

	ret->of = kma_xcalloc((size_t)from->nr + 1, sizeof(*ret->of));
	ret->names = kma_intern_new();
	root_groups_by_module(ret, from, &found);
	root_groups_sort(ret, from->nr, found);
	for (uint32_t i = 0; i < from->nr; i++)
		if (from->list[i].class == KMA_ROOT_WAS_FREE)
			ret->of[i] = ret->nr - 1;
	first = ret->first = kma_xcalloc((size_t)ret->nr + 2, sizeof(*first));
	ret->to = kma_xmalloc(((size_t)from->first[from->nr] + 1) * sizeof(*ret->to));
	for (uint32_t i = 0; i < from->nr; i++)
		first[ret->of[i] + 2] += from->first[i + 1] - from->first[i];
	for (uint32_t i = 2; i <= ret->nr; i++)
		first[i] += first[i - 1];
	for (uint32_t i = 0; i < from->nr; i++)
		for (uint32_t n = from->first[i]; n < from->first[i + 1]; n++)
			ret->to[first[ret->of[i] + 1]++] = from->to[n];
	root_groups_unique(ret);
}
