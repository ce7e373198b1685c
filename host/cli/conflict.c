// SPDX-License-Identifier: GPL-2.0-only
/*
 * conflict.c - options that contradict each other, as a table.
 */
#include "conflict.h"

struct kma_err *kma_conflict_check(const char *command, const struct kma_conflict *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i].one && list[i].other)
			return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
						   "%s: %s cannot be combined with %s", command,
						   list[i].one_name, list[i].other_name);
	return NULL;
}
