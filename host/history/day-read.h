/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * day-read.h - reads samples from the file of a day.
 */
#ifndef KMA_HISTORY_DAY_READ_H
#define KMA_HISTORY_DAY_READ_H

#include "day.h"

/**
 * kma_day_read() - read a sample into an account
 * @day: the file
 * @samples: of kma_day_samples()
 * @i: which one. Samples that are read one after the other are decoded once each
 * @name: of the account
 * @ret: finished, with the moment as notes
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_day_read(struct kma_day *day, const struct kma_day_sample *samples, size_t i,
			     const char *name, struct kma_account **ret);

/**
 * kma_day_decode() - bring the numbers of a sample into memory, and no more
 * @day: the file
 * @samples: of kma_day_samples()
 * @i: which one
 *
 * A part of kma_day_read().
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_day_decode(struct kma_day *day, const struct kma_day_sample *samples, size_t i);

/**
 * kma_day_hold() - lock the file for several samples, which is cheaper than a lock for each
 * @day: the file; a lock that it holds already is given up first, so that a writer may go on
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_day_hold(struct kma_day *day);

/**
 * kma_day_release() - give up the lock
 * @day: the file; NULL, or one without a lock, is fine
 */
void kma_day_release(struct kma_day *day);

#endif /* KMA_HISTORY_DAY_READ_H */
