/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callers.h - the stacks of an account as a tree of functions. A node is a function, and its
 * children are the functions that it calls, down to the call site.
 * The other way, the children of the root are the functions that allocate, and the children of
 * a function are its callers.
 */
#ifndef KMA_TREE_CALLERS_H
#define KMA_TREE_CALLERS_H

#include "model/account.h"
#include "node.h"

/* The order of the functions in a tree of stacks. */
enum kma_callers_order {
	KMA_CALLERS_DOWN, /* from the outermost function to the call site */
	KMA_CALLERS_UP,	  /* from the function that allocates to its callers */
};

/**
 * kma_callers_tree() - make the tree of the stacks of an account
 * @account: finished; its sites are rows for one stack, see model/restack.h
 * @order: which function is at the root
 * @ret: the tree, rolled up: its root has the sums of @account
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_callers_tree(const struct kma_account *account, enum kma_callers_order order,
				 struct kma_node **ret);

#endif /* KMA_TREE_CALLERS_H */
