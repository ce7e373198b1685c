/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroup.h - the names of cgroups, and what becomes of cgroups that are removed.
 *
 * A worker runs soon after a group of a new cgroup has come (group.h), and every
 * KMA_CGROUP_INTERVAL while the switch cgroup is on:
 *
 *  - It keeps the path of each new cgroup. The event has pinned the cgroup, so its path is
 *    there also if it was removed meanwhile.
 *  - A cgroup that was removed is hidden and not pinned any more. Its name stays as long as it
 *    has live objects.
 *  - What a removed cgroup has counted for a call site and size of which it has no object any
 *    more goes to the group KMA_ID_GONE of the same node (kma_class_fold()). The number of a
 *    group of which no class is left is given out again.
 *
 * Locking: the worker takes kma_serial_lock().
 */
#ifndef KMA_CGROUP_H
#define KMA_CGROUP_H

/**
 * kma_cgroup_wake() - there is a new group
 *
 * Context: any but NMI, irqs off, also often.
 */
void kma_cgroup_wake(void);

/**
 * kma_cgroup_start() - run the worker from now on
 *
 * Context: process.
 */
void kma_cgroup_start(void);

/**
 * kma_cgroup_stop() - wait until the worker does not run any more
 *
 * Context: process, may sleep; kma_serial_lock() is not held, no event uses groups.
 */
void kma_cgroup_stop(void);

#endif /* KMA_CGROUP_H */
