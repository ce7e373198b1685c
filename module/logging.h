/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * logging.h - turns the event log on and off: its buffers, its sources and its gate.
 *
 * log/ has the buffers and the gate, source/ has the probes. To start a log, this file creates
 * the buffers, attaches the probes and opens the gate; to end it, it undoes these steps in
 * reverse order. The account may be on or off.
 *
 * Locking: kma_serial_lock_command(), for all functions.
 *
 * Contexts: process, may sleep.
 */
#ifndef KMA_LOGGING_H
#define KMA_LOGGING_H

#include <linux/types.h>

/*
 * Start a log, unless one is on; the tables are reserved. @untraced: also log calls that have no
 * tracepoint (kprobe.h). Returns 0; or a negative error, with the log off.
 */
int kma_logging_start(bool untraced);

/*
 * End the log; it can still be read until its memory is freed. kma_logging_flush() makes all events
 * readable that were logged until now. Return: 0.
 */
int kma_logging_stop(void);
int kma_logging_free(void);
int kma_logging_flush(void);

bool kma_logging_is_on(void);

#endif /* KMA_LOGGING_H */
