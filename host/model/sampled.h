/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sampled.h - stacks of which only some were taken ("stacks DEPTH/N" of the module).
 *
 * The module takes the stack of one allocation in N, and of the first one of a call site. All
 * others of the call site are one row, KMA_STACK_UNSAMPLED, so the numbers of the call site are
 * exact. What it holds is shared among its stacks as the samples are: the sum stays exact, and
 * each stack is an estimate.
 *
 * The standard error of the live bytes of a stack, of n samples of its call site, is that of a
 * share p: the larger one of two, times 1.05 for intervals that are not quite independent (the
 * module's sample.h), and less where a large part was sampled:
 *
 *  sqrt(p(1-p)/n), with two more samples inside and two outside (Agresti and Coull 1998), so
 *  that a stack that has all samples is not taken for certain;
 *  the same for a share of bytes, where the objects of stacks have different sizes.
 *
 * Objects of one stack count as being of one size. A stack without a sample has no row. The first
 * allocation of a call site is always a sample: a call site with few samples says more of it than
 * of the others.
 */
#ifndef KMA_MODEL_SAMPLED_H
#define KMA_MODEL_SAMPLED_H

#include "stacks.h"

/* The metrics that rows of such stacks have besides. */
#define KMA_SAMPLED_METRICS (1U << KMA_SAMPLES | 1U << KMA_ERROR)

/* Note of an account whose rows are such stacks: how many were taken. */
#define KMA_NOTE_SAMPLED "stacks sampled"

/**
 * kma_sampled_estimate() - share what call sites hold among their stacks
 * @stacks: the stacks of an account; the numbers of those that are samples become estimates
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_sampled_estimate(struct kma_stacks *stacks);

/**
 * kma_sampled_text() - say how many stacks were taken
 * @stacks: after kma_sampled_estimate()
 * @ret: "10 of 900 live objects of 3 call sites", to be freed; NULL if no stack is a sample
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_sampled_text(const struct kma_stacks *stacks, char **ret);

#endif /* KMA_MODEL_SAMPLED_H */
