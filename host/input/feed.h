/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * feed.h - a pipe that brings one account after the other, as `kmem-account-record watch -` writes
 * them. Each is a snapshot of the module, which ends with the line KMA_FEED_END. What stands before
 * the end of the pipe without that line is an account, too: perhaps one that is cut short, which its
 * reader finds out.
 *
 * A thread reads the pipe, so that a screen can wait for keys meanwhile. It keeps one account. A
 * caller that wants all of them makes the writer wait. Any other caller gets the newest one: the
 * numbers of an account go on from those before, so an account that was passed over loses nothing.
 *
 * Locking: a mutex guards what the thread and the caller share. One thread calls.
 */
#ifndef KMA_INPUT_FEED_H
#define KMA_INPUT_FEED_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"

#define KMA_FEED_END "== end" /* the line */

struct kma_feed;

/**
 * kma_feed_open() - begin to read a pipe
 * @name: for messages; stays the caller's
 * @fd: to read from; stays open when the feed is closed
 * @all: no account is passed over
 * @ret: the feed
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_feed_open(const char *name, int fd, bool all, struct kma_feed **ret);

/**
 * kma_feed_close() - stop reading
 * @feed: from kma_feed_open(); NULL is fine
 */
void kma_feed_close(struct kma_feed *feed);

/**
 * kma_feed_wait() - wait for the next account, or for the end
 * @feed: open
 * @ms: at most so long
 *
 * Return: true if kma_feed_take() has something to return.
 */
bool kma_feed_wait(struct kma_feed *feed, unsigned int ms);

/**
 * kma_feed_take() - take an account
 * @feed: open
 * @ret: its bytes, to be freed; NULL: none has come since the last call
 * @len: how many
 *
 * Return: NULL; or an error of kind KMA_ERR_NOT_FOUND: the pipe has ended after an account; or
 *	another error: the pipe brought none or cannot be read, or an account is larger than any
 *	can be.
 */
struct kma_err *kma_feed_take(struct kma_feed *feed, char **ret, size_t *len);

#endif /* KMA_INPUT_FEED_H */
