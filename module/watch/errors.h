/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * errors.h - detects wrong frees.
 *
 * While the switch errors is on, each free is checked before it is counted:
 *
 *  kfree_of_cache_object  kfree() of an object of kmem_cache_alloc(). Wrong up to
 *                         v6.3, where it worked with SLUB alone; legal since.
 *  cache_free_of_kmalloc  kmem_cache_free() of an object of kmalloc()
 *  wrong_cache            kmem_cache_free() to another cache than the object's
 *  double_free            the address was freed and not allocated since
 *
 * The owner of an object in the live map has the function that allocated it (class.h). The
 * kind of the site would not be enough: one call through a pointer may call both functions.
 * The cache that a caller passes is known only at the entry of kmem_cache_free(). Later the
 * kernel has replaced it by the right cache or has refused the free, and up to v5.15 the
 * object is already free. source/late.h checks the free at the entry; if it cannot be
 * attached, frees by kmem_cache_free() are not checked. freed.h records the last function
 * that freed an address, before the allocator can allocate the address again.
 *
 * The gate: frees are checked between kma_errors_watch() and kma_errors_unwatch(). The caller
 * keeps the gate open only while every probe of the account is attached and the account is
 * on. Frees from before the gate opened are dropped, because the next allocation of the
 * address may have been missed. An object that was allocated while the gate was closed, or
 * that the account does not know, was not watched. Its free is counted as unwatched, and not
 * compared with its allocation. The free is still recorded like any other, and the cache
 * that the caller passed is compared with that of the object's slab.
 *
 * A bulk call that a kprobe has missed, or an event in an NMI, may have allocated an address
 * that was freed before. So a double free is only reported if no call was missed since the
 * first free was recorded. Otherwise all recorded frees are dropped, which is counted.
 *
 * Errors of the same kind by the same two sites are one row. The sites are the site that
 * allocated the object (for a double free: the site that freed it first) and the site that
 * frees it now. There are KMA_ERROR_ROWS rows; further errors are only counted.
 *
 * A free to the wrong cache is not recorded, because some kernels refuse it. A call of
 * kfree_rcu() is not recorded either.
 *
 * Never done here: printing to the kernel log; stopping a task.
 *
 * Locking: kma_errors.lock, a raw spinlock with interrupts off, for the rows. Taken when there
 * is an error, and not under a lock of the live map; kma_sites.lock is not taken under it. A
 * reader sees the rows below kma_errors.nr, which is incremented when a row is complete.
 *
 * Contexts: process, may sleep, unless stated. kma_errors_reset() is serialised with all that reads
 * rows.
 */
#ifndef KMA_ERRORS_H
#define KMA_ERRORS_H

#include <linux/types.h>

#include "account/account.h"

#define KMA_ERROR_ROWS		1024u

/* Kinds of wrong frees. */
enum kma_error {
	KMA_ERROR_KFREE,	/* kfree() of an object of kmem_cache_alloc() */
	KMA_ERROR_CACHE_FREE,	/* kmem_cache_free() of an object of kmalloc() */
	KMA_ERROR_CACHE,	/* kmem_cache_free() to another cache than the object's */
	KMA_ERROR_TWICE,	/* a double free */
	KMA_NR_ERRORS,
};

/* Errors of one kind, by the sites that allocated and freed. */
struct kma_error_row {
	enum kma_error error;
	/* That allocated the object, or freed it first; or KMA_SITE_NONE */
	unsigned int first;
	unsigned int now;		/* that frees */
	aligned_u64 count;	/* kma_word_get() */
	const void *ptr;		/* the object of the first error */
	char cache[KMA_CACHE_NAME_LEN];	/* its cache */
	char given[KMA_CACHE_NAME_LEN];	/* the cache that it was freed to */
};

/* Sums of all errors. */
struct kma_error_sums {
	u64 totals[KMA_NR_ERRORS];
	u64 beyond;	/* those of the errors that have no row */
	u64 unwatched;	/* frees of objects that were not watched */
	u64 uncertain;	/* double frees not reported, because an allocation may have been missed */
};

/* Parameter errors: the initial state of the switch. */
extern bool kma_errors_asked;

/* True while the gate is open; events read it by kma_errors_wanted(). */
extern bool kma_errors_on;

/*
 * Is the gate open? The tables that kma_errors_watch() has cleared are then visible. Any context.
 */
static __always_inline bool kma_errors_wanted(void)
{
	/* Pairs with the smp_store_release() in kma_errors_watch(). */
	return smp_load_acquire(&kma_errors_on);
}

/*
 * Reserve the tables, if the parameter asks for them. Returns 0, or -ENOMEM with nothing reserved.
 */
int kma_errors_init(void);

/* The same, unless they are reserved; the gate is closed. */
int kma_errors_reserve(void);

/*
 * Open the gate, after kma_errors_init(): check frees from now on. Since the gate was closed, all
 * events that saw it open have ended, and no event takes the short path of account.h.
 *
 * @missed returns the number of calls and events that were missed so far, in any context; NULL if
 * calls that allocate may be missed without being counted: then no double free is reported.
 */
void kma_errors_watch(unsigned long (*missed)(void));

/* Close the gate. Events in progress may still be checked. */
void kma_errors_unwatch(void);

/*
 * Release the tables of checks, and keep the rows. The gate is closed, and no event is in progress.
 */
void kma_errors_release(void);

void kma_errors_deinit(void);

/* Delete all errors and all recorded frees. No event is in progress. */
void kma_errors_reset(void);

/* Record that an address is allocated. Context: any but NMI, irqs off, if kma_errors_wanted(). */
void kma_errors_alloc(const struct kma_event *e);

/*
 * Check a free before it is counted; that by kmem_cache_free() with the cache that its caller
 * passed. Without effect while the account is off. Any context but NMI, irqs off, if
 * kma_errors_wanted().
 */
void kma_errors_free(const struct kma_event *e);

/*
 * Check a free at the entry of kmem_cache_free(), with the cache that its caller passed: the event
 * that counts it does not report that cache. Any context; without effect in an NMI or while the
 * gate is closed.
 */
void kma_errors_entered(const struct kma_event *e);

/* Rows below may be shown; their counts may still grow. */
unsigned int kma_errors_rows(void);
const struct kma_error_row *kma_errors_row(unsigned int nr);

/* False, and zeros, if errors were never watched. */
bool kma_errors_sums(struct kma_error_sums *sums);

size_t kma_errors_memory(void);

#endif /* KMA_ERRORS_H */
