/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ledger.h - from events to an account. It books each event to its call site,
 * keeps the objects that are live, and closes as a struct kma_account.
 *
 * Pairs are found by address, never by the kind of event:
 * - a free of an address that is not live is a free of an unknown object, booked
 *   to the site that freed it;
 * - an allocation of an address that is live implies a free that the log does not
 *   have: the old owner is credited. But a large kmalloc of Linux 6.12 and later
 *   makes two events, the first by a function of the allocator itself: the second,
 *   of the same address and sizes, moves the object to the real caller, as if the
 *   first had not been. An event log has no names while it is read, so there the
 *   two must also be of one CPU;
 * - an allocation that got nothing, and a free of NULL, are notes of the account.
 * Pages may be freed in parts: what is left of a block stays live.
 *
 * Nothing is dropped in silence: each is a loss or a note of the account. remote
 * and wrong are those of the site that allocated.
 *
 * Memory grows with live objects and sites, never with the number of events.
 *
 * Locking: none; one thread at a time.
 */
#ifndef KMA_MODEL_LEDGER_H
#define KMA_MODEL_LEDGER_H

#include "account.h"
#include "event.h"
#include "intern.h"

struct kma_ledger;

/**
 * kma_ledger_create() - a ledger without events
 * @intern: texts of the sites' numbers, stays the caller's and outlives the ledger
 * @ret: the ledger
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_ledger_create(const struct kma_intern *intern, struct kma_ledger **ret);

/**
 * kma_ledger_destroy() - drop a ledger
 * @ledger: from kma_ledger_create(); NULL is fine
 */
void kma_ledger_destroy(struct kma_ledger *ledger);

/**
 * kma_ledger_book() - book events
 * @ledger: not closed
 * @events: in the order in which they happened
 * @nr: how many
 *
 * An allocation of fewer bytes than were asked for is booked with as many.
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_ledger_book(struct kma_ledger *ledger, const struct kma_event *events,
				size_t nr);

/**
 * kma_ledger_lose() - events that the log says it has lost
 * @ledger: not closed
 * @events: how many
 */
void kma_ledger_lose(struct kma_ledger *ledger, uint64_t events);

/**
 * kma_ledger_leave_out() - leave a site out of the account
 * @ledger: not closed
 * @site: its objects are counted as parts of other objects already
 *
 * Its live bytes become a note with the site's text as the key.
 */
void kma_ledger_leave_out(struct kma_ledger *ledger, uint32_t site);

/**
 * kma_ledger_restart() - restart all counts
 * @ledger: not closed
 *
 * Live objects stay live. All other numbers restart at 0, and peaks at the live bytes.
 */
void kma_ledger_restart(struct kma_ledger *ledger);

/**
 * kma_ledger_current() - live bytes of a call site
 * @ledger: not closed
 * @site: its number
 *
 * Return: bytes; 0 also for a number that no event had.
 */
uint64_t kma_ledger_current(const struct kma_ledger *ledger, uint32_t site);

/**
 * kma_ledger_booked() - was there anything?
 * @ledger: the ledger
 *
 * Return: number of events booked so far, of whatever kind.
 */
uint64_t kma_ledger_booked(const struct kma_ledger *ledger);

/**
 * kma_ledger_set_grouped() - say what the groups of call sites are
 * @ledger: not closed
 * @grouped: of sites of kma_intern_grouped(); tasks without this call
 */
void kma_ledger_set_grouped(struct kma_ledger *ledger, enum kma_grouped grouped);

/**
 * kma_ledger_set_placer() - have more said of each site of the account
 * @ledger: not closed
 * @place: called by kma_ledger_close() when the site of that number was added last
 * @arg: for @place
 */
void kma_ledger_set_placer(struct kma_ledger *ledger,
			   struct kma_err *(*place)(void *arg, uint32_t site,
						    struct kma_account *account),
			   void *arg);

/**
 * kma_ledger_close() - fill the account
 * @ledger: all events are in; it can only be destroyed from here on
 * @account: empty, of the name of the log; it is not finished: the reader may add notes,
 *	losses and warnings, and take away metrics that the log does not tell, as wrong frees
 *
 * Sites are in the order in which the log names them. Those that no event was
 * booked to are left out.
 *
 * Return: NULL or an error: memory, or sums that 64 bits do not hold.
 */
struct kma_err *kma_ledger_close(struct kma_ledger *ledger, struct kma_account *account);

#endif /* KMA_MODEL_LEDGER_H */
