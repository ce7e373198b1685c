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

/* @intern has the texts of the sites' numbers, and must outlive the ledger. */
struct kma_ledger *kma_ledger_create(const struct kma_intern *intern);

void kma_ledger_destroy(struct kma_ledger *ledger);

/*
 * Counts events in the order in which they happened. An allocation of fewer bytes than requested
 * counts as one of the requested bytes, so waste is never negative.
 */
void kma_ledger_book(struct kma_ledger *ledger, const struct kma_event *events, size_t nr);

/* Adds to the number of events that the log has lost. */
void kma_ledger_lose(struct kma_ledger *ledger, uint64_t events);

/*
 * Leaves out a site whose bytes other sites have, too: pages of the slab allocator, if the log also
 * has the objects in them. The account gets a note instead of a row: its key is the text of the
 * site, its value the live bytes. At most four sites can be left out.
 */
void kma_ledger_leave_out(struct kma_ledger *ledger, uint32_t site);

/* Live objects stay live. All other numbers restart at 0, and peaks at the live bytes. */
void kma_ledger_restart(struct kma_ledger *ledger);

/* Live bytes; 0 for a site that no event has had. */
uint64_t kma_ledger_current(const struct kma_ledger *ledger, uint32_t site);

/* Number of events passed to kma_ledger_book(), of all kinds. */
uint64_t kma_ledger_booked(const struct kma_ledger *ledger);

/* The kind of the groups of kma_intern_grouped(); KMA_GROUPED_TASK without this call. */
void kma_ledger_set_grouped(struct kma_ledger *ledger, enum kma_grouped grouped);

/*
 * Lets kma_ledger_close() call @place after it has added the row of a site, so that
 * kma_account_set_image() and similar functions change that row.
 */
void kma_ledger_set_placer(struct kma_ledger *ledger,
			   struct kma_err *(*place)(void *arg, uint32_t site,
						    struct kma_account *account),
			   void *arg);

/*
 * Fills an account that is empty except for its name, when all events are counted; the ledger can
 * only be destroyed afterwards. The account is not finished here: the reader may add notes, losses
 * and warnings, and remove metrics that the log does not have, such as wrong frees. Sites are in
 * the order of their numbers; those whose counters are all 0 are left out. It is an error if a sum
 * exceeds 64 bits.
 */
struct kma_err *kma_ledger_close(struct kma_ledger *ledger, struct kma_account *account);

#endif /* KMA_MODEL_LEDGER_H */
