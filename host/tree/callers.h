/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callers.h - the stacks of an account as a tree of functions.
 *
 * With KMA_CALLERS_DOWN the children of a function are the functions that it calls, and a leaf is a
 * call site. With KMA_CALLERS_UP the children of the root are the call sites, and the children of a
 * node are its callers.
 */
#ifndef KMA_TREE_CALLERS_H
#define KMA_TREE_CALLERS_H

#include "model/account.h"
#include "node.h"

/* The order of the functions in a tree of stacks. */
enum kma_callers_order {
	KMA_CALLERS_DOWN, /* from the outermost function to the call site */
	KMA_CALLERS_UP,	  /* from the call site to its callers */
};

/**
 * kma_callers_tree() - build the tree of the stacks of an account
 * @account: finished; each of its sites is a row for one stack, see model/restack.h
 * @order: which function is at the root
 *
 * A stack of more than 60 frames keeps its innermost 59; the outer ones are "[more frames]".
 *
 * Return: the tree, rolled up; its root has the sums of @account.
 */
struct kma_node *kma_callers_tree(const struct kma_account *account, enum kma_callers_order order);

#endif /* KMA_TREE_CALLERS_H */
