/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-prometheus.h - read the series of kmem-account leaks from a Prometheus.
 */
#ifndef KMA_CLI_LEAKS_PROMETHEUS_H
#define KMA_CLI_LEAKS_PROMETHEUS_H

#include "lib/notes.h"
#include "model/leak-series.h"
#include "session/options.h"

/**
 * kma_leaks_prometheus() - add the accounts of a Prometheus to a series
 * @opts: options: prometheus (the server), match (labels), past_from, past_to
 * @max: most accounts, at equal distances
 * @series: not finished
 * @notes: gets messages for the user
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_leaks_prometheus(const struct kma_options *opts, size_t max,
				     struct kma_leak_series *series, struct kma_notes *notes);

#endif /* KMA_CLI_LEAKS_PROMETHEUS_H */
