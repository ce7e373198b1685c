// SPDX-License-Identifier: GPL-2.0-only
/*
 * remote.c - show the accounts of another machine in a live view.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "input/input.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "reader/reader.h"
#include "remote.h"

#define KMA_REMOTE_NAME "standard input"

struct kma_err *kma_remote_open(struct kma_remote *remote, bool all)
{
	*remote = (struct kma_remote){ 0 };
	return kma_feed_open(KMA_REMOTE_NAME, STDIN_FILENO, all, &remote->feed);
}

void kma_remote_close(struct kma_remote *remote)
{
	kma_feed_close(remote->feed);
	free(remote->boot);
	*remote = (struct kma_remote){ 0 };
}

static struct kma_err *remote_account(struct kma_remote *remote, struct kma_account **ret)
{
	_cleanup_free_ char *text = NULL;
	struct kma_input *input;
	struct kma_err *err;
	size_t len;

	err = kma_feed_take(remote->feed, &text, &len);
	if (err || !text)
		return err;
	err = kma_input_memory(KMA_REMOTE_NAME, text, len, 0, &input);
	if (err)
		return err;
	err = kma_reader_read(input, ret);
	kma_input_close(input);
	return err;
}

/*
 * Sets the moment of the last account. The refresh is restarted if the account does not continue
 * the last one: after another boot or load of the module, or if it is older.
 */
static void remote_moment(struct kma_remote *remote, const struct kma_moment *moment,
			  struct kma_refresh *refresh)
{
	bool same = !remote->any ||
		    (kma_moment_same(&remote->last, moment) && moment->up >= remote->last.up);
	char *boot = kma_xstrdup(moment->boot);

	free(remote->boot);
	remote->boot = boot;
	remote->last = *moment;
	remote->last.boot = boot;
	remote->any = true;
	remote->time = moment->time;
	return same ? NULL : kma_refresh_restart(refresh);
}

static uint64_t remote_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

struct kma_err *kma_remote_show(struct kma_remote *remote, struct kma_refresh *refresh,
				struct kma_notes *notes)
{
	_cleanup_account_ struct kma_account *account = NULL;
	struct kma_moment moment;
	uint64_t begin = remote_now(), ns = begin;
	struct kma_err *err;

	err = remote_account(remote, &account);
	if (err || !account)
		return err;
	if (kma_moment_of(account, &moment)) {
		remote_moment(remote, &moment, refresh);
		ns = moment.up;
	}
	err = kma_refresh_take(refresh, account, ns, notes);
	refresh->read_ns = remote_now() - begin;
	return err;
}
