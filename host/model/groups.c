// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - the numbers of an account's call sites for each cgroup, NUMA node or task.
 */
#include <stdlib.h>
#include <string.h>

#include "groups.h"
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

struct kma_err *kma_groups_create(struct kma_groups **ret)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return &kma_enomem;
	kma_arena_init(&(*ret)->texts);
	return NULL;
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

struct kma_err *kma_groups_name_use(struct kma_groups *groups, const char *name, uint32_t *ret)
{
	if (!kma_array_room(groups->names, groups->nr_names, groups->alloc_names))
		return &kma_enomem;
	*ret = groups->nr_names++;
	groups->names[*ret] = name;
	return NULL;
}

struct kma_err *kma_groups_name_add(struct kma_groups *groups, const char *name, uint32_t *ret)
{
	const char *copy = kma_arena_text(&groups->texts, name, strlen(name));

	return copy ? kma_groups_name_use(groups, copy, ret) : &kma_enomem;
}

struct kma_err *kma_groups_add(struct kma_groups *groups, size_t site, uint32_t group,
			       const struct kma_values *values)
{
	if (!kma_array_room(groups->parts, groups->nr, groups->alloc))
		return &kma_enomem;
	groups->parts[groups->nr++] =
		(struct kma_group_part){ .site = site, .group = group, .values = *values };
	return NULL;
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
