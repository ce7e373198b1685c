/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-load.h - find out whether the load explains the growth of a site: a step of leak.c.
 */
#ifndef KMA_MODEL_LEAK_LOAD_H
#define KMA_MODEL_LEAK_LOAD_H

#include "leak-site.h"

/**
 * kma_leak_load() - compute the share of the allocations that stays, and whether load explains it
 * @site: has at least KMA_LEAK_MIN_SAMPLES samples
 * @places: indexes of the samples that are the minima of the blocks, in the order of time
 * @room: scratch space for three numbers of each sample
 * @ev: blocks is set; leaked, fading, load_changes and follows_load are filled in
 */
void kma_leak_load(const struct kma_leak_site *site, const size_t *places, double *room,
		   struct kma_leak_evidence *ev);

#endif /* KMA_MODEL_LEAK_LOAD_H */
