/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sum.h - what each site has counted: the sums of its classes over all CPUs.
 *
 * A class counts objects (class.h). The bytes of a site are the numbers of objects of its classes
 * times their sizes. A counter of a class only grows, except for counts that are taken back at
 * once. An object may be freed on another CPU than it was allocated on, so the objects of a site
 * are the difference of two sums over all CPUs. kma_site_fold() reads the sums in the order that
 * never makes the difference negative (include/linux/alloc_tag.h orders its counters in the
 * same way).
 */
#ifndef KMA_SUM_H
#define KMA_SUM_H

#include <linux/types.h>

/* Objects that were allocated, or freed. */
struct kma_flow_count {
	u64 objects;
	u64 req;
	u64 bytes;
	u64 rare;	/* events counted in a class without objects (KMA_CLASS_RARE) */
};

/* The sums of one site, also as two flows, for code that treats both alike. */
struct kma_site_count {
	union {
		struct {
			u64 allocs;	/* objects allocated at the site */
			u64 req;	/* bytes requested for them */
			u64 bytes;	/* bytes allocated to them */
			/* Objects freed *by* this site whose allocation was not seen */
			u64 unknown;
		};
		struct kma_flow_count in;
	};
	union {
		struct {
			u64 frees;	/* objects of this site that were freed, by any site */
			u64 freed_req;
			u64 freed_bytes;
			u64 failed;	/* allocations of this site that returned NULL */
		};
		struct kma_flow_count out;
	};
};

/*
 * Sum the counters of the first @nr sites over all their classes and CPUs; @nr is at most
 * kma_site_nr(), and all @sums are written. While events go on, the sums of two sites are not of
 * one instant, but for each site allocs >= frees and bytes >= freed_bytes hold always.
 *
 * Context: process, may sleep; serialised with kma_class_grow(); classes * CPUs reads, twice.
 */
void kma_site_fold(unsigned int nr, struct kma_site_count *sums);

/* The same by class; @nr is at most kma_class_nr(). */
void kma_sum_classes(unsigned int nr, struct kma_site_count *sums);

/*
 * Take the sums of all classes once, for all that is reported until kma_sum_free(). Until then the
 * two functions above give these sums, so that tables by site, by cgroup and by node agree to the
 * byte, whatever is allocated in between, also for the tables.
 *
 * Context: process, may sleep; with kma_serial_lock() held until after kma_sum_free(). Returns 0 or
 * -ENOMEM.
 */
int kma_sum_hold(void);

void kma_sum_free(void);

void kma_site_count_add(struct kma_site_count *sum, const struct kma_site_count *count);

#endif /* KMA_SUM_H */
