// SPDX-License-Identifier: GPL-2.0-only
/*
 * holders.c - count the objects of each call site by the root at the begin of their paths.
 */
#include <stdlib.h>
#include <string.h>

#include "holders.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"

/* A call site by its place in the result, and the root of one of its objects. */
struct kma_holder_pair {
	uint32_t owner, group;
};

static int holders_compare(const void *a, const void *b)
{
	const struct kma_holder_pair *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static int holders_by_text(const void *a, const void *b, void *arg)
{
	const char *const *callers = arg;

	return strcmp(callers[*(const uint32_t *)a], callers[*(const uint32_t *)b]);
}

/*
 * Make the result without numbers, in the order of the texts.
 * @owners: by number of a site: set to its place in the result
 */
static void holders_callers(const struct kma_listing_sites *sites, uint32_t *owners,
			    struct kma_holder *list, size_t *nr)
{
	_cleanup_free_ uint32_t *order = kma_xcalloc((size_t)sites->nr + 1, sizeof(*order));
	size_t named = 0;

	for (uint32_t i = 0; i < sites->nr; i++) {
		owners[i] = KMA_HEAP_NONE;
		if (sites->callers[i])
			order[named++] = i;
	}
	if (named)
		qsort_r(order, named, sizeof(*order), holders_by_text, sites->callers);
	for (size_t i = 0; i < named; i++) {
		const char *caller = sites->callers[order[i]];

		if (!*nr || strcmp(list[*nr - 1].caller, caller) != 0)
			list[(*nr)++].caller = caller;
		owners[order[i]] = *nr - 1;
	}
}

/* Make the pairs of all objects whose call site is known. A holder is before what it holds. */
static size_t holders_pairs(const struct kma_scan *scan, const uint32_t *owners, uint32_t *groups,
			    struct kma_holder_pair *pairs)
{
	size_t nr = 0;

	for (uint32_t i = 0; i < scan->paths.nr; i++) {
		const struct kma_path *path = &scan->paths.list[i];

		groups[i] = path->holder == KMA_HEAP_NONE ? path->group : groups[path->holder];
		if (path->site < scan->sites.nr && owners[path->site] != KMA_HEAP_NONE)
			pairs[nr++] = (struct kma_holder_pair){ owners[path->site], groups[i] };
	}
	return nr;
}

static void holders_count(const struct kma_root_groups *groups, const struct kma_holder_pair *pairs,
			  size_t nr, struct kma_holder *list)
{
	for (size_t i = 0, end; i < nr; i = end) {
		struct kma_holder *holder = &list[pairs[i].owner];

		for (end = i + 1; end < nr && !holders_compare(&pairs[i], &pairs[end]); end++)
			;
		holder->all += end - i;
		/* the first of two with as many is the more lasting root */
		if (pairs[i].group == KMA_HEAP_NONE || end - i <= holder->held)
			continue;
		holder->held = end - i;
		holder->root = groups->list[pairs[i].group].name;
	}
}

struct kma_holder *kma_holders_find(const struct kma_scan *scan, size_t *nr)
{
	size_t objects = (size_t)scan->paths.nr + 1, sites = (size_t)scan->sites.nr + 1;
	_cleanup_free_ struct kma_holder_pair *pairs = kma_xcalloc(objects, sizeof(*pairs));
	_cleanup_free_ uint32_t *groups = kma_xcalloc(objects, sizeof(*groups));
	_cleanup_free_ uint32_t *owners = kma_xcalloc(sites, sizeof(*owners));
	struct kma_holder *list = kma_xcalloc(sites, sizeof(*list));
	size_t nr_pairs;

	*nr = 0;
	holders_callers(&scan->sites, owners, list, nr);
	nr_pairs = holders_pairs(scan, owners, groups, pairs);
	qsort(pairs, nr_pairs, sizeof(*pairs), holders_compare);
	holders_count(&scan->groups, pairs, nr_pairs, list);
	return list;
}
