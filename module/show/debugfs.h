/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs.h - /sys/kernel/debug/kmem_account/: more than /proc/kmem_account.
 *
 * sites    every call site, for programs
 * live     every live object
 * caches   the live objects by the cache that they come from
 * pinned   for each site, the slabs that its objects keep
 * stats    the module itself: numbers of events, memory
 * ages     lifetimes by call site, with the switch age
 * cgroups  what each site holds for each cgroup, with the switch cgroup
 * nodes    what each site holds on each NUMA node, with the switch node
 * errors   wrong frees, with the switch errors
 * latency  waits for memory, with the switch latency
 * snapshot all of these but live, with their time, in one file
 * trace/   the event log (relay.h)
 *
 * The formats are fixed in Documentation/ABI/testing/debugfs-kmem_account. An
 * open file keeps the module from being unloaded.
 */
#ifndef KMA_DEBUGFS_H
#define KMA_DEBUGFS_H

struct dentry;

/* The module works without the files. If debugfs is missing, a line in the kernel log says so. */
void kma_debugfs_init(void);

/* Make the files of features that are on, unless they exist; with kma_serial_lock() held. */
void kma_debugfs_update(void);

/* NULL if there is none. */
struct dentry *kma_debugfs_folder(void);

void kma_debugfs_deinit(void);

#endif /* KMA_DEBUGFS_H */
