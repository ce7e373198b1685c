// SPDX-License-Identifier: GPL-2.0
/*
 * control.c - turns the account on and off, clears it, lets the live map grow.
 *
 * Growth: a probe that finds the live map crowded must not allocate, and must
 * not even wake a worker, because the scheduler's locks may be held. It queues
 * an irq_work, that queues the work, and that allocates. One request stands
 * until the worker is done with it; when memory is refused the worker comes
 * again after a second, and when the map has its full size nobody asks again.
 *
 * Looks at the peaks (peak.h): another work item, deferrable, so that it wakes
 * no idle machine. It takes its own time: after a look it waits a thousand times
 * as long as that took if this is more than the interval, up to ten intervals.
 */
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "account/account.h"
#include "account/live.h"
#include "account/peak.h"
#include "account/site.h"
#include "caller/site_name.h"
#include "compat/workqueue.h"
#include "control.h"
#include "log/relay.h"
#include "show/debugfs.h"
#include "show/report.h"
#include "source/boot.h"
#include "source/kprobe.h"
#include "source/tracepoint.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/latency.h"
#include "watch/lifetime.h"

static DEFINE_MUTEX(kma_control_lock);
static bool kma_control_untraced;
static unsigned int kma_generation;	/* counts the accounts */
static bool kma_logging;
static bool kma_timing;
static bool kma_grow_asked;
static int (*kma_later_tables)(void);	/* makes them; NULL if they are there */
static bool kma_asleep;			/* until kma_control_wake() */

static void kma_grow(struct work_struct *work);
static DECLARE_DELAYED_WORK(kma_grow_work, kma_grow);

static void kma_grow_irq(struct irq_work *work)
{
	queue_delayed_work(kma_unbound_wq, &kma_grow_work, 0);
}

static DEFINE_IRQ_WORK(kma_grow_irq_work, kma_grow_irq);

/* Called by the live map, from any context but NMI, with irqs off. */
static void kma_grow_wake(void)
{
	if (!READ_ONCE(kma_grow_asked) && !xchg(&kma_grow_asked, true))
		irq_work_queue(&kma_grow_irq_work);
}

static void kma_grow(struct work_struct *work)
{
	int err;

	mutex_lock(&kma_control_lock);
	/* Before the look at the map: a wish that comes later is a new one. */
	smp_store_mb(kma_grow_asked, false);
	err = kma_live_grow();
	if (err)
		WRITE_ONCE(kma_grow_asked, true);
	mutex_unlock(&kma_control_lock);
	if (err == -ENOMEM)
		queue_delayed_work(kma_unbound_wq, &kma_grow_work, HZ);
}

/* Looks at the peaks take at most one part in so many of a CPU's time. */
#define KMA_LOOK_SHARE		1000
#define KMA_LOOK_STRETCH	10

unsigned int kma_peak_ms = 100;

static void kma_look(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(kma_look_work, kma_look);

static void kma_look_after(u64 ns)
{
	unsigned long interval = msecs_to_jiffies(kma_peak_ms);
	unsigned long rest = nsecs_to_jiffies(ns * KMA_LOOK_SHARE);

	if (kma_peak_ms)
		queue_delayed_work(kma_unbound_wq, &kma_look_work,
				   clamp(rest, interval,
					 KMA_LOOK_STRETCH * interval));
}

static void kma_look(struct work_struct *work)
{
	mutex_lock(&kma_control_lock);
	if (kma_live_is_open())
		kma_look_after(kma_peak_look());
	mutex_unlock(&kma_control_lock);
}

/* Sites keep their names when the code that they lie in goes away. */
static bool kma_in_init_text(unsigned long addr, void *mod)
{
	return within_module_init(addr, mod);
}

static bool kma_in_module(unsigned long addr, void *mod)
{
	return within_module(addr, mod);
}

static int kma_module_notify(struct notifier_block *nb, unsigned long state,
			     void *mod)
{
	kma_relay_module(mod, state);
	if (state == MODULE_STATE_LIVE) {
		kma_site_name_keep(kma_in_init_text, mod);
		kma_latency_retire(kma_in_init_text, mod);
	} else if (state == MODULE_STATE_GOING) {
		kma_site_name_keep(kma_in_module, mod);
		kma_latency_retire(kma_in_module, mod);
	}
	/* also when it comes: code that is no module's may have been there */
	if (state == MODULE_STATE_LIVE)
		kma_detail_forget(kma_in_init_text, mod);
	else
		kma_detail_forget(kma_in_module, mod);
	return NOTIFY_OK;
}

static struct notifier_block kma_module_nb = {
	.notifier_call = kma_module_notify,
};

/* What an account has that is on, besides its events. */
static void kma_control_attend(void)
{
	if (kma_asleep)
		return;
	if (kma_control_untraced)
		kma_untraced_register(KMA_FOR_ACCOUNT);
	kma_look_after(0);
}

/*
 * Returns when no event is under way that began before. While it cannot wait, so
 * early in a boot, there is none.
 */
static void kma_control_quiesce(void)
{
	if (kma_asleep)
		return;
	kma_probe_synchronize();
	kma_boot_synchronize();
}

/*
 * Forget all; the map is closed, and what was let in has settled. An event counts before
 * it looks at the map, and takes that back: but only of a site that it finds.
 */
static void kma_control_reset(void)
{
	kma_site_hide();
	kma_control_quiesce();
	kma_generation++;
	kma_account_reset();
	kma_detail_reset();
}

static int kma_control_tables(void)
{
	return kma_later_tables ? kma_later_tables() : 0;
}

static int kma_control_on(void)
{
	int err;

	if (kma_live_is_open())
		return 0;
	err = kma_control_tables();
	if (err)
		return err;
	kma_control_reset();
	err = kma_probe_register(KMA_FOR_ACCOUNT, kma_control_untraced);
	if (err)
		return err;
	kma_control_attend();
	kma_boot_attach();
	kma_live_open();
	kma_boot_replay();
	return 0;
}

static int kma_control_off(void)
{
	if (!kma_live_is_open())
		return 0;
	kma_live_close();
	kma_probe_unregister(KMA_FOR_ACCOUNT);
	if (!kma_logging)
		kma_boot_detach();
	kma_boot_synchronize();
	kma_untraced_unregister(KMA_FOR_ACCOUNT);
	return 0;
}

/*
 * Events of probes that the account has attached are logged at once. What the log has
 * in common with the account, it has with its tables: the notifier of modules, and what
 * the stacks of pages are looked up in.
 */
static int kma_control_log_on(void)
{
	int err;

	if (kma_logging)
		return 0;
	err = kma_control_tables();
	if (!err)
		err = kma_relay_start(kma_debugfs_folder());
	if (err)
		return err;
	err = kma_probe_register(KMA_FOR_LOG, kma_control_untraced);
	if (err) {
		kma_relay_stop();
		kma_relay_free();
		return err;
	}
	if (kma_control_untraced)
		kma_untraced_register(KMA_FOR_LOG);
	kma_boot_attach();
	kma_logging = true;
	return 0;
}

static int kma_control_log_off(void)
{
	if (!kma_logging)
		return 0;
	kma_logging = false;
	kma_probe_unregister(KMA_FOR_LOG);
	kma_untraced_unregister(KMA_FOR_LOG);
	if (!kma_live_is_open())
		kma_boot_detach();
	kma_relay_stop();
	return 0;
}

static int kma_control_log_free(void)
{
	kma_control_log_off();
	kma_relay_free();
	return 0;
}

static int kma_control_flush(void)
{
	if (kma_logging)
		kma_relay_flush();
	return 0;
}

static int kma_control_latency_on(void)
{
	int err;

	if (!kma_latency_on)
		return -EOPNOTSUPP;
	if (kma_timing)
		return 0;
	err = kma_control_tables();
	if (err)
		return err;
	kma_latency_start(kma_probe_waits());
	err = kma_probe_waits_register();
	kma_timing = !err;
	return err;
}

static int kma_control_latency_off(void)
{
	if (kma_timing)
		kma_probe_waits_unregister();
	kma_timing = false;
	return 0;
}

static int kma_control_clear(void)
{
	bool on = kma_live_is_open();

	if (kma_later_tables)
		return 0;
	kma_latency_reset();
	kma_live_close();
	kma_control_quiesce();
	kma_untraced_settle();
	kma_control_reset();
	if (on)
		kma_live_open();
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} kma_commands[] = {
	{ "on", kma_control_on },
	{ "off", kma_control_off },
	{ "clear", kma_control_clear },
	{ "log on", kma_control_log_on },
	{ "log off", kma_control_log_off },
	{ "log free", kma_control_log_free },
	{ "flush", kma_control_flush },
	{ "latency on", kma_control_latency_on },
	{ "latency off", kma_control_latency_off },
};

int kma_control_command(const char *command)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(kma_commands); i++) {
		if (!sysfs_streq(kma_commands[i].name, command))
			continue;
		mutex_lock(&kma_control_lock);
		err = kma_commands[i].run();
		mutex_unlock(&kma_control_lock);
		return err;
	}
	return -EINVAL;
}

int kma_control_begin(void)
{
	int err;

	mutex_lock(&kma_control_lock);
	kma_asleep = true;
	/* nobody asks for what cannot be done */
	WRITE_ONCE(kma_grow_asked, true);
	err = kma_control_on();
	mutex_unlock(&kma_control_lock);
	return err;
}

void kma_control_settle(void)
{
	/* it has room for one who waits */
	mutex_lock(&kma_control_lock);
	irq_work_sync(&kma_grow_irq_work);
	mutex_unlock(&kma_control_lock);
	flush_delayed_work(&kma_grow_work);
}

void kma_control_wake(void)
{
	mutex_lock(&kma_control_lock);
	if (kma_asleep) {
		kma_asleep = false;
		if (kma_live_is_open())
			kma_control_attend();
		/* somebody may have wanted to ask */
		queue_delayed_work(kma_unbound_wq, &kma_grow_work, 0);
	}
	mutex_unlock(&kma_control_lock);
}

struct kma_report *kma_control_report(unsigned int sort, bool all)
{
	struct kma_report *report;

	mutex_lock(&kma_control_lock);
	kma_untraced_settle();
	report = kma_report_create(sort, all);
	mutex_unlock(&kma_control_lock);
	return report;
}

unsigned int kma_control_freeze(void)
{
	mutex_lock(&kma_control_lock);
	return kma_generation;
}

void kma_control_thaw(void)
{
	mutex_unlock(&kma_control_lock);
}

static bool kma_want_births(void)
{
	return kma_age_on || kma_errors_on;
}

/* At 16 bytes an object, or 32 with its birth. */
static unsigned long kma_default_objects(void)
{
	return ((totalram_pages() << PAGE_SHIFT) / 16 / 16) >> kma_want_births();
}

int kma_control_init(unsigned int max_sites, unsigned long max_objects,
		     bool untraced, const struct kma_wish *wish)
{
	int err;

	kma_control_untraced = untraced;
	/* a map of before may have been full, and have asked for the last time */
	WRITE_ONCE(kma_grow_asked, false);
	err = kma_site_init(max_sites);
	if (err)
		return err;
	err = kma_peak_init(wish->stack_depth > 1);
	if (err)
		goto err_site;
	err = kma_live_init(max_objects ?: kma_default_objects(),
			    kma_want_births(), kma_grow_wake);
	if (err)
		goto err_peak;
	err = kma_age_init();
	if (err)
		goto err_live;
	err = kma_errors_init();
	if (err)
		goto err_age;
	err = kma_latency_init();
	if (err)
		goto err_errors;
	err = kma_detail_init(wish);
	if (err)
		goto err_latency;
	err = register_module_notifier(&kma_module_nb);
	if (err)
		goto err_detail;
	kma_later_tables = NULL;
	return 0;

err_detail:
	kma_detail_deinit();
err_latency:
	kma_latency_deinit();
err_errors:
	kma_errors_deinit();
err_age:
	kma_age_deinit();
err_live:
	kma_live_deinit();
err_peak:
	kma_peak_deinit();
err_site:
	kma_site_deinit();
	return err;
}

void kma_control_later(int (*make)(void))
{
	kma_later_tables = make;
}

void kma_control_deinit(void)
{
	mutex_lock(&kma_control_lock);
	kma_control_log_free();
	kma_control_latency_off();
	kma_control_off();
	/*
	 * A hook that was interrupted before it began counts before it looks at the
	 * map: it finds no site to count at.
	 */
	kma_site_hide();
	kma_boot_synchronize();
	mutex_unlock(&kma_control_lock);
	/* no probe runs any more: nobody asks for growth */
	irq_work_sync(&kma_grow_irq_work);
	cancel_delayed_work_sync(&kma_grow_work);
	cancel_delayed_work_sync(&kma_look_work);
	unregister_module_notifier(&kma_module_nb);
	kma_detail_deinit();
	kma_latency_deinit();
	kma_errors_deinit();
	kma_age_deinit();
	kma_live_deinit();
	kma_peak_deinit();
	kma_site_deinit();
}
