/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs.h - /sys/kernel/debug/kmem_account/: more than /proc/kmem_account.
 *
 * sites    every call site, for programs
 * live     every object
 * caches   the objects by the cache that they come from
 * pinned   for each site, the slabs that its objects keep
 * stats    the module itself: what it booked, what it takes
 * ages     lifetimes by call site, with parameter age
 * errors   frees that are wrong, with parameter errors
 * latency  waits for memory, with parameter latency
 * snapshot all of these but live, with their time, in one file
 * trace/   the log of events (relay.h)
 *
 * The formats are fixed in Documentation/ABI/testing/debugfs-kmem_account. A
 * file that is open keeps the module from being unloaded.
 */
#ifndef KMA_DEBUGFS_H
#define KMA_DEBUGFS_H

struct dentry;

/**
 * kma_debugfs_init() - make the folder and its files
 *
 * The module works without them: where debugfs is missing, a line in the log
 * says so.
 *
 * Context: process, may sleep.
 */
void kma_debugfs_init(void);

/**
 * kma_debugfs_update() - make the files of features that are on, unless they are there
 *
 * Context: process, may sleep; with kma_serial_lock() held.
 */
void kma_debugfs_update(void);

/**
 * kma_debugfs_folder() - where the files are
 *
 * Context: any.
 * Return: the folder; NULL if there is none.
 */
struct dentry *kma_debugfs_folder(void);

/**
 * kma_debugfs_deinit() - remove them
 *
 * Context: process, may sleep.
 */
void kma_debugfs_deinit(void);

#endif /* KMA_DEBUGFS_H */
