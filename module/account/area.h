/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * area.h - an array, contiguous for the CPU, that grows and shrinks while it is in use.
 *
 * The live map wants to reach a bucket with one addition, from a probe, while
 * the map grows. The pages of an area never move; when pages are added or released, those
 * that stay are mapped together at a new address, users learn the new base,
 * and the old mapping goes when the last of them has left it. For a moment the
 * same memory has two addresses; users must not compare pointers into it.
 *
 * An area may have a front: pages before its base, of which only the first ones exist, and are
 * mapped over and over.
 *
 * Users read the base and use it within one RCU read-side section, as a region
 * with interrupts off is.
 *
 * Locking: the caller serialises all functions.
 */
#ifndef KMA_AREA_H
#define KMA_AREA_H

#include <linux/types.h>

struct page;

/**
 * struct kma_area - an array that grows
 * @mapping: where it is mapped, the front first, or NULL
 * @pages: what it consists of: a list, which grows and shrinks with the area
 * @nr: number of pages, those of the front included
 * @listed: number of pages for which @pages has room
 * @max: number of pages that the area may have
 * @front: set by the user before kma_area_init(): pages of the front, as they are mapped
 * @fronts: set by the user as well: how many of these exist; at least one if there is a front
 * @must: set by the user: what it takes is not refused for want of budget (budget.h)
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
 * @area: the area; its initialisation may have failed
 *
 * Context: process, may sleep.
 */
void kma_area_deinit(struct kma_area *area);

/**
 * kma_area_grow() - make an area larger; what is new is zero
 * @area: the area
 * @bytes: how much larger, at most; what fits below its maximum is added; at first, the front
 *	is a part of it
 * @publish: where users read the base; set to the new one
 *
 * Waits until no user can access the area by the old base.
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM with nothing changed; -ENOSPC at the maximum.
 */
int kma_area_grow(struct kma_area *area, size_t bytes, void **publish);

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
