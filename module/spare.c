// SPDX-License-Identifier: GPL-2.0
/*
 * spare.c - overflow buckets of the live map: those in chains, those to spare.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/kernel.h>
#include <linux/mm.h>

#include "area.h"
#include "spare.h"

struct kma_bucket *kma_spare_buckets;

static struct kma_area kma_spare_area;
static u32 kma_spare_nr;

static struct {
	atomic64_t top;
	atomic_t used;
} kma_spares ____cacheline_aligned;

/* Give back a list of buckets that are linked by their heads. */
static void kma_spare_push_list(u32 first, u32 last)
{
	u64 top = atomic64_read(&kma_spares.top);

	do {
		WRITE_ONCE(kma_overflow(last)->head, (u32)top);
	} while (!atomic64_try_cmpxchg(&kma_spares.top, (s64 *)&top,
				       (top & ~0xffffffffull) | first));
}

/* Link the buckets from index @from on and give them to the stack. */
static void kma_spare_feed(u32 from)
{
	u32 i;

	for (i = from + 1; i < kma_spare_nr; i++)
		kma_overflow(i)->head = i + 1;
	kma_spare_push_list(from + 1, kma_spare_nr);
}

int kma_spare_init(u32 max)
{
	kma_spare_nr = 0;
	atomic64_set(&kma_spares.top, 0);
	atomic_set(&kma_spares.used, 0);
	return kma_area_init(&kma_spare_area, max * sizeof(struct kma_bucket));
}

void kma_spare_deinit(void)
{
	kma_area_deinit(&kma_spare_area);
	kma_spare_buckets = NULL;
	kma_spare_nr = 0;
}

void kma_spare_reset(void)
{
	atomic64_set(&kma_spares.top, 0);
	atomic_set(&kma_spares.used, 0);
	kma_spare_feed(0);
}

int kma_spare_add(void)
{
	u32 old = kma_spare_nr;
	int err = kma_area_grow_buckets(&kma_spare_area, &kma_spare_buckets);

	if (err)
		return err;
	kma_spare_nr = kma_area_buckets(&kma_spare_area);
	kma_spare_feed(old);
	return 0;
}

u32 kma_spare_pop(void)
{
	u64 top = atomic64_read(&kma_spares.top);
	u32 next;

	do {
		if (!(u32)top)
			return 0;
		/* may be in use again; then the exchange fails */
		next = READ_ONCE(kma_overflow((u32)top)->head);
	} while (!atomic64_try_cmpxchg(&kma_spares.top, (s64 *)&top,
				       ((top >> 32) + 1) << 32 | next));
	atomic_inc(&kma_spares.used);
	return (u32)top;
}

void kma_spare_push(u32 bucket)
{
	atomic_dec(&kma_spares.used);
	kma_spare_push_list(bucket, bucket);
}

u32 kma_spare_left(void)
{
	return kma_spare_nr - kma_spare_used();
}

u32 kma_spare_used(void)
{
	return atomic_read(&kma_spares.used);
}

size_t kma_spare_memory(unsigned long *buckets, unsigned long *max)
{
	*buckets = kma_spare_nr;
	*max = kma_spare_area.max * PAGE_SIZE / sizeof(struct kma_bucket);
	return kma_area_memory(&kma_spare_area);
}
