/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lock.h - the locks that events take.
 *
 * An event may come in the middle of another one on the same CPU: from an NMI, or from a BPF
 * program at a tracepoint that fires where a CPU waits for a lock (contention_begin), or where it
 * wakes a worker (ipi_send_cpu). If such an event took a lock, it could wait for its own CPU. So
 * each CPU counts the locks that it has or waits for, and an event that may not lock is dropped
 * and counted (KMA_DROP_NMI). The inline half of an event takes no lock, and never asks.
 *
 * Locking: interrupts are off wherever one of these locks is held.
 */
#ifndef KMA_LOCK_H
#define KMA_LOCK_H

#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>
#include <linux/types.h>

DECLARE_PER_CPU(unsigned int, kma_locks);

/* Check if an event may lock. Context: any. */
static inline bool kma_may_lock(void)
{
	return !in_nmi() && !this_cpu_read(kma_locks);
}

/* As raw_spin_lock(): irqs off, and the caller has made sure that it may lock. */
static __always_inline void kma_lock(raw_spinlock_t *lock) __acquires(lock)
{
	lockdep_assert_irqs_disabled();
	this_cpu_inc(kma_locks);
	raw_spin_lock(lock);
}

static __always_inline void kma_unlock(raw_spinlock_t *lock) __releases(lock)
{
	raw_spin_unlock(lock);
	this_cpu_dec(kma_locks);
}

/* The same for callers with interrupts on, as raw_spin_lock_irqsave(); out of line. */
#define kma_lock_irqsave(lock, flags)	((flags) = kma_lock_irqs(lock))
unsigned long kma_lock_irqs(raw_spinlock_t *lock);
void kma_unlock_irqrestore(raw_spinlock_t *lock, unsigned long flags);

#endif /* KMA_LOCK_H */
