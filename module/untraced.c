// SPDX-License-Identifier: GPL-2.0
/*
 * untraced.c - allocations and frees for which the kernel has no event.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/slab.h>

#include "account.h"
#include "cache.h"
#include "compat/kprobes.h"
#include "untraced.h"

/* Calls of kmem_cache_alloc_bulk() that may be under way at once. */
#define KMA_MAXACTIVE	256

/* void kmem_cache_free_bulk(struct kmem_cache *s, size_t n, void **p) */
static int __kprobes kma_enter_free_bulk(struct kprobe *kp, struct pt_regs *regs)
{
	unsigned long call_site = kma_regs_caller(regs);
	size_t n = regs_get_kernel_argument(regs, 1), i;
	void **p = (void **)regs_get_kernel_argument(regs, 2);

	for (i = 0; i < n; i++)
		kma_account_free(call_site, p[i]);
	return 0;
}

struct kma_alloc_bulk {
	struct kmem_cache *s;
	size_t n;
	void **p;
};

/*
 * int kmem_cache_alloc_bulk(struct kmem_cache *s, gfp_t flags, size_t n,
 *			     void **p)
 */
static int __kprobes
kma_enter_alloc_bulk(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kma_alloc_bulk *call = (struct kma_alloc_bulk *)ri->data;

	call->s = (struct kmem_cache *)regs_get_kernel_argument(regs, 0);
	call->n = regs_get_kernel_argument(regs, 2);
	call->p = (void **)regs_get_kernel_argument(regs, 3);
	return 0;
}

/* All or nothing: it returns the number that was asked for, or 0. */
static int __kprobes
kma_leave_alloc_bulk(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kma_alloc_bulk *call = (struct kma_alloc_bulk *)ri->data;
	unsigned long call_site = kma_kretprobe_caller(ri);
	size_t req = kma_cache_req(call->s), bytes = kma_cache_bytes(call->s);
	size_t i;

	if (unlikely(!kma_bulk_worked(regs))) {
		kma_account_alloc(call_site, NULL, req, bytes);
		return 0;
	}
	for (i = 0; i < call->n; i++)
		kma_account_alloc(call_site, call->p[i], req, bytes);
	return 0;
}

static struct kprobe kma_free_bulk = {
	.symbol_name = "kmem_cache_free_bulk",
	.pre_handler = kma_enter_free_bulk,
};

static struct kretprobe kma_alloc_bulk = {
	.kp.symbol_name = KMA_ALLOC_BULK,
	.entry_handler = kma_enter_alloc_bulk,
	.handler = kma_leave_alloc_bulk,
	.data_size = sizeof(struct kma_alloc_bulk),
	.maxactive = KMA_MAXACTIVE,
};

static bool kma_free_bulk_on, kma_alloc_bulk_on;
static unsigned long kma_missed_told;

static bool kma_untraced_on(const char *name, int err)
{
	if (err)
		pr_warn("no kprobe on %s (%d): what it does is not seen\n",
			name, err);
	return !err;
}

/* Registering clears the kernel's mark of an earlier use only in part. */
static void kma_untraced_reset(struct kprobe *kp)
{
	kp->addr = NULL;
	kp->flags = 0;
	kp->nmissed = 0;
}

/* Frees first, as in probe.c. */
void kma_untraced_register(void)
{
	kma_missed_told = 0;
	kma_untraced_reset(&kma_free_bulk);
	kma_untraced_reset(&kma_alloc_bulk.kp);
	kma_alloc_bulk.nmissed = 0;
	kma_free_bulk_on = kma_untraced_on(kma_free_bulk.symbol_name,
					   register_kprobe(&kma_free_bulk));
	kma_alloc_bulk_on = kma_untraced_on(KMA_ALLOC_BULK,
					    register_kretprobe(&kma_alloc_bulk));
}

void kma_untraced_unregister(void)
{
	if (kma_alloc_bulk_on)
		unregister_kretprobe(&kma_alloc_bulk);
	if (kma_free_bulk_on)
		unregister_kprobe(&kma_free_bulk);
	kma_untraced_settle();
	kma_alloc_bulk_on = false;
	kma_free_bulk_on = false;
}

void kma_untraced_settle(void)
{
	unsigned long missed = 0;

	if (kma_free_bulk_on)
		missed += kma_free_bulk.nmissed;
	if (kma_alloc_bulk_on)
		missed += kma_alloc_bulk.kp.nmissed + kma_alloc_bulk.nmissed;
	if (missed > kma_missed_told)
		kma_account_missed(missed - kma_missed_told);
	kma_missed_told = max(missed, kma_missed_told);
}
