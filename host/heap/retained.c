// SPDX-License-Identifier: GPL-2.0-only
/*
 * retained.c - add up objects along the tree of dominators; once by root and call site, once by module.
 */
#include <stdlib.h>
#include <string.h>

#include "dominators.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "pass.h"
#include "retained.h"

/* Rows of @roots that are not roots. */
enum { KMA_RETAINED_SEVERAL, KMA_RETAINED_NOTHING, KMA_RETAINED_SCAN, KMA_RETAINED_RESTS };

/* State of the sums. Arrays by place of a dominator have one more for the top. */
struct kma_retained_sums {
	const struct kma_graph *graph;
	const struct kma_root_groups *groups;
	const struct kma_listing_sites *sites;
	struct kma_dominators dominators;
	struct kma_retained *result;
	uint64_t *bytes;
	uint32_t *objects;
	uint32_t *child, *next; /* first place below it; next place below the same one; 0: none */
	uint32_t *open;		/* by call site: objects of it on the way to the current place */
	bool *reached;		/* by object */
	/* Rows of roots or of modules, by number of the group, and then KMA_RETAINED_RESTS. */
	struct kma_retained_row *rows;
	uint32_t *row; /* by place: of @rows */
	/* By root and call site, numbers of which they have until they are sorted. */
	struct kma_map by_part;
	uint32_t room_parts;
};

void kma_retained_deinit(struct kma_retained *retained)
{
	free(retained->roots);
	free(retained->modules);
	free(retained->callers);
	free(retained->parts);
	kma_notes_deinit(&retained->notes);
	kma_arena_deinit(&retained->texts);
	*retained = (struct kma_retained){ 0 };
}

/* The object at a place; KMA_HEAP_NONE for a group, or a range that is not an object. */
static uint32_t retained_object(const struct kma_retained_sums *sums, uint32_t place)
{
	uint32_t node = sums->dominators.node[place];

	return node < sums->graph->nr && kma_graph_is_object(sums->graph, node) ? node :
										  KMA_HEAP_NONE;
}

static const char *retained_text(struct kma_retained *ret, const char *text)
{
	return kma_arena_text(&ret->texts, text, strlen(text));
}

/* Add up from the deepest places to the top. */
static void retained_add(struct kma_retained_sums *sums)
{
	const struct kma_dominators *dominators = &sums->dominators;
	size_t room = (size_t)dominators->nr + 1;

	sums->bytes = kma_xcalloc(room, sizeof(*sums->bytes));
	sums->objects = kma_xcalloc(room, sizeof(*sums->objects));
	sums->child = kma_xcalloc(room, sizeof(*sums->child));
	sums->next = kma_xcalloc(room, sizeof(*sums->next));
	sums->row = kma_xcalloc(room, sizeof(*sums->row));
	for (uint32_t at = dominators->nr; at; at--) {
		uint32_t object = retained_object(sums, at), above = dominators->above[at];

		if (object != KMA_HEAP_NONE) {
			sums->bytes[at] += sums->graph->objects[object].len;
			sums->objects[at]++;
		}
		sums->bytes[above] += sums->bytes[at];
		sums->objects[above] += sums->objects[at];
		sums->next[at] = sums->child[above];
		sums->child[above] = at;
	}
}

/* Add an object to the part of a row, or to the memory of the scan. */
static void retained_part(struct kma_retained_sums *sums, uint32_t row, uint32_t object)
{
	const struct kma_graph_object *from = &sums->graph->objects[object];
	uint32_t site = kma_graph_is_object(sums->graph, object) ? from->site : KMA_HEAP_NONE;
	struct kma_retained *ret = sums->result;
	uint32_t hash = kma_map_number((uint64_t)row << 32 | site);
	uint32_t n = kma_map_find(&sums->by_part, hash, i,
				  ret->parts[i].root == row && ret->parts[i].caller == site);

	if (n == KMA_MAP_NONE) {
		kma_array_room(ret->parts, ret->nr_parts, sums->room_parts);
		n = kma_map_add(&sums->by_part, hash);
		ret->parts[n] = (struct kma_retained_part){ row, site, 0, 0 };
		ret->nr_parts++;
	}
	ret->parts[n].bytes += from->len;
	ret->parts[n].objects++;
}

/* The rows of groups, and of what is directly below the top. */
static void retained_groups(struct kma_retained_sums *sums)
{
	const struct kma_root_groups *groups = sums->groups;

	for (uint32_t at = 1; at <= sums->dominators.nr; at++) {
		uint32_t node = sums->dominators.node[at], above = sums->dominators.above[at];
		struct kma_retained_row *row;

		if (above) {
			sums->row[at] = sums->row[above];
			continue;
		}
		sums->row[at] = node < sums->graph->nr ? groups->nr + KMA_RETAINED_SEVERAL :
							 node - sums->graph->nr;
		row = &sums->rows[sums->row[at]];
		row->bytes += sums->bytes[at];
		row->objects += sums->objects[at];
	}
	for (uint32_t i = 0; i < groups->nr; i++) {
		sums->rows[i].direct = groups->first[i + 1] - groups->first[i];
		sums->rows[i].rest = groups->list[i].class == KMA_ROOT_WAS_FREE;
	}
}

/* The rows of what no root reaches. */
static void retained_unreached(struct kma_retained_sums *sums)
{
	struct kma_retained_row *rests = &sums->rows[sums->groups->nr];

	for (uint32_t i = 0; i < sums->graph->nr; i++) {
		const struct kma_graph_object *object = &sums->graph->objects[i];
		bool is = kma_graph_is_object(sums->graph, i);

		if (object->site == KMA_HEAP_FREE || sums->reached[i])
			continue;
		rests[is ? KMA_RETAINED_NOTHING : KMA_RETAINED_SCAN].bytes += object->len;
		rests[is ? KMA_RETAINED_NOTHING : KMA_RETAINED_SCAN].objects++;
	}
}

/* Objects of the list by call site; those that no root reaches are retained by themselves. */
static void retained_live(struct kma_retained_sums *sums)
{
	struct kma_retained *ret = sums->result;

	for (uint32_t i = 0; i < sums->graph->nr; i++) {
		const struct kma_graph_object *object = &sums->graph->objects[i];

		if (object->site == KMA_HEAP_FREE)
			continue;
		ret->bytes += object->len;
		ret->objects++;
		if (!kma_graph_is_object(sums->graph, i))
			continue;
		ret->callers[object->site].own += object->len;
		ret->callers[object->site].direct++;
		if (!sums->reached[i]) {
			ret->callers[object->site].bytes += object->len;
			ret->callers[object->site].objects++;
		}
	}
}

/* Divide the rows of roots by call site. */
static void retained_parts(struct kma_retained_sums *sums)
{
	const struct kma_dominators *dominators = &sums->dominators;
	uint32_t rests = sums->groups->nr;

	for (uint32_t at = 1; at <= dominators->nr; at++)
		if (retained_object(sums, at) != KMA_HEAP_NONE)
			retained_part(sums, sums->row[at], dominators->node[at]);
	for (uint32_t i = 0; i < sums->graph->nr; i++)
		if (sums->graph->objects[i].site != KMA_HEAP_FREE && !sums->reached[i])
			retained_part(sums,
				      rests + (kma_graph_is_object(sums->graph, i) ?
						       KMA_RETAINED_NOTHING :
						       KMA_RETAINED_SCAN),
				      i);
}

/* Enter a place, or leave it: what is below several objects of a call site counts once. */
static void retained_step(struct kma_retained_sums *sums, uint32_t place, bool enter)
{
	uint32_t object = retained_object(sums, place), site;

	if (object == KMA_HEAP_NONE)
		return;
	site = sums->graph->objects[object].site;
	if (!enter) {
		sums->open[site]--;
		return;
	}
	if (sums->open[site]++)
		return;
	sums->result->callers[site].bytes += sums->bytes[place];
	sums->result->callers[site].objects += sums->objects[place];
}

/* Walk through the tree of dominators, depth first. */
static void retained_walk(struct kma_retained_sums *sums)
{
	uint32_t at = sums->child[0];

	while (at) {
		retained_step(sums, at, true);
		if (sums->child[at]) {
			at = sums->child[at];
			continue;
		}
		while (at && !sums->next[at]) {
			retained_step(sums, at, false);
			at = sums->dominators.above[at];
		}
		if (at) {
			retained_step(sums, at, false);
			at = sums->next[at];
		}
	}
}

static int retained_compare(const void *a, const void *b)
{
	const struct kma_retained_row *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	if (x->direct != y->direct)
		return x->direct > y->direct ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Leave out empty rows, name the others, and sort them. */
static void retained_rows(struct kma_retained_sums *sums, size_t *nr_rows)
{
	static const char *const rests[] = { [KMA_RETAINED_SEVERAL] = "several roots",
					     [KMA_RETAINED_NOTHING] = "nothing",
					     [KMA_RETAINED_SCAN] = "memory of the scan" };
	struct kma_retained *ret = sums->result;
	uint32_t nr = sums->groups->nr;

	for (uint32_t i = 0; i < nr + KMA_RETAINED_RESTS; i++) {
		struct kma_retained_row row = sums->rows[i];

		row.rest |= i >= nr;
		row.number = i;
		if (row.rest && !row.objects)
			continue;
		row.name = retained_text(ret, i < nr ? sums->groups->list[i].name : rests[i - nr]);
		sums->rows[(*nr_rows)++] = row;
	}
	qsort(sums->rows, *nr_rows, sizeof(*sums->rows), retained_compare);
}

static void retained_callers(struct kma_retained_sums *sums, uint32_t nr_sites)
{
	struct kma_retained *ret = sums->result;

	for (uint32_t i = 0; i < nr_sites; i++) {
		struct kma_retained_row row = ret->callers[i];

		if (!row.direct)
			continue;
		row.number = i;
		row.name = retained_text(ret, kma_listing_caller(sums->sites, i));
		ret->callers[ret->nr_callers++] = row;
	}
	qsort(ret->callers, ret->nr_callers, sizeof(*ret->callers), retained_compare);
}

static int retained_compare_parts(const void *a, const void *b)
{
	const struct kma_retained_part *x = a, *y = b;

	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	return x->caller < y->caller ? -1 : x->caller > y->caller;
}

/* Give the parts the places of their sorted rows. */
static void retained_places(struct kma_retained_sums *sums, uint32_t nr_sites)
{
	size_t nr = (size_t)sums->groups->nr + KMA_RETAINED_RESTS;
	struct kma_retained *ret = sums->result;
	uint32_t *roots, *callers;

	roots = kma_xcalloc(nr + nr_sites, sizeof(*roots));
	callers = roots + nr;
	for (size_t i = 0; i < ret->nr_roots; i++)
		roots[ret->roots[i].number] = i;
	for (size_t i = 0; i < ret->nr_callers; i++)
		callers[ret->callers[i].number] = i;
	for (uint32_t i = 0; i < ret->nr_parts; i++) {
		struct kma_retained_part *part = &ret->parts[i];

		part->root = roots[part->root];
		if (part->caller != KMA_HEAP_NONE)
			part->caller = callers[part->caller];
	}
	free(roots);
	if (ret->nr_parts)
		qsort(ret->parts, ret->nr_parts, sizeof(*ret->parts), retained_compare_parts);
}

/* Find the dominators, and fill in the rows of groups. */
static void retained_find(struct kma_retained_sums *sums)
{
	const struct kma_graph *graph = sums->graph;
	struct kma_dominators *dominators = &sums->dominators;

	sums->reached = kma_xcalloc((size_t)graph->nr + 1, sizeof(*sums->reached));
	sums->rows =
		kma_xcalloc((size_t)sums->groups->nr + KMA_RETAINED_RESTS, sizeof(*sums->rows));
	kma_dominators_find(graph, sums->groups, dominators);
	retained_add(sums);
	for (uint32_t at = 1; at <= dominators->nr; at++)
		if (dominators->node[at] < graph->nr)
			sums->reached[dominators->node[at]] = true;
	retained_groups(sums);
	retained_unreached(sums);
}

static void retained_sums_deinit(struct kma_retained_sums *sums)
{
	kma_dominators_deinit(&sums->dominators);
	kma_map_free(&sums->by_part);
	kma_free_large(sums->bytes);
	kma_free_large(sums->objects);
	kma_free_large(sums->child);
	kma_free_large(sums->next);
	free(sums->open);
	kma_free_large(sums->reached);
	free(sums->rows);
	free(sums->row);
}

/* The rows of roots and call sites, and what of each call site each root retains. */
static void retained_by_root(struct kma_retained_sums *sums)
{
	const struct kma_graph *graph = sums->graph;
	struct kma_retained *ret = sums->result;
	uint32_t nr_sites = 1;

	for (uint32_t i = 0; i < graph->nr; i++)
		if (kma_graph_is_object(graph, i) && graph->objects[i].site >= nr_sites)
			nr_sites = graph->objects[i].site + 1;
	ret->callers = kma_xcalloc(nr_sites, sizeof(*ret->callers));
	sums->open = kma_xcalloc(nr_sites, sizeof(*sums->open));
	retained_find(sums);
	retained_live(sums);
	retained_walk(sums);
	retained_parts(sums);
	retained_rows(sums, &ret->nr_roots);
	ret->roots = sums->rows;
	sums->rows = NULL;
	retained_callers(sums, nr_sites);
	retained_places(sums, nr_sites);
}

static void retained_by_module(struct kma_retained_sums *sums)
{
	retained_find(sums);
	retained_rows(sums, &sums->result->nr_modules);
	sums->result->modules = sums->rows;
	sums->rows = NULL;
}

void kma_retained_make(const struct kma_graph *graph, const struct kma_root_groups *groups,
		       const struct kma_listing_sites *sites, struct kma_retained *ret)
{
	_cleanup_(kma_root_groups_deinit) struct kma_root_groups modules = { 0 };
	struct kma_retained_sums sums = { graph, groups, sites, .result = ret };

	retained_by_root(&sums);
	retained_sums_deinit(&sums);
	kma_root_groups_modules(groups, &modules);
	sums = (struct kma_retained_sums){ graph, &modules, sites, .result = ret };
	retained_by_module(&sums);
	retained_sums_deinit(&sums);
}

struct kma_err *kma_retained_scan(const struct kma_heap_source *source, const int *stop,
				  struct kma_retained *ret)
{
	_cleanup_(kma_root_groups_deinit) struct kma_root_groups groups = { 0 };
	_cleanup_(kma_pass_close) struct kma_pass pass = { 0 };
	struct kma_err *err = kma_pass_named(&pass, source, &groups, stop, &ret->notes);

	if (err)
		return err;
	kma_retained_make(&pass.graph, &groups, &pass.sites, ret);
	return NULL;
}
