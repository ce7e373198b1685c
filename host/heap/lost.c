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
#include "lib/array.h"
#include "lib/cleanup.h"
#include "listing.h"
#include "lost.h"
#include "pass.h"
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
	uint64_t begin;	  /* ns of CLOCK_MONOTONIC */
	uint64_t *live;	  /* by site: objects at the end */
	uint64_t *oldest; /* by site: age of the oldest lost object in ns */
	bool *found;	  /* by place in @set: listed at the end */
};

static uint64_t kma_lost_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

void kma_lost_set_deinit(struct kma_lost_set *set)
{
	free(set->list);
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
static size_t kma_lost_place(const struct kma_lost_set *set, uint64_t addr)
{
	size_t i = kma_array_search(set->nr, n, (set->list[n].key ^ KMA_HEAP_KEY) < addr);

	return i < set->nr && (set->list[i].key ^ KMA_HEAP_KEY) == addr ? i : set->nr;
}

/* Was an object of the list born after a moment? Without age nobody knows. */
static bool kma_lost_born_since(const struct kma_listing_object *object, uint64_t moment)
{
	return object->has_age && object->age < kma_lost_clock() - moment;
}

static uint32_t kma_lost_site(void *arg, const struct kma_listing_object *object)
{
	const struct kma_lost_scan *scan = arg;
	bool young = !scan->wish->no_age && kma_lost_born_since(object, scan->begin);

	return object->site | (young ? KMA_LOST_YOUNG : 0);
}

/* Does a call site hold its objects in a way that a scan cannot see? */
static bool kma_lost_unseen(void *arg, uint32_t site)
{
	const struct kma_lost_scan *scan = arg;

	return kma_unseen_find(kma_listing_caller(&scan->pass.sites, site & ~KMA_LOST_YOUNG));
}

/* Objects without a call site of their own ("[before]") are never lost. */
static bool kma_lost_may_be(const struct kma_lost_scan *scan, uint32_t site)
{
	return !(site & KMA_LOST_YOUNG) && *kma_listing_caller(&scan->pass.sites, site) != '[';
}

/* The first pass: each object that may be lost is a candidate. */
static struct kma_err *kma_lost_first(struct kma_lost_scan *scan)
{
	const struct kma_graph *graph = &scan->pass.graph;

	for (uint32_t i = 0; i < graph->nr; i++) {
		const struct kma_graph_object *object = &graph->objects[i];

		if (!kma_lost_may_be(scan, object->site))
			continue;
		kma_array_room(scan->set.list, scan->set.nr, scan->set.room);
		scan->set.list[scan->set.nr++] =
			(struct kma_lost_object){ .key = object->key,
						  .site = object->site,
						  .len = object->len,
						  .sum = graph->sums[i],
						  .unreached = !graph->reached[i] };
	}
	return NULL;
}

/* Keep the candidates that are unchanged and can still be unreached in @need of @left more passes. */
static void kma_lost_keep(struct kma_lost_scan *scan, unsigned int need, unsigned int left)
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

static struct kma_err *kma_lost_pass(struct kma_lost_scan *scan, unsigned int number)
{
	struct kma_lost_pass *pass = &scan->result->passes[number];
	unsigned int passes = scan->wish->passes;
	uint64_t begin = kma_lost_clock();
	struct kma_err *err;

	if (scan->wish->progress)
		scan->wish->progress(scan->wish->arg, number + 1, passes);
	err = kma_pass_read(&scan->pass, kma_lost_site, scan, scan->wish->stop);
	if (!err)
		err = kma_graph_mark(&scan->pass.graph);
	if (!err)
		err = kma_graph_mark_from(&scan->pass.graph, kma_lost_unseen, scan);
	if (!err && !number)
		err = kma_lost_first(scan);
	if (err)
		return err;
	if (number)
		kma_lost_keep(scan, passes < KMA_LOST_NEED ? passes : KMA_LOST_NEED,
			      passes - 1 - number);
	for (uint32_t i = 0; i < scan->pass.graph.nr; i++) {
		bool is = kma_graph_is_object(&scan->pass.graph, i);

		pass->objects += is;
		pass->unreached += is && !scan->pass.graph.reached[i];
	}
	pass->counts = scan->pass.graph.counts;
	pass->free = scan->pass.free;
	pass->ns = kma_lost_clock() - begin;
	return NULL;
}

/* Wait between two passes, or until the scan is stopped. */
static void kma_lost_wait(const struct kma_lost_wish *wish)
{
	uint64_t end = kma_lost_clock() + wish->between;

	while (!__atomic_load_n(wish->stop, __ATOMIC_RELAXED) && kma_lost_clock() < end)
		usleep(20000);
}

/* An object of the list at the end. */
static struct kma_err *kma_lost_confirm(void *arg, const struct kma_listing_object *object)
{
	struct kma_lost_scan *scan = arg;
	bool older = scan->wish->since && !kma_lost_born_since(object, scan->wish->since);
	size_t place;

	/* The module may have new call sites by now. */
	if (object->site >= scan->pass.sites.nr)
		return NULL;
	scan->live[object->site] += !older;
	place = kma_lost_place(&scan->set, object->addr);
	if (place == scan->set.nr || scan->set.list[place].site != object->site ||
	    (!scan->wish->no_age && kma_lost_born_since(object, scan->begin)))
		return NULL;
	scan->found[place] = true;
	scan->set.list[place].older = older;
	if (!older && object->has_age && object->age > scan->oldest[object->site])
		scan->oldest[object->site] = object->age;
	return NULL;
}

/* Remove what is not in the list any more, or was reached in too many passes of one. */
static struct kma_err *kma_lost_end(struct kma_lost_scan *scan)
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
	scan->found = calloc(set->nr + 1, sizeof(*scan->found));
	scan->live = calloc((size_t)scan->pass.sites.nr + 1, sizeof(*scan->live));
	scan->oldest = calloc((size_t)scan->pass.sites.nr + 1, sizeof(*scan->oldest));
	if (!scan->found || !scan->live || !scan->oldest)
		return &kma_enomem;
	err = kma_listing_read(scan->pass.running.live, kma_lost_confirm, scan);
	for (size_t i = 0; i < set->nr; i++)
		if (scan->found[i])
			set->list[kept++] = set->list[i];
	set->nr = kept;
	return err;
}

/* Find the heads of the lost objects by the edges of the last pass. */
static struct kma_err *kma_lost_heads(struct kma_lost_scan *scan)
{
	_cleanup_free_ uint32_t *numbers = malloc((scan->set.nr + 1) * sizeof(*numbers));
	_cleanup_free_ bool *head = calloc(scan->set.nr + 1, sizeof(*head));
	struct kma_err *err;

	if (!numbers || !head)
		return &kma_enomem;
	for (size_t i = 0; i < scan->set.nr; i++)
		numbers[i] =
			kma_graph_find(&scan->pass.graph, scan->set.list[i].key ^ KMA_HEAP_KEY);
	err = kma_graph_heads(&scan->pass.graph, numbers, scan->set.nr, head);
	for (size_t i = 0; i < scan->set.nr; i++)
		scan->set.list[i].head = head[i];
	return err;
}

static int kma_lost_compare(const void *a, const void *b)
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
static struct kma_err *kma_lost_rows(struct kma_lost_scan *scan)
{
	struct kma_lost *lost = scan->result;
	struct kma_lost_row *rows;
	size_t nr = 0;

	rows = calloc((size_t)scan->pass.sites.nr + 1, sizeof(*rows));
	if (!rows)
		return &kma_enomem;
	for (size_t i = 0; i < scan->set.nr; i++) {
		const struct kma_lost_object *object = &scan->set.list[i];
		size_t known =
			scan->before ? kma_lost_place(scan->before, object->key ^ KMA_HEAP_KEY) : 0;

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
	for (uint32_t site = 0; site < scan->pass.sites.nr; site++) {
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
	qsort(rows, nr, sizeof(*rows), kma_lost_compare);
	return NULL;
}

static struct kma_err *kma_lost_do(struct kma_lost_scan *scan)
{
	const struct kma_lost_wish *wish = scan->wish;
	struct kma_err *err;

	err = kma_pass_open(&scan->pass, &wish->source, &scan->result->notes);
	if (!err && !wish->no_age)
		err = kma_running_age_on(&scan->pass.running);
	scan->begin = kma_lost_clock();
	for (unsigned int i = 0; i < wish->passes && !err; i++) {
		if (i)
			kma_lost_wait(wish);
		err = kma_lost_pass(scan, i);
	}
	if (!err)
		err = kma_lost_end(scan);
	scan->result->ended = kma_lost_clock();
	if (!err)
		kma_pass_lacks(&scan->pass, &scan->result->notes);
	if (!err)
		err = kma_lost_heads(scan);
	return err ?: kma_lost_rows(scan);
}

struct kma_err *kma_lost_scan(const struct kma_lost_wish *wish, const struct kma_lost_set *before,
			      struct kma_lost_set *set, struct kma_lost *ret)
{
	struct kma_lost_scan scan = { .wish = wish, .before = before, .result = ret };
	struct kma_err *err;

	ret->passes = calloc(wish->passes, sizeof(*ret->passes));
	if (!ret->passes)
		return &kma_enomem;
	ret->nr_passes = wish->passes;
	err = kma_lost_do(&scan);
	if (wish->progress)
		wish->progress(wish->arg, 0, wish->passes);
	free(scan.live);
	free(scan.oldest);
	free(scan.found);
	/* The rows keep the names. */
	ret->texts = scan.pass.sites.texts;
	kma_arena_init(&scan.pass.sites.texts);
	kma_pass_close(&scan.pass);
	if (!err && set)
		*set = scan.set;
	else
		kma_lost_set_deinit(&scan.set);
	return err;
}
