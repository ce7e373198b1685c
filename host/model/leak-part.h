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

/*
 * Reduces the samples of a site, in the order of time, to the changes in some of their intervals,
 * and returns how many are left. @steps has for each of the @nr - 1 intervals its length in the
 * time of the part; 0: what changed in it does not count. The values of the new samples are those
 * of the first one and the changes since then.
 */
size_t kma_leak_part(struct kma_leak_sample *samples, size_t nr, const double *steps);

/*
 * Corrects the verdict from the intervals of a workload by that of an empty command, of the same
 * site. A leak must be of the objects of the workload's own runs: it is not a leak if the control
 * grows, too, if the growth goes away while the control runs, or if it is older. A table that fills
 * in the first runs and stays is filling. Returns a clause for the reasons; NULL if the verdict
 * stays.
 */
const char *kma_leak_control(struct kma_leak_result *own, const struct kma_leak_result *control);

#endif /* KMA_MODEL_LEAK_PART_H */
