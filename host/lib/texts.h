/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * texts.h - store each different text once, and number the texts from 0.
 *
 * The texts are in one pool. Each costs its bytes, 4 to 8 bytes for its offset and 16 to 32 bytes
 * of hash table. Texts are never removed, and the limit is 4 GiB of texts.
 *
 * Locking: one mutex for all of kma_texts_add(), because several threads share one set. They add
 * texts a few times per compilation unit, not for each line: a cache of each thread comes first
 * (symbol/inline.c).
 */
#ifndef KMA_LIB_TEXTS_H
#define KMA_LIB_TEXTS_H

#include <pthread.h>
#include <stdint.h>

#include "map.h"
#include "strbuf.h"

/* All zero is empty, and PTHREAD_MUTEX_INITIALIZER is all zero. */
struct kma_texts {
	pthread_mutex_t lock;
	struct kma_strbuf pool; /* the texts, each ends with a NUL */
	struct kma_map map;
	uint32_t *at;  /* by number: offset in the pool */
	uint32_t room; /* elements of @at */
};

void kma_texts_deinit(struct kma_texts *texts);

/* Find or add a text; it is copied if it is new. Returns its number. */
uint32_t kma_texts_add(struct kma_texts *texts, const char *text);

/*
 * The only copy of a text of @len bytes, without a number, which stays until the process ends: equal
 * texts have the same address. For one thread.
 */
const char *kma_text(const char *text, size_t len);

/* Frees all texts of kma_text(), for fuzzers, which read a million inputs in one process. */
void kma_text_forget(void);

/* The text of a number, valid until the next kma_texts_add(). */
static inline const char *kma_texts_get(const struct kma_texts *texts, uint32_t number)
{
	return texts->pool.str + texts->at[number];
}

#endif /* KMA_LIB_TEXTS_H */
