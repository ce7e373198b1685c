// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_stale.c - objects that the account has after their memory was removed.
 *
 *	echo NODE > /proc/kma_stale	the events of 8 allocations on a NUMA node
 *
 * The kernel does not remove memory that holds an object. An account has an object in removed
 * memory if it has missed the free. Here only the event of the allocation occurs, with an
 * address on the node: nothing is allocated, so that nothing keeps the memory in use.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/module.h>
#include <linux/nodemask.h>
#include <linux/proc_fs.h>
#include <linux/uaccess.h>
#include <trace/events/kmem.h>

#include "compat.h"

#define STALE_NAME	"kma_stale"
#define STALE_OBJECTS	8
#define STALE_BYTES	64
#define STALE_PAGE	100	/* of the node, the first that is used */

noinline __noclone void stale_allocated(unsigned long first);

/* The call site of all objects, each of which is in a page of its own. */
noinline __noclone void stale_allocated(unsigned long first)
{
	unsigned long pfn;

	for (pfn = first; pfn < first + STALE_OBJECTS; pfn++)
		known_trace_kmalloc(_THIS_IP_, __va(PFN_PHYS(pfn)), STALE_BYTES, STALE_BYTES);
}

/* Return: -EINVAL if there is no such node, or no memory of it is there. */
static ssize_t stale_write(struct file *file, const char __user *user, size_t len, loff_t *pos)
{
	int node, err;

	err = kstrtoint_from_user(user, len, 0, &node);
	if (err)
		return err;
	if (node < 0 || node >= MAX_NUMNODES || !node_online(node) ||
	    node_spanned_pages(node) < STALE_PAGE + STALE_OBJECTS)
		return -EINVAL;
	stale_allocated(node_start_pfn(node) + STALE_PAGE);
	return len;
}

static const struct proc_ops stale_ops = {
	.proc_write = stale_write,
};

static int __init stale_init(void)
{
	return proc_create(STALE_NAME, 0200, NULL, &stale_ops) ? 0 : -ENOMEM;
}

static void __exit stale_exit(void)
{
	remove_proc_entry(STALE_NAME, NULL);
}

module_init(stale_init);
module_exit(stale_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Events of objects in memory that is removed later");
