/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shrinker.h - finds the shrinker of a run.
 */
#ifndef KMA_LATENCY_SHRINKER_H
#define KMA_LATENCY_SHRINKER_H

#include "analysis.h"

/**
 * kma_lat_shrinker() - get the text that identifies a shrinker
 * @args: of its event
 *
 * Return: function and address, the text before ": nid".
 */
struct kma_lat_text kma_lat_shrinker(const struct kma_lat_text *args);

/**
 * kma_lat_count_shrinker() - one more run of a shrinker
 * @lat: the analysis
 * @shrinker: from kma_lat_shrinker()
 * @ns: how long it took
 */
void kma_lat_count_shrinker(struct kma_lat *lat, const struct kma_lat_text *shrinker, uint64_t ns);

/**
 * kma_lat_address() - read an address
 * @text: hexadecimal, perhaps with 0x
 *
 * Return: the address; 0 if the text is not an address.
 */
uint64_t kma_lat_address(const struct kma_lat_text *text);

/**
 * kma_lat_name_shrinker() - set the name of a shrinker
 * @lat: the analysis
 * @address: of the shrinker
 * @name: name of its directory in debugfs
 */
void kma_lat_name_shrinker(struct kma_lat *lat, uint64_t address, const struct kma_lat_text *name);

/**
 * kma_lat_name_rows() - let names hold for what came before them, too
 * @lat: the analysis
 */
void kma_lat_name_rows(struct kma_lat *lat);

#endif /* KMA_LATENCY_SHRINKER_H */
