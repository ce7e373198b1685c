/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oom.h - the largest call sites in the kernel log, at an OOM kill and at a panic.
 *
 * Three callers start a report (oom_report.h):
 *
 *  - the event oom:mark_victim, at each OOM kill. It names the victim. Both the machine's and
 *    a cgroup's lack of memory end there. Where its probe must not sleep for a lock (PREEMPT_RT
 *    before 7.2), the victim's cgroup is not named.
 *  - the OOM notifier, which runs first and only when the machine lacks memory. It only notes
 *    that, because it does not know the victim.
 *  - the panic notifier. With kdump, panic() starts the other kernel before it calls
 *    notifiers, unless the kernel is booted with crash_kexec_post_notifiers.
 *
 * There is one report in KMA_OOM_INTERVAL, and a panic has its own. While the account is off
 * there is none, and none where the kernel prints the same of its own account (allocinfo).
 *
 * Every KMA_OOM_SAMPLE a worker keeps what each call site holds, if there was no report since
 * and the machine has memory available: that is a quiet minute. The report shows the change
 * since the last but one of them, which is a minute or more ago.
 *
 * Never done here: waiting or allocating in a report; taking a lock in a report, except those
 * of printk(), and that of kernfs for the name of a cgroup, which no allocating task holds.
 *
 * Locking: the worker takes kma_serial_lock().
 */
#ifndef KMA_OOM_H
#define KMA_OOM_H

#include <linux/types.h>

/* Parameter oom: report at an OOM kill and at a panic; 0 to disable. */
extern unsigned int kma_oom_on;

/*
 * Report from now on, while the account is on. Without memory for the samples, or without the
 * event, a line in the kernel log says what is missing. May be called again. Context: process, may
 * sleep; the tables are reserved.
 */
void kma_oom_start(void);

/*
 * Stop reports, and wait until none is in progress. Context: process, may sleep; kma_serial_lock()
 * is not held.
 */
void kma_oom_stop(void);

#endif /* KMA_OOM_H */
