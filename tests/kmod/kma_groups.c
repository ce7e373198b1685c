// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_groups.c - objects whose cgroup, context and node are known.
 *
 *	echo one > /proc/kma_groups	group_task() allocates 100 objects of 72 bytes,
 *	echo two > /proc/kma_groups	200,
 *	echo three > /proc/kma_groups	300, in the context of the writer
 *	echo timer > /proc/kma_groups	group_timer() allocates 50, in the softirq of a timer
 *	echo work > /proc/kma_groups	group_work() allocates 60, in a kernel thread
 *	echo node0 > /proc/kma_groups	group_node() allocates 400 on node 0
 *	echo node1 > /proc/kma_groups	500 on node 1, if there is one,
 *	echo node2 > /proc/kma_groups	200 on node 2,
 *	echo node3 > /proc/kma_groups	and 300 on node 3
 *	echo charge > /proc/kma_groups	group_charged() allocates 20,000 objects that a cgroup is
 *					charged for (GFP_KERNEL_ACCOUNT), and 25 that none is
 *	echo caches > /proc/kma_groups	group_caches() allocates 70 objects of a cache with
 *					SLAB_ACCOUNT, and 30 of one without it
 *	echo bulk > /proc/kma_groups	group_bulk() allocates 40 objects of the former in bulk
 *	echo soft > /proc/kma_groups	group_soft() allocates 20 by __GFP_ACCOUNT, in the softirq
 *					of a timer
 *	echo pages > /proc/kma_groups	group_pages() allocates 5 blocks of two pages with
 *					GFP_KERNEL_ACCOUNT and 4 without, group_percpu() 6 and 3
 *					per-CPU objects
 *	echo un1 > /proc/kma_groups	frees what "one" has allocated, un2 and un3 the others
 *	echo free > /proc/kma_groups	frees all that is left, but for pages and what is per CPU
 *	echo unpages > /proc/kma_groups	frees these
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/nodemask.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "known.h"

#define GROUP_BYTES	72	/* of kmalloc-96 */
#define GROUP_CHARGED	20000
#define GROUP_BULK	40
#define GROUP_PAGES	9
#define GROUP_PERCPU	64	/* bytes */

struct group_object {
	struct group_object *next;
	char rest[GROUP_BYTES - sizeof(void *)];
};

/* What each command has allocated. */
static struct group_object *group_lists[11];

/* Two caches of objects of the same size, with SLAB_ACCOUNT and without, and their objects. */
static struct kmem_cache *group_cache[2];
static struct group_object *group_cached[2];

static struct page *group_blocks[GROUP_PAGES];
static void __percpu *group_copies[GROUP_PAGES];

static DECLARE_COMPLETION(group_done);

noinline __noclone void group_task(struct group_object **list, int n);
noinline __noclone void group_timer(struct group_object **list, int n);
noinline __noclone void group_work(struct group_object **list, int n);
noinline __noclone void group_node(struct group_object **list, int n, int node);
noinline __noclone void group_charged(struct group_object **list, int n, gfp_t flags);
noinline __noclone void group_caches(int which, int n);
noinline __noclone void group_bulk(void);
noinline __noclone void group_soft(struct group_object **list, int n);
noinline __noclone void group_pages(int from, int to, gfp_t flags);
noinline __noclone void group_percpu(int from, int to, gfp_t flags);

static void group_keep(struct group_object **list, struct group_object *o)
{
	if (WARN_ON_ONCE(!o))
		return;
	o->next = *list;
	*list = o;
}

noinline __noclone void group_task(struct group_object **list, int n)
{
	while (n--)
		group_keep(list, kmalloc(GROUP_BYTES, GFP_KERNEL));
}

noinline __noclone void group_timer(struct group_object **list, int n)
{
	while (n--)
		group_keep(list, kmalloc(GROUP_BYTES, GFP_ATOMIC));
}

noinline __noclone void group_work(struct group_object **list, int n)
{
	while (n--)
		group_keep(list, kmalloc(GROUP_BYTES, GFP_KERNEL));
}

noinline __noclone void group_node(struct group_object **list, int n, int node)
{
	while (n--)
		group_keep(list, kmalloc_node(GROUP_BYTES, GFP_KERNEL | __GFP_THISNODE, node));
}

/*
 * Pauses let the live map grow, whose reserve is small in a guest of 256 MB: CPUs that share a
 * thread of QEMU do not run at once, so the module's worker may have to wait for this CPU.
 */
noinline __noclone void group_charged(struct group_object **list, int n, gfp_t flags)
{
	while (n--) {
		group_keep(list, kmalloc(GROUP_BYTES, flags));
		if (n % 512 == 0)
			usleep_range(1000, 2000);
	}
}

noinline __noclone void group_caches(int which, int n)
{
	while (n--)
		group_keep(&group_cached[which], kmem_cache_alloc(group_cache[which], GFP_KERNEL));
}

noinline __noclone void group_bulk(void)
{
	void *objects[GROUP_BULK];
	int i;

	if (!kmem_cache_alloc_bulk(group_cache[0], GFP_KERNEL, GROUP_BULK, objects))
		return;
	for (i = 0; i < GROUP_BULK; i++)
		group_keep(&group_cached[0], objects[i]);
}

noinline __noclone void group_soft(struct group_object **list, int n)
{
	while (n--)
		group_keep(list, kmalloc(GROUP_BYTES, GFP_ATOMIC | __GFP_ACCOUNT));
}

noinline __noclone void group_pages(int from, int to, gfp_t flags)
{
	for (; from < to; from++)
		group_blocks[from] = alloc_pages(flags, 1);
}

noinline __noclone void group_percpu(int from, int to, gfp_t flags)
{
	for (; from < to; from++)
		group_copies[from] = __alloc_percpu_gfp(GROUP_PERCPU, 8, flags);
}

static void group_one(void)
{
	group_task(&group_lists[0], 100);
}

static void group_two(void)
{
	group_task(&group_lists[1], 200);
}

static void group_three(void)
{
	group_task(&group_lists[2], 300);
}

static enum hrtimer_restart group_timer_fn(struct hrtimer *timer)
{
	group_timer(&group_lists[3], 50);
	complete(&group_done);
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart group_soft_fn(struct hrtimer *timer)
{
	group_soft(&group_lists[8], 20);
	complete(&group_done);
	return HRTIMER_NORESTART;
}

static void group_in_timer(enum hrtimer_restart (*fn)(struct hrtimer *timer))
{
	static struct hrtimer timer;

	reinit_completion(&group_done);
	hrtimer_setup(&timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_SOFT);
	wait_for_completion(&group_done);
	hrtimer_cancel(&timer);
}

static void group_by_timer(void)
{
	group_in_timer(group_timer_fn);
}

static void group_by_soft(void)
{
	group_in_timer(group_soft_fn);
}

static void group_charge(void)
{
	group_charged(&group_lists[7], GROUP_CHARGED, GFP_KERNEL_ACCOUNT);
	group_charged(&group_lists[7], 25, GFP_KERNEL);
}

static void group_two_caches(void)
{
	group_caches(0, 70);
	group_caches(1, 30);
}

static void group_two_pages(void)
{
	group_pages(0, 5, GFP_KERNEL_ACCOUNT);
	group_pages(5, GROUP_PAGES, GFP_KERNEL);
	group_percpu(0, 6, GFP_KERNEL_ACCOUNT);
	group_percpu(6, GROUP_PAGES, GFP_KERNEL);
}

static void group_unpages(void)
{
	int i;

	for (i = 0; i < GROUP_PAGES; i++) {
		if (group_blocks[i])
			__free_pages(group_blocks[i], 1);
		free_percpu(group_copies[i]);
		group_blocks[i] = NULL;
		group_copies[i] = NULL;
	}
}

static void group_work_fn(struct work_struct *work)
{
	group_work(&group_lists[4], 60);
}

static DECLARE_WORK(group_work_item, group_work_fn);

static void group_by_work(void)
{
	schedule_work(&group_work_item);
	flush_work(&group_work_item);
}

static void group_node0(void)
{
	group_node(&group_lists[5], 400, 0);
}

static void group_node1(void)
{
	if (node_online(1))
		group_node(&group_lists[6], 500, 1);
}

static void group_node2(void)
{
	if (node_online(2))
		group_node(&group_lists[9], 200, 2);
}

static void group_node3(void)
{
	if (node_online(3))
		group_node(&group_lists[10], 300, 3);
}

static void group_drop(int list)
{
	while (group_lists[list]) {
		struct group_object *o = group_lists[list];

		group_lists[list] = o->next;
		kfree(o);
	}
}

static void group_un1(void)
{
	group_drop(0);
}

static void group_un2(void)
{
	group_drop(1);
}

static void group_un3(void)
{
	group_drop(2);
}

static void group_free(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(group_lists); i++)
		group_drop(i);
	for (i = 0; i < ARRAY_SIZE(group_cached); i++)
		while (group_cached[i]) {
			struct group_object *o = group_cached[i];

			group_cached[i] = o->next;
			kmem_cache_free(group_cache[i], o);
		}
}

static const struct known_command groups_commands[] = {
	{ "one", group_one },
	{ "two", group_two },
	{ "three", group_three },
	{ "timer", group_by_timer },
	{ "work", group_by_work },
	{ "node0", group_node0 },
	{ "node1", group_node1 },
	{ "node2", group_node2 },
	{ "node3", group_node3 },
	{ "charge", group_charge },
	{ "caches", group_two_caches },
	{ "bulk", group_bulk },
	{ "soft", group_by_soft },
	{ "pages", group_two_pages },
	{ "unpages", group_unpages },
	{ "un1", group_un1 },
	{ "un2", group_un2 },
	{ "un3", group_un3 },
	{ "free", group_free },
};

DEFINE_KNOWN_COMMANDS(groups);

/* A constructor keeps a cache from being merged with another one. */
static void group_ctor(void *object)
{
}

static int __init group_init(void)
{
	group_cache[0] = kmem_cache_create("kma_groups_charged", GROUP_BYTES, 0,
					   SLAB_ACCOUNT, group_ctor);
	group_cache[1] = kmem_cache_create("kma_groups_free", GROUP_BYTES, 0, 0, group_ctor);
	if (group_cache[0] && group_cache[1] &&
	    proc_create("kma_groups", 0200, NULL, &groups_ops))
		return 0;
	kmem_cache_destroy(group_cache[0]);
	kmem_cache_destroy(group_cache[1]);
	return -ENOMEM;
}

static void __exit group_exit(void)
{
	remove_proc_entry("kma_groups", NULL);
	group_free();
	group_unpages();
	kmem_cache_destroy(group_cache[0]);
	kmem_cache_destroy(group_cache[1]);
}

module_init(group_init);
module_exit(group_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Objects whose cgroup, context and node are known");
