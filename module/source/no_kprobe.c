// SPDX-License-Identifier: GPL-2.0-only
/*
 * no_kprobe.c - kprobe.h in a kernel without kretprobes: nothing but the word.
 *
 * What has no event is not seen then. An object of which the free is missed is an
 * implied free when its address comes again, and stays in the account until then;
 * one of which the allocation is missed is an unknown object when it is freed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/printk.h>

#include "account/events.h"
#include "source/boot.h"
#include "source/kprobe.h"

/* Once is enough: it is so as long as the kernel runs. */
void kma_untraced_register(enum kma_audience who)
{
	if (!kma_boot_tells(KMA_EVENTS_SLAB))
		pr_warn_once("no kretprobes in this kernel: bulk calls and kfree_rcu() are not seen\n");
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
