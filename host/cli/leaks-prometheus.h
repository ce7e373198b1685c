/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-prometheus.h - what a Prometheus has stored, as the series of kmem-account leaks.
 */
#ifndef KMA_CLI_LEAKS_PROMETHEUS_H
#define KMA_CLI_LEAKS_PROMETHEUS_H

#include "lib/notes.h"
#include "model/leak-series.h"
#include "session/options.h"

/**
 * kma_leaks_prometheus() - add the accounts of a Prometheus
 * @opts: the server, the machine, and the times
 * @max: at most so many, at equal distances
 * @series: not finished
 * @notes: what the user has to know is added
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_leaks_prometheus(const struct kma_options *opts, size_t max,
				     struct kma_leak_series *series, struct kma_notes *notes);

#endif /* KMA_CLI_LEAKS_PROMETHEUS_H */
