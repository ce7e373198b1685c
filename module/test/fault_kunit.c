// SPDX-License-Identifier: GPL-2.0-only
/*
 * fault_kunit.c - parts of the account cannot be allocated. Functions of the module
 * fail for the test alone, by KUnit's static stubs. Not built for a kernel without them.
 */
#include <kunit/static_stub.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "account/area.h"
#include "account/live.h"
#include "account/pool.h"
#include "account/peak.h"
#include "account/class.h"
#include "account/site.h"
#include "control.h"
#include "fixture.h"
#include "guard/serial.h"
#include "source/tracepoint.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/latency.h"
#include "watch/lifetime.h"

#define KMA_TEST_SITE	0x1000ul

/* Define a function that fails, and a function that makes the test call it instead of @fn. */
#define KMA_TEST_FAULT(fn, ...)						\
	static int kma_test_no_##fn(__VA_ARGS__)			\
	{								\
		return -ENOMEM;						\
	}								\
	static void kma_test_break_##fn(struct kunit *test)		\
	{								\
		kunit_activate_static_stub(test, fn, kma_test_no_##fn);	\
	}

KMA_TEST_FAULT(kma_site_init, unsigned int max)
KMA_TEST_FAULT(kma_class_init, void (*wake)(void))
KMA_TEST_FAULT(kma_class_add_cpu, unsigned int cpu)
KMA_TEST_FAULT(kma_peak_init, bool paths)
KMA_TEST_FAULT(kma_area_grow, struct kma_area *area, size_t bytes, void **publish)
KMA_TEST_FAULT(kma_pool_refill, void)
KMA_TEST_FAULT(kma_age_init, void)
KMA_TEST_FAULT(kma_errors_init, void)
KMA_TEST_FAULT(kma_latency_init, void)
KMA_TEST_FAULT(kma_dispatch_init, const struct kma_features *features)
KMA_TEST_FAULT(kma_probe_register, enum kma_audience who, bool untraced)

static const struct kma_test_fault {
	const char *name;
	void (*break_it)(struct kunit *test);
	void *real;
} kma_test_faults[] = {
#define KMA_TEST_STEP(fn) { #fn, kma_test_break_##fn, fn }
	KMA_TEST_STEP(kma_site_init),
	KMA_TEST_STEP(kma_class_init),
	KMA_TEST_STEP(kma_class_add_cpu),
	KMA_TEST_STEP(kma_peak_init),
	KMA_TEST_STEP(kma_area_grow),
	KMA_TEST_STEP(kma_pool_refill),
	KMA_TEST_STEP(kma_age_init),
	KMA_TEST_STEP(kma_errors_init),
	KMA_TEST_STEP(kma_latency_init),
	KMA_TEST_STEP(kma_dispatch_init),
};

static void kma_test_fault_desc(const struct kma_test_fault *f, char *desc)
{
	strscpy(desc, f->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_fault, kma_test_faults, kma_test_fault_desc);

static int kma_test_fault_make(void)
{
	const struct kma_features features = {};

	return kma_control_init(KMA_TEST_SITES, KMA_TEST_OBJECTS, false, &features);
}

/* If the account cannot be made, nothing of it is left, and it can be made later. */
static void kma_test_fault_init(struct kunit *test)
{
	const struct kma_test_fault *f = test->param_value;
	int cpu, err;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_control_deinit();
	f->break_it(test);
	err = kma_test_fault_make();
	kunit_deactivate_static_stub(test, f->real);
	KUNIT_EXPECT_EQ(test, err, -ENOMEM);
	KUNIT_EXPECT_PTR_EQ(test, kma_sites.sites, NULL);
	for_each_possible_cpu(cpu)
		KUNIT_EXPECT_PTR_EQ(test, per_cpu(kma_class_counts, cpu), NULL);
	KUNIT_EXPECT_EQ(test, kma_live_stats().bytes, 0ul);
	/* without tables of peaks, a look does nothing */
	KUNIT_EXPECT_EQ(test, kma_peak_look(), 0ull);
	if (err)
		err = kma_test_fault_make();
	KUNIT_ASSERT_EQ(test, err, 0);
	kma_test_gate(test);
	kma_test_alloc(KMA_TEST_SITE, PAGE_OFFSET, 24, 32);
	KUNIT_EXPECT_EQ(test, kma_test_count(test, 1).bytes, 32ull);
}

/*
 * A failed "on" leaves the account off, with its numbers; it succeeds when the probes can be
 * attached.
 */
static void kma_test_fault_on(struct kunit *test)
{
	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_alloc(KMA_TEST_SITE, PAGE_OFFSET, 24, 32);
	KUNIT_EXPECT_EQ(test, kma_control_command("off"), 0);
	kma_test_break_kma_probe_register(test);
	KUNIT_EXPECT_EQ(test, kma_control_command("on"), -ENOMEM);
	KUNIT_EXPECT_FALSE(test, kma_live_is_open());
	KUNIT_EXPECT_EQ(test, kma_test_count(test, 1).bytes, 32ull);
	KUNIT_EXPECT_EQ(test, kma_control_command("clear"), 0);
	KUNIT_EXPECT_FALSE(test, kma_live_is_open());
	kunit_deactivate_static_stub(test, kma_probe_register);
	KUNIT_EXPECT_EQ(test, kma_control_command("on"), 0);
	KUNIT_EXPECT_TRUE(test, kma_live_is_open());
	KUNIT_EXPECT_EQ(test, kma_control_command("off"), 0);
}

#define KMA_TEST_MANY	1000000u	/* more than fit before the map grows */

static unsigned long kma_test_fault_object(unsigned int i)
{
	return PAGE_OFFSET + SZ_16M + i * 64ul;
}

/*
 * Without memory to grow, existing objects stay, objects that do not fit are counted, and the map
 * grows when there is memory again. The worker would call the real function, so a lock keeps it
 * out.
 */
static void kma_test_fault_growth(struct kunit *test)
{
	unsigned int i, given, kept = 0;
	struct kma_live_stats before, after;
	int err;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_MANY);
	kma_test_gate(test);
	kma_serial_lock();
	before = kma_live_stats();
	for (given = 0; given < KMA_TEST_MANY; given++) {
		if (given % 1000 == 0 && kma_test_drops())
			break;
		kma_test_alloc(KMA_TEST_SITE, kma_test_fault_object(given), 24,
			       64);
	}
	kma_test_break_kma_pool_refill(test);
	KUNIT_EXPECT_EQ(test, kma_live_grow(), -ENOMEM);
	after = kma_live_stats();
	KUNIT_EXPECT_EQ(test, after.grow_refused, before.grow_refused + 1);
	kunit_deactivate_static_stub(test, kma_pool_refill);
	while ((err = kma_live_grow()) == -EAGAIN)
		kma_area_drain();
	KUNIT_EXPECT_EQ(test, err, 0);
	KUNIT_EXPECT_GT(test, kma_live_stats().bytes, after.bytes);
	kma_serial_unlock();

	for (i = 0; i < given; i++)
		kept += kma_test_free(kma_test_fault_object(i));
	KUNIT_EXPECT_GT(test, kma_test_drops(), 0ull);
	KUNIT_EXPECT_EQ(test, kept + kma_test_drops(), (u64)given);
	KUNIT_EXPECT_EQ(test, kma_test_count(test, 1).bytes, 64ull * kept);
	KUNIT_EXPECT_EQ(test, kma_test_count(test, 1).freed_bytes, 64ull * kept);
}

static struct kunit_case kma_test_fault_cases[] = {
	KUNIT_CASE_PARAM(kma_test_fault_init, kma_test_fault_gen_params),
	KUNIT_CASE(kma_test_fault_on),
	KUNIT_CASE(kma_test_fault_growth),
	{}
};

static struct kunit_suite kma_test_fault_suite = {
	.name = "kma_fault",
	.test_cases = kma_test_fault_cases,
};

kunit_test_suite(kma_test_fault_suite);
