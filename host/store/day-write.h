/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * day-write.h - add samples to a file.
 */
#ifndef KMA_STORE_DAY_WRITE_H
#define KMA_STORE_DAY_WRITE_H

#include "day.h"
#include "snapshot.h"

#define KMA_DAY_DELETED "[deleted]"

/**
 * kma_day_series_of() - describe an account as a series
 * @account: finished
 * @db: for a DB file, which has all notes, and the places of the sites
 * @ret: its uid, notes and columns are set, for kma_day_series_deinit(); the rest is zero
 */
struct kma_err *kma_day_series_of(const struct kma_account *account, bool db,
				  struct kma_day_series *ret);

/* The columns of such a series: names, each followed by a blank, for free(3). */
char *kma_day_columns(const struct kma_account *account, bool db);

/**
 * kma_day_begin() - continue or begin a series in a file
 * @day: opened for writing
 * @series: copied; if the file has a series with its uid, that one is continued
 *
 * The next sample is a key sample.
 */
struct kma_err *kma_day_begin(struct kma_day *day, const struct kma_day_series *series);

/**
 * kma_day_append() - write a sample of the series that was begun last
 * @day: opened for writing
 * @account: finished
 * @moment: times of the sample
 * @snapshot: of a DB file: its label, input and number of sites, and its id, or 0 for a new one,
 *	which is set; NULL for a history
 * @bytes: set to the bytes of its data
 *
 * A sample of a history is a transaction. In a DB file the transaction goes on.
 *
 * After an error the file does not have the sample, and the next one is a key sample.
 */
struct kma_err *kma_day_append(struct kma_day *day, const struct kma_account *account,
			       const struct kma_moment *moment, struct kma_snapshot *snapshot,
			       size_t *bytes);

/**
 * kma_day_delete() - delete a sample of a DB file, in the transaction that is open
 * @day: opened for writing
 * @samples: from kma_day_samples()
 * @nr: how many
 * @i: index of the sample
 *
 * Names of call sites and groups that no other sample has are replaced by KMA_DAY_DELETED: their
 * numbers stay.
 */
struct kma_err *kma_day_delete(struct kma_day *day, const struct kma_day_sample *samples, size_t nr,
			       size_t i);

/* Append a text to a list of lines; a line feed in it becomes a blank. */
void kma_day_line(struct kma_strbuf *lines, const char *text);

#endif /* KMA_STORE_DAY_WRITE_H */
