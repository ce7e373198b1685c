// SPDX-License-Identifier: GPL-2.0-only
/*
 * holdings.c - load and store blocks of holdings (holdings.h) in the cache.
 */
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "holdings.h"
#include "lib/cachefile.h"

#define KMA_HOLDINGS_FOLDER "static"

static uint64_t holdings_hash(const struct kma_holdings *holdings)
{
	size_t from = offsetof(struct kma_holdings, hash) + sizeof(holdings->hash);

	return XXH3_64bits((const char *)holdings + from, holdings->size - from);
}

/* Do the arrays fill the block exactly, and are all offsets and indexes within them? */
static bool holdings_sound(const struct kma_holdings *holdings, size_t size)
{
	const struct kma_holdings_section *sections;
	const struct kma_holding *list;
	uint64_t left = size - sizeof(*holdings);

	if (holdings->size != size || holdings->nr_sections > left / sizeof(*sections))
		return false;
	left -= holdings->nr_sections * sizeof(*sections);
	if (holdings->nr_holdings > left / sizeof(*list))
		return false;
	left -= holdings->nr_holdings * sizeof(*list);
	if (!left || holdings->nr_texts != left || ((const char *)holdings)[size - 1])
		return false;
	sections = kma_holdings_sections(holdings);
	for (uint64_t i = 0; i < holdings->nr_sections; i++)
		if (sections[i].name >= left || sections[i].kind < KMA_TEXT ||
		    sections[i].kind > KMA_OTHER)
			return false;
	list = kma_holdings_list(holdings);
	for (uint64_t i = 0; i < holdings->nr_holdings; i++)
		if (list[i].file >= left || list[i].name >= left ||
		    list[i].section >= holdings->nr_sections)
			return false;
	return !holdings->release[sizeof(holdings->release) - 1];
}

/* Is a mapped block valid, and of this file and version? The hash comes last, as it reads all. */
static bool holdings_right(const struct kma_image *image, const struct kma_holdings *holdings,
			   size_t size)
{
	return size >= sizeof(*holdings) &&
	       !memcmp(holdings->magic, KMA_HOLDINGS_MAGIC, sizeof(holdings->magic)) &&
	       holdings->version == KMA_HOLDINGS_VERSION && holdings->order == KMA_HOLDINGS_ORDER &&
	       holdings->source == kma_image_size(image) &&
	       !strncmp(holdings->build_id, kma_image_build_id(image),
			sizeof(holdings->build_id)) &&
	       holdings_sound(holdings, size) && holdings->hash == holdings_hash(holdings);
}

const struct kma_holdings *kma_holdings_load(const struct kma_image *image, size_t *ret_mapped)
{
	struct kma_holdings *holdings;

	holdings = kma_cachefile_map(KMA_HOLDINGS_FOLDER, kma_image_build_id(image), ret_mapped);
	if (!holdings || holdings_right(image, holdings, *ret_mapped))
		return holdings;
	munmap(holdings, *ret_mapped);
	return NULL;
}

void kma_holdings_keep(struct kma_holdings *holdings)
{
	holdings->hash = holdings_hash(holdings);
	if (!holdings->missing)
		kma_cachefile_keep(KMA_HOLDINGS_FOLDER, holdings->build_id, holdings,
				   holdings->size);
}
