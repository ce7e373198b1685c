/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * join.h - put the call sites of an account into the tree of a kernel's source.
 */
#ifndef KMA_TREE_JOIN_H
#define KMA_TREE_JOIN_H

#include "node.h"
#include "source.h"

/* How the join went. */
struct kma_join_stats {
	size_t sites;	     /* in the account, without named rows */
	size_t compared;     /* sites whose name and size could be compared */
	size_t fitting;	     /* of these, agreeing */
	size_t addresses;    /* sites that are an address without a symbol */
	size_t strange;	     /* of these, in no symbol of the kernel */
	size_t other_build;  /* sites of a module that is here in another build */
	uint64_t unresolved; /* live bytes without a directory */
};

/* What lies above the call sites in a tree. */
enum kma_join_levels {
	KMA_JOIN_FILES,	       /* directories and files; in brackets what has none */
	KMA_JOIN_GROUPS,       /* the components of the names of groups */
	KMA_JOIN_GROUPS_FILES, /* these, and directories and files below each group */
};

/**
 * kma_join() - build the tree of an account
 * @account: finished
 * @source: source of the files; with NULL callers are children of the root, except those whose file
 *	 is in the input
 * @levels: what lies above the call sites; groups need an account of kma_regroup()
 * @ret: root of the tree, rolled up
 * @stats: filled in
 *
 * Each site of the account is one caller in the tree, so the root has the
 * account's totals. A site that is an address (logs before 5.4 have no others) is
 * shown as %pS would have printed it, if the source has a symbol there; if not it
 * stays an address, in a row of its own.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_join(const struct kma_account *account, struct kma_source *source,
			 enum kma_join_levels levels, struct kma_node **ret,
			 struct kma_join_stats *stats);

/**
 * kma_join_row() - the file or the bracketed row that a site is counted to
 * @site: a call site without a path of its own, not a named row
 * @place: where it is
 *
 * Return: "fs/inode.c", "fs/[ambiguous]", "[module ext4]"; to be freed by the caller; NULL
 * without memory.
 */
char *kma_join_row(const struct kma_site *site, const struct kma_place *place);

/**
 * kma_join_plausible() - test whether a source fits the account
 * @stats: from kma_join()
 *
 * Return: false if so few sites agree in name and size that it is another build.
 */
bool kma_join_plausible(const struct kma_join_stats *stats);

#endif /* KMA_TREE_JOIN_H */
