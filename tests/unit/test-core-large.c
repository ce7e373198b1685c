// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-large.c - a large kmalloc() that makes two events.
 */
#include "account/account.h"
#include "account/large.h"
#include "account/live.h"
#include "account/peak.h"
#include "account/site.h"
#include "ktap.h"
#include "shim.h"
#include "peak-account.h"

static void alloc(unsigned long site, unsigned long ptr, size_t req, size_t bytes)
{
	kma_account_alloc(site, (void *)ptr, req, bytes, KMA_KIND_KMALLOC);
}

/* In newer kernels: first in the name of the allocator, then of its caller. */
TEST(two_events_of_a_large_object_count_once)
{
	struct kma_site_count c[3];

	REQUIRE(start(100, 200000));
	for (int i = 0; i < 2; i++) {
		alloc(0xa0, 0x10000, 20000, 32768);	/* id 1 */
		alloc(0xb0, 0x10000, 20000, 32768);	/* id 2 */
		kma_site_fold(3, c);
		EXPECT_EQ(c[1].allocs, 0);
		EXPECT_EQ(c[1].req, 0);
		EXPECT_EQ(c[1].bytes, 0);
		EXPECT_EQ(c[1].frees, 0);
		EXPECT_EQ(c[2].allocs, i + 1);
		EXPECT_EQ(c[2].frees, i);
		/* the second time it went without an event */
		EXPECT_EQ(kma_account_totals().implied, i);
	}
	alloc(0xa0, 0, 20000, 32768);
	alloc(0xb0, 0, 20000, 32768);
	kma_site_fold(3, c);
	EXPECT_EQ(c[1].failed, 0);
	EXPECT_EQ(c[2].failed, 1);
	stop();
}

/* What was half of a pair in the old account is a first event in the new one. */
TEST(a_pair_does_not_reach_over_a_reset)
{
	struct kma_site_count c[2];

	REQUIRE(start(100, 200000));
	alloc(0xa0, 0, 20000, 32768);
	kma_account_reset();
	alloc(0xb0, 0, 20000, 32768);	/* id 1 now */
	kma_site_fold(2, c);
	EXPECT_EQ(c[1].failed, 1);
	stop();
}

/* What only looks like it: another size, another CPU, a slab's object. */
TEST(an_implied_free_is_no_second_event)
{
	REQUIRE(start(100, 200000));
	alloc(0xa0, 0x10000, 20000, 32768);
	alloc(0xb0, 0x10000, 20001, 32768);
	EXPECT_EQ(kma_account_totals().implied, 1);
	shim_cpu = 1;
	alloc(0xa0, 0x10000, 20001, 32768);
	EXPECT_EQ(kma_account_totals().implied, 2);
	alloc(0xa0, 0x8000, 8192, 8192);
	alloc(0xb0, 0x8000, 8192, 8192);
	EXPECT_EQ(kma_account_totals().implied, 3);
	shim_cpu = 0;
	stop();
}

/*
 * A large kmalloc where the allocator's functions are known: its task may move to another CPU.
 * They stay known, so this is the last test.
 */
TEST(the_first_event_of_a_large_object_is_skipped)
{
	unsigned long inner = (unsigned long)shim_kvmalloc + 5;
	struct kma_site_count c[4];

	REQUIRE(start(100, 200000));
	kma_large_init();
	for (int i = 0; i < 2; i++) {
		shim_cpu = 0;
		alloc(inner, 0x10000, 20000, 32768);
		shim_cpu = 1;
		alloc(0xb0, 0x10000, 20000, 32768);	/* id 1 */
		kma_site_fold(2, c);
		EXPECT_EQ(c[1].allocs, i + 1);
		EXPECT_EQ(c[1].frees, i);
		EXPECT_EQ(kma_account_totals().implied, i);
	}
	shim_cpu = 0;
	alloc(inner, 0, 20000, 32768);
	shim_cpu = 1;
	alloc(0xb0, 0, 20000, 32768);
	kma_site_fold(2, c);
	EXPECT_EQ(c[1].failed, 1);
	/* a slab's object, and the function behind it */
	alloc(inner, 0x30000, 8192, 8192);		/* id 2 */
	kma_site_fold(3, c);
	EXPECT_EQ(c[2].allocs, 1);
	alloc((unsigned long)shim_kvmalloc + 16, 0x40000, 20000, 32768);	/* id 3 */
	kma_site_fold(4, c);
	EXPECT_EQ(c[3].allocs, 1);
	shim_cpu = 0;
	stop();
}

TEST_MAIN()
