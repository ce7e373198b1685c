// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_bench.c - what an allocation and its free take.
 *
 *	cat /proc/kma_bench
 *
 * runs each loop and prints "name irqs ticks pairs": ticks of the TSC for that
 * many pairs, and on machines other than x86 nanoseconds. Under QEMU's -icount
 * shift=0,sleep=off both count instructions of the guest, and two runs print the
 * same (on ARM in steps of 16, as its timer ticks). With irqs off it is a loop of
 * 20,000 pairs: what is counted is the pair and whatever listens to it. With irqs
 * on it is the shortest of 200 bursts, which no interrupt came into. The loop
 * itself is in every number; differences between two runs are what counts.
 *
 * What a pair takes may depend on the object's address: "places" is the mean of a kmalloc pair at
 * 64 addresses in as many pages, irqs off, and "worst" the largest of them.
 * "null" is kfree(NULL), which makes an event as well; a pair of it is one call.
 * The last line, "all", has the number of all pairs of the run, without those.
 *
 * Module parameter probes=1 attaches four empty probes of our own, the floor of
 * every tool that uses these tracepoints.
 */
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#ifdef CONFIG_X86
#include <asm/msr.h>
#include <asm/tsc.h>	/* rdtsc_ordered(), since v6.16 */
#define bench_clock()	rdtsc_ordered()
#else
#define bench_clock()	ktime_get_mono_fast_ns()
#endif

#define PAIRS	20000
#define BURST	100
#define PLACES	64

static bool bench_probes;
module_param_named(probes, bench_probes, bool, 0400);
MODULE_PARM_DESC(probes, "Attach four empty probes (default N)");

static struct kmem_cache *bench_cache;
static void **bench_object;
static u64 bench_pairs;

/* One call site of kmalloc() in all measurements: the cost of a pair depends on it, too. */
static noinline void bench_kmalloc(int n)
{
	while (n--) {
		void *object = kmalloc(64, GFP_ATOMIC);

		OPTIMIZER_HIDE_VAR(object);
		kfree(object);
	}
}

static void bench_cache_alloc(int n)
{
	while (n--) {
		void *object = kmem_cache_alloc(bench_cache, GFP_ATOMIC);

		kmem_cache_free(bench_cache, object);
	}
}

/* All live at once: the tables are no longer in the first cache line. */
static void bench_batch(int n)
{
	int i;

	for (i = 0; i < n; i++)
		bench_object[i] = kmalloc(64, GFP_ATOMIC);
	for (i = 0; i < n; i++)
		kfree(bench_object[i]);
}

/* Hidden, so that the compiler does not know what is freed. */
static void bench_null(int n)
{
	while (n--) {
		void *object = NULL;

		OPTIMIZER_HIDE_VAR(object);
		kfree(object);
	}
}

static const struct {
	const char *name;
	void (*run)(int n);
	int times;	/* how often with irqs off, for the least */
	bool burst;	/* short ones say the same */
} benches[] = {
	{ "kmalloc", bench_kmalloc, 1, true },
	{ "cache", bench_cache_alloc, 1, true },
	{ "batch", bench_batch, 5, false },	/* slabs come and go */
	{ "null", bench_null, 1, false },
};

/* The bodies of the loops, ended by a read of the clock on both sides. */
static u64 bench_cycles(void (*run)(int n), int n)
{
	u64 start = bench_clock();

	if (run != bench_null)
		bench_pairs += n;
	run(n);
	return bench_clock() - start;
}

static u64 bench_irqs_off(void (*run)(int n))
{
	unsigned long flags;
	u64 cycles;

	local_irq_save(flags);
	cycles = bench_cycles(run, PAIRS);
	local_irq_restore(flags);
	return cycles;
}

/* The burst that no interrupt came into is the shortest. */
static u64 bench_irqs_on(void (*run)(int n))
{
	u64 least = U64_MAX;
	int i;

	for (i = 0; i < PAIRS / BURST; i++) {
		least = min(least, bench_cycles(run, BURST));
		cond_resched();
	}
	return least;
}

/* Once before, for caches and tables; they may grow, and readers read. */
static u64 bench_least_irqs_off(void (*run)(int n), int times)
{
	u64 least = U64_MAX;

	bench_irqs_off(run);
	while (times--) {
		msleep(50);
		least = min(least, bench_irqs_off(run));
	}
	return least;
}

/*
 * Objects that stay make the next pairs take an address some pages further on. Each place has as
 * many pairs as a burst, after as many that are not counted.
 */
static void bench_places(struct seq_file *m)
{
	u64 cycles, sum = 0, worst = 0;
	unsigned long flags;
	int i, n = 0;

	for (i = 1; i <= PLACES; i++) {
		local_irq_save(flags);
		bench_cycles(bench_kmalloc, BURST);
		cycles = bench_cycles(bench_kmalloc, BURST);
		for (; n < PAIRS / PLACES * i; n++)
			bench_object[n] = kmalloc(64, GFP_ATOMIC);
		local_irq_restore(flags);
		sum += cycles;
		worst = max(worst, cycles);
	}
	while (n)
		kfree(bench_object[--n]);
	seq_printf(m, "places off %llu %d\n", sum, PLACES * BURST);
	seq_printf(m, "worst off %llu %d\n", worst, BURST);
}

static int bench_show(struct seq_file *m, void *v)
{
	int i;

	bench_pairs = 0;
	for (i = 0; i < ARRAY_SIZE(benches); i++) {
		u64 least = bench_least_irqs_off(benches[i].run,
						 benches[i].times);

		seq_printf(m, "%s off %llu %d\n", benches[i].name, least, PAIRS);
		msleep(50);
		if (benches[i].burst)
			seq_printf(m, "%s on %llu %d\n", benches[i].name,
				   bench_irqs_on(benches[i].run), BURST);
	}
	bench_places(m);
	seq_printf(m, "all - 0 %llu\n", bench_pairs);
	return 0;
}

/*
 * Empty probes. They take no notice of what they are called with, which differs
 * between kernels, so that one function does for all of them.
 */
static void bench_probe(void *data)
{
}

static const char *const bench_events[] = {
	"kmalloc", "kfree", "kmem_cache_alloc", "kmem_cache_free",
};

static struct tracepoint *bench_tracepoints[ARRAY_SIZE(bench_events)];

static void bench_find(struct tracepoint *tp, void *unused)
{
	int i = match_string(bench_events, ARRAY_SIZE(bench_events), tp->name);

	if (i >= 0)
		bench_tracepoints[i] = tp;
}

static void bench_detach(int nr)
{
	while (nr--)
		tracepoint_probe_unregister(bench_tracepoints[nr], bench_probe,
					    NULL);
	tracepoint_synchronize_unregister();
}

static int bench_attach(void)
{
	int err = 0, i;

	for_each_kernel_tracepoint(bench_find, NULL);
	for (i = 0; !err && i < ARRAY_SIZE(bench_events); i++)
		err = bench_tracepoints[i] ?
		      tracepoint_probe_register(bench_tracepoints[i],
						bench_probe, NULL) : -ENOENT;
	if (err)
		bench_detach(i - 1);
	return err;
}

static int __init bench_init(void)
{
	int err = -ENOMEM;

	bench_cache = kmem_cache_create("kma_bench", 200, 0,
					SLAB_HWCACHE_ALIGN, NULL);
	if (!bench_cache)
		return -ENOMEM;
	bench_object = vmalloc(array_size(PAIRS, sizeof(*bench_object)));
	if (!bench_object)
		goto err_cache;
	err = bench_probes ? bench_attach() : 0;
	if (err)
		goto err_object;
	err = -ENOMEM;
	if (!proc_create_single("kma_bench", 0400, NULL, bench_show))
		goto err_probes;
	return 0;

err_probes:
	if (bench_probes)
		bench_detach(ARRAY_SIZE(bench_events));
err_object:
	vfree(bench_object);
err_cache:
	kmem_cache_destroy(bench_cache);
	return err;
}

static void __exit bench_exit(void)
{
	remove_proc_entry("kma_bench", NULL);
	if (bench_probes)
		bench_detach(ARRAY_SIZE(bench_events));
	vfree(bench_object);
	kmem_cache_destroy(bench_cache);
}

module_init(bench_init);
module_exit(bench_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("What an allocation and its free take");
