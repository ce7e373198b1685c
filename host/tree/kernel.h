/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel.h - find the kernel that an account belongs to, resolve its sites and build its tree.
 */
#ifndef KMA_TREE_KERNEL_H
#define KMA_TREE_KERNEL_H

#include "join.h"
#include "lib/notes.h"
#include "maintainers.h"
#include "model/account.h"
#include "node.h"
#include "source.h"

/* The files of a kernel, as the user gave them. A path that was not given is NULL. */
struct kma_kernel_query {
	const char *tree;	       /* top of a built tree */
	const char *vmlinux;	       /* kernel image; with a tree it replaces the tree's own */
	const char *modules;	       /* directory of modules, for vmlinux without a tree */
	const char *maintainers;       /* file MAINTAINERS; NULL: that of the tree */
	enum kma_inlines_mode inlines; /* which inlined function owns bytes */
	bool force;		       /* accept a kernel of another build */
	bool owners;		       /* find the subsystem of each file, which is required */
	bool owners_if_there;	       /* the same, but only if a MAINTAINERS is readable */
	bool types;		       /* find the types of objects */
	const char *types_file;	       /* by this table; NULL: see kma_kernel_find() */
	const struct kma_keys *by;     /* keys of the tree; NULL: directories */
	const struct kma_only *only;   /* call sites that get into the tree; NULL: all */
};

/* The kernel of an account and the account's tree. All members are zero before the search. */
struct kma_kernel {
	struct kma_source *source;	     /* NULL when there is no usable kernel */
	struct kma_node *root;		     /* the tree of the account */
	struct kma_maintainers *maintainers; /* has the texts of the subsystems in @root; or NULL */
	struct kma_resolve_stats stats;	     /* of the account with @source */
	struct kma_gaps gaps;		     /* files of the kernel that could not be read */
};

/*
 * Finds the kernel of a finished account, whose sites get their places. Types are those of the table
 * of @query, else of the debugging information, else of a table in the usual places
 * (types/search.h). If the kernel cannot be
 * used or is of another build, @ret->source is NULL, no site has a place, and a note has the
 * reason. A file of @query that does not exist is an error. Notes are added, and @ret has to be
 * deinitialised, also after an error.
 */
struct kma_err *kma_kernel_find(const struct kma_kernel_query *query, struct kma_account *account,
				struct kma_notes *notes, struct kma_kernel *ret);

/*
 * Builds the tree of an account that @ret has resolved, with the keys and the subsystems of @query.
 * It is an error if MAINTAINERS is required and cannot be read.
 */
struct kma_err *kma_kernel_tree(const struct kma_kernel_query *query,
				const struct kma_account *account, struct kma_kernel *ret);

/* Reads MAINTAINERS, if @query requests subsystems; an error as for kma_kernel_tree(). */
struct kma_err *kma_kernel_maintainers(const struct kma_kernel_query *query,
				       struct kma_kernel *kernel);

/*
 * Sets the subsystem of each file of the tree, if @query requests it. kma_kernel_tree() calls it.
 * Call it again after files were added to the tree.
 */
struct kma_err *kma_kernel_owners(const struct kma_kernel_query *query, struct kma_kernel *kernel);

void kma_kernel_deinit(struct kma_kernel *kernel);

#endif /* KMA_TREE_KERNEL_H */
