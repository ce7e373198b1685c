/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * texts.h - store each different text once, and number the texts from 0.
 *
 * A hash table with open addressing, at most half full, has the numbers; the texts are in one pool.
 * Each text costs its bytes, 4 bytes for its offset and 8 to 16 bytes of hash table. Texts are
 * never removed, and the limit is 4 GiB of texts.
 *
 * Locking: one mutex for all of kma_texts_add(), because several threads share one set. They add
 * texts a few times per compilation unit, not for each line: a cache of each thread comes first
 * (inline-walk.h).
 */
#ifndef KMA_SYMBOL_TEXTS_H
#define KMA_SYMBOL_TEXTS_H

#include <pthread.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_texts {
	pthread_mutex_t lock;
	struct kma_strbuf pool; /* the texts, each ends with a NUL */
	uint32_t *at;		/* by number: offset in the pool */
	uint32_t nr;		/* texts */
	uint32_t alloc;		/* elements of @at; the table grows when all are used */
	uint32_t *slots;	/* hash table of numbers plus 1; 0: free */
	uint32_t mask;		/* slots minus 1 */
};

/**
 * kma_texts_init() - create a set that has only the empty text, with number 0
 * @texts: owned by the caller
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_texts_init(struct kma_texts *texts);

/**
 * kma_texts_deinit() - free the texts
 * @texts: initialised
 */
void kma_texts_deinit(struct kma_texts *texts);

/**
 * kma_texts_add() - find or add a text
 * @texts: the set
 * @text: NUL-terminated; copied if it is new
 * @ret: its number
 *
 * Return: NULL, or an error if memory cannot be allocated or the texts exceed 4 GiB.
 */
struct kma_err *kma_texts_add(struct kma_texts *texts, const char *text, uint32_t *ret);

#endif /* KMA_SYMBOL_TEXTS_H */
