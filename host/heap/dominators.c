// SPDX-License-Identifier: GPL-2.0-only
/*
 * dominators.c - the algorithm SEMI-NCA of Georgiadis and Tarjan, without recursion.
 *
 * A search depth first numbers what is reached. The semidominator of a place is the smallest place
 * from which a path leads to it on which all places between are larger than its own. The nearest
 * dominator is the nearest place above it in the tree that is not larger than the semidominator.
 *
 * Each class of roots is a graph of its own: an edge to an object of another class does not count.
 * Places of a class follow each other.
 */

#include "dominators.h"
#include "lib/alloc.h"

/* State of a search; arrays are by place, unless said otherwise. */
struct kma_dominators_search {
	const struct kma_graph *graph;
	const struct kma_root_groups *groups;
	struct kma_dominators *result;
	uint32_t *places;	/* by object, then by group: its place; 0: not reached */
	uint32_t *ancestor;	/* place above it in the tree of the search; shortened later */
	uint32_t *semi;		/* semidominator */
	uint32_t *label;	/* place with the smallest semidominator on the way to @ancestor */
	uint32_t *stack;	/* before: number of edges that the search has followed */
	uint32_t *first, *from; /* edges to place i: from[first[i]] to from[first[i + 1] - 1] */
	uint32_t begins[KMA_ROOT_WAS_FREE + 2]; /* by class: its first place */
};

void kma_dominators_deinit(struct kma_dominators *dominators)
{
	kma_free_large(dominators->node);
	kma_free_large(dominators->above);
	*dominators = (struct kma_dominators){ 0 };
}

/* What an object or a group refers to. */
static const uint32_t *dominators_edges(const struct kma_dominators_search *search, uint32_t node,
					uint32_t *nr)
{
	const struct kma_graph *graph = search->graph;
	const struct kma_root_groups *groups = search->groups;

	if (node >= graph->nr) {
		node -= graph->nr;
		*nr = groups->first[node + 1] - groups->first[node];
		return &groups->to[groups->first[node]];
	}
	*nr = graph->first[node + 1] - graph->first[node];
	return &graph->to[graph->first[node]];
}

static uint32_t dominators_place(struct kma_dominators_search *search, uint32_t node,
				 uint32_t above)
{
	uint32_t place = ++search->result->nr;

	search->places[node] = place;
	search->result->node[place] = node;
	search->result->above[place] = above;
	search->ancestor[place] = above;
	search->semi[place] = place;
	search->label[place] = place;
	return place;
}

/* Number what a group reaches and what is not numbered yet. */
static void dominators_visit(struct kma_dominators_search *search, uint32_t group)
{
	uint32_t at = dominators_place(search, search->graph->nr + group, 0);

	while (at) {
		uint32_t nr, to;
		const uint32_t *edges = dominators_edges(search, search->result->node[at], &nr);

		if (search->stack[at] == nr) {
			at = search->ancestor[at];
			continue;
		}
		to = edges[search->stack[at]++];
		if (!search->places[to])
			at = dominators_place(search, to, at);
	}
}

/* Number all groups, the most lasting class first, and what they reach. */
static void dominators_number(struct kma_dominators_search *search)
{
	uint32_t group = 0;

	for (unsigned int kind = 0; kind <= KMA_ROOT_WAS_FREE; kind++) {
		search->begins[kind] = search->result->nr + 1;
		for (; group < search->groups->nr && search->groups->list[group].class == kind;
		     group++)
			dominators_visit(search, group);
	}
	search->begins[KMA_ROOT_WAS_FREE + 1] = search->result->nr + 1;
}

/* Call for each edge between places of one class: count it, or store it. */
static void dominators_each(struct kma_dominators_search *search, bool store)
{
	for (unsigned int kind = 0; kind <= KMA_ROOT_WAS_FREE; kind++) {
		uint32_t begin = search->begins[kind], end = search->begins[kind + 1];

		for (uint32_t at = begin; at < end; at++) {
			uint32_t nr;
			const uint32_t *edges =
				dominators_edges(search, search->result->node[at], &nr);

			for (uint32_t e = 0; e < nr; e++) {
				uint32_t to = search->places[edges[e]];

				if (to < begin || to >= end)
					continue;
				if (store)
					search->from[--search->first[to + 1]] = at;
				else
					search->first[to + 1]++;
			}
		}
	}
}

/* Sort the edges by their target. */
static void dominators_sort(struct kma_dominators_search *search)
{
	uint32_t nr = search->result->nr;

	dominators_each(search, false);
	/* Places fill their parts from the end, so first[i + 1] becomes the start of place i. */
	for (uint32_t i = 0; i <= nr; i++)
		search->first[i + 1] += search->first[i];
	search->from = kma_xmalloc(((size_t)search->first[nr + 1] + 1) * sizeof(*search->from));
	search->first[nr + 2] = search->first[nr + 1];
	dominators_each(search, true);
}

/*
 * The place with the smallest semidominator on the way from @at up to the last place that is
 * @linked or larger. Shortens the way.
 */
static uint32_t dominators_eval(struct kma_dominators_search *search, uint32_t at, uint32_t linked)
{
	uint32_t *ancestor = search->ancestor, *label = search->label;
	uint32_t depth = 0, above;

	if (ancestor[at] < linked)
		return label[at];
	do {
		search->stack[depth++] = at;
		at = ancestor[at];
	} while (ancestor[at] >= linked);
	for (above = at; depth; above = at) {
		at = search->stack[--depth];
		ancestor[at] = ancestor[above];
		if (search->semi[label[above]] < search->semi[label[at]])
			label[at] = label[above];
	}
	return label[at];
}

static void dominators_semi(struct kma_dominators_search *search)
{
	uint32_t *above = search->result->above, nr = search->result->nr;

	for (uint32_t at = nr; at; at--) {
		search->semi[at] = above[at];
		for (uint32_t e = search->first[at + 1]; e < search->first[at + 2]; e++) {
			uint32_t best = dominators_eval(search, search->from[e], at + 1);

			if (search->semi[best] < search->semi[at])
				search->semi[at] = search->semi[best];
		}
	}
	for (uint32_t at = 1; at <= nr; at++)
		while (above[at] > search->semi[at])
			above[at] = above[above[at]];
}

void kma_dominators_find(const struct kma_graph *graph, const struct kma_root_groups *groups,
			 struct kma_dominators *ret)
{
	/* Below 2^32: each group has a root (KMA_HEAP_MOST), except the last one. */
	size_t room = (size_t)graph->nr + groups->nr + 3;
	struct kma_dominators_search search = {
		.graph = graph,
		.groups = groups,
		.result = ret,
		.places = kma_xcalloc(room, sizeof(*search.places)),
		.ancestor = kma_xmalloc(room * sizeof(*search.ancestor)),
		.semi = kma_xmalloc(room * sizeof(*search.semi)),
		.label = kma_xmalloc(room * sizeof(*search.label)),
		.stack = kma_xcalloc(room, sizeof(*search.stack)),
		.first = kma_xcalloc(room, sizeof(*search.first)),
	};

	ret->node = kma_xmalloc(room * sizeof(*ret->node));
	ret->above = kma_xmalloc(room * sizeof(*ret->above));
	dominators_number(&search);
	dominators_sort(&search);
	dominators_semi(&search);
	kma_free_large(search.places);
	kma_free_large(search.ancestor);
	kma_free_large(search.semi);
	kma_free_large(search.label);
	kma_free_large(search.stack);
	kma_free_large(search.first);
	kma_free_large(search.from);
}
