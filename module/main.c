// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - kmem_account: every byte that the slab allocator holds, by owner.
 *
 * Parameters, loading and unloading; nothing else.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/highmem.h>
#include <linux/init.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "account/budget.h"
#include "account/class.h"
#include "account/events.h"
#include "account/key.h"
#include "account/kmem_cache.h"
#include "account/large.h"
#include "account/live.h"
#include "account/site.h"
#include "caller/path.h"
#include "caller/text.h"
#include "control.h"
#include "guard/access.h"
#include "log/clock.h"
#include "log/relay.h"
#include "oom.h"
#include "peak_work.h"
#include "show/debugfs.h"
#include "show/procfs.h"
#include "show/report.h"
#include "source/boot.h"
#include "source/kprobe.h"
#include "source/selftest.h"
#include "uapi/version.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/group.h"
#include "watch/latency.h"
#include "watch/lifetime.h"

#define KMA_MIN_SITES	16
#define KMA_MIN_CGROUPS	16
#define KMA_SITES_SHARE		8	/* at boot sites take 1/8 of the memory at most */
#define KMA_SITES_BUDGET	2	/* and 1/2 of max_memory */

/*
 * A kernel has some thousand call sites. A small machine has fewer drivers, and little memory for
 * tables: one call site for each 256 KiB, within bounds. An account that starts at boot also has
 * the call sites of the boot itself.
 */
#define KMA_SITES_LEAST		(IS_ENABLED(CONFIG_KMEM_ACCOUNT_BOOT) ? 8192ul : 2048ul)
#define KMA_SITES_MOST		8192ul
#define KMA_SITES_PAGES		((256ul << 10) >> PAGE_SHIFT ?: 1)

static unsigned int kma_max_sites;
module_param_named(max_sites, kma_max_sites, uint, 0400);
MODULE_PARM_DESC(max_sites,
		 "Call sites that the tables hold, 16 to 16383 (default 0: one for each 256 KiB of memory, 2047 to 8191)");

static unsigned long kma_max_objects;
module_param_named(max_objects, kma_max_objects, ulong, 0400);
MODULE_PARM_DESC(max_objects,
		 "Live objects that the map holds at most (default 0: as many as fit into a thirty-second of the memory)");

static char *kma_max_memory;
module_param_named(max_memory, kma_max_memory, charp, 0400);
MODULE_PARM_DESC(max_memory,
		 "Memory that the module may use, code and log included: bytes, a number with k, M or G, or a percentage of the memory with % (default a thirty-second of it, 4 MiB to 2 GiB)");

static bool kma_start_on = KMA_START_ON;
module_param_named(on, kma_start_on, bool, 0400);
MODULE_PARM_DESC(on,
		 "Start the account when loaded (default Y; N if kmem_account=on can start it at boot)");

static bool kma_untraced = true;
module_param_named(untraced, kma_untraced, bool, 0400);
MODULE_PARM_DESC(untraced,
		 "Use kprobes and ftrace where a trace event is missing or comes too late (default Y)");

module_param_named(peak_ms, kma_peak_ms, uint, 0400);
MODULE_PARM_DESC(peak_ms,
		 "Milliseconds between two samples of each site's live bytes, for its peak; 0 samples only when a report is read (default 100)");

/* Features that are off by default. */
static struct kma_features kma_features;
static char *kma_wrappers_asked;

module_param_named(wrappers, kma_wrappers_asked, charp, 0400);
MODULE_PARM_DESC(wrappers,
		 "Functions whose allocations are charged to their callers: symbols separated by commas, or default for the usual ones (default none)");

module_param_named(stack_depth, kma_features.stack_depth, uint, 0400);
MODULE_PARM_DESC(stack_depth,
		 "Return addresses that distinguish call sites, 0 to 16 (default 0: the call site alone)");

static int kma_events_set(const char *value, const struct kernel_param *kp)
{
	int err = kma_events_parse(value);

	if (err)
		pr_err("invalid events='%.*s' (expected a list of slab, page and percpu, separated by commas)\n",
		       (int)strcspn(value, "\n"), value);
	return err;
}

static int kma_events_get(char *buffer, const struct kernel_param *kp)
{
	char names[KMA_EVENTS_LEN];

	kma_events_print(names);
	return sysfs_emit(buffer, "%s\n", names);
}

static const struct kernel_param_ops kma_events_ops = {
	.set = kma_events_set,
	.get = kma_events_get,
};

module_param_cb(events, &kma_events_ops, NULL, 0400);
MODULE_PARM_DESC(events,
		 "Memory to account: slab, page and percpu, separated by commas (default slab)");

/* With ages events take longer, and an object takes ten bytes more. */
module_param_named(age, kma_age_asked, bool, 0400);
MODULE_PARM_DESC(age,
		 "Record lifetimes, ages of live objects, and frees on another CPU or node (default N)");

module_param_named(errors, kma_errors_asked, bool, 0400);
MODULE_PARM_DESC(errors,
		 "Report frees by the wrong function, frees to the wrong cache, and double frees (default N)");

static bool kma_cgroup_asked;
module_param_named(cgroup, kma_cgroup_asked, bool, 0400);
MODULE_PARM_DESC(cgroup,
		 "Count by cgroup as well (default N)");

static bool kma_node_asked;
module_param_named(node, kma_node_asked, bool, 0400);
MODULE_PARM_DESC(node,
		 "Count by NUMA node as well (default N)");

module_param_named(max_cgroups, kma_max_cgroups, uint, 0400);
MODULE_PARM_DESC(max_cgroups,
		 "Cgroups that are counted separately, 16 to 8189; with node=1, each pair of a cgroup and a node counts as one (default 4096)");

module_param_named(latency, kma_latency_on, bool, 0400);
MODULE_PARM_DESC(latency,
		 "Measure direct reclaim and compaction, and record which call site waited (default N)");

/* A number that can be set while the module is loaded. */
static int kma_number_set(const char *value, const struct kernel_param *kp)
{
	return kma_access_parameter() ?: param_set_uint(value, kp);
}

static const struct kernel_param_ops kma_number_ops = {
	.set = kma_number_set,
	.get = param_get_uint,
};

module_param_cb(latency_threshold_us, &kma_number_ops, &kma_latency_threshold_us, 0600);
__MODULE_PARM_TYPE(latency_threshold_us, "uint");
MODULE_PARM_DESC(latency_threshold_us,
		 "Shortest wait that is charged to its call site, in microseconds; 0 for all (default 1000)");

module_param_cb(oom, &kma_number_ops, &kma_oom_on, 0600);
__MODULE_PARM_TYPE(oom, "uint");
MODULE_PARM_DESC(oom,
		 "Print the largest call sites at an OOM kill and at a panic; 0 to disable (default 1)");

#ifdef CONFIG_RELAY
static bool kma_log_on;
module_param_named(log, kma_log_on, bool, 0400);
MODULE_PARM_DESC(log,
		 "Start the event log when loaded (default N)");

module_param_cb(subbufs, &kma_number_ops, &kma_relay_subbufs, 0600);
__MODULE_PARM_TYPE(subbufs, "uint");
MODULE_PARM_DESC(subbufs,
		 "Sub-buffers of the event log for each CPU, 2 to 4096; from the next \"log on\" (default 16)");

module_param_cb(subbuf_size, &kma_number_ops, &kma_relay_subbuf_size, 0600);
__MODULE_PARM_TYPE(subbuf_size, "uint");
MODULE_PARM_DESC(subbuf_size,
		 "Bytes of a sub-buffer, rounded up to whole pages, up to 64 MiB; from the next \"log on\" (default 262144)");

static int kma_log_clock_set(const char *value, const struct kernel_param *kp)
{
	int err = kma_access_parameter();

	if (err)
		return err;
	err = kma_clock_set(value);
	if (err)
		pr_err("invalid log_clock='%.*s' (expected auto, counter, mono or local)\n",
		       (int)strcspn(value, "\n"), value);
	return err;
}

static int kma_log_clock_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", kma_clock_get());
}

static const struct kernel_param_ops kma_log_clock_ops = {
	.set = kma_log_clock_set,
	.get = kma_log_clock_get,
};

module_param_cb(log_clock, &kma_log_clock_ops, NULL, 0600);
MODULE_PARM_DESC(log_clock,
		 "Clock of the event log: counter (the machine's), mono (CLOCK_MONOTONIC), local (local_clock()), or auto (counter if the kernel uses it, else mono); from the next \"log on\" (default auto)");
#else
#define kma_log_on	false
#endif

static unsigned int kma_sort;

static int kma_sort_set(const char *value, const struct kernel_param *kp)
{
	int err = kma_access_parameter(), sort;

	if (err)
		return err;
	sort = kma_report_sort_parse(value);
	if (sort < 0) {
		pr_err("invalid sort='%.*s' (expected total, slack, req, allocs, frees or peak)\n",
		       (int)strcspn(value, "\n"), value);
		return sort;
	}
	WRITE_ONCE(kma_sort, sort);
	return 0;
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
MODULE_PARM_DESC(sort,
		 "Column that orders the rows: total, slack, req, peak, allocs or frees (default total)");

static unsigned long kma_memory_max;

/* Convert max_memory= to bytes. Tables are in low memory, which is all memory with 64 bits. */
static int __init kma_parse_memory(unsigned long *max)
{
	u64 memory = (u64)(totalram_pages() - totalhigh_pages()) << PAGE_SHIFT, bytes;
	char *end;

	if (!kma_max_memory || !*kma_max_memory) {
		*max = kma_budget_default(memory);
		return 0;
	}
	bytes = memparse(kma_max_memory, &end);
	if (end > kma_max_memory && !strcmp(end, "%") && bytes <= 100) {
		bytes = div_u64(((u64)totalram_pages() << PAGE_SHIFT) * bytes, 100);
		end++;
	}
	if (end == kma_max_memory || *end || !bytes || bytes > memory) {
		pr_err("invalid max_memory='%s' (expected bytes, or a number followed by k, M or G, or 1%% to 100%%; at most %llu MiB, the memory of this machine)\n",
		       kma_max_memory, memory >> 20);
		return -EINVAL;
	}
	*max = bytes;
	return 0;
}

/* Once at load; KUnit tests call it later, too. */
#ifdef KMA_KUNIT
#define __kma_checked
#else
#define __kma_checked	__init
#endif

static int __kma_checked kma_check_range(const char *name, unsigned int value,
					 unsigned int min, unsigned int max)
{
	if (value >= min && value <= max)
		return 0;
	pr_err("%s=%u: out of range (%u to %u)\n", name, value, min, max);
	return -EINVAL;
}

static int __kma_checked kma_check_params(void)
{
	int err;

	if (!kma_max_sites)
		kma_max_sites = clamp(roundup_pow_of_two(totalram_pages() / KMA_SITES_PAGES),
				      KMA_SITES_LEAST, KMA_SITES_MOST) - 1;
	err = kma_check_range("max_sites", kma_max_sites, KMA_MIN_SITES, KMA_SITE_MAX - 1) ?:
	      kma_check_range("max_cgroups", kma_max_cgroups, KMA_MIN_CGROUPS,
			      KMA_CLASS_GROUPS - KMA_GROUP_FIRST - 1) ?:
	      kma_check_range("stack_depth", kma_features.stack_depth, 0, KMA_PATH_DEPTH_MAX);
	if (err)
		return err;
	if (!kma_direct_fits(KMA_PTR_BITS)) {
		pr_err("memory above 128 TiB is not supported; boot with mem=128T\n");
		return -EOPNOTSUPP;
	}
	if (kma_events_wanted(KMA_EVENTS_PAGE | KMA_EVENTS_PERCPU) && !kma_key_fits()) {
		pr_err("events: page and percpu need all memory to be below "
		       KMA_KEY_NEEDS "; use events=slab\n");
		return -EOPNOTSUPP;
	}
	/* The free of an object whose allocation was missed would look like a double free. */
	if (kma_errors_asked && !kma_untraced) {
		pr_err("errors=1 needs untraced=1\n");
		return -EINVAL;
	}
	return 0;
}

#ifdef KMA_BOOT
/*
 * Reduce parameters that do not fit in the budget of @max bytes. At boot no user can choose
 * smaller values, and an account with fewer sites or objects is better than none. A site has
 * about two classes. Names and peaks of sites take about as much as the counters of one CPU.
 */
static void kma_fit_memory(unsigned long max)
{
	u64 memory = (u64)(totalram_pages() - totalhigh_pages()) << PAGE_SHIFT;
	size_t site = 2 * sizeof(struct kma_class_count) +
		      (kma_age_asked ? sizeof(struct kma_age_count) : 0);
	u64 sites = div_u64(min_t(u64, memory / KMA_SITES_SHARE, max / KMA_SITES_BUDGET),
			    (num_possible_cpus() + 1) * site);

	if (kma_max_sites > sites) {
		pr_warn("max_sites=%u: the tables do not fit into memory; using max_sites=%llu (max_memory is %lu KiB)\n",
			kma_max_sites, sites, max >> 10);
		kma_max_sites = sites;
	}
	if (kma_max_objects > memory / 2 / KMA_OBJECT_BYTES) {
		pr_warn("max_objects=%lu: the map does not fit into memory; using max_objects=0 (a thirty-second of the memory)\n",
			kma_max_objects);
		kma_max_objects = 0;
	}
}
#else
static void kma_fit_memory(unsigned long max)
{
}
#endif

static int kma_make_tables(void)
{
	struct kma_budget_stats budget;
	int err;

	kma_fit_memory(kma_memory_max);
	kma_budget_set(kma_memory_max, kma_text_own_bytes());
	err = kma_control_init(kma_max_sites, kma_max_objects, kma_untraced, &kma_features);
	budget = kma_budget_stats();
	if (err == -ENOMEM && budget.wanted) {
		pr_err("max_memory is %lu KiB, but these parameters need at least %lu KiB\n",
		       budget.max >> 10, budget.wanted >> 10);
		err = -EINVAL;
	}
	return err;
}

static bool kma_prepared __initdata;

/*
 * Initialise all but the files, and start nothing. Make the tables now if @now is true, or else
 * with the first account.
 */
static int __init kma_prepare(bool now)
{
	int err;

	kma_direct_init();
	err = kma_check_params() ?: kma_parse_memory(&kma_memory_max);
	if (err)
		return err;
	kma_boot_layout();
	kma_large_init();
	err = kma_cache_init();
	if (err == -ENODEV)
		pr_err("cannot find the object size in struct kmem_cache of this kernel; the module does not support this kernel\n");
	if (err)
		return err;
	kma_features.wrappers = kma_wrappers_asked;
	kma_features.origins = kma_events_wanted(KMA_EVENTS_PAGE |
					     KMA_EVENTS_PERCPU) ||
			   kma_latency_on;
	kma_features.objects = kma_age_asked;
	if (now)
		err = kma_make_tables();
	else
		kma_control_later(kma_make_tables);
	kma_prepared = !err;
	return err;
}

#ifdef KMA_BOOT
int __init kma_boot_start(void)
{
	return kma_prepare(true) ?: kma_control_begin();
}

/* Called when the kernel has work queues and kprobes. */
static int __init kma_boot_wake(void)
{
	if (kma_boot_asked())
		kma_control_wake();
	return 0;
}
core_initcall(kma_boot_wake);
#endif

static int __init kma_init(void)
{
	bool on = kma_start_on || kma_boot_asked();
	int err = kma_prepared ? 0 : kma_prepare(KMA_START_ON || on);

	if (err)
		goto err_boot;
	kma_text_init();
	err = kma_selftest(kma_untraced);
	/* an account that starts now keeps the kprobes */
	if (!on)
		kma_untraced_unregister(KMA_FOR_ACCOUNT);
	err = err ?: kma_procfs_init(&kma_sort, kma_control_command);
	if (err)
		goto err_control;
	if (on)
		err = kma_control_command("on");
	if (!err && kma_latency_on)
		err = kma_control_command("latency on");
	if (!err && kma_cgroup_asked)
		err = kma_control_command("cgroup on");
	if (!err && kma_node_asked)
		err = kma_control_command("node on");
	if (err)
		goto err_procfs;
	kma_debugfs_init();
	if (kma_log_on)
		err = kma_control_command("log on");
	if (err)
		goto err_debugfs;
	return 0;

err_debugfs:
	kma_debugfs_deinit();
err_procfs:
	kma_procfs_deinit();
err_control:
	/* those of the self-test, if no account has taken them over */
	kma_untraced_unregister(KMA_FOR_ACCOUNT);
	kma_control_deinit();
err_boot:
	kma_boot_abandon();
	return err;
}

static void __exit kma_exit(void)
{
	kma_procfs_deinit();
	/* The files of the event log are below the directory that kma_debugfs_deinit() removes. */
	kma_control_command("log free");
	kma_debugfs_deinit();
	kma_control_deinit();
}

module_init(kma_init);
module_exit(kma_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Kernel memory by call site: held, requested, wasted");
MODULE_VERSION(KMA_VERSION);

#ifdef KMA_KUNIT
#include "test/main_kunit.c"
#endif
