/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * day-write.h - add samples to a file.
 */
#ifndef KMA_STORE_DAY_WRITE_H
#define KMA_STORE_DAY_WRITE_H

#include "day.h"
#include "snapshot.h"
#include "history.h"

#define KMA_DAY_DELETED "[deleted]"

/*
 * Describes a finished account as a series: its uid, notes and columns are set, and all else is
 * zero. @db: for a DB file, which has all notes, and the places of the sites.
 */
struct kma_err *kma_day_series_of(const struct kma_account *account, bool db,
				  struct kma_day_series *ret);

/* The columns of such a series: names, each followed by a blank, for free(3). */
char *kma_day_columns(const struct kma_account *account, bool db);

/*
 * Begins a series, which is copied, in a file that was opened for writing; a series of the file
 * with that uid is continued. The next sample is a key sample.
 */
struct kma_err *kma_day_begin(struct kma_day *day, const struct kma_day_series *series);

/*
 * Writes a sample of the series that was begun last. @snapshot, of a DB file, has its label, input
 * and number of sites, and its id, or 0 for a new one, which is set; NULL for a history. @bytes is
 * set to the bytes of its data.
 *
 * A sample of a history is a transaction. In a DB file the transaction goes on. After an error the
 * file does not have the sample, and the next one is a key sample.
 */
struct kma_err *kma_day_append(struct kma_day *day, const struct kma_account *account,
			       const struct kma_moment *moment, struct kma_snapshot *snapshot,
			       size_t *bytes);

/*
 * Deletes sample @i of kma_day_samples() from a DB file, in the transaction that is open. Names of
 * call sites and groups that no other sample has are replaced by KMA_DAY_DELETED: their numbers
 * stay.
 */
struct kma_err *kma_day_delete(struct kma_day *day, const struct kma_day_sample *samples, size_t nr,
			       size_t i);

/* Appends a text to a list of lines; a line feed in it becomes a blank. */
void kma_day_line(struct kma_strbuf *lines, const char *text);

/*
 * Opens a directory for writing samples. It is created if it does not exist, and an empty one
 * becomes a history. It is an error if it has other files, or a history of another version.
 */
struct kma_err *kma_history_create(const char *path, const struct kma_history_bounds *bounds,
				   struct kma_history **ret);

/*
 * Writes a sample. @account is finished, with its times as notes. @bytes is set to the bytes of the
 * sample's data. @notes: why a series begins, which days were removed. After an error the sample is
 * lost, and the history has no part of it.
 */
struct kma_err *kma_history_append(struct kma_history *history, const struct kma_account *account,
				   const char *host, size_t *bytes, struct kma_notes *notes);

#endif /* KMA_STORE_DAY_WRITE_H */
