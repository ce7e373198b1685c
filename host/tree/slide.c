// SPDX-License-Identifier: GPL-2.0-only
/*
 * slide.c - how far KASLR has moved the kernel, by its addresses alone.
 */
#include <stdlib.h>

#include "lib/cleanup.h"
#include "slide.h"

/* Addresses that are looked at, and those of them that distances are made of. */
#define KMA_SLIDE_SAMPLE  256
#define KMA_SLIDE_ANCHORS 16

/* Fewer tell nothing. */
#define KMA_SLIDE_LEAST 8

/* x86 and arm64 move by 2 MiB; a boot loader may place arm64 at 64 KiB. */
static const uint64_t kma_slide_steps[] = { 2U << 20, 64U << 10 };

struct kma_slide {
	const struct kma_source *source;
	uint64_t addrs[KMA_SLIDE_SAMPLE];
	size_t nr;
	uint64_t best;
	size_t best_calls, next_calls; /* of the best distance, and of the next best one */
	size_t best_inside;
};

/* Addresses without a symbol, evenly taken from all. */
static void kma_slide_sample(struct kma_slide *slide, const struct kma_account *account)
{
	const struct kma_site *sites;
	size_t nr, have = 0, step, n = 0;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		have += !sites[i].symbol && !sites[i].named && !sites[i].path;
	step = have / KMA_SLIDE_SAMPLE + 1;
	for (size_t i = 0; i < nr && slide->nr < KMA_SLIDE_SAMPLE; i++)
		if (!sites[i].symbol && !sites[i].named && !sites[i].path && n++ % step == 0)
			slide->addrs[slide->nr++] = sites[i].offset;
}

/* How many addresses lie in the text at that distance, and how many return from a call? */
static void kma_slide_count(const struct kma_slide *slide, uint64_t distance, size_t *inside,
			    size_t *calls)
{
	const struct kma_source_ops *ops = slide->source->ops;

	*inside = 0;
	*calls = 0;
	for (size_t i = 0; i < slide->nr; i++) {
		uint64_t addr = slide->addrs[i] - distance;

		if (!ops->symbol_at(slide->source, addr - 1))
			continue;
		++*inside;
		*calls += ops->calls(slide->source, addr) == 1;
	}
}

static void kma_slide_try(struct kma_slide *slide, uint64_t distance)
{
	size_t inside, calls;

	kma_slide_count(slide, distance, &inside, &calls);
	if (distance == slide->best && slide->best_calls)
		return;
	if (calls > slide->best_calls) {
		slide->next_calls = slide->best_calls;
		slide->best = distance;
		slide->best_calls = calls;
		slide->best_inside = inside;
	} else if (calls > slide->next_calls) {
		slide->next_calls = calls;
	}
}

static bool kma_slide_sure(const struct kma_slide *slide)
{
	return slide->best_calls >= KMA_SLIDE_LEAST &&
	       slide->best_calls * 10 >= slide->best_inside * 9 &&
	       slide->best_calls > slide->next_calls * 2;
}

/* Every distance that brings an address into the text. */
static void kma_slide_from(struct kma_slide *slide, uint64_t addr, uint64_t start, uint64_t end,
			   uint64_t step)
{
	uint64_t distance;

	if (addr < start)
		return;
	distance = (addr - start) / step * step;
	for (; addr - distance < end; distance -= step) {
		kma_slide_try(slide, distance);
		if (distance < step)
			break;
	}
}

bool kma_slide_find(const struct kma_account *account, const struct kma_source *source,
		    uint64_t *ret)
{
	struct kma_slide slide = { .source = source };
	uint64_t start, end;
	size_t stride;

	*ret = 0;
	if (!source->ops->calls || !source->ops->text || !source->ops->text(source, &start, &end))
		return false;
	kma_slide_sample(&slide, account);
	if (slide.nr < KMA_SLIDE_LEAST)
		return false;
	stride = slide.nr / KMA_SLIDE_ANCHORS + 1;
	for (size_t i = 0; i < ARRAY_SIZE(kma_slide_steps); i++) {
		slide.best_calls = 0;
		slide.next_calls = 0;
		kma_slide_try(&slide, 0);
		for (size_t k = 0; k < slide.nr; k += stride)
			kma_slide_from(&slide, slide.addrs[k], start, end, kma_slide_steps[i]);
		if (kma_slide_sure(&slide)) {
			*ret = slide.best;
			return *ret;
		}
	}
	return false;
}
