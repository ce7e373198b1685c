/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * serial.h - the mutex of the module, and the number of the account.
 *
 * The mutex serialises commands (control.h), growth of the live map (growth.h), samples of the
 * peaks (peak_work.h) and reports that read the account. Events never take it. It is taken
 * before kma_sites.names.
 */
#ifndef KMA_SERIAL_H
#define KMA_SERIAL_H

/**
 * kma_serial_lock() - take the mutex of the module
 *
 * Events continue.
 *
 * Context: process, may sleep; kma_serial_unlock() must follow.
 * Return: the number of the account; the commands on and clear start another account.
 */
unsigned int kma_serial_lock(void);

/**
 * kma_serial_unlock() - release the mutex of the module
 */
void kma_serial_unlock(void);

/**
 * kma_serial_next() - change the number of the account
 *
 * Context: process, with kma_serial_lock() held.
 */
void kma_serial_next(void);

#endif /* KMA_SERIAL_H */
