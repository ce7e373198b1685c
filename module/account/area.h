/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * area.h - an array, contiguous for the CPU, that grows while it is in use.
 *
 * An event must find the counter of a class by one addition, while the array grows. The pages of
 * an area never move. When pages are added or released, the remaining pages
 * are mapped together at a new address, and users read the new base. The old mapping is removed
 * when no user is left that has read the old base. Until then the
 * same memory has two or more addresses; users must not compare pointers into it.
 *
 * No function that grows an area waits for that. What is published gets a number, its
 * ticket. The caller of these functions then waits for a grace period, without the lock that
 * serialises them, and calls kma_area_settle(), which removes the old mappings. A user of an area
 * who must not go on before a grace period has ended keeps the ticket, and asks
 * kma_area_passed(). Tickets are also for other data than areas (kma_area_publish()).
 *
 * An area may have a front: pages before its base. Only the first pages of the front exist. They
 * are mapped repeatedly to fill the front.
 *
 * Users read the base and use it within one RCU read-side section; a region
 * with interrupts off is one.
 *
 * Locking: the caller serialises all functions, of all areas together. Only the first growth of
 * an area may run at the same time as a function for another area.
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_AREA_H
#define KMA_AREA_H

#include <linux/types.h>

struct page;

/* An array that grows. The user sets the last members before kma_area_init(). */
struct kma_area {
	void *mapping;		/* begins with the front; NULL if there is none */
	struct page **pages;	/* grows with the area */
	unsigned long nr;	/* pages, including those of the front */
	unsigned long listed;	/* number of pages for which @pages has space */
	unsigned long max;	/* maximum of @nr */
	u16 front;		/* set by the user: pages of the front, as mapped */
	u16 fronts;		/* set as well: those that exist; not 0 if there is a front */
	/* Set by the user at any time: allocate beyond the budget (budget.h) */
	bool must;
	/* Set by the user: from @node, else from all nodes with CPUs in turn */
	bool local;
	int node;		/* set by the user if @local; else the node of the last page */
};

/* Initialise an empty area of at most @max_bytes, including the front. Returns 0 or -ENOMEM. */
int kma_area_init(struct kma_area *area, size_t max_bytes);

/*
 * Release an area that has no user left, also after kma_area_init() has failed. If it has ever
 * grown, kma_area_drain() is called.
 */
void kma_area_deinit(struct kma_area *area);

/*
 * Add zeroed pages, and set @publish to the new base. The first call includes the front; bytes
 * beyond the maximum are not added.
 *
 * Does not wait: users may have the old base when this returns, and a user who has it must not
 * access what was added. So a user reads the base after the number of what it accesses, in this
 * order for other CPUs, too.
 *
 * Return: 0; with nothing changed -ENOMEM, -ENOSPC at the maximum, or -EAGAIN if so much has been
 * mapped again since the last grace period that this has to wait for the next one.
 */
int kma_area_grow(struct kma_area *area, size_t bytes, void **publish);

/* A ticket for what the caller has published: later than all others, and never 0. */
u64 kma_area_publish(void);

/* The last ticket, also of an area that has grown or shrunk; 0 if there is none. */
u64 kma_area_last(void);

/* Was kma_area_settle() called for this ticket or a later one? Also true for 0. */
bool kma_area_passed(u64 ticket);

/*
 * Remove what no user has any more: a grace period has begun after this was the last ticket, and
 * ended.
 */
void kma_area_settle(u64 ticket);

/*
 * Wait for what was published and is not settled, and settle it, by an expedited grace period,
 * which interrupts all CPUs: only where somebody waits for the result, never in a worker.
 */
void kma_area_drain(void);

/* Bytes, with the list of pages, and without pages that are to be released. */
size_t kma_area_memory(const struct kma_area *area);

#endif /* KMA_AREA_H */
