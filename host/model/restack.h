/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * restack.h - make an account whose rows are selected by stacks (--by stack, --skip, --through).
 *
 * Many call sites are in helpers: alloc_inode() holds the inodes of all filesystems. With a list of
 * helpers (helpers.h), a stack belongs to its first function that is not in the list, and the rows
 * are these functions. Bytes without a stack stay at their call site, so the sums do not change.
 * With --through, only stacks that pass a function count; bytes without a stack are then left out,
 * and a warning has their number.
 */
#ifndef KMA_MODEL_RESTACK_H
#define KMA_MODEL_RESTACK_H

#include "account.h"

/* Row of the stacks whose functions are all helpers. */
#define KMA_SITE_HELPERS "[only helpers on the stack]"

/* Notes of the new account: names of the helpers that were skipped; kma_restack.through. */
#define KMA_NOTE_SKIPPED "helpers skipped"
#define KMA_NOTE_THROUGH "stacks through"

struct kma_restack {
	const char *skip;    /* list of helpers, see helpers.h; NULL: none */
	const char *through; /* list of functions; a stack must pass one of them. NULL: all */
	bool each;	     /* make a row for each stack; otherwise for each owner of stacks */
};

/*
 * @ret is finished, with the losses and notes of @account, and without stacks. Without
 * @how->through its sums are those of @account. It is an error if the input has no stacks, or if no
 * stack passes the function.
 */
struct kma_err *kma_restack(const struct kma_account *account, const struct kma_restack *how,
			    struct kma_account **ret);

/* The error that the input @name has no stacks. */
struct kma_err *kma_restack_none(const char *name);

#endif /* KMA_MODEL_RESTACK_H */
