// SPDX-License-Identifier: GPL-2.0-only
/*
 * slide.c - find how far KASLR has moved a kernel, from addresses without symbols.
 *
 * Up to KMA_SLIDE_SAMPLE addresses are taken evenly from the account. KMA_SLIDE_ANCHORS of them
 * propose distances: all multiples of the alignment that bring the anchor into the kernel's text.
 * Each distance is scored by the addresses of the sample that then follow a call. Only the best
 * and the second best score are kept. The cost is bounded: anchors times (size of the text /
 * alignment) times the sample; with 20 MiB of text and 2 MiB, 16 * 10 * 256 lookups.
 */

#include "lib/cleanup.h"
#include "slide.h"

/* Number of addresses that score a distance, and of those that propose distances. */
#define KMA_SLIDE_SAMPLE  256
#define KMA_SLIDE_ANCHORS 16

/* Least number of addresses that follow a call; with fewer, chance could decide. */
#define KMA_SLIDE_LEAST 8

/*
 * Alignments to try, in bytes: x86 and arm64 move by multiples of 2 MiB; a boot loader may place
 * arm64 at multiples of 64 KiB.
 */
static const uint64_t kma_slide_steps[] = { 2U << 20, 64U << 10 };

struct kma_slide {
	const struct kma_source *source;
	uint64_t addrs[KMA_SLIDE_SAMPLE]; /* the sample */
	size_t nr;			  /* its length */
	uint64_t best;			  /* distance in bytes with the most calls */
	size_t best_calls, next_calls;	  /* addresses after a call at the best, at the next best */
	size_t best_inside;		  /* addresses in a symbol at the best distance */
};

/* Takes the sample: addresses without a symbol, evenly from all sites. */
static void slide_sample(struct kma_slide *slide, const struct kma_account *account)
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

/* Counts the addresses that are in a symbol at a distance, and those that follow a call. */
static void slide_count(const struct kma_slide *slide, uint64_t distance, size_t *inside,
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

static void slide_try(struct kma_slide *slide, uint64_t distance)
{
	size_t inside, calls;

	slide_count(slide, distance, &inside, &calls);
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

static bool slide_sure(const struct kma_slide *slide)
{
	return slide->best_calls >= KMA_SLIDE_LEAST &&
	       slide->best_calls * 10 >= slide->best_inside * 9 &&
	       slide->best_calls > slide->next_calls * 2;
}

/* Tries each distance that brings an anchor into the text. */
static void slide_from(struct kma_slide *slide, uint64_t addr, uint64_t start, uint64_t end,
		       uint64_t step)
{
	uint64_t distance;

	if (addr < start)
		return;
	distance = (addr - start) / step * step;
	for (; addr - distance < end; distance -= step) {
		slide_try(slide, distance);
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
	slide_sample(&slide, account);
	if (slide.nr < KMA_SLIDE_LEAST)
		return false;
	stride = slide.nr / KMA_SLIDE_ANCHORS + 1;
	for (size_t i = 0; i < ARRAY_SIZE(kma_slide_steps); i++) {
		slide.best_calls = 0;
		slide.next_calls = 0;
		slide_try(&slide, 0);
		for (size_t k = 0; k < slide.nr; k += stride)
			slide_from(&slide, slide.addrs[k], start, end, kma_slide_steps[i]);
		if (slide_sure(&slide)) {
			*ret = slide.best;
			return *ret;
		}
	}
	return false;
}
