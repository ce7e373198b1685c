// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-union.c - host/tree/union: two trees as one. What a node was and is comes
 * from the trees themselves, looked up by path; sizes are the changes of the leaves.
 */
#include <stdlib.h>

#include "lib/cleanup.h"
#include "tree/union.h"

#include "grow.h"

/* A node of one side by its path; NULL when it has none. Leaves are found by their sum. */
static uint64_t find_value(struct kma_node *root, const char *path)
{
	struct kma_node *node;
	struct kma_err *err = kma_node_find(root, path, &node);

	kma_err_destroy(err);
	return err ? 0 : node->values->current;
}

static uint64_t leaf_value(const struct kma_node *parent, const char *name)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < parent->nr_children; i++)
		if (kma_node_is_leaf(parent->children[i]) &&
		    !strcmp(parent->children[i]->name, name))
			sum += parent->children[i]->values->current;
	return sum;
}

static size_t seen_dirs, seen_leaves;

static void check_node(const struct kma_node *node, struct kma_node *const roots[])
{
	_cleanup_free_ char *path = kma_node_path(node);
	uint64_t sums[KMA_NR_SIDES] = { 0 }, sum = 0;

	for (size_t i = 0; i < node->nr_children; i++) {
		const struct kma_node *child = node->children[i];

		for (int side = 0; side < KMA_NR_SIDES; side++)
			sums[side] += child->sides[side].current;
		sum += child->values->current;
		check_node(child, roots);
	}
	if (kma_node_is_leaf(node)) {
		_cleanup_free_ char *parent = kma_node_path(node->parent);

		for (int side = 0; side < KMA_NR_SIDES; side++) {
			struct kma_node *at = NULL;

			kma_err_destroy(kma_node_find(roots[side], parent, &at));
			EXPECT_EQ(node->sides[side].current, at ? leaf_value(at, node->name) : 0);
		}
		EXPECT_EQ(node->values->current,
			  node->sides[0].current > node->sides[1].current ?
				  node->sides[0].current - node->sides[1].current :
				  node->sides[1].current - node->sides[0].current);
		seen_leaves++;
		return;
	}
	EXPECT_EQ(node->values->current, sum);
	for (int side = 0; side < KMA_NR_SIDES; side++) {
		EXPECT_EQ(node->sides[side].current, sums[side]);
		EXPECT_EQ(node->sides[side].current, find_value(roots[side], path));
	}
	seen_dirs++;
}

TEST(random_trees)
{
	for (unsigned int round = 1; round < 20; round++) {
		struct kma_union_params params = { .match = KMA_DIFF_BY_SITE };
		struct kma_node *roots[KMA_NR_SIDES], *both;

		for (int side = 0; side < KMA_NR_SIDES; side++) {
			seed = 2 * round + side;
			roots[side] = kma_node_create();
			grow(roots[side], 1 + rnd(150));
			params.sides[side] = roots[side];
		}
		both = kma_union_create(&params);
		check_node(both, roots);
		kma_node_destroy(both);

		/* Flat: leaves only, and nothing is lost. */
		params.flat = true;
		both = kma_union_create(&params);
		for (size_t i = 0; i < both->nr_children; i++)
			EXPECT(kma_node_is_leaf(both->children[i]));
		for (int side = 0; side < KMA_NR_SIDES; side++) {
			uint64_t sum = 0;

			for (size_t i = 0; i < both->nr_children; i++)
				sum += both->children[i]->sides[side].current;
			EXPECT_EQ(sum, roots[side]->values->current);
			EXPECT_EQ(both->sides[side].current, roots[side]->values->current);
		}
		kma_node_destroy(both);
		for (int side = 0; side < KMA_NR_SIDES; side++)
			kma_node_destroy(roots[side]);
	}
	EXPECT(seen_dirs > 500);
	EXPECT(seen_leaves > 1000);
}

/* Offsets of two builds mean nothing: all sites of a function are one. */
TEST(builds_are_compared_by_function)
{
	static const struct {
		int side;
		const char *caller;
		uint64_t current;
	} sites[] = {
		{ 0, "f+0x10/0x80", 5 },   { 0, "f+0x20/0x80", 7 }, { 1, "f.isra.0+0x14/0x90", 20 },
		{ 0, "g+0x1/0x2 [m]", 3 }, { 1, "g+0x1/0x2", 4 },
	};
	struct kma_union_params params = { .match = KMA_DIFF_BY_FUNCTION };
	struct kma_node *roots[KMA_NR_SIDES], *both, *file;

	for (int side = 0; side < KMA_NR_SIDES; side++) {
		roots[side] = kma_node_create();
		file = kma_node_add_path(roots[side], "fs/a.c");
		for (size_t i = 0; i < ARRAY_SIZE(sites); i++)
			if (sites[i].side == side)
				kma_node_add_caller(
					file, sites[i].caller,
					&(struct kma_values){ .current = sites[i].current });
		kma_node_roll_up(roots[side]);
		params.sides[side] = roots[side];
	}
	both = kma_union_create(&params);
	kma_node_sort(both, KMA_CURRENT);
	REQUIRE(!kma_node_find(both, "fs/a.c", &file));
	REQUIRE(file->nr_children == 3);
	EXPECT_STR(file->children[0]->name, "f");
	EXPECT_EQ(file->children[0]->sides[KMA_BEFORE].current, 12);
	EXPECT_EQ(file->children[0]->sides[KMA_AFTER].current, 20);
	EXPECT_EQ(file->children[0]->values->current, 8);
	EXPECT_STR(file->children[1]->name, "g");
	EXPECT_EQ(file->children[1]->sides[KMA_BEFORE].current, 0);
	EXPECT_STR(file->children[2]->name, "g [m]");
	EXPECT_EQ(file->children[2]->sides[KMA_AFTER].current, 0);
	EXPECT_EQ(both->values->current, 15);
	kma_node_destroy(both);
	kma_node_destroy(roots[0]);
	kma_node_destroy(roots[1]);
}

TEST_MAIN()
