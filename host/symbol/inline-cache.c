// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline-cache.c - tables of inlines in the cache directory, by the build ID of their file
 * (lib/cachefile.h). An invalid table is built again.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "inline-cache.h"
#include "lib/alloc.h"
#include "lib/cachefile.h"

#define KMA_CACHE_FOLDER "inlines"

static uint64_t cache_hash(const struct kma_inlines_header *hdr)
{
	size_t from = offsetof(struct kma_inlines_header, hash) + sizeof(hdr->hash);

	return XXH3_64bits((const char *)hdr + from, hdr->size - from);
}

static bool cache_right(const struct kma_image *image, const struct kma_inlines_header *hdr,
			size_t size)
{
	return size >= sizeof(*hdr) && !memcmp(hdr->magic, KMA_INLINES_MAGIC, sizeof(hdr->magic)) &&
	       hdr->version == KMA_INLINES_VERSION && hdr->order == KMA_INLINES_ORDER &&
	       hdr->source == kma_image_size(image) &&
	       !strncmp(hdr->build_id, kma_image_build_id(image), sizeof(hdr->build_id)) &&
	       kma_inlines_sound(hdr, size) && hdr->hash == cache_hash(hdr);
}

void kma_inlines_load(const struct kma_image *image, struct kma_inlines **ret)
{
	struct kma_inlines_header *hdr;
	size_t size;

	*ret = NULL;
	hdr = kma_cachefile_map(KMA_CACHE_FOLDER, kma_image_build_id(image), &size);
	if (!hdr)
		return;
	if (!cache_right(image, hdr, size)) {
		munmap(hdr, size);
		return;
	}
	*ret = kma_xcalloc(1, sizeof(**ret));
	(*ret)->hdr = hdr;
	(*ret)->mapped = size;
}

void kma_inlines_keep(struct kma_inlines_header *hdr)
{
	hdr->hash = cache_hash(hdr);
	if (hdr->units)
		kma_cachefile_keep(KMA_CACHE_FOLDER, hdr->build_id, hdr, hdr->size);
}
