/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intern.h - a table that gives call sites numbers. Each line of a log contains its call site. This
 * table stores each different site once and gives it a number, from 0 up, which indexes arrays of
 * counters. A site is a text and a kind, because the same caller may allocate with kmalloc() and
 * from a cache, and filters distinguish these. If tasks or cgroups are distinguished, the text has
 * a second line with the name of the group.
 *
 * Sites are never removed. Beyond the limits (number of sites, length of a text, bytes of all
 * texts) every new site has the number KMA_INTERN_REST, whose name is KMA_INTERN_REST_NAME, so that
 * no input can exhaust the memory. A new site costs 32 to 48 bytes and its text.
 *
 * Locking: none. One thread adds sites. Another thread may call kma_intern_site() for a number that
 * it received through something that orders memory (a mutex, a join): the text of a number never
 * changes or moves.
 */
#ifndef KMA_MODEL_INTERN_H
#define KMA_MODEL_INTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "event.h"

#define KMA_INTERN_REST	     0 /* number of all sites beyond the limits */
#define KMA_INTERN_REST_NAME "[more call sites]"
#define KMA_INTERN_MAX_SITES (1U << 20)
#define KMA_INTERN_MAX_TEXT  1024 /* bytes of a caller, and of a group: a symbol has 512 at most */
#define KMA_INTERN_MAX_BYTES (96UL << 20) /* of all texts */

struct kma_intern;

/* A table that has only KMA_INTERN_REST. */
struct kma_intern *kma_intern_new(void);

/*
 * A table with some of the sites of another one, in the same order and without gaps. @which: for
 * each number of @from, beginning with KMA_INTERN_REST + 1, whether to copy its site.
 */
struct kma_intern *kma_intern_new_of(const struct kma_intern *from, const bool *which);

/* Free a table. */
void kma_intern_destroy(struct kma_intern *intern);

/**
 * kma_intern() - look up the number of a call site, or give it one
 * @intern: the table
 * @kind: family of the function by which the site allocates or frees
 * @caller: text as in the log, need not be terminated
 * @len: bytes of @caller
 *
 * Return: its number; KMA_INTERN_REST if the site is new and there are too many sites or bytes, or
 * its text is too long.
 */
uint32_t kma_intern(struct kma_intern *intern, enum kma_kind kind, const char *caller, size_t len);

/**
 * kma_intern_grouped() - look up the number of a call site for one group, or give it one
 * @intern: the table
 * @kind: as for kma_intern()
 * @caller: text as in the log, need not be terminated
 * @len: bytes of @caller
 * @group: name of the task, cgroup or node, terminated, without a line feed
 *
 * The ledger makes a row with this group of such a site.
 *
 * Return: as kma_intern().
 */
uint32_t kma_intern_grouped(struct kma_intern *intern, enum kma_kind kind, const char *caller,
			    size_t len, const char *group);

/**
 * kma_intern_site() - get the call site of a number
 * @intern: the table
 * @site: from kma_intern()
 * @kind: set to its kind; KMA_KIND_UNKNOWN for KMA_INTERN_REST
 * @len: set to the bytes of the text
 *
 * Return: the text, terminated, owned by the table. With a group it is "CALLER\nGROUP".
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
 * kma_intern_count() - count the sites
 * @intern: the table
 *
 * Return: number of sites, with KMA_INTERN_REST at least 1; all numbers are below it.
 */
uint32_t kma_intern_count(const struct kma_intern *intern);

#endif /* KMA_MODEL_INTERN_H */
