/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroup.h - looks up the names of cgroups, and folds the groups of removed cgroups.
 *
 * A worker runs soon after a new cgroup has got a group (group.h), and every
 * KMA_CGROUP_INTERVAL since the switch cgroup was turned on for the first time. After it is
 * turned off, objects still belong to cgroups:
 *
 *  - It looks up the path of each new cgroup. The event has pinned the cgroup, so the path
 *    exists even if the cgroup was removed in the meantime.
 *  - It hides and unpins each removed cgroup. The name is kept as long as the cgroup
 *    has live objects.
 *  - If no live object is left of a removed cgroup's call site and size, their counts go to the
 *    group KMA_ID_GONE of the same node (kma_class_fold()). A group without classes is removed,
 *    and its number is used again. If there is more than one call folds, the worker releases its
 *    locks and runs again after KMA_CGROUP_PAUSE, so the map can grow in between.
 *
 * Locking: the worker takes kma_serial_lock().
 */
#ifndef KMA_CGROUP_H
#define KMA_CGROUP_H

/* Run the worker soon, because there is a new group. Any context but NMI, irqs off, also often. */
void kma_cgroup_wake(void);

void kma_cgroup_start(void);

/* Context: process, may sleep; kma_serial_lock() is not held, no event uses groups. */
void kma_cgroup_stop(void);

#endif /* KMA_CGROUP_H */
