// SPDX-License-Identifier: GPL-2.0-only
/*
 * no_kprobe.c - kprobe.h in a kernel without kretprobes.
 *
 * Calls without an event are not seen in such a kernel. If the free of an object is missed,
 * the object stays in the account until its address is allocated again, which is an implied
 * free. If its allocation is missed, its free is that of an unknown object.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/printk.h>

#include "account/events.h"
#include "source/boot.h"
#include "source/kprobe.h"

/* Warn once: the kernel cannot change. */
void kma_untraced_register(enum kma_audience who)
{
	if (!kma_boot_tells(KMA_EVENTS_SLAB))
		pr_warn_once("the kernel has no kretprobes; bulk calls and kfree_rcu() are not recorded\n");
}

void kma_untraced_unregister(enum kma_audience who)
{
}

bool kma_untraced_complete(void)
{
	return false;
}

unsigned long kma_untraced_missed(void)
{
	return 0;
}

bool kma_untraced_names(const char *name)
{
	return true;
}

void kma_untraced_settle(void)
{
}
