/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oom_report.h - the largest call sites as lines of the kernel log.
 *
 * A report has at most 12 lines. It sums what each call site holds in a table that was reserved
 * before. It reads the counters of all classes once to find the ten largest sites, and a second
 * time for the bytes requested by those. Paths (path.h) count as their call site.
 *
 * All call sites beyond the table are one row, "[new call sites]". The worker keeps the table
 * KMA_OOM_AHEAD rows larger than the number of call sites.
 *
 * Locking: a report runs under rcu_read_lock(), and ends before the account is reset or its
 * tables grow: a reset closes the map, growth replaces an array, and then both wait for RCU.
 * A flag lets in one report at a time. The caller serialises kma_oom_room(), _sample(), _forget()
 * and _release().
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_OOM_REPORT_H
#define KMA_OOM_REPORT_H

#include <linux/types.h>

struct task_struct;

enum kma_oom_cause {
	KMA_OOM_MACHINE,	/* an OOM kill, because the machine lacks memory */
	KMA_OOM_CGROUP,		/* an OOM kill, because a cgroup has reached its limit */
	KMA_OOM_PANIC,
};

/*
 * Print the largest call sites, after kma_oom_room(). @victim is the task that is killed; NULL if
 * there is none, or if it is not known. Prints nothing while the account is off, or while another
 * report is in progress. Any context but NMI.
 */
void kma_oom_report(enum kma_oom_cause cause, struct task_struct *victim);

/*
 * Make the table large enough for the current call sites and KMA_OOM_AHEAD more. Returns 0; or
 * -ENOMEM, with the table unchanged.
 */
int kma_oom_room(void);

/*
 * Store what each call site holds, for the change that a report shows. A report compares with the
 * sample before the last one. If memory is refused, both samples stay. Serialised as for
 * kma_site_fold().
 */
void kma_oom_sample(void);

/*
 * Clear the samples, because another account begins. The map is closed and no report is in
 * progress.
 */
void kma_oom_forget(void);

/* Release the table, if it is reserved; no report can begin any more. */
void kma_oom_release(void);

size_t kma_oom_memory(void);

#endif /* KMA_OOM_REPORT_H */
