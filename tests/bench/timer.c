// SPDX-License-Identifier: GPL-2.0-only
/*
 * timer.c - how late a timer of 1 ms is: what work beside it costs others on a machine
 *
 *	timer SECONDS	"P99.9 MAXIMUM", in nanoseconds, of a thread that sleeps until each
 *			next millisecond, with the default policy of the scheduler
 *
 * The first 0.1 s do not count: the scheduler lets a new thread wait beside one that computes, whatever
 * that one does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PERIOD	1000000L	/* ns */
#define WARM	100		/* periods that do not count */

static long ns(const struct timespec *t)
{
	return t->tv_sec * 1000000000L + t->tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const long *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

int main(int argc, char **argv)
{
	long n = argc == 2 ? atol(argv[1]) * 1000 : 0, *late = calloc(n + 1, sizeof(*late)), next;
	struct timespec t;

	if (n <= 0 || !late) {
		fprintf(stderr, "usage: timer SECONDS\n");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &t);
	next = ns(&t);
	for (long i = -WARM; i < n; i++) {
		next += PERIOD;
		t = (struct timespec){ next / 1000000000L, next % 1000000000L };
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
			;
		clock_gettime(CLOCK_MONOTONIC, &t);
		if (i >= 0)
			late[i] = ns(&t) - next;
		/* what is later than a period counts once, and not for the periods that were missed */
		while (next + PERIOD < ns(&t))
			next += PERIOD;
	}
	qsort(late, n, sizeof(*late), compare);
	printf("%ld %ld\n", late[n - 1 - n / 1000], late[n - 1]);
	free(late);
	return 0;
}
