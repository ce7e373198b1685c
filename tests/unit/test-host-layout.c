// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-layout.c - host/view/chart/layout.c, on trees made at random:
 * children fill their parent, slices do not overlap, labels lie in their slices
 * and do not collide. Whether a rectangle lies in a slice is found here by looking
 * at many of its points, not with the formulas of that file.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/cleanup.h"
#include "view/chart/layout.h"
#include "view/chart/scene.h"

#include "grow.h"

static const struct kma_layout_params params = {
	.metric = KMA_CURRENT,
	.rings = 5,
	.whole = 2 * M_PI,
	.hole = 86,
	.radius = 424,
	.min_sweep = 0.5 * M_PI / 180,
	.font = 17,
	.min_font = 11,
};

/* Slices of a ring stand one after the other; what is drawn within a slice fills it. */
static void check_slices(const struct kma_layout *layout, const struct kma_node *root)
{
	double first_ring = 0;

	for (size_t i = 0; i < layout->nr_slices; i++) {
		const struct kma_slice *s = &layout->slices[i];
		double inside = 0;
		uint64_t value = 0;
		bool any = false;

		EXPECT(s->sweep > 0 && s->start >= -1e-9);
		EXPECT(s->start + s->sweep <= 2 * M_PI + 1e-6);
		EXPECT(fabs(s->sweep - 2 * M_PI * s->part.value / root->values->current) < 1e-6);
		if (s->part.level == 1)
			first_ring += s->sweep;
		for (size_t j = 0; j < layout->nr_slices; j++) {
			const struct kma_slice *t = &layout->slices[j];

			if (i != j && s->part.level == t->part.level)
				EXPECT(s->start + s->sweep <= t->start + 1e-9 ||
				       t->start + t->sweep <= s->start + 1e-9);
			/* t is within s when its parent is what s shows. */
			if (s->part.others || t->part.level != s->part.level + 1 ||
			    (t->part.others ? t->part.node : t->part.node->parent) != s->part.node)
				continue;
			any = true;
			inside += t->sweep;
			value += t->part.value;
			EXPECT(t->start >= s->start - 1e-9);
			EXPECT(t->start + t->sweep <= s->start + s->sweep + 1e-9);
			EXPECT_EQ(t->part.top, s->part.top);
		}
		if (any) {
			EXPECT(fabs(inside - s->sweep) < 1e-6);
			EXPECT_EQ(value, s->part.value);
		}
		if (!s->part.others && s->part.level == params.rings)
			EXPECT_EQ(s->part.more, s->part.node->nr_children && s->part.value);
	}
	EXPECT(fabs(first_ring - 2 * M_PI) < 1e-6);
}

static bool point_in_slice(const struct kma_layout *layout, const struct kma_slice *s, double x,
			   double y)
{
	double r = hypot(x, y), angle = atan2(x, -y);

	if (angle < s->start)
		angle += 2 * M_PI;
	return r >= kma_layout_inner(layout, s->part.level) &&
	       r <= kma_layout_inner(layout, s->part.level + 1) &&
	       (s->sweep >= 2 * M_PI - 1e-9 || (angle >= s->start && angle <= s->start + s->sweep));
}

static void label_point(const struct kma_label *l, double u, double v, double *x, double *y)
{
	*x = l->x + u * l->width * cos(l->turn) - v * l->height * sin(l->turn);
	*y = l->y + u * l->width * sin(l->turn) + v * l->height * cos(l->turn);
}

static bool point_in_label(const struct kma_label *l, double x, double y)
{
	double dx = x - l->x, dy = y - l->y;
	double u = dx * cos(l->turn) + dy * sin(l->turn), v = dy * cos(l->turn) - dx * sin(l->turn);

	return fabs(u) < l->width / 2 - 1e-6 && fabs(v) < l->height / 2 - 1e-6;
}

static void check_labels(const struct kma_layout *layout)
{
	for (size_t i = 0; i < layout->labels.nr; i++) {
		const struct kma_label *l = &layout->labels.labels[i];

		EXPECT(l->size >= params.min_font * 0.8 && l->size <= params.font);
		EXPECT(kma_text_width(l->text, l->size, l->bold) <= l->width + 1e-6);
		for (int k = 0; k <= 20 * 4; k++) {
			/* Along the rectangle's lines at its edges and inside. */
			double u = (k % 21) / 20.0 - 0.5, v = (k / 21) / 3.0 - 0.5, x, y;

			label_point(l, u, v, &x, &y);
			EXPECT(point_in_slice(layout, &layout->slices[l->part], x, y));
			for (size_t j = 0; j < layout->labels.nr; j++)
				if (j != i)
					EXPECT(!point_in_label(&layout->labels.labels[j], x, y));
		}
		/* Never upside down. */
		EXPECT(cos(l->turn) > -1e-9);
	}
}

TEST(random_trees)
{
	size_t slices = 0, labels = 0, others = 0;

	for (seed = 1; seed < 41;) {
		unsigned int this_seed = seed;
		struct kma_layout layout;
		struct kma_node *root;

		root = kma_node_create();
		grow(root, 1 + rnd(400));
		if (root->values->current) {
			kma_layout_init(&layout, root, &params);
			check_slices(&layout, root);
			check_labels(&layout);
			slices += layout.nr_slices;
			labels += layout.labels.nr;
			for (size_t i = 0; i < layout.nr_slices; i++)
				others += !!layout.slices[i].part.others;
			kma_layout_deinit(&layout);
		}
		kma_node_destroy(root);
		seed = this_seed + 1;
	}
	EXPECT(slices > 2000);
	EXPECT(labels > 500);
	EXPECT(others > 100);
}

TEST(one_owner_is_a_whole_ring)
{
	struct kma_layout layout;
	struct kma_node *root, *file;

	root = kma_node_create();
	file = kma_node_add_path(root, "fs/inode.c");
	kma_node_add_caller(file, "f+0x1/0x2", &(struct kma_values){ .current = 5 });
	kma_node_roll_up(root);
	kma_layout_init(&layout, root, &params);
	EXPECT_EQ(layout.nr_slices, 3);
	EXPECT_EQ(layout.params.rings, 3); /* as many as are used */
	check_slices(&layout, root);
	check_labels(&layout);
	kma_layout_deinit(&layout);
	kma_node_destroy(root);
}

TEST(nothing_to_lay_out)
{
	struct kma_layout layout;
	struct kma_node *root;

	root = kma_node_create();
	kma_layout_init(&layout, root, &params);
	EXPECT_EQ(layout.nr_slices, 0);
	kma_layout_deinit(&layout);
	kma_node_destroy(root);
}

TEST(elide)
{
	static const struct {
		const char *text;
		double width;
		const char *want;
	} texts[] = {
		{ "fs", 100, "fs" },
		{ "alloc_inode", 43, "alloc\xe2\x80\xa6" },
		{ "alloc_inode", 48, "alloc\xe2\x80\xa6" }, /* not "alloc_..." */
		{ "alloc_inode", 20, NULL },
		{ "", 0, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char *got = kma_text_elide(texts[i].text, 12, false, texts[i].width);

		if (!texts[i].want)
			EXPECT(!got);
		else
			EXPECT_STR(got, texts[i].want);
		if (got)
			EXPECT(kma_text_width(got, 12, false) <= texts[i].width);
		free(got);
	}
}

TEST_MAIN()
