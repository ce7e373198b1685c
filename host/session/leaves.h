/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaves.h - the leaf of each row of an account in its tree. An account over time has a tree that
 * is made once, and then numbers that are replaced for each time.
 */
#ifndef KMA_SESSION_LEAVES_H
#define KMA_SESSION_LEAVES_H

#include "loaded.h"
#include "options.h"

struct kma_leaves {
	struct kma_node **nodes; /* by place in the account; NULL where there is none */
	size_t nr;
};

/**
 * kma_leaves_load() - make the tree of an account, and find the leaves of its rows
 * @opts: options; kernel and branch
 * @loaded: its account is finished; numbers of the account and its tree become meaningless
 * @ret: the leaves
 *
 * Return: NULL or an error; in both cases kma_leaves_deinit() has to be called.
 */
struct kma_err *kma_leaves_load(const struct kma_options *opts, struct kma_loaded *loaded,
				struct kma_leaves *ret);

/**
 * kma_leaves_join() - the same with a kernel that is found already
 * @levels: what lies above the call sites in the tree
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
