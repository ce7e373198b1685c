// SPDX-License-Identifier: GPL-2.0-only
/*
 * stop.c - a flag that signals set.
 */
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "cleanup.h"
#include "clock.h"
#include "stop.h"

int kma_stop;

static const int ends[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
			    SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };
static struct sigaction old[ARRAY_SIZE(ends)];
static size_t nr_caught;

static void set_flag(int sig)
{
	(void)sig;
	__atomic_store_n(&kma_stop, 1, __ATOMIC_RELAXED);
}

void kma_stop_catch(bool all)
{
	struct sigaction stop = { .sa_handler = set_flag };

	nr_caught = all ? ARRAY_SIZE(ends) : 3;
	for (size_t i = 0; i < nr_caught; i++)
		if (!sigaction(ends[i], NULL, &old[i]) && old[i].sa_handler != SIG_IGN)
			sigaction(ends[i], &stop, NULL);
}

void kma_stop_release(void)
{
	for (size_t i = 0; i < nr_caught; i++)
		sigaction(ends[i], &old[i], NULL);
}

void kma_stop_wait(uint64_t until)
{
	uint64_t now;

	while (!kma_stopped() && (now = kma_clock(CLOCK_MONOTONIC)) < until) {
		uint64_t slice = until - now < KMA_NS_PER_S ? until : now + KMA_NS_PER_S;
		struct timespec ts = { slice / KMA_NS_PER_S, slice % KMA_NS_PER_S };

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	}
}

void kma_stop_wait_next(uint64_t interval, uint64_t *next)
{
	uint64_t now = kma_clock(CLOCK_MONOTONIC);

	*next += interval;
	if (*next < now)
		*next = now + interval - (now - *next) % interval;
	kma_stop_wait(*next);
}
