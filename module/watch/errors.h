/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * errors.h - frees that are wrong.
 *
 * While the switch errors is on, each free is checked before it is booked:
 *
 *  kfree_of_cache_object  kfree() of an object of kmem_cache_alloc(). Wrong up to
 *                         v6.3, where it worked with SLUB alone; legal since.
 *  cache_free_of_kmalloc  kmem_cache_free() of an object of kmalloc()
 *  wrong_cache            kmem_cache_free() to another cache than the object's
 *  double_free            the address was freed and not allocated since
 *
 * The owner of an object in the live map says by which function the object was
 * allocated (bucket.h); a site's kind would not do: one call through a pointer may do
 * both. To which cache a free goes is known at the entry of kmem_cache_free() alone:
 * later the kernel has put the right one in its place, or has refused the free, and up
 * to v5.15 the object is gone. source/late.h checks the free there; where that cannot
 * be, frees by kmem_cache_free() are not checked. Who freed an address last is in
 * freed.h, before the allocator can give it to somebody else.
 *
 * The gate: frees are checked from kma_errors_watch() to kma_errors_unwatch(), which the
 * caller calls while every probe of the account is attached and the account is on. What
 * was freed before the gate opened is forgotten: the next allocation of the address may
 * have been missed. An object that was allocated while the gate was closed, or that the
 * account does not know, was not watched: its free is counted as that and not judged by
 * how the object was allocated. Its free is remembered like any other, and the cache
 * that it was given to is compared, for which the object's slab is enough.
 *
 * A call of a bulk function that a kprobe has missed, and an event in an NMI, may have
 * allocated an address that was freed before. So a second free is only reported if none
 * was missed since the first one can have been remembered; else all frees are forgotten,
 * which is counted.
 *
 * Errors of the same kind by the same two sites are one row: who allocated the
 * object (of a double free: who freed it first) and who freed it now. There are
 * KMA_ERROR_ROWS of them; errors beyond are counted.
 *
 * A free to the wrong cache is not remembered: some kernels refuse it. Nor is
 * what kfree_rcu() is asked to free later.
 *
 * Never done here: printing to the log, stopping anybody.
 *
 * Locking: kma_errors.lock, a raw spinlock, with irqs off, for the rows. Taken
 * when there is an error, and not under the lock of a bucket; kma_sites.lock is
 * not taken under it. A reader sees the rows that kma_errors.nr counts, which is
 * raised when a row is whole.
 */
#ifndef KMA_ERRORS_H
#define KMA_ERRORS_H

#include <linux/types.h>

#include "account/account.h"

#define KMA_ERROR_ROWS		1024u

/**
 * enum kma_error - what is wrong with a free
 * @KMA_ERROR_KFREE: kfree() of an object of kmem_cache_alloc()
 * @KMA_ERROR_CACHE_FREE: kmem_cache_free() of an object of kmalloc()
 * @KMA_ERROR_CACHE: kmem_cache_free() to another cache than the object's
 * @KMA_ERROR_TWICE: a second free
 * @KMA_NR_ERRORS: number of errors
 */
enum kma_error {
	KMA_ERROR_KFREE,
	KMA_ERROR_CACHE_FREE,
	KMA_ERROR_CACHE,
	KMA_ERROR_TWICE,
	KMA_NR_ERRORS,
};

/**
 * struct kma_error_row - errors of one kind, by the sites that allocated and freed
 * @error: the kind
 * @first: id of the site that allocated the object, or freed it first; or KMA_SITE_NONE
 * @now: id of the site that frees
 * @count: number of errors
 * @ptr: address of the object of the first error
 * @cache: the cache of that object
 * @given: the cache that it was freed to
 */
struct kma_error_row {
	enum kma_error error;
	unsigned int first;
	unsigned int now;
	u64 count;
	const void *ptr;
	char cache[KMA_CACHE_NAME_LEN];
	char given[KMA_CACHE_NAME_LEN];
};

/**
 * struct kma_error_sums - sums of all errors
 * @totals: errors, by kind
 * @beyond: of these, those without a row
 * @unwatched: frees of objects that were not watched
 * @uncertain: second frees that were not reported, because an allocation may have been
 *	missed
 */
struct kma_error_sums {
	u64 totals[KMA_NR_ERRORS];
	u64 beyond;
	u64 unwatched;
	u64 uncertain;
};

/* Parameter errors: the first state of the switch. */
extern bool kma_errors_asked;

/* Is the gate open? */
extern bool kma_errors_on;

/**
 * kma_errors_init() - reserve the tables if the parameter asks for them
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_errors_init(void);

/**
 * kma_errors_reserve() - reserve the tables, unless they are reserved
 *
 * Context: process, may sleep; the gate is closed.
 * Return: 0, or -ENOMEM with nothing more reserved.
 */
int kma_errors_reserve(void);

/**
 * kma_errors_watch() - check frees from now on
 * @missed: returns the number of calls and events that were missed so far, in any
 *	context; NULL if calls that allocate may be missed without being counted: then no
 *	second free is reported
 *
 * Context: process, may sleep; after kma_errors_init(). The gate has been closed since
 * the last event that was let through ended, and no event takes the inline half of
 * account.h.
 */
void kma_errors_watch(unsigned long (*missed)(void));

/**
 * kma_errors_unwatch() - check no more frees
 *
 * Events that are under way may still be checked.
 *
 * Context: process.
 */
void kma_errors_unwatch(void);

/**
 * kma_errors_release() - free what is needed for checks alone; the rows stay
 *
 * Context: process, may sleep. The gate is closed, and no event is under way.
 */
void kma_errors_release(void);

/**
 * kma_errors_deinit() - release the tables
 *
 * Context: process, may sleep.
 */
void kma_errors_deinit(void);

/**
 * kma_errors_reset() - forget all errors and all frees
 *
 * Context: process, may sleep; no event is under way.
 */
void kma_errors_reset(void);

/**
 * kma_errors_alloc() - an address is allocated
 * @e: the event
 *
 * Context: any but NMI, irqs off, if kma_errors_on.
 */
void kma_errors_alloc(const struct kma_event *e);

/**
 * kma_errors_free() - is this free right?
 * @e: the event; of kmem_cache_free() with the cache that was given
 *
 * Called before the event is booked. Nothing is done while the account is off.
 *
 * Context: any but NMI, irqs off, if kma_errors_on.
 */
void kma_errors_free(const struct kma_event *e);

/**
 * kma_errors_entered() - a free is seen at the entry of kmem_cache_free()
 * @e: the event, with the cache that was given
 *
 * For a free that is booked at its event, which does not say that cache.
 *
 * Context: any. Nothing is done in an NMI or while the gate is closed.
 */
void kma_errors_entered(const struct kma_event *e);

/**
 * kma_errors_rows() - number of rows
 *
 * Context: process, serialised with kma_errors_reset().
 * Return: the number; rows below it may be shown.
 */
unsigned int kma_errors_rows(void);

/**
 * kma_errors_row() - a row
 * @nr: its number, below kma_errors_rows()
 *
 * Context: process, serialised with kma_errors_reset().
 * Return: the row; its count may still grow.
 */
const struct kma_error_row *kma_errors_row(unsigned int nr);

/**
 * kma_errors_sums() - sums of all errors
 * @sums: set to them; to 0 if errors were never watched
 *
 * Context: process, serialised with kma_errors_reset().
 * Return: false if errors were never watched.
 */
bool kma_errors_sums(struct kma_error_sums *sums);

/**
 * kma_errors_memory() - what the tables take
 *
 * Return: bytes.
 */
size_t kma_errors_memory(void);

#endif /* KMA_ERRORS_H */
