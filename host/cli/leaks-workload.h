/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-workload.h - samples for leaks: a command is run repeatedly, and the account is read in
 * between.
 *
 * Memory that a workload leaks grows with the number of its runs, not with time. So the time of a
 * sample counts runs: each stands for KMA_LEAK_RUN seconds. There are one, two or three runs
 * between two samples, by a fixed order in which each third of the samples has the same sum. So the
 * load changes, which distinguishes a share of the allocations that is never freed from a structure
 * that follows the load (model/leak.h). Four runs before the first sample fill caches that are
 * filled only once.
 *
 * Running a shell and reading the account allocate, too, and the kernel frees some of that late,
 * for example vmap areas, which it frees in batches. So a control with an empty command takes turns
 * with the workload: control, workload, workload, control, and so on, each with as many runs and as
 * much time as the other, and with a sample after it. What other programs do meanwhile is thus in
 * both. model/leak-part.h separates the two, and compares them.
 */
#ifndef KMA_CLI_LEAKS_WORKLOAD_H
#define KMA_CLI_LEAKS_WORKLOAD_H

#include "model/leak-series.h"

#define KMA_WORKLOAD_SAMPLES 36 /* samples by default */

/* The intervals between the samples, as kma_leak_part() takes them. */
struct kma_workload_turns {
	double *own;	 /* allocated; the intervals of the workload */
	double *control; /* allocated; those of the empty command */
	size_t nr;	 /* of the workload */
	unsigned long runs;
};

struct kma_workload {
	const char *command;   /* for sh -c */
	const char *source;    /* path of the account; NULL: that of the module */
	unsigned long samples; /* number of samples; 0: KMA_WORKLOAD_SAMPLES */
	bool probe;	       /* drop the kernel's caches before each sample */
};

/*
 * Runs a command by sh -c, and waits for it. Its standard output goes to stderr, so that the report
 * stays clean. It is an error if the command cannot be run, or fails.
 */
struct kma_err *kma_workload_once(const char *command);

/*
 * Runs a workload and its control, and adds the samples to a series. @turns is zeroed; its arrays
 * have to be freed also after an error: the account cannot be read, the command fails, or caches
 * cannot be dropped. @allocs is the number of allocations between the first and the last sample;
 * UINT64_MAX if the account does not count them. The account of each sample has KMA_NOTE_WORKLOAD,
 * and KMA_NOTE_DROPPED if caches were dropped.
 */
struct kma_err *kma_workload_run(const struct kma_workload *workload,
				 struct kma_leak_series *series, struct kma_workload_turns *turns,
				 uint64_t *allocs);

/*
 * Leaves out the turns at whose ends the finished series has no sample: it lacks the samples before
 * a restart of the account, or those after it.
 */
void kma_workload_turns_keep(struct kma_workload_turns *turns,
			     const struct kma_leak_series *series);

#endif /* KMA_CLI_LEAKS_WORKLOAD_H */
