/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group.h - the groups of the switches cgroup and node: one cgroup, one NUMA node.
 *
 * cgroup: an object is of the cgroup of the task that allocates it, whether the kernel charges
 * it or not. What interrupts and kernel threads allocate has groups of its own. With cgroup v2
 * a task has one cgroup; else it is the one of the memory controller's hierarchy.
 *
 * node: an object is of the node that its memory is of, by its page. A per-CPU object is of
 * KMA_NODE_NONE.
 *
 * A group has a number (account/group.h) from its first object on. The table of groups is
 * reserved when a switch is turned on first. Groups are found by cgroup id and node in an
 * open hash table of numbers, which all CPUs read without a lock. The kernel uses no id again.
 *
 * Each CPU keeps the groups of the cgroup that allocated last. The inline half of an event
 * (group_now.h) compares the cgroup's address and looks no further. The address is that of the same
 * cgroup as long as a group has it pinned, and so nothing else is kept. It is unpinned after the
 * CPUs have forgotten it (see below).
 *
 * When the table is full, further groups are KMA_GROUP_OTHER.
 *
 * Locking: kma_group_lock (raw spinlock, irqs off): adding a group; with kma_serial_lock() held
 * as well, removing one. Readers of the index are within a section with irqs off, for which a
 * removal waits twice: after the index is replaced, and after the CPUs have forgotten.
 */
#ifndef KMA_WATCH_GROUP_H
#define KMA_WATCH_GROUP_H

#include <linux/types.h>

#include "account/group.h"
#include "watch/group_id.h"

struct cgroup;

/**
 * struct kma_group - a group
 * @id: cgroup id, or KMA_ID_*
 * @cgroup: the cgroup, pinned; NULL if it is dead, or there is none
 * @path: its path; NULL as long as nobody has looked
 * @node: node, or KMA_NODE_NONE
 * @used: the number is given out
 * @hidden: no event finds it any more
 */
struct kma_group {
	s64 id;
	struct cgroup *cgroup;
	char *path;
	s16 node;
	bool used;
	bool hidden;
};

extern unsigned int kma_max_cgroups;
extern struct kma_group *kma_groups;

/**
 * kma_group_reserve() - reserve the table of groups, if there is none
 * @wake: called when there is a new group; any context but NMI, irqs off, maybe often
 *
 * Context: process, may sleep; serialised by kma_serial_lock().
 * Return: 0 or -ENOMEM.
 */
int kma_group_reserve(void (*wake)(void));

/**
 * kma_group_release() - release the table; no event uses it any more
 *
 * Context: process, may sleep.
 */
void kma_group_release(void);

/**
 * kma_group_switch() - say which switches are on
 * @cgroup: groups are of a cgroup
 * @node: groups are of a node
 *
 * Events that are under way may go on as before: the caller waits for them, and then calls
 * kma_group_forget().
 *
 * Context: process, may sleep; after kma_group_reserve().
 */
void kma_group_switch(bool cgroup, bool node);

/**
 * kma_group_forget() - each CPU forgets the groups that it keeps
 *
 * After kma_group_switch(), when the last event has ended that may have kept a group of what was
 * switched on before.
 *
 * Context: process.
 */
void kma_group_forget(void);

/**
 * kma_group_nr() - numbers given out so far
 *
 * Context: any.
 * Return: groups below it may be read, if they are used; 0 without a table.
 */
unsigned int kma_group_nr(void);

/**
 * kma_group_find() - the number of a group, given out if there is none
 * @id: cgroup id, or KMA_ID_*
 * @node: node, or KMA_NODE_NONE
 * @cgroup: the cgroup, which lives; NULL if @id is none of a cgroup
 *
 * Context: any but NMI, irqs off.
 * Return: the number; KMA_GROUP_OTHER if the table is full.
 */
unsigned int kma_group_find(s64 id, int node, struct cgroup *cgroup);

/**
 * kma_group_hide() - no event finds groups any more
 * @dead: by group: not 0 if it is to be hidden
 *
 * Context: process, may sleep; serialised by kma_serial_lock(); events go on.
 * Return: 0, or -ENOMEM with all groups as before.
 */
int kma_group_hide(const u16 *dead);

/**
 * kma_group_free() - the number of a hidden group may be given out again
 * @nr: its number; no class is of it
 *
 * Context: process; serialised by kma_serial_lock().
 */
void kma_group_free(unsigned int nr);

/**
 * kma_group_memory() - what the tables take
 *
 * Return: bytes.
 */
size_t kma_group_memory(void);

#endif /* KMA_WATCH_GROUP_H */
