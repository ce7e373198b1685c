// SPDX-License-Identifier: GPL-2.0
/*
 * view.c - the table of formats, and numbers as people read them.
 */
#include <string.h>

#include "../lib/cleanup.h"
#include "view.h"

static const struct kma_view_ops *const kma_views[] = {
	&kma_view_table,
	&kma_view_csv,
	&kma_view_json,
};

const struct kma_view_ops *kma_view_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_views); i++)
		if (!strcmp(kma_views[i]->name, name))
			return kma_views[i];
	return NULL;
}

/*
 * Numbers of a table by integers alone: printf takes most of the time of a long one.
 * The longest is that of 64 bits with a point and a unit.
 */
#define KMA_NUMBER_LEN 32

/* Copies as snprintf() does. */
static char *kma_number_copy(char *buf, size_t size, const char *text)
{
	size_t len = strlen(text);

	if (len >= size)
		len = size - 1;
	memcpy(buf, text, len);
	buf[len] = '\0';
	return buf;
}

/* "12.3 KiB" of 123 tenths. */
static char *kma_tenths_format(char *buf, size_t size, uint64_t tenths, const char *unit)
{
	char text[KMA_NUMBER_LEN], *p = kma_u64_format(text, tenths / 10);

	*p++ = '.';
	*p++ = '0' + tenths % 10;
	strcpy(p, unit);
	return kma_number_copy(buf, size, text);
}

/* Of exact halves the even one, as printf has it. */
static uint64_t kma_divide_round(unsigned __int128 a, unsigned __int128 b)
{
	unsigned __int128 q = a / b, twice = a % b * 2;

	return q + (twice > b || (twice == b && q & 1));
}

char *kma_units_format(char *buf, size_t size, uint64_t value, enum kma_unit unit)
{
	static const char *const names[] = { " KiB", " MiB", " GiB", " TiB", " PiB", " EiB" };
	unsigned int shift = 10;
	size_t i = 0;

	if (unit == KMA_UNIT_COUNT || value < 1024) {
		char text[KMA_NUMBER_LEN], *end = kma_u64_format(text, value);

		if (unit != KMA_UNIT_COUNT)
			strcpy(end, " B");
		return kma_number_copy(buf, size, text);
	}
	/* 1023.95 KiB and more would round to "1024.0 KiB". */
	while ((unsigned __int128)value * 20 >= (unsigned __int128)20479 << shift &&
	       i + 1 < ARRAY_SIZE(names)) {
		shift += 10;
		i++;
	}
	return kma_tenths_format(buf, size,
				 kma_divide_round((unsigned __int128)value * 10,
						  (unsigned __int128)1 << shift),
				 names[i]);
}

char *kma_percent_format(char *buf, size_t size, uint64_t part, uint64_t whole)
{
	uint64_t tenths = 0;

	if (part && whole && (unsigned __int128)part * 2000 < whole)
		return kma_number_copy(buf, size, "<0.1%");
	/* A half goes up: half of a tenth is not nothing. */
	if (whole)
		tenths = ((unsigned __int128)part * 2000 + whole) / 2 / whole;
	return kma_tenths_format(buf, size, tenths, "%");
}
