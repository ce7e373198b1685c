/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * core.h - the tables of the account, and the commands that control it.
 *
 * on      starts an account, with all counts 0. It has no effect if the account is on.
 * off     ends the account. Its counts can still be read.
 * clear   sets all counts to 0. An account that is on continues from there.
 *
 * Locking: kma_serial_lock() (serial.h) serialises the commands.
 */
#ifndef KMA_CORE_H
#define KMA_CORE_H

/**
 * kma_core_make() - reserve the tables
 * @max_sites: number of call sites that are counted separately, 1 to KMA_SITE_MAX - 1
 * @max_objects: number of live objects that must fit into the map; 0 for as many as fit into a
 *	thirty-second of the memory
 *
 * Context: process, may sleep.
 * Return: 0; or a negative error, with nothing reserved.
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
