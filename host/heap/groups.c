// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - name each root once, and collect the objects that the roots of a name refer to.
 */
#include <stdlib.h>
#include <string.h>

#include "groups.h"
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
	free(groups->of);
	free(groups->offsets);
	free(groups->first);
	free(groups->to);
	kma_intern_destroy(groups->names);
	*groups = (struct kma_root_groups){ 0 };
}

/* By class and name; names that were not found are last. */
static int kma_root_groups_compare(const void *a, const void *b)
{
	const struct kma_root_found *x = a, *y = b;

	if (!x->group.name || !y->group.name)
		return !x->group.name - !y->group.name;
	if (x->group.class != y->group.class)
		return x->group.class < y->group.class ? -1 : 1;
	return strcmp(x->group.name, y->group.name);
}

/* Name all roots. The group of a root is the number of its name, until kma_root_groups_sort(). */
static struct kma_err *kma_root_groups_name(struct kma_root_groups *groups,
					    const struct kma_graph *graph,
					    const struct kma_root_names *names,
					    struct kma_root_found **found)
{
	struct kma_root_name name;
	enum kma_kind kind;
	uint32_t room = 0;
	size_t len;

	for (size_t i = 0; i < graph->nr_roots; i++) {
		struct kma_root_found *at;
		uint32_t number;

		kma_roots_name(names, graph->roots[i].key ^ KMA_HEAP_KEY, &name);
		number = kma_intern(groups->names, KMA_KIND_UNKNOWN, name.text, strlen(name.text));
		if (!kma_array_reach(*found, room, number))
			return &kma_enomem;
		at = &(*found)[number];
		at->group.name = kma_intern_site(groups->names, number, &kind, &len);
		at->group.class = name.class;
		at->number = number;
		groups->of[i] = number;
		groups->offsets[i] = name.offset < INT32_MAX ? name.offset : -1;
		if (number >= groups->nr)
			groups->nr = number + 1;
	}
	return NULL;
}

/* Number the groups in their order. */
static struct kma_err *kma_root_groups_sort(struct kma_root_groups *groups, size_t nr_roots,
					    struct kma_root_found *found)
{
	_cleanup_free_ uint32_t *rank = calloc((size_t)groups->nr + 1, sizeof(*rank));
	uint32_t nr = 0;

	groups->list = calloc((size_t)groups->nr + 1, sizeof(*groups->list));
	if (!rank || !groups->list)
		return &kma_enomem;
	if (groups->nr)
		qsort(found, groups->nr, sizeof(*found), kma_root_groups_compare);
	for (; nr < groups->nr && found[nr].group.name; nr++) {
		groups->list[nr] = found[nr].group;
		rank[found[nr].number] = nr;
	}
	for (size_t i = 0; i < nr_roots; i++)
		groups->of[i] = rank[groups->of[i]];
	groups->list[nr] = (struct kma_root_group){ KMA_ROOT_WAS_FREE_NAME, KMA_ROOT_WAS_FREE };
	groups->nr = nr + 1;
	return NULL;
}

static int kma_root_groups_by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Collect what the groups refer to, sorted by group. */
static struct kma_err *kma_root_groups_targets(struct kma_root_groups *groups,
					       const struct kma_graph *graph)
{
	uint32_t last = groups->nr - 1, kept = 0, end;
	uint32_t *first, *to;

	if (graph->nr_roots >= UINT32_MAX - graph->nr)
		return &kma_enomem;
	first = groups->first = calloc((size_t)groups->nr + 2, sizeof(*first));
	to = groups->to = malloc((graph->nr_roots + graph->nr + 1) * sizeof(*to));
	if (!first || !to)
		return &kma_enomem;
	for (size_t i = 0; i < graph->nr_roots; i++)
		first[groups->of[i] + 2]++;
	for (uint32_t i = 2; i <= groups->nr; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < graph->nr_roots; i++)
		to[first[groups->of[i] + 1]++] = graph->roots[i].to;
	for (uint32_t i = 0; i < graph->nr; i++)
		if (graph->objects[i].site == KMA_HEAP_FREE && !graph->still[i])
			to[first[last + 1]++] = i;
	/* Each target once. */
	for (uint32_t i = 0, begin = 0; i < groups->nr; i++, begin = end) {
		end = first[i + 1];
		first[i] = kept;
		if (end > begin)
			qsort(&to[begin], end - begin, sizeof(*to), kma_root_groups_by_number);
		for (uint32_t n = begin; n < end; n++)
			if (n == begin || to[n] != to[n - 1])
				to[kept++] = to[n];
	}
	first[groups->nr] = kept;
	return NULL;
}

struct kma_err *kma_root_groups_make(const struct kma_graph *graph,
				     const struct kma_root_names *names,
				     struct kma_root_groups *ret)
{
	_cleanup_free_ struct kma_root_found *found = NULL;
	struct kma_err *err;

	ret->of = calloc(graph->nr_roots + 1, sizeof(*ret->of));
	ret->offsets = calloc(graph->nr_roots + 1, sizeof(*ret->offsets));
	if (!ret->of || !ret->offsets)
		return &kma_enomem;
	err = kma_intern_create(&ret->names);
	if (!err)
		err = kma_root_groups_name(ret, graph, names, &found);
	if (!err)
		err = kma_root_groups_sort(ret, graph->nr_roots, found);
	return err ?: kma_root_groups_targets(ret, graph);
}
