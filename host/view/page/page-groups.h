/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-groups.h - by which module, slab cache or subsystem each leaf of a page is. The page makes
 * trees of these keys, so that it has the numbers of each leaf once.
 */
#ifndef KMA_VIEW_PAGE_PAGE_GROUPS_H
#define KMA_VIEW_PAGE_PAGE_GROUPS_H

#include "page-rows.h"
#include "view/text/rows.h"

/* The key of leaves that are gathered and have several. */
#define KMA_PAGE_MIXED "[gathered]"

struct kma_page_groups {
	enum kma_chart_by by;
	const char **names; /* the keys, in the order of their bytes */
	size_t nr;
	uint32_t *of; /* number of the key, for each leaf of the page in its order */
	size_t nr_leaves;
	struct kma_rows keys; /* has the texts */
};

/**
 * kma_page_groups_init() - find the keys of all leaves
 * @groups: filled in; to be deinitialised in any case
 * @rows: the rows of a tree of directories
 * @by: a key of kma_chart_keys[] that has a row
 *
 * Return: NULL or an error. If the tree knows no such keys, @groups has no names.
 */
struct kma_err *kma_page_groups_init(struct kma_page_groups *groups,
				     const struct kma_page_rows *rows, enum kma_chart_by by);

/**
 * kma_page_groups_deinit() - free the keys
 * @groups: from kma_page_groups_init()
 */
void kma_page_groups_deinit(struct kma_page_groups *groups);

/**
 * kma_page_groups_colours() - get the colour of each key
 * @groups: the keys
 * @rows: as for kma_page_groups_init()
 * @metric: the largest keys by this metric get different colours
 * @theme: of which theme
 * @ret: a colour for each name
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_page_groups_colours(const struct kma_page_groups *groups,
					const struct kma_page_rows *rows, enum kma_metric_id metric,
					const struct kma_theme *theme, kma_rgb *ret);

#endif /* KMA_VIEW_PAGE_PAGE_GROUPS_H */
