// SPDX-License-Identifier: GPL-2.0-only
/*
 * lock.c - the locks that events take.
 *
 * The design is in lock.h.
 */
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>

#include "account/lock.h"

DEFINE_PER_CPU(unsigned int, kma_locks);

unsigned long kma_lock_irqs(raw_spinlock_t *lock) __acquires(lock)
{
	unsigned long flags;

	local_irq_save(flags);
	kma_lock(lock);
	return flags;
}

void kma_unlock_irqrestore(raw_spinlock_t *lock, unsigned long flags) __releases(lock)
{
	kma_unlock(lock);
	local_irq_restore(flags);
}
