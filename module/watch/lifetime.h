/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lifetime.h - how long the objects of a site live, and on which CPUs they are freed.
 *
 * While the switch age is on, the live map keeps births (birth.h), and each free of a known
 * object is counted at the site that allocated it:
 *  - in one of 14 classes of lifetime, in decades from a microsecond to a million seconds; or
 *    as unknown if the object is older than the switch;
 *  - as remote, if another CPU than that of the allocation frees it, and again if that CPU is
 *    of another node.
 * The counters are like those of count.h: each CPU has an array by id, and only the sum over
 * all CPUs has a meaning. A CPU gets its array before it comes online, and keeps the array
 * when it goes offline, until the switch is turned off.
 *
 * An implied free is not counted, because its time is unknown. So for all frees since the
 * switch was turned on, the lifetimes of a site and the unknown ones add up to its frees less
 * the implied frees.
 *
 * The clock is local_clock(), in nanoseconds. It is the same on all CPUs if the counter of
 * the CPUs is stable ("sched_clock_stable" in the kernel); otherwise two CPUs differ by up to
 * a tick. A lifetime that would be negative is 0.
 *
 * Never done here: anything while the switch is off.
 *
 * Locking: as in count.h. Counters are written by their own CPU with interrupts off. Arrays are
 * allocated and freed under cpus_read_lock(), or in the CPU hotplug state that prepares a
 * CPU; kma_age_reserve(), _release(), _reset() and _sum() are serialised by the caller.
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
 * @remote_cpu: frees of objects that another CPU had allocated
 * @remote_node: those of them that a CPU of another NUMA node had allocated
 * @lives: frees by lifetime: below 1 us, 10 us, ... 1,000,000 s; longer
 * @unknown: frees of objects that are older than the switch
 */
struct kma_age_count {
	u64 remote_cpu;
	u64 remote_node;
	u64 lives[KMA_AGE_CLASSES];
	u64 unknown;
};

/* Parameter age: the initial state of the switch. kma_births_on is the current state. */
extern bool kma_age_asked;

/**
 * kma_age_end() - count an object that this CPU frees now
 * @site: id of the site that allocated the object
 * @birth: birth of the object
 *
 * Context: any but NMI, irqs off.
 */
void kma_age_end(unsigned int site, const struct kma_birth *birth);

/*
 * Reserve the counters, if the parameter asks for them.
 * Context: process, may sleep; after kma_site_init().
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_age_init(void);

/*
 * Reserve the counters of all CPUs that are online, all 0.
 * Context: process, may sleep; after kma_site_init(), no counters are reserved.
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_age_reserve(void);

/*
 * Reserve the counters of a CPU before it comes online. Without effect while the switch is off.
 * Context: process, may sleep; a state of the CPU hotplug core.
 * Return: 0 or -ENOMEM.
 */
int kma_age_add_cpu(unsigned int cpu);

/* Release the counters, if they are reserved. Context: process, may sleep; no event uses births. */
void kma_age_release(void);

/* Set all counters to 0. Context: process, may sleep; no event is in progress. */
void kma_age_reset(void);

/*
 * Get the sums of a site over all CPUs.
 * Context: process.
 * Return: the current sums, while events continue; zeros while the switch is off.
 */
struct kma_age_count kma_age_sum(unsigned int site);

/**
 * kma_age_class_name() - get the name of a class of lifetimes
 * @class: number of the class, below KMA_AGE_CLASSES
 *
 * Return: "lt_" and the upper bound of the class; for the last class "ge_" and its lower bound.
 */
const char *kma_age_class_name(unsigned int class);

/* Get the size of the counters. Return: bytes. */
size_t kma_age_memory(void);

#endif /* KMA_AGE_H */
