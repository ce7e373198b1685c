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

void kma_intern_destroy(struct kma_intern *intern);

/*
 * The number of a call site, which is added if it is new. @caller, @len bytes, is its text as in
 * the log. KMA_INTERN_REST if a new site is beyond the limits.
 */
uint32_t kma_intern(struct kma_intern *intern, enum kma_kind kind, const char *caller, size_t len);

/*
 * The same for a call site of one group: the name of a task, cgroup or node, without a line feed.
 * The ledger makes a row with this group of such a site.
 */
uint32_t kma_intern_grouped(struct kma_intern *intern, enum kma_kind kind, const char *caller,
			    size_t len, const char *group);

/*
 * The text of a number and its length, owned by the table; with a group it is "CALLER
 * GROUP". @kind is KMA_KIND_UNKNOWN for KMA_INTERN_REST.
 */
const char *kma_intern_site(const struct kma_intern *intern, uint32_t site, enum kma_kind *kind,
			    size_t *len);

/* Does a site that is not in the table get number KMA_INTERN_REST, whatever its text? */
bool kma_intern_is_full(const struct kma_intern *intern);

/* At least 1, for KMA_INTERN_REST. All numbers are below it. */
uint32_t kma_intern_count(const struct kma_intern *intern);

#endif /* KMA_MODEL_INTERN_H */
