// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_aged.c - objects whose lifetime, CPUs and wrong frees are known beforehand.
 *
 *	echo lives > /proc/kma_aged	objects that live for known times
 *	echo cpus > /proc/kma_aged	objects that are freed on other CPUs
 *	echo hold > /proc/kma_aged	objects that stay until unloading
 *	echo twice > /proc/kma_aged	second frees of an address
 *	echo wrong > /proc/kma_aged	frees to the wrong cache; the kernel warns
 *	cat /proc/kma_aged		what is known by other clocks:
 *
 *		FUNCTION OBJECTS LEAST MOST	lifetimes, in ns
 *		held OBJECTS LEAST MOST		ages of what is held, now, in ns,
 *		held_later OBJECTS LEAST MOST	and of what is held since later
 *
 * The clock is ktime_get(). Where the CPU's counter is not good for it, local_clock()
 * stands still when a tick is late, and then jumps: so times are taken by it too, on
 * CPU 0, where the file is to be read as well; LEAST and MOST are those of the clock
 * that says less, or more.
 *
 * A second free is told to the trace event and not to the allocator, which would
 * not survive it. The functions are global and not inlined, so that the name of
 * a call site is the name of its function; they store something behind each call,
 * which would else be a tail call, and those that are alike differ by a size, or
 * the compiler would make them one.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <trace/events/kmem.h>

#include "compat.h"
#include "known.h"

#define MANY	40

#define AGED noinline __noclone void
AGED aged_at_once(void *arg);
AGED aged_20_ms(void *arg);
AGED aged_200_ms(void *arg);
AGED aged_for_here(void *arg);
AGED aged_for_next_cpu(void *arg);
AGED aged_for_last_cpu(void *arg);
AGED aged_held(void *arg);
AGED aged_free_all(void *arg);
AGED aged_twice(void *arg);
AGED aged_twice_again(void *arg);
AGED aged_twice_cache(void *arg);
AGED aged_twice_end(void *arg);
AGED aged_from_cache(void *arg);
AGED aged_by_kmalloc(void *arg);
AGED aged_to_wrong_cache(void *arg);
AGED aged_to_cache(void *arg);

static bool aged_refused;
module_param_named(refused, aged_refused, bool, 0400);
MODULE_PARM_DESC(refused,
		 "The kernel refuses frees to the wrong cache, as 7.2 does (default N)");

static struct kmem_cache *aged_cache, *aged_other_cache;
static void *aged_objects[MANY];

/* One moment, by two clocks. */
struct aged_moment {
	u64 ktime, local;
};

/* Times of one use of aged_objects: of the first and the last object. */
struct aged_times {
	const char *name;
	void (*alloc)(void *arg);
	unsigned int ms;
	struct aged_moment before_alloc, after_alloc, before_free, after_free;
};

static struct aged_moment aged_now(void)
{
	return (struct aged_moment){ ktime_get_ns(), local_clock() };
}

static u64 aged_less(struct aged_moment from, struct aged_moment to)
{
	return min(to.ktime - from.ktime, to.local - from.local);
}

static u64 aged_more(struct aged_moment from, struct aged_moment to)
{
	return max(to.ktime - from.ktime, to.local - from.local);
}

AGED aged_free_all(void *arg)
{
	int i;

	for (i = 0; i < MANY; i++) {
		kfree(aged_objects[i]);
		aged_objects[i] = NULL;
	}
}

AGED aged_at_once(void *arg)
{
	int i;

	for (i = 0; i < MANY; i++)
		aged_objects[i] = kmalloc(300, GFP_ATOMIC);
}

AGED aged_20_ms(void *arg)
{
	int i;

	for (i = 0; i < MANY; i++)
		aged_objects[i] = kmalloc(310, GFP_ATOMIC);
}

AGED aged_200_ms(void *arg)
{
	int i;

	for (i = 0; i < MANY; i++)
		aged_objects[i] = kmalloc(320, GFP_ATOMIC);
}

static struct aged_times aged_lives[] = {
	{ "aged_at_once", aged_at_once, 0 },
	{ "aged_20_ms", aged_20_ms, 20 },
	{ "aged_200_ms", aged_200_ms, 200 },
};

static long aged_live_here(void *arg)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(aged_lives); i++) {
		struct aged_times *t = &aged_lives[i];

		t->before_alloc = aged_now();
		t->alloc(NULL);
		t->after_alloc = aged_now();
		if (t->ms)
			msleep(t->ms);
		t->before_free = aged_now();
		aged_free_all(NULL);
		t->after_free = aged_now();
	}
	return 0;
}

/* On one CPU, so that local_clock() is the same one all the time. */
static void aged_live(void)
{
	work_on_cpu(0, aged_live_here, NULL);
}

AGED aged_for_here(void *arg)
{
	int i;

	for (i = 0; i < MANY; i++)
		aged_objects[i] = kmalloc(400, GFP_ATOMIC);
}

AGED aged_for_next_cpu(void *arg)
{
	int i;

	for (i = 0; i < MANY; i++)
		aged_objects[i] = kmalloc(410, GFP_ATOMIC);
}

AGED aged_for_last_cpu(void *arg)
{
	int i;

	for (i = 0; i < MANY; i++)
		aged_objects[i] = kmalloc(420, GFP_ATOMIC);
}

/* Allocated on CPU 0, freed on others. */
static void aged_move(void)
{
	const int next = num_online_cpus() > 1, last = num_online_cpus() - 1;

	known_on_cpu(0, aged_for_here, NULL);
	known_on_cpu(0, aged_free_all, NULL);
	known_on_cpu(0, aged_for_next_cpu, NULL);
	known_on_cpu(next, aged_free_all, NULL);
	known_on_cpu(0, aged_for_last_cpu, NULL);
	known_on_cpu(last, aged_free_all, NULL);
}

/* Two pairs, the second one later. */
static struct aged_pair {
	void *objects[2];
	struct aged_moment before, after;
} aged_pairs[2];

AGED aged_held(void *arg)
{
	void **object = arg;

	object[0] = kmalloc(300, GFP_KERNEL);
	object[1] = kmalloc(300, GFP_KERNEL);
}

static long aged_hold_here(void *arg)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(aged_pairs); i++) {
		if (i)
			msleep(50);
		aged_pairs[i].before = aged_now();
		aged_held(aged_pairs[i].objects);
		aged_pairs[i].after = aged_now();
	}
	return 0;
}

static void aged_hold(void)
{
	if (!aged_pairs[0].objects[0])
		work_on_cpu(0, aged_hold_here, NULL);
}

/*
 * The first free is told to the trace event alone, too: so no other task can be given the
 * object before the second one. Then it is told that the object is allocated again, and the
 * object, which was ours all the time, is freed.
 */
AGED aged_twice(void *arg)
{
	aged_objects[0] = kmalloc(300, GFP_KERNEL);
	if (aged_objects[0])
		trace_kfree(_THIS_IP_, aged_objects[0]);
	aged_objects[1] = NULL;
}

AGED aged_twice_end(void *arg)
{
	if (aged_objects[0])
		known_trace_kmalloc(_THIS_IP_, aged_objects[0], 300, 512);
	kfree(aged_objects[0]);
	aged_objects[0] = NULL;
}

AGED aged_twice_again(void *arg)
{
	trace_kfree(_THIS_IP_, aged_objects[0]);
}

AGED aged_twice_cache(void *arg)
{
	aged_objects[0] = kmem_cache_alloc(aged_cache, GFP_KERNEL);
	if (aged_objects[0])
		kmem_cache_free(aged_cache, aged_objects[0]);
	aged_objects[1] = NULL;
}

/* No other task allocates from the cache between the free of its object and the event. */
static void aged_two_frees(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		aged_twice(NULL);
		aged_twice_again(NULL);
		aged_twice_end(NULL);
	}
	aged_twice_cache(NULL);
	aged_twice_again(NULL);
	aged_objects[0] = NULL;
}

AGED aged_from_cache(void *arg)
{
	aged_objects[0] = kmem_cache_alloc(aged_cache, GFP_KERNEL);
}

AGED aged_by_kmalloc(void *arg)
{
	aged_objects[1] = kmalloc(200, GFP_KERNEL);
}

/* The kernel warns, and frees the objects all the same (not 7.2). */
AGED aged_to_wrong_cache(void *arg)
{
	kmem_cache_free(aged_other_cache, aged_objects[0]);
	aged_objects[0] = NULL;
}

AGED aged_to_cache(void *arg)
{
	kmem_cache_free(aged_other_cache, aged_objects[1]);
	aged_objects[1] = NULL;
}

static void aged_wrong(void)
{
	void *cached, *plain;

	aged_from_cache(NULL);
	aged_by_kmalloc(NULL);
	cached = aged_objects[0];
	plain = aged_objects[1];
	aged_to_wrong_cache(NULL);
	aged_to_cache(NULL);
	if (aged_refused) {
		kmem_cache_free(aged_cache, cached);
		kfree(plain);
	}
}

static const struct known_command aged_commands[] = {
	{ "lives", aged_live },
	{ "cpus", aged_move },
	{ "hold", aged_hold },
	{ "twice", aged_two_frees },
	{ "wrong", aged_wrong },
};

static ssize_t aged_write(struct file *file, const char __user *user,
			  size_t len, loff_t *pos)
{
	return known_run(aged_commands, ARRAY_SIZE(aged_commands), user, len);
}

static int aged_show(struct seq_file *m, void *v)
{
	struct aged_moment now = aged_now();
	int i;

	for (i = 0; i < ARRAY_SIZE(aged_lives); i++) {
		const struct aged_times *t = &aged_lives[i];

		seq_printf(m, "%s %d %llu %llu\n", t->name, MANY,
			   aged_less(t->after_alloc, t->before_free),
			   aged_more(t->before_alloc, t->after_free));
	}
	for (i = 0; i < ARRAY_SIZE(aged_pairs); i++) {
		const struct aged_pair *p = &aged_pairs[i];

		if (p->objects[0])
			seq_printf(m, "%s 2 %llu %llu\n",
				   i ? "held_later" : "held",
				   aged_less(p->after, now),
				   aged_more(p->before, now));
	}
	return 0;
}

static int aged_open(struct inode *inode, struct file *file)
{
	return single_open(file, aged_show, NULL);
}

static const struct proc_ops aged_ops = {
	.proc_open = aged_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = aged_write,
};

static int __init aged_init(void)
{
	aged_cache = known_cache_create("kma_aged");
	if (!aged_cache)
		return -ENOMEM;
	aged_other_cache = known_cache_create("kma_aged_other");
	if (!aged_other_cache)
		goto err_cache;
	if (!proc_create("kma_aged", 0600, NULL, &aged_ops))
		goto err_other_cache;
	return 0;

err_other_cache:
	kmem_cache_destroy(aged_other_cache);
err_cache:
	kmem_cache_destroy(aged_cache);
	return -ENOMEM;
}

static void __exit aged_exit(void)
{
	int i;

	remove_proc_entry("kma_aged", NULL);
	for (i = 0; i < ARRAY_SIZE(aged_pairs); i++) {
		kfree(aged_pairs[i].objects[0]);
		kfree(aged_pairs[i].objects[1]);
	}
	kmem_cache_destroy(aged_other_cache);
	kmem_cache_destroy(aged_cache);
}

module_init(aged_init);
module_exit(aged_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Objects whose lifetimes and wrong frees are known");
