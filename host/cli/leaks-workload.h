/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-workload.h - samples for leaks: a command is run again and again, with an account before
 * and after.
 *
 * What a workload allocates and keeps grows with the number of its runs. So a sample stands for a
 * number of runs, not for a time: one, two or three, in an order whose first and last third are
 * alike. The load changes that way, which tells a share of the allocations that is never freed
 * from a structure that follows the load (model/leak.h). Some runs before the first sample fill
 * what is filled only once.
 *
 * Running a shell and reading the account allocate, too, and the kernel frees some of that late:
 * vmap areas, for example, in batches. So there is a control, the same with an empty command. What
 * grows as much there is not the workload's.
 */
#ifndef KMA_CLI_LEAKS_WORKLOAD_H
#define KMA_CLI_LEAKS_WORKLOAD_H

#include "model/leak-series.h"

#define KMA_WORKLOAD_SAMPLES 36
#define KMA_WORKLOAD_HOUR    100 /* runs that stand for an hour */

struct kma_workload {
	const char *command;   /* for the shell */
	const char *source;    /* the account; NULL: that of the module */
	unsigned long samples; /* how many; 0: KMA_WORKLOAD_SAMPLES */
	bool probe;	       /* drop the kernel's caches before each sample */
};

/**
 * kma_workload_run() - run a workload and add the samples to a series
 * @workload: what to run
 * @series: not finished
 * @runs: set to the number of runs between the first and the last sample
 *
 * Return: NULL or an error: the account cannot be read, the command fails, or caches cannot be
 * dropped. The account of each sample has KMA_NOTE_WORKLOAD, and KMA_NOTE_DROPPED if caches were
 * dropped.
 */
struct kma_err *kma_workload_run(const struct kma_workload *workload,
				 struct kma_leak_series *series, unsigned long *runs);

#endif /* KMA_CLI_LEAKS_WORKLOAD_H */
