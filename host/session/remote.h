/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * remote.h - show the accounts of another machine in a live view; they arrive on the standard input
 * (input/feed.h).
 *
 * Rates use the clock of that machine, which each snapshot contains. So they are right even if an
 * account arrives late. An account without a time uses the local time of its arrival.
 */
#ifndef KMA_SESSION_REMOTE_H
#define KMA_SESSION_REMOTE_H

#include "input/feed.h"
#include "model/moment.h"
#include "refresh.h"

struct kma_remote {
	struct kma_feed *feed;
	struct kma_moment last; /* moment of the last account that has one */
	char *boot;		/* boot ID of @last, allocated */
	bool any;		/* @last is set */
	uint64_t time;		/* time of the last account in ns since 1970; 0: unknown */
};

/**
 * kma_remote_open() - start reading the standard input
 * @remote: filled in
 * @all: true: show every account; false: if several have arrived, only the last
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_remote_open(struct kma_remote *remote, bool all);

/**
 * kma_remote_close() - stop reading
 * @remote: as filled in, or zeroed
 */
void kma_remote_close(struct kma_remote *remote);

/**
 * kma_remote_show() - take the next account that has arrived, if any
 * @remote: open
 * @refresh: gets the account; it is restarted after another boot or load of the module
 * @notes: as for kma_refresh_read()
 *
 * Return: NULL, also if none has arrived; or an error, of kind KMA_ERR_NOT_FOUND at the end of the
 * standard input.
 */
struct kma_err *kma_remote_show(struct kma_remote *remote, struct kma_refresh *refresh,
				struct kma_notes *notes);

#endif /* KMA_SESSION_REMOTE_H */
