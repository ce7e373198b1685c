// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_keep.c - keeps what kma_leave.ko has allocated, and frees it when unloaded.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "kma_keep.h"

static void **keep_first;

void kma_keep(void *object)
{
	*(void **)object = keep_first;
	keep_first = object;
}
EXPORT_SYMBOL_GPL(kma_keep);

static int __init keep_init(void)
{
	return 0;
}

static void __exit keep_exit(void)
{
	while (keep_first) {
		void **object = keep_first;

		keep_first = *object;
		kfree(object);
	}
}

module_init(keep_init);
module_exit(keep_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Keeps objects of a module that goes");
