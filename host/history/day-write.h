/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * day-write.h - writes samples to the file of a day.
 */
#ifndef KMA_HISTORY_DAY_WRITE_H
#define KMA_HISTORY_DAY_WRITE_H

#include "day.h"

/**
 * kma_day_begin() - continue or begin a series in this file
 * @day: open for writing
 * @series: is copied; one of the same uid is continued
 *
 * The next sample is a key sample.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_day_begin(struct kma_day *day, const struct kma_day_series *series);

/**
 * kma_day_append() - write a sample of the series that was begun last
 * @day: open for writing
 * @account: finished
 * @moment: when it was
 * @bytes: set to the bytes of the sample as kept
 *
 * After an error the sample is not there, and the next one is a key sample.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_day_append(struct kma_day *day, const struct kma_account *account,
			       const struct kma_moment *moment, size_t *bytes);

/**
 * kma_day_columns() - the columns that an account has, as a series keeps them
 * @account: finished
 *
 * Return: names, each followed by a blank, to be freed; NULL without memory.
 */
char *kma_day_columns(const struct kma_account *account);

#endif /* KMA_HISTORY_DAY_WRITE_H */
