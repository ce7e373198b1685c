/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * merge.h - rows of one call site become one site: inputs that list a site once
 * for each of its stacks. The sites are in the order in which they came first.
 */
#ifndef KMA_MODEL_MERGE_H
#define KMA_MODEL_MERGE_H

#include "account.h"

struct kma_merge;

/**
 * kma_merge_create() - no sites yet
 * @ret: the sites
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_merge_create(struct kma_merge **ret);

/**
 * kma_merge_destroy() - free all
 * @merge: from kma_merge_create(); NULL is fine
 */
void kma_merge_destroy(struct kma_merge *merge);

/**
 * kma_merge_add() - add the numbers of a row to those of its site
 * @merge: the sites
 * @caller: text that says which site it is
 * @kind: of its first row that says one is the kind of the site
 * @values: numbers of the row
 *
 * Return: NULL; or an error without file and line: memory, or more than 64 bits hold.
 */
struct kma_err *kma_merge_add(struct kma_merge *merge, const char *caller, enum kma_kind kind,
			      const struct kma_values *values);

/**
 * kma_merge_add_at() - the same, of a site whose place in its file is known
 * @merge: the sites; then all of them are added by this function
 * @caller: text of the site; with another place it is another site
 * @build_id: of its file, "-" or "" when not known
 * @text: place in the text of the file, "0x..." or "init:0x...", as debugfs' sites has it
 * @kind: as for kma_merge_add()
 * @values: numbers of the row
 *
 * Return: as kma_merge_add().
 */
struct kma_err *kma_merge_add_at(struct kma_merge *merge, const char *caller, const char *build_id,
				 const char *text, enum kma_kind kind,
				 const struct kma_values *values);

/**
 * kma_merge_add_stack() - keep the row that was added last as a stack of its site
 * @merge: the sites
 * @stack: text, see kma_stacks_add()
 * @values: numbers of the row
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_merge_add_stack(struct kma_merge *merge, const char *stack,
				    const struct kma_values *values);

/**
 * kma_merge_set_cache() - set the slab cache of the row that was added last
 * @merge: the sites
 * @cache: its name. If rows of a site have different ones, the site has the first, and is known
 *	to have others.
 * @others: the row has objects of other caches, too
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_merge_set_cache(struct kma_merge *merge, const char *cache, bool others);

/**
 * kma_merge_last() - which site has the row that was added last
 * @merge: the sites, with a row
 *
 * Return: a number for kma_merge_site().
 */
uint32_t kma_merge_last(const struct kma_merge *merge);

/**
 * kma_merge_site() - number that a site has in the account
 * @merge: after kma_merge_close()
 * @nr: from kma_merge_last()
 *
 * Return: index into kma_account_sites().
 */
size_t kma_merge_site(const struct kma_merge *merge, uint32_t nr);

/**
 * kma_merge_close() - put the sites into an account
 * @merge: all rows are in
 * @account: not finished
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_merge_close(struct kma_merge *merge, struct kma_account *account);

#endif /* KMA_MODEL_MERGE_H */
