/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group.h - the groups of the switches cgroup and node: one cgroup, one NUMA node.
 *
 * cgroup: an object belongs to the cgroup of the task that allocates it, whether or not the kernel
 * charges it to that cgroup. Whether the allocation asks for a charge (charge.h) is kept beside
 * the number of the group, as KMA_GROUP_CHARGED. Objects that interrupts and kernel threads
 * allocate have their own groups, without a charge. With cgroup v2 a task has one cgroup; else the
 * one in the memory controller's hierarchy is used.
 *
 * node: an object belongs to the node of its page. A per-CPU object belongs to KMA_NODE_NONE.
 *
 * A group has a number (account/group.h) from its first object on. The table of groups is
 * reserved when a switch is turned on for the first time. Groups are found by cgroup id and node in
 * an open hash table of numbers, which all CPUs read without a lock. The kernel never uses a
 * cgroup id again.
 *
 * Each CPU keeps the groups of the cgroup that allocated last (group_now.h). The inline half of an
 * event only compares the address of the cgroup's state. While a group has the state pinned, no
 * other one can have that address, so only groups of pinned cgroups are kept. A cgroup is unpinned
 * after the CPUs have dropped the groups that they keep (see below).
 *
 * When the table is full, objects of further groups belong to KMA_GROUP_OTHER.
 *
 * Locking: kma_group_lock (raw spinlock, irqs off): adding a group; with kma_serial_lock() held
 * as well, removing one. Readers of the index have irqs off. A removal waits for such readers
 * twice: after the index is replaced, and after the CPUs have dropped the groups that they keep.
 *
 * Contexts: process, may sleep, serialised by kma_serial_lock(), unless stated.
 */
#ifndef KMA_WATCH_GROUP_H
#define KMA_WATCH_GROUP_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "account/group.h"
#include "watch/group_id.h"

struct cgroup_subsys_state;

struct kma_group {
	s64 id;		/* cgroup id, or KMA_ID_* */
	/*
	 * State of the cgroup (kma_group_current()), pinned, and with it the cgroup, except that of
	 * a root; NULL if the cgroup is removed, or if @id is not one of a cgroup.
	 */
	struct cgroup_subsys_state *css;
	char *path;	/* NULL until the worker of cgroup.h has looked it up */
	u32 path_bytes;	/* with its end; 0 without a path */
	/* Node, or KMA_NODE_NONE; of a number that is free again, the next such number, or 0 */
	s16 node;
	bool used;	/* the number is in use */
	bool hidden;	/* events no longer find the group */
};

extern unsigned int kma_max_cgroups;
extern struct kma_group *kma_groups;

/*
 * Is the number of the group, which is below kma_group_nr(), in use? The other members of @g are
 * then those of the group. An event may give the number to another one at any time. Any context.
 */
static inline bool kma_group_used(const struct kma_group *g)
{
	/* Pairs with the smp_store_release() in kma_group_add(). */
	return smp_load_acquire(&g->used);
}

/*
 * Reserve the table, unless it is reserved. @wake is called when there is a new group; in any
 * context but NMI, irqs off, maybe often. Returns 0 or -ENOMEM.
 */
int kma_group_reserve(void (*wake)(void));

/* Only when no event uses the table any more. */
void kma_group_release(void);

/*
 * Set which switches are on, after kma_group_reserve(). Events in progress may still use the
 * previous ones: the caller waits for them, and then calls kma_group_forget().
 */
void kma_group_switch(bool cgroup, bool node);

/*
 * Make each CPU drop the groups that it keeps, when all events that may have kept one by the
 * previous switches have ended.
 */
void kma_group_forget(void);

/* The end of the numbers that were used so far; 0 without a table. Any context. */
unsigned int kma_group_nr(void);

/*
 * Find the number of a group, or add it; KMA_GROUP_OTHER if the table is full. @id is a cgroup's,
 * whose state is @css, or KMA_ID_*, without a state. Any context but NMI, irqs off.
 */
unsigned int kma_group_find(s64 id, int node, struct cgroup_subsys_state *css);

/*
 * Make events no longer find the groups that are not 0 in @dead. @wait waits for a grace period,
 * and is called twice; events go on. Returns 0, or -ENOMEM with all groups as before.
 */
int kma_group_hide(const u16 *dead, void (*wait)(void));

/* Let the kernel free the cgroup of a hidden group, unless it is unpinned already. */
void kma_group_unpin(struct kma_group *g);

/* Free the number of a hidden group without classes. */
void kma_group_free(unsigned int nr);

/*
 * Store a copy of the path of a group's cgroup, within the budget. If memory is refused, the group
 * stays without a path, and the caller may try again.
 */
void kma_group_set_path(struct kma_group *g, const char *path);

size_t kma_group_memory(void);

#endif /* KMA_WATCH_GROUP_H */
