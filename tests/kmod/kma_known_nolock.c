// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_known_nolock.c - kmalloc_nolock() and kfree_nolock(), known beforehand.
 *
 * Neither has a trace event. What the former gives may be freed by the latter, by
 * kfree() or by kfree_rcu().
 *
 *	echo alloc > /proc/kma_known_nolock
 *	echo free > /proc/kma_known_nolock
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "known.h"

struct nolock_object {
	struct rcu_head rcu;
	char rest[134];
};

static struct nolock_object *nolock_kept[20];

noinline __noclone void known_nolock(void);

/* It gives nothing while somebody else holds a lock, and then it is not counted. */
noinline __noclone void known_nolock(void)
{
	int i = 0, tries = 0;

	while (i < ARRAY_SIZE(nolock_kept) && tries++ < 1000) {
		nolock_kept[i] = kmalloc_nolock(150, 0, NUMA_NO_NODE);
		if (nolock_kept[i])
			i++;
		else
			cond_resched();
	}
}

static void nolock_free(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(nolock_kept); i++) {
		if (i < 8)
			kfree_nolock(nolock_kept[i]);
		else if (i < 16)
			kfree(nolock_kept[i]);
		else if (nolock_kept[i])
			kfree_rcu(nolock_kept[i], rcu);
		nolock_kept[i] = NULL;
	}
	/* an account in the allocator's own hooks has them freed when they are */
	kvfree_rcu_barrier();
}

static const struct known_command nolock_commands[] = {
	{ "alloc", known_nolock },
	{ "free", nolock_free },
};

DEFINE_KNOWN_COMMANDS(nolock);

static int __init nolock_init(void)
{
	return proc_create("kma_known_nolock", 0200, NULL, &nolock_ops) ?
	       0 : -ENOMEM;
}

static void __exit nolock_exit(void)
{
	remove_proc_entry("kma_known_nolock", NULL);
	nolock_free();
}

module_init(nolock_init);
module_exit(nolock_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("kmalloc_nolock() and kfree_nolock(), known beforehand");
