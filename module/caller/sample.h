/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample.h - which allocations get their stack: all, or one in N.
 *
 * A stack costs some 600 instructions a frame, so "stacks DEPTH/N" takes the stack of one
 * allocation in N, and of the first one of each call site. Each CPU counts down its allocations
 * over all call sites: a call site with n of them has n/N samples, give or take sqrt(n/N). A
 * counter for each call site would be a little more even, but would have to be found first; this
 * one is one instruction.
 *
 * The intervals are random with mean N. Each N-th allocation would meet the same path of two
 * that alternate again and again. An interval is a number of half-lives, which is the number of
 * zeros at the end of a random number, and a part of the next one: about as time passes between
 * decays, so that what was sampled before says next to nothing about what is sampled next.
 * Whatever the order of the paths, the standard error is at most 1.05 times that of independent
 * samples; it would be 1.12 times if intervals were equally likely from 1 to 2N-1.
 *
 * The other allocations of a call site are counted together (path.h).
 *
 * Locking: none; a CPU counts for itself. If an event moves to another CPU or an NMI comes
 * while it counts, an interval is one event shorter or longer.
 */
#ifndef KMA_SAMPLE_H
#define KMA_SAMPLE_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>

#define KMA_SAMPLE_NONE	0u	/* no stack at all, not even the first one of a call site */
#define KMA_SAMPLE_ALL	1u
#define KMA_SAMPLE_MAX	65536u

/**
 * struct kma_sample - the countdown of a CPU
 * @left: allocations until the next one that gets its stack; 0 or less: it is due
 * @random: state of the random numbers; not 0
 */
struct kma_sample {
	s32 left;
	u32 random;
};

DECLARE_PER_CPU(struct kma_sample, kma_sample);

/**
 * kma_sample_use() - set of how many allocations one gets its stack
 * @mean: KMA_SAMPLE_NONE, KMA_SAMPLE_ALL, or N, up to KMA_SAMPLE_MAX
 *
 * Context: process. Events in progress may still use the old value.
 */
void kma_sample_use(unsigned int mean);

/**
 * kma_sample_due() - count an allocation, and see whether it gets its stack
 *
 * For the inline half of an event: kma_sample_take() says it finally. An NMI has no stack.
 *
 * Context: any.
 * Return: true if it does.
 */
static __always_inline bool kma_sample_due(void)
{
	this_cpu_dec(kma_sample.left);
	return unlikely(this_cpu_read(kma_sample.left) <= 0) && !in_nmi();
}

/**
 * kma_sample_take() - does an allocation that was counted get its stack?
 *
 * If so, the next interval begins.
 *
 * Context: any but NMI, irqs off.
 * Return: true if it does.
 */
bool kma_sample_take(void);

/**
 * kma_sample_first() - does an allocation get its stack because it is the first of its call site?
 * @site: the site of the allocations of the call site that get none
 *
 * Context: any but NMI, irqs off.
 * Return: true if it does; the next one of @site does not.
 */
bool kma_sample_first(unsigned int site);

#endif /* KMA_SAMPLE_H */
