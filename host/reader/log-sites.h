/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-sites.h - numbers of the call sites of an event log.
 *
 * An item of the log has an address. The address is converted to a name when it is first used, and
 * the name is numbered (model/intern.h). A module that is loaded again at another address thus has
 * the same sites. A record that a module was loaded invalidates the cache of addresses, so
 * kma_log_sites_find() must see each item of the log in its order.
 *
 * Three kinds of events have named rows instead of a site: pages that the slab allocator takes,
 * pages that the per-CPU allocator takes, and events without a call site. If tasks or cgroups are
 * distinguished, each pair of a site and a task or cgroup has a number.
 *
 * Locking: none; one thread. The struct kma_intern has its own rule, see there.
 */
#ifndef KMA_READER_LOG_SITES_H
#define KMA_READER_LOG_SITES_H

#include "log/log.h"
#include "model/intern.h"
#include "model/ledger.h"

struct kma_log_sites;

/*
 * A table with only the named rows. @log and @intern, which is empty, must outlive it. @input says
 * whether tasks or cgroups are distinguished; that is ignored if the log has none.
 */
struct kma_log_sites *kma_log_sites_create(const struct kma_log *log, struct kma_intern *intern,
					   const struct kma_input *input);

/* KMA_GROUPED_TASK, KMA_GROUPED_CGROUP, or KMA_GROUPED_NOT: what distinguishes the sites. */
enum kma_grouped kma_log_sites_owned(const struct kma_log_sites *sites);

void kma_log_sites_destroy(struct kma_log_sites *sites);

/*
 * Must be called for each item, because a loaded module changes the names of its addresses. @ret, a
 * number below kma_intern_count(), is set only for allocations and frees.
 */
void kma_log_sites_find(struct kma_log_sites *sites, const struct kma_log_item *item,
			uint32_t *ret);

/* Converts an allocation or a free to an event for the ledger. */
void kma_log_event(const struct kma_log_item *item, uint32_t site, struct kma_event *ret);

/*
 * Closes a ledger, whose events have numbers of these sites, into an account that is empty except
 * for its name. A log without an event is an error.
 */
struct kma_err *kma_log_sites_fill(struct kma_log_sites *sites, struct kma_ledger *ledger,
				   struct kma_account *account);

/* Add a site as a row of an account, with its place and its task or cgroup. */
struct kma_err *kma_log_sites_add(const struct kma_log_sites *sites, uint32_t site,
				  const struct kma_values *values, struct kma_account *account);

/* Note the kernel and the machine that wrote the log. */
void kma_log_sites_note(const struct kma_log_sites *sites, struct kma_account *account);

/*
 * The number of the site of a row of the account, after kma_log_sites_fill(); KMA_INTERN_REST for a
 * row that is not a site.
 */
uint32_t kma_log_sites_row(const struct kma_log_sites *sites, size_t row);

#endif /* KMA_READER_LOG_SITES_H */
