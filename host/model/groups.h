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

/* Create a set without groups. */
void kma_groups_create(struct kma_groups **ret);

/* Free all groups. */
void kma_groups_destroy(struct kma_groups *groups);

/**
 * kma_groups_name_add() - add a group
 * @groups: the set
 * @name: name of the group, copied; several groups may have the same name
 * @ret: set to the number of the group
 */
void kma_groups_name_add(struct kma_groups *groups, const char *name, uint32_t *ret);

/**
 * kma_groups_name_use() - add a group without copying its name
 * @groups: the set
 * @name: name of the group; must live as long as the set
 * @ret: set to the number of the group
 */
void kma_groups_name_use(struct kma_groups *groups, const char *name, uint32_t *ret);

/**
 * kma_groups_add() - add the numbers of a call site for one group
 * @groups: the set
 * @site: index of the call site in the account
 * @group: from kma_groups_name_add() or kma_groups_name_use()
 * @values: the numbers
 */
void kma_groups_add(struct kma_groups *groups, size_t site, uint32_t group,
		    const struct kma_values *values);

/**
 * kma_groups_set_more() - set which metrics the parts have that the account does not have
 * @groups: the set
 * @metrics: set of metrics, in place of those that were set before
 */
void kma_groups_set_more(struct kma_groups *groups, unsigned int metrics);

/**
 * kma_groups_more() - get the metrics that the parts have and the account does not have
 * @groups: the set
 *
 * Return: set of metrics; none without kma_groups_set_more().
 */
unsigned int kma_groups_more(const struct kma_groups *groups);

/**
 * kma_groups_parts() - get all parts
 * @groups: the set
 * @nr: set to the number of parts
 *
 * Return: an array owned by the set, in the order of kma_groups_add(), valid until the next part is
 * added.
 */
const struct kma_group_part *kma_groups_parts(const struct kma_groups *groups, size_t *nr);

/**
 * kma_groups_name() - get the name of a group
 * @groups: the set
 * @group: number of the group
 *
 * Return: text that lives as long as the set.
 */
const char *kma_groups_name(const struct kma_groups *groups, uint32_t group);

#endif /* KMA_MODEL_GROUPS_H */
