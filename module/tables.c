// SPDX-License-Identifier: GPL-2.0-only
/*
 * tables.c - reserves and releases the tables of all components.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/highmem.h>
#include <linux/mm.h>

#include "account/class.h"
#include "account/live.h"
#include "account/peak.h"
#include "account/site.h"
#include "growth.h"
#include "tables.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/latency.h"
#include "watch/lifetime.h"

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

int kma_tables_init(unsigned int max_sites, unsigned long max_objects,
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

void kma_tables_deinit(void)
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
