/* SPDX-License-Identifier: GPL-2.0 */
/*
 * diff-trees.h - kmem-account diff of two built kernels: static sizes by directory, and
 * a bloat-o-meter by symbol.
 */
#ifndef KMA_CLI_DIFF_TREES_H
#define KMA_CLI_DIFF_TREES_H

#include "session/options.h"

/**
 * kma_diff_are_trees() - is there a directory among the inputs?
 * @opts: of diff
 *
 * Return: true if there is, so that trees are meant.
 */
bool kma_diff_are_trees(const struct kma_options *opts);

/**
 * kma_diff_trees() - compare two built trees
 * @opts: of diff
 *
 * Return: the exit code.
 */
int kma_diff_trees(const struct kma_options *opts);

#endif /* KMA_CLI_DIFF_TREES_H */
