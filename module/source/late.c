// SPDX-License-Identifier: GPL-2.0-only
/*
 * late.c - see kmem_cache_free() at its entry.
 *
 * late.h gives the reasons.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/string.h>

#include "account/account.h"
#include "account/live.h"
#include "compat/late.h"
#include "compat/regs.h"
#include "log/relay_event.h"
#include "source/late.h"
#include "source/selftest_note.h"
#include "watch/dispatch.h"
#include "watch/errors.h"

static const char *const kma_late_lack = KMA_EVENT_IS_LATE ?
	"; an object that another CPU allocates at once after its free may be missing" : "";

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

/* Replaces the event of kmem_cache_free(). */
static void kma_late_count(const struct kma_event *e)
{
	/* A waiter for events (dispatch.h) must not see the test and the event as two steps. */
	preempt_disable_notrace();
	if (kma_relay_wanted())
		kma_relay_free_event(&(struct kma_event){
			.call_site = e->call_site, .ptr = e->ptr,
			.kind = KMA_KIND_CACHE,
		});
	if (!kma_live_is_open())
		goto out;
	if (kma_dispatch_wanted())
		kma_dispatch_free(e);
	else
		kma_account_free(e->call_site, e->ptr);
out:
	preempt_enable_notrace();
}

/* void kmem_cache_free(struct kmem_cache *s, void *x) */
static void notrace kma_late_free(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *ops, KMA_LATE_REGS)
{
	struct pt_regs *r = kma_late_regs(regs);
	const struct kma_event e = {
		.call_site = parent_ip,
		.ptr = (const void *)kma_regs_argument(r, 1),
		.kind = KMA_KIND_CACHE,
		.cache = (void *)kma_regs_argument(r, 0),
	};

	kma_selftest_see(KMA_TEST_CACHE_FREE_ENTRY, e.call_site, (unsigned long)e.cache,
			 (unsigned long)e.ptr);
	if (KMA_EVENT_IS_LATE)
		kma_late_count(&e);
	else
		kma_errors_entered(&e);
}

/* PERMANENT: registering fails if ftrace is switched off, and it cannot be switched off later. */
static struct ftrace_ops kma_late_ops = {
	.func = kma_late_free,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT |
		 KMA_LATE_ALONE,
};

static bool kma_late_on;

/* Set the function of the callback; NULL removes it and frees the memory of the filter. */
static int kma_late_filter(char *name)
{
	return ftrace_set_filter(&kma_late_ops, (unsigned char *)name,
				 name ? strlen(name) : 0, true);
}

int kma_late_attach(bool quiet)
{
	char name[] = "kmem_cache_free";
	int err = kma_late_filter(name);

	if (!err)
		err = register_ftrace_function(&kma_late_ops);
	kma_late_on = !err;
	if (err)
		kma_late_filter(NULL);
	if (err && !quiet)
		pr_warn("cannot attach a callback to the entry of kmem_cache_free() (error %d)%s\n",
			err, kma_late_lack);
	return err;
}

bool kma_late_detach(void)
{
	if (!kma_late_on)
		return false;
	unregister_ftrace_function(&kma_late_ops);
	kma_late_filter(NULL);
	kma_late_on = false;
	return true;
}

#else

int kma_late_attach(bool quiet)
{
	if (!quiet)
		pr_warn("cannot attach a callback to the entry of kmem_cache_free(): the kernel has no CONFIG_DYNAMIC_FTRACE_WITH_REGS%s\n",
			kma_late_lack);
	return -EOPNOTSUPP;
}

bool kma_late_detach(void)
{
	return false;
}

#endif
