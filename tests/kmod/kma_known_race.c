// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_known_race.c - objects that are handed out again at once, known beforehand.
 *
 * All CPUs allocate objects of one cache and free each other's, while interrupts
 * on each of them allocate from the same cache: an interrupt that comes when an
 * object has just been freed is given that object. Who gets which is chance; how
 * many each function allocates and frees is not (known-answers-race.txt). An account
 * that hears of a free after it was done loses objects of the interrupts.
 *
 *	echo alloc > /proc/kma_known_race
 *	echo free > /proc/kma_known_race	frees what the interrupts kept
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "known.h"

#define RACE_TASK	48000	/* objects of all tasks */
#define RACE_IRQ	2000	/* objects of all interrupts */
#define RACE_PERIOD	50000	/* ns between two interrupts of a CPU */

static struct kmem_cache *race_cache;
static atomic_t race_task_nr, race_irq_nr;
static void *race_slot[64];
static void *race_kept[RACE_IRQ];
static DEFINE_PER_CPU(struct hrtimer, race_timer);
static DEFINE_PER_CPU(struct work_struct, race_work);

noinline __noclone void known_race_task(void);
enum hrtimer_restart known_race_irq(struct hrtimer *timer);

/* Puts an object into a slot and frees the one that another CPU put there. */
noinline __noclone void known_race_task(void)
{
	int i;

	while ((i = atomic_inc_return(&race_task_nr)) <= RACE_TASK) {
		void *object = kmem_cache_alloc(race_cache, GFP_KERNEL);

		object = xchg(&race_slot[i % ARRAY_SIZE(race_slot)], object);
		if (object)
			kmem_cache_free(race_cache, object);
	}
}

enum hrtimer_restart known_race_irq(struct hrtimer *timer)
{
	int i = atomic_inc_return(&race_irq_nr);

	if (i > RACE_IRQ)
		return HRTIMER_NORESTART;
	race_kept[i - 1] = kmem_cache_alloc(race_cache, GFP_ATOMIC);
	hrtimer_forward_now(timer, ns_to_ktime(RACE_PERIOD));
	return HRTIMER_RESTART;
}

static void race_on_cpu(struct work_struct *work)
{
	struct hrtimer *timer = get_cpu_ptr(&race_timer);

	hrtimer_setup(timer, known_race_irq, CLOCK_MONOTONIC,
		      KNOWN_TIMER_PINNED);
	hrtimer_start(timer, ns_to_ktime(RACE_PERIOD),
		      KNOWN_TIMER_PINNED);
	put_cpu_ptr(&race_timer);
	known_race_task();
	while (atomic_read(&race_irq_nr) < RACE_IRQ)
		msleep(20);
	hrtimer_cancel(timer);
}

static void race_free(void)
{
	int i;

	for (i = 0; i < RACE_IRQ; i++) {
		if (race_kept[i])
			kmem_cache_free(race_cache, race_kept[i]);
		race_kept[i] = NULL;
	}
}

static void race_alloc(void)
{
	int i, cpu;

	race_free();
	atomic_set(&race_task_nr, 0);
	atomic_set(&race_irq_nr, 0);
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		INIT_WORK(&per_cpu(race_work, cpu), race_on_cpu);
		schedule_work_on(cpu, &per_cpu(race_work, cpu));
	}
	for_each_online_cpu(cpu)
		flush_work(&per_cpu(race_work, cpu));
	cpus_read_unlock();
	for (i = 0; i < ARRAY_SIZE(race_slot); i++) {
		if (race_slot[i])
			kmem_cache_free(race_cache, race_slot[i]);
		race_slot[i] = NULL;
	}
}

static const struct known_command race_commands[] = {
	{ "alloc", race_alloc },
	{ "free", race_free },
};

DEFINE_KNOWN_COMMANDS(race);

static int __init race_init(void)
{
	race_cache = known_cache_create("kma_known_race");
	if (!race_cache)
		return -ENOMEM;
	if (proc_create("kma_known_race", 0200, NULL, &race_ops))
		return 0;
	kmem_cache_destroy(race_cache);
	return -ENOMEM;
}

static void __exit race_exit(void)
{
	remove_proc_entry("kma_known_race", NULL);
	race_free();
	kmem_cache_destroy(race_cache);
}

module_init(race_init);
module_exit(race_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Objects that are handed out again at once, known beforehand");
