// SPDX-License-Identifier: GPL-2.0-only
/*
 * scale.c - two CPUs against one, in user space.
 *
 * The core of the module, compiled with -O2, no sanitizers and SHIM_FAST, is
 * hammered by threads that stand for CPUs. One line for each case, world and
 * number of threads; a case as the argument leaves out the others:
 *
 *	case world threads nanoseconds-a-pair
 *
 * in wall time, all threads together: half as much with two threads is a factor
 * of two. The best of many short rounds, since others use the machine as well, and of
 * these the mean of several sets of addresses.
 *
 * Addresses are as SLUB gives them to CPUs: each has slabs of its own, from pages all over the
 * memory, and takes their objects in the order of a shuffled list, as kernels with
 * CONFIG_SLAB_FREELIST_RANDOM do.
 *
 * There are two worlds, which take turns, so that what disturbs one disturbs the
 * other. "shared" is one process, its threads use one account. "private" is two
 * processes with an account each, which do the same and share no memory: the
 * most that this machine can gain by its second CPU, with its caches.
 *
 *  machine   a loop of arithmetic
 *  pair      each thread allocates and frees one object, again and again
 *  null      each thread frees NULL
 *  own       each thread allocates 4096 objects of its own, at sites of its own,
 *            then frees them, in a map that holds a million others
 *  small     the same in a map that holds nothing else
 *  handed    as own, but each frees what the other has allocated, and at the same
 *            sites: all cache lines of the map go from one CPU to the other
 *  roomy     as own, when the million others are gone
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "shim.h"
#include "account-tables.h"

#include "account/account.h"
#include "account/live.h"
#include "account/site.h"

#define THREADS_MAX	2
#define SETS		8	/* of addresses */
#define TURNS		4	/* with each, of one thread and of two, by turns */
#define ROUNDS		40	/* in each */
#define PASSES		5
#define OBJECTS		4096ul	/* live at once, of each thread */
#define SITES		64ul
#define OTHERS		1000000ul	/* live all the time */
#define SLAB		64ul		/* objects in a page */

enum world { SHARED, PRIVATE, NR_WORLDS };

enum job { PREPARE, GROW, RUN, END };

/* @met: how often the threads met already, counted by meet() */
typedef void run_fn(unsigned int self, unsigned long *met);

/* What the processes have in common, and the module's data are no part of. */
static struct {
	unsigned long order;	/* counts them */
	enum job job;
	enum world world;
	unsigned int nr_case;
	unsigned int set;
	unsigned int threads;	/* that run */
	unsigned long arrived;	/* at meet(), since they began */
	unsigned int done;
	double start[THREADS_MAX][ROUNDS], end[THREADS_MAX][ROUNDS];
} *all;

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

/* The order in which the objects of a slab are handed out; each slab begins somewhere else. */
static unsigned char order_in_slab[SLAB];

static void shuffle(void)
{
	u32 seed = 42, i, j;

	for (i = 0; i < SLAB; i++) {
		seed = seed * 1664525 + 1013904223;
		j = (seed >> 8) % (i + 1);
		order_in_slab[i] = order_in_slab[j];
		order_in_slab[j] = i;
	}
}

/* Number @n of all objects. */
static void *object_of(unsigned long n)
{
	unsigned long first = page(n / SLAB), i = order_in_slab[(first + n) % SLAB];

	return (void *)(0x100000000ul + first * PAGE_SIZE + i * PAGE_SIZE / SLAB);
}

static void *object_in(unsigned int set, unsigned int thread, unsigned long i)
{
	return object_of((set * THREADS_MAX + thread) * OBJECTS + i);
}

/* Of the set of addresses that is in use. */
static void *object(unsigned int thread, unsigned long i)
{
	return object_in(all->set, thread, i);
}

static void *other(unsigned long i)
{
	return object_of(SETS * THREADS_MAX * OBJECTS + i);
}

static unsigned long site(unsigned int thread, unsigned long i)
{
	unsigned long n = thread * SITES + i % SITES;

	/* all over 16 MiB of the kernel's text */
	return 0xffffffff81000000ul + n * 2654435761ul % (1ul << 24);
}

/*
 * As many instructions at once as a CPU can: two that were halves of a core
 * would gain little.
 */
static void machine(unsigned int self, unsigned long *met)
{
	unsigned long i, a = self, b = self, c = self, d = self;

	for (i = 0; i < OBJECTS * PASSES * 4; i++)
		__asm__ volatile("add %4, %0\n\tadd %4, %1\n\t"
				 "xor %4, %2\n\txor %4, %3"
				 : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
				 : "r"(i));
}

/* A barrier that spins: sleeping would take longer than what is measured. */
static void meet(unsigned long *met)
{
	unsigned long want = ++*met * all->threads;

	__atomic_fetch_add(&all->arrived, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&all->arrived, __ATOMIC_SEQ_CST) < want)
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

static void null(unsigned int self, unsigned long *met)
{
	const void *ptr = NULL;
	unsigned long i;

	for (i = 0; i < OBJECTS * PASSES; i++) {
		OPTIMIZER_HIDE_VAR(ptr);
		kma_account_free(site(self, 0), ptr);
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
	unsigned int other = (self + 1) % all->threads;
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

static void wake(void)
{
	grow_asked = true;
}

static void fill(void)
{
	unsigned long i;

	for (i = 0; i < OTHERS; i++) {
		kma_account_alloc(site(0, i), other(i), 60, 64, KMA_KIND_KMALLOC);
		if (grow_asked) {
			grow_asked = false;
			map_grow();
		}
	}
}

static void drain(void)
{
	unsigned long i;

	for (i = 0; i < OTHERS; i++)
		kma_account_free(site(0, i), other(i));
}

static const struct {
	const char *name;
	run_fn *run;
	void (*before)(void);
	enum world worlds;	/* up to this one */
} cases[] = {
	{ "machine", machine, NULL, PRIVATE },
	{ "pair", pair, NULL, PRIVATE },
	{ "null", null, NULL, PRIVATE },
	{ "small", own, NULL, PRIVATE },
	{ "own", own, fill, PRIVATE },
	{ "handed", handed, NULL, SHARED },
	{ "roomy", own, drain, PRIVATE },
};

static const char *const world_name[NR_WORLDS] = { "shared", "private" };

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

/* A worker: the CPU @cpu of a world. @owner: it prepares the world's account. */
struct worker {
	enum world world;
	unsigned int cpu;
	bool owner;
};

static void run_rounds(unsigned int cpu)
{
	unsigned long met = 0;
	unsigned int r;

	for (r = 0; r < ROUNDS; r++) {
		meet(&met);
		all->start[cpu][r] = now();
		cases[all->nr_case].run(cpu, &met);
		all->end[cpu][r] = now();
	}
}

/* Do what is asked for until the end; asleep while others are at work. */
static void *work(void *arg)
{
	const struct worker *w = arg;
	unsigned long order = 0;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(w->cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	shim_cpu = w->cpu;
	for (;;) {
		while (__atomic_load_n(&all->order, __ATOMIC_ACQUIRE) == order)
			usleep(200);
		order++;
		if (all->job == END)
			return NULL;
		if (all->job == PREPARE && w->owner)
			cases[all->nr_case].before();
		/* what the worker would have done meanwhile */
		if (all->job == GROW && w->owner)
			map_grow();
		if (all->job == RUN && w->world == all->world && w->cpu < all->threads)
			run_rounds(w->cpu);
		__atomic_fetch_add(&all->done, 1, __ATOMIC_RELEASE);
	}
}

/* A process with an account of its own and these workers. */
static void world_main(struct worker *workers, unsigned int n)
{
	pthread_t thread;
	unsigned int i;

	shim_init();
	if (tables_init(8191) || kma_live_init(64 * OTHERS, wake))
		exit(1);
	kma_live_open();
	for (i = 1; i < n; i++)
		if (pthread_create(&thread, NULL, work, &workers[i]))
			exit(1);
	work(&workers[0]);
	check();
	exit(0);
}

static struct worker workers[] = {
	{ SHARED, 0, true },
	{ SHARED, 1, false },
	{ PRIVATE, 0, true },
	{ PRIVATE, 1, true },
};

static void order(enum job job)
{
	all->job = job;
	all->done = 0;
	all->arrived = 0;
	__atomic_fetch_add(&all->order, 1, __ATOMIC_RELEASE);
	while (job != END &&
	       __atomic_load_n(&all->done, __ATOMIC_ACQUIRE) < ARRAY_SIZE(workers)) {
		/* who dies leaves us waiting */
		if (waitpid(-1, NULL, WNOHANG))
			exit(1);
		usleep(200);
	}
}

/* The best round, from the first that begins to the last that ends, in ns. */
static double best_round(unsigned int c, enum world world, unsigned int n)
{
	double best = 1e18;
	unsigned int i, r;

	all->nr_case = c;
	all->world = world;
	all->threads = n;
	order(RUN);
	for (r = 0; r < ROUNDS; r++) {
		double start = all->start[0][r], end = all->end[0][r];

		for (i = 1; i < n; i++) {
			start = min(start, all->start[i][r]);
			end = max(end, all->end[i][r]);
		}
		best = min(best, end - start);
	}
	return best;
}

/* What disturbs one, disturbs all: by turns. */
static void run_set(unsigned int c, double best[NR_WORLDS][THREADS_MAX + 1])
{
	unsigned int world, n, turn;

	for (turn = 0; turn < TURNS; turn++)
		for (n = 1; n <= THREADS_MAX; n++)
			for (world = 0; world <= cases[c].worlds; world++) {
				double ns = best_round(c, world, n);

				best[world][n] = turn ? min(best[world][n], ns) : ns;
			}
}

static void run_case(unsigned int c)
{
	double best[NR_WORLDS][THREADS_MAX + 1], sum[NR_WORLDS][THREADS_MAX + 1] = {};
	unsigned int world, n;

	for (all->set = 0; all->set < SETS; all->set++) {
		order(GROW);
		run_set(c, best);
		for (n = 1; n <= THREADS_MAX; n++)
			for (world = 0; world <= cases[c].worlds; world++)
				sum[world][n] += best[world][n] / SETS;
	}
	all->set = 0;
	for (world = 0; world <= cases[c].worlds; world++)
		for (n = 1; n <= THREADS_MAX; n++)
			printf("%s %s %u %.3f\n", cases[c].name, world_name[world], n,
			       sum[world][n] / (OBJECTS * PASSES * n));
	fflush(stdout);
}

static void start(struct worker *first, unsigned int n)
{
	pid_t pid = fork();

	if (pid < 0)
		exit(1);
	if (!pid)
		world_main(first, n);
}

int main(int argc, char **argv)
{
	int status, failed = 0;
	unsigned int c;

	/* for seconds, where it is allowed */
	setpriority(PRIO_PROCESS, 0, -20);
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		return 1;
	shuffle();
	start(&workers[0], 2);
	start(&workers[2], 1);
	start(&workers[3], 1);
	for (c = 0; c < ARRAY_SIZE(cases); c++) {
		if (argc > 1 && strcmp(argv[1], cases[c].name))
			continue;
		all->nr_case = c;
		if (cases[c].before)
			order(PREPARE);
		run_case(c);
	}
	order(END);
	while (wait(&status) > 0)
		failed |= status;
	return !!failed;
}
