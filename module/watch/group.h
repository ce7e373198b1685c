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
 */
#ifndef KMA_WATCH_GROUP_H
#define KMA_WATCH_GROUP_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "account/group.h"
#include "watch/group_id.h"

struct cgroup_subsys_state;

/**
 * struct kma_group - a group
 * @id: cgroup id, or KMA_ID_*
 * @css: state of the cgroup (kma_group_current()), pinned, and with it the cgroup, except that of
 *	a root; NULL if the cgroup is removed, or if @id is not one of a cgroup
 * @path: path of the cgroup; NULL until the worker of cgroup.h has looked it up
 * @path_bytes: size of @path with its end; 0 without a path
 * @node: node, or KMA_NODE_NONE; of a number that is free again, the next such number, or 0
 * @used: the number is in use
 * @hidden: events no longer find the group
 */
struct kma_group {
	s64 id;
	struct cgroup_subsys_state *css;
	char *path;
	u32 path_bytes;
	s16 node;
	bool used;
	bool hidden;
};

extern unsigned int kma_max_cgroups;
extern struct kma_group *kma_groups;

/**
 * kma_group_used() - check whether a number is in use
 * @g: the group of a number below kma_group_nr()
 *
 * An event may give the number to another group at any time.
 *
 * Context: any.
 * Return: true if it is; the other members of @g are then those of the group.
 */
static inline bool kma_group_used(const struct kma_group *g)
{
	/* Pairs with the smp_store_release() in kma_group_add(). */
	return smp_load_acquire(&g->used);
}

/**
 * kma_group_reserve() - reserve the table of groups, unless it is reserved
 * @wake: called when there is a new group; any context but NMI, irqs off, maybe often
 *
 * Context: process, may sleep; serialised by kma_serial_lock().
 * Return: 0 or -ENOMEM.
 */
int kma_group_reserve(void (*wake)(void));

/* Release the table; no event uses it any more. Context: process, may sleep. */
void kma_group_release(void);

/**
 * kma_group_switch() - set which switches are on
 * @cgroup: groups have a cgroup
 * @node: groups have a node
 *
 * Events in progress may still use the previous switches: the caller waits for them, and then calls
 * kma_group_forget().
 *
 * Context: process, may sleep; after kma_group_reserve().
 */
void kma_group_switch(bool cgroup, bool node);

/*
 * Make each CPU drop the groups that it keeps. Called after kma_group_switch(), when all events
 * that may have kept a group by the previous switches have ended.
 * Context: process.
 */
void kma_group_forget(void);

/*
 * Get the end of the numbers that were used so far.
 * Context: any.
 * Return: groups with lower numbers may be read, if they are used; 0 without a table.
 */
unsigned int kma_group_nr(void);

/**
 * kma_group_find() - find the number of a group; add the group if there is none
 * @id: cgroup id, or KMA_ID_*
 * @node: node, or KMA_NODE_NONE
 * @css: state of the cgroup, which exists; NULL if @id is not one of a cgroup
 *
 * Context: any but NMI, irqs off.
 * Return: the number; KMA_GROUP_OTHER if the table is full.
 */
unsigned int kma_group_find(s64 id, int node, struct cgroup_subsys_state *css);

/**
 * kma_group_hide() - make events no longer find some groups
 * @dead: by group: not 0 if the group is to be hidden
 * @wait: waits for a grace period; called twice
 *
 * Context: process, may sleep; serialised by kma_serial_lock(); events go on.
 * Return: 0, or -ENOMEM with all groups as before.
 */
int kma_group_hide(const u16 *dead, void (*wait)(void));

/**
 * kma_group_unpin() - let the kernel free the cgroup of a hidden group
 * @g: the group, which events no longer find; its cgroup may be unpinned already
 *
 * Context: process; serialised by kma_serial_lock().
 */
void kma_group_unpin(struct kma_group *g);

/**
 * kma_group_free() - free the number of a hidden group
 * @nr: the number; no class belongs to the group
 *
 * Context: process; serialised by kma_serial_lock().
 */
void kma_group_free(unsigned int nr);

/**
 * kma_group_set_path() - store the path of a group's cgroup, within the budget
 * @g: the group, without a path
 * @path: the path, which is copied
 *
 * If memory is refused, the group stays without a path, and the caller may try again.
 *
 * Context: process, may sleep; serialised by kma_serial_lock().
 */
void kma_group_set_path(struct kma_group *g, const char *path);

/* Get the memory that the tables and the paths take. Return: bytes. */
size_t kma_group_memory(void);

#endif /* KMA_WATCH_GROUP_H */
