/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * boot.h - an account from the first slab allocation on, in a kernel that has it
 * built in and hooks in its slab allocator (patches/README.rst).
 *
 * The hooks (include/linux/kmem_account.h of such a kernel) take the place of the
 * slab's trace events: they see each object, whichever way it goes, bulk calls,
 * sheaves and kfree_rcu() among them. Behind a static key they cost one branch
 * while the account is off.
 *
 * kmem_account=on turns them on before there is an allocator. The tables of the
 * account need one, so until these are there events are written to a log of fixed
 * size. When mm/ is set up the tables are made, which is logged as well, and the
 * account is given all that the log has, in order, with interrupts off. What came
 * when the log was full is counted as not recorded. Parameters that ask for more
 * than fits in memory ask for less then (main.c). If tables cannot be had all the
 * same the log goes on until the module's initcall tries again.
 *
 * Without kmem_account=on, and kmem_account.on=1, there are no tables: they are
 * made when "on" is written to /proc/kmem_account.
 *
 * Never done here: allocating in a hook; a word about pages and per-CPU memory,
 * which have their trace events as soon as these can be had.
 *
 * Locking: kma_boot.lock, a raw spinlock, irqs off, orders what is written to the
 * log and its end. Nobody comes to it while the account is up. The locks of an
 * event are taken under it, once, when the log is handed over.
 *
 * KMA_BOOT is defined by Kbuild for a kernel with CONFIG_KMEM_ACCOUNT_BOOT. Without
 * it all of this is nothing.
 */
#ifndef KMA_BOOT_H
#define KMA_BOOT_H

#include <linux/errno.h>
#include <linux/types.h>

#ifdef KMA_BOOT

#define KMA_START_ON	false	/* kmem_account=on asks for an account */

/**
 * kma_boot_start() - make the tables and begin an account, as the parameters ask
 *
 * In main.c, which has the parameters; called when mm/ is set up.
 *
 * Context: the boot CPU, irqs off, before there are other tasks.
 * Return: 0 or a negative error; the account has not begun then, and no table is
 * there.
 */
int kma_boot_start(void);

/**
 * kma_boot_asked() - does the command line want an account from the beginning?
 *
 * Context: any, after parameters were read.
 * Return: true with kmem_account=on.
 */
bool kma_boot_asked(void);

/**
 * kma_boot_tells() - do the hooks tell of some events, instead of tracepoints?
 * @of: KMA_EVENTS_*, one of them
 *
 * They do not say by which function an object is freed, which parameter errors
 * asks for.
 *
 * Context: any, after parameters were read.
 * Return: true for the slab's, unless errors is on.
 */
bool kma_boot_tells(unsigned int of);

/**
 * kma_boot_layout() - tell kmem_cache.h what this kernel's own headers say
 *
 * Context: any; before kma_cache_init(), which has nothing to find then.
 */
void kma_boot_layout(void);

/**
 * kma_boot_attach() - let the hooks tell
 *
 * Context: process, may sleep.
 */
void kma_boot_attach(void);

/**
 * kma_boot_detach() - let the hooks tell nothing any more
 *
 * Context: process, may sleep. The map is closed.
 */
void kma_boot_detach(void);

/**
 * kma_boot_synchronize() - wait until no hook tells that was telling now
 *
 * Context: process, may sleep.
 */
void kma_boot_synchronize(void);

/**
 * kma_boot_replay() - book what the log has, and end it
 *
 * From now on hooks book for themselves. If there is no log it is as good as
 * replayed.
 *
 * Context: process; the account is open.
 */
void kma_boot_replay(void);

/**
 * kma_boot_abandon() - there will be no account: end the log, and say what it lost
 *
 * Context: process, may sleep.
 */
void kma_boot_abandon(void);

#else

#define KMA_START_ON	true

static inline bool kma_boot_asked(void)
{
	return false;
}

static inline bool kma_boot_tells(unsigned int of)
{
	return false;
}

static inline void kma_boot_layout(void)
{
}

static inline void kma_boot_attach(void)
{
}

static inline void kma_boot_detach(void)
{
}

static inline void kma_boot_synchronize(void)
{
}

static inline void kma_boot_replay(void)
{
}

static inline void kma_boot_abandon(void)
{
}

#endif /* KMA_BOOT */

#endif /* KMA_BOOT_H */
