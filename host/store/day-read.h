/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * day-read.h - read samples from a file of a history.
 *
 * A sample is decoded from the key sample before it, or from the sample that was decoded last if
 * that is nearer. Reading all samples in their order thus decodes each one once. The accounts of
 * all samples share the names of the file's call sites and groups (kma_day.known).
 */
#ifndef KMA_STORE_DAY_READ_H
#define KMA_STORE_DAY_READ_H

#include "day.h"

/*
 * Reads sample @i of kma_day_samples() into a finished account, with its times as notes. It is an
 * error, too, if the call sites do not add up to the sample's total.
 */
struct kma_err *kma_day_read(struct kma_day *day, const struct kma_day_sample *samples, size_t i,
			     const char *name, struct kma_account **ret);

/* The first part of kma_day_read(): decodes the numbers of a sample into memory. */
struct kma_err *kma_day_decode(struct kma_day *day, const struct kma_day_sample *samples, size_t i);

/*
 * Locks the file for several samples, which is cheaper than a lock for each. A lock that it already
 * holds is released first, so that a writer can go on.
 */
struct kma_err *kma_day_hold(struct kma_day *day);

/* Releases the lock of kma_day_hold(). NULL, and a file without a lock, are fine. */
void kma_day_release(struct kma_day *day);

/* Adds a note about the kernel, unless the account has it. Not if @value is NULL or "". */
void kma_day_identity(struct kma_account *account, const char *key, const char *value);

/* Adds the tables of the module to an account. The column has their text, compressed by gzip. */
struct kma_err *kma_day_unpack_tables(const struct kma_conn *conn, sqlite3_stmt *stmt, int column,
				      struct kma_account *account);

#endif /* KMA_STORE_DAY_READ_H */
