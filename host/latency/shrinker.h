/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shrinker.h - count the runs of shrinkers, and give shrinkers the names that are in the log.
 */
#ifndef KMA_LATENCY_SHRINKER_H
#define KMA_LATENCY_SHRINKER_H

#include "analysis.h"

/**
 * kma_lat_shrinker() - get the text that identifies a shrinker
 * @args: arguments of its event
 *
 * Return: function and address, which are before ": nid".
 */
struct kma_lat_text kma_lat_shrinker(const struct kma_lat_text *args);

/**
 * kma_lat_count_shrinker() - count one run of a shrinker
 * @lat: the analysis
 * @shrinker: from kma_lat_shrinker()
 * @ns: duration of the run
 */
void kma_lat_count_shrinker(struct kma_lat *lat, const struct kma_lat_text *shrinker, uint64_t ns);

/**
 * kma_lat_address() - read an address
 * @text: hexadecimal digits, perhaps after 0x
 *
 * Return: the address; 0 if the text is not an address.
 */
uint64_t kma_lat_address(const struct kma_lat_text *text);

/**
 * kma_lat_name_shrinker() - set the name of a shrinker from now on
 * @lat: the analysis
 * @address: address of the shrinker
 * @name: name of its directory in debugfs
 */
void kma_lat_name_shrinker(struct kma_lat *lat, uint64_t address, const struct kma_lat_text *name);

/* Apply the first name of each address to the runs before it, too. */
void kma_lat_name_rows(struct kma_lat *lat);

#endif /* KMA_LATENCY_SHRINKER_H */
