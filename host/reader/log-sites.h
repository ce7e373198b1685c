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

/**
 * kma_log_sites_create() - create the table, with only the named rows
 * @log: the log, which names the sites; must outlive them
 * @intern: empty; must outlive the sites
 * @input: says whether tasks or cgroups are distinguished; ignored if the log has no tasks
 */
struct kma_log_sites *kma_log_sites_create(const struct kma_log *log, struct kma_intern *intern,
					   const struct kma_input *input);

/**
 * kma_log_sites_owned() - tell by what sites are separated
 * @sites: the table
 *
 * Return: KMA_GROUPED_TASK, KMA_GROUPED_CGROUP, or KMA_GROUPED_NOT.
 */
enum kma_grouped kma_log_sites_owned(const struct kma_log_sites *sites);

/* Free the table. */
void kma_log_sites_destroy(struct kma_log_sites *sites);

/**
 * kma_log_sites_find() - get the number of an item's call site
 * @sites: the table
 * @item: the item that was read last
 * @ret: the number, below kma_intern_count(); set only for allocations and frees
 *
 * Must be called for each item, because a loaded module changes the names of its addresses.
 */
void kma_log_sites_find(struct kma_log_sites *sites, const struct kma_log_item *item,
			uint32_t *ret);

/**
 * kma_log_event() - convert an item to an event for the ledger
 * @item: an allocation or a free
 * @site: number of its call site
 * @ret: the event
 */
void kma_log_event(const struct kma_log_item *item, uint32_t site, struct kma_event *ret);

/**
 * kma_log_sites_fill() - close a ledger into the account of a log
 * @sites: the table that numbered the ledger's events
 * @ledger: all events are counted; afterwards it can only be destroyed
 * @account: empty except for its name; gets sites, places, losses, notes and warnings
 *
 * Return: NULL, or an error: the log has no event, or as kma_ledger_close().
 */
struct kma_err *kma_log_sites_fill(struct kma_log_sites *sites, struct kma_ledger *ledger,
				   struct kma_account *account);

/* Add a site as a row of an account, with its place and its task or cgroup. */
struct kma_err *kma_log_sites_add(const struct kma_log_sites *sites, uint32_t site,
				  const struct kma_values *values, struct kma_account *account);

/* Note the kernel and the machine that wrote the log. */
void kma_log_sites_note(const struct kma_log_sites *sites, struct kma_account *account);

/**
 * kma_log_sites_row() - find the site of a row of the account
 * @sites: kma_log_sites_fill() was called
 * @row: index in the account's sites
 *
 * Return: number of the site; KMA_INTERN_REST for a row that is not a site.
 */
uint32_t kma_log_sites_row(const struct kma_log_sites *sites, size_t row);

#endif /* KMA_READER_LOG_SITES_H */
