// SPDX-License-Identifier: GPL-2.0-only
/*
 * slice.c - the positions of the slices of a ring or column.
 */
#include "slice.h"

double kma_layout_inner(const struct kma_layout *layout, unsigned int ring)
{
	const struct kma_layout_params *p = &layout->params;

	return p->hole + (p->radius - p->hole) * (ring - 1) / p->rings;
}
