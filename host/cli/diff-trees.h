/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff-trees.h - compare two built kernels: static sizes by directory, or by symbol as the kernel's
 * scripts/bloat-o-meter does.
 */
#ifndef KMA_CLI_DIFF_TREES_H
#define KMA_CLI_DIFF_TREES_H

#include "diff-verdict.h"

/* Compares the two kernels that @args name. Returns the exit status. */
int kma_diff_trees(const struct kma_diff_args *args);

#endif /* KMA_CLI_DIFF_TREES_H */
