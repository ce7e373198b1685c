/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sampled.h - estimate the numbers of stacks if only some stacks were recorded ("stacks DEPTH/N" of
 * the module).
 *
 * The module records the stack of one allocation in N, and of the first one of each call site. All
 * other allocations of the call site are one row, KMA_STACK_UNSAMPLED, so the numbers of the call
 * site are exact. They are divided among its stacks in proportion to the samples: the sum stays
 * exact, and each stack is an estimate.
 *
 * The standard error of the live bytes of a stack is that of a share p of the n samples of its call
 * site. It is the larger one of two errors, times 1.05 because the intervals between samples are
 * not quite independent (the module's sample.h), and smaller if a large part of the objects was
 * sampled:
 *
 * - sqrt(p(1-p)/n), with two more samples inside and two outside (Agresti and Coull 1998). Without
 *   these, a stack that has all samples would have no error.
 * - The same for a share of the bytes, if the objects of the stacks have different sizes.
 *
 * Limits: the objects of one stack are treated as equally large. A stack without a sample has no
 * row. The first allocation of a call site is always a sample, so its stack is overestimated at a
 * call site with few samples.
 */
#ifndef KMA_MODEL_SAMPLED_H
#define KMA_MODEL_SAMPLED_H

#include "stacks.h"

/* The metrics that rows of sampled stacks have in addition. */
#define KMA_SAMPLED_METRICS (1U << KMA_SAMPLES | 1U << KMA_ERROR)

/* Note of an account whose rows are sampled stacks; its value is the text of kma_sampled_text(). */
#define KMA_NOTE_SAMPLED "stacks sampled"

/*
 * At call sites with a row KMA_STACK_UNSAMPLED, the numbers of the stacks with frames become
 * estimates, and that row keeps only what no sample can represent.
 */
void kma_sampled_estimate(struct kma_stacks *stacks);

/*
 * After kma_sampled_estimate(): "10 of 900 live objects of 3 call sites", to be freed by the
 * caller; NULL if no call site was sampled.
 */
void kma_sampled_text(const struct kma_stacks *stacks, char **ret);

#endif /* KMA_MODEL_SAMPLED_H */
