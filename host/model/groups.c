// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups.c - what the call sites of an account hold for each cgroup or NUMA node.
 */
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "intern.h"

struct kma_groups {
	struct kma_intern *names;
	struct kma_group_part *parts;
	size_t nr, alloc;
};

struct kma_err *kma_groups_create(struct kma_groups **ret)
{
	struct kma_groups *groups = calloc(1, sizeof(*groups));
	struct kma_err *err;

	if (!groups)
		return &kma_enomem;
	err = kma_intern_create(&groups->names);
	if (err) {
		free(groups);
		return err;
	}
	*ret = groups;
	return NULL;
}

void kma_groups_destroy(struct kma_groups *groups)
{
	if (!groups)
		return;
	kma_intern_destroy(groups->names);
	free(groups->parts);
	free(groups);
}

struct kma_err *kma_groups_add(struct kma_groups *groups, size_t site, const char *name,
			       const struct kma_values *values)
{
	uint32_t group = kma_intern(groups->names, KMA_KIND_UNKNOWN, name, strlen(name));

	if (group == KMA_INTERN_REST)
		return &kma_enomem;
	if (groups->nr == groups->alloc) {
		size_t alloc = groups->alloc * 2 ?: 256;
		struct kma_group_part *bigger = reallocarray(groups->parts, alloc, sizeof(*bigger));

		if (!bigger)
			return &kma_enomem;
		groups->parts = bigger;
		groups->alloc = alloc;
	}
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
	enum kma_kind unused;
	size_t len;

	return kma_intern_site(groups->names, group, &unused, &len);
}
