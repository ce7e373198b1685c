// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout.c - geometry of slices. Labels are in label.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "label.h"
#include "layout.h"
#include "lib/array.h"
#include "lib/cleanup.h"

static struct kma_err *kma_layout_add(struct kma_layout *layout, const struct kma_slice *slice,
				      size_t *index)
{
	if (!kma_array_room(layout->slices, layout->nr_slices, layout->alloc_slices))
		return &kma_enomem;
	*index = layout->nr_slices++;
	layout->slices[*index] = *slice;
	return NULL;
}

/* Adds the children of a slice, and their children. */
static struct kma_err *kma_layout_around(struct kma_layout *layout, const struct kma_slice *inner)
{
	_cleanup_free_ struct kma_part *parts = NULL;
	const struct kma_part *part = &inner->part;
	double scale = inner->sweep / part->value;
	struct kma_err *err = NULL;
	uint64_t before = 0;
	size_t nr, index;

	parts = calloc(part->node->nr_children + 1, sizeof(*parts));
	if (!parts)
		return &kma_enomem;
	nr = kma_part_split(part, layout->params.metric, layout->params.min_sweep / scale, parts);
	for (size_t i = 0; i < nr && !err; i++) {
		bool last = parts[i].level == layout->params.rings;
		struct kma_slice slice = {
			.part = parts[i],
			/*
			 * Compute angles from sums, not step by step, so that rounding leaves no
			 * gaps.
			 */
			.start = inner->start + before * scale,
			.sweep = parts[i].value * scale,
		};

		before += parts[i].value;
		/*
		 * A combined slice is grey. The colour tells that there is more, so the slice
		 * needs no dark edge.
		 */
		slice.part.more = last && !parts[i].others &&
				  kma_part_more(parts[i].node, layout->params.metric);
		err = kma_layout_add(layout, &slice, &index);
		if (!err && !last && !parts[i].others)
			err = kma_layout_around(layout, &slice);
	}
	return err;
}

struct kma_err *kma_layout_init(struct kma_layout *layout, const struct kma_node *root,
				const struct kma_layout_params *params)
{
	struct kma_slice whole = {
		.part = kma_part_whole(root, params->metric),
		.sweep = params->whole,
	};
	struct kma_err *err = NULL;

	memset(layout, 0, sizeof(*layout));
	layout->params = *params;
	if (whole.part.value)
		err = kma_layout_around(layout, &whole);
	/* Rings that no slice reaches are left out, so that the others are thicker. */
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
