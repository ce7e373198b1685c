/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lifetime.h - how long the objects of a site live, and where they are freed.
 *
 * While the switch age is on, the live map keeps births (birth.h), and each free of a
 * known object is counted here at the site that allocated it: in one of 14
 * classes of lifetime, in decades from a microsecond to a million seconds, or as unknown if
 * the object is older than the switch; as a
 * free on another CPU than that of the allocation; as one on a CPU of another
 * node. The counters are those of site.h once more: for each CPU an array by
 * id, of which only the sum over all CPUs has a meaning. A CPU has its array before it comes
 * online, and keeps the array when it goes, until the switch is turned off.
 *
 * An implied free is not counted: nobody knows when it was. So the lifetimes of
 * a site, and those that are unknown, add up to its frees less the implied ones, for all
 * frees since the switch was turned on.
 *
 * The clock is local_clock(): nanoseconds, the same on all CPUs where the CPU's
 * counter is good for that ("sched_clock_stable" in the kernel), and else apart
 * by up to a tick between two CPUs. A lifetime that would be negative is 0.
 *
 * Never done here: anything while the switch is off.
 *
 * Locking: as in site.h. Counters are written by their own CPU with irqs off. Arrays come and
 * go under cpus_read_lock(), or in the state of the CPU hotplug core that prepares a CPU;
 * kma_age_reserve(), _release(), _reset() and _sum() are serialised by the caller.
 */
#ifndef KMA_AGE_H
#define KMA_AGE_H

#include <linux/cache.h>
#include <linux/types.h>

#include "account/birth.h"
#include "account/site.h"

#define KMA_AGE_CLASSES		14

/**
 * struct kma_age_count - frees of the objects of a site, by one CPU
 * @remote_cpu: of objects that another CPU had allocated
 * @remote_node: of these, a CPU of another NUMA node
 * @lives: frees by lifetime: below 1 us, 10 us, ... 1,000,000 s; longer
 * @unknown: frees of objects that are older than the switch
 */
struct kma_age_count {
	u64 remote_cpu;
	u64 remote_node;
	u64 lives[KMA_AGE_CLASSES];
	u64 unknown;
};

/* Parameter age: the switch is on from the start. Whether it is on now says kma_births_on. */
extern bool kma_age_asked;

/**
 * kma_age_end() - count an object that is freed now, on this CPU
 * @site: id of the site that allocated it
 * @birth: its birth
 *
 * Context: any but NMI, irqs off.
 */
void kma_age_end(unsigned int site, const struct kma_birth *birth);

/**
 * kma_age_init() - reserve the counters, if the parameter asks for them
 *
 * Context: process, may sleep; after kma_site_init().
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_age_init(void);

/**
 * kma_age_reserve() - reserve the counters of all CPUs that are online, all 0
 *
 * Context: process, may sleep; after kma_site_init(), no counters are reserved.
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_age_reserve(void);

/**
 * kma_age_add_cpu() - reserve the counters of a CPU that comes online, if others have them
 * @cpu: the CPU
 *
 * Context: process, may sleep; of the CPU hotplug core.
 * Return: 0 or -ENOMEM.
 */
int kma_age_add_cpu(unsigned int cpu);

/**
 * kma_age_release() - release the counters, if there are any
 *
 * Context: process, may sleep; births are not used, and no event is left that did.
 */
void kma_age_release(void);

/**
 * kma_age_reset() - all counters are 0
 *
 * Context: process, may sleep; no event is under way.
 */
void kma_age_reset(void);

/**
 * kma_age_sum() - the counters of a site over all CPUs
 * @site: its id
 *
 * Context: process.
 * Return: the sums of about now; zeros while the switch is off.
 */
struct kma_age_count kma_age_sum(unsigned int site);

/**
 * kma_age_class_name() - name of a class of lifetimes
 * @class: below KMA_AGE_CLASSES
 *
 * Return: lt_ and what the lifetimes in it are below, but not below the one
 * before; ge_ and what they are at least.
 */
const char *kma_age_class_name(unsigned int class);

/**
 * kma_age_memory() - what the counters take
 *
 * Return: bytes.
 */
size_t kma_age_memory(void);

#endif /* KMA_AGE_H */
