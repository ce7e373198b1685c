// SPDX-License-Identifier: GPL-2.0-only
/*
 * why.c - the tree of paths from objects to roots.
 *
 * The tree is made from its trunk: the objects that were asked for are sorted by what holds them, and each group is
 * sorted again by what holds its holders.
 */
#include <stdlib.h>
#include <string.h>

#include "census.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "scan.h"
#include "why.h"

/* Holders of one call site at more offsets than this share a row: slots of an array. */
#define KMA_WHY_OFFSETS 4

/* Most levels below a root. */
#define KMA_WHY_LEVELS 16

/* One of the objects that were asked for, and what holds the place of the tree that it is at. */
struct kma_why_item {
	uint32_t at;   /* object */
	uint32_t next; /* holder; KMA_HEAP_NONE after a root */
	uint32_t site; /* of the holder */
	enum kma_why_kind kind;
	int64_t offset;	  /* for the row: -1: unknown, or several */
	int64_t own;	  /* offset of this item */
	const char *name; /* of a root */
};

struct kma_why_tree {
	const struct kma_why_wish *wish;
	const struct kma_scan *scan;
	struct kma_why *result;
	bool *wanted; /* by group of roots, if the wish names one: it has that name */
	struct kma_why_item *items;
	size_t nr;
};

void kma_why_deinit(struct kma_why *why)
{
	free(why->rows);
	kma_arena_deinit(&why->texts);
	*why = (struct kma_why){ 0 };
}

/* True if a root has the name that was asked for, or is a variable of that name or module. */
static bool why_is_from(const char *name, const char *from)
{
	static const char *const titles[] = { "", "variable ", "per-CPU variable " };
	size_t len = strlen(from), module_len;
	const char *module = kma_root_groups_module(name, &module_len);

	if (module && module_len == len && !strncmp(module, from, len))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++) {
		size_t skip = strlen(titles[i]);

		if (!strncmp(name, titles[i], skip) && !strncmp(name + skip, from, len) &&
		    (!name[skip + len] || !strncmp(name + skip + len, " [", 2)))
			return true;
	}
	return false;
}

/* True if an object is of the call site or cache that was asked for, or is the object. */
static bool why_wanted(const struct kma_why_tree *tree, uint32_t object)
{
	const char *caller, *wanted = tree->wish->caller;
	size_t len;

	if (!wanted)
		return object == tree->wish->object;
	caller = kma_listing_caller(&tree->scan->sites, tree->scan->paths.list[object].site);
	len = strlen(wanted);
	/* An object of which only the cache is known. */
	if (*wanted != '[' && kma_census_is(caller, wanted))
		return true;
	return !strncmp(caller, wanted, len) &&
	       (!caller[len] || caller[len] == '+' || (caller[len] == ' ' && strchr(wanted, '+')));
}

static struct kma_err *why_choose(struct kma_why_tree *tree)
{
	const struct kma_paths *paths = &tree->scan->paths;
	size_t room = 0;

	for (uint32_t i = 0; i < paths->nr; i++) {
		if (paths->list[i].site == KMA_HEAP_FREE || !why_wanted(tree, i))
			continue;
		kma_array_room(tree->items, tree->nr, room);
		tree->items[tree->nr++] = (struct kma_why_item){ .at = i };
	}
	tree->result->objects = tree->nr;
	if (tree->nr)
		return NULL;
	return tree->wish->caller ? kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
							"no live object of the call site '%s'",
							tree->wish->caller) :
				    kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
							"no live object has this address");
}

/* Find what holds the object that an item is at. @fold: as one row if it is of the same call site. */
static void why_step(struct kma_why_tree *tree, struct kma_why_item *item, bool fold)
{
	const struct kma_path *list = tree->scan->paths.list, *path = &list[item->at];
	const struct kma_path *holder = path->holder == KMA_HEAP_NONE ? NULL : &list[path->holder];

	item->next = path->holder;
	item->name = NULL;
	item->site = 0;
	item->offset = path->offset;
	if (holder && holder->site != KMA_HEAP_FREE) {
		item->kind = KMA_WHY_OBJECTS;
		item->site = holder->site;
		if (fold && path->first != item->at) {
			item->kind = KMA_WHY_LIST;
			item->next = path->first;
			if (item->site != path->site)
				item->offset = -1;
			item->site = path->site;
		}
		return;
	}
	if (holder) {
		/* a range that was free */
		path = holder;
		item->offset = -1;
	}
	item->next = KMA_HEAP_NONE;
	item->kind = path->group == KMA_HEAP_NONE ? KMA_WHY_LOST : KMA_WHY_ROOT;
	item->name = item->kind == KMA_WHY_LOST ? "nothing" :
						  tree->scan->groups.list[path->group].name;
}

/* By kind, holder and offset. */
static int why_compare(const void *a, const void *b)
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

static bool why_same_holder(const struct kma_why_item *x, const struct kma_why_item *y)
{
	return x->kind == y->kind && x->site == y->site && (!x->name || !strcmp(x->name, y->name));
}

/* Roots have a row for each name, arrays one for all their slots, lists one for their directions. */
static void why_join_offsets(struct kma_why_item *items, size_t nr)
{
	size_t end, different;

	for (size_t i = 0; i < nr; i = end) {
		different = 1;
		for (end = i + 1; end < nr && why_same_holder(&items[i], &items[end]); end++)
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

static int why_larger(const void *a, const void *b)
{
	const struct kma_why_group *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr > y->nr ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* The field that all items of a row share; they are sorted by their offsets. */
static const char *why_field(const struct kma_why_wish *wish, const struct kma_why_row *row,
			     const struct kma_why_item *items)
{
	bool several = row->objects && items->own != items[row->objects - 1].own;
	const char *common = NULL, *field;

	if (!wish->field || !row->depth)
		return NULL;
	/* A list goes through the same struct in several directions: the offset shown is one of them. */
	if (row->kind == KMA_WHY_LIST)
		return row->offset < 0 ? NULL : wish->field(wish->arg, row, row->offset, false);
	for (uint64_t i = 0; i < row->objects; i++) {
		if (items[i].own < 0)
			return NULL;
		if (i && items[i].own == items[i - 1].own)
			continue;
		field = wish->field(wish->arg, row, items[i].own, several);
		if (!field || (common && strcmp(common, field) != 0))
			return NULL;
		common = field;
	}
	return common;
}

/* @item: the first one of the row. */
static void why_row(struct kma_why_tree *tree, const struct kma_why_item *item, unsigned int depth,
		    size_t objects)
{
	struct kma_why *why = tree->result;
	const char *name = item->name ?: kma_listing_caller(&tree->scan->sites, item->site);

	name = kma_arena_text(&why->texts, name, strlen(name));
	kma_array_room(why->rows, why->nr, why->room);
	why->rows[why->nr++] = (struct kma_why_row){ .kind = item->kind,
						     .depth = depth,
						     .objects = objects,
						     .offset = item->offset,
						     .name = name };
	if (item->kind != KMA_WHY_DEEP && item->kind != KMA_WHY_LOST && item->own >= 0)
		why->rows[why->nr - 1].field = why_field(tree->wish, &why->rows[why->nr - 1], item);
}

/* The rows of what holds items. Calls itself, at most kma_why_wish.depth times. */
static void why_level(struct kma_why_tree *tree, struct kma_why_item *items, size_t nr,
		      unsigned int depth)
{
	static const struct kma_why_item deep = { .kind = KMA_WHY_DEEP,
						  .offset = -1,
						  .name = "..." };
	_cleanup_free_ struct kma_why_group *groups = NULL;
	size_t nr_groups = 0, room = 0;

	if (depth > tree->wish->depth) {
		why_row(tree, &deep, depth, nr);
		return;
	}
	for (size_t i = 0; i < nr; i++)
		why_step(tree, &items[i], tree->wish->caller);
	qsort(items, nr, sizeof(*items), why_compare);
	for (size_t i = 0; i < nr; i++)
		items[i].own = items[i].offset;
	why_join_offsets(items, nr);
	for (size_t i = 0, end; i < nr; i = end) {
		for (end = i + 1; end < nr && why_same_holder(&items[i], &items[end]) &&
				  items[i].offset == items[end].offset;
		     end++)
			;
		kma_array_room(groups, nr_groups, room);
		groups[nr_groups++] = (struct kma_why_group){ i, end - i };
	}
	qsort(groups, nr_groups, sizeof(*groups), why_larger);
	for (size_t g = 0; g < nr_groups; g++) {
		struct kma_why_item *first = &items[groups[g].first];
		bool more = first->kind == KMA_WHY_OBJECTS || first->kind == KMA_WHY_LIST;

		why_row(tree, first, depth, groups[g].nr);
		if (!more)
			continue;
		for (size_t i = 0; i < groups[g].nr; i++)
			first[i].at = first[i].next;
		why_level(tree, first, groups[g].nr, depth + 1);
	}
}

/* An object that a root holds, and the call sites on the path to it, from the root on. */
struct kma_why_held {
	uint32_t nr;
	uint32_t sites[KMA_WHY_LEVELS];
};

/* Where an object is below its root. */
struct kma_why_depth {
	uint32_t nr;	/* levels, with the object's own */
	uint32_t group; /* of the root */
	uint32_t last;	/* the object of the last level that is shown, up to KMA_WHY_LEVELS */
};

/*
 * Find that for all objects. A holder is before what it holds, so this is one step for each object,
 * however long the chains are.
 */
static struct kma_why_depth *why_depths(const struct kma_paths *paths)
{
	struct kma_why_depth *depths = kma_xcalloc((size_t)paths->nr + 1, sizeof(*depths));

	for (uint32_t i = 0; i < paths->nr; i++) {
		uint32_t first = paths->list[i].first, holder = paths->list[first].holder;

		if (holder == KMA_HEAP_NONE) {
			depths[i] = (struct kma_why_depth){ 1, paths->list[first].group, first };
			continue;
		}
		depths[i] = depths[holder];
		if (depths[i].nr++ < KMA_WHY_LEVELS)
			depths[i].last = first;
	}
	return depths;
}

/* The path from the root to an object; false if another root holds the object. */
static bool why_held(const struct kma_why_tree *tree, const struct kma_why_depth *depth,
		     struct kma_why_held *held)
{
	const struct kma_path *list = tree->scan->paths.list;
	uint32_t at = depth->last;

	if (depth->group == KMA_HEAP_NONE || !tree->wanted[depth->group])
		return false;
	held->nr = depth->nr < KMA_WHY_LEVELS ? depth->nr : KMA_WHY_LEVELS;
	for (uint32_t nr = held->nr; nr; nr--) {
		at = list[at].first;
		held->sites[nr - 1] = list[at].site;
		at = list[at].holder;
	}
	return true;
}

static int why_compare_held(const void *a, const void *b)
{
	const struct kma_why_held *x = a, *y = b;
	uint32_t nr = x->nr < y->nr ? x->nr : y->nr;

	for (uint32_t i = 0; i < nr; i++)
		if (x->sites[i] != y->sites[i])
			return x->sites[i] < y->sites[i] ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

/* The rows below a root or an object. Calls itself, at most KMA_WHY_LEVELS times. */
static void why_below(struct kma_why_tree *tree, const struct kma_why_held *held, size_t nr,
		      unsigned int level)
{
	_cleanup_free_ struct kma_why_group *groups = NULL;
	size_t nr_groups = 0, room = 0;

	for (size_t i = 0, end; i < nr; i = end) {
		end = i + 1;
		/* An object of the row above. */
		if (held[i].nr <= level)
			continue;
		while (end < nr && held[end].sites[level] == held[i].sites[level])
			end++;
		kma_array_room(groups, nr_groups, room);
		groups[nr_groups++] = (struct kma_why_group){ i, end - i };
	}
	if (nr_groups)
		qsort(groups, nr_groups, sizeof(*groups), why_larger);
	for (size_t g = 0; g < nr_groups && level < tree->wish->depth; g++) {
		struct kma_why_item item = { .kind = KMA_WHY_OBJECTS, .offset = -1, .own = -1 };

		item.site = held[groups[g].first].sites[level];
		why_row(tree, &item, level + 1, groups[g].nr);
		why_below(tree, held + groups[g].first, groups[g].nr, level + 1);
	}
}

/* What the roots of a name hold, directly and through other objects. */
static struct kma_err *why_from(struct kma_why_tree *tree)
{
	_cleanup_free_ struct kma_why_depth *depths = why_depths(&tree->scan->paths);
	_cleanup_free_ struct kma_why_held *held = NULL;
	struct kma_why_item trunk = { .kind = KMA_WHY_ROOT, .offset = -1, .own = -1 };
	size_t room = 0;

	for (uint32_t i = 0; i < tree->scan->paths.nr; i++) {
		if (tree->scan->paths.list[i].site == KMA_HEAP_FREE)
			continue;
		kma_array_room(held, tree->nr, room);
		held[tree->nr] = (struct kma_why_held){ 0 };
		tree->nr += why_held(tree, &depths[i], &held[tree->nr]);
	}
	tree->result->objects = tree->nr;
	if (!tree->nr)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
					   "no root '%s' holds live objects", tree->wish->from);
	qsort(held, tree->nr, sizeof(*held), why_compare_held);
	trunk.name = tree->wish->from;
	why_row(tree, &trunk, 0, tree->nr);
	why_below(tree, held, tree->nr, 0);
	return NULL;
}

static struct kma_err *why_all(struct kma_why_tree *tree)
{
	const struct kma_root_groups *groups = &tree->scan->groups;
	struct kma_why_item trunk = { .kind = KMA_WHY_OBJECTS, .offset = -1, .own = -1 };
	struct kma_err *err;

	tree->wanted = kma_xcalloc((size_t)groups->nr + 1, sizeof(*tree->wanted));
	for (uint32_t i = 0; i < groups->nr && tree->wish->from; i++)
		tree->wanted[i] = groups->list[i].class != KMA_ROOT_WAS_FREE &&
				  why_is_from(groups->list[i].name, tree->wish->from);
	if (tree->wish->from)
		return why_from(tree);
	err = why_choose(tree);
	if (err)
		return err;
	trunk.site = tree->scan->paths.list[tree->items[0].at].site;
	trunk.name = tree->wish->caller;
	why_row(tree, &trunk, 0, tree->nr);
	why_level(tree, tree->items, tree->nr, 1);
	return NULL;
}

struct kma_err *kma_why_make(const struct kma_scan *scan, const struct kma_why_wish *wish,
			     struct kma_why *ret)
{
	struct kma_why_tree tree = { .wish = wish, .scan = scan, .result = ret };
	struct kma_err *err = why_all(&tree);

	free(tree.wanted);
	free(tree.items);
	return err;
}
