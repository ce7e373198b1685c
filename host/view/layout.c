// SPDX-License-Identifier: GPL-2.0
/*
 * layout.c - geometry of slices. Labels are in label.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "label.h"
#include "layout.h"

static struct kma_err *kma_layout_add(struct kma_layout *layout, const struct kma_slice *slice,
				      size_t *index)
{
	if (layout->nr_slices == layout->alloc_slices) {
		size_t alloc = layout->alloc_slices ? layout->alloc_slices * 2 : 256;
		struct kma_slice *slices = realloc(layout->slices, alloc * sizeof(*slices));

		if (!slices)
			return &kma_enomem;
		layout->slices = slices;
		layout->alloc_slices = alloc;
	}
	*index = layout->nr_slices++;
	layout->slices[*index] = *slice;
	return NULL;
}

static struct kma_err *kma_layout_children(struct kma_layout *layout, const struct kma_node *parent,
					   const struct kma_slice *around);

/* One child with a slice of its own, and all below it. */
static struct kma_err *kma_layout_child(struct kma_layout *layout, const struct kma_node *node,
					struct kma_slice *slice)
{
	enum kma_metric_id metric = layout->params.metric;
	bool last = slice->part.level == layout->params.rings;
	struct kma_slice around;
	struct kma_err *err;
	size_t index;

	slice->part.node = node;
	slice->part.others = 0;
	slice->part.more = last && kma_part_more(node, metric);
	err = kma_layout_add(layout, slice, &index);
	if (err || last)
		return err;
	/* The array may move while the children are added. */
	around = layout->slices[index];
	return kma_layout_children(layout, node, &around);
}

/* Value of all children that would be too thin, how many they are, and the last one. */
static uint64_t kma_layout_thin(const struct kma_layout *layout, const struct kma_node *parent,
				double scale, size_t *nr, size_t *one)
{
	const struct kma_metric *metric = &kma_metrics[layout->params.metric];
	uint64_t sum = 0;

	*nr = 0;
	for (size_t i = 0; i < parent->nr_children; i++) {
		uint64_t value = metric->get(&parent->children[i]->values);

		if (!value || value * scale >= layout->params.min_sweep)
			continue;
		sum += value;
		(*nr)++;
		*one = i;
	}
	return sum;
}

static struct kma_err *kma_layout_children(struct kma_layout *layout, const struct kma_node *parent,
					   const struct kma_slice *around)
{
	const struct kma_metric *metric = &kma_metrics[layout->params.metric];
	uint64_t total = metric->get(&parent->values);
	double scale = total ? around->sweep / total : 0;
	struct kma_slice slice = *around;
	struct kma_err *err = NULL;
	uint64_t before = 0;
	size_t thin, index, one = 0;

	slice.part.level++;
	for (size_t i = 0; i < parent->nr_children && !err; i++) {
		slice.part.value = metric->get(&parent->children[i]->values);
		if (!slice.part.value || slice.part.value * scale < layout->params.min_sweep)
			continue;
		/* From sums, not step by step: rounding must not open gaps. */
		slice.start = around->start + before * scale;
		slice.sweep = slice.part.value * scale;
		before += slice.part.value;
		if (slice.part.level == 1)
			slice.part.top = i;
		err = kma_layout_child(layout, parent->children[i], &slice);
	}
	if (err)
		return err;
	slice.part.value = kma_layout_thin(layout, parent, scale, &thin, &one);
	if (!thin)
		return NULL;
	slice.start = around->start + before * scale;
	slice.sweep = slice.part.value * scale;
	if (slice.part.level == 1)
		slice.part.top = thin == 1 ? one : parent->nr_children;
	if (thin == 1)
		return kma_layout_child(layout, parent->children[one], &slice);
	slice.part.node = parent;
	slice.part.others = thin;
	slice.part.more = false; /* grey says it already */
	return kma_layout_add(layout, &slice, &index);
}

double kma_layout_inner(const struct kma_layout *layout, unsigned int ring)
{
	const struct kma_layout_params *p = &layout->params;

	return p->hole + (p->radius - p->hole) * (ring - 1) / p->rings;
}

struct kma_err *kma_layout_init(struct kma_layout *layout, const struct kma_node *root,
				const struct kma_layout_params *params)
{
	struct kma_slice around = { .sweep = params->whole };
	struct kma_err *err;

	memset(layout, 0, sizeof(*layout));
	layout->params = *params;
	err = kma_layout_children(layout, root, &around);
	/* Rings that nothing reaches would only make the others thin. */
	layout->params.rings = 1;
	for (size_t i = 0; i < layout->nr_slices; i++)
		if (layout->slices[i].part.level > layout->params.rings)
			layout->params.rings = layout->slices[i].part.level;
	for (size_t i = 0; i < layout->nr_slices && !err && params->font; i++)
		err = kma_label_slice(layout, i);
	return err;
}

void kma_layout_deinit(struct kma_layout *layout)
{
	kma_labels_deinit(&layout->labels);
	free(layout->slices);
	memset(layout, 0, sizeof(*layout));
}
