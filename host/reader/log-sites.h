/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-sites.h - numbers of the call sites of an event log. A site gets its name at its first event,
 * so that a module that is loaded again at another address has the same sites. Pages of the slab
 * and per-CPU allocators, and events without a call site, have rows of their own.
 *
 * Locking: none; one thread. Names are kept by the struct kma_intern, see there.
 */
#ifndef KMA_READER_LOG_SITES_H
#define KMA_READER_LOG_SITES_H

#include "log/log.h"
#include "model/intern.h"
#include "model/ledger.h"

struct kma_log_sites;

/**
 * kma_log_sites_create() - no sites yet but the rows in brackets
 * @log: to name them; outlives the sites
 * @intern: has nothing yet, outlives the sites
 * @input: says whether tasks or cgroups are to be told apart
 * @ret: the sites
 *
 * In a log without tasks nothing is told apart.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_log_sites_create(const struct kma_log *log, struct kma_intern *intern,
				     const struct kma_input *input, struct kma_log_sites **ret);

/**
 * kma_log_sites_owned() - are tasks or cgroups told apart?
 * @sites: the sites
 *
 * Return: by what the sites are grouped.
 */
enum kma_grouped kma_log_sites_owned(const struct kma_log_sites *sites);

/**
 * kma_log_sites_destroy() - forget them
 * @sites: from kma_log_sites_create(); NULL is fine
 */
void kma_log_sites_destroy(struct kma_log_sites *sites);

/**
 * kma_log_sites_find() - get the number of an item's call site
 * @sites: the sites
 * @item: the last one that was read
 * @ret: below kma_intern_count()
 *
 * To be called for each item: a loaded module changes the names of its addresses.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_log_sites_find(struct kma_log_sites *sites, const struct kma_log_item *item,
				   uint32_t *ret);

/**
 * kma_log_event() - an item as the ledger has it
 * @item: an allocation or a free
 * @site: its call site
 * @ret: filled in
 */
void kma_log_event(const struct kma_log_item *item, uint32_t site, struct kma_event *ret);

/**
 * kma_log_sites_fill() - close a ledger into the account of a log
 * @sites: what the ledger's events have
 * @ledger: all events are counted; can only be destroyed after that
 * @account: empty but for its name
 *
 * Losses, notes and places are filled in as well.
 *
 * Return: NULL, or an error: there was nothing, or as kma_ledger_close() says.
 */
struct kma_err *kma_log_sites_fill(struct kma_log_sites *sites, struct kma_ledger *ledger,
				   struct kma_account *account);

/**
 * kma_log_sites_row() - find the site of a row of the account
 * @sites: kma_log_sites_fill() was called
 * @row: index into the account's sites
 *
 * Return: its number; KMA_INTERN_REST for a row that is not a site.
 */
uint32_t kma_log_sites_row(const struct kma_log_sites *sites, size_t row);

#endif /* KMA_READER_LOG_SITES_H */
