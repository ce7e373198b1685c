/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * numbered.h - number texts: each distinct text gets the next number when it is first added. It is
 * an open hash table of numbers, at most half full; texts are never removed.
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
	const char **list;	/* the texts by number */
	size_t nr, alloc;	/* number of texts, allocated length */
	uint32_t *slots;	/* hash table: number plus 1; 0: free */
	size_t nr_slots;	/* a power of two, at least twice @nr */
};

/**
 * kma_numbered_add() - get the number of a text
 * @names: the texts
 * @text: terminated; copied if it is new
 * @ret: its number, from 0
 *
 * Return: NULL, or an error if out of memory.
 */
struct kma_err *kma_numbered_add(struct kma_numbered *names, const char *text, size_t *ret);

/**
 * kma_numbered_deinit() - free the texts
 * @names: empty afterwards
 */
void kma_numbered_deinit(struct kma_numbered *names);

#endif /* KMA_EXPORT_NUMBERED_H */
