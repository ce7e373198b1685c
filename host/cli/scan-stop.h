/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan-stop.h - end a scan of the kernel's memory in order when a signal comes: the scan wipes what
 * it has read before the program ends.
 *
 * Locking: one thread. The handler sets a flag.
 */
#ifndef KMA_CLI_SCAN_STOP_H
#define KMA_CLI_SCAN_STOP_H

#include <signal.h>

/* Number of the signals: all that end the program and can be caught. */
#define KMA_SCAN_STOPS 9

/* Set by a signal after kma_scan_stop_catch(). */
extern int kma_scan_stop;

/**
 * kma_scan_stop_catch() - let the signals set the flag; one that is ignored stays so
 * @old: KMA_SCAN_STOPS actions, filled in for kma_scan_stop_release()
 */
void kma_scan_stop_catch(struct sigaction *old);

/**
 * kma_scan_stop_release() - restore what the signals did before
 * @old: as filled in
 */
void kma_scan_stop_release(const struct sigaction *old);

#endif /* KMA_CLI_SCAN_STOP_H */
