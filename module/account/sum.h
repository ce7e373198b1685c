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

/**
 * struct kma_flow_count - objects that were allocated, or freed
 * @objects: number of objects
 * @req: bytes requested for the objects
 * @bytes: bytes allocated to the objects
 * @rare: events counted in a class without objects (KMA_CLASS_RARE)
 */
struct kma_flow_count {
	u64 objects;
	u64 req;
	u64 bytes;
	u64 rare;
};

/**
 * struct kma_site_count - the sums of one site
 * @allocs: objects allocated at the site
 * @req: bytes requested for these objects
 * @bytes: bytes allocated to these objects
 * @unknown: objects freed *by* this site whose allocation was not seen
 * @frees: objects of this site that were freed, by any site
 * @freed_req: bytes requested for the freed objects
 * @freed_bytes: bytes allocated to the freed objects
 * @failed: allocations of this site that returned NULL
 * @in: the first four members as one flow, for code that treats both flows alike
 * @out: the other four members as one flow
 */
struct kma_site_count {
	union {
		struct {
			u64 allocs;
			u64 req;
			u64 bytes;
			u64 unknown;
		};
		struct kma_flow_count in;
	};
	union {
		struct {
			u64 frees;
			u64 freed_req;
			u64 freed_bytes;
			u64 failed;
		};
		struct kma_flow_count out;
	};
};

/**
 * kma_site_fold() - sum the counters of the first sites over all their classes and CPUs
 * @nr: how many sites, at most kma_site_nr()
 * @sums: @nr sums, by id; written whole
 *
 * While events go on, the sums of two sites are not of one instant, but for each
 * site allocs >= frees and bytes >= freed_bytes hold always.
 *
 * Context: process, may sleep; serialised with kma_class_grow(); classes * CPUs reads,
 * twice.
 */
void kma_site_fold(unsigned int nr, struct kma_site_count *sums);

/**
 * kma_sum_classes() - sum the counters of each class over all CPUs
 * @nr: number of classes, at most kma_class_nr()
 * @sums: @nr sums, by number; written whole
 *
 * Context: as kma_site_fold().
 */
void kma_sum_classes(unsigned int nr, struct kma_site_count *sums);

/*
 * Take the sums of all classes once, for all that is reported until kma_sum_free(). Until then the
 * two functions above give these sums, so that tables by site, by cgroup and by node agree to the
 * byte, whatever is allocated in between, also for the tables.
 * Context: process, may sleep; with kma_serial_lock() held until after kma_sum_free().
 * Return: 0 or -ENOMEM.
 */
int kma_sum_hold(void);

/* Release the sums of kma_sum_hold(), if there are any. Context: process, may sleep. */
void kma_sum_free(void);

/**
 * kma_site_count_add() - add the sums of one site to another sum
 * @sum: the sum that grows
 * @count: the sums to add
 *
 * Context: any.
 */
void kma_site_count_add(struct kma_site_count *sum,
			const struct kma_site_count *count);

#endif /* KMA_SUM_H */
