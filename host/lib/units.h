/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.h - format numbers for people: bytes, times, counts, shares. All components use these
 * functions, so that a number looks the same everywhere.
 */
#ifndef KMA_LIB_UNITS_H
#define KMA_LIB_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* Unit of a number. */
enum kma_unit { KMA_UNIT_BYTES, KMA_UNIT_COUNT, KMA_UNIT_NS };

/*
 * "1.2 KiB", up to EiB; "1.2 us", up to s; counts have digits only. A text longer than @size is
 * truncated; KMA_NUMBER_LEN bytes are enough for all numbers. Returns @buf.
 */
char *kma_units_format(char *buf, size_t size, uint64_t value, enum kma_unit unit);

/* Bytes for any number with a point, a unit and a terminator. */
#define KMA_NUMBER_LEN 32

/*
 * The same, for tables with many numbers. @text has KMA_NUMBER_LEN bytes. Both return the bytes of
 * the formatted number without the terminator; kma_units_len() does not format it.
 */
size_t kma_units_text(char *text, uint64_t value, enum kma_unit unit);
size_t kma_units_len(uint64_t value, enum kma_unit unit);

/*
 * "12.3%"; "<0.1%" for a share below 0.05 % that is not 0; 0 if @whole is 0. 8 bytes are enough for
 * shares up to 100 %; a longer text is truncated. Returns @buf.
 */
char *kma_percent_format(char *buf, size_t size, uint64_t part, uint64_t whole);

#endif /* KMA_LIB_UNITS_H */
