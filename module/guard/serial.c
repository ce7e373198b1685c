// SPDX-License-Identifier: GPL-2.0-only
/*
 * serial.c - the mutex of the module, and the number of the account.
 */
#include <linux/mutex.h>

#include "guard/serial.h"

static DEFINE_MUTEX(kma_serial_mutex);
static unsigned int kma_generation;	/* counts the accounts */

unsigned int kma_serial_lock(void)
{
	mutex_lock(&kma_serial_mutex);
	return kma_generation;
}

void kma_serial_unlock(void)
{
	mutex_unlock(&kma_serial_mutex);
}

void kma_serial_next(void)
{
	kma_generation++;
}
