// SPDX-License-Identifier: GPL-2.0-only
/*
 * peaks.c - what one look at the peaks takes on a machine with 256 CPUs, in user space.
 *
 *	peaks
 *
 * 5,000 call sites with objects of two sizes, of which each CPU has had some. Between two looks
 * each CPU has events of 40 classes. Prints a line for each case:
 *
 *	case nanoseconds
 *
 * of CPU time, the least of 20 looks: "quiet" with no event since the last look, "busy" with
 * these events, "all" if each CPU had events of all classes.
 */
#include <stdlib.h>
#include <time.h>

#include "account/account.h"
#include "account/live.h"
#include "account/peak.h"
#include "shim.h"
#include "account-tables.h"

#define SITES	5000
#define SIZES	2
#define LOOKS	20
#define EVENTS	40

static void wake(void)
{
}

static unsigned int rnd(unsigned int below)
{
	static unsigned long long seed = 42;

	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

static void pair(unsigned int n)
{
	unsigned long call_site = 0xffffffff81000000ul + n / SIZES * 64;
	size_t bytes = 64 << n % SIZES;
	void *object = (void *)(0x100000ul + shim_cpu * 128ul);

	kma_account_alloc(call_site, object, bytes, bytes, KMA_KIND_KMALLOC);
	kma_account_free(call_site, object);
}

static void no_events(void)
{
}

static void some_events(void)
{
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)
		for (int i = 0; i < EVENTS; i++)
			pair(rnd(SITES * SIZES));
	shim_cpu = 0;
}

static void all_events(void)
{
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)
		for (unsigned int n = 0; n < SITES * SIZES; n++)
			pair(n);
	shim_cpu = 0;
}

static unsigned long long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void measure(const char *name, void (*events)(void), int looks)
{
	unsigned long long least = ~0ull;

	while (looks--) {
		unsigned long long ns;

		events();
		ns = cpu_ns();
		kma_peak_look();
		ns = cpu_ns() - ns;
		least = min(least, ns);
	}
	printf("%s %llu\n", name, least);
}

int main(void)
{
	shim_init();
	if (tables_init(SITES + 10) || kma_live_init(1 << 20, wake) || kma_peak_init(false))
		return 1;
	kma_live_open();
	for (unsigned int n = 0; n < SITES * SIZES; n++) {
		pair(n);
		if (tables_grow())
			return 1;
	}
	all_events();
	kma_peak_look();
	measure("quiet", no_events, LOOKS);
	measure("busy", some_events, LOOKS);
	measure("all", all_events, 3);
	return kma_site_nr() >= SITES ? 0 : 1;
}
