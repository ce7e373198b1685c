/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * join.h - put the call sites of an account into the tree of a kernel's source.
 */
#ifndef KMA_TREE_JOIN_H
#define KMA_TREE_JOIN_H

#include "node.h"
#include "source.h"

/* What a join found. It tells whether the source is the kernel of the account. */
struct kma_join_stats {
	size_t sites;	     /* call sites of the account, without its rows in brackets */
	size_t compared;     /* sites of the kernel proper that have a name and a size */
	size_t fitting;	     /* compared sites whose name and size the source has as well */
	size_t addresses;    /* sites that are an address without a symbol */
	size_t strange;	     /* such addresses that are in no symbol of the source */
	size_t other_build;  /* sites of modules that the source has in another build */
	uint64_t unresolved; /* live bytes whose directory is unknown */
};

/* The nodes above the call sites in a tree. */
enum kma_join_levels {
	KMA_JOIN_FILES,	       /* directories and files; rows in brackets for sites without file */
	KMA_JOIN_GROUPS,       /* one node for each component of a group's name */
	KMA_JOIN_GROUPS_FILES, /* the same, and directories and files below each group */
};

/**
 * kma_join() - build the tree of an account
 * @account: finished
 * @source: finds the files; with NULL callers are children of the root, except those whose file
 *	 is in the input
 * @levels: the nodes above the call sites; groups need an account of kma_regroup()
 * @ret: root of the tree, rolled up; to be freed by kma_node_destroy()
 * @stats: filled in
 *
 * Each site of the account is one caller in the tree, so the root has the
 * account's totals. A site that is an address (logs before 5.4 have no others) is
 * shown as %pS would have printed it, if the source has a symbol there; if not it
 * stays an address, in a row of its own.
 */
struct kma_err *kma_join(const struct kma_account *account, struct kma_source *source,
			 enum kma_join_levels levels, struct kma_node **ret,
			 struct kma_join_stats *stats);

/**
 * kma_join_row() - get the path of the file or of the row in brackets for a site
 * @site: a call site without a path of its own, not a row in brackets
 * @place: its place by the source
 *
 * Return: "fs/inode.c", "fs/[ambiguous]", "[module ext4]"; to be freed by the caller.
 */
char *kma_join_row(const struct kma_site *site, const struct kma_place *place);

/**
 * kma_join_plausible() - test whether a source fits the account
 * @stats: from kma_join()
 *
 * Return: false if fewer than 80 % of the compared sites agree in name and size: then the source
 * is another build of the kernel.
 */
bool kma_join_plausible(const struct kma_join_stats *stats);

#endif /* KMA_TREE_JOIN_H */
