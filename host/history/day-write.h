/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * day-write.h - write samples to a file of a history.
 */
#ifndef KMA_HISTORY_DAY_WRITE_H
#define KMA_HISTORY_DAY_WRITE_H

#include "day.h"

/**
 * kma_day_begin() - continue or begin a series in this file
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
 * @bytes: set to the bytes of its data
 *
 * After an error the file does not have the sample, and the next one is a key sample.
 */
struct kma_err *kma_day_append(struct kma_day *day, const struct kma_account *account,
			       const struct kma_moment *moment, size_t *bytes);

/**
 * kma_day_columns() - get the columns for an account, in the form of a series
 * @account: finished
 *
 * Return: names, each followed by a blank, for free(3).
 */
char *kma_day_columns(const struct kma_account *account);

#endif /* KMA_HISTORY_DAY_WRITE_H */
