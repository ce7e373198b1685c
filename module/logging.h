/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * logging.h - turns the event log on and off: its buffers, its sources and its gate.
 *
 * log/ has the buffers and the gate, source/ has the probes. To start a log, this file creates
 * the buffers, attaches the probes and opens the gate; to end it, it undoes these steps in
 * reverse order. The account may be on or off.
 *
 * Locking: kma_serial_lock_command(), for all functions.
 */
#ifndef KMA_LOGGING_H
#define KMA_LOGGING_H

#include <linux/types.h>

/**
 * kma_logging_start() - start a log, unless one is on
 * @untraced: also log calls that have no tracepoint (kprobe.h)
 *
 * Context: process, may sleep; the tables are reserved.
 * Return: 0; or a negative error, with the log off.
 */
int kma_logging_start(bool untraced);

/* End the log; it can still be read. Context: process, may sleep. Return: 0. */
int kma_logging_stop(void);

/* End the log and free its memory. Context: process, may sleep. Return: 0. */
int kma_logging_free(void);

/* Make all events that were logged until now readable. Context: process, may sleep. Return: 0. */
int kma_logging_flush(void);

/* Check whether a log is on. Return: true from kma_logging_start() to kma_logging_stop(). */
bool kma_logging_is_on(void);

#endif /* KMA_LOGGING_H */
