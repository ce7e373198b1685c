// SPDX-License-Identifier: GPL-2.0-only
/*
 * paths.c - a search breadth first from the roots, one class of them after the other.
 */
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "paths.h"

/* Objects of a call site that hold each other through fewer than this of others are a list. */
#define KMA_PATHS_PERIOD 4

void kma_paths_deinit(struct kma_paths *paths)
{
	kma_free_large(paths->list);
	kma_free_large(paths->objects);
	*paths = (struct kma_paths){ 0 };
}

void kma_paths_add(struct kma_paths *paths, const struct kma_path *path)
{
	uint32_t at = path->holder;
	struct kma_path *added;

	kma_array_room(paths->list, paths->nr, paths->room);
	added = &paths->list[paths->nr];
	*added = *path;
	added->first = paths->nr++;
	for (unsigned int i = 0; i < KMA_PATHS_PERIOD && at != KMA_HEAP_NONE; i++) {
		if (paths->list[at].site == path->site) {
			added->first = paths->list[at].first;
			break;
		}
		at = paths->list[at].holder;
	}
}

/* Add an object of the graph, unless it has a path. */
static void paths_object(struct kma_paths *paths, struct kma_graph *graph, uint32_t object,
			 struct kma_path path)
{
	if (graph->reached[object])
		return;
	graph->reached[object] = 1;
	path.site = graph->objects[object].site;
	path.bytes = graph->objects[object].len;
	paths->objects[paths->nr] = object;
	kma_paths_add(paths, &path);
}

/* Add what the objects from number @begin on hold, and what these hold. */
static void paths_spread(struct kma_paths *paths, struct kma_graph *graph, uint32_t begin)
{

	for (uint32_t at = begin; at < paths->nr; at++) {
		uint32_t from = paths->objects[at];

		for (uint32_t e = graph->first[from]; e < graph->first[from + 1]; e++) {
			struct kma_path path = { .holder = at, .group = KMA_HEAP_NONE };

			path.offset = graph->words[e] == KMA_HEAP_FAR ? -1 : 8 * graph->words[e];
			paths_object(paths, graph, graph->to[e], path);
		}
	}
}

/* Add what the roots of a class hold. */
static void paths_class(struct kma_paths *paths, struct kma_graph *graph,
			const struct kma_root_groups *groups, unsigned int kind)
{
	uint32_t begin = paths->nr;

	for (size_t i = 0; i < graph->nr_roots; i++) {
		struct kma_path path = { .holder = KMA_HEAP_NONE,
					 .group = groups->of[i],
					 .offset = groups->offsets[i] };

		if (groups->list[path.group].class == kind)
			paths_object(paths, graph, graph->roots[i].to, path);
	}
	paths_spread(paths, graph, begin);
}

void kma_paths_make(struct kma_graph *graph, const struct kma_root_groups *groups,
		    struct kma_paths *ret)
{
	struct kma_path path = { .holder = KMA_HEAP_NONE, .group = groups->nr - 1, .offset = -1 };
	uint32_t begin;

	ret->objects = kma_xcalloc((size_t)graph->nr + 1, sizeof(*ret->objects));
	memset(graph->reached, 0, graph->nr);
	for (unsigned int kind = 0; kind < KMA_ROOT_CLASSES; kind++)
		paths_class(ret, graph, groups, kind);
	/* What was free before the scan, but is not after it, is a root without a name. */
	begin = ret->nr;
	for (uint32_t i = 0; i < graph->nr; i++)
		if (graph->objects[i].site == KMA_HEAP_FREE && !graph->still[i])
			paths_object(ret, graph, i, path);
	paths_spread(ret, graph, begin);
	path.group = KMA_HEAP_NONE;
	for (uint32_t i = 0; i < graph->nr; i++)
		if (kma_graph_is_object(graph, i))
			paths_object(ret, graph, i, path);
}
