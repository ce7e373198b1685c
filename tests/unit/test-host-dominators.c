// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-dominators.c - host/heap/dominators.c and retained.c beside a plain model: a node is
 * removed, and what is no longer reached went with it.
 */
#include <stdlib.h>

#include "heap/dominators.h"
#include "heap/listing.h"
#include "heap/retained.h"
#include "lib/cleanup.h"

#include "ktap.h"
#include "rnd.h"

#define OBJECTS 150
#define GROUPS	12
#define NODES	(OBJECTS + GROUPS)
#define SITES	5
#define EDGES	300
#define ROOTS	40

/* The model: edges of all nodes; a group refers to objects and ranges only. */
static bool edge[NODES][NODES];
static unsigned int class_of[GROUPS]; /* ascending */

/* Names: two groups of each of two modules, one of which has another class than the first. */
static const char *const names[GROUPS] = {
	"variable a [m0]", "variable b [m1]", "variable c",	  "vmalloc area of f+0x1/0x2 [m0]",
	"vmalloc area",	   "stack a [m1]",    "task 7 (x) stack", "task 8 (y) stack",
	"other a",	   "other b",	      "free a",		  "free b",
};

/* What the roots of a class reach without @gone, and without what @before is true for. */
static void reach(unsigned int kind, int gone, const bool *before, bool *seen)
{
	int stack[NODES], top = 0;

	memset(seen, 0, NODES);
	for (int g = 0; g < GROUPS; g++)
		if (class_of[g] == kind && OBJECTS + g != gone) {
			seen[OBJECTS + g] = true;
			stack[top++] = OBJECTS + g;
		}
	while (top) {
		int from = stack[--top];

		for (int to = 0; to < OBJECTS; to++)
			if (edge[from][to] && !seen[to] && !before[to] && to != gone) {
				seen[to] = true;
				stack[top++] = to;
			}
	}
}

/* The graph of the model, with arrays of its own. */
static void build(struct kma_graph *graph, struct kma_root_groups *groups)
{
	uint32_t nr = 0;

	kma_graph_init(graph);
	for (int i = 0; i < OBJECTS; i++)
		kma_graph_add(graph, 4096 + 1024 * i, 8 * (1 + i % 9),
				       i % 29 == 28 ? KMA_HEAP_FREE :
				       i % 37 == 36 ? KMA_HEAP_IGNORED :
			      (uint32_t)i % SITES);
	kma_graph_finish(graph);
	REQUIRE(graph->nr == OBJECTS);
	graph->first = calloc(OBJECTS + 1, sizeof(*graph->first));
	graph->to = calloc(OBJECTS * OBJECTS, sizeof(*graph->to));
	*groups = (struct kma_root_groups){ .nr = GROUPS };
	groups->list = calloc(GROUPS, sizeof(*groups->list));
	groups->first = calloc(GROUPS + 1, sizeof(*groups->first));
	groups->to = calloc(NODES * GROUPS, sizeof(*groups->to));
	REQUIRE(graph->first && graph->to && groups->list && groups->first && groups->to);
	for (int i = 0; i < OBJECTS; i++) {
		for (int to = 0; to < OBJECTS; to++)
			if (edge[i][to])
				graph->to[nr++] = to;
		graph->first[i + 1] = nr;
	}
	nr = 0;
	for (int g = 0; g < GROUPS; g++) {
		groups->list[g] = (struct kma_root_group){ names[g], class_of[g] };
		for (int to = 0; to < OBJECTS; to++)
			if (edge[OBJECTS + g][to])
				groups->to[nr++] = to;
		groups->first[g + 1] = nr;
	}
}

/* Random edges between objects. Ranges that are not objects are no targets of words. */
static void make_edges(void)
{
	memset(edge, 0, sizeof(edge));
	for (int i = 0; i < EDGES; i++) {
		int from = rnd(OBJECTS), to = i % 3 ? (int)rnd(OBJECTS) : (from + 1) % OBJECTS;

		/* not from IGNORED ranges, which are not read */
		if (from != to && from % 37 != 36 && to % 29 != 28 && to % 37 != 36)
			edge[from][to] = true;
	}
	for (int g = 0; g < GROUPS; g++)
		class_of[g] = g * (KMA_ROOT_WAS_FREE + 1) / GROUPS;
	for (int i = 0; i < ROOTS; i++) {
		int g = rnd(GROUPS), to = rnd(OBJECTS);
		bool free = to % 29 == 28;

		if (to % 37 != 36 && free == (class_of[g] == KMA_ROOT_WAS_FREE))
			edge[OBJECTS + g][to] = true;
	}
}

/* True if the tree has @node above the place. */
static bool is_above(const struct kma_dominators *dominators, uint32_t place, uint32_t node)
{
	while ((place = dominators->above[place]))
		if (dominators->node[place] == node)
			return true;
	return false;
}

/* Compare; return the number of pairs of which one dominates the other. */
static unsigned int check_tree(const struct kma_dominators *dominators)
{
	bool before[NODES] = { false };
	unsigned int reached = 0, pairs = 0;

	for (unsigned int kind = 0; kind <= KMA_ROOT_WAS_FREE; kind++) {
		bool all[NODES], without[NODES];

		reach(kind, -1, before, all);
		for (int node = 0; node < NODES; node++) {
			if (!all[node])
				continue;
			reach(kind, node, before, without);
			for (uint32_t at = 1; at <= dominators->nr; at++) {
				int other = dominators->node[at];
				bool gone = all[other] && !without[other] && other != node;

				EXPECT_EQ(is_above(dominators, at, node), gone);
				pairs += gone;
			}
			reached++;
		}
		for (int node = 0; node < NODES; node++)
			before[node] |= all[node];
	}
	EXPECT_EQ(reached, dominators->nr);
	return pairs;
}

/* Sums of a row: the objects that go with a set of nodes, each of which is removed alone. */
static void check_sums(const struct kma_graph *graph, const struct kma_dominators *dominators,
		       const struct kma_retained *retained)
{
	uint64_t bytes = 0, objects = 0, all = 0;

	for (size_t i = 0; i < retained->nr_roots; i++) {
		bytes += retained->roots[i].bytes;
		objects += retained->roots[i].objects;
	}
	for (int i = 0; i < OBJECTS; i++)
		all += graph->objects[i].site == KMA_HEAP_FREE ? 0 : graph->objects[i].len;
	EXPECT_EQ(bytes, all);
	EXPECT_EQ(bytes, retained->bytes);
	EXPECT_EQ(objects, retained->objects);
	EXPECT_EQ(retained->nr_callers, SITES);
	for (uint32_t site = 0; site < SITES; site++) {
		bool with[OBJECTS] = { false };
		bool found = false;

		bytes = 0;
		for (int i = 0; i < OBJECTS; i++)
			with[i] = graph->objects[i].site == site;
		for (uint32_t at = 1; at <= dominators->nr; at++) {
			uint32_t node = dominators->node[at];

			for (int i = 0; i < OBJECTS; i++)
				if (node < OBJECTS && graph->objects[node].site < KMA_HEAP_FREE &&
				    graph->objects[i].site == site && is_above(dominators, at, i))
					with[node] = true;
		}
		for (int i = 0; i < OBJECTS; i++)
			bytes += with[i] ? graph->objects[i].len : 0;
		for (size_t i = 0; i < retained->nr_callers; i++)
			if (retained->callers[i].name[4] - '0' == (int)site) {
				EXPECT_EQ(retained->callers[i].bytes, bytes);
				EXPECT(retained->callers[i].own <= bytes);
				found = true;
			}
		EXPECT(found);
	}
}

/* The row of a name. */
static const struct kma_retained_row *row_of(const struct kma_retained_row *rows, size_t nr,
					     const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

/* The parts of a root add up to what goes when it is removed, by call site. */
static void check_parts(const struct kma_retained *retained, const char *name,
			const uint64_t *bytes)
{
	const struct kma_retained_row *row = row_of(retained->roots, retained->nr_roots, name);
	uint64_t all = 0, found = 0;

	for (uint32_t site = 0; site < SITES; site++)
		all += bytes[site];
	EXPECT(row || !all);
	EXPECT(!row || row->bytes == all);
	for (uint32_t i = 0; i < retained->nr_parts; i++) {
		const struct kma_retained_part *part = &retained->parts[i];

		if (!row || &retained->roots[part->root] != row)
			continue;
		EXPECT(part->caller < retained->nr_callers);
		EXPECT_EQ(part->bytes, bytes[retained->callers[part->caller].name[4] - '0']);
		found += part->bytes;
	}
	EXPECT_EQ(found, all);
}

/* What goes with each node of a group that is removed from the model: its row, and its parts. */
static void check_groups(const struct kma_graph *graph, const struct kma_retained *retained,
			 bool modules)
{
	bool before[NODES] = { false };

	for (unsigned int kind = 0; kind <= KMA_ROOT_WAS_FREE; kind++) {
		bool all[NODES], without[NODES];

		reach(kind, -1, before, all);
		for (int g = 0; g < GROUPS; g++) {
			uint64_t bytes[SITES] = { 0 }, sum = 0;
			const struct kma_retained_row *row;

			if (class_of[g] != kind || (modules && !strchr(names[g], '[')))
				continue;
			reach(kind, OBJECTS + g, before, without);
			for (int i = 0; i < OBJECTS; i++)
				if (all[i] && !without[i] && kma_graph_is_object(graph, i)) {
					bytes[graph->objects[i].site] += graph->objects[i].len;
					sum += graph->objects[i].len;
				}
			if (!modules) {
				check_parts(retained, names[g], bytes);
				continue;
			}
			row = row_of(retained->modules, retained->nr_modules,
				     strstr(names[g], "[m0]") ? "m0" : "m1");
			EXPECT(row && (!sum || row->bytes == sum));
		}
		for (int node = 0; node < NODES; node++)
			before[node] |= all[node];
	}
}

/* Give the first root of each module, and of each class, what all of them refer to. */
static void combine(void)
{
	for (int g = 0; g < GROUPS; g++) {
		const char *module = strchr(names[g], '[');

		if (module)
			class_of[g] = KMA_ROOT_VARIABLE;
		for (int first = 0; first < g; first++) {
			const char *other = strchr(names[first], '[');

			if (module ? !other || strcmp(module, other) :
				     other || class_of[first] != class_of[g])
				continue;
			for (int to = 0; to < OBJECTS; to++) {
				edge[OBJECTS + first][to] |= edge[OBJECTS + g][to];
				edge[OBJECTS + g][to] = false;
			}
			break;
		}
	}
}

/* By module the rows add up, too, and those of two modules are what goes with all their roots. */
static void check_modules(const struct kma_graph *graph, const struct kma_retained *retained)
{
	uint64_t bytes = 0, objects = 0;

	for (size_t i = 0; i < retained->nr_modules; i++) {
		bytes += retained->modules[i].bytes;
		objects += retained->modules[i].objects;
	}
	EXPECT_EQ(bytes, retained->bytes);
	EXPECT_EQ(objects, retained->objects);
	combine();
	check_groups(graph, retained, true);
}

/* Objects that several roots hold, that nothing holds, and the scan's own are in parts, too. */
static void check_rests(const struct kma_retained *retained)
{
	uint64_t bytes = 0, objects = 0, own[SITES] = { 0 };

	for (uint32_t i = 0; i < retained->nr_parts; i++) {
		const struct kma_retained_part *part = &retained->parts[i];
		bool scan = !strcmp(retained->roots[part->root].name, "memory of the scan");

		bytes += part->bytes;
		objects += part->objects;
		EXPECT_EQ(part->caller == KMA_HEAP_NONE, scan);
		if (!scan)
			own[retained->callers[part->caller].name[4] - '0'] += part->bytes;
	}
	EXPECT_EQ(bytes, retained->bytes);
	EXPECT_EQ(objects, retained->objects);
	for (size_t i = 0; i < retained->nr_callers; i++)
		EXPECT_EQ(retained->callers[i].own, own[retained->callers[i].name[4] - '0']);
}

TEST(beside_a_model)
{
	static const char *callers[SITES] = { "site0", "site1", "site2", "site3", "site4" };
	struct kma_listing_sites sites = { .callers = callers, .nr = SITES };

	unsigned int pairs = 0;

	for (unsigned int round = 0; round < 20; round++) {
		_cleanup_graph_ struct kma_graph graph;
		struct kma_dominators dominators = { 0 };
		struct kma_root_groups groups;
		struct kma_retained retained = { 0 };

		make_edges();
		build(&graph, &groups);
		kma_dominators_find(&graph, &groups, &dominators);
		pairs += check_tree(&dominators);
		kma_retained_make(&graph, &groups, &sites, &retained);
		check_sums(&graph, &dominators, &retained);
		check_groups(&graph, &retained, false);
		check_rests(&retained);
		check_modules(&graph, &retained);
		kma_retained_deinit(&retained);
		kma_dominators_deinit(&dominators);
		kma_root_groups_deinit(&groups);
	}
	EXPECT(pairs > 500);
}

/*
 * A million objects: half of them in a list with pointers in both directions, whose ends a variable
 * holds, the others in a tree below a variable. A stack refers into both.
 */
#define MANY (1U << 20)

static void many_edges(struct kma_graph *graph, struct kma_root_groups *groups)
{
	static const uint32_t targets[] = { 0, MANY / 2 - 1, MANY / 2, 1000, MANY / 2 + 1000 };
	uint32_t nr = 0;

	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t tree = i - MANY / 2, below = 2 * tree + 1;

		graph->first[i] = nr;
		if (i < MANY / 2) {
			if (i)
				graph->to[nr++] = i - 1;
			if (i + 1 < MANY / 2)
				graph->to[nr++] = i + 1;
			continue;
		}
		for (uint32_t to = below; to < below + 2 && to < MANY / 2; to++)
			graph->to[nr++] = MANY / 2 + to;
		/* to its parent */
		if (tree)
			graph->to[nr++] = MANY / 2 + (tree - 1) / 2;
	}
	graph->first[MANY] = nr;
	groups->list[0] = (struct kma_root_group){ "variable list", KMA_ROOT_VARIABLE };
	groups->list[1] = (struct kma_root_group){ "variable tree", KMA_ROOT_VARIABLE };
	groups->list[2] = (struct kma_root_group){ "stack", KMA_ROOT_STACK };
	groups->first[1] = 2;
	groups->first[2] = 3;
	groups->first[3] = 5;
	memcpy(groups->to, targets, sizeof(targets));
}

TEST(many)
{
	static const char *callers[] = { "site" };
	struct kma_listing_sites sites = { .callers = callers, .nr = 1 };
	struct kma_root_groups groups = { .nr = 3 };
	struct kma_retained retained = { 0 };
	_cleanup_graph_ struct kma_graph graph;

	kma_graph_init(&graph);
	for (uint32_t i = 0; i < MANY; i++)
		kma_graph_add(&graph, 4096 + 64 * (uint64_t)i, 64, 0);
	kma_graph_finish(&graph);
	graph.first = calloc(MANY + 1, sizeof(*graph.first));
	graph.to = calloc(3 * MANY, sizeof(*graph.to));
	groups.list = calloc(3, sizeof(*groups.list));
	groups.first = calloc(4, sizeof(*groups.first));
	groups.to = calloc(5, sizeof(*groups.to));
	REQUIRE(graph.first && graph.to && groups.list && groups.first && groups.to);
	many_edges(&graph, &groups);
	kma_retained_make(&graph, &groups, &sites, &retained);
	REQUIRE(retained.nr_roots == 3);
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(retained.roots[i].bytes, 32ULL * MANY);
		EXPECT_EQ(retained.roots[i].objects, MANY / 2);
	}
	EXPECT_STR(retained.roots[2].name, "stack");
	EXPECT_EQ(retained.roots[2].bytes, 0);
	EXPECT_EQ(retained.roots[2].direct, 2);
	EXPECT_EQ(retained.callers[0].bytes, 64ULL * MANY);
	kma_retained_deinit(&retained);
	kma_root_groups_deinit(&groups);
}

TEST_MAIN()
