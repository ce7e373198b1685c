/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel.h - the kernel that an account belongs to, and the account's tree in it.
 */
#ifndef KMA_TREE_KERNEL_H
#define KMA_TREE_KERNEL_H

#include "join.h"
#include "lib/notes.h"
#include "maintainers.h"
#include "model/account.h"
#include "node.h"
#include "source.h"

/* Where to look for a kernel. A name that is not given is NULL. */
struct kma_kernel_query {
	const char *tree;	 /* built tree */
	const char *vmlinux;	 /* with a tree: in place of its own */
	const char *modules;	 /* directory of modules beside vmlinux */
	const char *maintainers; /* MAINTAINERS; NULL: that of the tree */
	enum kma_inlines_mode inlines;
	bool frames;	      /* callers in the tree keep the frames that they were compiled from */
	bool force;	      /* take a kernel of another build for the right one */
	bool owners;	      /* rows are by subsystem: files need theirs */
	bool owners_if_there; /* the same, unless no MAINTAINERS is there */
	enum kma_join_levels levels; /* what lies above the call sites in the tree */
};

/* What was found. Zero is nothing. */
struct kma_kernel {
	struct kma_source *source;	     /* NULL when no kernel is there, or of no use */
	struct kma_node *root;		     /* the tree of the account */
	struct kma_maintainers *maintainers; /* of the subsystems in @root, or NULL */
	struct kma_join_stats stats;
	struct kma_gaps gaps; /* what of the kernel could not be read */
};

/**
 * kma_kernel_find() - find the files of an account's call sites, make its tree
 * @query: where to look; nowhere makes a tree of callers
 * @account: finished
 * @notes: messages for the user are added, also before an error
 * @ret: empty; to be deinitialised in any case
 *
 * A kernel that cannot be used, or is of another build, leaves @ret->source NULL and a note.
 *
 * Return: NULL or an error: also if a file of @query does not exist.
 */
struct kma_err *kma_kernel_find(const struct kma_kernel_query *query,
				const struct kma_account *account, struct kma_notes *notes,
				struct kma_kernel *ret);

/**
 * kma_kernel_owners() - find the subsystems of files, if rows are by them
 * @query: as for kma_kernel_find()
 * @kernel: with a tree; to be called again when the tree has more files
 *
 * A part of kma_kernel_find().
 *
 * Return: NULL or an error: no MAINTAINERS.
 */
struct kma_err *kma_kernel_owners(const struct kma_kernel_query *query, struct kma_kernel *kernel);

/**
 * kma_kernel_deinit() - free a kernel and its tree
 * @kernel: as filled in
 */
void kma_kernel_deinit(struct kma_kernel *kernel);

#endif /* KMA_TREE_KERNEL_H */
