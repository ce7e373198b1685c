// SPDX-License-Identifier: GPL-2.0-only
/*
 * site_kunit.c - the site table: counters of several CPUs, with interrupts and
 * preemption at any instruction; new sites on several CPUs at once.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/class.h"
#include "account/site.h"
#include "account/sum.h"
#include "caller/site_name.h"
#include "context.h"
#include "fixture.h"

#define KMA_TEST_SITE	0x1000ul	/* the first of the artificial call sites */
#define KMA_TEST_STEP	0x10ul
#define KMA_TEST_PAIRS	20000u		/* of each thread */

static unsigned int kma_test_nr_threads(void)
{
	return 2 * num_online_cpus();
}

/* Return the address of an object that only this thread uses. */
static unsigned long kma_test_thread_object(unsigned int thread)
{
	return PAGE_OFFSET + (thread + 1) * PAGE_SIZE;
}

static void kma_test_pair(unsigned long site, unsigned long object)
{
	kma_test_alloc(site, object, 24, 32);
	kma_test_free(object);
}

/*
 * One object for each thread, and one for the interrupts of each CPU, side by side: their
 * elements are in one array.
 */
struct kma_test_meeting {
	unsigned long *objects;
};

static void kma_test_pairs(unsigned int thread, void *arg)
{
	const struct kma_test_meeting *m = arg;
	unsigned int i;

	for (i = 0; i < KMA_TEST_PAIRS; i++) {
		kma_test_pair(KMA_TEST_SITE, m->objects[thread]);
		if (i % 1000 == 0)
			cond_resched();
	}
}

static void kma_test_irq_pair(void *arg)
{
	struct kma_test_meeting *m = arg;
	unsigned long object = m->objects[kma_test_nr_threads() +
					  smp_processor_id()];

	kma_test_pair(KMA_TEST_SITE, object);
}

/* All CPUs count at one site, and so do the interrupts of each CPU. */
static void kma_test_site_cpus(struct kunit *test)
{
	const u64 pairs = kma_test_nr_threads() * KMA_TEST_PAIRS;
	const unsigned int nr = kma_test_nr_threads() + nr_cpu_ids;
	struct kma_site_count sum;
	u64 cpus = 0;
	u32 class;
	struct kma_test_meeting *m;
	unsigned long blows;
	unsigned int id;
	int cpu;

	m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m);
	m->objects = kunit_kcalloc(test, nr, sizeof(*m->objects), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m->objects);
	kma_test_neighbours(m->objects, nr);
	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_storm(test, kma_test_irq_pair, m);
	kma_test_threads(test, kma_test_nr_threads(), kma_test_pairs, m);
	blows = kma_test_storm_end();

	id = kma_test_site_of(test, KMA_TEST_SITE);
	sum = kma_test_count(test, id);
	KUNIT_EXPECT_GT(test, blows, 0ul);
	KUNIT_EXPECT_EQ(test, sum.allocs, pairs + blows);
	KUNIT_EXPECT_EQ(test, sum.frees, pairs + blows);
	KUNIT_EXPECT_EQ(test, sum.req, 24 * (pairs + blows));
	KUNIT_EXPECT_EQ(test, sum.bytes, 32 * (pairs + blows));
	KUNIT_EXPECT_EQ(test, sum.freed_req, 24 * (pairs + blows));
	KUNIT_EXPECT_EQ(test, sum.freed_bytes, 32 * (pairs + blows));
	/* a site with one size has one class */
	class = KMA_CLASS_FIRST;
	while (class < kma_class_nr() && (kma_class_owner(class) != id ||
					  !kma_classes[class].size.bytes))
		class++;
	KUNIT_ASSERT_LT(test, class, kma_class_nr());
	for_each_online_cpu(cpu) {
		const struct kma_class_count *c = per_cpu(kma_class_counts, cpu);

		KUNIT_EXPECT_GE(test, c[class].in, (u64)KMA_TEST_PAIRS);
		cpus += c[class].in;
	}
	KUNIT_EXPECT_EQ(test, cpus, sum.allocs);
	KUNIT_EXPECT_EQ(test, kma_account_totals().implied, 0ull);
}

#define KMA_TEST_SAME	200u	/* sites that all threads use */
#define KMA_TEST_WAITS	61u	/* prime, so that no two threads always wait equally long */

/* Use the sites in another order in each thread, so that each thread meets new sites. */
static void kma_test_site_visit(unsigned int thread, void *unused)
{
	unsigned int i;

	for (i = 0; i < KMA_TEST_SAME; i++) {
		unsigned int at = (i * 7 + thread * 31) % KMA_TEST_SAME;

		kma_test_pair(KMA_TEST_SITE + at * KMA_TEST_STEP,
			      kma_test_thread_object(thread));
		if (i % 10 == 0)
			cond_resched();
	}
}

/*
 * One thread on each CPU; all threads use one new site at the same time. The last thread to arrive
 * continues at once, and the others notice it later. Each therefore waits for a short time, which
 * varies.
 */
static void kma_test_site_meet(unsigned int thread, void *come)
{
	const int threads = num_online_cpus();
	unsigned int i, wait;

	for (i = 0; i < KMA_TEST_SAME; i++) {
		atomic_inc(come);
		/* kthread_should_stop(): not all threads could be created */
		while (atomic_read(come) < (int)(i + 1) * threads &&
		       !kthread_should_stop()) {
			cond_resched();
			cpu_relax();
		}
		for (wait = i * (thread + 1) % KMA_TEST_WAITS; wait; wait--)
			cpu_relax();
		kma_test_pair(KMA_TEST_SITE + i * KMA_TEST_STEP,
			      kma_test_thread_object(thread));
	}
}

/* A site that several CPUs use for the first time at the same time gets one id. */
static void kma_test_site_race(struct kunit *test)
{
	const unsigned long end = jiffies + 2 * HZ;
	unsigned int rounds = 20, i;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	while (rounds--) {
		atomic_t come = ATOMIC_INIT(0);

		kma_test_gate(test);
		kma_test_threads(test, num_online_cpus(), kma_test_site_meet,
				 &come);
		kma_live_close();
		KUNIT_ASSERT_EQ(test, kma_site_nr(), KMA_TEST_SAME + 1);
		for (i = 0; i < KMA_TEST_SAME; i++) {
			unsigned int id;

			id = kma_test_site_of(test, KMA_TEST_SITE +
						    i * KMA_TEST_STEP);
			KUNIT_ASSERT_EQ(test, kma_test_count(test, id).frees,
					(u64)num_online_cpus());
		}
		/* on a busy host CPUs wait for each other for a long time: at least two rounds */
		if (time_after(jiffies, end))
			rounds = min(rounds, 1u);
	}
}

static const unsigned int kma_test_maxima[] = { 16, 100, KMA_TEST_SAME - 1 };

static void kma_test_maximum_desc(const unsigned int *max, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u sites", *max);
}

KUNIT_ARRAY_PARAM(kma_test_maximum, kma_test_maxima, kma_test_maximum_desc);

/* Sites beyond the table are counted in the row of KMA_SITE_OTHER only. */
static void kma_test_site_full(struct kunit *test)
{
	const unsigned int max = *(const unsigned int *)test->param_value;
	const unsigned int threads = kma_test_nr_threads();
	unsigned int id;

	kma_test_account(test, max, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_threads(test, threads, kma_test_site_visit, NULL);

	KUNIT_ASSERT_EQ(test, kma_site_nr(), max + 1);
	for (id = KMA_SITE_OTHER + 1; id <= max; id++)
		KUNIT_EXPECT_EQ(test, kma_test_count(test, id).allocs,
				(u64)threads);
	KUNIT_EXPECT_EQ(test, kma_test_count(test, KMA_SITE_OTHER).allocs,
			(u64)threads * (KMA_TEST_SAME - max));
	KUNIT_EXPECT_EQ(test, kma_test_drops(), 0ull);
}

#define KMA_TEST_CROWD	64u	/* sites for one slot, the last one */

static unsigned long kma_test_crowd_site(unsigned int i)
{
	return kma_site_mask + i * (kma_site_mask + 1ul);
}

static void kma_test_crowd_visit(unsigned int thread, void *unused)
{
	unsigned int i;

	for (i = 0; i < KMA_TEST_CROWD; i++)
		kma_test_pair(kma_test_crowd_site((i + thread * 17) %
						  KMA_TEST_CROWD),
			      kma_test_thread_object(thread));
}

/* All sites hash to the last slot of the index, and continue at its beginning. */
static void kma_test_site_wrap(struct kunit *test)
{
	unsigned int i;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_threads(test, kma_test_nr_threads(), kma_test_crowd_visit,
			 NULL);
	KUNIT_EXPECT_NE(test, kma_site_slots[kma_site_mask], 0ull);
	KUNIT_EXPECT_NE(test, kma_site_slots[KMA_TEST_CROWD - 2], 0ull);
	KUNIT_EXPECT_EQ(test, kma_site_slots[KMA_TEST_CROWD - 1], 0ull);
	for (i = 0; i < KMA_TEST_CROWD; i++) {
		unsigned int id = kma_test_site_of(test,
						   kma_test_crowd_site(i));

		KUNIT_EXPECT_EQ(test, kma_test_count(test, id).allocs,
				(u64)kma_test_nr_threads());
	}
}

#define KMA_TEST_HANDS	64u	/* objects between an allocation and its free */

/* Interrupts allocate, one thread frees, and another one reads the sums. */
struct kma_test_relay {
	unsigned long hands[KMA_TEST_HANDS];	/* 0, or an object */
	atomic_long_t given, taken, wrong, looks;
	bool over;
};

static void kma_test_relay_give(void *arg)
{
	struct kma_test_relay *r = arg;
	unsigned long n = atomic_long_inc_return(&r->given);
	unsigned long object = PAGE_OFFSET + n * 32;
	unsigned long *hand = &r->hands[n % KMA_TEST_HANDS];

	/* a site whose object is freed at once: the sums never have more frees than allocations */
	kma_test_pair(KMA_TEST_SITE + KMA_TEST_STEP, PAGE_OFFSET +
		      (smp_processor_id() + 1ul) * SZ_16M);
	kma_test_alloc(KMA_TEST_SITE, object, 24, 32);
	object = xchg(hand, object);
	/* no thread has freed the previous object */
	if (object && kma_test_free(object))
		atomic_long_inc(&r->taken);
}

static void kma_test_relay_take(struct kma_test_relay *r)
{
	unsigned int i;

	for (i = 0; i < KMA_TEST_HANDS; i++) {
		unsigned long object = xchg(&r->hands[i], 0);

		if (object && kma_test_free(object))
			atomic_long_inc(&r->taken);
	}
}

static void kma_test_relay_look(struct kma_test_relay *r)
{
	struct kma_site_count sums[KMA_SITE_OTHER + 3];
	const struct kma_site_count *c;

	if (kma_site_nr() < ARRAY_SIZE(sums))
		return;
	kma_site_fold(ARRAY_SIZE(sums), sums);
	atomic_long_inc(&r->looks);
	for (c = sums + KMA_SITE_OTHER + 1; c < sums + ARRAY_SIZE(sums); c++)
		if (c->allocs < c->frees || c->bytes < c->freed_bytes ||
		    c->req < c->freed_req)
			atomic_long_inc(&r->wrong);
}

static void kma_test_relay_run(unsigned int thread, void *arg)
{
	struct kma_test_relay *r = arg;
	unsigned long end = jiffies + HZ / 2;

	while (time_before(jiffies, end)) {
		if (thread % 2)
			kma_test_relay_look(r);
		else
			kma_test_relay_take(r);
		if (thread == 0)
			kma_test_relay_give(r);
		cond_resched();
	}
}

/* At no time do the sums have more frees than allocations. */
static void kma_test_site_fold(struct kunit *test)
{
	struct kma_test_relay *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	struct kma_site_count sum;
	u64 given;

	KUNIT_ASSERT_NOT_NULL(test, r);
	/* no address is used twice, so a fast machine needs many arrays */
	kma_test_account(test, KMA_TEST_SITES, 100000);
	kma_test_gate(test);
	kma_test_storm(test, kma_test_relay_give, r);
	kma_test_threads(test, kma_test_nr_threads(), kma_test_relay_run, r);
	KUNIT_EXPECT_GT(test, kma_test_storm_end(), 0ul);
	kma_test_relay_take(r);

	given = atomic_long_read(&r->given);
	sum = kma_test_count(test, kma_test_site_of(test, KMA_TEST_SITE));
	KUNIT_EXPECT_EQ(test, atomic_long_read(&r->wrong), 0l);
	KUNIT_EXPECT_GT(test, atomic_long_read(&r->looks), 0l);
	KUNIT_EXPECT_EQ(test, (u64)atomic_long_read(&r->taken), given);
	KUNIT_EXPECT_EQ(test, sum.allocs, given);
	KUNIT_EXPECT_EQ(test, sum.frees, given);
	KUNIT_EXPECT_EQ(test, sum.bytes, sum.freed_bytes);
}

static bool kma_test_site_is(unsigned long addr, void *site)
{
	return addr == *(unsigned long *)site;
}

/* Names come from the kernel's symbols, and are kept when the code is removed. */
static void kma_test_site_names(struct kunit *test)
{
	unsigned long site = (unsigned long)kfree + 4;
	char *name = kunit_kzalloc(test, KSYM_SYMBOL_LEN, GFP_KERNEL);
	char *kept = kunit_kzalloc(test, KSYM_SYMBOL_LEN, GFP_KERNEL);
	unsigned int id;

	KUNIT_ASSERT_NOT_NULL(test, name);
	KUNIT_ASSERT_NOT_NULL(test, kept);
	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_pair(site, kma_test_thread_object(0));
	id = kma_test_site_of(test, site);
	kma_site_name(id, site, name);
	KUNIT_EXPECT_EQ(test, strncmp(name, "kfree+0x4/0x", 12), 0);
	kma_site_name(KMA_SITE_OTHER, 0, kept);
	KUNIT_EXPECT_STREQ(test, kept, "[site table full]");

	KUNIT_EXPECT_EQ(test, kma_site_name_keep(kma_test_site_is, &site), 1u);
	kma_site_name(id, site, kept);
	KUNIT_EXPECT_STREQ(test, kept, name);
	/* change the saved name, to show that it is printed instead of the symbol */
	KUNIT_ASSERT_NOT_NULL(test, kma_sites.sites[id].place);
	*strrchr(kma_sites.sites[id].place, '+') = '!';
	kma_site_name(id, site, kept);
	KUNIT_EXPECT_EQ(test, strncmp(kept, "kfree!0x4/0x", 12), 0);
	/* other code at the same address is another site */
	kma_test_pair(site, kma_test_thread_object(0));
	KUNIT_EXPECT_EQ(test, kma_site_nr(), id + 2);
	KUNIT_EXPECT_EQ(test, kma_test_count(test, id).allocs, 1ull);
}

static struct kunit_case kma_test_site_cases[] = {
	KUNIT_CASE(kma_test_site_cpus),
	KUNIT_CASE(kma_test_site_race),
	KUNIT_CASE_PARAM(kma_test_site_full, kma_test_maximum_gen_params),
	KUNIT_CASE(kma_test_site_wrap),
	KUNIT_CASE(kma_test_site_fold),
	KUNIT_CASE(kma_test_site_names),
	{}
};

static struct kunit_suite kma_test_site_suite = {
	.name = "kma_site",
	.test_cases = kma_test_site_cases,
};

kunit_test_suite(kma_test_site_suite);
