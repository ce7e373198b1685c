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
struct kma_rows;
struct seq_file;

/* The module works without the files. If debugfs is missing, a line in the kernel log says so. */
void kma_debugfs_init(void);

/* Make the files of features that are on, unless they exist; with kma_serial_lock() held. */
void kma_debugfs_update(void);

/* NULL if there is none. */
struct dentry *kma_debugfs_folder(void);

void kma_debugfs_deinit(void);

/*
 * The files that have a C file of their own. ages, caches and pinned walk over the live objects
 * when they are opened, and freeze the account for moments. Opening fails with -ESTALE if another
 * account has begun meanwhile, and with -EOPNOTSUPP if the module does not know how this kernel
 * links an object to its cache.
 */
extern const struct kma_rows kma_age_rows;
extern const struct kma_rows kma_cache_rows;
extern const struct kma_rows kma_cgroup_rows;
extern const struct kma_rows kma_error_rows;
extern const struct kma_rows kma_latency_rows;
extern const struct kma_rows kma_node_rows;
extern const struct kma_rows kma_pinned_rows;

/* The lines of stats about errors, with kma_serial_lock() held. */
void kma_errors_show_stats(struct seq_file *m);

#endif /* KMA_DEBUGFS_H */
