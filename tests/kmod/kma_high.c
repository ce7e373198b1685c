// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_high.c - a machine that seems to have more memory than it has.
 *
 *	insmod kma_high.ko tib=N	the direct map seems to end N TiB after its start
 *
 * high_memory, the end of the direct map, is what kmem_account reads when it is loaded. rmmod
 * restores it. On 64-bit machines alone.
 */
#include <linux/mm.h>
#include <linux/module.h>

static unsigned int high_tib = 129;
module_param_named(tib, high_tib, uint, 0400);
MODULE_PARM_DESC(tib, "TiB from the start of the direct map to its end (default 129)");

static void *high_before;

static int __init high_init(void)
{
	high_before = high_memory;
	high_memory = (void *)(PAGE_OFFSET + ((unsigned long)high_tib << 40));
	return 0;
}

static void __exit high_exit(void)
{
	high_memory = high_before;
}

module_init(high_init);
module_exit(high_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Makes the machine's memory seem larger");
