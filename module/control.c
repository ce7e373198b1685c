// SPDX-License-Identifier: GPL-2.0-only
/*
 * control.c - the commands of /proc/kmem_account: the account, the event log, the switches.
 *
 * Long file: a table of all commands, with one function or two for each.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/highmem.h>
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/account.h"
#include "account/birth.h"
#include "account/budget.h"
#include "account/class.h"
#include "account/events.h"
#include "account/live.h"
#include "account/peak.h"
#include "account/site.h"
#include "caller/caller.h"
#include "caller/frame.h"
#include "caller/path.h"
#include "caller/sample.h"
#include "caller/text.h"
#include "control.h"
#include "growth.h"
#include "guard/serial.h"
#include "log/relay.h"
#include "oom.h"
#include "peak_work.h"
#include "pressure.h"
#include "retire.h"
#include "show/debugfs.h"
#include "show/oom_report.h"
#include "source/boot.h"
#include "source/kprobe.h"
#include "source/tracepoint.h"
#include "watch/cgroup.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/group.h"
#include "watch/latency.h"
#include "watch/lifetime.h"
#include "watch/switches.h"

#define KMA_NO_SUCH_VALUE	1	/* a command does not have the value */

static bool kma_control_untraced;
static bool kma_logging;		/* an event log is on */
static int (*kma_later_tables)(void);	/* makes the tables; NULL if they exist */
static bool kma_asleep;			/* in early boot: no work queues, no kprobes */

/* The number of calls and events that may have allocated without being seen. */
static unsigned long kma_control_missed(void)
{
	return kma_untraced_missed() +
	       kma_account_totals().drops[KMA_DROP_NMI];
}

/*
 * Open the gate of the switch errors: frees are checked while the account is on and all
 * probes are attached. In early boot kprobes cannot be attached yet.
 */
static void kma_control_watch(void)
{
	if (!kma_switches.errors || !kma_live_is_open() || kma_asleep)
		return;
	kma_probe_entry_attach();
	kma_errors_watch(kma_untraced_complete() ? kma_control_missed : NULL);
}

/* Close the gate before the account is turned off or cleared: later events may be missed. */
static void kma_control_unwatch(void)
{
	kma_errors_unwatch();
	kma_probe_entry_detach();
}

/* Start the kprobes and workers of an account that is on. */
static void kma_control_attend(void)
{
	if (kma_asleep)
		return;
	if (kma_control_untraced)
		kma_untraced_register(KMA_FOR_ACCOUNT);
	kma_growth_start();
	kma_peak_work_start();
	kma_pressure_start();
	kma_oom_start();
}

/*
 * Wait for all events that are in progress now. In early boot the kernel cannot wait, but
 * no event is in progress either: there is one CPU, with interrupts off.
 */
static void kma_control_quiesce(void)
{
	if (kma_asleep)
		return;
	kma_probe_synchronize();
	kma_boot_synchronize();
}

/* Let events into the map, or not; growth tells events how large an open map is. */
static void kma_control_gate(bool open)
{
	kma_serial_lock_map();
	if (open)
		kma_live_open();
	else
		kma_live_close();
	kma_serial_unlock_map();
}

/*
 * Reset all numbers. The map is closed, and the events that it let in have ended. A late
 * event counts before it sees that the map is closed, and then undoes the count. Sites and
 * classes are hidden first, so that it finds no counter that is about to be cleared.
 */
static void kma_control_reset(void)
{
	kma_site_hide();
	kma_class_hide();
	kma_control_quiesce();
	kma_serial_next();
	kma_serial_lock_map();
	kma_account_reset();
	kma_serial_unlock_map();
	kma_dispatch_reset();
	kma_oom_forget();
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
	/* If the probes cannot be attached, the numbers of the account before stay. */
	err = kma_probe_register(KMA_FOR_ACCOUNT, kma_control_untraced);
	if (err)
		return err;
	kma_control_reset();
	kma_control_attend();
	kma_boot_attach();
	kma_control_gate(true);
	kma_boot_replay();
	kma_control_watch();
	return 0;
}

static int kma_control_off(void)
{
	if (!kma_live_is_open())
		return 0;
	kma_control_unwatch();
	kma_control_gate(false);
	kma_probe_unregister(KMA_FOR_ACCOUNT);
	if (!kma_logging)
		kma_boot_detach();
	kma_boot_synchronize();
	kma_untraced_unregister(KMA_FOR_ACCOUNT);
	return 0;
}

static int kma_control_clear(void)
{
	bool on = kma_live_is_open();

	if (kma_later_tables)
		return 0;
	kma_latency_reset();
	kma_control_unwatch();
	kma_control_gate(false);
	kma_control_quiesce();
	kma_untraced_settle();
	kma_control_reset();
	if (on)
		kma_control_gate(true);
	kma_control_watch();
	return 0;
}

/*
 * The event log: log/ has its buffers and its gate, source/ has the probes. To start a log, create
 * the buffers, attach the probes and open the gate; to end it, undo these steps in reverse order.
 * The account may be on or off.
 */
static const struct kma_log_sources kma_logging_sources = {
	.wait = kma_probe_synchronize,
	.settle = kma_untraced_settle,
};

static int kma_logging_attach(bool untraced)
{
	int err = kma_probe_register(KMA_FOR_LOG, untraced);

	if (err)
		return err;
	if (untraced)
		kma_untraced_register(KMA_FOR_LOG);
	kma_boot_attach();
	return kma_relay_open();
}

static void kma_logging_detach(void)
{
	kma_probe_unregister(KMA_FOR_LOG);
	kma_untraced_unregister(KMA_FOR_LOG);
	if (!kma_live_is_open())
		kma_boot_detach();
	kma_relay_stop();
}

static int kma_logging_start(bool untraced)
{
	int err;

	if (kma_logging)
		return 0;
	err = kma_relay_start(kma_debugfs_folder(), &kma_logging_sources);
	if (err)
		return err;
	err = kma_logging_attach(untraced);
	if (err) {
		kma_logging_detach();
		kma_relay_free();
	}
	kma_logging = !err;
	return err;
}

static int kma_logging_stop(void)
{
	if (!kma_logging)
		return 0;
	kma_logging = false;
	kma_relay_shut();
	kma_relay_seal();
	kma_logging_detach();
	return 0;
}

static int kma_logging_free(void)
{
	kma_logging_stop();
	kma_relay_free();
	return 0;
}

static int kma_logging_flush(void)
{
	if (kma_logging)
		kma_relay_flush();
	return 0;
}

/* The event log needs the tables: the notifier of modules, and the kinds of functions. */
static int kma_control_log_on(void)
{
	return kma_control_tables() ?: kma_logging_start(kma_control_untraced);
}

static int kma_control_latency_on(void)
{
	int err;

	if (kma_switches.latency)
		return 0;
	err = kma_control_tables() ?: kma_dispatch_origins() ?:
	      kma_latency_reserve();
	if (err)
		return err;
	kma_latency_start(kma_probe_latency());
	err = kma_probe_latency_register();
	if (err)
		return err;
	kma_latency_reset();
	kma_switches.latency = true;
	kma_debugfs_update();
	return 0;
}

static int kma_control_latency_off(void)
{
	if (kma_switches.latency)
		kma_probe_latency_unregister();
	kma_switches.latency = false;
	return 0;
}

/*
 * Order: events take the long path; the last event on the short path ends; the gate opens.
 * From then on each object that is allocated has its kind of function.
 */
static int kma_control_errors_on(void)
{
	int err;

	if (kma_switches.errors)
		return 0;
	/* The free of an object whose allocation was missed would look like a double free. */
	if (!kma_control_untraced) {
		pr_err("errors on: the module was loaded with untraced=0; load it with untraced=1\n");
		return -EOPNOTSUPP;
	}
	if (kma_boot_tells(KMA_EVENTS_SLAB)) {
		pr_err("errors on: the hooks of this kernel do not report which function frees; boot with kmem_account.errors=1\n");
		return -EOPNOTSUPP;
	}
	err = kma_control_tables() ?: kma_errors_reserve();
	if (err)
		return err;
	kma_dispatch_use(KMA_DISPATCH_ERRORS, true);
	kma_control_quiesce();
	kma_switches.errors = true;
	kma_control_watch();
	kma_debugfs_update();
	return 0;
}

/*
 * Order: the gate closes; the last event that uses the kind of function ends; events may take
 * the short path again. Classes keep their kind of function, which remains correct.
 */
static int kma_control_errors_off(void)
{
	if (!kma_switches.errors)
		return 0;
	kma_switches.errors = false;
	kma_control_unwatch();
	kma_control_quiesce();
	kma_errors_release();
	kma_dispatch_use(KMA_DISPATCH_ERRORS, false);
	return 0;
}

/* Tell events whether the call site alone is the site. Events on both paths may run. */
static void kma_control_callers(void)
{
	bool stacks = kma_switches.stack_depth;
	bool samples = stacks && kma_switches.stack_every > 1;

	kma_caller_use(kma_switches.wrappers || stacks);
	kma_account_sites_by(samples ? kma_caller_counted : NULL);
	kma_dispatch_use(KMA_DISPATCH_SAMPLES, samples);
	kma_dispatch_use(KMA_DISPATCH_CALLER, kma_switches.wrappers || (stacks && !samples));
	kma_control_quiesce();
}

static int kma_control_wrap(const char *list)
{
	char *text = list ? kstrdup(list, GFP_KERNEL) : NULL;
	int err = list && !text ? -ENOMEM : kma_dispatch_wrap(list);

	if (err) {
		kfree(text);
		return err;
	}
	kma_switches_wrap(text);
	kma_control_callers();
	kma_frame_settle();
	return 0;
}

static int kma_control_wrappers_off(void)
{
	return kma_switches.wrappers ? kma_control_wrap(NULL) : 0;
}

/* Check that each name of a list is a function of the kernel. */
static int kma_control_check_names(const char *list)
{
	char *copy = kstrdup(list, GFP_KERNEL), *rest = copy, *name;
	int err = copy ? 0 : -ENOMEM;

	while (!err && (name = strsep(&rest, ","))) {
		if (!strcmp(name, "default") || kma_untraced_names(name))
			continue;
		pr_err("wrappers: '%.60s' is not a function of this kernel (expected default or names of functions, separated by commas, or off)\n",
		       name);
		err = -EINVAL;
	}
	kfree(copy);
	return err;
}

static int kma_control_wrappers(const char *list)
{
	return kma_control_check_names(list) ?: kma_control_tables() ?: kma_control_wrap(list);
}

/* The quick index has the previous sites. Empty it, so that each event finds its site again. */
static void kma_control_find_again(void)
{
	kma_serial_lock_map();
	kma_class_forget();
	kma_serial_unlock_map();
}

static int kma_control_stacks_off(void)
{
	if (!kma_switches.stack_depth)
		return 0;
	kma_switches.stack_depth = 0;
	kma_path_init(0);
	kma_control_callers();
	if (kma_switches.stack_every > 1)
		kma_control_find_again();
	return 0;
}

static int kma_control_stacks(const char *value)
{
	bool was_on = kma_switches.stack_depth;
	unsigned int depth, every = 1;
	int end = 0, err;

	if (sscanf(value, "%2u%n/%5u%n", &depth, &end, &every, &end) < 1 || value[end] ||
	    depth < 2 || depth > KMA_PATH_DEPTH_MAX || !every || every > KMA_SAMPLE_MAX)
		return KMA_NO_SUCH_VALUE;
	if (!kma_path_fits(every, was_on)) {
		pr_err("stacks: the account has stacks with another N, or sampled ones from before \"stacks off\"; write stacks off, then clear\n");
		return -EBUSY;
	}
	err = kma_control_tables() ?: kma_dispatch_origins() ?:
	      kma_peak_paths() ?: kma_path_init(depth);
	if (err)
		return err;
	kma_switches.stack_depth = depth;
	kma_switches.stack_every = every;
	/* nothing is sampled until kma_path_begin() has marked the existing call sites */
	if (!was_on)
		kma_sample_use(every > 1 ? KMA_SAMPLE_NONE : KMA_SAMPLE_ALL);
	kma_control_callers();
	if (was_on)
		return 0;
	kma_path_begin(every);
	kma_sample_use(every);
	if (every > 1)
		kma_control_find_again();
	return 0;
}

/* birth.h explains the steps. */
static int kma_control_age_on(void)
{
	int err = kma_control_tables();

	if (err || kma_births_on)
		return err;
	err = kma_age_reserve();
	if (err)
		return err;
	kma_dispatch_use(KMA_DISPATCH_OBJECTS, true);
	kma_control_quiesce();
	WRITE_ONCE(kma_births_on, true);
	kma_debugfs_update();
	return 0;
}

static int kma_control_age_off(void)
{
	if (!kma_births_on)
		return 0;
	WRITE_ONCE(kma_births_on, false);
	kma_control_quiesce();
	kma_serial_lock_map();
	kma_live_detach();
	kma_serial_unlock_map();
	kma_dispatch_use(KMA_DISPATCH_OBJECTS, false);
	kma_age_release();
	return 0;
}

/*
 * Turn the switches cgroup and node on or off. The kept groups (group_now.h) and the quick index
 * belong to the previous switches until the last event that uses these has ended, so they are
 * dropped only then. After that, the quick index has no class without a group while a switch is on
 * (account.h).
 */
static int kma_control_groups(bool cgroup, bool node)
{
	int err;

	if (cgroup == kma_switches.cgroup && node == kma_switches.node)
		return 0;
	if (cgroup && !IS_ENABLED(CONFIG_CGROUPS)) {
		pr_err("cgroup on: this kernel has no cgroups (CONFIG_CGROUPS)\n");
		return -EOPNOTSUPP;
	}
	err = kma_control_tables() ?: kma_group_reserve(kma_cgroup_wake);
	if (err)
		return err;
	kma_switches.cgroup = cgroup;
	kma_switches.node = node;
	kma_group_switch(cgroup, node);
	kma_dispatch_use(KMA_DISPATCH_GROUPS, cgroup || node);
	kma_control_quiesce();
	kma_group_forget();
	kma_serial_lock_map();
	kma_class_forget();
	kma_serial_unlock_map();
	if (cgroup)
		kma_cgroup_start();
	kma_debugfs_update();
	return 0;
}

static int kma_control_cgroup_on(void)
{
	return kma_control_groups(true, kma_switches.node);
}

static int kma_control_cgroup_off(void)
{
	return kma_switches.cgroup ? kma_control_groups(false, kma_switches.node) : 0;
}

static int kma_control_node_on(void)
{
	return kma_control_groups(kma_switches.cgroup, true);
}

static int kma_control_node_off(void)
{
	return kma_switches.node ? kma_control_groups(kma_switches.cgroup, false) : 0;
}

static int kma_control_log_free(const char *value)
{
	return strcmp(value, "free") ? KMA_NO_SUCH_VALUE : kma_logging_free();
}

/**
 * struct kma_command - a command and its values
 * @name: first word of the command
 * @on: function for the value on; or, if @off is NULL, for no value
 * @off: function for the value off
 * @other: function for all other values; or NULL
 * @expected: description of the valid values, for the message about an invalid value
 */
struct kma_command {
	const char *name;
	int (*on)(void);
	int (*off)(void);
	int (*other)(const char *value);
	const char *expected;
};

static const struct kma_command kma_commands[] = {
	{ "on", kma_control_on, NULL, NULL, "no value" },
	{ "off", kma_control_off, NULL, NULL, "no value" },
	{ "clear", kma_control_clear, NULL, NULL, "no value" },
	{ "flush", kma_logging_flush, NULL, NULL, "no value" },
	{ "log", kma_control_log_on, kma_logging_stop, kma_control_log_free, "on, off or free" },
	{ "latency", kma_control_latency_on, kma_control_latency_off, NULL, "on or off" },
	{ "errors", kma_control_errors_on, kma_control_errors_off, NULL, "on or off" },
	{ "wrappers", NULL, kma_control_wrappers_off, kma_control_wrappers,
	  "default or names of functions, separated by commas, or off" },
	{ "stacks", NULL, kma_control_stacks_off, kma_control_stacks,
	  "2 to 16, alone or as DEPTH/N with N up to 65536, or off" },
	{ "age", kma_control_age_on, kma_control_age_off, NULL, "on or off" },
	{ "cgroup", kma_control_cgroup_on, kma_control_cgroup_off, NULL, "on or off" },
	{ "node", kma_control_node_on, kma_control_node_off, NULL, "on or off" },
};

/* The commands of the table, for the message about an unknown command. */
#define KMA_COMMAND_NAMES						\
	"on, off, clear, flush, log, latency, errors, age, cgroup, node, wrappers or stacks"

static const struct kma_command *kma_command_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kma_commands); i++)
		if (!strcmp(kma_commands[i].name, name))
			return &kma_commands[i];
	return NULL;
}

static int kma_command_value(const struct kma_command *c, const char *value)
{
	if (!value || !c->off)
		return value || c->off ? KMA_NO_SUCH_VALUE : c->on();
	if (c->on && !strcmp(value, "on"))
		return c->on();
	if (!strcmp(value, "off"))
		return c->off();
	return *value && c->other ? c->other(value) : KMA_NO_SUCH_VALUE;
}

/* The caller holds kma_serial_lock_command(). @value is NULL if the command has no value. */
static int kma_command_run(const struct kma_command *c, const char *value)
{
	int err = kma_command_value(c, value);

	if (err != KMA_NO_SUCH_VALUE)
		return err;
	pr_err("%s: invalid value '%.40s' (expected %s)\n", c->name, value ?: "",
	       c->expected);
	return -EINVAL;
}

/* Replace control characters, which a terminal would obey, by question marks. */
static void kma_command_clean(char *text)
{
	for (; *text; text++)
		if (!isascii(*text) || !isprint(*text))
			*text = '?';
}

static int kma_command_parse(char *text)
{
	struct kma_budget_stats budget;
	const struct kma_command *c;
	char *value = text, *name;
	size_t len = strlen(text);
	int err;

	if (len && text[len - 1] == '\n')
		text[len - 1] = '\0';
	kma_command_clean(text);
	name = strsep(&value, " ");
	c = kma_command_find(name);
	if (!c) {
		pr_err("unknown command '%.40s' (expected " KMA_COMMAND_NAMES ")\n",
		       name);
		return -EINVAL;
	}
	kma_serial_lock_command();
	kma_budget_ask();
	err = kma_command_run(c, value);
	budget = kma_budget_stats();
	kma_serial_unlock_command();
	if (err == -ENOMEM && budget.wanted)
		pr_err("%s: max_memory is %lu KiB, but at least %lu KiB are needed; nothing was changed (load the module with a larger max_memory=)\n",
		       c->name, budget.max >> 10, budget.wanted >> 10);
	else if (err == -ENOMEM)
		pr_err("%s: out of memory; nothing was changed\n", c->name);
	return err;
}

int kma_control_command(const char *command)
{
	char *text = kstrdup(command, GFP_KERNEL);
	int err = text ? kma_command_parse(text) : -ENOMEM;

	kfree(text);
	return err;
}

int kma_control_begin(void)
{
	int err;

	kma_serial_lock_command();
	kma_asleep = true;
	/* without work queues no request for growth can be served */
	kma_growth_allow(false);
	err = kma_control_on();
	kma_serial_unlock_command();
	return err;
}

void kma_control_wake(void)
{
	kma_serial_lock_command();
	if (kma_asleep) {
		kma_asleep = false;
		/* starts the growth worker, which serves requests from before */
		if (kma_live_is_open())
			kma_control_attend();
		/* wait for frees and kprobes that were running when the kprobes were attached */
		kma_control_quiesce();
		kma_control_watch();
	}
	kma_serial_unlock_command();
}

/* The limit of the map in bytes: by default a thirty-second of the (low) memory. */
static unsigned long kma_map_bytes(unsigned long max_objects)
{
	unsigned long memory = (totalram_pages() - totalhigh_pages()) << PAGE_SHIFT;

	return max_objects ? min(max_objects, memory / KMA_OBJECT_BYTES) * KMA_OBJECT_BYTES :
			     memory / 32;
}

static int kma_cpus_state = -1;		/* CPU hotplug state; negative if not registered */

/*
 * A CPU gets its counters before it comes online for the first time; CPUs that are online
 * get them now. A CPU that goes offline keeps its counters. cpuhp_setup_state() cannot do
 * this: in v5.10 it does not call a dynamic prepare state for CPUs that are online.
 */
static int kma_cpus_add(unsigned int cpu)
{
	return kma_class_add_cpu(cpu) ?: kma_age_add_cpu(cpu);
}

static int kma_cpus_init(void)
{
	int cpu, err = 0;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		err = kma_cpus_add(cpu);
		if (err)
			goto out;
	}
	kma_cpus_state =
		cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN,
						     "kmem_account:prepare",
						     kma_cpus_add, NULL);
	err = min(kma_cpus_state, 0);
out:
	cpus_read_unlock();
	return err;
}

static void kma_cpus_deinit(void)
{
	if (kma_cpus_state >= 0)
		cpuhp_remove_state_nocalls(kma_cpus_state);
	kma_cpus_state = -1;
}

/*
 * Tables that the parameters need are reserved at once. A command that switches a feature on later
 * reserves those of that feature. All are kept until kma_tables_deinit().
 */
static int kma_tables_init(unsigned int max_sites, unsigned long max_objects,
			   const struct kma_features *features)
{
	int err;

	err = kma_site_init(max_sites);
	if (err)
		return err;
	err = kma_class_init(kma_growth_wake);
	if (err)
		goto err_site;
	err = kma_cpus_init();
	if (err)
		goto err_class;
	err = kma_peak_init(features->stack_depth > 1);
	if (err)
		goto err_cpus;
	err = kma_live_init(kma_map_bytes(max_objects), kma_growth_wake);
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
	err = kma_dispatch_init(features);
	if (err)
		goto err_latency;
	kma_births_on = kma_age_asked;
	return 0;

err_latency:
	kma_latency_deinit();
err_errors:
	kma_errors_deinit();
err_age:
	kma_age_release();
err_live:
	kma_live_deinit();
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

static void kma_tables_deinit(void)
{
	kma_births_on = false;
	kma_dispatch_deinit();
	kma_latency_deinit();
	kma_errors_deinit();
	kma_age_release();
	kma_live_deinit();
	kma_peak_deinit();
	kma_cpus_deinit();
	kma_class_deinit();
	kma_site_deinit();
}

/* Set the switches as the parameters say; the tables are reserved. */
static int kma_control_switch(const struct kma_features *features)
{
	kma_switches_reset();
	kma_switches.stack_depth = features->stack_depth > 1 ? features->stack_depth : 0;
	kma_switches.stack_every = KMA_SAMPLE_ALL;
	kma_switches.errors = kma_errors_asked;
	kma_dispatch_use(KMA_DISPATCH_ERRORS, kma_errors_asked);
	if (!features->wrappers || !*features->wrappers)
		return 0;
	kma_switches_wrap(kstrdup(features->wrappers, GFP_KERNEL));
	return kma_switches.wrappers ? 0 : -ENOMEM;
}

int kma_control_init(unsigned int max_sites, unsigned long max_objects,
		     bool untraced, const struct kma_features *features)
{
	int err;

	kma_control_untraced = untraced;
	/* an earlier map may have reached its full size, and stopped the requests */
	kma_growth_allow(true);
	err = kma_tables_init(max_sites, max_objects, features);
	if (err)
		return err;
	err = kma_control_switch(features) ?: kma_retire_init();
	if (err) {
		kma_switches_reset();
		kma_tables_deinit();
		return err;
	}
	/* a module that was loaded before kma_retire_init() may be missing */
	kma_text_each_module(kma_dispatch_learn, NULL);
	kma_later_tables = NULL;
	return 0;
}

void kma_control_later(int (*make)(void))
{
	kma_later_tables = make;
}

void kma_control_deinit(void)
{
	kma_serial_lock_command();
	kma_logging_free();
	kma_control_latency_off();
	kma_control_off();
	/*
	 * A hook may have been interrupted before it began. It counts before it sees that
	 * the map is closed, so hide the sites: it then finds no counter.
	 */
	kma_site_hide();
	kma_class_hide();
	kma_boot_synchronize();
	kma_serial_unlock_command();
	/* first, because the worker of cgroups requests growth, too (kma_class_fold()) */
	kma_group_switch(false, false);
	kma_cgroup_stop();
	/* no probe runs, so no event requests growth; the worker that gives back may */
	kma_pressure_stop();
	kma_growth_stop();
	kma_peak_work_stop();
	kma_oom_stop();
	kma_retire_deinit();
	kma_tables_deinit();
	kma_group_release();
	kma_switches_reset();
}
