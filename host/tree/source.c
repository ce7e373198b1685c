// SPDX-License-Identifier: GPL-2.0-only
/*
 * source.c - the choice of one place among candidates, which all sources share.
 */
#include <string.h>

#include "source.h"

const char *const kma_inlines_modes[KMA_NR_INLINES_MODES] = {
	[KMA_INLINES_OUTER] = "outer",
	[KMA_INLINES_INNER] = "inner",
	[KMA_INLINES_BOTH] = "both",
};

void kma_source_destroy(struct kma_source *source)
{
	if (source)
		source->ops->destroy(source);
}

static bool kma_is_header(const char *path)
{
	size_t len = strlen(path);

	return !len || (len > 2 && !strcmp(path + len - 2, ".h"));
}

unsigned int kma_call_owner(const struct kma_call *call, enum kma_inlines_mode mode)
{
	unsigned int i;

	if (mode == KMA_INLINES_INNER) {
		for (i = 0; i < call->nr_frames; i++)
			if (!kma_is_header(call->frames[i].file))
				return i;
		return call->nr_frames;
	}
	for (i = call->nr_frames; i-- > 0;)
		if (!kma_is_header(call->frames[i].file))
			return i;
	return call->nr_frames;
}

const char *kma_call_file(const struct kma_call *call, enum kma_inlines_mode mode)
{
	unsigned int owner = kma_call_owner(call, mode);

	return owner < call->nr_frames ? call->frames[owner].file : call->unit;
}

static bool kma_same_dir(const char *a, const char *b)
{
	const char *a_end = strrchr(a, '/'), *b_end = strrchr(b, '/');

	return a_end && b_end && a_end - a == b_end - b && !memcmp(a, b, a_end - a);
}

void kma_place_offer(struct kma_place *place, enum kma_fit fit, const char *path)
{
	if (fit == KMA_FIT_NONE || fit < place->fit)
		return;
	if (fit > place->fit) {
		place->fit = fit;
		place->path = path;
		place->found = path ? KMA_FOUND_FILE : KMA_FOUND_NO_FILE;
		return;
	}
	if (place->path && path && !strcmp(place->path, path))
		return;
	if (place->found == KMA_FOUND_NO_FILE && !path)
		return;
	if (place->path && path && place->found != KMA_FOUND_AMBIGUOUS &&
	    kma_same_dir(place->path, path))
		place->found = KMA_FOUND_DIR;
	else
		place->found = KMA_FOUND_AMBIGUOUS;
}
