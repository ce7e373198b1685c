/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * groups.h - the numbers of an account's call sites for each cgroup, NUMA node, task or root.
 *
 * The module's tables of cgroups and nodes have several rows for a call site, one for each group.
 * The account has the call site once, with the numbers of file sites, and the rows are parts of a
 * set of groups. regroup.h makes an account of these parts. A part takes 208 bytes.
 *
 * A group is a name: the path of a cgroup, "node 0", the name of a task or of what retains objects
 * (heap/retained.h), or a row in brackets. Its
 * number is the order in which it was added; names are not compared.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_GROUPS_H
#define KMA_MODEL_GROUPS_H

#include "site.h"

/* Group of the call sites that have no row in the table of groups. */
#define KMA_GROUP_NONE "[in no group]"

/* Group of the objects that were allocated before groups were counted. */
#define KMA_GROUP_BEFORE "[before]"

struct kma_groups;

/* The numbers of a call site for one group. */
struct kma_group_part {
	size_t site;	/* index of the call site in the account */
	uint32_t group; /* number of the group */
	struct kma_values values;
};

void kma_groups_create(struct kma_groups **ret);
void kma_groups_destroy(struct kma_groups *groups);

/* Adds a group, and sets @ret to its number. Several groups may have the same name. */
void kma_groups_name_add(struct kma_groups *groups, const char *name, uint32_t *ret);

/* @site is the index of the call site in the account. */
void kma_groups_add(struct kma_groups *groups, size_t site, uint32_t group,
		    const struct kma_values *values);

/*
 * The metrics that the parts have and the account does not have, in place of those that were set
 * before.
 */
void kma_groups_set_more(struct kma_groups *groups, unsigned int metrics);
unsigned int kma_groups_more(const struct kma_groups *groups);

/* All parts in the order of kma_groups_add(), valid until the next one. */
const struct kma_group_part *kma_groups_parts(const struct kma_groups *groups, size_t *nr);

/* Lives as long as the set. */
const char *kma_groups_name(const struct kma_groups *groups, uint32_t group);

#endif /* KMA_MODEL_GROUPS_H */
