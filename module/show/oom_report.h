/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oom_report.h - the largest call sites as lines of the kernel log.
 *
 * At most 12 lines. A report sums what each call site holds in a table that is reserved
 * before, and reads the counters of all classes once to find the ten largest sites, and once
 * more for what those were asked for. Paths (path.h) count as their call site.
 *
 * Call sites beyond the table's room are one row, "[new call sites]": the worker makes room
 * for KMA_OOM_AHEAD more than there are.
 *
 * Locking: a report runs under rcu_read_lock(), and ends before the account is reset or its
 * tables grow: a reset closes the map, growth replaces an array, and both wait for RCU then.
 * A flag lets in one report at a time. kma_oom_room(), _sample(), _forget() and _release() are
 * serialised by the caller.
 */
#ifndef KMA_OOM_REPORT_H
#define KMA_OOM_REPORT_H

#include <linux/types.h>

struct task_struct;

/**
 * enum kma_oom_cause - why there is a report
 * @KMA_OOM_MACHINE: an OOM kill, because the machine lacks memory
 * @KMA_OOM_CGROUP: an OOM kill, because a cgroup has reached its limit
 * @KMA_OOM_PANIC: a panic
 */
enum kma_oom_cause {
	KMA_OOM_MACHINE,
	KMA_OOM_CGROUP,
	KMA_OOM_PANIC,
};

/**
 * kma_oom_report() - print the largest call sites
 * @cause: why
 * @victim: the task that is killed; NULL if there is none, or it is not known
 *
 * Prints nothing while the account is off, or while another report is under way.
 *
 * Context: any but NMI; after kma_oom_room().
 */
void kma_oom_report(enum kma_oom_cause cause, struct task_struct *victim);

/**
 * kma_oom_room() - make room for the call sites that there are, and more
 *
 * Context: process, may sleep; serialised.
 * Return: 0 or -ENOMEM, with the room that there was.
 */
int kma_oom_room(void);

/**
 * kma_oom_sample() - keep what each call site holds, for the change that a report shows
 *
 * The sample before the last one is what a report compares with. Without memory it is kept.
 *
 * Context: process, may sleep; serialised, as kma_site_fold() says.
 */
void kma_oom_sample(void);

/**
 * kma_oom_forget() - another account begins: changes are counted from now on
 *
 * Context: process; the map is closed and no report is under way; serialised.
 */
void kma_oom_forget(void);

/**
 * kma_oom_release() - release the table; also without kma_oom_room()
 *
 * Context: process, may sleep; no report can begin any more.
 */
void kma_oom_release(void);

/**
 * kma_oom_memory() - what the table takes
 *
 * Return: bytes.
 */
size_t kma_oom_memory(void);

#endif /* KMA_OOM_REPORT_H */
