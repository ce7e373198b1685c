// SPDX-License-Identifier: GPL-2.0-only
/*
 * function.c - functions that the analysis treats specially.
 */
#include <string.h>

#include "function.h"
#include "lib/cleanup.h"
#include "task.h"

static const struct kma_lat_function kma_lat_functions[] = {
	{ KMA_LAT_NAME("try_to_free_pages"), false,
	  1 << KMA_LAT_RECLAIM_BEGIN | 1 << KMA_LAT_RECLAIM_END },
	{ KMA_LAT_NAME("try_to_free_mem_cgroup_pages"), false,
	  1 << KMA_LAT_MEMCG_BEGIN | 1 << KMA_LAT_MEMCG_END },
	{ KMA_LAT_NAME("compact_zone"), false,
	  1 << KMA_LAT_COMPACT_BEGIN | 1 << KMA_LAT_COMPACT_END },
	{ KMA_LAT_NAME("try_to_compact_pages"), false, 1 << KMA_LAT_TRY_COMPACT },
	{ KMA_LAT_NAME("shrink_inactive_list"), false, 1 << KMA_LAT_INACTIVE },
	{ KMA_LAT_NAME("__alloc_pages_nodemask"), true, (1 << KMA_LAT_NR_SLOTS) - 1 },
	{ KMA_LAT_NAME("__alloc_pages"), true, (1 << KMA_LAT_NR_SLOTS) - 1 },
	{ KMA_LAT_NAME("__alloc_pages_noprof"), true, (1 << KMA_LAT_NR_SLOTS) - 1 },
	{ KMA_LAT_NAME("__alloc_frozen_pages_noprof"), true, (1 << KMA_LAT_NR_SLOTS) - 1 },
};

/* The name is compared without suffixes of the compiler, such as .isra.0. */
const struct kma_lat_function *kma_lat_function_find(const struct kma_lat_text *name)
{
	const char *dot = memchr(name->str, '.', name->len);
	struct kma_lat_text plain = { name->str, dot ? (size_t)(dot - name->str) : name->len };

	for (size_t i = 0; i < ARRAY_SIZE(kma_lat_functions); i++)
		if (kma_lat_same(&plain, &kma_lat_functions[i].name))
			return &kma_lat_functions[i];
	return NULL;
}

bool kma_lat_allocates(const struct kma_lat_text *name)
{
	const struct kma_lat_function *function = kma_lat_function_find(name);

	return function && function->allocates;
}
