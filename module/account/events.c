// SPDX-License-Identifier: GPL-2.0-only
/*
 * events.c - which allocators are accounted: parameter events.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "account/events.h"

unsigned int kma_events = KMA_EVENTS_SLAB;

static const struct {
	const char *name;
	unsigned int bit;
} kma_events_names[] = {
	{ "slab", KMA_EVENTS_SLAB },
	{ "page", KMA_EVENTS_PAGE },
	{ "percpu", KMA_EVENTS_PERCPU },
};

/* The bit of a name of @len characters, or 0. */
static unsigned int kma_events_bit(const char *name, size_t len)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kma_events_names); i++)
		if (strlen(kma_events_names[i].name) == len &&
		    !strncmp(kma_events_names[i].name, name, len))
			return kma_events_names[i].bit;
	return 0;
}

int kma_events_parse(const char *names)
{
	unsigned int chosen = 0;
	size_t len;

	for (;; names += len + 1) {
		unsigned int bit;

		len = strcspn(names, ",\n");
		bit = kma_events_bit(names, len);
		if (!bit)
			return -EINVAL;
		chosen |= bit;
		if (names[len] != ',')
			break;
	}
	if (names[len] && names[len + 1])
		return -EINVAL;
	kma_events = chosen;
	return 0;
}

void kma_events_print(char buf[KMA_EVENTS_LEN])
{
	int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(kma_events_names); i++)
		if (kma_events_wanted(kma_events_names[i].bit))
			n += scnprintf(buf + n, KMA_EVENTS_LEN - n, "%s%s",
				       n ? "," : "", kma_events_names[i].name);
}
