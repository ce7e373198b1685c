// SPDX-License-Identifier: GPL-2.0
/*
 * view.c - the table of formats, and numbers as people read them.
 */
#include <inttypes.h>
#include <stdio.h>
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

char *kma_units_format(char *buf, size_t size, uint64_t value, enum kma_unit unit)
{
	static const char *const names[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double scaled = value / 1024.0;
	size_t i = 0;

	if (unit == KMA_UNIT_COUNT)
		snprintf(buf, size, "%" PRIu64, value);
	else if (value < 1024)
		snprintf(buf, size, "%" PRIu64 " B", value);
	else {
		/* 1023.96 KiB would round to "1024.0 KiB". */
		for (; scaled >= 1023.95 && i + 1 < ARRAY_SIZE(names); i++)
			scaled /= 1024;
		snprintf(buf, size, "%.1f %s", scaled, names[i]);
	}
	return buf;
}

char *kma_percent_format(char *buf, size_t size, uint64_t part, uint64_t whole)
{
	double share = whole ? 100.0 * part / whole : 0;

	if (part && share < 0.05)
		snprintf(buf, size, "<0.1%%");
	else
		snprintf(buf, size, "%.1f%%", share);
	return buf;
}
