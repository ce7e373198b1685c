// SPDX-License-Identifier: GPL-2.0-only
/*
 * sampled.c - estimate the numbers of stacks if only some stacks were recorded. sampled.h has the
 * method.
 *
 * A first pass over the stacks adds up the samples of each call site; a second pass replaces the
 * numbers of each stack. All divisions are exact integer arithmetic: a part is the rounded-down
 * share of all parts so far, less what those parts got, so the parts add up to the whole.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "sampled.h"

#define KMA_SAMPLED_INTERVALS 1.05 /* factor for dependent intervals, see the module's sample.h */
#define KMA_SAMPLED_MORE      2	   /* samples that are added inside and outside (Agresti-Coull) */

/* A call site. */
struct kma_sampled_site {
	struct kma_values all;	   /* numbers to divide: of its samples and of the unsampled row */
	struct kma_values samples; /* sum of the samples */
	struct kma_values before;  /* sum of the samples of the stacks that were estimated so far */
	struct kma_values given;   /* sum of their estimates */
	double squares; /* sum over the stacks of sampled bytes squared / sampled objects */
	bool is;	/* it has a row KMA_STACK_UNSAMPLED */
};

/* Metrics that are divided one by one; current and allocs are sums of these. */
static const enum kma_metric_id sampled_shared[] = {
	KMA_REQUESTED, KMA_WASTE, KMA_FREES,  KMA_OBJECTS,
	KMA_TOTAL,     KMA_PEAK,  KMA_REMOTE, KMA_WRONG,
};

/* Compute the metrics that are sums of divided ones. */
static void sampled_sums(struct kma_values *values)
{
	values->current = values->req + values->waste;
	values->allocs = values->objects + values->frees;
}

/* Is this the row of the allocations without a sample? */
static bool sampled_is_rest(const struct kma_callstack *stack)
{
	return stack->rest && !strcmp(stack->rest, KMA_STACK_UNSAMPLED);
}

/*
 * Add a stack to the sums of its call site. Other rows without frames, such as [before], stay
 * exact.
 */
static void sampled_look(const struct kma_callstack *stack, struct kma_sampled_site *site)
{
	double bytes = stack->values.current, objects = stack->values.objects;

	if (stack->rest && !sampled_is_rest(stack))
		return;
	kma_values_add(&site->all, &stack->values);
	if (stack->rest)
		return;
	kma_values_add(&site->samples, &stack->values);
	if (objects)
		site->squares += bytes * bytes / objects;
}

/* Standard error, in bytes, of the estimate of a stack's live bytes. @stack: its samples. */
static double sampled_error(const struct kma_sampled_site *site, const struct kma_values *stack)
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
 * Part of @all that is in the proportion of @part to @whole. @before: sum of the parts of @whole so
 * far; @given: sum of the results so far. After the last part, the results add up to @all.
 */
static uint64_t sampled_part(uint64_t all, uint64_t part, uint64_t whole, uint64_t *before,
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

/* Replace the samples of a stack by the estimate. */
static void sampled_share(struct kma_sampled_site *site, struct kma_values *values)
{
	struct kma_values estimate = { .samples = values->objects,
				       .error = ceil(sampled_error(site, values)) };

	for (size_t i = 0; i < ARRAY_SIZE(sampled_shared); i++) {
		const struct kma_metric *m = &kma_metrics[sampled_shared[i]];
		uint64_t before = m->get(&site->before), given = m->get(&site->given);

		m->set(&estimate, sampled_part(m->get(&site->all), m->get(values),
					       m->get(&site->samples), &before, &given));
		m->set(&site->before, before);
		m->set(&site->given, given);
	}
	sampled_sums(&estimate);
	*values = estimate;
}

/* A metric of which no sample has anything cannot be divided: it stays in the unsampled row. */
static void sampled_keep(const struct kma_sampled_site *site, struct kma_values *values)
{
	*values = (struct kma_values){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(sampled_shared); i++) {
		const struct kma_metric *m = &kma_metrics[sampled_shared[i]];

		if (!m->get(&site->samples))
			m->set(values, m->get(&site->all));
	}
	sampled_sums(values);
}

/* Upper limit of the indexes of call sites that have stacks. */
static size_t sampled_sites(const struct kma_stacks *stacks)
{
	const struct kma_callstack *list;
	size_t nr, most = 0;

	list = kma_stacks_all(stacks, &nr);
	for (size_t i = 0; i < nr; i++)
		if (list[i].site >= most)
			most = list[i].site + 1;
	return most;
}

/* Add up the samples of each call site. Return: an array to be freed, by index. */
static struct kma_sampled_site *sampled_find(const struct kma_stacks *stacks, size_t *nr_sites)
{
	struct kma_sampled_site *sites;
	const struct kma_callstack *list;
	size_t nr;

	*nr_sites = sampled_sites(stacks);
	sites = kma_xcalloc(*nr_sites + 1, sizeof(*sites));
	list = kma_stacks_all(stacks, &nr);
	for (size_t i = 0; i < nr; i++) {
		sampled_look(&list[i], &sites[list[i].site]);
		sites[list[i].site].is |= sampled_is_rest(&list[i]);
	}
	return sites;
}

void kma_sampled_estimate(struct kma_stacks *stacks)
{
	_cleanup_free_ struct kma_sampled_site *sites = NULL;
	struct kma_callstack *list;
	size_t nr_sites, nr;

	sites = sampled_find(stacks, &nr_sites);
	list = kma_stacks_change(stacks, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct kma_sampled_site *site = &sites[list[i].site];

		if (site->is && !list[i].rest)
			sampled_share(site, &list[i].values);
		else if (site->is && sampled_is_rest(&list[i]))
			sampled_keep(site, &list[i].values);
	}
}

void kma_sampled_text(const struct kma_stacks *stacks, char **ret)
{
	_cleanup_free_ struct kma_sampled_site *sites = NULL;
	uint64_t objects = 0, samples = 0;
	size_t nr_sites, nr = 0;

	*ret = NULL;
	sites = sampled_find(stacks, &nr_sites);
	for (size_t i = 0; i < nr_sites; i++) {
		if (!sites[i].is)
			continue;
		nr++;
		objects += sites[i].all.objects;
		samples += sites[i].all.samples;
	}
	if (nr)
		*ret = kma_xasprintf("%" PRIu64 " of %" PRIu64 " live objects of %zu call site%s",
				     samples, objects, nr, nr == 1 ? "" : "s");
}
