/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ledger.h - count the events of a log, and make an account of them.
 *
 * A ledger has counters for each call site and the map of live objects (live.h). An allocation adds
 * to the counters of its site. A free is charged to the site that allocated the object, which the
 * map finds by the address; the kind of the event is not used to find it. The other cases are:
 *
 * - The address of a free is not live: a free of an unknown object. It counts as a free of the site
 *   that freed the object, and as a loss of the account.
 * - The address of an allocation is live: the log lacks the free of the old object (an implied
 *   free). It counts as a free of the old object's site, and as a loss.
 * - A kmalloc() above 8 KiB makes two events on Linux 6.12 and later: the first one names a
 *   function of the allocator, the second one its caller. The second event reverts the first, so
 *   that only the caller has the object. The two have the same address and sizes, and no other
 *   large kmalloc() of the first one's CPU is between them. In an ftrace log the name of the first
 *   site must be one of the allocator's functions. An event log has no names while it is read:
 *   there the module marks such events (kma_event.twice), and both must be of one CPU.
 * - A free of pages may cover a part of a block, or several blocks. The rest of a block stays live.
 * - Failed allocations and frees of NULL are only counted, in notes of the account.
 * - Events that are marked as quiet may be ignored, see struct kma_event.
 *
 * A free on another CPU (remote) or by the function of another slab allocator (wrong) counts for
 * the site that allocated the object.
 *
 * Memory: 72 bytes for each site and about 32 bytes for each live object, but nothing for an event.
 * A log of any length can therefore be counted.
 *
 * Locking: none. The caller must serialise all calls. booker.h runs a ledger in a thread of its
 * own.
 */
#ifndef KMA_MODEL_LEDGER_H
#define KMA_MODEL_LEDGER_H

#include "account.h"
#include "event.h"
#include "intern.h"

struct kma_ledger;

/**
 * kma_ledger_create() - create a ledger without events
 * @intern: has the texts of the sites' numbers; owned by the caller, must outlive the ledger
 */
struct kma_ledger *kma_ledger_create(const struct kma_intern *intern);

/* Free a ledger. */
void kma_ledger_destroy(struct kma_ledger *ledger);

/**
 * kma_ledger_book() - count events
 * @ledger: not closed
 * @events: in the order in which they happened
 * @nr: number of events
 *
 * An allocation of fewer bytes than requested counts as one of the requested bytes, so waste is
 * never negative.
 */
void kma_ledger_book(struct kma_ledger *ledger, const struct kma_event *events, size_t nr);

/**
 * kma_ledger_lose() - add to the number of events that the log has lost
 * @ledger: not closed
 * @events: number of lost events
 */
void kma_ledger_lose(struct kma_ledger *ledger, uint64_t events);

/**
 * kma_ledger_leave_out() - leave a site out of the account
 * @ledger: not closed; at most four sites can be left out
 * @site: number of a site whose bytes other sites have, too: pages of the slab allocator, if the
 *	log also has the objects in them
 *
 * The account gets a note instead of a row: its key is the text of the site, its value the live
 * bytes.
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
 * kma_ledger_current() - get the live bytes of a call site
 * @ledger: not closed
 * @site: number of the site
 *
 * Return: bytes; 0 for a number that no event has had.
 */
uint64_t kma_ledger_current(const struct kma_ledger *ledger, uint32_t site);

/**
 * kma_ledger_booked() - count the events
 * @ledger: the ledger
 *
 * Return: number of events passed to kma_ledger_book(), of all kinds.
 */
uint64_t kma_ledger_booked(const struct kma_ledger *ledger);

/**
 * kma_ledger_set_grouped() - set the kind of the groups of kma_intern_grouped()
 * @ledger: not closed
 * @grouped: the kind; KMA_GROUPED_TASK without this call
 */
void kma_ledger_set_grouped(struct kma_ledger *ledger, enum kma_grouped grouped);

/**
 * kma_ledger_set_placer() - set a function that adds to the rows of the account
 * @ledger: not closed
 * @place: kma_ledger_close() calls it after it has added the row of site number @site, so that
 *	kma_account_set_image() and similar functions change that row
 * @arg: passed to @place
 */
void kma_ledger_set_placer(struct kma_ledger *ledger,
			   struct kma_err *(*place)(void *arg, uint32_t site,
						    struct kma_account *account),
			   void *arg);

/**
 * kma_ledger_close() - fill an account
 * @ledger: all events are counted; it can only be destroyed afterwards
 * @account: empty, with the name of the log. It is not finished here: the reader may add notes,
 *	losses and warnings, and remove metrics that the log does not have, such as wrong frees
 *
 * Sites are in the order of their numbers. Sites whose counters are all 0 are left out.
 *
 * Return: NULL, or an error that a sum exceeds 64 bits.
 */
struct kma_err *kma_ledger_close(struct kma_ledger *ledger, struct kma_account *account);

#endif /* KMA_MODEL_LEDGER_H */
