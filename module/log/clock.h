/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the clock of the event log: parameter log_clock.
 *
 *  counter  the counter of the CPU: TSC of x86, architected counter of ARM. Read in the
 *           probe; a reader converts it to ns with the rate in the header
 *  mono     ktime_get_mono_fast_ns(): the same on all CPUs, with every clocksource
 *  local    local_clock(): CPUs may differ by up to a tick
 *  auto     the counter if it is the clocksource of the kernel, else mono
 *
 * A log needs the order of events: a free after the allocation of its object, also if that
 * was on another CPU. The kernel uses the counter as its clocksource only if it has found
 * the counter to be synchronised and of constant rate. The kernel exports no function that
 * says so. But if the counter is the clocksource, a reading of the clocksource lies between
 * two readings of the counter, before and after.
 *
 * Never done here, except in kma_clock_pick() and kma_clock_begin(): allocating, sleeping,
 * printing, taking a lock.
 *
 * Locking: kma_serial_lock() for choosing the clock; none for reading it.
 */
#ifndef KMA_CLOCK_H
#define KMA_CLOCK_H

#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/types.h>

#include "compat/clock.h"
#include "uapi/kmem_account.h"

DECLARE_STATIC_KEY_TRUE(kma_clock_key);

/*
 * Choose the clock of later logs: auto, counter, mono or local; a newline may follow. Returns
 * -EINVAL for another name. Any context.
 */
int kma_clock_set(const char *name);

const char *kma_clock_get(void);

/*
 * The clock for a log that starts now. Returns -EINVAL with a line in the kernel log, if this
 * machine does not have the chosen one.
 */
int kma_clock_pick(enum kma_log_clock *id);

/*
 * Use a clock from kma_clock_pick() from now on, and set version, clock, start, wall, rate and mono
 * of a header. Context: process, may sleep; no log is on.
 */
void kma_clock_begin(enum kma_log_clock id, struct kma_log_header *h);

/*
 * In units of the clock in use. On one CPU the time goes back only if the clock does; mono never
 * does. Any context but NMI.
 */
u64 kma_clock_now(void);

/*
 * Set time, mono, wall and clock of a START or an END record. Any context but NMI; after
 * kma_clock_begin().
 */
void kma_clock_stamp(struct kma_log_bound *b);

/*
 * Is kma_counter() the clock in use, so that it may be called instead of kma_clock_now()? Inline,
 * because probes call it.
 */
static __always_inline bool kma_clock_is_counter(void)
{
	return KMA_HAS_COUNTER && static_branch_likely(&kma_clock_key);
}

#endif /* KMA_CLOCK_H */
