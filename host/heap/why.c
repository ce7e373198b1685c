// SPDX-License-Identifier: GPL-2.0-only
/*
 * why.c - one scan, a path from each object to a root, and the tree of these paths.
 *
 * The search goes breadth first from the roots, one class of them after the other. The tree is made
 * from its trunk: the objects that were asked for are sorted by what holds them, and each group is
 * sorted again by what holds its holders.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/cleanup.h"
#include "pass.h"
#include "why.h"

/* Holders of one call site at more offsets than this share a row: slots of an array. */
#define KMA_WHY_OFFSETS 4

/* Objects of a call site that hold each other through fewer than this of others are a list. */
#define KMA_WHY_PERIOD 4

/* Most levels below a root. */
#define KMA_WHY_LEVELS 16

/* How an object is held. */
struct kma_why_path {
	uint32_t holder; /* object; KMA_HEAP_NONE: held by a root, or by nothing */
	uint32_t root;	 /* place in kma_graph.roots; KMA_HEAP_NONE: none */
	uint32_t first;	 /* the object that is reached first of those of one call site in a row */
};

/* One of the objects that were asked for, and what holds the place of the tree that it is at. */
struct kma_why_item {
	uint32_t at;   /* object */
	uint32_t next; /* holder; KMA_HEAP_NONE after a root */
	uint32_t site; /* of the holder */
	enum kma_why_kind kind;
	int64_t offset;
	const char *name; /* of a root */
};

struct kma_why_scan {
	const struct kma_why_wish *wish;
	struct kma_why *result;
	struct kma_pass pass;
	struct kma_root_groups groups;
	struct kma_why_path *paths; /* by object */
	unsigned char *words;	    /* by object: place of the word in its holder */
	bool *wanted;		    /* by group of roots, if the wish names one: it has that name */
	uint32_t *queue;
	struct kma_why_item *items;
	size_t nr;
};

void kma_why_deinit(struct kma_why *why)
{
	free(why->rows);
	kma_notes_deinit(&why->notes);
	kma_arena_deinit(&why->texts);
	*why = (struct kma_why){ 0 };
}

/*
 * The object that is reached first of those of one call site on the path to @to. Between two of
 * them may be objects of other sites, as in a list of the kernel that has timers of two drivers.
 */
static uint32_t kma_why_first(const struct kma_why_scan *scan, uint32_t to)
{
	const struct kma_graph_object *objects = scan->pass.graph.objects;
	uint32_t at = scan->paths[to].holder;

	for (unsigned int i = 0; i < KMA_WHY_PERIOD && at != KMA_HEAP_NONE; i++) {
		if (objects[at].site == objects[to].site)
			return scan->paths[at].first;
		at = scan->paths[at].holder;
	}
	return to;
}

/* Find what the objects of the queue hold, and what these hold. */
static void kma_why_spread(struct kma_why_scan *scan, uint32_t begin, uint32_t *end)
{
	const struct kma_graph *graph = &scan->pass.graph;

	for (uint32_t at = begin; at < *end; at++) {
		uint32_t from = scan->queue[at];

		for (uint32_t e = graph->first[from]; e < graph->first[from + 1]; e++) {
			uint32_t to = graph->to[e];

			if (graph->reached[to])
				continue;
			graph->reached[to] = 1;
			scan->words[to] = graph->words[e];
			scan->paths[to].holder = from;
			scan->paths[to].first = kma_why_first(scan, to);
			scan->queue[(*end)++] = to;
		}
	}
}

/* True if a root has the name that was asked for, or is a variable of that name or module. */
static bool kma_why_is_from(const char *name, const char *from)
{
	static const char *const titles[] = { "", "variable ", "per-CPU variable " };
	const char *module = strchr(name, '[');
	size_t len = strlen(from);

	if (module && !strncmp(module + 1, from, len) && !strcmp(module + 1 + len, "]"))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
		size_t skip = strlen(titles[i]);

		if (!strncmp(name, titles[i], skip) && !strncmp(name + skip, from, len) &&
		    (!name[skip + len] || !strncmp(name + skip + len, " [", 2)))
			return true;
	}
	return false;
}

/* Find a path for each object, from the roots of one class after the other. */
static struct kma_err *kma_why_paths(struct kma_why_scan *scan)
{
	const struct kma_root_groups *groups = &scan->groups;
	struct kma_graph *graph = &scan->pass.graph;
	uint32_t begin = 0, end = 0;

	scan->paths = calloc((size_t)graph->nr + 1, sizeof(*scan->paths));
	scan->words = calloc((size_t)graph->nr + 1, 1);
	scan->queue = calloc((size_t)graph->nr + 1, sizeof(*scan->queue));
	scan->wanted = calloc((size_t)groups->nr + 1, sizeof(*scan->wanted));
	if (!scan->paths || !scan->words || !scan->queue || !scan->wanted)
		return &kma_enomem;
	for (uint32_t i = 0; i < groups->nr && scan->wish->from; i++)
		scan->wanted[i] = kma_why_is_from(groups->list[i].name, scan->wish->from);
	memset(graph->reached, 0, graph->nr);
	for (uint32_t i = 0; i < graph->nr; i++)
		scan->paths[i] = (struct kma_why_path){ KMA_HEAP_NONE, KMA_HEAP_NONE, i };
	for (unsigned int kind = 0; kind < KMA_ROOT_CLASSES; kind++) {
		for (size_t i = 0; i < graph->nr_roots; i++) {
			uint32_t to = graph->roots[i].to;

			if (groups->list[groups->of[i]].class != kind || graph->reached[to])
				continue;
			graph->reached[to] = 1;
			scan->paths[to].root = i;
			scan->queue[end++] = to;
		}
		kma_why_spread(scan, begin, &end);
		begin = end;
	}
	/* What was free before the scan, but is not after it, is a root without a name. */
	for (uint32_t i = 0; i < graph->nr; i++)
		if (graph->objects[i].site == KMA_HEAP_FREE && !graph->still[i] &&
		    !graph->reached[i]) {
			graph->reached[i] = 1;
			scan->queue[end++] = i;
		}
	kma_why_spread(scan, begin, &end);
	return NULL;
}

/* True if an object is of the call site that was asked for, or has the address. */
static bool kma_why_wanted(const struct kma_why_scan *scan, uint32_t object)
{
	const char *caller, *wanted = scan->wish->caller;
	size_t len;

	if (!wanted)
		return object == kma_graph_find(&scan->pass.graph, scan->wish->key ^ KMA_HEAP_KEY);
	caller = kma_listing_caller(&scan->pass.sites, scan->pass.graph.objects[object].site);
	len = strlen(wanted);
	return !strncmp(caller, wanted, len) &&
	       (!caller[len] || caller[len] == '+' || (caller[len] == ' ' && strchr(wanted, '+')));
}

static struct kma_err *kma_why_choose(struct kma_why_scan *scan)
{
	size_t room = 0;

	for (uint32_t i = 0; i < scan->pass.graph.nr; i++) {
		if (!kma_graph_is_object(&scan->pass.graph, i) || !kma_why_wanted(scan, i))
			continue;
		if (!kma_array_room(scan->items, scan->nr, room))
			return &kma_enomem;
		scan->items[scan->nr++] = (struct kma_why_item){ .at = i };
	}
	scan->result->objects = scan->nr;
	if (scan->nr)
		return NULL;
	return scan->wish->caller ? kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
							"no live object of the call site '%s'",
							scan->wish->caller) :
				    kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
							"no live object has this address");
}

static int64_t kma_why_offset(const struct kma_why_scan *scan, uint32_t object)
{
	return scan->words[object] == KMA_HEAP_FAR ? -1 : 8 * (int64_t)scan->words[object];
}

/* Find what holds the object that an item is at. @fold: as one row if it is of the same call site. */
static void kma_why_step(struct kma_why_scan *scan, struct kma_why_item *item, bool fold)
{
	const struct kma_why_path *path = &scan->paths[item->at];
	const struct kma_graph_object *objects = scan->pass.graph.objects;

	item->next = path->holder;
	item->name = NULL;
	item->site = 0;
	item->offset = -1;
	if (path->holder != KMA_HEAP_NONE && objects[path->holder].site != KMA_HEAP_FREE) {
		item->kind = KMA_WHY_OBJECTS;
		item->site = objects[path->holder].site;
		item->offset = kma_why_offset(scan, item->at);
		if (fold && path->first != item->at) {
			item->kind = KMA_WHY_LIST;
			item->next = path->first;
			if (item->site != objects[item->at].site)
				item->offset = -1;
			item->site = objects[item->at].site;
		}
		return;
	}
	if (path->root != KMA_HEAP_NONE) {
		item->kind = KMA_WHY_ROOT;
		item->name = scan->groups.list[scan->groups.of[path->root]].name;
		item->offset = scan->groups.offsets[path->root];
		return;
	}
	item->next = KMA_HEAP_NONE;
	item->kind = scan->pass.graph.reached[item->at] ? KMA_WHY_ROOT : KMA_WHY_LOST;
	item->name = item->kind == KMA_WHY_LOST ? "nothing" : KMA_ROOT_WAS_FREE_NAME;
}

/* By kind, holder and offset. */
static int kma_why_compare(const void *a, const void *b)
{
	const struct kma_why_item *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	if (x->name && y->name && strcmp(x->name, y->name))
		return strcmp(x->name, y->name);
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool kma_why_same_holder(const struct kma_why_item *x, const struct kma_why_item *y)
{
	return x->kind == y->kind && x->site == y->site && (!x->name || !strcmp(x->name, y->name));
}

/* Roots have a row for each name, arrays one for all their slots, lists one for their directions. */
static void kma_why_join_offsets(struct kma_why_item *items, size_t nr)
{
	size_t end, different;

	for (size_t i = 0; i < nr; i = end) {
		different = 1;
		for (end = i + 1; end < nr && kma_why_same_holder(&items[i], &items[end]); end++)
			different += items[end].offset != items[end - 1].offset;
		if (different == 1)
			continue;
		for (size_t n = i; n < end; n++) {
			if (items[i].kind == KMA_WHY_LIST)
				items[n].offset = items[i].offset;
			else if (items[i].kind != KMA_WHY_OBJECTS || different > KMA_WHY_OFFSETS)
				items[n].offset = -1;
		}
	}
}

/* A group of items that share a row. */
struct kma_why_group {
	size_t first, nr;
};

static int kma_why_larger(const void *a, const void *b)
{
	const struct kma_why_group *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr > y->nr ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static struct kma_err *kma_why_row(struct kma_why_scan *scan, const struct kma_why_item *item,
				   unsigned int depth, size_t objects)
{
	struct kma_why *why = scan->result;
	const char *name = item->name ?: kma_listing_caller(&scan->pass.sites, item->site);

	name = kma_arena_text(&why->texts, name, strlen(name));
	if (!name || !kma_array_room(why->rows, why->nr, why->room))
		return &kma_enomem;
	why->rows[why->nr++] = (struct kma_why_row){ .kind = item->kind,
						     .depth = depth,
						     .objects = objects,
						     .offset = item->offset,
						     .name = name };
	return NULL;
}

/* The rows of what holds items. Calls itself, at most kma_why_wish.depth times. */
static struct kma_err *kma_why_level(struct kma_why_scan *scan, struct kma_why_item *items,
				     size_t nr, unsigned int depth)
{
	static const struct kma_why_item deep = { .kind = KMA_WHY_DEEP,
						  .offset = -1,
						  .name = "..." };
	_cleanup_free_ struct kma_why_group *groups = NULL;
	size_t nr_groups = 0, room = 0;
	struct kma_err *err = NULL;

	if (depth > scan->wish->depth)
		return kma_why_row(scan, &deep, depth, nr);
	for (size_t i = 0; i < nr; i++)
		kma_why_step(scan, &items[i], scan->wish->caller);
	qsort(items, nr, sizeof(*items), kma_why_compare);
	kma_why_join_offsets(items, nr);
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && kma_why_same_holder(&items[i], &items[end]) &&
				  items[i].offset == items[end].offset;
		     end++)
			;
		if (!kma_array_room(groups, nr_groups, room))
			return &kma_enomem;
		groups[nr_groups++] = (struct kma_why_group){ i, end - i };
	}
	qsort(groups, nr_groups, sizeof(*groups), kma_why_larger);
	for (size_t g = 0; g < nr_groups && !err; g++) {
		struct kma_why_item *first = &items[groups[g].first];
		bool more = first->kind == KMA_WHY_OBJECTS || first->kind == KMA_WHY_LIST;

		err = kma_why_row(scan, first, depth, groups[g].nr);
		for (size_t i = 0; i < groups[g].nr && more; i++)
			first[i].at = first[i].next;
		if (!err && more)
			err = kma_why_level(scan, first, groups[g].nr, depth + 1);
	}
	return err;
}

/* An object that a root holds, and the call sites on the path to it, from the root on. */
struct kma_why_held {
	uint32_t nr;
	uint32_t sites[KMA_WHY_LEVELS];
};

/* Find the path from the root to an object; false if another root holds it. */
static bool kma_why_held(const struct kma_why_scan *scan, uint32_t object,
			 struct kma_why_held *held)
{
	const struct kma_why_path *path = &scan->paths[object];
	uint32_t at = object, nr = 0;

	for (;; at = path->holder, nr++) {
		at = scan->paths[at].first;
		path = &scan->paths[at];
		if (path->holder == KMA_HEAP_NONE)
			break;
	}
	if (path->root == KMA_HEAP_NONE || !scan->wanted[scan->groups.of[path->root]])
		return false;
	held->nr = ++nr < KMA_WHY_LEVELS ? nr : KMA_WHY_LEVELS;
	/* The levels that are too deep are left out. */
	for (at = object; nr; nr--) {
		at = scan->paths[at].first;
		if (nr <= KMA_WHY_LEVELS)
			held->sites[nr - 1] = scan->pass.graph.objects[at].site;
		at = scan->paths[at].holder;
	}
	return true;
}

static int kma_why_compare_held(const void *a, const void *b)
{
	const struct kma_why_held *x = a, *y = b;
	uint32_t nr = x->nr < y->nr ? x->nr : y->nr;

	for (uint32_t i = 0; i < nr; i++)
		if (x->sites[i] != y->sites[i])
			return x->sites[i] < y->sites[i] ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

/* The rows below a root or an object. Calls itself, at most KMA_WHY_LEVELS times. */
static struct kma_err *kma_why_below(struct kma_why_scan *scan, const struct kma_why_held *held,
				     size_t nr, unsigned int level)
{
	_cleanup_free_ struct kma_why_group *groups = NULL;
	size_t nr_groups = 0, room = 0;
	struct kma_err *err = NULL;

	for (size_t i = 0, end; i < nr; i = end) {
		end = i + 1;
		/* An object of the row above. */
		if (held[i].nr <= level)
			continue;
		while (end < nr && held[end].sites[level] == held[i].sites[level])
			end++;
		if (!kma_array_room(groups, nr_groups, room))
			return &kma_enomem;
		groups[nr_groups++] = (struct kma_why_group){ i, end - i };
	}
	if (nr_groups)
		qsort(groups, nr_groups, sizeof(*groups), kma_why_larger);
	for (size_t g = 0; g < nr_groups && !err && level < scan->wish->depth; g++) {
		struct kma_why_item item = { .kind = KMA_WHY_OBJECTS, .offset = -1 };

		item.site = held[groups[g].first].sites[level];
		err = kma_why_row(scan, &item, level + 1, groups[g].nr);
		if (!err)
			err = kma_why_below(scan, held + groups[g].first, groups[g].nr, level + 1);
	}
	return err;
}

/* What the roots of a name hold, directly and through other objects. */
static struct kma_err *kma_why_from(struct kma_why_scan *scan)
{
	_cleanup_free_ struct kma_why_held *held = NULL;
	struct kma_why_item trunk = { .kind = KMA_WHY_ROOT, .offset = -1 };
	struct kma_err *err;
	size_t room = 0;

	for (uint32_t i = 0; i < scan->pass.graph.nr; i++) {
		if (!kma_graph_is_object(&scan->pass.graph, i))
			continue;
		if (!kma_array_room(held, scan->nr, room))
			return &kma_enomem;
		held[scan->nr] = (struct kma_why_held){ 0 };
		scan->nr += kma_why_held(scan, i, &held[scan->nr]);
	}
	scan->result->objects = scan->nr;
	if (!scan->nr)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
					   "no root '%s' holds live objects", scan->wish->from);
	qsort(held, scan->nr, sizeof(*held), kma_why_compare_held);
	trunk.name = scan->wish->from;
	err = kma_why_row(scan, &trunk, 0, scan->nr);
	return err ?: kma_why_below(scan, held, scan->nr, 0);
}

static struct kma_err *kma_why_do(struct kma_why_scan *scan)
{
	struct kma_why_item trunk = { .kind = KMA_WHY_OBJECTS, .offset = -1 };
	struct kma_err *err;

	err = kma_pass_named(&scan->pass, &scan->groups, scan->wish->stop, &scan->result->notes);
	if (!err && !scan->wish->from)
		err = kma_why_choose(scan);
	if (!err)
		err = kma_why_paths(scan);
	if (err)
		return err;
	if (scan->wish->from)
		return kma_why_from(scan);
	trunk.site = scan->pass.graph.objects[scan->items[0].at].site;
	trunk.name = scan->wish->caller;
	err = kma_why_row(scan, &trunk, 0, scan->nr);
	return err ?: kma_why_level(scan, scan->items, scan->nr, 1);
}

struct kma_err *kma_why_scan(const struct kma_why_wish *wish, struct kma_why *ret)
{
	struct kma_why_scan scan = { .wish = wish, .result = ret };
	struct kma_err *err = kma_why_do(&scan);

	kma_root_groups_deinit(&scan.groups);
	kma_pass_close(&scan.pass);
	free(scan.paths);
	free(scan.words);
	free(scan.wanted);
	free(scan.queue);
	free(scan.items);
	return err;
}
