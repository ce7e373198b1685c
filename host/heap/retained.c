// SPDX-License-Identifier: GPL-2.0-only
/*
 * retained.c - add up objects along the tree of dominators.
 */
#include <stdlib.h>
#include <string.h>

#include "dominators.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "pass.h"
#include "retained.h"

/* Rows of @roots that are not roots. */
enum { KMA_RETAINED_SEVERAL, KMA_RETAINED_NOTHING, KMA_RETAINED_SCAN, KMA_RETAINED_RESTS };

/* State of the sums. Arrays are by place of a dominator, and have one more for the top. */
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
};

void kma_retained_deinit(struct kma_retained *retained)
{
	free(retained->roots);
	free(retained->callers);
	kma_notes_deinit(&retained->notes);
	kma_arena_deinit(&retained->texts);
	*retained = (struct kma_retained){ 0 };
}

/* The object at a place; KMA_HEAP_NONE for a group, or a range that is not an object. */
static uint32_t kma_retained_object(const struct kma_retained_sums *sums, uint32_t place)
{
	uint32_t node = sums->dominators.node[place];

	return node < sums->graph->nr && kma_graph_is_object(sums->graph, node) ? node :
										  KMA_HEAP_NONE;
}

static const char *kma_retained_text(struct kma_retained *ret, const char *text)
{
	return kma_arena_text(&ret->texts, text, strlen(text));
}

/* Add up from the deepest places to the top. */
static struct kma_err *kma_retained_add(struct kma_retained_sums *sums)
{
	const struct kma_dominators *dominators = &sums->dominators;
	size_t room = (size_t)dominators->nr + 1;

	sums->bytes = calloc(room, sizeof(*sums->bytes));
	sums->objects = calloc(room, sizeof(*sums->objects));
	sums->child = calloc(room, sizeof(*sums->child));
	sums->next = calloc(room, sizeof(*sums->next));
	if (!sums->bytes || !sums->objects || !sums->child || !sums->next)
		return &kma_enomem;
	for (uint32_t at = dominators->nr; at; at--) {
		uint32_t object = kma_retained_object(sums, at), above = dominators->above[at];

		if (object != KMA_HEAP_NONE) {
			sums->bytes[at] += sums->graph->objects[object].len;
			sums->objects[at]++;
		}
		sums->bytes[above] += sums->bytes[at];
		sums->objects[above] += sums->objects[at];
		sums->next[at] = sums->child[above];
		sums->child[above] = at;
	}
	return NULL;
}

/* The rows of groups, and of what is directly below the top. */
static void kma_retained_groups(struct kma_retained_sums *sums)
{
	const struct kma_root_groups *groups = sums->groups;
	struct kma_retained_row *rows = sums->result->roots;
	struct kma_retained_row *several = &rows[groups->nr + KMA_RETAINED_SEVERAL];

	for (uint32_t at = sums->child[0]; at; at = sums->next[at]) {
		uint32_t node = sums->dominators.node[at];
		struct kma_retained_row *row =
			node < sums->graph->nr ? several : &rows[node - sums->graph->nr];

		row->bytes += sums->bytes[at];
		row->objects += sums->objects[at];
	}
	for (uint32_t i = 0; i < groups->nr; i++) {
		rows[i].direct = groups->first[i + 1] - groups->first[i];
		rows[i].rest = groups->list[i].class == KMA_ROOT_WAS_FREE;
	}
}

/* Objects of the list by call site, and those that no root reaches. */
static void kma_retained_live(struct kma_retained_sums *sums, const bool *reached)
{
	struct kma_retained *ret = sums->result;
	struct kma_retained_row *rests = &ret->roots[sums->groups->nr];

	for (uint32_t i = 0; i < sums->graph->nr; i++) {
		const struct kma_graph_object *object = &sums->graph->objects[i];
		bool is = kma_graph_is_object(sums->graph, i);

		if (object->site == KMA_HEAP_FREE)
			continue;
		ret->bytes += object->len;
		ret->objects++;
		if (!reached[i]) {
			rests[is ? KMA_RETAINED_NOTHING : KMA_RETAINED_SCAN].bytes += object->len;
			rests[is ? KMA_RETAINED_NOTHING : KMA_RETAINED_SCAN].objects++;
		}
		if (!is)
			continue;
		ret->callers[object->site].own += object->len;
		ret->callers[object->site].direct++;
		if (!reached[i]) {
			ret->callers[object->site].bytes += object->len;
			ret->callers[object->site].objects++;
		}
	}
}

/* Enter a place, or leave it: what is below several objects of a call site counts once. */
static void kma_retained_step(struct kma_retained_sums *sums, uint32_t place, bool enter)
{
	uint32_t object = kma_retained_object(sums, place), site;

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
static void kma_retained_walk(struct kma_retained_sums *sums)
{
	uint32_t at = sums->child[0];

	while (at) {
		kma_retained_step(sums, at, true);
		if (sums->child[at]) {
			at = sums->child[at];
			continue;
		}
		while (at && !sums->next[at]) {
			kma_retained_step(sums, at, false);
			at = sums->dominators.above[at];
		}
		if (at) {
			kma_retained_step(sums, at, false);
			at = sums->next[at];
		}
	}
}

static int kma_retained_compare(const void *a, const void *b)
{
	const struct kma_retained_row *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	if (x->direct != y->direct)
		return x->direct > y->direct ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Leave out empty rows, name the others, and sort them. */
static struct kma_err *kma_retained_rows(struct kma_retained_sums *sums, uint32_t nr_sites)
{
	static const char *const rests[] = { [KMA_RETAINED_SEVERAL] = "several roots",
					     [KMA_RETAINED_NOTHING] = "nothing",
					     [KMA_RETAINED_SCAN] = "memory of the scan" };
	struct kma_retained *ret = sums->result;
	uint32_t nr = sums->groups->nr;

	for (uint32_t i = 0; i < nr + KMA_RETAINED_RESTS; i++) {
		struct kma_retained_row row = ret->roots[i];

		row.rest |= i >= nr;
		if (row.rest && !row.objects)
			continue;
		row.name =
			kma_retained_text(ret, i < nr ? sums->groups->list[i].name : rests[i - nr]);
		if (!row.name)
			return &kma_enomem;
		ret->roots[ret->nr_roots++] = row;
	}
	for (uint32_t i = 0; i < nr_sites; i++) {
		struct kma_retained_row row = ret->callers[i];

		if (!row.direct)
			continue;
		row.name = kma_retained_text(ret, kma_listing_caller(sums->sites, i));
		if (!row.name)
			return &kma_enomem;
		ret->callers[ret->nr_callers++] = row;
	}
	qsort(ret->roots, ret->nr_roots, sizeof(*ret->roots), kma_retained_compare);
	qsort(ret->callers, ret->nr_callers, sizeof(*ret->callers), kma_retained_compare);
	return NULL;
}

static struct kma_err *kma_retained_all(struct kma_retained_sums *sums)
{
	_cleanup_free_ bool *reached = calloc((size_t)sums->graph->nr + 1, sizeof(*reached));
	const struct kma_graph *graph = sums->graph;
	struct kma_retained *ret = sums->result;
	uint32_t nr_sites = 1;
	struct kma_err *err;

	for (uint32_t i = 0; i < graph->nr; i++)
		if (kma_graph_is_object(graph, i) && graph->objects[i].site >= nr_sites)
			nr_sites = graph->objects[i].site + 1;
	ret->roots = calloc((size_t)sums->groups->nr + KMA_RETAINED_RESTS, sizeof(*ret->roots));
	ret->callers = calloc(nr_sites, sizeof(*ret->callers));
	sums->open = calloc(nr_sites, sizeof(*sums->open));
	if (!reached || !ret->roots || !ret->callers || !sums->open)
		return &kma_enomem;
	err = kma_dominators_find(graph, sums->groups, &sums->dominators);
	if (!err)
		err = kma_retained_add(sums);
	if (err)
		return err;
	for (uint32_t at = 1; at <= sums->dominators.nr; at++)
		if (sums->dominators.node[at] < graph->nr)
			reached[sums->dominators.node[at]] = true;
	kma_retained_groups(sums);
	kma_retained_live(sums, reached);
	kma_retained_walk(sums);
	return kma_retained_rows(sums, nr_sites);
}

struct kma_err *kma_retained_make(const struct kma_graph *graph,
				  const struct kma_root_groups *groups,
				  const struct kma_listing_sites *sites, struct kma_retained *ret)
{
	struct kma_retained_sums sums = { graph, groups, sites, .result = ret };
	struct kma_err *err = kma_retained_all(&sums);

	kma_dominators_deinit(&sums.dominators);
	free(sums.bytes);
	free(sums.objects);
	free(sums.child);
	free(sums.next);
	free(sums.open);
	return err;
}

struct kma_err *kma_retained_scan(const struct kma_heap_source *source, const int *stop,
				  struct kma_retained *ret)
{
	struct kma_root_groups groups = { 0 };
	struct kma_pass pass;
	struct kma_err *err;

	err = kma_pass_named(&pass, source, &groups, stop, &ret->notes);
	if (!err)
		err = kma_retained_make(&pass.graph, &groups, &pass.sites, ret);
	kma_root_groups_deinit(&groups);
	kma_pass_close(&pass);
	return err;
}
