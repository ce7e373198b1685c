/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * merge.h - make one site of all rows of a call site and kind, for inputs that list a site once for
 * each of its stacks, and for logs by group. Sites are in the order of their first rows.
 *
 * Rows belong to one site if their texts and kinds are equal; for rows of kma_merge_add_at(), the
 * build IDs and offsets must be equal, too. The numbers of a site are the sums of its rows; a sum
 * that exceeds 64 bits is an error. Beyond the limits of intern.h, rows become one site with the
 * name KMA_INTERN_REST_NAME.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_MERGE_H
#define KMA_MODEL_MERGE_H

#include "account.h"

struct kma_merge;

/* Create a merge without sites. */
struct kma_merge *kma_merge_create(void);

/* Free a merge and its sites. */
void kma_merge_destroy(struct kma_merge *merge);

/**
 * kma_merge_add() - add a row to its site
 * @merge: not closed
 * @caller: text of the site
 * @kind: kind of the row
 * @values: numbers of the row
 *
 * Return: NULL, or an error, without file and line, that the sum exceeds 64 bits.
 */
struct kma_err *kma_merge_add(struct kma_merge *merge, const char *caller, enum kma_kind kind,
			      const struct kma_values *values);

/**
 * kma_merge_add_at() - add a row to its site, whose position in its file is known
 * @merge: not closed; all rows must be added with this function
 * @caller: text of the site. The same text at another position is another site
 * @build_id: build ID of the file, "-" or "" if unknown
 * @text: offset in the text of the file, "0x..." or "init:0x...", as in debugfs' sites
 * @kind: as for kma_merge_add()
 * @values: numbers of the row
 *
 * Return: as kma_merge_add().
 */
struct kma_err *kma_merge_add_at(struct kma_merge *merge, const char *caller, const char *build_id,
				 const char *text, enum kma_kind kind,
				 const struct kma_values *values);

/**
 * kma_merge_add_stack() - add a stack to the site of the row that was added last
 * @merge: not closed, with a row
 * @stack: text of the stack, see kma_stacks_add()
 * @values: numbers of the row
 */
void kma_merge_add_stack(struct kma_merge *merge, const char *stack,
			 const struct kma_values *values);

/**
 * kma_merge_set_cache() - set the slab cache of the row that was added last
 * @merge: not closed, with a row
 * @cache: name of the cache. If the rows of a site have different caches, the site has the first
 *	one, and kma_site.caches is set
 * @others: some objects of the row are in other caches
 */
void kma_merge_set_cache(struct kma_merge *merge, const char *cache, bool others);

/* Set the source file of the row that was added last. */
void kma_merge_set_path(struct kma_merge *merge, const char *path, size_t len);

/**
 * kma_merge_last() - get the number of the site of the row that was added last
 * @merge: with a row
 *
 * Return: a number for kma_merge_site().
 */
uint32_t kma_merge_last(const struct kma_merge *merge);

/**
 * kma_merge_site() - get the index of a site in the account
 * @merge: after kma_merge_close()
 * @nr: from kma_merge_last()
 *
 * Return: index into kma_account_sites().
 */
size_t kma_merge_site(const struct kma_merge *merge, uint32_t nr);

/**
 * kma_merge_close() - add the sites to an account, with their stacks if these have frames
 * @merge: all rows were added
 * @account: not finished, without sites
 */
struct kma_err *kma_merge_close(struct kma_merge *merge, struct kma_account *account);

#endif /* KMA_MODEL_MERGE_H */
