// SPDX-License-Identifier: GPL-2.0-only
/*
 * serial.c - the mutexes of kmem_account, and the number of the account.
 */
#include "guard/serial.h"

DEFINE_MUTEX(kma_command_mutex);	/* see serial.h */
DEFINE_MUTEX(kma_map_mutex);		/* see serial.h */
static unsigned int kma_generation;	/* counts the accounts */

unsigned int kma_serial_lock(void)
{
	kma_serial_lock_command();
	kma_serial_lock_map();
	return kma_generation;
}

void kma_serial_unlock(void)
{
	kma_serial_unlock_map();
	kma_serial_unlock_command();
}

void kma_serial_next(void)
{
	kma_generation++;
}
