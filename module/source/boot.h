/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * boot.h - an account from the first slab allocation on, by hooks in the slab allocator.
 *
 * The hooks (include/linux/kmem_account.h) see each object on every path, also in bulk calls,
 * sheaves and kfree_rcu(), which have no trace events. While the account is off, a static key
 * keeps their cost at one branch.
 *
 * kmem_account=on turns the hooks on before there is an allocator. The tables of the account
 * need an allocator. Until the tables exist, the hooks write events to the early log, which
 * has a fixed size. When mm/ is set up, the tables are made; the early log also gets the
 * events of that. Then the account counts all events of the early log, in order, with
 * interrupts off. Events that find the early log full are counted as not recorded.
 * If the tables cannot be allocated, the early log stays in use until the module's initcall tries
 * again.
 *
 * Never done here: allocating in a hook; counting pages and per-CPU memory.
 *
 * Locking: kma_boot.lock, a raw spinlock with interrupts off, serialises writes to the early
 * log and its end. No event takes it after that. The account takes the locks of an event
 * under it once, when it counts the events of the early log.
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_BOOT_H
#define KMA_BOOT_H

#include <linux/errno.h>
#include <linux/types.h>

#ifdef KMA_BOOT

#define KMA_START_ON	false	/* kmem_account=on starts an account */

/*
 * Make the tables and start an account. Defined in main.c; called when mm/ is set up, on the boot
 * CPU, interrupts off, before there are other tasks. Returns 0; or a negative error, with no
 * account and no tables.
 */
int kma_boot_start(void);

/* Has the command line kmem_account=on? Any context, after parameters were read. */
bool kma_boot_asked(void);

/*
 * Do hooks report the events of one KMA_EVENTS_*, instead of tracepoints? The hooks do not report
 * which function frees an object. Parameter errors needs that, so it uses tracepoints. Any context,
 * after parameters were read.
 */
bool kma_boot_tells(unsigned int of);

/*
 * Set the layouts of kmem_cache.h from this kernel's own headers, before kma_cache_init(), which
 * then need not probe for them.
 */
void kma_boot_layout(void);

/* Turn the hooks on, and off. When they are turned off, the map is closed. */
void kma_boot_attach(void);
void kma_boot_detach(void);

/* Wait for the hooks that are running now. */
void kma_boot_synchronize(void);

/*
 * Count the events of the early log, if there is one, and end it. From here on the hooks count
 * events directly. The account is open.
 */
void kma_boot_replay(void);

/* End the early log without an account, and report the lost events. */
void kma_boot_abandon(void);

#else

/*
 * A kernel without hooks (patches/README.rst), or the hooks are not configured: Kbuild defines
 * KMA_BOOT for a kernel with CONFIG_KMEM_ACCOUNT_BOOT.
 */

#define KMA_START_ON	true

static inline bool kma_boot_asked(void)
{
	return false;
}

static inline bool kma_boot_tells(unsigned int of)
{
	return false;
}

static inline void kma_boot_layout(void) { }
static inline void kma_boot_attach(void) { }
static inline void kma_boot_detach(void) { }
static inline void kma_boot_synchronize(void) { }
static inline void kma_boot_replay(void) { }
static inline void kma_boot_abandon(void) { }

#endif /* KMA_BOOT */

#endif /* KMA_BOOT_H */
