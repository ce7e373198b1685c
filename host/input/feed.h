/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * feed.h - read snapshots of the module, one after the other, from a pipe, as `kmem-account-record
 * watch -` writes them. Each snapshot ends with the line KMA_FEED_END. Bytes between the last such
 * line and the end of the pipe are passed on as a snapshot, too; if it is truncated, its reader
 * reports that.
 *
 * A thread reads the pipe, so that a screen can wait for keys at the same time. It stores one
 * complete snapshot for the caller, and the beginning of the next one. If the caller needs all
 * snapshots (@all), the thread stops reading until the caller has taken the stored one, so that the
 * pipe becomes full and the writer waits. Otherwise a new snapshot replaces the stored one. This
 * loses no numbers, because the counters of a snapshot continue from the one before.
 *
 * Memory: at most two snapshots; one above 256 MiB is an error.
 *
 * Locking: a mutex protects the data that the thread and the caller share. All functions must be
 * called by the same thread.
 */
#ifndef KMA_INPUT_FEED_H
#define KMA_INPUT_FEED_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"

#define KMA_FEED_END "== end" /* last line of a snapshot */

struct kma_feed;

/*
 * @name must outlive the feed. kma_feed_close() does not close @fd. @all: the writer waits, and no
 * snapshot is skipped.
 */
struct kma_err *kma_feed_open(const char *name, int fd, bool all, struct kma_feed **ret);

/* Stops the thread. */
void kma_feed_close(struct kma_feed *feed);

/* Waits up to @ms ms. True if kma_feed_take() would return a snapshot or an error. */
bool kma_feed_wait(struct kma_feed *feed, unsigned int ms);

/*
 * Takes the stored snapshot, with a final zero byte that @len does not count; the caller frees it.
 * NULL: none has come since the last call. An error of kind KMA_ERR_NOT_FOUND means that the pipe
 * has ended after a snapshot; others that it has ended without one, cannot be read, or that a
 * snapshot is too large.
 */
struct kma_err *kma_feed_take(struct kma_feed *feed, char **ret, size_t *len);

#endif /* KMA_INPUT_FEED_H */
