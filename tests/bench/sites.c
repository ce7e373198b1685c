// SPDX-License-Identifier: GPL-2.0-only
/*
 * sites.c - pairs of allocation and free from many call sites, in user space.
 *
 *	sites SITES ROUNDS
 *
 * Each round has a pair from each call site: an object of a size of its own, the same
 * address for all. All sites are known when the rounds begin. The call sites lie at random
 * in 20 MiB of kernel text. bench.sh counts the instructions of two numbers of rounds.
 */
#include <stdlib.h>

#include "account/account.h"
#include "account/live.h"
#include "shim.h"
#include "account-tables.h"

#define SITES_MAX	8191
#define OBJECT		((void *)0x100000)

static struct {
	unsigned long call_site;
	unsigned int req;
} sites[SITES_MAX];

static void wake(void)
{
}

/* The generator of Knuth's MMIX. */
static unsigned int rnd(unsigned int below)
{
	static unsigned long long seed = 42;

	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

static void one_round(unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		kma_account_alloc(sites[i].call_site, OBJECT, sites[i].req,
				  (sites[i].req + 7) & ~7ul, KMA_KIND_KMALLOC);
		kma_account_free(sites[i].call_site, OBJECT);
		tables_grow();
	}
}

int main(int argc, char **argv)
{
	unsigned int nr = argc == 3 ? atoi(argv[1]) : 0;
	unsigned int rounds = argc == 3 ? atoi(argv[2]) : 0;

	if (!nr || nr > SITES_MAX) {
		fprintf(stderr, "usage: sites SITES ROUNDS, at most %d sites\n", SITES_MAX);
		return 2;
	}
	shim_init();
	if (tables_init(SITES_MAX) || kma_live_init(1 << 20, wake))
		return 1;
	kma_live_open();
	for (unsigned int i = 0; i < nr; i++) {
		sites[i].call_site = 0xffffffff81000000ul + rnd(20 << 20);
		sites[i].req = 1 + rnd(1024);
	}
	/* all classes, and once more: a quick index that has grown is empty at first */
	one_round(nr);
	one_round(nr);
	while (rounds--)
		one_round(nr);
	return 0;
}
