// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_churn.c - work that allocates and frees on all CPUs, while logs begin and end.
 *
 * Each CPU has a work item, which queues itself again for the next tick. It exchanges
 * objects with the other CPUs, so that most objects are freed by another CPU than the one
 * that has allocated them, and the allocator gives an address again at once. Objects come
 * from kmalloc(), from a cache of the module and from kmem_cache_alloc_bulk(), and go by
 * kfree(), kmem_cache_free(), kmem_cache_free_bulk() and kfree_rcu(). No object is freed
 * twice.
 *
 *	echo start > /proc/kma_churn
 *	echo stop > /proc/kma_churn	also frees what is left
 *	echo hold > /proc/kma_churn	allocates CHURN_HELD objects, if there are none
 *	echo drop > /proc/kma_churn	frees them: churn_drop() is their call site
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "known.h"

#define CHURN_ROUNDS	200	/* of one run of a work item */
#define CHURN_SLOTS	256
#define CHURN_BULK	8
#define CHURN_HELD	300	/* tests/kernel/log-repeat.py has the number, too */

struct churn_object {
	struct rcu_head rcu;
	char rest[104];
};

static struct workqueue_struct *churn_queue;
static struct kmem_cache *churn_cache;
static DEFINE_PER_CPU(struct delayed_work, churn_work);
static struct churn_object *churn_slots[CHURN_SLOTS];	/* of kmalloc() */
static void *churn_cached[CHURN_SLOTS];			/* of churn_cache */
static void *churn_held[CHURN_HELD];
static bool churn_on;

noinline __noclone void churn_drop(void);

/* The object that another CPU put there; every eighth one waits for a grace period. */
static void churn_swap(unsigned int i, struct churn_object *object)
{
	object = xchg(&churn_slots[i % CHURN_SLOTS], object);
	if (object && !(i % 8))
		kfree_rcu(object, rcu);
	else
		kfree(object);
}

static void churn_swap_cached(unsigned int i, void *object)
{
	object = xchg(&churn_cached[i % CHURN_SLOTS], object);
	if (object)
		kmem_cache_free(churn_cache, object);
}

static void churn_bulk(unsigned int i)
{
	void *objects[CHURN_BULK];
	int n;

	n = kmem_cache_alloc_bulk(churn_cache, GFP_KERNEL, CHURN_BULK, objects);
	if (!n)
		return;
	/* half of them go to other CPUs */
	for (n = 0; n < CHURN_BULK / 2; n++)
		churn_swap_cached(i + n, objects[n]);
	kmem_cache_free_bulk(churn_cache, CHURN_BULK / 2, objects + n);
}

static void churn_run(struct work_struct *work)
{
	static atomic_t next;
	unsigned int i, n;

	for (n = 0; n < CHURN_ROUNDS; n++) {
		i = atomic_inc_return(&next);
		churn_swap(i, kmalloc(sizeof(struct churn_object), GFP_KERNEL));
		churn_swap_cached(i, kmem_cache_alloc(churn_cache, GFP_KERNEL));
		if (!(n % 16))
			churn_bulk(i);
		if (!(n % 32))
			kfree(kmalloc(3 * PAGE_SIZE, GFP_KERNEL));
	}
	if (READ_ONCE(churn_on))
		queue_delayed_work(churn_queue, to_delayed_work(work), 1);
}

static void churn_start(void)
{
	int cpu;

	if (churn_on)
		return;
	WRITE_ONCE(churn_on, true);
	cpus_read_lock();
	for_each_online_cpu(cpu)
		queue_delayed_work_on(cpu, churn_queue,
				      per_cpu_ptr(&churn_work, cpu), 0);
	cpus_read_unlock();
}

static void churn_stop(void)
{
	int cpu, i;

	WRITE_ONCE(churn_on, false);
	for_each_possible_cpu(cpu)
		cancel_delayed_work_sync(per_cpu_ptr(&churn_work, cpu));
	for (i = 0; i < CHURN_SLOTS; i++) {
		kfree(xchg(&churn_slots[i], NULL));
		churn_swap_cached(i, NULL);
	}
}

static void churn_hold(void)
{
	int i;

	for (i = 0; i < CHURN_HELD; i++)
		if (!churn_held[i])
			churn_held[i] = kmalloc(72, GFP_KERNEL);
}

noinline __noclone void churn_drop(void)
{
	int i;

	for (i = 0; i < CHURN_HELD; i++) {
		kfree(churn_held[i]);
		churn_held[i] = NULL;
	}
}

static const struct known_command churn_commands[] = {
	{ "start", churn_start },
	{ "stop", churn_stop },
	{ "hold", churn_hold },
	{ "drop", churn_drop },
};

DEFINE_KNOWN_COMMANDS(churn);

static int __init churn_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		INIT_DELAYED_WORK(per_cpu_ptr(&churn_work, cpu), churn_run);
	churn_queue = alloc_workqueue("kma_churn", KMA_WQ_PERCPU, 0);
	if (!churn_queue)
		return -ENOMEM;
	churn_cache = known_cache_create("kma_churn");
	if (!churn_cache)
		goto err_queue;
	if (proc_create("kma_churn", 0200, NULL, &churn_ops))
		return 0;
	kmem_cache_destroy(churn_cache);
err_queue:
	destroy_workqueue(churn_queue);
	return -ENOMEM;
}

static void __exit churn_exit(void)
{
	remove_proc_entry("kma_churn", NULL);
	churn_stop();
	churn_drop();
	destroy_workqueue(churn_queue);
	kmem_cache_destroy(churn_cache);
}

module_init(churn_init);
module_exit(churn_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Work that allocates and frees while event logs begin and end");
