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

/**
 * kma_day_read() - read a sample into an account
 * @day: the file
 * @samples: from kma_day_samples()
 * @i: index of the sample
 * @name: name of the account
 * @ret: the account, finished, with the sample's times as notes
 *
 * Return: NULL, or an error; the call sites not adding up to the sample's total is one.
 */
struct kma_err *kma_day_read(struct kma_day *day, const struct kma_day_sample *samples, size_t i,
			     const char *name, struct kma_account **ret);

/**
 * kma_day_decode() - decode the numbers of a sample into memory
 * @day: the file
 * @samples: from kma_day_samples()
 * @i: index of the sample
 *
 * The first part of kma_day_read().
 */
struct kma_err *kma_day_decode(struct kma_day *day, const struct kma_day_sample *samples, size_t i);

/**
 * kma_day_hold() - lock the file for several samples, which is cheaper than a lock for each
 * @day: the file; a lock that it already holds is released first, so that a writer can go on
 */
struct kma_err *kma_day_hold(struct kma_day *day);

/**
 * kma_day_release() - release the lock of kma_day_hold()
 * @day: the file; NULL, or one without a lock, is fine
 */
void kma_day_release(struct kma_day *day);

/* Add a note about the kernel, unless the account has it. @value: NULL and "" are none */
void kma_day_identity(struct kma_account *account, const char *key, const char *value);

/* Add the tables of the module to an account. The column has their text, packed by gzip. */
struct kma_err *kma_day_unpack_tables(const struct kma_conn *conn, sqlite3_stmt *stmt, int column,
				      struct kma_account *account);

#endif /* KMA_STORE_DAY_READ_H */
