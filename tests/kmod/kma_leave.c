// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_leave.c - allocates, leaves its objects with kma_keep.ko, and may go. With drop=1 it forgets
 * them instead, as a driver that leaks.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "kma_keep.h"

#define LEAVE_OBJECTS 64

static bool leave_drop;
module_param_named(drop, leave_drop, bool, 0400);
MODULE_PARM_DESC(drop, "Forget the objects (default N)");

noinline __noclone void leave_allocate(void);

/* Not in the init text, which goes at once. */
noinline __noclone void leave_allocate(void)
{
	int i;

	for (i = 0; i < LEAVE_OBJECTS; i++) {
		void *object = kmalloc(100, GFP_KERNEL);

		if (object && !leave_drop)
			kma_keep(object);
	}
}

static int __init leave_init(void)
{
	leave_allocate();
	return 0;
}

static void __exit leave_exit(void)
{
}

module_init(leave_init);
module_exit(leave_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Leaves objects behind when it goes");
