/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff-trees.h - kmem-account diff of two built kernels: static sizes by directory, and
 * a bloat-o-meter by symbol.
 */
#ifndef KMA_CLI_DIFF_TREES_H
#define KMA_CLI_DIFF_TREES_H

#include "session/options.h"

/**
 * kma_diff_trees() - compare two built trees
 * @opts: of diff
 *
 * Return: the exit code.
 */
int kma_diff_trees(const struct kma_options *opts);

#endif /* KMA_CLI_DIFF_TREES_H */
