// SPDX-License-Identifier: GPL-2.0-only
/*
 * oom.c - the largest call sites in the kernel log, at an OOM kill and at a panic.
 *
 * The design is in oom.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/notifier.h>
#include <linux/oom.h>
#include <linux/printk.h>

#include "account/live.h"
#include "compat/oom.h"
#include "compat/workqueue.h"
#include "guard/serial.h"
#include "oom.h"
#include "show/oom_report.h"
#include "source/tracepoint.h"

#define KMA_OOM_INTERVAL	(10 * HZ)	/* between two reports */
#define KMA_OOM_SAMPLE		(60 * HZ)
#define KMA_OOM_GROW		(4 * HZ)	/* between two checks for new call sites */
#define KMA_OOM_QUIET		16		/* one part of the memory is available */

unsigned int kma_oom_on = 1;

static bool kma_oom_ready;
/* Jiffies of the last report. Only differences are compared: 32 bits wrap after 50 days. */
static unsigned long kma_oom_last = INITIAL_JIFFIES - KMA_OOM_INTERVAL;
static unsigned long kma_oom_sampled;
static unsigned long kma_oom_noted;	/* by the OOM notifier: jiffies | 1; else 0 */
static unsigned int kma_oom_noisy;	/* there was a report since the last sample */

/* Check whether a report is due. Of callers at the same time, one gets true. */
static bool kma_oom_turn(void)
{
	unsigned long last = READ_ONCE(kma_oom_last), now = jiffies;

	if (!READ_ONCE(kma_oom_on) || !kma_live_is_open() || now - last < KMA_OOM_INTERVAL ||
	    cmpxchg(&kma_oom_last, last, now) != last)
		return false;
	WRITE_ONCE(kma_oom_noisy, 1);
	return true;
}

static void kma_oom_victim(struct task_struct *victim)
{
	unsigned long noted = xchg(&kma_oom_noted, 0);
	bool machine = noted && jiffies + 1 - noted < KMA_OOM_INTERVAL;

	if (machine && kma_allocinfo_reports())
		return;
	if (kma_oom_turn())
		kma_oom_report(machine ? KMA_OOM_MACHINE : KMA_OOM_CGROUP, victim);
}

static int kma_oom_notify(struct notifier_block *nb, unsigned long unused, void *freed)
{
	WRITE_ONCE(kma_oom_noted, jiffies | 1);
	return NOTIFY_OK;
}

static struct notifier_block kma_oom_nb = {
	.notifier_call = kma_oom_notify,
};

static int kma_oom_panic(struct notifier_block *nb, unsigned long unused, void *message)
{
	if (READ_ONCE(kma_oom_on))
		kma_oom_report(KMA_OOM_PANIC, NULL);
	return NOTIFY_OK;
}

static struct notifier_block kma_panic_nb = {
	.notifier_call = kma_oom_panic,
};

static void kma_oom_look(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(kma_oom_work, kma_oom_look);

/*
 * Make room for new call sites. Once in KMA_OOM_SAMPLE, also sample what call sites hold, if that
 * interval was quiet: without a report, and with memory available now.
 */
static void kma_oom_look(struct work_struct *work)
{
	bool sample = time_after_eq(jiffies, kma_oom_sampled + KMA_OOM_SAMPLE);

	/* kma_oom_room() may wait for a grace period, and growth must not */
	kma_serial_lock_command();
	kma_oom_room();
	kma_serial_lock_map();
	if (sample && !xchg(&kma_oom_noisy, 0) &&
	    si_mem_available() > (long)(totalram_pages() / KMA_OOM_QUIET))
		kma_oom_sample();
	kma_serial_unlock();
	if (sample)
		kma_oom_sampled = jiffies;
	queue_delayed_work(kma_unbound_wq, &kma_oom_work, KMA_OOM_GROW);
}

void kma_oom_start(void)
{
	int err;

	if (kma_oom_ready)
		return;
	err = kma_oom_room() ?: kma_probe_oom_register(kma_oom_victim);
	if (err) {
		kma_oom_release();
		pr_warn("cannot report at OOM kills or panics: error %d\n", err);
		return;
	}
	kma_oom_sampled = jiffies;
	register_oom_notifier(&kma_oom_nb);
	atomic_notifier_chain_register(&panic_notifier_list, &kma_panic_nb);
	queue_delayed_work(kma_unbound_wq, &kma_oom_work, KMA_OOM_GROW);
	kma_oom_ready = true;
}

void kma_oom_stop(void)
{
	if (!kma_oom_ready)
		return;
	atomic_notifier_chain_unregister(&panic_notifier_list, &kma_panic_nb);
	unregister_oom_notifier(&kma_oom_nb);
	kma_probe_oom_unregister();
	cancel_delayed_work_sync(&kma_oom_work);
	kma_oom_release();
	kma_oom_ready = false;
}
