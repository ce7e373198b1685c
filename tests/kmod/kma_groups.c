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
 *	echo node1 > /proc/kma_groups	and 500 on node 1, if there is one
 *	echo un1 > /proc/kma_groups	frees what "one" has allocated, un2 and un3 the others
 *	echo free > /proc/kma_groups	frees all that is left
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/nodemask.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "known.h"

#define GROUP_BYTES	72	/* of kmalloc-96 */

struct group_object {
	struct group_object *next;
	char rest[GROUP_BYTES - sizeof(void *)];
};

/* What each command has allocated. */
static struct group_object *group_lists[7];

static DECLARE_COMPLETION(group_done);

noinline __noclone void group_task(struct group_object **list, int n);
noinline __noclone void group_timer(struct group_object **list, int n);
noinline __noclone void group_work(struct group_object **list, int n);
noinline __noclone void group_node(struct group_object **list, int n, int node);

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

static void group_by_timer(void)
{
	static struct hrtimer timer;

	reinit_completion(&group_done);
	hrtimer_setup(&timer, group_timer_fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL_SOFT);
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_SOFT);
	wait_for_completion(&group_done);
	hrtimer_cancel(&timer);
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
}

static const struct known_command groups_commands[] = {
	{ "one", group_one },
	{ "two", group_two },
	{ "three", group_three },
	{ "timer", group_by_timer },
	{ "work", group_by_work },
	{ "node0", group_node0 },
	{ "node1", group_node1 },
	{ "un1", group_un1 },
	{ "un2", group_un2 },
	{ "un3", group_un3 },
	{ "free", group_free },
};

DEFINE_KNOWN_COMMANDS(groups);

static int __init group_init(void)
{
	return proc_create("kma_groups", 0200, NULL, &groups_ops) ? 0 : -ENOMEM;
}

static void __exit group_exit(void)
{
	remove_proc_entry("kma_groups", NULL);
	group_free();
}

module_init(group_init);
module_exit(group_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Objects whose cgroup, context and node are known");
