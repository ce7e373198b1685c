/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-judge.h - the table of verdicts on a series, for leaks and doctor.
 *
 * Locking: none.
 */
#ifndef KMA_CLI_LEAKS_JUDGE_H
#define KMA_CLI_LEAKS_JUDGE_H

#include "leaks-text.h"
#include "leaks-workload.h"
#include "model/leak-series.h"

/*
 * Fills in the rows of a table, in the order of the series, with their verdicts and reasons, and the
 * counts of verdicts. @floor and @parts are as for kma_suspects_judge(). @turns: of a workload,
 * whose control corrects the verdicts; NULL: there is none.
 */
void kma_leaks_judge(struct kma_leak_table *table, const struct kma_leak_series *series,
		     double floor, bool parts, const struct kma_workload_turns *turns);

/* Sorts the rows by verdict and growth. */
void kma_leaks_rank(struct kma_leak_table *table);

/* @table may be zeroed. */
void kma_leak_table_deinit(struct kma_leak_table *table);

#endif /* KMA_CLI_LEAKS_JUDGE_H */
