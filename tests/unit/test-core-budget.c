// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-budget.c - what the parts hold is what the budget says, and no more than it has.
 */
#include "account/account.h"
#include "account/budget.h"
#include "account/group.h"
#include "account/live.h"
#include "account/peak.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"

static unsigned long used(void)
{
	return kma_budget_stats().used;
}

/* A thirty-second of the memory, from 4 MiB to 2 GiB. */
TEST(the_default_follows_the_memory_up_to_a_bound)
{
	EXPECT_EQ(kma_budget_default(64ull << 20), 4ull << 20);
	EXPECT_EQ(kma_budget_default(128ull << 20), 4ull << 20);
	EXPECT_EQ(kma_budget_default(1ull << 30), 32ull << 20);
	EXPECT_EQ(kma_budget_default(64ull << 30), 2ull << 30);
	EXPECT_EQ(kma_budget_default((64ull << 30) - 4096), (2ull << 30) - 128);
	EXPECT_EQ(kma_budget_default(1ull << 40), 2ull << 30);
	EXPECT_EQ(kma_budget_default(1ull << 46), 2ull << 30);
}

/* Memory of all tables with @cpus CPUs, whose arrays have doubled three times; @more: a CPU now. */
static size_t memory_when_grown(int cpus, size_t *more)
{
	enum { GROUPS = 64, CLASSES = 4 * 2048 };
	const struct kma_size size = { .bytes = 1024, .req = 100 };
	unsigned int site = 0;
	size_t bytes;

	shim_init();
	kma_budget_set(0, 0);
	if (kma_site_init(CLASSES) || kma_class_init(tables_wake))
		return 0;
	for (int cpu = 0; cpu < cpus; cpu++)
		EXPECT(!kma_class_add_cpu(cpu));
	for (unsigned int i = 0; i < CLASSES; i++) {
		if (i % GROUPS == 0)
			site = kma_site_id(0x1000 + 16 * i, KMA_KIND_KMALLOC);
		EXPECT(kma_class_of(kma_owner_of(site, KMA_MADE_UNWATCHED), KMA_GROUP_FIRST + i % GROUPS,
				    size));
		EXPECT(!tables_grow());
	}
	bytes = kma_class_memory();
	EXPECT(!kma_class_add_cpu(cpus));
	*more = kma_class_memory() - bytes;
	tables_deinit();
	return bytes;
}

/* Only what is missing is added to an array, so it is as large as one that was made at once. */
TEST(counters_that_grow_take_no_more_memory_than_those_of_a_cpu_that_comes_later)
{
	size_t more, one = memory_when_grown(1, &more), two = memory_when_grown(2, &more);

	EXPECT(one > 0 && more > 0);
	EXPECT_EQ(two - one, more);
}

TEST(what_is_taken_is_counted_in_pages)
{
	kma_budget_set(10 * PAGE_SIZE, 1);
	EXPECT_EQ(used(), PAGE_SIZE);
	EXPECT(kma_budget_take(9 * PAGE_SIZE));
	EXPECT(!kma_budget_take(1));
	EXPECT_EQ(kma_budget_stats().refused, 1);
	EXPECT_EQ(kma_budget_stats().wanted, 11 * PAGE_SIZE);
	kma_budget_ask();
	EXPECT_EQ(kma_budget_stats().wanted, 0);
	kma_budget_give(PAGE_SIZE + 1);
	EXPECT(kma_budget_take(2 * PAGE_SIZE));
	EXPECT(!kma_budget_take(1));
	EXPECT_EQ(used(), 10 * PAGE_SIZE);
	kma_budget_set(0, 0);
	EXPECT(kma_budget_take(1ul << (BITS_PER_LONG / 2 + 8)));
	kma_budget_give(1ul << (BITS_PER_LONG / 2 + 8));
}

static void *object(unsigned long i)
{
	return (void *)(PAGE_OFFSET + 0x100000ul + i * 64);
}

static void allocate(unsigned long from, unsigned long to)
{
	for (unsigned long i = from; i < to; i++) {
		kma_account_alloc(KMA_TEXT + i % 3000 * 7, object(i), 64, 64, 0);
		if (i % 1000 == 0) {
			tables_grow();
			map_grow();
		}
	}
}

static unsigned long live(void)
{
	static struct kma_live_object objects[4096];
	unsigned long n = 0;
	u64 at;

	for (at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1))
		n += kma_live_read(at, objects, 4096);
	return n;
}

/*
 * The parts say themselves how much they hold. Whatever happens, the budget has the same, but
 * for whole pages, and is never exceeded; in the end it is empty.
 */
static void run(unsigned long max, bool enough)
{
	unsigned long held;

	kma_budget_set(max, 0);
	REQUIRE(!tables_init(4000));
	REQUIRE(!kma_peak_init(true));
	REQUIRE(!kma_live_init(1000000 * KMA_OBJECT_BYTES, map_wake));
	kma_account_reset();
	kma_live_open();
	allocate(0, 300000);
	kma_peak_look();
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_FULL] == 0, enough);
	EXPECT_EQ(live() + kma_account_totals().drops[KMA_DROP_FULL], 300000);
	EXPECT_EQ(kma_budget_stats().refused == 0, enough);
	EXPECT(used() <= max);
	held = kma_site_memory() + kma_class_memory() + kma_peak_stats().bytes +
	       kma_live_stats().bytes;
	EXPECT(used() >= held && used() < held + 64 * PAGE_SIZE);
	printf("# %lu used of %lu, %lu held\n", used(), max, held);
	for (unsigned long i = 0; i < 300000; i++)
		kma_account_free(0, object(i));
	map_shrink(true);
	/* but for the counters of all CPUs, which stay */
	EXPECT(used() - kma_class_memory() < 1600 << 10);
	/* what was given back can be taken again */
	allocate(0, 20000);
	EXPECT_EQ(live(), 20000);
	kma_live_deinit();
	kma_peak_deinit();
	tables_deinit();
	EXPECT_EQ(used(), 0);
}

TEST(the_parts_take_what_they_hold)
{
	shim_init();
	run(64 << 20, true);
}

TEST(a_budget_that_is_used_up_drops_and_recovers)
{
	shim_init();
	run(3 << 20, false);
}

/* Whatever is refused at the start, all is given back. */
TEST(a_budget_too_small_to_start_leaves_nothing)
{
	unsigned long max;
	int err;

	shim_init();
	for (max = PAGE_SIZE; max < 4 << 20; max += 16 * PAGE_SIZE) {
		kma_budget_set(max, 0);
		err = tables_init(4000);
		if (!err) {
			err = kma_peak_init(true);
			if (!err) {
				err = kma_live_init(1000000 * KMA_OBJECT_BYTES, map_wake);
				if (!err)
					kma_live_deinit();
				kma_peak_deinit();
			}
			tables_deinit();
		}
		EXPECT_EQ(used(), 0);
		if (!err)
			break;
		EXPECT_EQ(err, -ENOMEM);
		EXPECT(kma_budget_stats().wanted);
	}
	EXPECT(max > 64 * PAGE_SIZE && max < 4 << 20);
	printf("# the smallest budget: %lu bytes\n", max);
}

/* It is counted, and nobody else gets more for it. */
TEST(a_cpu_comes_online_although_the_budget_is_used_up)
{
	unsigned long before, bytes;

	shim_init();
	kma_budget_set(0, 0);
	REQUIRE(!kma_site_init(100));
	REQUIRE(!kma_class_init(map_wake));
	before = used();
	EXPECT_EQ(kma_class_add_cpu(0), 0);
	bytes = used() - before;
	EXPECT(bytes > 0);
	kma_budget_set(used(), used());
	/* one that is online: the module is being loaded */
	EXPECT_EQ(kma_class_add_cpu(1), -ENOMEM);
	EXPECT_EQ(used(), before + bytes);
	shim_offline = 1;
	EXPECT_EQ(kma_class_add_cpu(1), 0);
	shim_offline = -1;
	EXPECT_EQ(used(), before + 2 * bytes);
	EXPECT(!kma_budget_take(1));
	/* without memory it is refused, and leaves nothing */
	shim_offline = 2;
	for (int n = 1; n < 4; n++) {
		shim_fail_at = n;
		EXPECT_EQ(kma_class_add_cpu(2), -ENOMEM);
		shim_fail_at = 0;
		EXPECT_EQ(used(), before + 2 * bytes);
	}
	shim_offline = -1;
	tables_deinit();
	EXPECT_EQ(used(), 0);
}

TEST_MAIN()
