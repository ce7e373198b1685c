/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peak_work.h - samples the peaks (peak.h) at regular intervals.
 *
 * A deferrable work item takes the samples, so it wakes no idle CPU. It limits its own cost:
 * if a thousand times the duration of a sample is more than the interval, it waits for that
 * time, up to ten intervals. It ends when the account is off.
 *
 * Locking: the worker takes kma_serial_lock().
 */
#ifndef KMA_PEAK_WORK_H
#define KMA_PEAK_WORK_H

/* Milliseconds between two samples; 0: only reports sample. */
extern unsigned int kma_peak_ms;

void kma_peak_work_start(void);

/* Stop the worker and wait for it, when the account is off. */
void kma_peak_work_stop(void);

#endif /* KMA_PEAK_WORK_H */
