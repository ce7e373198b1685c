// SPDX-License-Identifier: GPL-2.0
/*
 * view.c - the table of formats.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "view.h"

static const struct kma_view_ops *const kma_views[] = {
	&kma_view_table,
	&kma_view_csv,
	&kma_view_json,
};

const struct kma_view_ops *kma_view_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_views); i++)
		if (!strcmp(kma_views[i]->name, name))
			return kma_views[i];
	return NULL;
}
