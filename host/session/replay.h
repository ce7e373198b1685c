/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * replay.h - show a history directory in a live view: one sample at a time, forwards and backwards.
 *
 * Rates and changes need the samples before the one that is shown. A step to the next sample of
 * the same account adds that sample. For every other step the rates are computed again from the
 * baseline and up to KMA_RATES_HISTORY samples, which is the longest time that a step takes. Only
 * samples of the account of the sample shown (one boot, one load of the module, one generation) are
 * used, because numbers of two accounts cannot be compared.
 *
 * The baseline is the oldest sample of the history until kma_replay_rebase(). If the baseline is
 * later than the sample shown, or of another account, the oldest sample that is used replaces it.
 *
 * Samples are in the order of their clock; of samples with the same time only the last is shown.
 * The list of samples is read once: samples that are written during the replay are not shown.
 */
#ifndef KMA_SESSION_REPLAY_H
#define KMA_SESSION_REPLAY_H

#include "refresh.h"

struct kma_replay;

/*
 * Opens a history; only the times of samples are read. @when is a time as a person writes it
 * (store/when.h); NULL is the newest sample, or the oldest if @oldest. @notes gets a sentence for
 * each day that cannot be read and is left out. @ret has to be closed also after an error: not a
 * history, no sample, no sample at @when or before.
 */
struct kma_err *kma_replay_open(const char *path, const char *when, bool oldest,
				struct kma_replay **ret, struct kma_notes *notes);

/* NULL is fine. */
void kma_replay_close(struct kma_replay *replay);

/*
 * The number of the sample that kma_replay_show() will show, from 0 for the oldest. @nr is set to
 * the number of samples; it may be NULL.
 */
size_t kma_replay_at(const struct kma_replay *replay, size_t *nr);

/* The time of that sample, ns since 1970. */
uint64_t kma_replay_time(const struct kma_replay *replay);

/*
 * Selects the sample that is @by later, or earlier if negative. False, and nothing changes, if
 * there is none.
 */
bool kma_replay_step(struct kma_replay *replay, long by);

/*
 * Selects the newest sample that is not after a time, as a person writes it; "now" is the time of
 * the newest sample. Nothing changes after an error: not a time, or before the first sample.
 */
struct kma_err *kma_replay_jump(struct kma_replay *replay, const char *when);

/* Makes the selected sample the baseline. */
void kma_replay_rebase(struct kma_replay *replay);

/*
 * Reads the selected sample into @refresh, the same for each call, as kma_refresh_read() does.
 * @notes also gets a sentence for each sample that cannot be read, which is left out of the replay
 * from then on. It is an error if no sample can be read, or a kernel cannot be opened.
 */
struct kma_err *kma_replay_show(struct kma_replay *replay, struct kma_refresh *refresh,
				struct kma_notes *notes);

#endif /* KMA_SESSION_REPLAY_H */
