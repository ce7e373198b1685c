// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_leaky.c - call sites that leak, and call sites that only look as if they did.
 *
 *	insmod kma_leaky.ko leaks=1	three leaks beside the others
 *	insmod kma_leaky.ko		the others alone
 *
 * A worker runs ten times a second:
 *
 *	leaky_big	1,000 bytes each time, never freed: 10 kB a second
 *	leaky_hot	200 bytes, 10 objects each time; of 100 one is never freed
 *	leaky_slow	128 bytes once a second, never freed
 *
 *	steady_fill	a table of 4,000 slots; an object in a slot that is chosen at random, in
 *			place of the one that was there: rises, ever more slowly
 *	steady_swing	up to 600 objects and down to none again, in a minute
 *	steady_step	1,500 objects after STEP seconds, at once, held until unloading
 *	steady_hot	50 objects each time, freed the next time
 *
 * The functions are global and not inlined, so that the name of a call site is the name of its
 * function; they store something behind each call, which would else be a tail call. Leaked objects
 * are in no list: unloading does not free them.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#define TICK	(HZ / 10)
#define SLOTS	4000
#define SWINGS	600
#define STEPS	1500
#define HOT	50

#define LEAKY noinline __noclone void
LEAKY leaky_big(void);
LEAKY leaky_hot(void);
LEAKY leaky_slow(void);
LEAKY steady_fill(void);
LEAKY steady_swing(void);
LEAKY steady_step(void);
LEAKY steady_hot(void);

static bool leaky_leaks;
module_param_named(leaks, leaky_leaks, bool, 0400);
MODULE_PARM_DESC(leaks, "Run the three leaks, too (default N)");
static unsigned int leaky_step = 150;
module_param_named(step, leaky_step, uint, 0400);
MODULE_PARM_DESC(step, "Seconds until the step (default 150)");

static unsigned int leaky_seed = 1;
module_param_named(seed, leaky_seed, uint, 0400);
MODULE_PARM_DESC(seed, "Where the random numbers begin (default 1)");

static void leaky_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(leaky_delayed, leaky_work);
static unsigned int leaky_tick, leaky_nr_hot;
static u32 leaky_random;
static void *leaky_last, *leaky_before[10];
static void *steady_slots[SLOTS], *steady_swings[SWINGS], *steady_steps[STEPS], *steady_hots[HOT];

/* Numerical Recipes' linear congruential generator */
static u32 leaky_next(void)
{
	leaky_random = leaky_random * 1664525 + 1013904223;
	return leaky_random >> 8;
}

LEAKY leaky_big(void)
{
	void *p = kmalloc(1000, GFP_KERNEL);

	WRITE_ONCE(leaky_last, p);
}

LEAKY leaky_hot(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		kfree(leaky_before[i]);
		leaky_before[i] = kmalloc(200, GFP_KERNEL);
		if (++leaky_nr_hot % 100 == 0) {
			WRITE_ONCE(leaky_last, leaky_before[i]);
			leaky_before[i] = NULL;
		}
	}
}

LEAKY leaky_slow(void)
{
	void *p;

	if (leaky_tick % 10)
		return;
	p = kmalloc(128, GFP_KERNEL);
	WRITE_ONCE(leaky_last, p);
}

LEAKY steady_fill(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		void **slot = &steady_slots[leaky_next() % SLOTS];

		kfree(*slot);
		*slot = kmalloc(160, GFP_KERNEL);
	}
}

LEAKY steady_swing(void)
{
	unsigned int phase = leaky_tick % (2 * SWINGS / 2);
	unsigned int i = phase % (SWINGS / 2) * 2, n;

	for (n = i; n < i + 2; n++) {
		if (phase < SWINGS / 2 && !steady_swings[n]) {
			steady_swings[n] = kmalloc(512, GFP_KERNEL);
		} else if (phase >= SWINGS / 2) {
			kfree(steady_swings[n]);
			steady_swings[n] = NULL;
		}
	}
}

LEAKY steady_step(void)
{
	int i;

	if (leaky_tick != 10 * leaky_step)
		return;
	for (i = 0; i < STEPS; i++)
		steady_steps[i] = kmalloc(256, GFP_KERNEL);
}

LEAKY steady_hot(void)
{
	int i;

	for (i = 0; i < HOT; i++) {
		kfree(steady_hots[i]);
		steady_hots[i] = kmalloc(96, GFP_KERNEL);
	}
}

static void leaky_work(struct work_struct *work)
{
	leaky_tick++;
	steady_fill();
	steady_swing();
	steady_step();
	steady_hot();
	if (leaky_leaks) {
		leaky_big();
		leaky_hot();
		leaky_slow();
	}
	schedule_delayed_work(&leaky_delayed, TICK);
}

static void leaky_free(void **objects, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		kfree(objects[i]);
}

static int __init leaky_init(void)
{
	leaky_random = leaky_seed;
	schedule_delayed_work(&leaky_delayed, TICK);
	return 0;
}

static void __exit leaky_exit(void)
{
	cancel_delayed_work_sync(&leaky_delayed);
	leaky_free(steady_slots, SLOTS);
	leaky_free(steady_swings, SWINGS);
	leaky_free(steady_steps, STEPS);
	leaky_free(steady_hots, HOT);
	leaky_free(leaky_before, ARRAY_SIZE(leaky_before));
}

module_init(leaky_init);
module_exit(leaky_exit);
MODULE_DESCRIPTION("Call sites that leak and that do not, for tests of kmem_account");
MODULE_LICENSE("GPL");
