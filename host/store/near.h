/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * near.h - the samples of a history that are nearest to a time and can be read.
 */
#ifndef KMA_STORE_NEAR_H
#define KMA_STORE_NEAR_H

#include "history.h"

/**
 * kma_near_find() - find the nearest samples that can be read
 * @history: open
 * @time: ns since 1970
 * @before: set to the time of the newest one that is not after @time; 0 if there is none
 * @after: set to the time of the oldest one after @time; 0 if there is none
 *
 * Days that cannot be read are left out, and kma_history.damage has a sentence for each.
 *
 * Return: NULL, or an error that concerns more than single samples and days.
 */
struct kma_err *kma_near_find(struct kma_history *history, uint64_t time, uint64_t *before,
			      uint64_t *after);

#endif /* KMA_STORE_NEAR_H */
