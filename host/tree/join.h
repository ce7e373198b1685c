/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * join.h - put the call sites of an account into the tree of a kernel's source.
 */
#ifndef KMA_TREE_JOIN_H
#define KMA_TREE_JOIN_H

#include "key.h"
#include "maintainers.h"
#include "model/account.h"
#include "node.h"

/**
 * kma_join() - build the tree of an account: directories, files, call sites
 * @account: finished, and resolved (tree/source.h): a site whose place and file are unknown is a
 *	 child of the root. The leaves of the tree point to its sites and their places
 *
 * Return: the root, rolled up, with the account's totals; to be freed by kma_node_destroy().
 */
struct kma_node *kma_join(const struct kma_account *account);

/* The same by other keys. @maintainers: for subsystems; NULL: none are known. */
struct kma_node *kma_join_by(const struct kma_account *account, const struct kma_keys *by,
			     struct kma_maintainers *maintainers);

#endif /* KMA_TREE_JOIN_H */
