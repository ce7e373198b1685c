/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * serial.h - the mutexes of kmem_account, and the number of the account.
 *
 * There are two. Reports, samples of the peaks (peak_work.h) and the work that releases
 * memory (pressure.h) take both, by kma_serial_lock():
 *
 *  command  serialises commands (control.h). A command may wait long: until events have ended,
 *           or until the kernel has patched its text.
 *  map      serialises growth (growth.h) with all that reads or changes the live map and the
 *           tables of classes as a whole. A command takes it only while it does that, and never
 *           while it waits for events. So growth is not late because of a command.
 *
 * Events take neither.
 *
 * Locking: command, then map, then kma_sites.names.
 */
#ifndef KMA_SERIAL_H
#define KMA_SERIAL_H

#include <linux/mutex.h>

extern struct mutex kma_command_mutex;
extern struct mutex kma_map_mutex;

/*
 * Take both mutexes; process, may sleep. Events continue. Return: the number of the account; the
 * commands on and clear start another account.
 */
unsigned int kma_serial_lock(void);

void kma_serial_unlock(void);

/* Events and growth continue. */
static inline void kma_serial_lock_command(void)
{
	mutex_lock(&kma_command_mutex);
}

static inline void kma_serial_unlock_command(void)
{
	mutex_unlock(&kma_command_mutex);
}

/* Events continue. */
static inline void kma_serial_lock_map(void)
{
	mutex_lock(&kma_map_mutex);
}

static inline void kma_serial_unlock_map(void)
{
	mutex_unlock(&kma_map_mutex);
}

/* Change the number of the account, with kma_serial_lock_command() held. */
void kma_serial_next(void);

#endif /* KMA_SERIAL_H */
