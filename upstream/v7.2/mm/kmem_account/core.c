// SPDX-License-Identifier: GPL-2.0-only
/*
 * core.c - the tables of the account, and the commands that control it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/init.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "account/account.h"
#include "account/budget.h"
#include "account/class.h"
#include "account/live.h"
#include "account/peak.h"
#include "account/site.h"
#include "core.h"
#include "growth.h"
#include "guard/serial.h"
#include "peak_work.h"
#include "pressure.h"
#ifdef KMA_WITH_RETIRE
#include "retire.h"
#endif
#ifdef KMA_WITH_DEBUGFS
#include "show/debugfs.h"
#endif
#ifdef KMA_WITH_PROCFS
#include "show/procfs.h"
#include "show/report.h"
#endif
#include "source/boot.h"

#define KMA_CORE_SITES		8191	/* call sites; a kernel has a few thousand */

static bool kma_core_ready;	/* the tables exist */
static bool kma_core_asleep;	/* early boot: there are no work queues yet */
static int kma_cpus_state = -1;

/* A CPU gets its counters before it comes online for the first time, and keeps them. */
static int kma_cpus_init(void)
{
	int cpu, err = 0;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		err = err ?: kma_class_add_cpu(cpu);
	if (!err) {
		kma_cpus_state = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN,
								      "kmem_account:prepare",
								      kma_class_add_cpu, NULL);
		err = min(kma_cpus_state, 0);
	}
	cpus_read_unlock();
	return err;
}

static void kma_cpus_deinit(void)
{
	if (kma_cpus_state >= 0)
		cpuhp_remove_state_nocalls(kma_cpus_state);
	kma_cpus_state = -1;
}

int kma_core_make(unsigned int max_sites, unsigned long max_objects)
{
	int err;

	kma_growth_allow(true);
	kma_budget_set(kma_budget_default((u64)totalram_pages() << PAGE_SHIFT), 0);
	err = kma_site_init(max_sites);
	if (err)
		return err;
	err = kma_class_init(kma_growth_wake);
	if (err)
		goto err_site;
	err = kma_cpus_init();
	if (err)
		goto err_class;
	err = kma_peak_init(false);
	if (err)
		goto err_cpus;
	err = kma_live_init(max_objects ? max_objects * KMA_OBJECT_BYTES : share,
			    kma_growth_wake);
	if (err)
		goto err_peak;
	kma_core_ready = true;
	return 0;

err_peak:
	kma_peak_deinit();
err_cpus:
	kma_cpus_deinit();
err_class:
	kma_class_deinit();
err_site:
	kma_site_deinit();
	return err;
}

static void kma_core_quiesce(void)
{
	/* in early boot there is one CPU, with interrupts off, and no event is in progress */
	if (!kma_core_asleep)
		kma_boot_synchronize();
}

/*
 * Start a new account, with all counts 0. The map is closed, but an event that has already begun
 * counts before it sees that, and takes its count back afterwards. Hide sites and classes first,
 * so that no such event finds a counter.
 */
static void kma_core_reset(void)
{
	kma_site_hide();
	kma_class_hide();
	kma_core_quiesce();
	kma_serial_next();
	kma_account_reset();
}

/* Start the workers, unless there are no work queues yet. */
static void kma_core_attend(void)
{
	if (kma_core_asleep)
		return;
	kma_growth_start();
	kma_peak_work_start();
	kma_pressure_start();
}

static int kma_core_on(void)
{
	int err;

	if (kma_live_is_open())
		return 0;
	err = kma_core_ready ? 0 : kma_core_make(KMA_CORE_SITES, 0);
	if (err)
		return err;
	kma_core_reset();
	kma_core_attend();
	kma_boot_attach();
	kma_live_open();
	kma_boot_replay();
	return 0;
}

static int kma_core_off(void)
{
	kma_live_close();
	kma_boot_detach();
	return 0;
}

static int kma_core_clear(void)
{
	bool on = kma_live_is_open();

	if (!kma_core_ready)
		return 0;
	kma_live_close();
	kma_core_quiesce();
	kma_core_reset();
	if (on)
		kma_live_open();
	return 0;
}

void kma_core_drop(void)
{
	if (!kma_core_ready)
		return;
	kma_serial_lock();
	kma_core_off();
	kma_site_hide();
	kma_class_hide();
	kma_boot_synchronize();
	kma_serial_unlock();
	kma_growth_stop();
	kma_pressure_stop();
	kma_peak_work_stop();
	kma_core_ready = false;
	kma_live_deinit();
	kma_peak_deinit();
	kma_cpus_deinit();
	kma_class_deinit();
	kma_site_deinit();
}

static const struct {
	const char *name;
	int (*run)(void);
} kma_core_commands[] = {
	{ "on", kma_core_on },
	{ "off", kma_core_off },
	{ "clear", kma_core_clear },
};

int kma_core_command(const char *command)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(kma_core_commands); i++) {
		if (!sysfs_streq(kma_core_commands[i].name, command))
			continue;
		kma_serial_lock();
		err = kma_core_commands[i].run();
		kma_serial_unlock();
		return err;
	}
	return -EINVAL;
}

int __init kma_boot_start(void)
{
	int err = kma_core_make(KMA_CORE_SITES, 0);

	if (err)
		return err;
	kma_serial_lock();
	kma_core_asleep = true;
	kma_growth_allow(false);
	err = kma_core_on();
	kma_serial_unlock();
	return err;
}

/* The first initcall after work queues exist: start what early boot could not start. */
static int __init kma_core_wake(void)
{
	kma_serial_lock();
	if (kma_core_asleep) {
		kma_core_asleep = false;
		kma_growth_allow(true);
		kma_core_attend();
	}
	kma_serial_unlock();
	return 0;
}
core_initcall(kma_core_wake);
#ifdef KMA_WITH_PROCFS

static unsigned int kma_sort;

static int kma_sort_set(const char *value, const struct kernel_param *kp)
{
	int sort = kma_report_sort_parse(value);

	if (sort >= 0)
		WRITE_ONCE(kma_sort, sort);
	return min(sort, 0);
}

static int kma_sort_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", kma_report_sort_name(kma_sort));
}

static const struct kernel_param_ops kma_sort_ops = {
	.set = kma_sort_set,
	.get = kma_sort_get,
};

module_param_cb(sort, &kma_sort_ops, NULL, 0644);
MODULE_PARM_DESC(sort, "Column that orders the rows: total, slack, req, peak, allocs or frees");
#endif

static int __init kma_core_init(void)
{
	if (kma_boot_asked() && !kma_core_ready)
		kma_core_command("on");
#ifdef KMA_WITH_RETIRE
	kma_retire_init();
#endif
#ifdef KMA_WITH_DEBUGFS
	kma_debugfs_init();
#endif
#ifdef KMA_WITH_PROCFS
	return kma_procfs_init(&kma_sort, kma_core_command);
#else
	return 0;
#endif
}
fs_initcall(kma_core_init);
