/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff-trees.h - compare two built kernels: static sizes by directory, or by symbol as the kernel's
 * scripts/bloat-o-meter does.
 */
#ifndef KMA_CLI_DIFF_TREES_H
#define KMA_CLI_DIFF_TREES_H

#include "session/options.h"

/**
 * kma_diff_trees() - compare two built trees
 * @opts: options of diff, with two built trees or debug files
 *
 * Return: the exit status.
 */
int kma_diff_trees(const struct kma_options *opts);

#endif /* KMA_CLI_DIFF_TREES_H */
