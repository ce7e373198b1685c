/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pins.h - what holds dead cgroups: removed ones that the kernel cannot free, because something has
 * a reference.
 *
 * A reference count does not say who has the references. So this goes the other way: it reads
 * everything of the kinds that hold a cgroup, and looks where each leads.
 *
 *  - Pages of memory that a cgroup has paid for, by their struct page: of a file, which is named,
 *    anonymous, and others. Since 7.1 the pages of a removed cgroup belong to its parent.
 *  - Pages in swap: the memory of a removed cgroup counts them, as references to its ID.
 *  - Sockets: the cgroup that made one, by its memory and by itself.
 *  - Inodes, whose changes are written to the disk on behalf of a cgroup.
 *  - Tasks that have ended, but are still a zombie, and cgroup namespaces.
 *  - Dead cgroups below a dead one.
 *
 * All of these have the address of a cgroup, or that of one of its cgroup_subsys_state, which begins
 * with the cgroup's address.
 *
 * The kernel goes on, so everything is read twice, and the smaller of two counts is taken. A cgroup
 * that nothing leads to is said to be held by nothing that was found: a reference of a kind that
 * is not read, as that of a perf event.
 *
 * Memory: 24 bytes for each cgroup and what holds it, with up to 64 of these for a cgroup; 12 for
 * each file with such a page; during a walk each free object of all caches.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_PINS_H
#define KMA_HEAP_PINS_H

#include "lib/arena.h"
#include "lib/map.h"
#include "lib/notes.h"
#include "name-types.h"
#include "running.h"

/* Zeroed at first. */
struct kma_pins {
	struct kma_map by_cgroup;
	struct kma_pins_cgroup *cgroups;
	uint32_t room_cgroups;
	struct kma_map by_pair; /* of a cgroup and a text */
	struct kma_pin *pins;
	uint32_t room_pins;
	struct kma_map by_text;
	const char **texts; /* kind, and name */
	uint32_t room_texts;
	struct kma_arena arena;
};

/* Adds a dead cgroup. */
void kma_pins_add(struct kma_pins *pins, uint64_t cgroup);

/* Finds what holds the cgroups. Notes are about kinds that could not be read. */
void kma_pins_read(struct kma_pins *pins, struct kma_running *running, struct kma_namer *namer,
		   struct kma_notes *notes);

/* Says in which row a cgroup is. Those without a row do not count. */
void kma_pins_row(struct kma_pins *pins, uint64_t cgroup, uint32_t row);

/*
 * Sets the text of each row that has cgroups, what holds most of them first: "412 pages of tmpfs
 * /tmp/paid-* (4 of 5); nothing that was found (1 of 5)".
 */
void kma_pins_texts(const struct kma_pins *pins, struct kma_arena *arena, const char **texts);

/* @pins may be zeroed. */
void kma_pins_deinit(struct kma_pins *pins);

#endif /* KMA_HEAP_PINS_H */
