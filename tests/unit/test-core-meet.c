// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-meet.c - events that meet: of one object on two CPUs, and one in the middle of another
 * on the same CPU; and a reader who meets events between two steps.
 */
#include <unistd.h>

#include "account/account.h"
#include "account/live.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"
#include "grown.h"
#include "walk.h"
#include "watch/dispatch.h"

#define SITE	(KMA_TEXT + 64)
#define OTHER	(KMA_TEXT + 128)
#define FREER	(KMA_TEXT + 8)
#define X	((void *)0x40000000ul)
#define Y	((void *)0x40200000ul)	/* reached by another table */

static bool start(void)
{
	shim_init();
	shim_cpu = 0;
	if (tables_init(100) || kma_live_init(1ul << 24, map_wake))
		return false;
	kma_account_reset();
	kma_live_open();
	return true;
}

static void stop(void)
{
	kma_live_close();
	kma_live_deinit();
	tables_deinit();
}

static void alloc(unsigned long site, void *ptr, size_t req, size_t bytes)
{
	kma_account_alloc(site, ptr, req, bytes, KMA_KIND_KMALLOC);
}

static struct kma_site_count sum_of(unsigned long site)
{
	static struct kma_site_count sums[101];

	kma_site_fold(kma_site_nr(), sums);
	return sums[kma_site_id(site, KMA_KIND_KMALLOC)];
}

/* A site that has requested so many sizes that its further objects have a class without one. */
static void use_up_sizes(void)
{
	for (unsigned int req = 1; req <= KMA_CLASS_SIZES; req++) {
		alloc(SITE, X, req, 192);
		kma_account_free(FREER, X);
	}
}

static void free_twice_and_use_again(void)
{
	kma_account_free(FREER, X);
	alloc(SITE, X, 190, 192);
}

/* Wherever the second free and the next allocation come: each object leaves with its own sizes. */
TEST(a_double_free_of_an_object_whose_sizes_are_in_the_map)
{
	bool again = true;

	for (unsigned int at = 1; again; at++) {
		struct kma_site_count sum;

		REQUIRE(start());
		use_up_sizes();
		alloc(SITE, X, 100, 192);
		shim_other_cpu = free_twice_and_use_again;
		shim_other_cpu_at = at;
		kma_account_free(FREER, X);
		again = !shim_other_cpu_at;
		shim_other_cpu_at = 0;
		sum = sum_of(SITE);
		EXPECT(sum.req >= sum.freed_req && sum.allocs >= sum.frees);
		kma_account_free(FREER, X);
		sum = sum_of(SITE);
		EXPECT_EQ(sum.allocs, sum.frees);
		EXPECT_EQ(sum.req, sum.freed_req);
		EXPECT_EQ(sum.bytes, sum.freed_bytes);
		EXPECT_EQ(sum.allocs + kma_account_totals().drops[KMA_DROP_FULL], 65 + again);
		stop();
	}
}

static unsigned int lock_nr;	/* the nested event comes before so many more locks are taken */

static void nest(void)
{
	if (!lock_nr || --lock_nr)
		return;
	alloc(OTHER, Y, 60, 64);
	kma_account_free(FREER, Y);
	/* nothing that takes no lock is refused */
	kma_account_free(FREER, NULL);
}

static void outer(void)
{
	alloc(SITE, X, 100, 192);
	kma_account_free(FREER, X);
	kma_account_free(FREER, X);
}

static void outer_dispatched(void)
{
	kma_dispatch_alloc(&(struct kma_event){ .call_site = SITE, .ptr = X, .req = 100,
						.bytes = 192, .kind = KMA_KIND_KMALLOC });
	kma_dispatch_free(&(struct kma_event){ .call_site = FREER, .ptr = X });
	kma_dispatch_free(&(struct kma_event){ .call_site = FREER, .ptr = X });
}

/* A BPF program at a tracepoint of a lock may allocate. */
static void nest_at_each_lock(void (*event)(void))
{
	unsigned int at, left = 0;

	for (at = 1; !left; at++) {
		struct kma_site_count sum;

		REQUIRE(start());
		/* a CPU that waits for itself */
		alarm(20);
		lock_nr = at;
		shim_before_lock = nest;
		event();
		shim_before_lock = NULL;
		left = lock_nr;
		lock_nr = 0;
		alarm(0);
		sum = sum_of(SITE);
		EXPECT_EQ(sum.allocs, 1);
		EXPECT_EQ(sum.frees, 1);
		EXPECT_EQ(kma_account_totals().drops[KMA_DROP_NMI], left ? 0 : 2);
		stop();
	}
	EXPECT(at > 4);
}

TEST(an_event_in_the_middle_of_another_one_takes_no_lock)
{
	nest_at_each_lock(outer);
	nest_at_each_lock(outer_dispatched);
}

#define STRIDE	32u
#define OBJECTS	(PAGE_SIZE / STRIDE)

static unsigned int steps;

/* Between two steps of the reader the page gets a grid, and another object. */
static void add_another(void)
{
	if (++steps != 2)
		return;
	shim_cpu = 1;
	alloc(OTHER, X + PAGE_SIZE - 8, 8, 8);
	shim_cpu = 0;
}

static unsigned int seen[OBJECTS];

static void see(const struct kma_live_object *o, void *arg)
{
	unsigned long offset = o->ptr - (unsigned long)X;

	if (offset < PAGE_SIZE && offset % STRIDE == 0)
		seen[offset / STRIDE]++;
}

TEST(a_reader_meets_events_between_two_steps)
{
	unsigned int wrong = 0;

	REQUIRE(start());
	for (unsigned int i = 0; i < OBJECTS; i++)
		alloc(SITE, X + i * STRIDE, STRIDE, STRIDE);
	shim_before_lock = add_another;
	walk_live(see, NULL);
	shim_before_lock = NULL;
	for (unsigned int i = 0; i < OBJECTS; i++)
		wrong += seen[i] != 1;
	EXPECT_EQ(wrong, 0);
	/* one of 64 objects, and then of 64 places of the grid each */
	EXPECT(steps >= 1 + PAGE_SIZE / 2 / (64 * 8));
	stop();
}

TEST_MAIN()
