// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - the numbers of an account's call sites for each cgroup, NUMA node or task.
 */
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"

struct kma_groups {
	struct kma_arena texts;
	const char **names; /* by number */
	size_t nr_names, alloc_names;
	struct kma_group_part *parts;
	size_t nr, alloc;
	unsigned int more; /* set of metrics */
};

void kma_groups_create(struct kma_groups **ret)
{
	*ret = kma_xcalloc(1, sizeof(**ret));
}

void kma_groups_destroy(struct kma_groups *groups)
{
	if (!groups)
		return;
	kma_arena_deinit(&groups->texts);
	free(groups->names);
	free(groups->parts);
	free(groups);
}

void kma_groups_set_more(struct kma_groups *groups, unsigned int metrics)
{
	groups->more = metrics;
}

unsigned int kma_groups_more(const struct kma_groups *groups)
{
	return groups->more;
}

void kma_groups_name_add(struct kma_groups *groups, const char *name, uint32_t *ret)
{
	kma_array_room(groups->names, groups->nr_names, groups->alloc_names);
	*ret = groups->nr_names++;
	groups->names[*ret] = kma_arena_text(&groups->texts, name, strlen(name));
}

void kma_groups_add(struct kma_groups *groups, size_t site, uint32_t group,
		    const struct kma_values *values)
{
	kma_array_room(groups->parts, groups->nr, groups->alloc);
	groups->parts[groups->nr++] =
		(struct kma_group_part){ .site = site, .group = group, .values = *values };
}

const struct kma_group_part *kma_groups_parts(const struct kma_groups *groups, size_t *nr)
{
	*nr = groups->nr;
	return groups->parts;
}

const char *kma_groups_name(const struct kma_groups *groups, uint32_t group)
{
	return groups->names[group];
}
