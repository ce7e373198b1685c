/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intern.h - call sites by number. Each line of a log contains its call site. This table stores
 * each different site once and gives it a number, from 0 up, which indexes counters. A site is a
 * text and a kind, because the same caller may allocate by kmalloc and from a cache, and filters
 * distinguish these. Where groups (tasks, cgroups) are told apart, the text has a second line with
 * the group.
 *
 * Sites are never removed. Beyond the limits (number of sites, length of a text, bytes of all
 * texts) every new site is number KMA_INTERN_REST, which has a name of its own, so that no input
 * can exhaust the memory.
 *
 * Locking: none. One thread adds sites. Another thread may read the text of a number that it
 * received through something that orders memory (a mutex, a join): the text of a number never
 * changes or moves.
 */
#ifndef KMA_MODEL_INTERN_H
#define KMA_MODEL_INTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "event.h"

#define KMA_INTERN_REST	     0 /* KMA_INTERN_REST_NAME */
#define KMA_INTERN_REST_NAME "[more call sites]"
#define KMA_INTERN_MAX_SITES (1U << 20)
#define KMA_INTERN_MAX_TEXT  1024 /* bytes of a caller, and of a group: a symbol has 512 at most */
#define KMA_INTERN_MAX_BYTES (96UL << 20) /* of all texts */

struct kma_intern;

/**
 * kma_intern_create() - no sites but KMA_INTERN_REST
 * @ret: the table
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_intern_create(struct kma_intern **ret);

/**
 * kma_intern_create_of() - a table with some of the sites of another table
 * @from: the other table
 * @which: for each number of @from, beginning with KMA_INTERN_REST + 1, whether its site is one of them
 * @ret: the new table. The sites have their order of @from, and numbers without gaps
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_intern_create_of(const struct kma_intern *from, const bool *which,
				     struct kma_intern **ret);

/**
 * kma_intern_destroy() - forget all sites
 * @intern: from kma_intern_create(); NULL is fine
 */
void kma_intern_destroy(struct kma_intern *intern);

/**
 * kma_intern() - number of a call site
 * @intern: the table
 * @kind: by what it allocates or frees
 * @caller: text as in the log, need not be terminated
 * @len: bytes of @caller
 *
 * Return: its number; KMA_INTERN_REST when there are too many, or no memory.
 */
uint32_t kma_intern(struct kma_intern *intern, enum kma_kind kind, const char *caller, size_t len);

/**
 * kma_intern_grouped() - number of a call site for one group
 * @intern: the table
 * @kind: by what it allocates or frees
 * @caller: text as in the log, need not be terminated
 * @len: bytes of @caller
 * @group: name of the task, cgroup or node, without a line end
 *
 * Return: as kma_intern(). Of a task, the ledger makes a row of the task's group of it.
 */
uint32_t kma_intern_grouped(struct kma_intern *intern, enum kma_kind kind, const char *caller,
			    size_t len, const char *group);

/**
 * kma_intern_site() - get the call site of a number
 * @intern: the table
 * @site: from kma_intern()
 * @kind: its kind; unknown for KMA_INTERN_REST
 * @len: bytes of the text
 *
 * Return: text, terminated, that stays with the table.
 */
const char *kma_intern_site(const struct kma_intern *intern, uint32_t site, enum kma_kind *kind,
			    size_t *len);

/**
 * kma_intern_is_full() - does a site that is not in the table get number KMA_INTERN_REST?
 * @intern: the table
 *
 * Return: true if the table has as many sites, or as many bytes of text, as it may have.
 */
bool kma_intern_is_full(const struct kma_intern *intern);

/**
 * kma_intern_count() - how many sites there are
 * @intern: the table
 *
 * Return: 1 and up, numbers are below it.
 */
uint32_t kma_intern_count(const struct kma_intern *intern);

#endif /* KMA_MODEL_INTERN_H */
