// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan-stop.c - a flag that signals set.
 */
#include "lib/array.h"
#include "scan-stop.h"

int kma_scan_stop;

static const int ends[KMA_SCAN_STOPS] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
					  SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };

static void stop_scan(int sig)
{
	(void)sig;
	__atomic_store_n(&kma_scan_stop, 1, __ATOMIC_RELAXED);
}

void kma_scan_stop_catch(struct sigaction *old)
{
	struct sigaction stop = { .sa_handler = stop_scan };

	for (size_t i = 0; i < KMA_SCAN_STOPS; i++)
		if (!sigaction(ends[i], NULL, &old[i]) && old[i].sa_handler != SIG_IGN)
			sigaction(ends[i], &stop, NULL);
}

void kma_scan_stop_release(const struct sigaction *old)
{
	for (size_t i = 0; i < KMA_SCAN_STOPS; i++)
		sigaction(ends[i], &old[i], NULL);
}
