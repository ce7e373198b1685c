/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * core.h - the tables and the switch of the account.
 *
 * on      starts an account, with all numbers 0.
 * off     ends it. Its numbers can still be read.
 * clear   sets all numbers to 0; an account that is on goes on from there.
 *
 * Locking: kma_serial_lock() (serial.h) serialises all commands.
 */
#ifndef KMA_CORE_H
#define KMA_CORE_H

/**
 * kma_core_make() - reserve the tables
 * @max_sites: call sites that are told apart, 1 to KMA_SITE_MAX - 1
 * @max_objects: live objects that must fit; 0 for as many as a thirty-second of the memory holds
 *
 * Context: process, may sleep.
 * Return: 0; or a negative error, and nothing is reserved.
 */
int kma_core_make(unsigned int max_sites, unsigned long max_objects);

/**
 * kma_core_drop() - turn the account off and release the tables
 *
 * Context: process, may sleep.
 */
void kma_core_drop(void);

/**
 * kma_core_command() - run a command
 * @command: on, off or clear; a newline may follow
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL for an unknown command; or the error of the command.
 */
int kma_core_command(const char *command);

#endif /* KMA_CORE_H */
