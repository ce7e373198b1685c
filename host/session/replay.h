/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * replay.h - a history folder as a live view shows it: one sample at a time, forwards and backwards.
 *
 * Rates and changes need the samples before the one that is shown. A step to the next sample of
 * the same account adds that sample. For every other step the rates are computed again from the
 * baseline and up to KMA_RATES_HISTORY samples. Only samples of the account of the sample shown (one
 * boot, one load of the module, one generation) are taken, because numbers of two accounts cannot
 * be compared.
 *
 * The baseline is the oldest sample of the history until kma_replay_rebase(). If the baseline is
 * later than the sample shown, or of another account, the baseline is the oldest sample taken.
 *
 * Samples are in the order of their clock. The folder is read as it was when the replay began.
 */
#ifndef KMA_SESSION_REPLAY_H
#define KMA_SESSION_REPLAY_H

#include "refresh.h"

struct kma_replay;

/**
 * kma_replay_open() - open a history
 * @path: its folder
 * @when: as a person writes it (history/when.h); NULL is the newest sample, or the oldest
 * @oldest: begin with the oldest if @when is NULL
 * @ret: to be closed with kma_replay_close()
 *
 * @notes: gets a sentence for each day that cannot be read, and is left out
 *
 * Nothing is shown yet: kma_replay_show() comes first.
 *
 * Return: NULL or an error: no history, no sample, no sample at @when or before.
 */
struct kma_err *kma_replay_open(const char *path, const char *when, bool oldest,
				struct kma_replay **ret, struct kma_notes *notes);

/**
 * kma_replay_close() - free all
 * @replay: from kma_replay_open(); NULL is fine
 */
void kma_replay_close(struct kma_replay *replay);

/**
 * kma_replay_at() - which sample is wanted
 * @replay: open
 * @nr: how many samples there are; may be NULL
 *
 * Return: its number, from 0.
 */
size_t kma_replay_at(const struct kma_replay *replay, size_t *nr);

/**
 * kma_replay_time() - when that sample was taken
 * @replay: open
 *
 * Return: ns since 1970.
 */
uint64_t kma_replay_time(const struct kma_replay *replay);

/**
 * kma_replay_step() - want another sample
 * @replay: open
 * @by: how many samples later; less than 0: earlier
 *
 * Return: false, and nothing changes, if there is none.
 */
bool kma_replay_step(struct kma_replay *replay, long by);

/**
 * kma_replay_jump() - want the sample of a time
 * @replay: open
 * @when: as a person writes it; "now" is the time of the newest sample
 *
 * Return: NULL; or an error, and nothing changes: not understood, or before the first sample.
 */
struct kma_err *kma_replay_jump(struct kma_replay *replay, const char *when);

/**
 * kma_replay_rebase() - make the sample that is wanted the baseline
 * @replay: open
 */
void kma_replay_rebase(struct kma_replay *replay);

/**
 * kma_replay_show() - give the numbers of the sample that is wanted
 * @replay: open
 * @refresh: as initialised; gets the numbers, as kma_refresh_read() would
 * @notes: see kma_refresh_read(); also gets a sentence for each sample that cannot be read, which
 *	is left out
 *
 * Return: NULL or an error: no sample can be read, or a kernel cannot be opened.
 */
struct kma_err *kma_replay_show(struct kma_replay *replay, struct kma_refresh *refresh,
				struct kma_notes *notes);

#endif /* KMA_SESSION_REPLAY_H */
