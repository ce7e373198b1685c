// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-tree.c - host/tree/node and host/view/text/rows: whatever is rolled up,
 * sorted, cut off or gathered, the sums stay.
 */
#include <stdlib.h>

#include "lib/cleanup.h"
#include "tree/node.h"
#include "tree/source.h"
#include "view/text/rows.h"

#include "ktap.h"
#include "rnd.h"

#define VALUES(c, r, w, a, f)                                               \
	{                                                                   \
		.current = c, .req = r, .waste = w, .allocs = a, .frees = f \
	}

static const struct {
	const char *path; /* NULL: a bracketed row; "": right below the root */
	const char *caller;
	struct kma_values values;
} sites[] = {
	{ "fs/ext4/inode.c", "ext4_a+0x1/0x2", VALUES(100, 90, 10, 5, 1) },
	{ "fs/ext4/inode.c", "ext4_b+0x1/0x2", VALUES(50, 50, 0, 2, 0) },
	{ "fs/ext4/inode.c", "ext4_b+0x1/0x2",
	  VALUES(1, 1, 0, 1, 0) }, /* same text, another site */
	{ "fs/ext4/super.c", "ext4_c+0x1/0x2", VALUES(7, 7, 0, 1, 0) },
	{ "fs/inode.c", "alloc_inode+0x1/0x2", VALUES(400, 300, 100, 9, 0) },
	{ "mm/slab_common.c", "kmalloc+0x1/0x2", VALUES(0, 0, 0, 30, 30) },
	{ "init.c", "start+0x1/0x2", VALUES(3, 2, 1, 1, 0) },
	{ NULL, "[unknown symbol]", VALUES(1000, 1000, 0, 1, 0) },
};

static struct kma_node *made_tree(void)
{
	struct kma_node *root = kma_node_create(), *parent;

	for (size_t i = 0; i < ARRAY_SIZE(sites); i++) {
		if (sites[i].path)
			parent = kma_node_add_path(root, sites[i].path);
		else
			parent = kma_node_add_named(root, sites[i].caller);
		kma_node_add_caller(parent, sites[i].caller, &sites[i].values);
	}
	kma_node_roll_up(root);
	return root;
}

static struct kma_values sum_of_sites(void)
{
	struct kma_values sum = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(sites); i++)
		kma_values_add(&sum, &sites[i].values);
	return sum;
}

static bool same_values(const struct kma_values *a, const struct kma_values *b)
{
	return !memcmp(a, b, sizeof(*a));
}

TEST(roll_up)
{
	struct kma_values sum = sum_of_sites();
	struct kma_node *root = made_tree(), *node;

	REQUIRE(root);
	EXPECT(same_values(root->values, &sum));
	REQUIRE(!kma_node_find(root, "fs", &node));
	EXPECT_EQ(node->values->current, 558);
	EXPECT_EQ(node->values->waste, 110);
	REQUIRE(!kma_node_find(root, "fs/ext4/", &node));
	EXPECT_EQ(node->values->current, 158);
	EXPECT_EQ(node->nr_children, 2);
	/* Rolling up twice is rolling up once. */
	kma_node_roll_up(root);
	EXPECT(same_values(root->values, &sum));
	kma_node_destroy(root);
}

TEST(sorted_with_named_rows_last)
{
	struct kma_node *root = made_tree();

	REQUIRE(root && root->nr_children == 4);
	kma_node_sort(root, KMA_CURRENT);
	EXPECT_STR(root->children[0]->name, "fs");
	EXPECT_STR(root->children[1]->name, "init.c");
	EXPECT_STR(root->children[2]->name, "mm");
	EXPECT_STR(root->children[3]->name, "[unknown symbol]");
	kma_node_sort(root, KMA_FREES);
	EXPECT_STR(root->children[0]->name, "mm");
	kma_node_destroy(root);
}

TEST(find)
{
	static const struct {
		const char *path, *words;
	} wrong[] = {
		{ "fs/ext", "the nearest is 'fs/ext4'" },
		{ "ms", "the nearest is 'fs'" },
		{ "fs/ext4/inod.c", "the nearest is 'fs/ext4/inode.c'" },
		{ "[unknown]", "there is no branch '[unknown]'" },
		{ "fs/inode.c/alloc_inode+0x1/0x2", "there is no branch" },
	};
	struct kma_node *root = made_tree(), *node;
	char *path;

	REQUIRE(root);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct kma_err *err = kma_node_find(root, wrong[i].path, &node);

		REQUIRE(err);
		if (!strstr(err->message, wrong[i].words))
			KTAP_FAIL("\"%s\" lacks \"%s\"", err->message, wrong[i].words);
		kma_err_destroy(err);
	}
	REQUIRE(!kma_node_find(root, "/fs//ext4/inode.c", &node));
	path = kma_node_path(node);
	EXPECT_STR(path, "fs/ext4/inode.c");
	free(path);
	REQUIRE(!kma_node_find(root, "", &node));
	EXPECT(node == root);
	path = kma_node_path(root);
	EXPECT_STR(path, "");
	free(path);
	REQUIRE(!kma_node_find(root, "[unknown symbol]", &node));
	EXPECT_EQ(node->values->current, 1000);
	kma_node_destroy(root);
}

/* A row in brackets may have a slash in its name, or rows below it. */
TEST(find_in_brackets)
{
	struct kma_node *root, *node, *found;

	root = kma_node_create();
	node = kma_node_add_path(root, "[no directory]/super.c");
	REQUIRE(!kma_node_find(root, "[no directory]/super.c", &found));
	EXPECT(found == node);
	EXPECT(!kma_node_find(root, "[no directory]/", &found));
	EXPECT(found == node->parent);
	node = kma_node_add_named(root, "[of a/b]");
	EXPECT(!kma_node_find(root, "[of a/b]", &found));
	EXPECT(found == node);
	kma_node_destroy(root);
}

/* The root cgroup's node is "/": its slash is the one before the directories. */
TEST(path_in_the_root_cgroup)
{
	_cleanup_free_ char *of_group = NULL, *of_dir = NULL, *of_file = NULL, *inner = NULL;
	struct kma_node *root, *group, *file;

	root = kma_node_create();
	group = kma_node_add_dir(root, "/");
	file = kma_node_add_path(group, "fs/ext4/inode.c");
	of_group = kma_node_path(group);
	EXPECT_STR(of_group, "/");
	of_dir = kma_node_path(file->parent->parent);
	EXPECT_STR(of_dir, "/fs");
	of_file = kma_node_path(file);
	EXPECT_STR(of_file, "/fs/ext4/inode.c");
	group = kma_node_add_dir(root, "pods");
	file = kma_node_add_path(group, "mm/slub.c");
	inner = kma_node_path(file);
	EXPECT_STR(inner, "pods/mm/slub.c");
	kma_node_destroy(root);
}

/* A file has static numbers, its callers have others; both are in each sum. */
/* Many names are found by another way than few: each is there once, whatever the order. */
TEST(many_names)
{
	enum { NAMES = 1000 };
	static struct kma_node *made[NAMES];
	const struct kma_values one = { .current = 1 };
	struct kma_node *root, *node;
	struct kma_err *err;
	char name[32];

	root = kma_node_create();
	for (int pass = 0; pass < 3; pass++) {
		for (unsigned int i = 0; i < NAMES; i++) {
			/* 7 and 1000 have no divisor in common */
			snprintf(name, sizeof(name), "d%u/f", i * 7 % NAMES);
			node = kma_node_add_path(root, name);
			if (pass && made[i] != node)
				KTAP_FAIL("%s is there twice", name);
			made[i] = node;
			kma_node_add_caller(pass ? node : root, name, &one);
		}
		kma_node_roll_up(root);
		kma_node_sort(root, KMA_CURRENT);
	}
	EXPECT_EQ(root->nr_children, 2 * NAMES);
	EXPECT_EQ(root->values->current, 3 * NAMES);
	EXPECT(!kma_node_find(root, "d999/f", &node));
	EXPECT_EQ(node->values->current, 2);
	err = kma_node_find(root, "d1000", &node);
	EXPECT(err);
	kma_err_destroy(err);
	kma_node_destroy(root);
}

/* Whoever walks the tree calls himself: it does not get as deep as a path may be. */
TEST(deep_path)
{
	enum { DEEP = 100000 };
	_cleanup_free_ char *path = malloc(2 * DEEP + 2), *back = NULL;
	struct kma_node *root, *node;
	int depth = 0;

	for (int i = 0; i < DEEP; i++)
		memcpy(path + 2 * i, "a/", 2);
	strcpy(path + 2 * DEEP, "f");
	root = kma_node_create();
	node = kma_node_add_path(root, path);
	back = kma_node_path(node);
	EXPECT_STR(back, path);
	for (; node; node = node->parent)
		depth++;
	EXPECT(depth < 100);
	kma_node_destroy(root);
}

TEST(sections_beside_callers)
{
	const struct kma_values text = { .text = 4096 }, bss = { .bss = 520 };
	struct kma_values sum = sum_of_sites();
	struct kma_node *root = made_tree(), *node;
	struct kma_rows rows;

	REQUIRE(root);
	node = kma_node_add_path(root, "fs/ext4/inode.c");
	kma_node_add_section(node, "text", &text);
	node = kma_node_add_path(root, "kernel/fork.c");
	kma_node_add_section(node, "text", &text);
	kma_node_add_section(node, "bss", &bss);
	kma_node_add_section(node, "bss", &bss); /* of a second object */
	EXPECT_EQ(node->nr_children, 2);
	kma_node_roll_up(root);
	EXPECT_EQ(kma_metrics[KMA_STATIC].get(root->values), 2 * (4096 + 520));
	EXPECT_EQ(kma_metrics[KMA_FOOTPRINT].get(root->values), 2 * (4096 + 520) + sum.current);
	REQUIRE(!kma_node_find(root, "fs", &node));
	EXPECT_EQ(node->values->text, 4096);
	EXPECT_EQ(kma_metrics[KMA_FOOTPRINT].get(node->values), 4096 + 558);
	/* No branch begins at a section. */
	kma_err_destroy(kma_node_find(root, "kernel/fork.c/text", &node));
	EXPECT_STR(node->name, "fs");
	for (enum kma_key_id by = 0; by < KMA_NR_KEYS; by++) {
		struct kma_node *tree = kma_keys_tree(root, &KMA_BY(by));

		kma_rows_init(&rows, root, &KMA_BY(by), 0);
		EXPECT(same_values(&rows.total, root->values));
		EXPECT(same_values(tree->values, root->values));
		kma_rows_deinit(&rows);
		kma_node_destroy(tree);
	}
	kma_node_destroy(root);
}

/* Rows of every kind, depth and length add up to the branch that they are of. */
TEST(rows_add_up)
{
	static const char *const branches[] = { "",	      "fs",	"fs/ext4",
						"fs/inode.c", "init.c", "[unknown symbol]" };
	struct kma_node *root = made_tree(), *node;

	REQUIRE(root);
	for (size_t b = 0; b < ARRAY_SIZE(branches); b++) {
		REQUIRE(!kma_node_find(root, branches[b], &node));
		for (unsigned int i = 0; i < KMA_NR_KEYS * 4 * 5; i++) {
			struct kma_values sum = { 0 };
			struct kma_rows rows;

			kma_rows_init(&rows, node, &KMA_BY(i % KMA_NR_KEYS), i / KMA_NR_KEYS % 4);
			kma_rows_sort(&rows, i % KMA_NR_METRICS);
			kma_rows_top(&rows, i / KMA_NR_KEYS / 4);
			for (size_t r = 0; r < rows.nr; r++)
				kma_values_add(&sum, rows.rows[r].values);
			EXPECT(same_values(&sum, node->values));
			EXPECT(same_values(&rows.total, node->values));
			kma_rows_deinit(&rows);
		}
	}
	kma_node_destroy(root);
}

/* Any keys: the rows and the tree have the same total, and no two rows are equal. */
TEST(any_keys_add_up)
{
	struct kma_node *root = made_tree();

	REQUIRE(root);
	for (unsigned int i = 0; i < 2000; i++) {
		struct kma_values sum = { 0 };
		struct kma_keys keys = { 0 };
		struct kma_node *tree;
		struct kma_rows rows;

		for (unsigned int n = 1 + rnd(4); n; n--) {
			enum kma_key_id id = rnd(KMA_NR_KEYS);

			/* kma_keys_parse() refuses two keys of stacks */
			if (!kma_keys_have(&keys, id) &&
			    (kma_keys[id].needs != KMA_KEY_NEEDS_STACKS || !kma_keys_need(&keys, KMA_KEY_NEEDS_STACKS)))
				keys.list[keys.nr++] = id;
		}
		kma_rows_init(&rows, root, &keys, i % 3);
		for (size_t r = 0; r < rows.nr; r++) {
			kma_values_add(&sum, rows.rows[r].values);
			for (size_t q = 0; q < r && keys.nr > 1; q++)
				EXPECT(strcmp(rows.rows[q].key, rows.rows[r].key));
		}
		EXPECT(same_values(&sum, root->values));
		kma_rows_deinit(&rows);
		tree = kma_keys_tree(root, &keys);
		EXPECT(same_values(tree->values, root->values));
		kma_node_destroy(tree);
	}
	kma_node_destroy(root);
}

TEST(lists_of_keys)
{
	static const struct {
		const char *text, *why; /* @why: a word of the sentence; NULL: valid */
	} want[] = {
		{ "dir", NULL },	  { "cgroup,cache,dir,caller", NULL },
		{ "stack,module", NULL }, { "", "" },
		{ "dir,", "" },		  { "dirs", "" },
		{ "di", "" },		  { "dir,dir", "twice" },
		{ "cgroup,node", "same object" }, { "stack,root", "same object" },
		{ "dir,file,line,function,module,cache,kind", "6" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		char name[KMA_KEYS_NAME];
		struct kma_keys keys;
		const char *why = kma_keys_parse(want[i].text, &keys);

		EXPECT(!why == !want[i].why);
		EXPECT(!why || !want[i].why || strstr(why, want[i].why));
		if (!why)
			EXPECT_STR(kma_keys_name(&keys, name), want[i].text);
	}
}

TEST(rows_by_directory)
{
	static const struct {
		const char *key;
		uint64_t current;
	} want[] = { { "[unknown symbol]", 1000 },
		     { "fs", 400 },
		     { "fs/ext4", 158 },
		     { ".", 3 },
		     { "mm", 0 } };
	struct kma_node *root = made_tree();
	struct kma_rows rows;

	REQUIRE(root);
	kma_rows_init(&rows, root, &KMA_BY(KMA_KEY_DIR), 0);
	kma_rows_sort(&rows, KMA_CURRENT);
	REQUIRE(rows.nr == 5);
	for (size_t i = 0; i < rows.nr; i++) {
		EXPECT_STR(rows.rows[i].key, want[i].key);
		EXPECT_EQ(rows.rows[i].values->current, want[i].current);
	}
	kma_rows_deinit(&rows);

	kma_rows_init(&rows, root, &KMA_BY(KMA_KEY_DIR), 1);
	kma_rows_sort(&rows, KMA_CURRENT);
	REQUIRE(rows.nr == 4);
	EXPECT_STR(rows.rows[1].key, "fs");
	EXPECT_EQ(rows.rows[1].values->current, 558);
	kma_rows_top(&rows, 3);
	EXPECT_EQ(rows.nr, 4); /* gathering a single row would only hide its name */
	kma_rows_top(&rows, 2);
	EXPECT_EQ(rows.nr, 3);
	EXPECT_STR(rows.rows[2].key, "other (2 rows)");
	kma_rows_deinit(&rows);
	kma_node_destroy(root);
}

/* A function is a part of the caller's text, unless it is told beside it. */
TEST(rows_by_function)
{
	static const struct {
		const char *caller, *symbol, *module;
		struct kma_place place;
	} told[] = {
		{ "foo+0x10/0x20", "foo", NULL, { 0 } },
		{ "foo+0x18/0x20 [m]", "foo", "m", { 0 } },
		{ "bar+0x10/0x20", "bar", NULL, { .caller = "bar+0x10/0x20 > foo", .function = "bar > foo" } },
		{ "0xffffffff81000000", NULL, NULL, { 0 } },
	};
	static const struct {
		enum kma_key_id by;
		const char *keys[4]; /* the second time they are in a file */
		uint64_t calls[4];
	} want[] = {
		{ KMA_KEY_FUNCTION, { "foo", "bar > foo", "0xffffffff81000000" }, { 3, 4, 8 } },
		{ KMA_KEY_MODULE, { "vmlinux", "m", "[unknown address]" }, { 5, 2, 8 } },
		{ KMA_KEY_FUNCTION,
		  { "foo (fs/a.c)", "bar > foo (fs/a.c)", "0xffffffff81000000" },
		  { 3, 4, 8 } },
		{ KMA_KEY_MODULE, { "vmlinux", "m" }, { 13, 2 } },
	};

	for (unsigned int w = 0; w < ARRAY_SIZE(want); w++) {
		struct kma_site sites[ARRAY_SIZE(told)];
		struct kma_node *root, *parent;
		struct kma_rows rows;

		root = kma_node_create();
		parent = root;
		if (w > 1)
			parent = kma_node_add_path(root, "fs/a.c");
		for (unsigned int i = 0; i < ARRAY_SIZE(told); i++) {
			sites[i] = (struct kma_site){ .caller = told[i].caller,
						      .symbol = told[i].symbol,
						      .module = told[i].module,
						      .place = &told[i].place,
						      .path = w > 1 ? "fs/a.c" : NULL,
						      .values.allocs = 1U << i };
			kma_node_add_site(parent, &sites[i]);
		}
		kma_node_roll_up(root);
		kma_rows_init(&rows, root, &KMA_BY(want[w].by), 0);
		for (size_t i = 0; i < ARRAY_SIZE(want[w].keys) && want[w].keys[i]; i++) {
			const struct kma_row *found = NULL;

			for (size_t r = 0; r < rows.nr; r++)
				if (!strcmp(rows.rows[r].key, want[w].keys[i]))
					found = &rows.rows[r];
			EXPECT(found);
			EXPECT_EQ(found ? found->values->allocs : 0, want[w].calls[i]);
			EXPECT_EQ(rows.nr, want[w].keys[2] ? 3 : 2);
		}
		kma_rows_deinit(&rows);
		kma_node_destroy(root);
	}
}

/* Candidates for a place in their order, and what is left of them. */
TEST(one_place_of_several)
{
	static const struct {
		struct {
			enum kma_fit fit;
			const char *path;
		} offers[3];
		enum kma_found found;
		const char *path;
	} cases[] = {
		{ { { KMA_FIT_NONE, "fs/a.c" } }, KMA_FOUND_UNKNOWN, NULL },
		{ { { KMA_FIT_POOR, "fs/a.c" } }, KMA_FOUND_FILE, "fs/a.c" },
		{ { { KMA_FIT_GOOD, "fs/a.c" }, { KMA_FIT_GOOD, "fs/a.c" } },
		  KMA_FOUND_FILE,
		  "fs/a.c" },
		{ { { KMA_FIT_GOOD, "fs/a.c" }, { KMA_FIT_BEST, "mm/b.c" } },
		  KMA_FOUND_FILE,
		  "mm/b.c" },
		{ { { KMA_FIT_BEST, "fs/a.c" }, { KMA_FIT_GOOD, "mm/b.c" } },
		  KMA_FOUND_FILE,
		  "fs/a.c" },
		{ { { KMA_FIT_GOOD, "fs/a.c" }, { KMA_FIT_GOOD, "mm/b.c" } },
		  KMA_FOUND_AMBIGUOUS,
		  NULL },
		{ { { KMA_FIT_GOOD, "fs/a.c" }, { KMA_FIT_GOOD, "fs/b.c" } },
		  KMA_FOUND_DIR,
		  "fs/a.c" },
		{ { { KMA_FIT_GOOD, "fs/a.c" },
		    { KMA_FIT_GOOD, "fs/b.c" },
		    { KMA_FIT_GOOD, "mm/c.c" } },
		  KMA_FOUND_AMBIGUOUS,
		  NULL },
		{ { { KMA_FIT_GOOD, "fs/a.c" },
		    { KMA_FIT_GOOD, "mm/b.c" },
		    { KMA_FIT_GOOD, "fs/c.c" } },
		  KMA_FOUND_AMBIGUOUS,
		  NULL },
		{ { { KMA_FIT_GOOD, "fs/a.c" },
		    { KMA_FIT_GOOD, "mm/b.c" },
		    { KMA_FIT_BEST, "fs/c.c" } },
		  KMA_FOUND_FILE,
		  "fs/c.c" },
		{ { { KMA_FIT_GOOD, NULL } }, KMA_FOUND_NO_FILE, NULL },
		{ { { KMA_FIT_GOOD, NULL }, { KMA_FIT_GOOD, NULL } }, KMA_FOUND_NO_FILE, NULL },
		{ { { KMA_FIT_GOOD, NULL }, { KMA_FIT_GOOD, "fs/a.c" } },
		  KMA_FOUND_AMBIGUOUS,
		  NULL },
		{ { { KMA_FIT_GOOD, "a.c" }, { KMA_FIT_GOOD, "b.c" } }, KMA_FOUND_AMBIGUOUS, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kma_spot spot = { .found = KMA_FOUND_UNKNOWN };

		for (int k = 0; k < 3; k++)
			kma_spot_offer(&spot, cases[i].offers[k].fit, cases[i].offers[k].path);
		EXPECT_EQ(spot.found, cases[i].found);
		if (cases[i].path)
			EXPECT_STR(spot.path, cases[i].path);
	}
}

TEST_MAIN()
