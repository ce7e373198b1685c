// SPDX-License-Identifier: GPL-2.0-only
/*
 * moment.c - the time of a snapshot, and the identity of the module's account.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "moment.h"

#define KMA_MOMENT_BOOT	 "boot_id"
#define KMA_MOMENT_SLACK 2000000000LL /* ns that clocks may differ without having been set */

static const struct {
	const char *key;
	size_t member;
} kma_moment_numbers[] = {
	{ "boottime_ns", offsetof(struct kma_moment, up) },
	{ "time_ns", offsetof(struct kma_moment, time) },
	{ "loaded_ns", offsetof(struct kma_moment, loaded) },
	{ "generation", offsetof(struct kma_moment, generation) },
};

bool kma_moment_is_note(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_moment_numbers); i++)
		if (!strcmp(key, kma_moment_numbers[i].key))
			return true;
	return !strcmp(key, KMA_MOMENT_BOOT);
}

bool kma_moment_of(const struct kma_account *account, struct kma_moment *ret)
{
	const char *boot = kma_account_note(account, KMA_MOMENT_BOOT);

	*ret = (struct kma_moment){ .boot = boot && strcmp(boot, "-") ? boot : "" };
	for (size_t i = 0; i < ARRAY_SIZE(kma_moment_numbers); i++) {
		const char *value = kma_account_note(account, kma_moment_numbers[i].key);

		if (value)
			*(uint64_t *)((char *)ret + kma_moment_numbers[i].member) =
				strtoull(value, NULL, 10);
	}
	return ret->time;
}

void kma_moment_keep(struct kma_account *account, const struct kma_moment *moment)
{
	char text[32];

	kma_account_put_note(account, KMA_MOMENT_BOOT, moment->boot);
	for (size_t i = 0; i < ARRAY_SIZE(kma_moment_numbers); i++) {
		snprintf(text, sizeof(text), "%" PRIu64,
			 *(const uint64_t *)((const char *)moment + kma_moment_numbers[i].member));
		kma_account_put_note(account, kma_moment_numbers[i].key, text);
	}
}

void kma_moment_replace(struct kma_moment *kept, const struct kma_moment *moment)
{
	struct kma_moment copy = moment ? *moment : (struct kma_moment){ 0 };

	copy.boot = moment ? kma_xstrdup(moment->boot) : NULL;
	free((char *)kept->boot);
	*kept = copy;
}

bool kma_moment_same(const struct kma_moment *a, const struct kma_moment *b)
{
	return !strcmp(a->boot, b->boot) && a->loaded == b->loaded &&
	       a->generation == b->generation;
}

int64_t kma_moment_jumped(const struct kma_moment *a, const struct kma_moment *b)
{
	int64_t jump = (int64_t)(b->time - a->time) - (int64_t)(b->up - a->up);

	return llabs(jump) < KMA_MOMENT_SLACK ? 0 : jump;
}
