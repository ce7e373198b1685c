/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * signals.h - how the program ends when it is told to.
 */
#ifndef KMA_LIB_SIGNALS_H
#define KMA_LIB_SIGNALS_H

/**
 * kma_signals_init() - end in order when told to, or when a mapped file is cut
 *
 * See signals.c. Signals that are ignored stay so.
 */
void kma_signals_init(void);

#endif /* KMA_LIB_SIGNALS_H */
