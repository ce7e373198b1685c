/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * signals.h - the end of the program by a signal.
 */
#ifndef KMA_LIB_SIGNALS_H
#define KMA_LIB_SIGNALS_H

/**
 * kma_signals_init() - install handlers for signals that end the program
 *
 * See signals.c. Signals that are ignored stay so.
 */
void kma_signals_init(void);

#endif /* KMA_LIB_SIGNALS_H */
