// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-page.c - host/view/page: over random trees, whatever is gathered the rows of
 * a page are a tree that adds up; and no JSON can end the block that it stands in.
 */
#include <stdlib.h>

#include "lib/cleanup.h"
#include "view/chart/colour.h"
#include "view/page/page-colours.h"
#include "view/page/page-rows.h"
#include "view/page/page.h"

#include "ktap.h"
#include "rnd.h"

static struct kma_node *random_tree(unsigned int nr)
{
	struct kma_node *root = kma_node_create(), *parent;
	char path[160], *p;

	for (unsigned int i = 0; i < nr; i++) {
		struct kma_values values = {
			.current = rnd(2) ? 0 : rnd(100000),
			.allocs = rnd(50),
			.waste = rnd(3),
		};

		p = path;
		for (unsigned int level = rnd(12); level; level--)
			p += sprintf(p, "d%u/", (unsigned int)rnd(3));
		sprintf(p, "%u.c", (unsigned int)rnd(9));
		parent = kma_node_add_path(root, path);
		kma_node_add_caller(parent, "f+0x1/0x2", &values);
	}
	kma_node_roll_up(root);
	return root;
}

static size_t count(const struct kma_node *node, bool leaves)
{
	size_t nr = leaves ? !node->nr_children : 1;

	for (size_t i = 0; i < node->nr_children; i++)
		nr += count(node->children[i], leaves);
	return nr;
}

/* Rows of a page: how many nodes, how many leaves with the gathered ones, their sum. */
static void expect_whole(const struct kma_page_rows *rows, const struct kma_node *root, size_t max)
{
	struct kma_values sum = { 0 };
	size_t nodes = 0, leaves = 0, all = count(root, false);

	for (size_t i = 0; i < rows->nr; i++) {
		const struct kma_page_row *row = &rows->rows[i];

		EXPECT(i ? row->depth && row->depth <= rows->rows[i - 1].depth + 1 : !row->depth);
		nodes += !row->folded;
		if (!row->leaf)
			continue;
		EXPECT(i + 1 == rows->nr || rows->rows[i + 1].depth <= row->depth);
		leaves += row->folded ?: 1;
		kma_values_add(&sum, &row->values);
	}
	EXPECT_EQ(nodes, max < all ? max : all);
	EXPECT_EQ(leaves, count(root, true));
	EXPECT_EQ(sum.current, root->values->current);
	EXPECT_EQ(sum.allocs, root->values->allocs);
	EXPECT_EQ(sum.waste, root->values->waste);
}

TEST(rows_add_up)
{
	for (unsigned int round = 0; round < 60; round++) {
		struct kma_node *root = random_tree(1 + rnd(200));
		struct kma_chart chart = {
			.branch = root,
			.metrics = 1U << KMA_CURRENT | 1U << KMA_ALLOCS | 1U << KMA_WASTE,
			.max_nodes = 1 + rnd(300),
		};
		struct kma_page_rows rows;

		REQUIRE(root);
		kma_page_rows_init(&rows, root, chart.metrics, chart.max_nodes);
		expect_whole(&rows, root, chart.max_nodes);
		kma_page_rows_deinit(&rows);
		kma_node_destroy(root);
	}
}

/* The largest of any metric stays, its ancestors with it. */
TEST(the_largest_stay)
{
	static const struct kma_values much = { .allocs = 900 }, little = { .allocs = 1 };
	struct kma_chart chart = { .metrics = 1U << KMA_CURRENT | 1U << KMA_ALLOCS,
				   .max_nodes = 5 };
	struct kma_node *root, *parent;
	struct kma_page_rows rows;

	root = kma_node_create();
	for (unsigned int i = 0; i < 20; i++) {
		parent = kma_node_add_path(root, i == 13 ? "z/y/x.c" : "a/b.c");
		kma_node_add_caller(parent, i == 13 ? "much" : "little", i == 13 ? &much : &little);
	}
	kma_node_roll_up(root);
	kma_page_rows_init(&rows, root, chart.metrics, chart.max_nodes);
	EXPECT_EQ(rows.nr, 6);
	EXPECT_EQ(rows.rows[5].folded, 19);
	EXPECT_STR(rows.rows[4].node->name, "much");
	EXPECT_EQ(rows.rows[5].values.allocs, 19);
	kma_page_rows_deinit(&rows);
	kma_node_destroy(root);
}

/* Place of the nth thing of a JSON list of numbers or of lists; NULL when there are fewer. */
static const char *nth(const char *list, size_t n, char between)
{
	for (; list && n; n--) {
		list = strchr(list, between);
		list = list ? list + 1 : NULL;
	}
	return list;
}

/* Row 0 of the palette is grey; the others are the colours of pictures, of which "fs" has the first. */
TEST(colours_of_a_picture)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };
	const char *const names[] = { "fs", "drivers" };
	const struct kma_theme *theme = &kma_themes[0];
	const char *palette, *owners;
	kma_rgb rgb[2];

	kma_page_themes(false, &out);
	kma_colour_assign(theme, names, 2, rgb);
	palette = strstr(out.str, "\"palette\":[[\"#");
	owners = strstr(out.str, "\"owners\":[");
	REQUIRE(palette && owners);
	palette += strlen("\"palette\":[");
	owners += strlen("\"owners\":[");
	for (size_t i = 0; i < 2; i++) {
		const char *levels;
		size_t row = 0;

		while (strncmp(nth(owners, row, ',') + 1, names[i], strlen(names[i])))
			row++;
		levels = nth(palette, 2 + row, '[');
		REQUIRE(levels);
		for (unsigned int level = 1; level <= 6; level++)
			EXPECT_EQ(strtoul(nth(levels, 2 * (level - 1), ',') + strlen("\"#"), NULL, 16),
				  kma_colour_for_level(theme, rgb[i], level));
	}
}

TEST(json_in_html)
{
	static const struct {
		const char *json, *page;
	} cases[] = {
		{ "[\"</script>\"]", "[\"\\u003c/script>\"]" },
		{ "\"<!--<<\"", "\"\\u003c!--\\u003c\\u003c\"" },
		{ "\"\xe2\x80\xa8\xe2\x80\xa9\"", "\"\\u2028\\u2029\"" },
		{ "\"\xe2\x80\xaa \xe2\x82\xac\"", "\"\xe2\x80\xaa \xe2\x82\xac\"" },
		{ "\xe2\x80", "\xe2\x80" },
		{ "plain", "plain" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_strbuf_ struct kma_strbuf out = { 0 };

		kma_page_embed(&out, cases[i].json);
		EXPECT_STR(out.str, cases[i].page);
	}
}

TEST_MAIN()
