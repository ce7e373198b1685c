/* SPDX-License-Identifier: GPL-2.0 */
/*
 * errors.h - frees that are wrong.
 *
 * With parameter errors=1 each free is looked at before it is booked:
 *
 *  kfree_of_cache_object  kfree() of an object of kmem_cache_alloc(). Wrong up to
 *                         v6.3, where it worked with SLUB alone; legal since.
 *  cache_free_of_kmalloc  kmem_cache_free() of an object of kmalloc()
 *  wrong_cache            kmem_cache_free() to another cache than the object's
 *  double_free            the address was freed and not allocated since
 *
 * How an object was allocated is in its birth (bucket.h), object by object; a
 * site's kind would not do: one call through a pointer may do both. To which
 * cache a free goes is known at the entry of kmem_cache_free() alone: later the
 * kernel has put the right one in its place, or has refused the free, and up to
 * v5.15 the object is gone. source/late.h books the free there;
 * where that cannot be, frees by kmem_cache_free() are not checked. Who freed an address last is in
 * freed.h, before the allocator can give it to somebody else.
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

struct seq_file;

#define KMA_ERROR_ROWS		1024u

/* Parameter errors; does not change while the module is loaded. */
extern bool kma_errors_on;

/**
 * kma_errors_init() - reserve the tables, if the parameter asks for them
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_errors_init(void);

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
 * kma_errors_rows() - number of rows
 *
 * Context: process, serialised with kma_errors_reset().
 * Return: the number; rows below it may be shown.
 */
unsigned int kma_errors_rows(void);

/**
 * kma_errors_show_header() - print the first two lines of debugfs' errors
 * @m: where to print
 */
void kma_errors_show_header(struct seq_file *m);

/**
 * kma_errors_show_row() - print a row
 * @m: where to print
 * @row: its number
 *
 * Context: process, may sleep; serialised with kma_errors_reset().
 */
void kma_errors_show_row(struct seq_file *m, unsigned int row);

/**
 * kma_errors_show_stats() - print the errors' lines of debugfs' stats
 * @m: where to print
 *
 * Context: process.
 */
void kma_errors_show_stats(struct seq_file *m);

/**
 * kma_errors_memory() - what the tables take
 *
 * Return: bytes.
 */
size_t kma_errors_memory(void);

#endif /* KMA_ERRORS_H */
