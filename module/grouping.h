/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grouping.h - the switches cgroup and node: events, groups and the worker together.
 *
 * Locking: the caller holds kma_serial_lock_command().
 */
#ifndef KMA_GROUPING_H
#define KMA_GROUPING_H

#include <linux/types.h>

/*
 * @quiesce waits for all events in progress. Context: process, may sleep; the tables are reserved.
 * Returns 0; -ENOMEM with nothing changed; -EOPNOTSUPP in a kernel without cgroups, with a line in
 * the kernel log.
 */
int kma_grouping_switch(bool cgroup, bool node, void (*quiesce)(void));

#endif /* KMA_GROUPING_H */
