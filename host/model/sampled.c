// SPDX-License-Identifier: GPL-2.0-only
/*
 * sampled.c - stacks of which only some were taken.
 *
 * The design is in sampled.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "sampled.h"

#define KMA_SAMPLED_INTERVALS 1.05 /* at most, see the module's sample.h */
#define KMA_SAMPLED_MORE      2	   /* samples that are added on both sides */

/* A call site whose stacks are samples. */
struct kma_sampled_site {
	struct kma_values all;	   /* what its stacks share */
	struct kma_values samples; /* what was sampled of it */
	struct kma_values before;  /* of the stacks that had their share so far */
	struct kma_values given;
	double squares; /* of the sampled bytes of each stack, by its objects */
	bool is;
};

/* Metrics that are shared one by one; the others are sums of these. */
static const enum kma_metric_id kma_sampled_shared[] = {
	KMA_REQUESTED, KMA_WASTE, KMA_FREES,  KMA_OBJECTS,
	KMA_TOTAL,     KMA_PEAK,  KMA_REMOTE, KMA_WRONG,
};

static void kma_sampled_sums(struct kma_values *values)
{
	values->current = values->req + values->waste;
	values->allocs = values->objects + values->frees;
}

static bool kma_sampled_is_rest(const struct kma_callstack *stack)
{
	return stack->rest && !strcmp(stack->rest, KMA_STACK_UNSAMPLED);
}

static void kma_sampled_look(const struct kma_callstack *stack, struct kma_sampled_site *site)
{
	double bytes = stack->values.current, objects = stack->values.objects;

	if (stack->rest && !kma_sampled_is_rest(stack))
		return;
	kma_values_add(&site->all, &stack->values);
	if (stack->rest)
		return;
	kma_values_add(&site->samples, &stack->values);
	if (objects)
		site->squares += bytes * bytes / objects;
}

/* The standard error of the live bytes of a stack with these samples. */
static double kma_sampled_error(const struct kma_sampled_site *site, const struct kma_values *stack)
{
	double bytes = site->samples.current, n = site->samples.objects, all = site->all.objects;
	double share, more, variance, sized;

	if (!n || !bytes || all <= n)
		return 0;
	more = n + 2 * KMA_SAMPLED_MORE;
	share = (stack->objects + KMA_SAMPLED_MORE) / more;
	variance = share * (1 - share) / more;
	share = stack->current / bytes;
	sized = share * share * site->squares;
	if (stack->objects)
		sized += (double)stack->current * stack->current / stack->objects * (1 - 2 * share);
	sized /= bytes * bytes;
	return KMA_SAMPLED_INTERVALS * site->all.current *
	       sqrt(fmax(variance, sized) * (all - n) / (all - 1));
}

/*
 * The next part of @all, as large as @part is of @whole: the parts add up to @all, because each
 * is what all up to it have, less what those before it got.
 */
static uint64_t kma_sampled_part(uint64_t all, uint64_t part, uint64_t whole, uint64_t *before,
				 uint64_t *given)
{
	unsigned __int128 product = all;
	uint64_t until, ret;

	*before += part;
	product *= *before;
	until = whole ? product / whole : 0;
	ret = until - *given;
	*given = until;
	return ret;
}

static void kma_sampled_share(struct kma_sampled_site *site, struct kma_values *values)
{
	struct kma_values estimate = { .samples = values->objects,
				       .error = ceil(kma_sampled_error(site, values)) };

	for (size_t i = 0; i < ARRAY_SIZE(kma_sampled_shared); i++) {
		const struct kma_metric *m = &kma_metrics[kma_sampled_shared[i]];
		uint64_t before = m->get(&site->before), given = m->get(&site->given);

		m->set(&estimate, kma_sampled_part(m->get(&site->all), m->get(values),
						   m->get(&site->samples), &before, &given));
		m->set(&site->before, before);
		m->set(&site->given, given);
	}
	kma_sampled_sums(&estimate);
	*values = estimate;
}

/* What no sample can share stays with the row of those that were not sampled. */
static void kma_sampled_keep(const struct kma_sampled_site *site, struct kma_values *values)
{
	*values = (struct kma_values){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(kma_sampled_shared); i++) {
		const struct kma_metric *m = &kma_metrics[kma_sampled_shared[i]];

		if (!m->get(&site->samples))
			m->set(values, m->get(&site->all));
	}
	kma_sampled_sums(values);
}

static size_t kma_sampled_sites(const struct kma_stacks *stacks)
{
	const struct kma_callstack *list;
	size_t nr, most = 0;

	list = kma_stacks_all(stacks, &nr);
	for (size_t i = 0; i < nr; i++)
		if (list[i].site >= most)
			most = list[i].site + 1;
	return most;
}

/* Which call sites have stacks that are samples, and what these say; to be freed. */
static struct kma_sampled_site *kma_sampled_find(const struct kma_stacks *stacks, size_t *nr_sites)
{
	struct kma_sampled_site *sites;
	const struct kma_callstack *list;
	size_t nr;

	*nr_sites = kma_sampled_sites(stacks);
	sites = calloc(*nr_sites + 1, sizeof(*sites));
	list = kma_stacks_all(stacks, &nr);
	for (size_t i = 0; sites && i < nr; i++) {
		kma_sampled_look(&list[i], &sites[list[i].site]);
		sites[list[i].site].is |= kma_sampled_is_rest(&list[i]);
	}
	return sites;
}

struct kma_err *kma_sampled_estimate(struct kma_stacks *stacks)
{
	_cleanup_free_ struct kma_sampled_site *sites = NULL;
	struct kma_callstack *list;
	size_t nr_sites, nr;

	sites = kma_sampled_find(stacks, &nr_sites);
	if (!sites)
		return &kma_enomem;
	list = kma_stacks_change(stacks, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct kma_sampled_site *site = &sites[list[i].site];

		if (site->is && !list[i].rest)
			kma_sampled_share(site, &list[i].values);
		else if (site->is && kma_sampled_is_rest(&list[i]))
			kma_sampled_keep(site, &list[i].values);
	}
	return NULL;
}

struct kma_err *kma_sampled_text(const struct kma_stacks *stacks, char **ret)
{
	_cleanup_free_ struct kma_sampled_site *sites = NULL;
	uint64_t objects = 0, samples = 0;
	size_t nr_sites, nr = 0;

	*ret = NULL;
	sites = kma_sampled_find(stacks, &nr_sites);
	if (!sites)
		return &kma_enomem;
	for (size_t i = 0; i < nr_sites; i++) {
		if (!sites[i].is)
			continue;
		nr++;
		objects += sites[i].all.objects;
		samples += sites[i].all.samples;
	}
	if (nr && asprintf(ret, "%" PRIu64 " of %" PRIu64 " live objects of %zu call site%s",
			   samples, objects, nr, nr == 1 ? "" : "s") < 0)
		return &kma_enomem;
	return NULL;
}
