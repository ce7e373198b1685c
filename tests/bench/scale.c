// SPDX-License-Identifier: GPL-2.0
/*
 * scale.c - two CPUs against one, in user space.
 *
 * The core of the module, compiled with -O2, no sanitizers and SHIM_FAST, is
 * hammered by threads that stand for CPUs. One line for each case and number of
 * threads:
 *
 *	case threads nanoseconds-a-pair
 *
 * in wall time, all threads together: half as much with two threads is a factor
 * of two. The best of many short rounds, since others use the machine as well.
 * The line "overflow 1 SHARE" is the share of the allocations of "own" that take
 * an overflow bucket.
 *
 *  machine   a loop of arithmetic: what this machine itself gains by a second CPU
 *  pair      each thread allocates and frees one object, again and again
 *  own       each thread allocates 4096 objects of its own, at sites of its own,
 *            then frees them, in a map that holds a million others
 *  small     the same in the smallest map: 4096 buckets for 8192 objects, so
 *            that most buckets are used by both
 *  handed    as own, but each frees what the other has allocated, and at the same
 *            sites: all cache lines of the map go from one CPU to the other
 *  roomy     as own, when the million others are gone: no bucket is full
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include "shim.h"

#include "account.h"
#include "live.h"
#include "site.h"
#include "spare.h"

#define THREADS_MAX	2
#define TURNS		10	/* of one thread and of two, by turns */
#define ROUNDS		40	/* in each */
#define PASSES		5
#define OBJECTS		4096ul	/* live at once, of each thread */
#define SITES		64ul
#define OTHERS		1000000ul	/* live all the time */

/* @met: how often the threads met already, counted by meet() */
typedef void run_fn(unsigned int self, unsigned long *met);

static unsigned int nr_threads;
static unsigned long arrived;	/* at meet(), since the threads began */
static bool grow_asked;

/* Pages are scattered over 16 GiB, each somewhere else: a mixing of 22 bits. */
static unsigned long page(unsigned long n)
{
	u32 mask = (1u << 22) - 1, x = n & mask;

	x ^= x >> 11;
	x = x * 0x2c1b3c6du & mask;
	x ^= x >> 12;
	x = x * 0x297a2d39u & mask;
	return x ^ x >> 11;
}

/* Objects of 64 bytes lie in pages of their thread, as the allocator's do. */
static void *object(unsigned int thread, unsigned long i)
{
	unsigned long n = thread * OBJECTS + i;

	return (void *)(0x100000000ul + page(n / 64) * PAGE_SIZE + n % 64 * 64);
}

static unsigned long site(unsigned int thread, unsigned long i)
{
	return 0x81000000ul + (thread * SITES + i % SITES) * 52;
}

static void machine(unsigned int self, unsigned long *met)
{
	unsigned long i, n = self;

	for (i = 0; i < OBJECTS * PASSES * 4; i++)
		n = n * 6364136223846793005ul + 1442695040888963407ul;
	__asm__ volatile("" : : "r"(n));
}

/* A barrier that spins: sleeping would take longer than what is measured. */
static void meet(unsigned long *met)
{
	unsigned long all = ++*met * nr_threads;

	__atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < all)
		__builtin_ia32_pause();
}

static void pair(unsigned int self, unsigned long *met)
{
	unsigned long i;

	for (i = 0; i < OBJECTS * PASSES; i++) {
		kma_account_alloc(site(self, 0), object(self, 0), 60, 64, KMA_KIND_KMALLOC);
		kma_account_free(site(self, 0), object(self, 0));
	}
}

static void own(unsigned int self, unsigned long *met)
{
	unsigned long i, pass;

	for (pass = 0; pass < PASSES; pass++) {
		for (i = 0; i < OBJECTS; i++)
			kma_account_alloc(site(self, i), object(self, i), 60, 64, KMA_KIND_KMALLOC);
		for (i = 0; i < OBJECTS; i++)
			kma_account_free(site(self, i), object(self, i));
	}
}

/* The barriers are part of it: two for thousands of pairs. */
static void handed(unsigned int self, unsigned long *met)
{
	unsigned int other = (self + 1) % nr_threads;
	unsigned long i, pass;

	for (pass = 0; pass < PASSES; pass++) {
		for (i = 0; i < OBJECTS; i++)
			kma_account_alloc(site(0, i), object(self, i), 60, 64, KMA_KIND_KMALLOC);
		meet(met);
		for (i = 0; i < OBJECTS; i++)
			kma_account_free(site(0, i), object(other, i));
		meet(met);
	}
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

struct thread {
	pthread_t id;
	unsigned int self;
	run_fn *run;
	double start[ROUNDS], end[ROUNDS];
};

static void *work(void *arg)
{
	struct thread *t = arg;
	unsigned long met = 0;
	unsigned int r;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(t->self, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	shim_cpu = t->self;
	for (r = 0; r < ROUNDS; r++) {
		meet(&met);
		t->start[r] = now();
		t->run(t->self, &met);
		t->end[r] = now();
	}
	return NULL;
}

/* The best round, from the first that begins to the last that ends, in ns. */
static double best_round(run_fn *run, unsigned int n)
{
	static struct thread threads[THREADS_MAX];
	double best = 1e18;
	unsigned int i, r;

	nr_threads = n;
	arrived = 0;
	for (i = 0; i < n; i++) {
		threads[i].self = i;
		threads[i].run = run;
		if (pthread_create(&threads[i].id, NULL, work, &threads[i]))
			exit(1);
	}
	for (i = 0; i < n; i++)
		pthread_join(threads[i].id, NULL);
	for (r = 0; r < ROUNDS; r++) {
		double start = threads[0].start[r], end = threads[0].end[r];

		for (i = 1; i < n; i++) {
			start = min(start, threads[i].start[r]);
			end = max(end, threads[i].end[r]);
		}
		best = min(best, end - start);
	}
	return best;
}

static void wake(void)
{
	grow_asked = true;
}

static void fill(void)
{
	unsigned long i;

	for (i = 0; i < OTHERS; i++) {
		kma_account_alloc(site(0, i), object(THREADS_MAX, i), 60, 64, KMA_KIND_KMALLOC);
		if (grow_asked) {
			grow_asked = false;
			kma_live_grow();
		}
	}
}

/* Overflow buckets come from one stack, which all CPUs share. */
static void share_of_chains(void)
{
	u32 before = kma_spare_used();
	unsigned long i;

	for (i = 0; i < OBJECTS; i++)
		kma_account_alloc(site(0, i), object(0, i), 60, 64, KMA_KIND_KMALLOC);
	printf("overflow 1 %.3f\n", (double)(kma_spare_used() - before) / OBJECTS);
	for (i = 0; i < OBJECTS; i++)
		kma_account_free(site(0, i), object(0, i));
}

static void drain(void)
{
	unsigned long i;

	share_of_chains();
	for (i = 0; i < OTHERS; i++)
		kma_account_free(site(0, i), object(THREADS_MAX, i));
}

static const struct {
	const char *name;
	run_fn *run;
	void (*before)(void);
} cases[] = {
	{ "machine", machine, NULL },
	{ "pair", pair, NULL },
	{ "small", own, NULL },
	{ "own", own, fill },
	{ "handed", handed, NULL },
	{ "roomy", own, drain },
};

/* The books must be right at the end, or it was not the module that ran. */
static void check(void)
{
	struct kma_totals totals = kma_account_totals();

	if (!totals.implied && !totals.drops[KMA_DROP_FULL])
		return;
	fprintf(stderr, "scale: %llu implied, %llu dropped\n", totals.implied,
		totals.drops[KMA_DROP_FULL]);
	exit(1);
}

/* What disturbs one thread, disturbs two: by turns. */
static void run_case(unsigned int c)
{
	double best[THREADS_MAX + 1];
	unsigned int n, turn;

	for (n = 1; n <= THREADS_MAX; n++)
		best[n] = 1e18;
	for (turn = 0; turn < TURNS; turn++)
		for (n = 1; n <= THREADS_MAX; n++) {
			double ns = best_round(cases[c].run, n);

			best[n] = min(best[n], ns);
		}
	for (n = 1; n <= THREADS_MAX; n++)
		printf("%s %u %.3f\n", cases[c].name, n,
		       best[n] / (OBJECTS * PASSES * n));
}

int main(void)
{
	unsigned int c;

	/* for seconds, where it is allowed */
	setpriority(PRIO_PROCESS, 0, -20);
	shim_init();
	if (kma_site_init(8191) || kma_live_init(4 * OTHERS, wake))
		return 1;
	kma_live_open();
	for (c = 0; c < ARRAY_SIZE(cases); c++) {
		if (cases[c].before)
			cases[c].before();
		run_case(c);
	}
	check();
	return 0;
}
