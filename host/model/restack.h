/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * restack.h - an account whose rows are chosen by stacks.
 *
 * Many call sites lie in helpers: alloc_inode() holds the inodes of all filesystems. With a
 * list of helpers, the row is the first function of the stack that is not in the list. Sites
 * without a stack stay as they are.
 */
#ifndef KMA_MODEL_RESTACK_H
#define KMA_MODEL_RESTACK_H

#include "account.h"

/* What a row of a function is called if its stack ends before one that is not a helper. */
#define KMA_SITE_HELPERS "[only helpers on the stack]"

/* Notes of an account: helpers that were skipped, and the function that all stacks have. */
#define KMA_NOTE_SKIPPED "helpers skipped"
#define KMA_NOTE_THROUGH "stacks through"

struct kma_restack {
	const char *skip;    /* list of helpers, see helpers.h; NULL: none */
	const char *through; /* only stacks that have this function; NULL: all */
	bool each;	     /* a row for each stack; without it, for each call site */
};

/**
 * kma_restack() - choose the rows of an account by its stacks
 * @account: finished
 * @how: which rows
 * @ret: a finished account with its losses and notes; it has no stacks of its own
 *
 * Without @how->through the sums are those of @account.
 *
 * Return: NULL or an error: the input has no stacks, no stack has the function.
 */
struct kma_err *kma_restack(const struct kma_account *account, const struct kma_restack *how,
			    struct kma_account **ret);

/**
 * kma_restack_none() - say that an input has no stacks
 * @name: of the input
 *
 * Return: an error.
 */
struct kma_err *kma_restack_none(const char *name);

#endif /* KMA_MODEL_RESTACK_H */
