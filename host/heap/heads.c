// SPDX-License-Identifier: GPL-2.0-only
/*
 * heads.c - choose the objects from which a set of objects can be reached.
 */
#include <string.h>

#include "heads.h"
#include "lib/alloc.h"
#include "lib/array.h"

/* State of a search in a set of objects. */
struct kma_graph_search {
	const struct kma_graph *graph;
	const uint32_t *set;
	uint32_t nr;
	unsigned char *seen;	/* by place in @set */
	uint32_t *stack, *edge; /* places on the path, and the edge of each that comes next */
};

/* Place of an object in the set; KMA_HEAP_NONE if it is not there. */
static uint32_t graph_place(const struct kma_graph_search *search, uint32_t object)
{
	uint32_t place = kma_array_search(search->nr, i, search->set[i] < object);

	return place < search->nr && search->set[place] == object ? place : KMA_HEAP_NONE;
}

/* Visit what is reached from a place, depth first; add each place to @order when it is left. */
static void graph_visit(struct kma_graph_search *search, uint32_t from, uint32_t *order,
			uint32_t *nr)
{
	const struct kma_graph *graph = search->graph;
	uint32_t depth = 0;

	search->seen[from] = 1;
	search->stack[0] = from;
	search->edge[0] = graph->first[search->set[from]];
	for (;;) {
		uint32_t at = search->stack[depth], next;

		if (search->edge[depth] == graph->first[search->set[at] + 1]) {
			if (order)
				order[(*nr)++] = at;
			if (!depth--)
				return;
			continue;
		}
		next = graph_place(search, graph->to[search->edge[depth]++]);
		if (next == KMA_HEAP_NONE || search->seen[next])
			continue;
		search->seen[next] = 1;
		search->stack[++depth] = next;
		search->edge[depth] = graph->first[search->set[next]];
	}
}

/*
 * The place that a search depth first leaves last is in a part of the set that no other part
 * reaches. So in the reverse of that order, each place that is not reached yet is a head.
 */
void kma_graph_heads(const struct kma_graph *graph, const uint32_t *set, uint32_t nr, bool *head)
{
	_cleanup_free_ unsigned char *seen = kma_xcalloc((size_t)nr + 1, 1);
	_cleanup_free_ uint32_t *stack = kma_xmalloc(((size_t)nr + 1) * sizeof(*stack));
	_cleanup_free_ uint32_t *edge = kma_xmalloc(((size_t)nr + 1) * sizeof(*edge));
	_cleanup_free_ uint32_t *order = kma_xmalloc(((size_t)nr + 1) * sizeof(*order));
	struct kma_graph_search search = { graph, set, nr, seen, stack, edge };
	uint32_t left = 0;

	for (uint32_t i = 0; i < nr; i++)
		if (!seen[i])
			graph_visit(&search, i, order, &left);
	memset(seen, 0, nr);
	while (left) {
		uint32_t i = order[--left];

		head[i] = !seen[i];
		if (!seen[i])
			graph_visit(&search, i, NULL, NULL);
	}
}
