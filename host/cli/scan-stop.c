// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan-stop.c - a flag that signals set.
 */
#include "lib/array.h"
#include "scan-stop.h"

int kma_scan_stop;

static const int kma_scan_signals[KMA_SCAN_STOPS] = { SIGINT, SIGTERM, SIGHUP };

static void kma_scan_signal(int sig)
{
	(void)sig;
	__atomic_store_n(&kma_scan_stop, 1, __ATOMIC_RELAXED);
}

void kma_scan_stop_catch(struct sigaction *old)
{
	struct sigaction stop = { .sa_handler = kma_scan_signal };

	for (size_t i = 0; i < KMA_SCAN_STOPS; i++)
		if (!sigaction(kma_scan_signals[i], NULL, &old[i]) && old[i].sa_handler != SIG_IGN)
			sigaction(kma_scan_signals[i], &stop, NULL);
}

void kma_scan_stop_release(const struct sigaction *old)
{
	for (size_t i = 0; i < KMA_SCAN_STOPS; i++)
		sigaction(kma_scan_signals[i], &old[i], NULL);
}
