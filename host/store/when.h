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

/**
 * kma_when_parse() - convert a text to a time
 * @text: the text, in local time. A time without a day is of today, or of yesterday if it would be
 *	in the future; "newest" and "now" are @now
 * @now: ns since 1970
 * @ret: ns since 1970
 *
 * Return: NULL or an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_when_parse(const char *text, uint64_t now, uint64_t *ret);

/**
 * kma_when_end() - extend a time of whole seconds to the end of its second
 * @ns: from kma_when_parse()
 *
 * Times are shown as whole seconds, but a sample is rarely taken at the start of a second.
 *
 * Return: the last ns of the second if @ns is its first, otherwise @ns.
 */
uint64_t kma_when_end(uint64_t ns);

#define KMA_WHEN_LEN 32 /* bytes of a text of kma_when_text() */

/**
 * kma_when_text() - convert a time to a text, in a form that kma_when_parse() accepts
 * @ns: ns since 1970
 * @text: filled in: "2026-11-25 09:00:30", local time
 */
void kma_when_text(uint64_t ns, char text[KMA_WHEN_LEN]);

#endif /* KMA_STORE_WHEN_H */
