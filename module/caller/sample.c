// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample.c - which allocations get their stack: all, or one in N.
 *
 * The design is in sample.h.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/random.h>

#include "account/site.h"
#include "caller/sample.h"

DEFINE_PER_CPU(struct kma_sample, kma_sample);

static unsigned int kma_sample_mean;

__cold void kma_sample_use(unsigned int mean)
{
	int cpu;

	/* events of that CPU may count at the same time; either number begins an interval */
	for_each_possible_cpu(cpu) {
		WRITE_ONCE(per_cpu(kma_sample, cpu).left, 0);
		WRITE_ONCE(per_cpu(kma_sample, cpu).random, get_random_u32() | 1);
	}
	WRITE_ONCE(kma_sample_mean, mean);
}

/* Marsaglia, Xorshift RNGs (2003): 32 bits of state, which are never all 0. */
static u32 kma_sample_random(void)
{
	u32 random = this_cpu_read(kma_sample.random);

	random ^= random << 13;
	random ^= random >> 17;
	random ^= random << 5;
	this_cpu_write(kma_sample.random, random);
	return random;
}

/*
 * Half-lives in units of 2^-16: the number of zeros at the end of the upper half of @random, one
 * on average, plus the lower half as a fraction. Their mean is one and a half, so the factor 2/3
 * gives the mean interval; 2 * mean - 1 and the added 1 correct for rounding down.
 */
static s32 kma_sample_interval(u32 mean, u32 random)
{
	u64 halves = __ffs(random >> 16 | 1u << 16) << 16 | (random & 0xffff);

	return 1 + (div_u64(halves * (2 * mean - 1), 3) >> 16);
}

bool kma_sample_take(void)
{
	unsigned int mean = READ_ONCE(kma_sample_mean);

	if (mean <= KMA_SAMPLE_ALL)
		return mean;
	if (this_cpu_read(kma_sample.left) > 0)
		return false;
	this_cpu_write(kma_sample.left, kma_sample_interval(mean, kma_sample_random()));
	return true;
}

bool kma_sample_first(unsigned int site)
{
	struct kma_site *s = &kma_sites.sites[site];

	/* a call site that has no path, because max_sites is reached, stands for all its stacks */
	if (READ_ONCE(kma_sample_mean) <= KMA_SAMPLE_ALL || site == KMA_SITE_OTHER ||
	    s->base == site || READ_ONCE(s->sampled))
		return false;
	WRITE_ONCE(s->sampled, true);
	return true;
}
