// SPDX-License-Identifier: GPL-2.0-only
/*
 * units.c - format numbers for people: bytes, times, counts, shares. Only integers are used,
 * because printf() would take most of the time of a long table.
 */
#include <string.h>

#include "cleanup.h"
#include "strbuf.h"
#include "units.h"

static const char *const unit_names[] = { " B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB" };

static const char *const time_names[] = { " ns", " us", " ms", " s" };

/* Copy a text into a buffer, truncated and terminated as by snprintf(). */
static char *number_copy(char *buf, size_t size, const char *text, size_t len)
{
	if (len >= size)
		len = size - 1;
	memcpy(buf, text, len);
	buf[len] = '\0';
	return buf;
}

/* Write 123 tenths as "12.3 KiB". Return: the end of the text. */
static char *tenths_text(char *text, uint64_t tenths, const char *unit)
{
	char *p = kma_u64_format(text, tenths / 10);

	*p++ = '.';
	*p++ = '0' + tenths % 10;
	return stpcpy(p, unit);
}

/*
 * Convert @value to tenths of the unit 1 << shift. Exact halves are rounded to the even tenth, as
 * in printf().
 */
static uint64_t units_tenths(uint64_t value, unsigned int shift)
{
	uint64_t mask = (1ULL << shift) - 1, part = (value & mask) * 10;
	uint64_t tenths = (value >> shift) * 10 + (part >> shift), twice = (part & mask) * 2;

	return tenths + (twice > mask + 1 || (twice == mask + 1 && tenths & 1));
}

/* Convert a @value from 1024 up to tenths of a unit. Return: index of the unit. */
static size_t units_scale(uint64_t value, uint64_t *tenths)
{
	size_t i = (63 - __builtin_clzll(value)) / 10;

	*tenths = units_tenths(value, 10 * i);
	/* Rounded up to "1024.0 KiB": use the next unit. */
	if (*tenths >= 10240)
		*tenths = units_tenths(value, 10 * ++i);
	return i;
}

/* Convert a time from 1000 ns up to tenths of a unit. Return: index of the unit. */
static size_t times_scale(uint64_t value, uint64_t *tenths)
{
	const size_t last = ARRAY_SIZE(time_names) - 1;
	uint64_t scale = 1;
	size_t i = 0;

	do {
		scale *= 1000;
		*tenths = value / scale * 10 + (value % scale * 10 + scale / 2) / scale;
	} while (++i < last && *tenths >= 10000);
	return i;
}

size_t kma_units_text(char *text, uint64_t value, enum kma_unit unit)
{
	uint64_t tenths;
	size_t i;

	if (unit == KMA_UNIT_NS) {
		if (value < 1000)
			return stpcpy(kma_u64_format(text, value), time_names[0]) - text;
		i = times_scale(value, &tenths);
		return tenths_text(text, tenths, time_names[i]) - text;
	}

	if (unit == KMA_UNIT_COUNT)
		return kma_u64_format(text, value) - text;
	if (value < 1024)
		return stpcpy(kma_u64_format(text, value), unit_names[0]) - text;
	i = units_scale(value, &tenths);
	return tenths_text(text, tenths, unit_names[i]) - text;
}

size_t kma_units_len(uint64_t value, enum kma_unit unit)
{
	char text[KMA_NUMBER_LEN];
	uint64_t tenths;

	if (unit == KMA_UNIT_NS)
		return kma_units_text(text, value, unit);
	if (unit == KMA_UNIT_COUNT)
		return kma_u64_len(value);
	if (value < 1024)
		return kma_u64_len(value) + strlen(" B");
	units_scale(value, &tenths);
	return kma_u64_len(tenths / 10) + strlen(".0 KiB");
}

char *kma_units_format(char *buf, size_t size, uint64_t value, enum kma_unit unit)
{
	char text[KMA_NUMBER_LEN];

	return number_copy(buf, size, text, kma_units_text(text, value, unit));
}

char *kma_percent_format(char *buf, size_t size, uint64_t part, uint64_t whole)
{
	static const char little[] = "<0.1%";
	char text[KMA_NUMBER_LEN];
	uint64_t tenths = 0;

	if (part && whole && (__uint128_t)part * 2000 < whole)
		return number_copy(buf, size, little, strlen(little));
	/* A half is rounded up, so that half of a tenth is not shown as 0. */
	if (whole)
		tenths = ((__uint128_t)part * 2000 + whole) / 2 / whole;
	return number_copy(buf, size, text, tenths_text(text, tenths, "%") - text);
}
