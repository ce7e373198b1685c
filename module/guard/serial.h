/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * serial.h - the one mutex of the module, and the number of the account.
 *
 * It serialises the commands (control.h), the growth of the live map (growth.h), the looks
 * at the peaks (peak_work.h) and the reports that read the account. Events never take it.
 * Taken before kma_sites.names.
 */
#ifndef KMA_SERIAL_H
#define KMA_SERIAL_H

/**
 * kma_serial_lock() - hold off commands, growth and looks, for a moment
 *
 * Events go on.
 *
 * Context: process, may sleep; kma_serial_unlock() must follow.
 * Return: the number of the account; on and clear begin another one.
 */
unsigned int kma_serial_lock(void);

/**
 * kma_serial_unlock() - end kma_serial_lock()
 */
void kma_serial_unlock(void);

/**
 * kma_serial_next() - another account begins
 *
 * Context: process, with kma_serial_lock() held.
 */
void kma_serial_next(void);

#endif /* KMA_SERIAL_H */
