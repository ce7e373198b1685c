/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-groups.h - the module, the slab cache or another key of each leaf of a page.
 *
 * The page's script makes the trees by these keys from the tree of directories. So the page has the
 * numbers of each leaf only once, and one small number for each leaf and key.
 */
#ifndef KMA_VIEW_PAGE_PAGE_GROUPS_H
#define KMA_VIEW_PAGE_PAGE_GROUPS_H

#include "page-rows.h"
#include "view/text/rows.h"

/*
 * Keys of call sites in the order of the page's menu: not those that are in the tree of
 * directories, or that need other leaves.
 */
static const enum kma_key_id kma_page_keys[] = {
	KMA_KEY_SUBSYSTEM, KMA_KEY_MODULE, KMA_KEY_CACHE, KMA_KEY_KIND, KMA_KEY_SIZE, KMA_KEY_TYPE,
};

/* Key of a row of combined leaves that have different keys. */
#define KMA_PAGE_MIXED "[gathered]"

struct kma_page_groups {
	enum kma_key_id by;
	const char **names;	/* the keys, sorted by their bytes */
	size_t nr;		/* number of keys */
	uint32_t *of;		/* index of the key of each leaf of the page, in its order */
	size_t nr_leaves;	/* length of @of */
	struct kma_arena arena; /* owns the texts */
};

/*
 * Finds the keys of all leaves. @by is one of kma_page_keys. If no leaf has such a key, and the
 * user did not name it (@asked), @groups->nr is 0.
 */
void kma_page_groups_init(struct kma_page_groups *groups, const struct kma_page_rows *rows,
			  enum kma_key_id by, bool asked);

void kma_page_groups_deinit(struct kma_page_groups *groups);

#endif /* KMA_VIEW_PAGE_PAGE_GROUPS_H */
