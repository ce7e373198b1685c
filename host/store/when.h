/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * when.h - convert times from and to the forms that people use: 09:00, "yesterday 14:00",
 * 2026-11-25 09:00:30, -1h, @1764.
 */
#ifndef KMA_STORE_WHEN_H
#define KMA_STORE_WHEN_H

#include <stdint.h>

#include "lib/err.h"

#define KMA_WHEN_FORMS \
	"expected HH:MM, today|yesterday HH:MM, YYYY-MM-DD [HH:MM[:SS]], -1h or SECONDS since 1970"

#define KMA_WHEN_NEWEST "newest" /* the word for the newest sample, whenever it was taken */

/*
 * Converts a text, in local time, to ns since 1970. A time without a day is of today, or of
 * yesterday if it would be in the future; "newest" and "now" are @now. An error is of kind
 * KMA_ERR_USAGE.
 */
struct kma_err *kma_when_parse(const char *text, uint64_t now, uint64_t *ret);

/*
 * Extends a time of whole seconds to the last ns of its second; others stay. Times are shown as
 * whole seconds, but a sample is rarely taken at the start of a second.
 */
uint64_t kma_when_end(uint64_t ns);

#define KMA_WHEN_LEN 32 /* bytes of a text of kma_when_text() */

/* "2026-11-25 09:00:30", local time, as kma_when_parse() accepts it. */
void kma_when_text(uint64_t ns, char text[KMA_WHEN_LEN]);

#endif /* KMA_STORE_WHEN_H */
