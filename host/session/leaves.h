/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaves.h - find the leaf of each row of an account in its tree.
 *
 * The tree of an account over time is built once, and the numbers of its leaves are replaced for
 * each time.
 */
#ifndef KMA_SESSION_LEAVES_H
#define KMA_SESSION_LEAVES_H

#include "loaded.h"
#include "options.h"

struct kma_leaves {
	struct kma_node **nodes; /* leaf of each row of the account; NULL if it has none */
	size_t nr;		 /* number of rows */
};

/**
 * kma_leaves_load() - build the tree of an account and find the leaves of its rows
 * @opts: options: kernel and branch
 * @loaded: its account is finished; the tree and all that depends on it are filled in
 * @ret: the leaves
 *
 * Return: NULL or an error; in both cases kma_leaves_deinit() has to be called.
 */
struct kma_err *kma_leaves_load(const struct kma_options *opts, struct kma_loaded *loaded,
				struct kma_leaves *ret);

/**
 * kma_leaves_join() - build the tree by an open kernel and find the leaves of its rows
 * @levels: the nodes above the call sites in the tree
 * @from: a loaded account with its kernel
 * @loaded: its account is finished; the tree and has_files are filled in
 * @ret: the leaves
 *
 * Return: NULL or an error; in both cases kma_leaves_deinit() has to be called.
 */
struct kma_err *kma_leaves_join(enum kma_join_levels levels, const struct kma_loaded *from,
				struct kma_loaded *loaded, struct kma_leaves *ret);

/**
 * kma_leaves_deinit() - free the list
 * @leaves: from kma_leaves_load() or kma_leaves_join()
 */
void kma_leaves_deinit(struct kma_leaves *leaves);

#endif /* KMA_SESSION_LEAVES_H */
