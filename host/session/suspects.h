/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suspects.h - verdicts on the call sites of a series of accounts, with all evidence that the
 * accounts have.
 */
#ifndef KMA_SESSION_SUSPECTS_H
#define KMA_SESSION_SUSPECTS_H

#include "model/leak-series.h"

/* A judged call site. */
struct kma_suspect {
	const struct kma_site *site; /* of the newest account */
	struct kma_leak_result result;
};

/**
 * kma_suspects_judge() - judge all call sites
 * @series: finished
 * @floor: bytes per hour that are no leak yet
 * @ret: array to be freed, a row for each of kma_leak_series_sites(); also after an error
 * @nr: how many
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_suspects_judge(const struct kma_leak_series *series, double floor,
				   struct kma_suspect **ret, size_t *nr);

#endif /* KMA_SESSION_SUSPECTS_H */
