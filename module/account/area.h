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
 */
#ifndef KMA_AREA_H
#define KMA_AREA_H

#include <linux/types.h>

struct page;

/**
 * struct kma_area - an array that grows
 * @mapping: address of the mapping, which begins with the front; NULL if there is none
 * @pages: list of the pages, which grows with the area
 * @nr: number of pages, including those of the front
 * @listed: number of pages for which @pages has space
 * @max: maximum of @nr
 * @front: set by the user before kma_area_init(): number of pages of the front, as mapped
 * @fronts: set by the user as well: number of these pages that exist; not 0 if there is a front
 * @must: set by the user: allocate even if that exceeds the budget (budget.h)
 * @local: set by the user before kma_area_init(): the pages come from @node. Else they come from
 *	all nodes that have CPUs, in turn.
 * @node: set by the user if @local; else the node of the last page
 */
struct kma_area {
	void *mapping;
	struct page **pages;
	unsigned long nr;
	unsigned long listed;
	unsigned long max;
	u16 front;
	u16 fronts;
	bool must;
	bool local;
	int node;
};

/**
 * kma_area_init() - initialise an empty area
 * @area: the area; the members that the user has set are kept
 * @max_bytes: maximum size of the area in bytes, including the front
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kma_area_init(struct kma_area *area, size_t max_bytes);

/**
 * kma_area_deinit() - release an area that has no user left
 * @area: the area, initialised, even if without success
 *
 * Calls kma_area_drain() if the area has ever grown.
 *
 * Context: process, may sleep.
 */
void kma_area_deinit(struct kma_area *area);

/**
 * kma_area_grow() - add zeroed pages to an area
 * @area: the area
 * @bytes: number of bytes to add, of which only those below the maximum are added; the first call
 *	includes the front
 * @publish: the pointer from which users read the base; set to the new base
 *
 * Does not wait: users may have the old base when this returns, and a user who has it must not
 * access what was added. So a user reads the base after the number of what it accesses, in
 * this order for other CPUs, too.
 *
 * Context: process, may sleep.
 * Return: 0; with nothing changed -ENOMEM, -ENOSPC at the maximum, or -EAGAIN if so much has been
 * mapped again since the last grace period that this has to wait for the next one.
 */
int kma_area_grow(struct kma_area *area, size_t bytes, void **publish);

/*
 * Get the ticket of what the caller has published.
 * Return: the ticket, later than all others; never 0.
 */
u64 kma_area_publish(void);

/*
 * Get the last ticket.
 * Return: the ticket, also of an area that has grown or shrunk; 0 if there is none.
 */
u64 kma_area_last(void);

/**
 * kma_area_passed() - check whether a grace period has ended since something was published
 * @ticket: its ticket, or 0
 *
 * Return: true if kma_area_settle() was called for this ticket or a later one, or @ticket is 0.
 */
bool kma_area_passed(u64 ticket);

/**
 * kma_area_settle() - remove what no user has any more
 * @ticket: a grace period has begun after this was the last ticket, and has ended
 *
 * Context: process, may sleep.
 */
void kma_area_settle(u64 ticket);

/*
 * Wait for what was published and is not settled, and settle it. If there is anything, waits for an
 * expedited grace period, which interrupts all CPUs: only where somebody waits for the result,
 * never in a worker.
 * Context: process, may sleep.
 */
void kma_area_drain(void);

/*
 * Get the memory that an area takes, including its list of pages. Pages that are to be released are
 * not included.
 * Return: bytes.
 */
size_t kma_area_memory(const struct kma_area *area);

#endif /* KMA_AREA_H */
