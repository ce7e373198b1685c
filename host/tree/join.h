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
#include "only.h"

/*
 * Builds the tree of an account: directories, files, call sites; rolled up. The account is finished
 * and resolved (tree/source.h): a site whose place and file are unknown is a child of the root. The
 * leaves point to its sites and their places. @only: the call sites that get into the tree; NULL:
 * all. @maintainers: for the subsystem of each file; NULL: none are known.
 */
struct kma_node *kma_join(const struct kma_account *account, const struct kma_only *only,
			  struct kma_maintainers *maintainers);

/* The same by other keys. */
struct kma_node *kma_join_by(const struct kma_account *account, const struct kma_keys *by,
			     const struct kma_only *only, struct kma_maintainers *maintainers);

#endif /* KMA_TREE_JOIN_H */
