// SPDX-License-Identifier: GPL-2.0-only
/*
 * live_kunit.c - the live map: growth by the kernel's own worker while several
 * CPUs and their interrupts use the map, crowded pages, the addresses of this machine,
 * and a full map.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/class.h"
#include "account/live.h"
#include "account/sum.h"
#include "context.h"
#include "fixture.h"
#include "growth.h"
#include "guard/serial.h"

#define KMA_TEST_SITE	0x1000ul

/* The objects of all threads. The interrupts of each CPU have one object more. */
struct kma_test_herd {
	unsigned int threads;
	unsigned int each;		/* objects of each thread */
	unsigned int pause;		/* wait for the worker after so many; 0: never */
	atomic_long_t lost;		/* frees of objects that were not in the map */
};

static unsigned long kma_test_herd_object(const struct kma_test_herd *h,
					  unsigned int thread, unsigned int i)
{
	/* adjacent, like the objects of a slab */
	return PAGE_OFFSET + SZ_16M +
	       ((unsigned long)i * h->threads + thread) * 64;
}

static size_t kma_test_herd_req(unsigned int thread, unsigned int i)
{
	return 1 + (i * 3 + thread) % 64;
}

static void kma_test_herd_fill(unsigned int thread, void *arg)
{
	const struct kma_test_herd *h = arg;
	unsigned int i;

	for (i = 0; i < h->each; i++) {
		kma_test_alloc(KMA_TEST_SITE + 2 * thread,
			       kma_test_herd_object(h, thread, i),
			       kma_test_herd_req(thread, i), 64);
		if (h->pause && i % h->pause == 0)
			kma_growth_settle();
		else if (i % 500 == 0)
			cond_resched();
	}
}

/* Free the objects of another thread, which ran on another CPU. */
static void kma_test_herd_clear(unsigned int thread, void *arg)
{
	struct kma_test_herd *h = arg;
	unsigned int owner = (thread + 1) % h->threads, i;

	for (i = 0; i < h->each; i++) {
		if (!kma_test_free(kma_test_herd_object(h, owner, i)))
			atomic_long_inc(&h->lost);
		if (i % 500 == 0)
			cond_resched();
	}
}

static void kma_test_herd_irq(void *arg)
{
	unsigned long object = PAGE_OFFSET + (smp_processor_id() + 1) * 64;

	kma_test_alloc(KMA_TEST_SITE - 2, object, 1, 64);
	kma_test_free(object);
}

/* Check that the entry of each object is correct, and that @missing objects have none. */
static void kma_test_herd_verify(struct kunit *test,
				 const struct kma_test_herd *h, u64 missing)
{
	unsigned int thread, i, wrong = 0;
	u64 none = 0;

	for (thread = 0; thread < h->threads; thread++) {
		unsigned int id = kma_test_site_of(test,
						   KMA_TEST_SITE + 2 * thread);

		for (i = 0; i < h->each; i++) {
			struct kma_live_object o;
			unsigned long flags;
			bool found;

			local_irq_save(flags);
			found = kma_live_look((void *)kma_test_herd_object(h, thread, i), &o);
			local_irq_restore(flags);
			none += !found;
			wrong += found && (o.site != id || kma_size_bytes(o.size) != 64 ||
					   kma_size_req(o.size) != kma_test_herd_req(thread, i));
		}
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, wrong, 0u);
	KUNIT_EXPECT_EQ(test, none, missing);
}

static struct kma_site_count kma_test_herd_sum(struct kunit *test,
					       const struct kma_test_herd *h)
{
	struct kma_site_count sum = {}, count;
	unsigned int thread;

	for (thread = 0; thread < h->threads; thread++) {
		unsigned long site = KMA_TEST_SITE + 2 * thread;

		count = kma_test_count(test, kma_test_site_of(test, site));
		kma_site_count_add(&sum, &count);
	}
	return sum;
}

static struct kma_live_stats kma_test_live_stats(void)
{
	struct kma_live_stats stats;

	kma_serial_lock();
	stats = kma_live_stats();
	kma_serial_unlock();
	return stats;
}

/* Number of objects that all threads put between two waits for the worker; at most twice that. */
static const struct kma_test_pace {
	const char *desc;
	unsigned int together;
} kma_test_paces[] = {
	{ "as fast as can be", 0 },
	/* the map keeps memory ready for more than twice as many */
	{ "waiting for the worker", 4000 },
};

static void kma_test_pace_desc(const struct kma_test_pace *pace, char *desc)
{
	strscpy(desc, pace->desc, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_pace, kma_test_paces, kma_test_pace_desc);

/*
 * Grow the map to many times its smallest size. Events wake the worker, through an irq_work,
 * and the worker refills the reserve while events go on. If the worker is too slow, each
 * object that finds no memory is counted.
 */
static void kma_test_live_growth(struct kunit *test)
{
	const struct kma_test_pace *pace = test->param_value;
	struct kma_test_herd h = {
		.threads = 2 * num_online_cpus(),
		.each = 120000 / (2 * num_online_cpus()),
		.pause = pace->together / (2 * num_online_cpus()),
	};
	const u64 given = h.threads * h.each;
	struct kma_live_stats before, after;
	struct kma_site_count irqs;
	u64 dropped, irqs_dropped;
	unsigned long blows;

	kma_test_account(test, KMA_TEST_SITES, 200000);
	kma_test_gate(test);
	before = kma_test_live_stats();
	kma_test_storm(test, kma_test_herd_irq, NULL);
	kma_test_threads(test, h.threads, kma_test_herd_fill, &h);
	/* with one CPU, the threads may end before the worker begins */
	kma_growth_settle();
	after = kma_test_live_stats();
	KUNIT_EXPECT_GT(test, after.arrays, before.arrays + 100);
	KUNIT_EXPECT_GT(test, after.bytes, before.bytes);
	KUNIT_EXPECT_GT(test, after.grow_runs, 0ul);
	dropped = given - kma_test_herd_sum(test, &h).allocs;
	if (pace->together)
		KUNIT_EXPECT_EQ(test, dropped, 0ull);
	kma_test_herd_verify(test, &h, dropped);

	kma_test_threads(test, h.threads, kma_test_herd_clear, &h);
	blows = kma_test_storm_end();
	KUNIT_EXPECT_GT(test, blows, 0ul);
	KUNIT_EXPECT_EQ(test, (u64)atomic_long_read(&h.lost), dropped);
	KUNIT_EXPECT_EQ(test, kma_account_totals().implied, 0ull);
	irqs = kma_test_count(test, kma_test_site_of(test, KMA_TEST_SITE - 2));
	irqs_dropped = blows - irqs.allocs;
	KUNIT_EXPECT_EQ(test, irqs.frees, irqs.allocs);
	KUNIT_EXPECT_EQ(test, kma_test_drops(), dropped + irqs_dropped);
	KUNIT_EXPECT_EQ(test, kma_account_totals().drops[KMA_DROP_FULL],
			dropped + irqs_dropped);
}

#define KMA_TEST_CROWD	200u	/* objects, 16 in a page */

struct kma_test_crowd {
	/* the interrupts of each CPU have one object, after those of the threads */
	unsigned long objects[KMA_TEST_CROWD + NR_CPUS];
	atomic_long_t lost;
};

static void kma_test_crowd_irq(void *arg)
{
	struct kma_test_crowd *crowd = arg;
	unsigned long object = crowd->objects[KMA_TEST_CROWD +
					      smp_processor_id()];

	kma_test_alloc(KMA_TEST_SITE - 2, object, 1, 256);
	if (!kma_test_free(object))
		atomic_long_inc(&crowd->lost);
}

/* Thread 0 uses the even objects, thread 1 the odd ones, of the same pages. */
static void kma_test_crowd_run(unsigned int thread, void *arg)
{
	struct kma_test_crowd *crowd = arg;
	unsigned int round, i;

	for (round = 0; round < 50; round++) {
		for (i = thread; i < KMA_TEST_CROWD; i += 2)
			/* not more sizes than KMA_CLASS_SIZES */
			kma_test_alloc(KMA_TEST_SITE, crowd->objects[i],
				       i % KMA_CLASS_SIZES + 1, 256);
		cond_resched();
		for (i = thread; i < KMA_TEST_CROWD; i += 2)
			if (!kma_test_free(crowd->objects[i]))
				atomic_long_inc(&crowd->lost);
		cond_resched();
	}
}

/* All CPUs and all interrupts change elements of the same arrays. */
static void kma_test_live_collisions(struct kunit *test)
{
	struct kma_test_crowd *crowd = kunit_kzalloc(test, sizeof(*crowd),
						     GFP_KERNEL);
	struct kma_site_count sum;

	KUNIT_ASSERT_NOT_NULL(test, crowd);
	kma_test_neighbours(crowd->objects, KMA_TEST_CROWD + nr_cpu_ids);
	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_storm(test, kma_test_crowd_irq, crowd);
	kma_test_threads(test, 2, kma_test_crowd_run, crowd);
	kma_test_storm_end();
	sum = kma_test_count(test, kma_test_site_of(test, KMA_TEST_SITE));
	KUNIT_EXPECT_EQ(test, atomic_long_read(&crowd->lost), 0l);
	KUNIT_EXPECT_EQ(test, sum.allocs, 50ull * KMA_TEST_CROWD);
	KUNIT_EXPECT_EQ(test, sum.frees, sum.allocs);
	KUNIT_EXPECT_EQ(test, sum.freed_req, sum.req);
	KUNIT_EXPECT_EQ(test, kma_account_totals().implied, 0ull);
	KUNIT_EXPECT_EQ(test, kma_test_drops(), 0ull);
}

/* Addresses by their distance from the start of the direct map. */
static const struct kma_test_address {
	const char *desc;
	unsigned long offset;
} kma_test_addresses[] = {
	{ "first", 0 },
	{ "second", 8 },
	{ "last of a table", SZ_2M - 8 },
	{ "below 4 GiB", SZ_4G - 8 },
	{ "at 4 GiB", SZ_4G },
	{ "last of 512 GiB", BIT(39) - 8 },
};

static void kma_test_address_desc(const struct kma_test_address *a, char *desc)
{
	strscpy(desc, a->desc, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_address, kma_test_addresses, kma_test_address_desc);

/* The map computes the address from its place in the tables, with this machine's PAGE_OFFSET. */
static void kma_test_live_address(struct kunit *test)
{
	const struct kma_test_address *a = test->param_value;
	const unsigned long ptr = PAGE_OFFSET + a->offset;
	struct kma_live_object object = {};
	unsigned int n = 0;
	u64 at;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_alloc(KMA_TEST_SITE, ptr, 24, 32);
	kma_serial_lock();
	for (at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1))
		n += kma_live_read(at, &object, 1);
	kma_serial_unlock();
	KUNIT_EXPECT_EQ(test, n, 1u);
	KUNIT_EXPECT_EQ(test, object.ptr, ptr);
	KUNIT_EXPECT_TRUE(test, kma_test_free(ptr));
	KUNIT_EXPECT_FALSE(test, kma_test_free(ptr));
}

/* More objects than the map holds: those that do not fit are counted, the others are exact. */
static void kma_test_live_full(struct kunit *test)
{
	struct kma_test_herd h = {
		.threads = 2 * num_online_cpus(),
		.each = 120000 / (2 * num_online_cpus()),
		.pause = 1000,
	};
	const u64 given = h.threads * h.each;
	u64 counted, dropped;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_threads(test, h.threads, kma_test_herd_fill, &h);
	dropped = kma_account_totals().drops[KMA_DROP_FULL];
	counted = kma_test_herd_sum(test, &h).allocs;
	KUNIT_EXPECT_GT(test, dropped, 0ull);
	KUNIT_EXPECT_EQ(test, kma_test_drops(), dropped);
	KUNIT_EXPECT_EQ(test, counted + dropped, given);
	KUNIT_EXPECT_GE(test, counted, (u64)KMA_TEST_OBJECTS);

	kma_test_threads(test, h.threads, kma_test_herd_clear, &h);
	KUNIT_EXPECT_EQ(test, (u64)atomic_long_read(&h.lost), dropped);
	KUNIT_EXPECT_EQ(test, kma_test_herd_sum(test, &h).frees, counted);
}

static struct kunit_case kma_test_live_cases[] = {
	/* a full map must not keep the map of the next test from growing */
	KUNIT_CASE(kma_test_live_full),
	KUNIT_CASE_PARAM(kma_test_live_growth, kma_test_pace_gen_params),
	KUNIT_CASE(kma_test_live_collisions),
	KUNIT_CASE_PARAM(kma_test_live_address, kma_test_address_gen_params),
	{}
};

static struct kunit_suite kma_test_live_suite = {
	.name = "kma_live",
	.test_cases = kma_test_live_cases,
};

kunit_test_suite(kma_test_live_suite);
