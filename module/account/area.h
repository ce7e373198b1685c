/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * area.h - an array, contiguous for the CPU, that grows and shrinks while it is in use.
 *
 * An event must find a bucket of the live map by one addition, while the map grows. The pages of
 * an area never move. When pages are added or released, the remaining pages
 * are mapped together at a new address, and users read the new base. The old mapping is removed
 * when no user is left that has read the old base. Until then the
 * same memory has two addresses; users must not compare pointers into it.
 *
 * An area may have a front: pages before its base. Only the first pages of the front exist. They
 * are mapped repeatedly to fill the front.
 *
 * Users read the base and use it within one RCU read-side section; a region
 * with interrupts off is one.
 *
 * Locking: the caller serialises all functions.
 */
#ifndef KMA_AREA_H
#define KMA_AREA_H

#include <linux/types.h>

struct page;

/**
 * struct kma_area - an array that grows
 * @mapping: address of the mapping, which begins with the front; NULL if there is none
 * @old: the mapping before, which users may still use; NULL if none does
 * @pages: list of the pages, which grows and shrinks with the area
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
	void *old;
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
 * Waits until no user can access the area by the old base.
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM with nothing changed; -ENOSPC at the maximum.
 */
int kma_area_grow(struct kma_area *area, size_t bytes, void **publish);

/**
 * kma_area_extend() - add zeroed pages to an area, and leave the old mapping in place
 * @area: the area, without an old mapping
 * @bytes: as for kma_area_grow()
 * @publish: as for kma_area_grow()
 *
 * For many areas that grow together: the caller extends each, waits once for a grace period, and
 * calls kma_area_unmap_old() for each.
 *
 * Context: process, may sleep.
 * Return: as kma_area_grow().
 */
int kma_area_extend(struct kma_area *area, size_t bytes, void **publish);

/**
 * kma_area_unmap_old() - remove the old mapping of an area
 * @area: the area, extended or not; no user has the old base any more
 *
 * Context: process, may sleep.
 */
void kma_area_unmap_old(struct kma_area *area);

/**
 * kma_area_shrink() - release the last pages of an area
 * @area: the area
 * @bytes: minimum size that stays, in bytes; not 0
 * @publish: the pointer from which users read the base; set to the new base
 *
 * No user may access the area beyond @bytes from now on, neither by the new base nor by the
 * old base. Waits until no user can access the area by the old base.
 *
 * Context: process, may sleep.
 * Return: number of pages that were released; -ENOMEM with nothing changed.
 */
long kma_area_shrink(struct kma_area *area, size_t bytes, void **publish);

/**
 * kma_area_memory() - get the memory that an area takes, including its list of pages
 * @area: the area
 *
 * Return: bytes.
 */
size_t kma_area_memory(const struct kma_area *area);

#endif /* KMA_AREA_H */
