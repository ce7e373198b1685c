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
 * Locking: as in count.h. Counters are written by their own CPU with interrupts off. Arrays are
 * allocated and freed under cpus_read_lock(), or in the CPU hotplug state that prepares a
 * CPU; kma_age_reserve(), _release(), _reset() and _sum() are serialised by the caller.
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_AGE_H
#define KMA_AGE_H

#include <linux/cache.h>
#include <linux/types.h>

#include "account/birth.h"
#include "account/site.h"

#define KMA_AGE_CLASSES		14

/* Frees of the objects of a site, by one CPU. */
struct kma_age_count {
	u64 remote_cpu;		/* of objects that another CPU had allocated */
	u64 remote_node;	/* those that a CPU of another NUMA node had allocated */
	/* By lifetime: below 1 us, 10 us, ... 1,000,000 s; longer */
	u64 lives[KMA_AGE_CLASSES];
	u64 unknown;		/* of objects that are older than the switch */
};

/* Parameter age: the initial state of the switch. kma_births_on is the current state. */
extern bool kma_age_asked;

/* Count an object of a site that this CPU frees now. Any context but NMI, irqs off. */
void kma_age_end(unsigned int site, const struct kma_birth *birth);

/*
 * Reserve the counters, if the parameter asks for them, after kma_site_init(). Returns 0, or
 * -ENOMEM with nothing reserved.
 */
int kma_age_init(void);

/* The same; no counters are reserved. */
int kma_age_reserve(void);

/*
 * Reserve the counters of a CPU before it comes online, in a state of the CPU hotplug core. Without
 * effect while the switch is off. Returns 0 or -ENOMEM.
 */
int kma_age_add_cpu(unsigned int cpu);

/* Release the counters, if they are reserved; no event uses births. */
void kma_age_release(void);

/* Only when no event is in progress. */
void kma_age_reset(void);

/* The sums of a site over all CPUs, while events continue; zeros while the switch is off. */
struct kma_age_count kma_age_sum(unsigned int site);

/* "lt_" and the upper bound of the class; for the last class "ge_" and its lower bound. */
const char *kma_age_class_name(unsigned int class);

size_t kma_age_memory(void);

#endif /* KMA_AGE_H */
