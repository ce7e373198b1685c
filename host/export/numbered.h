/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * numbered.h - texts with numbers: each text gets the next number when it is first seen.
 */
#ifndef KMA_EXPORT_NUMBERED_H
#define KMA_EXPORT_NUMBERED_H

#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/err.h"

/* Zero is empty. */
struct kma_numbered {
	struct kma_arena arena; /* the texts */
	const char **list;	/* by number */
	size_t nr, alloc;
	uint32_t *slots; /* hash table of numbers plus 1 */
	size_t nr_slots; /* a power of two, at least twice @nr */
};

/**
 * kma_numbered_add() - get the number of a text
 * @names: the texts
 * @text: terminated; is copied when it is new
 * @ret: its number, from 0
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_numbered_add(struct kma_numbered *names, const char *text, size_t *ret);

/**
 * kma_numbered_deinit() - free the texts
 * @names: empty afterwards
 */
void kma_numbered_deinit(struct kma_numbered *names);

#endif /* KMA_EXPORT_NUMBERED_H */
