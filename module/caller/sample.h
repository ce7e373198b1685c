/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample.h - which allocations get their stack: all, or one in N.
 *
 * A stack costs about 600 instructions a frame, so "stacks DEPTH/N" takes the stack of one
 * allocation in N, and of the first allocation of each call site. Each CPU counts down its
 * allocations over all call sites: a call site with n allocations has n/N samples, with a
 * deviation of about sqrt(n/N). A counter for each call site would be a little more even, but
 * an event would have to find it first; this countdown is one instruction.
 *
 * The intervals are random with mean N. If two paths alternate strictly, a fixed interval of N
 * could always meet the same one. An interval is a number of half-lives, which is the number of
 * zeros at the end of a random number, plus a fraction of the next half-life. This is close to the
 * time between two radioactive decays, so a sample hardly depends on the previous one.
 * Whatever the order of the paths, the standard error is at most 1.05 times that of independent
 * samples. It would be 1.12 times if intervals were equally likely from 1 to 2N-1.
 *
 * The other allocations of a call site are counted together (path.h).
 *
 * Locking: none; each CPU has its own countdown. If an event moves to another CPU or an NMI comes
 * during the countdown, an interval becomes one event shorter or longer.
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

/* The countdown of a CPU. */
struct kma_sample {
	s32 left;	/* allocations until the next one that gets its stack; due at 0 or less */
	u32 random;	/* state of the random numbers; not 0 */
};

DECLARE_PER_CPU(struct kma_sample, kma_sample);

/*
 * Set which allocations get their stack: KMA_SAMPLE_NONE, KMA_SAMPLE_ALL, or one in @mean, up to
 * KMA_SAMPLE_MAX. Context: process; events in progress may still use the old value.
 */
void kma_sample_use(unsigned int mean);

/*
 * Count an allocation, and check whether it may get its stack. For the inline half of an event;
 * kma_sample_take() makes the decision. An event in an NMI gets no stack.
 */
static __always_inline bool kma_sample_due(void)
{
	this_cpu_dec(kma_sample.left);
	return unlikely(this_cpu_read(kma_sample.left) <= 0) && !in_nmi();
}

/*
 * Does an allocation that was counted get its stack? Then the next interval begins. Any context but
 * NMI, irqs off.
 */
bool kma_sample_take(void);

/*
 * The same for the first allocation of a call site. @site has the call site's allocations without a
 * stack; later calls for it return false.
 */
bool kma_sample_first(unsigned int site);

#endif /* KMA_SAMPLE_H */
