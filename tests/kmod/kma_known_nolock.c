// SPDX-License-Identifier: GPL-2.0
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
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

struct nolock_object {
	struct rcu_head rcu;
	char rest[134];
};

static struct nolock_object *nolock_kept[20];
static DEFINE_MUTEX(nolock_lock);

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
}

static ssize_t nolock_write(struct file *file, const char __user *user,
			    size_t len, loff_t *pos)
{
	char command[8] = {};
	int err = 0;

	if (len >= sizeof(command) || copy_from_user(command, user, len))
		return -EINVAL;
	mutex_lock(&nolock_lock);
	if (sysfs_streq(command, "alloc"))
		known_nolock();
	else if (sysfs_streq(command, "free"))
		nolock_free();
	else
		err = -EINVAL;
	mutex_unlock(&nolock_lock);
	return err ?: len;
}

static const struct proc_ops nolock_ops = {
	.proc_write = nolock_write,
};

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
