// SPDX-License-Identifier: GPL-2.0-only
/*
 * lost.c - several passes of a scan, and what all of them agree on.
 *
 * Each pass reads the list of live objects, finds the free ones, and scans all memory. The first
 * pass makes the candidates: its objects that were born before the scan. A later pass removes the
 * candidates that are gone, were born since, or have changed, and those that can no longer be
 * unreached in enough passes. In the end the list of live objects is read once more: an object that
 * is not in it was freed in the meantime.
 *
 * The slab allocator hands out the object that was freed last, so an address with the same call
 * site need not be the same object. With the switch age, the module says which objects were born
 * since the scan began.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "heads.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "listing.h"
#include "lost.h"
#include "pass.h"
#include "settle.h"
#include "unseen.h"

/* In the number of a site: the object was born since the scan began. */
#define KMA_LOST_YOUNG (1U << 31)

/* Passes in which an object has to be unreached, if there are as many. */
#define KMA_LOST_NEED 2

/* State of a scan. */
struct kma_lost_scan {
	const struct kma_lost_wish *wish;
	const struct kma_lost_set *before;
	struct kma_lost *result;
	struct kma_pass pass; /* the current one */
	struct kma_lost_set set;
	uint64_t begin;	   /* ns of CLOCK_MONOTONIC */
	uint32_t nr_sites; /* at the end */
	uint64_t *live;	   /* by site: objects at the end */
	uint64_t *oldest;  /* by site: age of the oldest lost object in ns */
	bool *found;	   /* by place in @set: listed at the end */
};

static uint64_t lost_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

void kma_lost_set_deinit(struct kma_lost_set *set)
{
	kma_free_large(set->list);
	*set = (struct kma_lost_set){ 0 };
}

void kma_lost_deinit(struct kma_lost *lost)
{
	free(lost->rows);
	free(lost->passes);
	kma_notes_deinit(&lost->notes);
	kma_arena_deinit(&lost->texts);
	*lost = (struct kma_lost){ 0 };
}

/* Place of an address in a set; its size if it is not there. */
static size_t lost_place(const struct kma_lost_set *set, uint64_t addr)
{
	size_t i = kma_array_search(set->nr, n, (set->list[n].key ^ KMA_HEAP_KEY) < addr);

	return i < set->nr && (set->list[i].key ^ KMA_HEAP_KEY) == addr ? i : set->nr;
}

/* Was an object of the list born after a moment? Unknown without age. */
static bool lost_born_since(const struct kma_listing_object *object, uint64_t moment)
{
	return object->has_age && object->age < lost_clock() - moment;
}

static uint32_t lost_site(void *arg, const struct kma_listing_object *object)
{
	const struct kma_lost_scan *scan = arg;
	bool young = !scan->wish->no_age && lost_born_since(object, scan->begin);

	return object->site | (young ? KMA_LOST_YOUNG : 0);
}

/* Does a call site hold its objects in a way that a scan cannot see? */
static bool lost_unseen(void *arg, uint32_t site)
{
	const struct kma_lost_scan *scan = arg;

	return kma_unseen_find(kma_listing_caller(&scan->pass.sites, site & ~KMA_LOST_YOUNG));
}

/* Of the objects without a call site of their own only those of a known cache can be lost. */
static bool lost_may_be(const struct kma_lost_scan *scan, uint32_t site)
{
	return !(site & KMA_LOST_YOUNG) &&
	       (site >= scan->pass.listed || *kma_listing_caller(&scan->pass.sites, site) != '[');
}

/* The first pass: each object that may be lost is a candidate. */
static void lost_first(struct kma_lost_scan *scan)
{
	const struct kma_graph *graph = &scan->pass.graph;

	for (uint32_t i = 0; i < graph->nr; i++) {
		const struct kma_graph_object *object = &graph->objects[i];

		if (!lost_may_be(scan, object->site))
			continue;
		kma_array_room(scan->set.list, scan->set.nr, scan->set.room);
		scan->set.list[scan->set.nr++] =
			(struct kma_lost_object){ .key = object->key,
						  .site = object->site,
						  .len = object->len,
						  .sum = graph->sums[i],
						  .unreached = !graph->reached[i] };
	}
}

/*
 * Keep the candidates that are unchanged and can still be unreached in @need of @left more passes.
 */
static void lost_keep(struct kma_lost_scan *scan, unsigned int need, unsigned int left)
{
	const struct kma_graph *graph = &scan->pass.graph;
	struct kma_lost_set *set = &scan->set;
	size_t kept = 0;
	uint32_t at = 0;

	for (size_t i = 0; i < set->nr; i++) {
		struct kma_lost_object object = set->list[i];
		uint64_t addr = object.key ^ KMA_HEAP_KEY;

		while (at < graph->nr && (graph->objects[at].key ^ KMA_HEAP_KEY) < addr)
			at++;
		if (at == graph->nr || graph->objects[at].key != object.key ||
		    graph->objects[at].site != object.site ||
		    graph->objects[at].len != object.len || graph->sums[at] != object.sum)
			continue;
		if (!graph->reached[at] && object.unreached < UCHAR_MAX)
			object.unreached++;
		if (object.unreached + left >= need)
			set->list[kept++] = object;
	}
	set->nr = kept;
}

static struct kma_err *lost_pass(struct kma_lost_scan *scan, unsigned int number)
{
	struct kma_lost_pass *pass = &scan->result->passes[number];
	unsigned int passes = scan->wish->passes;
	uint64_t begin = lost_clock();
	struct kma_err *err;

	if (scan->wish->progress)
		scan->wish->progress(scan->wish->arg, number + 1, passes);
	err = kma_pass_read(&scan->pass, lost_site, scan, scan->wish->stop);
	if (err)
		return err;
	kma_graph_mark(&scan->pass.graph);
	kma_graph_mark_from(&scan->pass.graph, lost_unseen, scan);
	if (number)
		lost_keep(scan, passes < KMA_LOST_NEED ? passes : KMA_LOST_NEED,
			  passes - 1 - number);
	else
		lost_first(scan);
	for (uint32_t i = 0; i < scan->pass.graph.nr; i++) {
		bool is = kma_graph_is_object(&scan->pass.graph, i);

		pass->objects += is;
		pass->unreached += is && !scan->pass.graph.reached[i];
	}
	pass->counts = scan->pass.graph.counts;
	pass->free = scan->pass.free;
	pass->ns = lost_clock() - begin;
	return NULL;
}

/* Wait between two passes, or until the scan is stopped. */
static void lost_wait(const struct kma_lost_wish *wish)
{
	uint64_t end = lost_clock() + wish->between;

	while (!__atomic_load_n(wish->stop, __ATOMIC_RELAXED) && lost_clock() < end)
		usleep(20000);
	kma_settle(wish->between);
}

/* An object of the list at the end. */
static void lost_confirm(void *arg, const struct kma_listing_object *object)
{
	struct kma_lost_scan *scan = arg;
	bool older = scan->wish->since && !lost_born_since(object, scan->wish->since);
	size_t place;

	/* A cache may be new. */
	if (object->site >= scan->nr_sites)
		return;
	scan->live[object->site] += !older;
	place = lost_place(&scan->set, object->addr);
	if (place == scan->set.nr || scan->set.list[place].site != object->site ||
	    (!scan->wish->no_age && lost_born_since(object, scan->begin)))
		return;
	scan->found[place] = true;
	scan->set.list[place].older = older;
	if (!older && object->has_age && object->age > scan->oldest[object->site])
		scan->oldest[object->site] = object->age;
}

/* Remove what is not in the list any more, or was reached in too many passes of one. */
static struct kma_err *lost_end(struct kma_lost_scan *scan)
{
	struct kma_lost_set *set = &scan->set;
	struct kma_err *err;
	size_t kept = 0;

	if (scan->wish->passes == 1) {
		for (size_t i = 0; i < set->nr; i++)
			if (set->list[i].unreached)
				set->list[kept++] = set->list[i];
		set->nr = kept;
		kept = 0;
	}
	scan->nr_sites = scan->pass.sites.nr;
	scan->found = kma_xcalloc(set->nr + 1, sizeof(*scan->found));
	scan->live = kma_xcalloc((size_t)scan->nr_sites + 1, sizeof(*scan->live));
	scan->oldest = kma_xcalloc((size_t)scan->nr_sites + 1, sizeof(*scan->oldest));
	err = kma_pass_list(&scan->pass, lost_confirm, scan);
	if (err)
		return err;
	for (size_t i = 0; i < set->nr; i++)
		if (scan->found[i])
			set->list[kept++] = set->list[i];
	set->nr = kept;
	return NULL;
}

/* Find the heads of the lost objects by the edges of the last pass. */
static void lost_heads(struct kma_lost_scan *scan)
{
	_cleanup_free_ uint32_t *numbers = kma_xmalloc((scan->set.nr + 1) * sizeof(*numbers));
	_cleanup_free_ bool *head = kma_xcalloc(scan->set.nr + 1, sizeof(*head));

	for (size_t i = 0; i < scan->set.nr; i++)
		numbers[i] =
			kma_graph_find(&scan->pass.graph, scan->set.list[i].key ^ KMA_HEAP_KEY);
	kma_graph_heads(&scan->pass.graph, numbers, scan->set.nr, head);
	for (size_t i = 0; i < scan->set.nr; i++)
		scan->set.list[i].head = head[i];
}

static int lost_compare(const void *a, const void *b)
{
	const struct kma_lost_row *x = a, *y = b;

	if (!x->unseen != !y->unseen)
		return x->unseen ? 1 : -1;
	if (x->lost != y->lost)
		return x->lost < y->lost ? 1 : -1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return strcmp(x->caller, y->caller);
}

/* Add up the lost objects by call site. */
static void lost_rows(struct kma_lost_scan *scan)
{
	struct kma_lost *lost = scan->result;
	struct kma_lost_row *rows;
	size_t nr = 0;

	rows = kma_xcalloc((size_t)scan->nr_sites + 1, sizeof(*rows));
	for (size_t i = 0; i < scan->set.nr; i++) {
		const struct kma_lost_object *object = &scan->set.list[i];
		size_t known = scan->before ? lost_place(scan->before, object->key ^ KMA_HEAP_KEY) :
					      0;

		if (scan->before && known < scan->before->nr &&
		    scan->before->list[known].site == object->site)
			continue;
		if (object->older) {
			lost->older++;
			continue;
		}
		rows[object->site].lost++;
		rows[object->site].heads += object->head;
		rows[object->site].bytes += object->len;
	}
	for (uint32_t site = 0; site < scan->nr_sites; site++) {
		lost->live += scan->live[site];
		if (!rows[site].lost)
			continue;
		rows[site].site = site;
		rows[site].live = scan->live[site];
		rows[site].oldest = scan->oldest[site];
		rows[site].caller = kma_listing_caller(&scan->pass.sites, site);
		rows[site].unseen = kma_unseen_find(rows[site].caller);
		if (rows[site].unseen) {
			lost->nr_unseen++;
		} else {
			lost->lost += rows[site].lost;
			lost->bytes += rows[site].bytes;
		}
		rows[nr++] = rows[site];
	}
	lost->rows = rows;
	lost->nr = nr - lost->nr_unseen;
	qsort(rows, nr, sizeof(*rows), lost_compare);
}

static struct kma_err *lost_do(struct kma_lost_scan *scan)
{
	const struct kma_lost_wish *wish = scan->wish;
	struct kma_err *err;

	err = kma_pass_open(&scan->pass, &wish->source, &scan->result->notes);
	if (!err && !wish->no_age && scan->pass.has_module)
		err = kma_running_age_on(&scan->pass.running);
	if (err)
		return err;
	scan->begin = lost_clock();
	for (unsigned int i = 0; i < wish->passes; i++) {
		if (i)
			lost_wait(wish);
		err = lost_pass(scan, i);
		if (err)
			return err;
	}
	err = lost_end(scan);
	if (err)
		return err;
	scan->result->ended = lost_clock();
	kma_pass_lacks(&scan->pass, &scan->result->notes);
	lost_heads(scan);
	lost_rows(scan);
	return NULL;
}

static void lost_free(struct kma_lost_scan *scan)
{
	free(scan->live);
	free(scan->oldest);
	free(scan->found);
	kma_pass_close(&scan->pass);
	kma_lost_set_deinit(&scan->set);
}

struct kma_err *kma_lost_scan(const struct kma_lost_wish *wish, const struct kma_lost_set *before,
			      struct kma_lost_set *set, struct kma_lost *ret)
{
	_cleanup_(lost_free) struct kma_lost_scan scan = { .wish = wish,
							   .before = before,
							   .result = ret };
	struct kma_err *err;

	ret->passes = kma_xcalloc(wish->passes, sizeof(*ret->passes));
	ret->nr_passes = wish->passes;
	err = lost_do(&scan);
	if (wish->progress)
		wish->progress(wish->arg, 0, wish->passes);
	if (err)
		return err;
	/* The rows keep the names. */
	ret->texts = scan.pass.sites.texts;
	kma_arena_init(&scan.pass.sites.texts);
	if (set) {
		*set = scan.set;
		scan.set = (struct kma_lost_set){ 0 };
	}
	return NULL;
}
