/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grouped.h - a tree whose first level has the rows of a report (modules, slab caches,
 * subsystems), and below each row the directories and files of its call sites.
 */
#ifndef KMA_VIEW_TEXT_GROUPED_H
#define KMA_VIEW_TEXT_GROUPED_H

#include "rows.h"

/**
 * kma_grouped_create() - make a tree by rows of a report
 * @root: root of the tree of directories
 * @by: key of the first level, one that kma_rows_key() supports
 * @ret: the tree, rolled up; its root has the sums of @root
 */
struct kma_err *kma_grouped_create(const struct kma_node *root, enum kma_by by,
				   struct kma_node **ret);

#endif /* KMA_VIEW_TEXT_GROUPED_H */
