/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settle.h - go on after a wait without holding up others.
 *
 * Linux up to 6.5 lets a task that has slept compute for some milliseconds before a task that wakes
 * later on the same CPU: sched_latency / 2 and wakeup_granularity, 4 ms on one CPU and 16 ms on eight
 * or more (place_entity() and wakeup_preempt_entity() in kernel/sched/fair.c). A timer of another
 * program can be as late as that. So that time is used up in short pieces, between which others run.
 * That needs no permission, and also helps where the tasks are in groups, which is not so for
 * a change of the policy: who may not set the nice value cannot come back from SCHED_IDLE.
 */
#ifndef KMA_HEAP_SETTLE_H
#define KMA_HEAP_SETTLE_H

#include <stdint.h>

/**
 * kma_settle() - use up what the scheduler gives this thread, because it has slept
 * @slept: ns of the sleep, which is the most that it gives
 *
 * It takes up to 45 ms on one CPU, four times that on eight.
 */
void kma_settle(uint64_t slept);

#endif /* KMA_HEAP_SETTLE_H */
