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

struct kma_merge *kma_merge_create(void);
void kma_merge_destroy(struct kma_merge *merge);

/* Adds a row to its site. An error has no file and line: the sum exceeds 64 bits. */
struct kma_err *kma_merge_add(struct kma_merge *merge, const char *caller, enum kma_kind kind,
			      const struct kma_values *values);

/*
 * The same for sites whose positions in their files are known: the same text at another position is
 * another site. All rows must be added with this function. @build_id is "-" or "" if unknown; @text
 * is "0x..." or "init:0x...", as in debugfs' sites.
 */
struct kma_err *kma_merge_add_at(struct kma_merge *merge, const char *caller, const char *build_id,
				 const char *text, enum kma_kind kind,
				 const struct kma_values *values);

/* Adds a stack, see kma_stacks_add(), to the site of the row that was added last. */
void kma_merge_add_stack(struct kma_merge *merge, const char *stack,
			 const struct kma_values *values);

/*
 * Sets the slab cache of the row that was added last. If the rows of a site have different caches,
 * the site has the first one, and kma_site.caches is set. @others: some objects of the row are in
 * other caches.
 */
void kma_merge_set_cache(struct kma_merge *merge, const char *cache, bool others);

/* Sets the source file of the row that was added last. */
void kma_merge_set_path(struct kma_merge *merge, const char *path, size_t len);

/* The site of the row that was added last, for kma_merge_site(). */
uint32_t kma_merge_last(const struct kma_merge *merge);

/* Its index in kma_account_sites(), after kma_merge_close(). */
size_t kma_merge_site(const struct kma_merge *merge, uint32_t nr);

/* Adds the sites to an account without sites, with their stacks if these have frames. */
struct kma_err *kma_merge_close(struct kma_merge *merge, struct kma_account *account);

static inline void kma_cleanup_merge(struct kma_merge **merge)
{
	kma_merge_destroy(*merge);
}

#define _cleanup_merge_ __attribute__((cleanup(kma_cleanup_merge)))

#endif /* KMA_MODEL_MERGE_H */
