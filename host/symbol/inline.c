// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline.c - search the table of inlines.
 *
 * The checksum of a stored table detects damage, but not manipulation, so each number from the
 * table is checked before its use. A cycle of frames ends after KMA_FRAMES_MAX steps.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "inline-build.h"
#include "inline-table.h"
#include "inline.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cachefile.h"

/*
 * Tables of inlines in the cache directory, by the build ID of their file
 * (lib/cachefile.h). An invalid table is built again.
 */

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

/* Read a stored table. */
static void inlines_load(const struct kma_image *image, struct kma_inlines **ret)
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

/*
 * Store a table. Failure to store it (no cache directory, disk full, no build ID) is not an
 * error.
 */
static void inlines_keep(struct kma_inlines_header *hdr)
{
	hdr->hash = cache_hash(hdr);
	if (hdr->units)
		kma_cachefile_keep(KMA_CACHE_FOLDER, hdr->build_id, hdr, hdr->size);
}

static const void *inlines_part(const struct kma_inlines *tab, enum kma_inlines_part part)
{
	return (const char *)tab->hdr + tab->hdr->parts[part].at;
}

struct kma_err *kma_inlines_create(const struct kma_image *image, struct kma_inlines **ret)
{
	struct kma_inlines_header *hdr;
	struct kma_inlines *tab;
	struct kma_err *err = NULL;
	uint64_t missing;

	inlines_load(image, ret);
	if (err || *ret)
		return err;
	err = kma_inlines_walk(image, &hdr, &missing);
	if (err)
		return err;
	/* Missing files may be present next time, but build ID and size would be the same. */
	if (!missing)
		inlines_keep(hdr);
	tab = kma_xcalloc(1, sizeof(*tab));
	tab->hdr = hdr;
	tab->missing = missing;
	*ret = tab;
	return NULL;
}

void kma_inlines_destroy(struct kma_inlines *tab)
{
	if (!tab)
		return;
	if (tab->mapped)
		munmap((void *)tab->hdr, tab->mapped);
	else
		free((void *)tab->hdr);
	free(tab);
}

static const char *inlines_text(const struct kma_inlines *tab, uint32_t at)
{
	const char *text = inlines_part(tab, KMA_PART_TEXT);

	return at < tab->hdr->parts[KMA_PART_TEXT].nr ? text + at : "";
}

static const char *inlines_file(const struct kma_inlines *tab, uint32_t file)
{
	const uint32_t *files = inlines_part(tab, KMA_PART_FILES);

	return file < tab->hdr->parts[KMA_PART_FILES].nr ? inlines_text(tab, files[file]) : "";
}

/* Index of the last element that is not above @addr; NONE if all are. */
static uint32_t inlines_search(const struct kma_inlines *tab, enum kma_inlines_part part,
			       uint32_t addr)
{
	const uint32_t *starts = inlines_part(tab, part);
	uint32_t low = kma_array_search(tab->hdr->parts[part].nr, i, starts[i] <= addr);

	return low - 1;
}

static void inlines_line(const struct kma_inlines *tab, uint32_t addr, struct kma_frame *frame)
{
	const uint32_t *files = inlines_part(tab, KMA_PART_LINE_FILE);
	const uint32_t *lines = inlines_part(tab, KMA_PART_LINE);
	uint32_t i = inlines_search(tab, KMA_PART_LINE_START, addr);

	frame->file = i == KMA_INLINES_NONE ? "" : inlines_file(tab, files[i]);
	frame->line = *frame->file ? lines[i] : 0;
}

unsigned int kma_inlines_at(const struct kma_inlines *tab, uint64_t addr,
			    struct kma_frame frames[KMA_FRAMES_MAX], const char **unit)
{
	const struct kma_inlines_frame *all = inlines_part(tab, KMA_PART_FRAMES);
	const uint32_t *span_frames = inlines_part(tab, KMA_PART_SPAN_FRAME);
	uint64_t nr_frames = tab->hdr->parts[KMA_PART_FRAMES].nr;
	uint32_t span, at;
	unsigned int nr;

	*unit = NULL;
	addr -= tab->hdr->base;
	if (addr > UINT32_MAX)
		return 0;
	span = inlines_search(tab, KMA_PART_SPAN_START, addr);
	at = span == KMA_INLINES_NONE ? KMA_INLINES_NONE : span_frames[span];
	for (nr = 0; at < nr_frames && nr < KMA_FRAMES_MAX; at = all[at].parent) {
		const struct kma_inlines_frame *frame = &all[at];

		if (!nr)
			inlines_line(tab, addr, &frames[0]);
		frames[nr++].function = inlines_text(tab, frame->name);
		*unit = inlines_file(tab, frame->file);
		if (frame->parent == KMA_INLINES_NONE)
			break;
		if (nr < KMA_FRAMES_MAX) {
			frames[nr].file = *unit;
			frames[nr].line = frame->line;
		}
	}
	return nr;
}

size_t kma_inlines_units(const struct kma_inlines *tab)
{
	return tab->hdr->units;
}

bool kma_inlines_kept(const struct kma_inlines *tab)
{
	return tab->mapped;
}

uint64_t kma_inlines_lost(const struct kma_inlines *tab)
{
	return tab->hdr->lost;
}

uint64_t kma_inlines_missing(const struct kma_inlines *tab)
{
	return tab->missing;
}
