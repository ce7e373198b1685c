/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the clock of the log: parameter log_clock.
 *
 *  counter  the machine's own: x86's TSC, arm64's architected counter. Read within the
 *           probe; a reader makes ns of it, by what the header says of its rate
 *  mono     ktime_get_mono_fast_ns(): the same on all CPUs, whatever the kernel keeps
 *           its time by
 *  local    local_clock(): CPUs may differ, by up to a tick
 *  auto     the counter, if the kernel keeps its time by it; else mono
 *
 * What is wanted is the order of events: a free behind the allocation of its object,
 * also if that was on another CPU. The kernel keeps its time by the counter only where
 * it has found that this is synchronized and of constant rate. No header says whether it
 * does; but if it does, what its clocksource reads lies between what we read before and
 * after.
 *
 * Never done here: allocating, sleeping, printing, taking a lock; but for
 * kma_clock_pick() and kma_clock_begin().
 *
 * Locking: kma_control_lock (control.c) for the choice; reading needs none.
 */
#ifndef KMA_CLOCK_H
#define KMA_CLOCK_H

#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/types.h>

#include "compat/clock.h"
#include "uapi/kmem_account.h"

DECLARE_STATIC_KEY_TRUE(kma_clock_key);

/**
 * kma_clock_set() - choose the clock of the logs to come, by its name
 * @name: auto, counter, mono or local; a newline may follow
 *
 * Context: any.
 * Return: 0, or -EINVAL for another name.
 */
int kma_clock_set(const char *name);

/**
 * kma_clock_get() - the name that was chosen
 *
 * Context: any.
 * Return: the name.
 */
const char *kma_clock_get(void);

/**
 * kma_clock_pick() - which clock a log would have that begins now
 * @id: the clock
 *
 * Context: process.
 * Return: 0, or -EINVAL, with a line in the kernel's log: there is no such clock here.
 */
int kma_clock_pick(enum kma_log_clock *id);

/**
 * kma_clock_begin() - read that clock from now on, and say what it is
 * @id: from kma_clock_pick()
 * @h: its version, clock, start, wall, rate and mono are filled in
 *
 * Context: process, may sleep; no log is on.
 */
void kma_clock_begin(enum kma_log_clock id, struct kma_log_header *h);

/**
 * kma_clock_now() - the time, by whichever clock it is
 *
 * Context: any but NMI. On a CPU it goes back only if its clock does, and mono never.
 * Return: in units of the clock.
 */
u64 kma_clock_now(void);

/**
 * kma_clock_stamp() - note the current moment in a START or an END
 * @b: its time, mono, wall and clock are filled in
 *
 * Context: any but NMI; a log has begun (kma_clock_begin()).
 */
void kma_clock_stamp(struct kma_log_bound *b);

/**
 * kma_clock_is_counter() - is kma_counter() the clock?
 *
 * Inline, as a whole: for the body of a probe.
 *
 * Context: any.
 * Return: true if it may be read instead of kma_clock_now().
 */
static __always_inline bool kma_clock_is_counter(void)
{
	return KMA_HAS_COUNTER && static_branch_likely(&kma_clock_key);
}

#endif /* KMA_CLOCK_H */
