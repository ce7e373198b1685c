/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * join.h - put the call sites of an account into the tree of a kernel's source.
 */
#ifndef KMA_TREE_JOIN_H
#define KMA_TREE_JOIN_H

#include "model/account.h"
#include "node.h"

/* The nodes above the call sites in a tree. */
enum kma_join_levels {
	KMA_JOIN_FILES,	       /* directories and files; rows in brackets for sites without file */
	KMA_JOIN_GROUPS,       /* one node for each component of a group's name */
	KMA_JOIN_GROUPS_FILES, /* the same, and directories and files below each group */
};

/**
 * kma_join() - build the tree of an account
 * @account: finished, and resolved (tree/source.h): a site whose place and file are unknown is a
 *	 child of the root. The leaves of the tree point to its sites and their places
 * @levels: the nodes above the call sites; groups need an account of kma_regroup()
 *
 * Return: the root, rolled up, with the account's totals; to be freed by kma_node_destroy().
 */
struct kma_node *kma_join(const struct kma_account *account, enum kma_join_levels levels);

#endif /* KMA_TREE_JOIN_H */
