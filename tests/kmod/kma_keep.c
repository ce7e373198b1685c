// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_keep.c - keeps what kma_leave.ko has allocated, and frees it when unloaded. A 0 that is
 * written to its parameter "first" makes it forget all of that.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "kma_keep.h"

static unsigned long keep_first;
module_param_named(first, keep_first, ulong, 0600);
MODULE_PARM_DESC(first, "Address of the object that was kept last");

void kma_keep(void *object)
{
	*(unsigned long *)object = keep_first;
	keep_first = (unsigned long)object;
}
EXPORT_SYMBOL_GPL(kma_keep);

static int __init keep_init(void)
{
	return 0;
}

static void __exit keep_exit(void)
{
	while (keep_first) {
		unsigned long *object = (unsigned long *)keep_first;

		keep_first = *object;
		kfree(object);
	}
}

module_init(keep_init);
module_exit(keep_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Keeps objects of a module that goes");
