/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * remote.h - the accounts of another machine, which come by a pipe (input/feed.h), for a live view.
 * Their times are those of that machine, so rates are right however late an account arrives.
 */
#ifndef KMA_SESSION_REMOTE_H
#define KMA_SESSION_REMOTE_H

#include "input/feed.h"
#include "model/moment.h"
#include "refresh.h"

struct kma_remote {
	struct kma_feed *feed;
	struct kma_moment last; /* of the last account */
	char *boot;		/* text of @last */
	bool any;		/* an account has come */
	uint64_t time;		/* ns since 1970, of the last account; 0: not known */
};

/**
 * kma_remote_open() - begin to read the standard input
 * @remote: filled in
 * @all: no account is passed over
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
 * kma_remote_show() - take the account that has come, if one has
 * @remote: open
 * @refresh: gets the account; is restarted for another boot, and when the module was loaded again
 * @notes: as for kma_refresh_read()
 *
 * Return: NULL, also if none has come; or an error, of kind KMA_ERR_NOT_FOUND at the end.
 */
struct kma_err *kma_remote_show(struct kma_remote *remote, struct kma_refresh *refresh,
				struct kma_notes *notes);

#endif /* KMA_SESSION_REMOTE_H */
