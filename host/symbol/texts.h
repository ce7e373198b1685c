/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * texts.h - texts that come again and again, each kept once and numbered.
 *
 * Locking: one mutex around all of kma_texts_add(), for several threads share one set of
 * texts; they ask for a text a few times per compilation unit, not for each line.
 */
#ifndef KMA_SYMBOL_TEXTS_H
#define KMA_SYMBOL_TEXTS_H

#include <pthread.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_texts {
	pthread_mutex_t lock;
	struct kma_strbuf pool; /* the texts, each terminated */
	uint32_t *at;		/* by number: place in the pool */
	uint32_t nr;
	uint32_t alloc;
	uint32_t *slots; /* hash table of numbers plus 1 */
	uint32_t mask;
};

/**
 * kma_texts_init() - no texts yet but the empty one, which has number 0
 * @texts: owned by the caller
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_texts_init(struct kma_texts *texts);

/**
 * kma_texts_deinit() - free them
 * @texts: as initialised
 */
void kma_texts_deinit(struct kma_texts *texts);

/**
 * kma_texts_add() - number of a text
 * @texts: the texts
 * @text: is copied when it is new
 * @ret: its number
 *
 * Return: NULL or an error (memory; more than 4 GiB of texts).
 */
struct kma_err *kma_texts_add(struct kma_texts *texts, const char *text, uint32_t *ret);

#endif /* KMA_SYMBOL_TEXTS_H */
