// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-boxes.c - host/view/chart/treemap and icicle, on trees made at random: a box's
 * area (treemap) or height (icicle) is its share, children fill their parent, nothing
 * overlaps, labels lie within one filled box and do not collide.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/cleanup.h"
#include "view/chart/boxes.h"
#include "view/chart/scene.h"
#include "view/chart/treemap.h"

#include "grow.h"

static const struct kma_boxes_params params = {
	.metric = KMA_CURRENT,
	.depth = 5,
	.x = 44,
	.y = 112,
	.width = 942,
	.height = 834,
	.smallest = 40,
	.font = 18,
	.min_font = 11,
};

static size_t seen_boxes, seen_labels, seen_others, seen_more, seen_headings;

static double area(const struct kma_box *b)
{
	return b->width * b->height;
}

static bool within(const struct kma_box *in, const struct kma_box *around)
{
	return in->x >= around->x - 1e-6 && in->y >= around->y - 1e-6 &&
	       in->x + in->width <= around->x + around->width + 1e-6 &&
	       in->y + in->height <= around->y + around->height + 1e-6;
}

static bool overlap(const struct kma_box *a, const struct kma_box *b)
{
	return fmin(a->x + a->width, b->x + b->width) - fmax(a->x, b->x) > 1e-6 &&
	       fmin(a->y + a->height, b->y + b->height) - fmax(a->y, b->y) > 1e-6;
}

static bool is_child(const struct kma_box *child, const struct kma_box *of)
{
	return child->part.level == of->part.level + 1 && !of->part.others &&
	       (child->part.others ? child->part.node : child->part.node->parent) == of->part.node;
}

/* What any kind of boxes has to be. */
static void check_all(const struct kma_boxes *boxes, const struct kma_node *root, double whole,
		      double (*size)(const struct kma_box *b))
{
	for (size_t i = 0; i < boxes->nr; i++) {
		const struct kma_box *b = &boxes->boxes[i];
		uint64_t value = 0;
		bool any = false;

		EXPECT(b->width > 0 && b->height > 0);
		EXPECT(within(b, &(struct kma_box){ .x = params.x,
						    .y = params.y,
						    .width = params.width,
						    .height = params.height }));
		EXPECT(b->part.level <= params.depth);
		EXPECT(fabs(size(b) / whole - (double)b->part.value / root->values->current) < 1e-9);
		for (size_t j = 0; j < boxes->nr; j++) {
			const struct kma_box *c = &boxes->boxes[j];

			if (j != i && b->filled && c->filled)
				EXPECT(!overlap(b, c));
			if (!is_child(c, b))
				continue;
			any = true;
			value += c->part.value;
		}
		if (any)
			EXPECT_EQ(value, b->part.value);
		else if (!b->part.others)
			EXPECT_EQ(b->part.more, b->part.node->nr_children && b->part.value);
		EXPECT(!any || !b->part.more);
		seen_others += !!b->part.others;
		seen_more += b->part.more;
	}
	seen_boxes += boxes->nr;
}

static void label_box(const struct kma_label *l, struct kma_box *ret)
{
	bool turned = fabs(l->turn) > 1;
	double w = turned ? l->height : l->width, h = turned ? l->width : l->height;

	*ret = (struct kma_box){ .x = l->x - w / 2, .y = l->y - h / 2, .width = w, .height = h };
}

static void check_labels(const struct kma_boxes *boxes)
{
	for (size_t i = 0; i < boxes->labels.nr; i++) {
		const struct kma_label *l = &boxes->labels.labels[i];
		const struct kma_box *b = &boxes->boxes[l->part];
		struct kma_box at, other;

		label_box(l, &at);
		EXPECT(b->filled);
		EXPECT(within(&at, b));
		EXPECT(l->size >= params.min_font - 1 && l->size <= params.font);
		EXPECT(kma_text_width(l->text, l->size, l->bold) <= l->width + 1e-6);
		for (size_t j = 0; j < i; j++) {
			label_box(&boxes->labels.labels[j], &other);
			EXPECT(!overlap(&at, &other));
		}
	}
	seen_labels += boxes->labels.nr;
}

/* In a treemap the boxes after a box, up to its end, are those within it. */
static void check_treemap(const struct kma_boxes *boxes)
{
	for (size_t i = 0; i < boxes->nr; i++) {
		const struct kma_box *b = &boxes->boxes[i];
		double inside = 0;

		EXPECT_EQ(b->filled, b->end == i + 1);
		for (size_t j = 0; j < boxes->nr; j++) {
			const struct kma_box *c = &boxes->boxes[j];

			if (j > i && j < b->end)
				EXPECT(within(c, b) && c->part.level > b->part.level);
			else if (j != i && c->filled && b->filled)
				EXPECT(!overlap(b, c));
			inside += is_child(c, b) ? area(c) : 0;
		}
		if (!b->filled)
			EXPECT(fabs(inside - area(b)) < 1e-6 * area(b));
	}
	/* A name that stands in a box of another: the heading of a directory. */
	for (size_t i = 0; i < boxes->labels.nr; i++) {
		const struct kma_label *l = &boxes->labels.labels[i];
		char *name = kma_part_name(&boxes->boxes[l->part].part, KMA_CURRENT);

		/* A heading is never shortened: it has the name of one of those around. */
		seen_headings += strcmp(name, l->text) && !strchr(l->text, ' ');
		free(name);
	}
}

static double by_height(const struct kma_box *b)
{
	return b->height;
}

/* In an icicle children stand at the right of their parent, at its height. */
static void check_icicle(const struct kma_boxes *boxes)
{
	for (size_t i = 0; i < boxes->nr; i++) {
		const struct kma_box *b = &boxes->boxes[i];
		double next = b->y;

		EXPECT(b->filled);
		for (size_t j = 0; j < boxes->nr; j++) {
			const struct kma_box *c = &boxes->boxes[j];

			if (!is_child(c, b))
				continue;
			EXPECT(fabs(c->x - b->x - b->width) < 1e-6);
			EXPECT(fabs(c->y - next) < 1e-6);
			next += c->height;
		}
		if (next > b->y)
			EXPECT(fabs(next - b->y - b->height) < 1e-6);
	}
}

static void check_tree(const struct kma_node *root)
{
	struct kma_boxes_params icicle = params;
	struct kma_boxes boxes;

	kma_treemap_init(&boxes, root, &params);
	check_all(&boxes, root, params.width * params.height, area);
	check_treemap(&boxes);
	check_labels(&boxes);
	kma_boxes_deinit(&boxes);

	icicle.smallest = 2;
	kma_icicle_init(&boxes, root, &icicle);
	check_all(&boxes, root, params.height, by_height);
	check_icicle(&boxes);
	check_labels(&boxes);
	kma_boxes_deinit(&boxes);
}

TEST(random_trees)
{
	for (seed = 1; seed < 41;) {
		unsigned int this_seed = seed;
		struct kma_node *root;

		root = kma_node_create();
		grow(root, 1 + rnd(400));
		if (root->values->current)
			check_tree(root);
		kma_node_destroy(root);
		seed = this_seed + 1;
	}
	EXPECT(seen_boxes > 4000);
	EXPECT(seen_labels > 2000);
	EXPECT(seen_headings > 200);
	EXPECT(seen_others > 200);
	EXPECT(seen_more > 50);
}

/* Boxes are as near to squares as can be expected: that is what squarified means. */
TEST(equal_children_are_nearly_squares)
{
	struct kma_boxes boxes;
	struct kma_node *root, *file;

	for (unsigned int n = 1; n <= 60; n++) {
		char name[16];

		root = kma_node_create();
		for (unsigned int i = 0; i < n; i++) {
			snprintf(name, sizeof(name), "f%02u.c", i);
			file = kma_node_add_path(root, name);
			kma_node_add_caller(file, "f+0x1/0x2",
					    &(struct kma_values){ .current = 4096 });
		}
		kma_node_roll_up(root);
		kma_node_sort(root, KMA_CURRENT);
		kma_treemap_init(&boxes, root, &params);
		for (size_t i = 0; i < boxes.nr; i++)
			EXPECT(fmax(boxes.boxes[i].width, boxes.boxes[i].height) <=
			       2.9 * fmin(boxes.boxes[i].width, boxes.boxes[i].height));
		kma_boxes_deinit(&boxes);
		kma_node_destroy(root);
	}
}

TEST(names_of_callers)
{
	static const char *const names[][2] = {
		{ "alloc_inode+0x59/0xc0", "alloc_inode" },
		{ "mm/slub.c:2463 alloc_slab_page", "alloc_slab_page" },
		{ "mm/slub.c:2463", "mm/slub.c:2463" },
		{ "mm/slub.c:2463 ", "mm/slub.c:2463 " },
		{ "a: b", "a: b" },
		{ "c104dd2f", "c104dd2f" },
		{ "[site table full]", "[site table full]" },
	};
	struct kma_node *root;

	root = kma_node_create();
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct kma_part part = { 0 };
		char *name;

		kma_node_add_caller(root, names[i][0], &(struct kma_values){ 0 });
		part.node = root->children[i];
		name = kma_part_name(&part, KMA_CURRENT);
		EXPECT_STR(name, names[i][1]);
		free(name);
	}
	kma_node_destroy(root);
}

#define MINUS(text) "\xe2\x88\x92" text

TEST(changes_have_a_sign)
{
	static const struct {
		uint64_t before, after;
		const char *change, *percent;
	} changes[] = {
		{ 1024, 2560, "+1.5 KiB", "+150.0%" },
		{ 2560, 1024, MINUS("1.5 KiB"), MINUS("60.0%") },
		{ 7, 7, "0 B", "+0.0%" },
		{ 1, UINT64_MAX, "+16.0 EiB", ">9999%" },
		{ UINT64_MAX, 0, MINUS("16.0 EiB"), MINUS("100.0%") },
	};
	char buf[24];

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		EXPECT_STR(kma_change_format(buf, sizeof(buf), changes[i].before, changes[i].after,
					     KMA_UNIT_BYTES),
			   changes[i].change);
		EXPECT_STR(kma_change_percent(buf, sizeof(buf), changes[i].before,
					      changes[i].after),
			   changes[i].percent);
	}
}

TEST(nothing_to_lay_out)
{
	struct kma_boxes boxes;
	struct kma_node *root;

	root = kma_node_create();
	kma_treemap_init(&boxes, root, &params);
	EXPECT_EQ(boxes.nr, 0);
	kma_boxes_deinit(&boxes);
	kma_icicle_init(&boxes, root, &params);
	EXPECT_EQ(boxes.nr, 0);
	kma_boxes_deinit(&boxes);
	kma_node_destroy(root);
}

TEST_MAIN()
