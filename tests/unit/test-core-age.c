// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-lifetime.c - lifetimes and remote frees, on one thread with a made-up clock.
 */
#include "account/account.h"
#include "account/live.h"
#include "account/site.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"
#include "grown.h"
#include "watch/dispatch.h"
#include "watch/lifetime.h"

#define PTR(n)	((void *)(PAGE_OFFSET + (n) * 0x1000ul))

static int start(void)
{
	shim_init();
	shim_cpu = 0;
	shim_clock = 1000000;
	kma_age_asked = true;
	if (tables_init(10) || kma_live_init(100000 * KMA_OBJECT_BYTES, map_wake) || kma_age_init())
		return -1;
	kma_births_on = true;
	kma_account_reset();
	kma_age_reset();
	kma_live_open();
	return 0;
}

static void stop(void)
{
	kma_live_close();
	kma_age_release();
	kma_live_deinit();
	tables_deinit();
	kma_births_on = false;
	kma_age_asked = false;
	shim_cpu = 0;
}

static void alloc(unsigned long site, void *ptr, size_t bytes)
{
	struct kma_event e = { .call_site = site, .ptr = ptr, .req = bytes, .bytes = bytes,
			       .kind = KMA_KIND_KMALLOC };

	kma_account_alloc_at(kma_site_id(site, e.kind), &e);
}

static void release(unsigned long site, void *ptr)
{
	kma_dispatch_free_as(&(struct kma_event){ .call_site = site, .ptr = ptr });
}

static struct kma_age_count sum(unsigned long site)
{
	return kma_age_sum(kma_site_id(site, KMA_KIND_KMALLOC));
}

TEST(each_bound_of_a_class_is_below_the_next_one)
{
	u64 bound = 1000;

	REQUIRE(!start());
	for (int class = 0; class < KMA_AGE_CLASSES - 1; class++, bound *= 10) {
		u64 born = shim_clock;

		alloc(0xa0, PTR(1), 64);
		alloc(0xb0, PTR(2), 64);
		shim_clock = born + bound - 1;
		release(0xf0, PTR(1));
		shim_clock = born + bound;
		release(0xf0, PTR(2));
	}
	for (int class = 0; class < KMA_AGE_CLASSES; class++) {
		EXPECT_EQ(sum(0xa0).lives[class], class < KMA_AGE_CLASSES - 1);
		EXPECT_EQ(sum(0xb0).lives[class], class > 0);
	}
	EXPECT_STR(kma_age_class_name(0), "lt_1us");
	EXPECT_STR(kma_age_class_name(12), "lt_1000000s");
	stop();
}

TEST(a_clock_that_goes_back_makes_no_negative_age)
{
	struct kma_birth birth = { .ns = 500 };

	EXPECT_EQ(kma_birth_age(&birth, 499), 0);
	EXPECT_EQ(kma_birth_age(&birth, 501), 1);
	REQUIRE(!start());
	alloc(0xa0, PTR(1), 64);
	shim_clock -= 5000;
	release(0xf0, PTR(1));
	EXPECT_EQ(sum(0xa0).lives[0], 1);
	stop();
}

/* The shim's CPUs are two to a node. */
TEST(frees_on_another_cpu_and_another_node)
{
	REQUIRE(!start());
	for (int cpu = 0; cpu < 4; cpu++) {
		shim_cpu = 0;
		alloc(0xa0, PTR(1), 64);
		shim_cpu = cpu;
		release(0xf0, PTR(1));
	}
	EXPECT_EQ(sum(0xa0).remote_cpu, 3);
	EXPECT_EQ(sum(0xa0).remote_node, 2);
	EXPECT_EQ(sum(0xa0).lives[0], 4);
	stop();
}

TEST(implied_and_unknown_frees_have_no_lifetime)
{
	REQUIRE(!start());
	alloc(0xa0, PTR(1), 64);
	shim_clock += 5000;
	alloc(0xb0, PTR(1), 64);	/* implied free of the first */
	shim_clock += 500;
	release(0xf0, PTR(1));
	release(0xf0, PTR(9));
	EXPECT_EQ(kma_account_totals().implied, 1);
	EXPECT_EQ(sum(0xa0).lives[0] + sum(0xa0).lives[1], 0);
	EXPECT_EQ(sum(0xb0).lives[0], 1);
	EXPECT_EQ(sum(0xf0).lives[0], 0);
	stop();
}

TEST(the_second_event_of_a_large_object_is_its_birth)
{
	REQUIRE(!start());
	alloc(0xa0, PTR(4), 65536);
	shim_clock += 600;
	alloc(0xb0, PTR(4), 65536);
	shim_clock += 600;
	release(0xf0, PTR(4));
	EXPECT_EQ(sum(0xb0).lives[0], 1);
	EXPECT_EQ(sum(0xb0).lives[1], 0);
	EXPECT_EQ(sum(0xa0).lives[0], 0);
	stop();
}

TEST(a_reset_forgets_the_lifetimes)
{
	REQUIRE(!start());
	alloc(0xa0, PTR(1), 64);
	shim_cpu = 3;
	release(0xf0, PTR(1));
	EXPECT_EQ(sum(0xa0).remote_cpu, 1);
	kma_live_close();
	kma_account_reset();
	kma_age_reset();
	EXPECT_EQ(sum(0xa0).remote_cpu, 0);
	EXPECT_EQ(sum(0xa0).lives[0], 0);
	stop();
}

/* As control.c does it; there is one thread, and no event is under way. */
static int switch_on(void)
{
	int err = kma_age_reserve();

	if (!err)
		kma_births_on = true;
	return err;
}

static void switch_off(void)
{
	kma_births_on = false;
	kma_live_detach();
	kma_age_release();
}

TEST(objects_older_than_the_switch_have_an_unknown_age)
{
	REQUIRE(!start());
	switch_off();
	alloc(0xa0, PTR(1), 64);
	alloc(0xa0, PTR(2), 64);
	alloc(0xa0, PTR(3), 64);
	release(0xf0, PTR(1));
	EXPECT_EQ(kma_age_memory(), 0);
	REQUIRE(!switch_on());
	release(0xf0, PTR(2));
	EXPECT_EQ(sum(0xa0).unknown, 1);
	EXPECT_EQ(sum(0xa0).lives[0], 0);
	alloc(0xa0, PTR(2), 64);
	release(0xf0, PTR(2));
	EXPECT_EQ(sum(0xa0).unknown, 1);
	EXPECT_EQ(sum(0xa0).lives[0], 1);
	/* no free was seen: it is a new object */
	alloc(0xa0, PTR(3), 64);
	release(0xf0, PTR(3));
	EXPECT_EQ(sum(0xa0).unknown, 1);
	EXPECT_EQ(sum(0xa0).lives[0], 2);
	stop();
}

TEST(a_switch_that_was_off_knows_no_birth_of_before)
{
	REQUIRE(!start());
	alloc(0xa0, PTR(1), 64);
	alloc(0xa0, PTR(2), 64);
	switch_off();
	release(0xf0, PTR(1));
	EXPECT_EQ(sum(0xa0).lives[0], 0);
	REQUIRE(!switch_on());
	EXPECT_EQ(sum(0xa0).lives[0], 0);
	release(0xf0, PTR(2));
	EXPECT_EQ(sum(0xa0).lives[0], 0);
	EXPECT_EQ(sum(0xa0).unknown, 1);
	stop();
}

/* Births are made with their objects. Without memory for them, objects are as good as ever. */
TEST(births_without_memory_are_unknown)
{
	size_t bytes;
	unsigned long n;

	REQUIRE(!start());
	switch_off();
	alloc(0xa0, PTR(1), 64);
	REQUIRE(!switch_on());
	bytes = kma_live_stats().bytes;
	shim_fail_at = -1;
	for (n = 2; n < 100000 && !kma_account_totals().drops[KMA_DROP_FULL]; n++)
		alloc(0xa0, PTR(n), 64);
	shim_fail_at = 0;
	EXPECT(n > 100 && n < 100000);
	EXPECT_EQ(kma_live_stats().bytes, bytes);
	map_grow();
	/* a class without a birth is still an object */
	release(0xf0, PTR(n - 2));
	EXPECT_EQ(sum(0xa0).unknown + sum(0xa0).lives[0], 1);
	release(0xf0, PTR(1));
	EXPECT(sum(0xa0).unknown >= 1);
	/* and all births go at once */
	switch_off();
	REQUIRE(!switch_on());
	release(0xf0, PTR(2));
	EXPECT_EQ(sum(0xa0).unknown, 1);
	stop();
}

TEST(every_failed_allocation_leaves_nothing)
{
	int n;

	shim_init();
	kma_age_asked = true;
	REQUIRE(!tables_init(10));
	for (n = 1; n < 100; n++) {
		shim_fail_at = n;
		if (!kma_age_init())
			break;
	}
	shim_fail_at = 0;
	EXPECT_EQ(n, SHIM_CPUS + 1);
	EXPECT_EQ(kma_age_memory(), SHIM_CPUS * 11 * sizeof(struct kma_age_count));
	kma_age_release();
	tables_deinit();
	kma_age_asked = false;
	EXPECT_EQ(kma_age_memory(), 0);
}

TEST_MAIN()
