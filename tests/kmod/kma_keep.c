// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_keep.c - keeps what kma_leave.ko has allocated, and frees it when unloaded. It forgets all of
 * that, without freeing it, when something is written to its parameter "forget".
 *
 * The objects refer to nothing, and each has one word that refers to it: a word that is left over
 * elsewhere in memory can hide one forgotten object, not those behind it.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kma_keep.h"

#define KEEP_OBJECTS 8192

static void *keep_objects[KEEP_OBJECTS];
static unsigned int keep_used;

static int keep_forget(const char *value, const struct kernel_param *param)
{
	memset(keep_objects, 0, sizeof(keep_objects));
	keep_used = 0;
	return 0;
}

static const struct kernel_param_ops keep_forget_ops = { .set = keep_forget };
module_param_cb(forget, &keep_forget_ops, NULL, 0200);
MODULE_PARM_DESC(forget, "Forget the objects, without freeing them");

void kma_keep(void *object)
{
	if (WARN_ON(keep_used == KEEP_OBJECTS))
		kfree(object);
	else
		keep_objects[keep_used++] = object;
}
EXPORT_SYMBOL_GPL(kma_keep);

static int __init keep_init(void)
{
	return 0;
}

static void __exit keep_exit(void)
{
	while (keep_used)
		kfree(keep_objects[--keep_used]);
}

module_init(keep_init);
module_exit(keep_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Keeps objects of a module that goes");
