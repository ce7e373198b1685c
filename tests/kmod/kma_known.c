// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_known.c - allocations whose account is known beforehand.
 *
 * Each known_*() function below allocates a fixed number of objects of a fixed
 * size in one way that the kernel has; known-answers.txt says, by hand, what
 * /proc/kmem_account must show for it. Nothing here counts.
 *
 *	insmod kma_known.ko		allocates the early objects
 *	echo alloc > /proc/kma_known	runs every function
 *	echo free > /proc/kma_known	frees what they kept
 *	echo rcu > /proc/kma_known	allocates for kfree_rcu(), known_rcu() only
 *	echo wrap > /proc/kma_known	allocates through helpers, known_wrap_*() only
 *
 * The functions are global and not inlined, so that the name of a call site is
 * the name of its function; they store what they get, so that no allocation is
 * a tail call.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/timer.h>

#include "compat.h"
#include "known.h"

#define MANY	64

static struct kmem_cache *known_cache, *known_reused_cache;

/* What the functions keep until "free": objects to be freed with kfree(). */
static void *known_kept[1024];
static unsigned int known_nr_kept;

static void known_keep(void *object)
{
	if (known_nr_kept < ARRAY_SIZE(known_kept))
		known_kept[known_nr_kept++] = object;
	else
		WARN_ON_ONCE(1);
}

/* Objects of known_cache, by who frees them and how. */
static void *known_cached[MANY], *known_wrong[MANY], *known_reused[8];
static void *known_in_bulk[32];
static bool known_have_bulk;
static void *known_early[10];

#define KNOWN noinline __noclone void
KNOWN known_plain(void);
KNOWN known_zeroed_array(void);
KNOWN known_on_a_node(void);
KNOWN known_page(void);
KNOWN known_60_kb(void);
KNOWN known_large_by_size(void);
KNOWN known_kept_and_freed(void);
KNOWN known_from_cache(void);
KNOWN known_freed_by_kfree(void);
KNOWN known_kstrdup(void);
KNOWN known_kstrndup(void);
KNOWN known_kmemdup(void);
KNOWN known_kvmalloc(void);
KNOWN known_large_kvmalloc(void);
KNOWN known_zero_size(void);
KNOWN known_failing(void);
KNOWN known_krealloc_grows(void);
KNOWN known_krealloc_in_place(void);
KNOWN known_free_sensitive(void);
KNOWN known_freed_elsewhere(void);
KNOWN known_reused_first(void);
KNOWN known_reused_again(void);
KNOWN known_bulk(void);
KNOWN known_rcu(void);
KNOWN known_free_early(void);
KNOWN known_wrap_left(void);
KNOWN known_wrap_right(void);
KNOWN known_wrap_direct(void);
KNOWN known_wrap_asprintf(void);
void *known_wrapper(size_t size);
void *known_outer_wrapper(size_t size);
enum hrtimer_restart known_from_hardirq(struct hrtimer *timer);
void known_from_timer(struct timer_list *timer);
void known_from_tasklet(struct tasklet_struct *tasklet);

KNOWN known_plain(void)
{
	int i;

	for (i = 0; i < MANY; i++)
		known_keep(kmalloc(100, GFP_KERNEL));
}

KNOWN known_zeroed_array(void)
{
	int i;

	for (i = 0; i < 10; i++)
		known_keep(kcalloc(7, 33, GFP_KERNEL));
}

KNOWN known_on_a_node(void)
{
	int i;

	for (i = 0; i < 10; i++)
		known_keep(kmalloc_node(500, GFP_KERNEL, numa_mem_id()));
}

KNOWN known_page(void)
{
	known_keep(kmalloc(4096, GFP_KERNEL));
}

/* Beyond the largest slab: whole pages, a power of two of them. */
KNOWN known_60_kb(void)
{
	int i;

	for (i = 0; i < 4; i++)
		known_keep(kmalloc(60 * 1024, GFP_KERNEL));
}

/* A size that the compiler does not know: two events each, 6.12 and 7.2. */
KNOWN known_large_by_size(void)
{
	size_t size = 20000;
	int i;

	OPTIMIZER_HIDE_VAR(size);
	for (i = 0; i < 4; i++) {
		known_keep(kmalloc(size, GFP_KERNEL));
		known_keep(kmalloc_node(3 * size, GFP_KERNEL, numa_mem_id()));
	}
}

KNOWN known_kept_and_freed(void)
{
	void *object[50];
	int i;

	for (i = 0; i < 50; i++)
		object[i] = kzalloc(30, GFP_KERNEL);
	for (i = 0; i < 30; i++)
		kfree(object[i]);
	for (; i < 50; i++)
		known_keep(object[i]);
}

KNOWN known_from_cache(void)
{
	int i;

	for (i = 0; i < MANY; i++)
		known_cached[i] = kmem_cache_alloc(known_cache, GFP_KERNEL);
}

/* Legal from v6.4 on, works with SLUB before: the wrong function. */
KNOWN known_freed_by_kfree(void)
{
	int i;

	for (i = 0; i < MANY; i++)
		known_wrong[i] = kmem_cache_alloc(known_cache, GFP_KERNEL);
}

/* Wrappers that allocate in the name of their caller. */
KNOWN known_kstrdup(void)
{
	int i;

	for (i = 0; i < 10; i++)
		known_keep(kstrdup("twenty-three characters", GFP_KERNEL));
}

KNOWN known_kstrndup(void)
{
	int i;

	for (i = 0; i < 10; i++)
		known_keep(kstrndup("twenty-three characters", 6, GFP_KERNEL));
}

KNOWN known_kmemdup(void)
{
	int i;

	for (i = 0; i < 10; i++)
		known_keep(kmemdup(known_kept, 777, GFP_KERNEL));
}

/* Up to 6.12 kvmalloc_node() does not say for whom it allocates. */
KNOWN known_kvmalloc(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		void *object = kvmalloc(5000, GFP_KERNEL);

		if (!WARN_ON_ONCE(is_vmalloc_addr(object)))
			known_keep(object);
	}
}

/* Where a large kmalloc() makes two events, kvmalloc_node() may be the caller in either. */
KNOWN known_large_kvmalloc(void)
{
	int i;

	for (i = 0; i < 4; i++) {
		void *object = kvmalloc(20000, GFP_KERNEL);

		if (!WARN_ON_ONCE(is_vmalloc_addr(object)))
			known_keep(object);
	}
}

/* ZERO_SIZE_PTR is no object, neither when it comes nor when it goes. */
KNOWN known_zero_size(void)
{
	size_t none = known_nr_kept & 0;
	int i;

	OPTIMIZER_HIDE_VAR(none);
	for (i = 0; i < 10; i++)
		kfree(kmalloc(none, GFP_KERNEL));
	kfree(NULL);
}

KNOWN known_failing(void)
{
	size_t size = KMALLOC_MAX_SIZE;
	int i;

	OPTIMIZER_HIDE_VAR(size);
	for (i = 0; i < 10; i++)
		kfree(kmalloc(size + 1, GFP_KERNEL | __GFP_NOWARN));
}

/* 10 objects of 100, then 10 of 300, and the first are freed. */
KNOWN known_krealloc_grows(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		void *object = kmalloc(100, GFP_KERNEL);

		known_keep(krealloc(object, 300, GFP_KERNEL));
	}
}

/* It fits, and no event says so: bytes_req stays at 100. */
KNOWN known_krealloc_in_place(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		void *object = kmalloc(100, GFP_KERNEL);

		known_keep(krealloc(object, 120, GFP_KERNEL));
	}
}

KNOWN known_free_sensitive(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		void *object = kmalloc(40, GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(object);
		kfree_sensitive(object);
	}
}

static void known_free_here(void *objects)
{
	void **object = objects;
	int i;

	for (i = 0; i < MANY; i++)
		kfree(object[i]);
}

/* Freed on the last CPU; in an interrupt if that is another one, without PREEMPT_RT. */
KNOWN known_freed_elsewhere(void)
{
	void *object[MANY];
	int i;

	for (i = 0; i < MANY; i++)
		object[i] = kmalloc(700, GFP_KERNEL);
	cpus_read_lock();
	known_on_cpu(cpumask_last(cpu_online_mask), known_free_here, object);
	cpus_read_unlock();
}

/* Allocated and freed without an event. */
KNOWN known_bulk(void)
{
	known_have_bulk = kmem_cache_alloc_bulk(known_cache, GFP_KERNEL,
						ARRAY_SIZE(known_in_bulk),
						known_in_bulk);
}

static void known_free_bulk(void)
{
	const size_t half = ARRAY_SIZE(known_in_bulk) / 2;

	if (!known_have_bulk)
		return;
	kmem_cache_free_bulk(known_cache, half, known_in_bulk);
	kfree_bulk(half, known_in_bulk + half);
	known_have_bulk = false;
}

/* Freed without an event, after a grace period and some seconds. */
KNOWN known_rcu(void)
{
	struct known_rcu_object {
		struct rcu_head rcu;
		char rest[284];
	} *object;
	int i;

	for (i = 0; i < 50; i++) {
		object = kmalloc(sizeof(*object), GFP_KERNEL);
		if (object)
			kfree_rcu(object, rcu);
	}
}

/*
 * Freed in bulk, without an event, and allocated again: the cache, whose only
 * slab has room for all, hands the same objects out on the same CPU. An implied free,
 * unless the bulk call is seen. No other task uses this cache.
 */
KNOWN known_reused_first(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_reused); i++)
		known_reused[i] = kmem_cache_alloc(known_reused_cache,
						   GFP_ATOMIC);
}

KNOWN known_reused_again(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_reused); i++)
		known_reused[i] = kmem_cache_alloc(known_reused_cache,
						   GFP_ATOMIC);
}

static void known_reuse(void)
{
	migrate_disable();
	known_reused_first();
	kmem_cache_free_bulk(known_reused_cache, ARRAY_SIZE(known_reused),
			     known_reused);
	known_reused_again();
	migrate_enable();
}

/* Allocated before the account began: frees of unknown objects. */
KNOWN known_free_early(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_early); i++) {
		kfree(known_early[i]);
		known_early[i] = NULL;
	}
}

/*
 * Helpers, one on top of the other. They look at what they return, so that
 * neither call is a tail call and both are on the stack.
 */
noinline __noclone void *known_wrapper(size_t size)
{
	void *object = kmalloc(size, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(object);
	return object;
}

noinline __noclone void *known_outer_wrapper(size_t size)
{
	void *object = known_wrapper(size);

	OPTIMIZER_HIDE_VAR(object);
	return object;
}

KNOWN known_wrap_left(void)
{
	int i;

	for (i = 0; i < 5; i++)
		known_keep(known_outer_wrapper(100));
}

KNOWN known_wrap_right(void)
{
	int i;

	for (i = 0; i < 7; i++)
		known_keep(known_outer_wrapper(300));
}

KNOWN known_wrap_direct(void)
{
	int i;

	for (i = 0; i < 3; i++)
		known_keep(known_wrapper(500));
}

KNOWN known_wrap_asprintf(void)
{
	int i;

	for (i = 0; i < 4; i++)
		known_keep(kasprintf(GFP_KERNEL, "%s", "twenty-three characters"));
}

static void known_wrap_all(void)
{
	known_wrap_left();
	known_wrap_right();
	known_wrap_direct();
	known_wrap_asprintf();
}

/*
 * Interrupts: a hard one (a soft one with PREEMPT_RT), a soft one by a timer, a
 * soft one by a tasklet.
 */
static DECLARE_COMPLETION(known_done);

enum hrtimer_restart known_from_hardirq(struct hrtimer *timer)
{
	int i;

	WARN_ON_ONCE(!KNOWN_RT && !in_hardirq());
	for (i = 0; i < 16; i++)
		known_keep(kmalloc(1000, GFP_ATOMIC));
	complete(&known_done);
	return HRTIMER_NORESTART;
}

void known_from_timer(struct timer_list *timer)
{
	int i;

	WARN_ON_ONCE(!in_serving_softirq());
	for (i = 0; i < 16; i++)
		known_keep(kmalloc(2000, GFP_ATOMIC));
	complete(&known_done);
}

void known_from_tasklet(struct tasklet_struct *tasklet)
{
	int i;

	WARN_ON_ONCE(!in_serving_softirq());
	for (i = 0; i < 16; i++)
		known_keep(kmalloc(20, GFP_ATOMIC));
	complete(&known_done);
}

static void known_interrupts(void)
{
	static DECLARE_TASKLET(tasklet, known_from_tasklet);
	static DEFINE_TIMER(timer, known_from_timer);
	static struct hrtimer hrtimer;

	hrtimer_setup(&hrtimer, known_from_hardirq, CLOCK_MONOTONIC,
		      KNOWN_TIMER);
	hrtimer_start(&hrtimer, ms_to_ktime(1), KNOWN_TIMER);
	wait_for_completion(&known_done);
	hrtimer_cancel(&hrtimer);

	mod_timer(&timer, jiffies + 1);
	wait_for_completion(&known_done);
	timer_delete_sync(&timer);

	tasklet_schedule(&tasklet);
	wait_for_completion(&known_done);
	tasklet_kill(&tasklet);
}

static void (*const known_functions[])(void) = {
	known_plain, known_zeroed_array, known_on_a_node, known_page,
	known_60_kb, known_large_by_size, known_kept_and_freed,
	known_from_cache, known_freed_by_kfree, known_kstrdup, known_kstrndup, known_kmemdup,
	known_kvmalloc, known_large_kvmalloc,
	known_zero_size, known_failing, known_krealloc_grows,
	known_krealloc_in_place, known_free_sensitive, known_freed_elsewhere,
	known_bulk, known_reuse, known_free_early, known_interrupts,
};

static void known_alloc_all(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_functions); i++)
		known_functions[i]();
}

static void known_free_all(void)
{
	int i;

	while (known_nr_kept)
		kfree(known_kept[--known_nr_kept]);
	for (i = 0; i < MANY; i++) {
		if (known_cached[i])
			kmem_cache_free(known_cache, known_cached[i]);
		kfree(known_wrong[i]);
		known_cached[i] = NULL;
		known_wrong[i] = NULL;
	}
	known_free_bulk();
	for (i = 0; i < ARRAY_SIZE(known_reused); i++) {
		if (known_reused[i])
			kmem_cache_free(known_reused_cache, known_reused[i]);
		known_reused[i] = NULL;
	}
}

static const struct known_command known_commands[] = {
	{ "alloc", known_alloc_all },
	{ "free", known_free_all },
	{ "rcu", known_rcu },
	{ "wrap", known_wrap_all },
};

DEFINE_KNOWN_COMMANDS(known);

static int __init known_init(void)
{
	int i;

	known_cache = known_cache_create("kma_known");
	if (!known_cache)
		return -ENOMEM;
	known_reused_cache = known_cache_create("kma_known_reused");
	if (!known_reused_cache)
		goto err_cache;
	if (!proc_create("kma_known", 0200, NULL, &known_ops))
		goto err_reused_cache;
	for (i = 0; i < ARRAY_SIZE(known_early); i++)
		known_early[i] = kmalloc(100, GFP_KERNEL);
	return 0;

err_reused_cache:
	kmem_cache_destroy(known_reused_cache);
err_cache:
	kmem_cache_destroy(known_cache);
	return -ENOMEM;
}

static void __exit known_exit(void)
{
	remove_proc_entry("kma_known", NULL);
	known_free_all();
	known_free_early();
	kmem_cache_destroy(known_reused_cache);
	kmem_cache_destroy(known_cache);
}

module_init(known_init);
module_exit(known_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Allocations whose account is known beforehand");
