// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline-table.c - test whether a table of inlines is complete.
 */
#include "inline-table.h"

const unsigned char kma_inlines_width[KMA_NR_PARTS] = {
	[KMA_PART_SPAN_START] = sizeof(uint32_t),
	[KMA_PART_SPAN_FRAME] = sizeof(uint32_t),
	[KMA_PART_FRAMES] = sizeof(struct kma_inlines_frame),
	[KMA_PART_LINE_START] = sizeof(uint32_t),
	[KMA_PART_LINE_FILE] = sizeof(uint32_t),
	[KMA_PART_LINE] = sizeof(uint32_t),
	[KMA_PART_FILES] = sizeof(uint32_t),
	[KMA_PART_TEXT] = sizeof(char),
};

bool kma_inlines_sound(const struct kma_inlines_header *hdr, size_t size)
{
	const char *text;
	uint64_t nr;

	if (size < sizeof(*hdr) || hdr->size != size)
		return false;
	for (unsigned int i = 0; i < KMA_NR_PARTS; i++) {
		uint64_t at = hdr->parts[i].at;

		nr = hdr->parts[i].nr;
		if (at % 8 || at > size || nr > UINT32_MAX ||
		    nr > (size - at) / kma_inlines_width[i])
			return false;
	}
	nr = hdr->parts[KMA_PART_TEXT].nr;
	text = (const char *)hdr + hdr->parts[KMA_PART_TEXT].at;
	return nr && !*text && !text[nr - 1] &&
	       hdr->parts[KMA_PART_SPAN_START].nr == hdr->parts[KMA_PART_SPAN_FRAME].nr &&
	       hdr->parts[KMA_PART_LINE_START].nr == hdr->parts[KMA_PART_LINE_FILE].nr &&
	       hdr->parts[KMA_PART_LINE_START].nr == hdr->parts[KMA_PART_LINE].nr;
}
