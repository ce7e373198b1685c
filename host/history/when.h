/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * when.h - times in the forms that people use: 09:00, "yesterday 14:00", 2026-11-25 09:00:30, -1h,
 * @1764.
 */
#ifndef KMA_HISTORY_WHEN_H
#define KMA_HISTORY_WHEN_H

#include <stdint.h>

#include "lib/err.h"

#define KMA_WHEN_FORMS \
	"expected HH:MM, today|yesterday HH:MM, YYYY-MM-DD [HH:MM[:SS]], -1h or SECONDS since 1970"

/**
 * kma_when_parse() - convert a time
 * @text: as typed. Times without a day are of today, or of yesterday if they are still to come;
 *	"newest" is @now. Local time
 * @now: ns since 1970
 * @ret: ns since 1970
 *
 * Return: NULL or an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_when_parse(const char *text, uint64_t now, uint64_t *ret);

#endif /* KMA_HISTORY_WHEN_H */
