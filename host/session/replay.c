// SPDX-License-Identifier: GPL-2.0-only
/*
 * replay.c - show a history directory in a live view.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/clock.h"
#include "store/history.h"
#include "store/when.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "model/moment.h"
#include "replay.h"

#define NONE SIZE_MAX

/* Samples are numbered from 0, the oldest; a number may be NONE where this is noted. */
struct kma_replay {
	struct kma_history *history;
	uint64_t *times;	  /* of the samples, ns since 1970, ascending, without duplicates */
	size_t nr;		  /* number of samples */
	size_t at;		  /* the selected sample */
	size_t shown;		  /* sample whose numbers the refresh has; or none */
	size_t base;		  /* the baseline */
	size_t broken;		  /* sample that show_one() could not read; or none */
	bool rebase;		  /* the baseline was set to the sample that is shown */
	struct kma_moment moment; /* account that the samples have to be of; moment.boot is a copy */
};

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Finds the newest sample that is not after a time; none if all are after it. */
static size_t find_sample(const struct kma_replay *replay, uint64_t time)
{
	size_t low = kma_array_search(replay->nr, i, replay->times[i] <= time);

	return low ? low - 1 : NONE;
}

struct kma_err *kma_replay_jump(struct kma_replay *replay, const char *when)
{
	struct kma_account *account;
	struct kma_err *err;
	uint64_t time;
	size_t at;

	err = kma_when_parse(when, replay->times[replay->nr - 1], &time);
	if (err)
		return err;
	time = kma_when_end(time);
	at = find_sample(replay, time);
	/* kma_history_at() fails as well, and its error says when there are samples */
	if (at == NONE) {
		account = NULL;
		err = kma_history_at(replay->history, time, &account);
		kma_account_destroy(account);
		return err;
	}
	replay->at = at;
	return NULL;
}

/* Removes duplicate times: kma_history_at() returns the same sample for equal times. */
static void drop_equal_times(struct kma_replay *replay)
{
	size_t nr = 0;

	qsort(replay->times, replay->nr, sizeof(*replay->times), by_time);
	for (size_t i = 0; i < replay->nr; i++)
		if (!nr || replay->times[i] != replay->times[nr - 1])
			replay->times[nr++] = replay->times[i];
	replay->nr = nr;
}

struct kma_err *kma_replay_open(const char *path, const char *when, bool oldest,
				struct kma_replay **ret, struct kma_notes *notes)
{
	struct kma_replay *replay = kma_xcalloc(1, sizeof(*replay));
	struct kma_err *err;

	*ret = replay;
	replay->shown = replay->broken = NONE;
	err = kma_history_open(path, &replay->history);
	if (err)
		return err;
	replay->history->groups = true;
	err = kma_history_times(replay->history, &replay->times, &replay->nr);
	kma_notes_move(&replay->history->damage, notes);
	if (err)
		return err;
	drop_equal_times(replay);
	replay->at = oldest ? 0 : replay->nr - 1;
	return when ? kma_replay_jump(replay, when) : NULL;
}

void kma_replay_close(struct kma_replay *replay)
{
	if (!replay)
		return;
	kma_history_close(replay->history);
	kma_moment_replace(&replay->moment, NULL);
	free(replay->times);
	free(replay);
}

size_t kma_replay_at(const struct kma_replay *replay, size_t *nr)
{
	if (nr)
		*nr = replay->nr;
	return replay->at;
}

uint64_t kma_replay_time(const struct kma_replay *replay)
{
	return replay->times[replay->at];
}

bool kma_replay_step(struct kma_replay *replay, long by)
{
	size_t to = replay->at + by;

	/* a step before the first sample wraps to a large number */
	if (to >= replay->nr)
		return false;
	replay->at = to;
	return true;
}

void kma_replay_rebase(struct kma_replay *replay)
{
	replay->base = replay->at;
	replay->rebase = true;
}

/* Reads a sample. *same tells whether it is of the account of replay->moment. */
static struct kma_err *read_sample(struct kma_replay *replay, size_t i, struct kma_account **ret,
				   bool *same)
{
	struct kma_err *err = kma_history_at(replay->history, replay->times[i], ret);
	struct kma_moment moment;

	if (kma_err_is_of_file(err))
		replay->broken = i;
	if (err)
		return err;
	*same = kma_moment_of(*ret, &moment) && replay->moment.boot &&
		kma_moment_same(&moment, &replay->moment);
	return NULL;
}

/* Sets replay->moment to the account of a sample. */
static void remember(struct kma_replay *replay, const struct kma_account *account)
{
	struct kma_moment moment = { .boot = "" };

	kma_moment_of(account, &moment);
	kma_moment_replace(&replay->moment, &moment);
}

/* Passes a sample to the refresh, if it is of the same account. */
static struct kma_err *take(struct kma_replay *replay, size_t i, struct kma_refresh *refresh,
			    struct kma_notes *notes)
{
	struct kma_account *account;
	struct kma_err *err;
	bool same;

	err = read_sample(replay, i, &account, &same);
	if (err)
		return err;
	if (same)
		err = kma_refresh_take(refresh, account, replay->times[i], notes);
	kma_account_destroy(account);
	return err;
}

/* Computes the rates again, from the baseline and the samples before the selected one. */
static struct kma_err *rebuild(struct kma_replay *replay, struct kma_refresh *refresh,
			       struct kma_notes *notes)
{
	size_t from = replay->at < KMA_RATES_HISTORY ? 0 : replay->at - (KMA_RATES_HISTORY - 1);
	struct kma_account *account;
	struct kma_err *err;
	bool same;

	replay->shown = NONE;
	err = read_sample(replay, replay->at, &account, &same);
	if (err)
		return err;
	remember(replay, account);
	kma_account_destroy(account);
	kma_refresh_restart(refresh);
	if (replay->base < from) {
		err = take(replay, replay->base, refresh, notes);
		if (err)
			return err;
	}
	for (size_t i = from; i <= replay->at; i++) {
		err = take(replay, i, refresh, notes);
		if (err)
			return err;
		if (i == replay->base)
			kma_refresh_rebase(refresh);
	}
	return NULL;
}

/* Shows the selected sample. If it, or one before it, cannot be read, replay->broken is set. */
static struct kma_err *show_one(struct kma_replay *replay, struct kma_refresh *refresh,
				struct kma_notes *notes)
{
	_cleanup_account_ struct kma_account *account = NULL;
	struct kma_err *err = NULL;
	uint64_t begin = kma_clock(CLOCK_MONOTONIC);
	bool same = false;

	if (replay->rebase && replay->shown == replay->at)
		kma_refresh_rebase(refresh);
	replay->rebase = false;
	if (replay->shown == replay->at)
		return NULL;
	if (replay->shown != NONE && replay->at == replay->shown + 1)
		err = read_sample(replay, replay->at, &account, &same);
	err = err	   ?:
		      same ? kma_refresh_take(refresh, account, replay->times[replay->at], notes) :
			     rebuild(replay, refresh, notes);
	replay->shown = err ? NONE : replay->at;
	refresh->read_ns = kma_clock(CLOCK_MONOTONIC) - begin;
	return err;
}

/* Removes the sample that cannot be read from the list; the next one gets its number. */
static void leave_out(struct kma_replay *replay, const struct kma_err *err, struct kma_notes *notes)
{
	_cleanup_free_ char *why = kma_err_text(err);
	size_t i = replay->broken;

	kma_notes_add(notes, "%s; this sample is left out", why ?: "");
	memmove(replay->times + i, replay->times + i + 1,
		(replay->nr - i - 1) * sizeof(*replay->times));
	replay->nr--;
	replay->at -= replay->at > i || replay->at == replay->nr;
	replay->base -= replay->base > i || (replay->base && replay->base == replay->nr);
	replay->shown = NONE;
}

struct kma_err *kma_replay_show(struct kma_replay *replay, struct kma_refresh *refresh,
				struct kma_notes *notes)
{
	for (;;) {
		struct kma_err *err;

		replay->broken = NONE;
		err = show_one(replay, refresh, notes);
		if (!err || replay->broken == NONE || replay->nr == 1)
			return err;
		leave_out(replay, err, notes);
		kma_err_destroy(err);
	}
}
