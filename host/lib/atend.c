// SPDX-License-Identifier: GPL-2.0-only
/*
 * atend.c - what a handler of signals needs to know.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "atend.h"
#include "cleanup.h"

/* Usually one file is written at a time, or two inputs are compared; the tables can hold more. */
static char *_Atomic kma_unfinished[8];

static struct kma_map {
	const char *_Atomic name;
	atomic_uintptr_t begin; /* 0: a free place */
	atomic_size_t len;
} kma_maps[8];

void kma_atend_unlink(const char *path)
{
	char *copy = strdup(path);

	for (size_t i = 0; i < ARRAY_SIZE(kma_unfinished) && copy; i++) {
		char *none = NULL;

		if (atomic_compare_exchange_strong(&kma_unfinished[i], &none, copy))
			return;
	}
	free(copy);
}

void kma_atend_keep(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_unfinished); i++) {
		char *name = atomic_load(&kma_unfinished[i]);

		if (!name || strcmp(name, path))
			continue;
		atomic_store(&kma_unfinished[i], NULL);
		free(name);
		return;
	}
}

void kma_atend_sweep(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_unfinished); i++) {
		const char *name = atomic_load(&kma_unfinished[i]);

		if (name)
			unlink(name);
	}
}

void kma_atend_map(const void *map, size_t len, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_maps); i++) {
		uintptr_t none = 0;

		if (!atomic_compare_exchange_strong(&kma_maps[i].begin, &none, (uintptr_t)map))
			continue;
		/* Without a name the place says nothing yet. */
		atomic_store(&kma_maps[i].len, len);
		atomic_store(&kma_maps[i].name, name);
		return;
	}
}

void kma_atend_unmap(const void *map)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_maps); i++) {
		if (atomic_load(&kma_maps[i].begin) != (uintptr_t)map)
			continue;
		atomic_store(&kma_maps[i].name, NULL);
		atomic_store(&kma_maps[i].begin, 0);
		return;
	}
}

const char *kma_atend_mapped(const void *addr)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_maps); i++) {
		const char *name = atomic_load(&kma_maps[i].name);
		uintptr_t begin = atomic_load(&kma_maps[i].begin);

		if (name && (uintptr_t)addr - begin < atomic_load(&kma_maps[i].len))
			return name;
	}
	return NULL;
}
