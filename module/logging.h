/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * logging.h - turns the event log on and off: its buffers, its sources and its gate.
 *
 * log/ has the buffers and the gate, source/ the probes. Here they are put together: the
 * buffers first, then the probes, then the gate opens; and back in the other order. The
 * account may be on or off meanwhile.
 *
 * Locking: kma_serial_lock(), for all functions.
 */
#ifndef KMA_LOGGING_H
#define KMA_LOGGING_H

#include <linux/types.h>

/**
 * kma_logging_start() - begin a log, if none is on
 * @untraced: also what has no tracepoint (kprobe.h)
 *
 * Context: process, may sleep; there are tables.
 * Return: 0 or a negative error; the log is off then.
 */
int kma_logging_start(bool untraced);

/**
 * kma_logging_stop() - end the log; it can still be read
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int kma_logging_stop(void);

/**
 * kma_logging_free() - end the log, and give its memory back
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int kma_logging_free(void);

/**
 * kma_logging_flush() - let readers have what was logged until now
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int kma_logging_flush(void);

/**
 * kma_logging_is_on() - is there a log?
 *
 * Return: true from kma_logging_start() to kma_logging_stop().
 */
bool kma_logging_is_on(void);

#endif /* KMA_LOGGING_H */
