// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency_kunit.c - waits of real tasks: their time by another clock, their CPUs, their
 * stacks, and their entries when a task dies. The user-space tests check to which row a wait
 * is charged (tests/unit/test-core-latency.c).
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "caller/frame.h"
#include "caller/origin.h"
#include "context.h"
#include "fixture.h"
#include "watch/dispatch.h"
#include "show/debugfs.h"
#include "show/rows.h"
#include "watch/latency.h"

#define KMA_TEST_KINDS		((1u << KMA_NR_WAITS) - 1)
#define KMA_TEST_ROUNDS		500u
#define KMA_TEST_WAITERS	4u

static bool kma_test_latency_was_on;
static unsigned int kma_test_threshold_was;

static void kma_test_latency_back(void *unused)
{
	kma_latency_deinit();
	kma_latency_on = kma_test_latency_was_on;
	kma_latency_threshold_us = kma_test_threshold_was;
}

/* Charge all waits to their call sites. No probe is attached, so there are no other waits. */
static void kma_test_latency(struct kunit *test)
{
	const struct kma_features features = { .origins = true };

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_latency_deinit();
	kma_test_latency_was_on = kma_latency_on;
	kma_test_threshold_was = kma_latency_threshold_us;
	kma_latency_on = true;
	kma_latency_threshold_us = 0;
	kma_test_defer(test, kma_test_latency_back, NULL);
	KUNIT_ASSERT_EQ(test, kma_latency_init(), 0);
	kma_latency_start(KMA_TEST_KINDS);
	kma_latency_reset();
	kma_dispatch_deinit();
	KUNIT_ASSERT_EQ(test, kma_dispatch_init(&features), 0);
}

/* Return the current text of the debugfs file latency. */
static const char *kma_test_latency_text(struct kunit *test)
{
	void *r = kma_latency_rows.create();
	struct seq_file m = { .size = SZ_64K };
	unsigned int i;

	KUNIT_ASSERT_FALSE(test, IS_ERR(r));
	m.buf = kunit_kzalloc(test, m.size, GFP_KERNEL);
	if (m.buf) {
		kma_latency_rows.header(&m, r);
		for (i = 0; i < kma_latency_rows.nr(r); i++)
			kma_latency_rows.row(&m, r, i);
	}
	kma_latency_rows.destroy(r);
	KUNIT_ASSERT_NOT_NULL(test, m.buf);
	KUNIT_ASSERT_LT(test, m.count, m.size);
	return m.buf;
}

/* Return the number after "NAME: " in the text. */
static u64 kma_test_latency_figure(struct kunit *test, const char *name)
{
	const char *at = strstr(kma_test_latency_text(test), name);
	u64 value = 0;
	int found;

	KUNIT_ASSERT_NOT_NULL(test, at);
	found = sscanf(at + strlen(name), ": %llu", &value);
	KUNIT_ASSERT_EQ(test, found, 1);
	return value;
}

/* Begin a wait, as the probes do. */
static void kma_test_wait_begin(enum kma_wait kind)
{
	kma_latency_begin(kind, current, 0, ktime_get_ns());
}

static void kma_test_wait_end(enum kma_wait kind)
{
	kma_latency_end(kind, current, ktime_get_ns());
}

/* The time of a wait lies between the times measured within and around the wait. */
static void kma_test_latency_time(struct kunit *test)
{
	u64 around, within, total;

	kma_test_latency(test);
	around = ktime_get_ns();
	kma_test_wait_begin(KMA_WAIT_RECLAIM);
	within = ktime_get_ns();
	msleep(20);
	within = ktime_get_ns() - within;
	kma_test_wait_end(KMA_WAIT_RECLAIM);
	around = ktime_get_ns() - around;
	total = kma_test_latency_figure(test, "reclaim ns");
	KUNIT_EXPECT_GE(test, total, within);
	KUNIT_EXPECT_LE(test, total, around);
	KUNIT_EXPECT_EQ(test, total,
			kma_test_latency_figure(test, "reclaim longest ns"));
}

/* A wait ends on another CPU than the one on which it began. */
static void kma_test_latency_moves(struct kunit *test)
{
	unsigned int cpu, waits = 0;

	kma_test_latency(test);
	for_each_online_cpu(cpu) {
		unsigned int next = cpumask_next(cpu, cpu_online_mask);

		if (next >= nr_cpu_ids)
			next = cpumask_first(cpu_online_mask);
		set_cpus_allowed_ptr(current, cpumask_of(cpu));
		kma_test_wait_begin(KMA_WAIT_COMPACTION);
		set_cpus_allowed_ptr(current, cpumask_of(next));
		KUNIT_EXPECT_EQ(test, raw_smp_processor_id(), next);
		kma_test_wait_end(KMA_WAIT_COMPACTION);
		waits++;
	}
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "compaction calls"),
			(u64)waits);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "waits under way"),
			0ull);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "without a begin"),
			0ull);
}

/* Waits of two kinds, one within the other, during which the task sometimes sleeps. */
static void kma_test_latency_waiter(unsigned int thread, void *unused)
{
	unsigned int i;

	for (i = 0; i < KMA_TEST_ROUNDS; i++) {
		kma_test_wait_begin(KMA_WAIT_RECLAIM);
		kma_test_wait_begin(KMA_WAIT_MEMCG);
		if (i % 100 == 0)
			usleep_range(10, 20);
		kma_test_wait_end(KMA_WAIT_MEMCG);
		kma_test_wait_end(KMA_WAIT_RECLAIM);
	}
}

static void kma_test_latency_threads(struct kunit *test)
{
	const u64 calls = KMA_TEST_WAITERS * KMA_TEST_ROUNDS;

	kma_test_latency(test);
	kma_test_threads(test, KMA_TEST_WAITERS, kma_test_latency_waiter, NULL);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "reclaim calls"),
			calls);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "memcg calls"),
			calls);
	KUNIT_EXPECT_GE(test, kma_test_latency_figure(test, "reclaim ns"),
			kma_test_latency_figure(test, "memcg ns"));
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "without a begin"),
			0ull);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "without an end"),
			0ull);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "without room"),
			0ull);
}

static void kma_test_latency_dies(unsigned int thread, void *task)
{
	*(void **)task = current;
	kma_test_wait_begin(KMA_WAIT_RECLAIM);
}

/* A task dies during a wait, and another task may get its task_struct. */
static void kma_test_latency_death(struct kunit *test)
{
	void *task = NULL;

	kma_test_latency(test);
	kma_test_threads(test, 1, kma_test_latency_dies, &task);
	KUNIT_ASSERT_NOT_NULL(test, task);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "waits under way"),
			1ull);
	kma_latency_begin(KMA_WAIT_RECLAIM, task, 0, ktime_get_ns());
	kma_latency_end(KMA_WAIT_RECLAIM, task, ktime_get_ns());
	kma_latency_end(KMA_WAIT_RECLAIM, task, ktime_get_ns());
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "without an end"),
			1ull);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "without a begin"),
			1ull);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "reclaim calls"),
			1ull);
}

/* More waits than there are slots. The task is never accessed, so any address will do. */
static void kma_test_latency_overflow(struct kunit *test)
{
	const unsigned int tasks = 2 * KMA_WAIT_OPEN;
	u64 open, lost;
	unsigned int i;

	kma_test_latency(test);
	for (i = 1; i <= tasks; i++)
		kma_latency_begin(KMA_WAIT_RECLAIM, (void *)(i * 64ul), 0, 0);
	open = kma_test_latency_figure(test, "waits under way");
	lost = kma_test_latency_figure(test, "without room");
	KUNIT_EXPECT_EQ(test, open + lost, (u64)tasks);
	KUNIT_EXPECT_GE(test, lost, (u64)KMA_WAIT_OPEN);
	for (i = 1; i <= tasks; i++)
		kma_latency_end(KMA_WAIT_RECLAIM, (void *)(i * 64ul), 1);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "reclaim calls"),
			open);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "without a begin"),
			lost);
	KUNIT_EXPECT_EQ(test, kma_test_latency_figure(test, "waits under way"),
			0ull);
}

/* The call site of a wait is the first function outside of the allocator and of this module. */
static void kma_test_latency_site(struct kunit *test)
{
	const unsigned int ours = KMA_FRAME_TRACE | KMA_FRAME_RECLAIM |
				  KMA_FRAME_PAGE | KMA_FRAME_SLAB;
	unsigned long site, flags;
	unsigned int kind;

	kma_test_latency(test);
	local_irq_save(flags);
	site = kma_origin_wait();
	kind = site ? kma_frame_kind(site) : ours;
	local_irq_restore(flags);
	/* UML cannot walk a stack without frame pointers */
	if (IS_ENABLED(CONFIG_UML) && !site)
		return;
	KUNIT_EXPECT_EQ_MSG(test, kind & ours, 0u, "%pS", (void *)site);
}

static struct kunit_case kma_test_latency_cases[] = {
	KUNIT_CASE(kma_test_latency_time),
	KUNIT_CASE(kma_test_latency_moves),
	KUNIT_CASE(kma_test_latency_threads),
	KUNIT_CASE(kma_test_latency_death),
	KUNIT_CASE(kma_test_latency_overflow),
	KUNIT_CASE(kma_test_latency_site),
	{}
};

static struct kunit_suite kma_test_latency_suite = {
	.name = "kma_latency",
	.test_cases = kma_test_latency_cases,
};

kunit_test_suite(kma_test_latency_suite);
