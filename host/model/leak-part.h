/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-part.h - a series in which a workload and a control take turns: judge one by the changes
 * in its own intervals, and correct the verdict by the other.
 *
 * Locking: none; no data are shared.
 */
#ifndef KMA_MODEL_LEAK_PART_H
#define KMA_MODEL_LEAK_PART_H

#include "leak.h"

/* A run of a workload in the time of its samples, in s: 100 of them stand for an hour. */
#define KMA_LEAK_RUN 36.0

/**
 * kma_leak_part() - reduce samples to the changes in some of their intervals
 * @samples: samples of a site in the order of time; replaced by those of the part, whose values are
 *	     those of the first sample and the changes since then
 * @nr: number of samples
 * @steps: for each of the @nr - 1 intervals: its length in the time of the part; 0: what changed in
 *	   it does not count
 *
 * Return: number of samples of the part.
 */
size_t kma_leak_part(struct kma_leak_sample *samples, size_t nr, const double *steps);

/**
 * kma_leak_control() - correct the verdict on a workload by its control
 * @own: verdict from the intervals of the workload; corrected
 * @control: verdict from those of an empty command, of the same site
 *
 * A leak has to be of the objects of the workload's own runs: growth that the control has, too, that
 * goes away while the control runs, or that is older, is none. A table that fills in the first runs
 * and stays is filling.
 *
 * Return: a clause for the reasons; NULL if the verdict stays.
 */
const char *kma_leak_control(struct kma_leak_result *own, const struct kma_leak_result *control);

#endif /* KMA_MODEL_LEAK_PART_H */
