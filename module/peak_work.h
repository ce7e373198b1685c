/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peak_work.h - looks at the peaks (peak.h) at regular intervals.
 *
 * A deferrable work item, which wakes no idle machine. It takes its own time: after a look
 * it waits a thousand times as long as the look took if this is more than the interval, up
 * to ten intervals. It ends by itself when the account is off.
 *
 * Locking: the worker takes kma_serial_lock().
 */
#ifndef KMA_PEAK_WORK_H
#define KMA_PEAK_WORK_H

/* Milliseconds between two looks at the peaks; 0: reports alone look. */
extern unsigned int kma_peak_ms;

/**
 * kma_peak_work_start() - look after one interval, and so on while the account is on
 *
 * Context: process.
 */
void kma_peak_work_start(void);

/**
 * kma_peak_work_stop() - wait until the worker does not run any more
 *
 * Context: process, may sleep. The account is off.
 */
void kma_peak_work_stop(void);

#endif /* KMA_PEAK_WORK_H */
