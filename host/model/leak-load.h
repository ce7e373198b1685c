/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-load.h - what the number of allocations tells about the growth of a site. A part of leak.c.
 */
#ifndef KMA_MODEL_LEAK_LOAD_H
#define KMA_MODEL_LEAK_LOAD_H

#include "leak.h"

/**
 * kma_leak_load() - compute which share of the allocations stays, and whether load explains the growth
 * @site: with at least KMA_LEAK_MIN_SAMPLES samples
 * @places: numbers of the samples that are the minima of the blocks
 * @room: memory for three numbers of each sample
 * @ev: blocks is set; leaked, fading, load_changes and follows_load are filled in
 */
void kma_leak_load(const struct kma_leak_site *site, const size_t *places, double *room,
		   struct kma_leak_evidence *ev);

#endif /* KMA_MODEL_LEAK_LOAD_H */
