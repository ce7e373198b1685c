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

/**
 * kma_feed_open() - start to read a pipe
 * @name: name of the pipe for messages; must outlive the feed
 * @fd: file to read from; kma_feed_close() does not close it
 * @all: let the writer wait instead of skipping snapshots
 * @ret: the feed
 *
 * Return: NULL, or an error that no thread can be created.
 */
struct kma_err *kma_feed_open(const char *name, int fd, bool all, struct kma_feed **ret);

/* Stop the thread, and free the feed. */
void kma_feed_close(struct kma_feed *feed);

/**
 * kma_feed_wait() - wait for the next snapshot, or for the end of the pipe
 * @feed: open
 * @ms: longest time to wait, in ms
 *
 * Return: true if kma_feed_take() would return a snapshot or an error.
 */
bool kma_feed_wait(struct kma_feed *feed, unsigned int ms);

/**
 * kma_feed_take() - take the stored snapshot
 * @feed: open
 * @ret: set to its bytes with a final zero byte, which the caller has to free; NULL: no snapshot
 *	has come since the last call
 * @len: set to the number of bytes, without the zero byte
 *
 * Return: NULL; an error of kind KMA_ERR_NOT_FOUND if the pipe has ended after a snapshot; or
 * another error: the pipe has ended without a snapshot, it cannot be read, or a snapshot is too
 * large.
 */
struct kma_err *kma_feed_take(struct kma_feed *feed, char **ret, size_t *len);

#endif /* KMA_INPUT_FEED_H */
