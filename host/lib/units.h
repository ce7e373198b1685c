/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.h - numbers as people read them: bytes, times, counts, shares. All components
 * format numbers here, so that one number looks the same everywhere.
 */
#ifndef KMA_LIB_UNITS_H
#define KMA_LIB_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* What a number counts. */
enum kma_unit { KMA_UNIT_BYTES, KMA_UNIT_COUNT, KMA_UNIT_NS };

/**
 * kma_units_format() - a number as people read it
 * @buf: where to
 * @size: bytes in @buf, 16 are enough with units
 * @value: the number
 * @unit: bytes become KiB, MiB, GiB; counts stay as they are
 *
 * Return: @buf.
 */
char *kma_units_format(char *buf, size_t size, uint64_t value, enum kma_unit unit);

/* The longest number is that of 64 bits with a point and a unit. */
#define KMA_NUMBER_LEN 32

/**
 * kma_units_text() - the same, for many
 * @text: where to, KMA_NUMBER_LEN bytes
 * @value: the number
 * @unit: as for kma_units_format()
 *
 * Return: length of the text.
 */
size_t kma_units_text(char *text, uint64_t value, enum kma_unit unit);

/**
 * kma_units_len() - how long a number is as people read it
 * @value: the number
 * @unit: as for kma_units_format()
 *
 * Return: what kma_units_text() would.
 */
size_t kma_units_len(uint64_t value, enum kma_unit unit);

/**
 * kma_percent_format() - a share as people read it
 * @buf: where to
 * @size: bytes in @buf, 8 are enough
 * @part: the part
 * @whole: the whole; 0 makes the share 0
 *
 * Return: @buf: "12.3%"; "<0.1%" for what is less but something.
 */
char *kma_percent_format(char *buf, size_t size, uint64_t part, uint64_t whole);

#endif /* KMA_LIB_UNITS_H */
