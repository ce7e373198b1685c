/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * groups.h - what the call sites of an account hold for each cgroup, or for each NUMA node.
 *
 * An input that knows groups has several rows for a call site, one for each group. The account has
 * the call site once, with the numbers of file sites; the rows are kept here, and regroup.h makes
 * an account of them.
 *
 * A group is a name: the path of a cgroup, "node 0", or a row of the module in brackets.
 */
#ifndef KMA_MODEL_GROUPS_H
#define KMA_MODEL_GROUPS_H

#include "site.h"

/* The row of call sites that have no row in the table of groups. */
#define KMA_GROUP_NONE "[in no group]"

/* Objects that were allocated before groups were counted. */
#define KMA_GROUP_BEFORE "[before]"

struct kma_groups;

/* The numbers of a call site for one group. */
struct kma_group_part {
	size_t site; /* number of the call site in the account */
	uint32_t group;
	struct kma_values values;
};

/**
 * kma_groups_create() - create a set without groups
 * @ret: the set
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_groups_create(struct kma_groups **ret);

/**
 * kma_groups_destroy() - free all groups
 * @groups: from kma_groups_create(); NULL is fine
 */
void kma_groups_destroy(struct kma_groups *groups);

/**
 * kma_groups_name_add() - add a group
 * @groups: the set
 * @name: of the group; two groups may have one name
 * @ret: its number
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_groups_name_add(struct kma_groups *groups, const char *name, uint32_t *ret);

/**
 * kma_groups_name_use() - add a group whose name is not copied
 * @groups: the set
 * @name: of the group; stays as long as the set
 * @ret: its number
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_groups_name_use(struct kma_groups *groups, const char *name, uint32_t *ret);

/**
 * kma_groups_add() - add the numbers of a call site for one group
 * @groups: the set
 * @site: number of the call site
 * @group: from kma_groups_name_add()
 * @values: the numbers
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_groups_add(struct kma_groups *groups, size_t site, uint32_t group,
			       const struct kma_values *values);

/**
 * kma_groups_parts() - get all numbers
 * @groups: the set
 * @nr: how many
 *
 * Return: an array that stays with the set.
 */
const struct kma_group_part *kma_groups_parts(const struct kma_groups *groups, size_t *nr);

/**
 * kma_groups_name() - name of a group
 * @groups: the set
 * @group: from struct kma_group_part
 *
 * Return: text that stays with the set.
 */
const char *kma_groups_name(const struct kma_groups *groups, uint32_t group);

#endif /* KMA_MODEL_GROUPS_H */
