// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan.c - scan the running kernel, and keep what a file of the scan has.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "pass.h"
#include "scan.h"

void kma_scan_deinit(struct kma_scan *scan)
{
	kma_listing_sites_deinit(&scan->sites);
	kma_account_destroy(scan->account);
	kma_root_groups_deinit(&scan->groups);
	kma_retained_deinit(&scan->retained);
	kma_lost_deinit(&scan->lost);
	free(scan->edges);
	if (scan->keys)
		explicit_bzero(scan->keys, scan->paths.nr * sizeof(*scan->keys));
	free(scan->keys);
	if (scan->objects)
		explicit_bzero(scan->objects, scan->nr_objects * sizeof(*scan->objects));
	free(scan->objects);
	kma_paths_deinit(&scan->paths);
	kma_notes_deinit(&scan->notes);
	kma_arena_deinit(&scan->texts);
	*scan = (struct kma_scan){ 0 };
}

uint32_t kma_scan_find(const struct kma_scan *scan, uint64_t addr)
{
	for (uint32_t i = 0; i < scan->paths.nr && scan->keys; i++)
		if (scan->paths.list[i].site != KMA_HEAP_FREE &&
		    addr - (scan->keys[i] ^ KMA_HEAP_KEY) < scan->paths.list[i].bytes)
			return i;
	return KMA_HEAP_NONE;
}

/* Place of an edge in the table; the table has an empty place. */
static struct kma_scan_edge *scan_place(struct kma_scan_edge *table, size_t room,
					const struct kma_scan_edge *edge)
{
	uint64_t hash = (edge->from * UINT64_C(0x9e3779b97f4a7c15)) ^
			(edge->to * UINT64_C(0xc2b2ae3d27d4eb4f)) ^
			((uint64_t)edge->offset * UINT64_C(0x165667b19e3779f9));
	size_t at = hash >> 32 & (room - 1);

	while (table[at].nr && (table[at].from != edge->from || table[at].to != edge->to ||
				table[at].offset != edge->offset))
		at = (at + 1) & (room - 1);
	return &table[at];
}

/* Make the table larger when three quarters are used. */
static void scan_grow(struct kma_scan *scan)
{
	size_t room = scan->room_edges ? 2 * scan->room_edges : 1024;
	struct kma_scan_edge *table;

	if (scan->room_edges && scan->nr_edges < scan->room_edges / 4 * 3)
		return;
	table = kma_xcalloc(room, sizeof(*table));
	for (size_t i = 0; i < scan->room_edges; i++)
		if (scan->edges[i].nr)
			*scan_place(table, room, &scan->edges[i]) = scan->edges[i];
	free(scan->edges);
	scan->edges = table;
	scan->room_edges = room;
}

/* Count the edges of objects by call sites and offset. */
static void scan_edges(struct kma_scan *scan, const struct kma_graph *graph)
{
	for (uint32_t from = 0; from < graph->nr; from++) {
		if (!kma_graph_is_object(graph, from))
			continue;
		for (uint32_t e = graph->first[from]; e < graph->first[from + 1]; e++) {
			struct kma_scan_edge edge = { .from = graph->objects[from].site,
						      .to = graph->objects[graph->to[e]].site };
			struct kma_scan_edge *place;

			scan_grow(scan);
			edge.offset = graph->words[e] == KMA_HEAP_FAR ? -1 : 8 * graph->words[e];
			place = scan_place(scan->edges, scan->room_edges, &edge);
			edge.nr = place->nr + 1;
			scan->nr_edges += !place->nr;
			*place = edge;
		}
	}
}

/* Keep the first words of an object, if the last pass has it, too. */
static void scan_content(struct kma_scan_lost *object, const struct kma_graph *graph,
			 const struct kma_heap_target *target)
{
	uint32_t at = kma_graph_find(graph, object->key ^ KMA_HEAP_KEY);
	uint64_t word = 0;

	if (at == KMA_HEAP_NONE || graph->objects[at].key != object->key ||
	    graph->objects[at].site != object->site || graph->objects[at].len != object->len)
		return;
	while (object->nr < KMA_SCAN_CONTENT / 8 && 8U * object->nr < object->len &&
	       kma_target_word(target, (object->key ^ KMA_HEAP_KEY) + 8U * object->nr, &word))
		object->content[object->nr++] = word ^ KMA_HEAP_KEY;
	explicit_bzero(&word, sizeof(word));
}

/* Keep the lost objects, and what is in them. Those that are held unseen are not lost. */
static void scan_objects(struct kma_scan *scan, const struct kma_lost_set *set,
			 struct kma_pass *pass, bool content)
{
	for (size_t i = 0; i < set->nr; i++) {
		const struct kma_lost_object *from = &set->list[i];
		struct kma_scan_lost *to;

		if (kma_unseen_find(kma_listing_caller(&scan->sites, from->site)))
			continue;
		kma_array_room(scan->objects, scan->nr_objects, scan->room_objects);
		to = &scan->objects[scan->nr_objects++];
		*to = (struct kma_scan_lost){ from->key, from->site, from->len, from->head, 0, {} };
		if (content)
			scan_content(to, &pass->graph, &pass->running.target);
	}
	kma_target_forget(&pass->running.target);
}

/* Make one pass, find the paths, and keep the names of the call sites. */
static struct kma_err *scan_pass(struct kma_scan *scan, struct kma_pass *pass,
				 const struct kma_heap_source *source, const int *stop)
{
	struct kma_err *err = kma_pass_named(pass, source, &scan->groups, stop, &scan->notes);

	if (err)
		return err;
	kma_paths_make(&pass->graph, &scan->groups, &scan->paths);
	scan->keys = kma_xcalloc((size_t)scan->paths.nr + 1, sizeof(*scan->keys));
	for (uint32_t i = 0; i < scan->paths.nr; i++)
		scan->keys[i] = pass->graph.objects[scan->paths.objects[i]].key;
	scan->has_module = pass->has_module;
	scan->sites = pass->sites;
	pass->sites = (struct kma_listing_sites){ 0 };
	return NULL;
}

struct kma_err *kma_scan_holders(const struct kma_heap_source *source, const int *stop,
				 struct kma_scan *scan)
{
	_cleanup_(kma_pass_close) struct kma_pass pass = { 0 };

	return scan_pass(scan, &pass, source, stop);
}

struct kma_err *kma_scan_all(const struct kma_lost_wish *wish, bool content, struct kma_scan *scan)
{
	_cleanup_(kma_lost_set_deinit) struct kma_lost_set set = { 0 };
	_cleanup_(kma_pass_close) struct kma_pass pass = { 0 };
	struct kma_err *err = kma_lost_scan(wish, NULL, &set, &scan->lost) ?:
				      scan_pass(scan, &pass, &wish->source, wish->stop);

	if (err)
		return err;
	kma_retained_make(&pass.graph, &scan->groups, &scan->sites, &scan->retained);
	scan_edges(scan, &pass.graph);
	scan_objects(scan, &set, &pass, content);
	return NULL;
}
