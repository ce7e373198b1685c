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

/**
 * kma_units_format() - format a number with its unit
 * @buf: buffer; a longer text is truncated
 * @size: bytes of @buf; KMA_NUMBER_LEN are enough for all numbers
 * @value: the number
 * @unit: KMA_UNIT_BYTES: "512 B", "1.2 KiB" to EiB; KMA_UNIT_NS: "512 ns", "1.2 us" to s;
 *	KMA_UNIT_COUNT: digits only
 *
 * Return: @buf.
 */
char *kma_units_format(char *buf, size_t size, uint64_t value, enum kma_unit unit);

/* Bytes for any number of 64 bits with a point, a unit and a terminator. */
#define KMA_NUMBER_LEN 32

/**
 * kma_units_text() - format a number with its unit, for tables with many numbers
 * @text: buffer of KMA_NUMBER_LEN bytes; terminated afterwards
 * @value: the number
 * @unit: as for kma_units_format()
 *
 * Return: bytes written, without the terminator.
 */
size_t kma_units_text(char *text, uint64_t value, enum kma_unit unit);

/**
 * kma_units_len() - get the length of a formatted number without formatting it
 * @value: the number
 * @unit: as for kma_units_format()
 *
 * Return: bytes that kma_units_text() would write.
 */
size_t kma_units_len(uint64_t value, enum kma_unit unit);

/**
 * kma_percent_format() - format a share in percent
 * @buf: buffer; a longer text is truncated
 * @size: bytes of @buf; 8 are enough for shares up to 100 %
 * @part: the part
 * @whole: the whole; if it is 0, the share is 0
 *
 * Return: @buf: "12.3%"; "<0.1%" for a share below 0.05 % that is not 0.
 */
char *kma_percent_format(char *buf, size_t size, uint64_t part, uint64_t whole);

#endif /* KMA_LIB_UNITS_H */
