// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-peak.c - the bounds of what a site held at most.
 */
#include "account/account.h"
#include "account/group.h"
#include "account/live.h"
#include "account/peak.h"
#include "account/site.h"
#include "ktap.h"
#include "shim.h"
#include "peak-account.h"

#define SITE	0xa0	/* id 1 */
#define SIZE	64

static void alloc(unsigned long site, unsigned long from, int n)
{
	while (n--)
		kma_account_alloc(site, (void *)(from + SIZE * n), SIZE, SIZE, KMA_KIND_KMALLOC);
}

static void release(unsigned long from, int n)
{
	while (n--)
		kma_account_free(0xf0, (void *)(from + SIZE * n));
}

#define EXPECT_PEAK(peak, want_low, want_high) do {	\
	struct kma_peak p_ = peak;			\
							\
	EXPECT_EQ(p_.low, (want_low) * SIZE);		\
	EXPECT_EQ(p_.high, (want_high) * SIZE);		\
} while (0)

TEST(a_look_sees_what_is_live_and_bounds_what_was)
{
	REQUIRE(start(100, 1000));
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 0, 0);
	alloc(SITE, 0x10000, 10);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 10, 10);
	release(0x10000, 10);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 10, 10);
	/* 30 came and went, five at a time: at most 30, at least those before */
	for (int i = 0; i < 6; i++) {
		alloc(SITE, 0x10000, 5);
		release(0x10000, 5);
	}
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 10, 30);
	/* nothing new */
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 10, 30);
	alloc(SITE, 0x10000, 20);
	kma_peak_look();
	release(0x10000, 20);
	alloc(SITE, 0x10000, 12);
	kma_peak_look();
	/* 20 lived when the interval began, and 12 came */
	EXPECT_PEAK(kma_peak_of(1), 20, 32);
	stop();
}

TEST(other_cpus_count)
{
	REQUIRE(start(100, 1000));
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)
		alloc(SITE, 0x10000 * (shim_cpu + 1), 3);
	shim_cpu = 0;
	kma_peak_look();
	for (int cpu = 0; cpu < SHIM_CPUS; cpu++)
		release(0x10000 * (cpu + 1), 3);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 3 * SHIM_CPUS, 3 * SHIM_CPUS);
	stop();
}

/* Two paths of one call site: their peaks were at other times, and one together. */
TEST(a_call_site_has_a_peak_with_its_paths)
{
	unsigned int path;

	REQUIRE(start(100, 1000));
	kma_peak_deinit();
	REQUIRE(!kma_peak_init(true));
	alloc(SITE, 0x10000, 6);
	path = kma_site_nr();
	kma_site_new(SITE, KMA_KIND_KMALLOC, 1);
	for (int i = 0; i < 9; i++)
		kma_account_alloc_at(path, &(struct kma_event){
			.ptr = (void *)(0x20000ul + SIZE * i), .req = SIZE, .bytes = SIZE,
			.kind = KMA_KIND_KMALLOC });
	release(0x10000, 4);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 2, 6);
	EXPECT_PEAK(kma_peak_of(path), 9, 9);
	EXPECT_PEAK(kma_peak_merged(1), 11, 15);
	release(0x20000, 9);
	alloc(SITE, 0x10000, 1);
	kma_peak_look();
	alloc(SITE, 0x11000, 7);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 10, 10);
	EXPECT_PEAK(kma_peak_merged(1), 11, 15);
	EXPECT_PEAK(kma_peak_total(), 11, 15);
	stop();
}

/* The whole is less than its parts, which had their peaks at other times. */
TEST(the_peak_of_all_is_of_one_time)
{
	REQUIRE(start(100, 1000));
	for (int i = 0; i < 5; i++) {
		alloc(SITE + 16 * i, 0x10000, 10);
		kma_peak_look();
		release(0x10000, 10);
		kma_peak_look();
		EXPECT_PEAK(kma_peak_of(i + 1), 10, 10);
	}
	EXPECT_PEAK(kma_peak_total(), 10, 10);
	EXPECT_EQ(kma_peak_stats().looks, 10);
	stop();
}

TEST(a_reset_forgets)
{
	REQUIRE(start(100, 1000));
	alloc(SITE, 0x10000, 10);
	kma_peak_look();
	kma_live_close();
	kma_account_reset();
	kma_live_open();
	EXPECT_PEAK(kma_peak_of(1), 0, 0);
	EXPECT_PEAK(kma_peak_total(), 0, 0);
	alloc(SITE, 0x10000, 4);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 4, 4);
	EXPECT_PEAK(kma_peak_total(), 4, 4);
	stop();
}

TEST(without_room_there_are_no_peaks)
{
	REQUIRE(start(100, 1000));
	kma_peak_deinit();
	alloc(SITE, 0x10000, 4);
	EXPECT_EQ(kma_peak_look(), 0);
	kma_account_reset();
	EXPECT_PEAK(kma_peak_of(1), 0, 0);
	shim_fail_at = -1;
	EXPECT_EQ(kma_peak_init(false), -ENOMEM);
	shim_fail_at = 2;
	EXPECT_EQ(kma_peak_init(true), -ENOMEM);
	shim_fail_at = 0;
	stop();
}

/* One object at a time comes and goes, on two CPUs, in the midst of a look. */
static void come_and_go(void)
{
	for (int i = 0; i < 100; i++) {
		shim_cpu = i % 2 ? 7 : 0;
		alloc(SITE, 0x10000, 1);
		shim_cpu = 0;
		release(0x10000, 1);
	}
}

/*
 * A look that took the sums of a moment for one instant would see hundreds of
 * objects live at once; there was never more than one.
 */
TEST(what_happens_during_a_look_does_not_add_up)
{
	REQUIRE(start(100, 1000));
	for (int i = 0; i < 10; i++) {
		shim_resched = come_and_go;
		kma_peak_look();
		shim_resched = NULL;
		EXPECT(kma_peak_of(1).low <= SIZE);
		EXPECT(kma_peak_total().low <= SIZE);
		/* all of it was in the interval between two looks */
		EXPECT(kma_peak_of(1).high >= SIZE);
	}
	stop();
}

/* 8 objects, at one step of a look and gone three steps later. */
static int step;

static void come_late(void)
{
	if (!--step)
		alloc(SITE, 0x10000, 8);
	else if (step == -3)
		release(0x10000, 8);
}

TEST(no_moment_is_between_two_intervals)
{
	for (int at = 1; at <= 2 * 3 * SHIM_CPUS; at++) {
		REQUIRE(start(100, 1000));
		kma_site_id(SITE, KMA_KIND_KMALLOC);
		shim_resched = come_late;
		for (step = at; step > -3;)
			kma_peak_look();
		shim_resched = NULL;
		kma_peak_look();
		EXPECT_EQ(kma_peak_of(1).high, 8 * SIZE);
		EXPECT(kma_peak_of(1).low <= 8 * SIZE);
		stop();
	}
}

#define SIZES_BYTES	4096
#define SIZES_NR	50
/* of an object, also with 32 bits */
#define SIZES_AT(i)	((void *)(PAGE_OFFSET + 0x100000ul + (i) * SIZES_BYTES))

/* A site that comes during a look, has more sizes than classes, and holds much for a moment. */
static void come_in_all_sizes(void)
{
	if (--step)
		return;
	shim_cpu = SHIM_CPUS - 1;
	for (int i = 0; i < KMA_CLASS_SIZES; i++) {
		kma_account_alloc(SITE, (void *)0x10000, 33 + i, 96, KMA_KIND_KMALLOC);
		release(0x10000, 1);
	}
	for (int i = 0; i < SIZES_NR; i++)
		kma_account_alloc(SITE, SIZES_AT(i), SIZES_BYTES - i, SIZES_BYTES, KMA_KIND_KMALLOC);
	for (int i = 0; i < SIZES_NR; i++)
		kma_account_free(0xf0, SIZES_AT(i));
	shim_cpu = 0;
}

TEST(a_site_that_comes_during_a_look_loses_nothing)
{
	for (int at = 1; at <= 3 * SHIM_CPUS; at++) {
		/* with 32 bits each of these addresses has a whole array */
		REQUIRE(start(100, 10000));
		shim_resched = come_in_all_sizes;
		step = at;
		kma_peak_look();
		shim_resched = NULL;
		kma_peak_look();
		EXPECT(kma_peak_of(1).high >= SIZES_NR * SIZES_BYTES);
		EXPECT(kma_peak_total().high >= SIZES_NR * SIZES_BYTES);
		EXPECT(kma_peak_of(1).low <= SIZES_NR * SIZES_BYTES);
		kma_peak_look();
		EXPECT(kma_peak_of(1).low <= SIZES_NR * SIZES_BYTES);
		stop();
	}
}

/* 8 objects come, at one load or exchange of a look, on another CPU; or they go. */
static void come_on_another_cpu(void)
{
	shim_cpu = 5;
	alloc(SITE, 0x10000, 8);
	shim_cpu = 0;
}

static void go_on_another_cpu(void)
{
	shim_cpu = 6;
	release(0x10000, 8);
	shim_cpu = 0;
}

/* A look, and what happens in its @at-th load; false when it has not so many. */
static bool look_while(void (*other)(void), unsigned int at)
{
	bool done;

	shim_other_cpu = other;
	shim_other_cpu_at = at;
	kma_peak_look();
	done = !shim_other_cpu_at;
	shim_other_cpu_at = 0;
	return done;
}

/*
 * No look may lose a change, whenever it comes: the next ones would be wrong by it. 20 objects
 * are the most at the end, and there were never 28.
 */
TEST(no_change_in_the_midst_of_a_look_is_lost)
{
	bool more = true;

	for (unsigned int at = 1; more; at++) {
		REQUIRE(start(100, 1000));
		/* the class is there, and nothing but the marks of another one */
		alloc(SITE, 0x30000, 1);
		release(0x30000, 1);
		kma_peak_look();
		alloc(SITE + 64, 0x40000, 1);
		more = look_while(come_on_another_cpu, at);
		if (!more)
			come_on_another_cpu();
		kma_peak_look();
		EXPECT_PEAK(kma_peak_of(1), 8, 8);
		alloc(SITE + 64, 0x50000, 1);
		if (!look_while(go_on_another_cpu, at))
			go_on_another_cpu();
		kma_peak_look();
		EXPECT_PEAK(kma_peak_of(1), 8, 8);
		alloc(SITE, 0x60000, 20);
		kma_peak_look();
		EXPECT_PEAK(kma_peak_of(1), 20, 20);
		EXPECT_PEAK(kma_peak_total(), 22, 22);
		stop();
	}
}

#define KEY(site)	kma_owner_of(site, KMA_MADE_UNWATCHED)

static struct kma_size size_of(size_t bytes)
{
	struct kma_size size;

	if (!kma_size_pack(&size, bytes, bytes))
		abort();
	return size;
}

/* What was counted, seen by a look, and is taken back. */
TEST(what_is_taken_back_is_no_longer_live)
{
	struct kma_size size = size_of(SIZE);
	unsigned int class;

	REQUIRE(start(100, 1000));
	kma_site_id(SITE, KMA_KIND_KMALLOC);
	class = kma_class_of(KEY(1), 0, size);
	kma_class_count_objects(class, size, 1);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 1, 1);
	kma_class_count_objects(class, size, -1);
	kma_peak_look();
	alloc(SITE, 0x10000, 5);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 5, 5);
	stop();
}

/* The counts of a dead group's class go to another class, some of them seen, some not. */
TEST(a_class_that_is_folded_changes_no_peak)
{
	static u32 left[KMA_CLASS_GROUPS];
	static u16 heir[KMA_CLASS_GROUPS];
	struct kma_size size = size_of(SIZE);
	unsigned int class, again;

	REQUIRE(start(100, 1000));
	heir[500] = KMA_GROUP_FIRST;
	kma_site_id(SITE, KMA_KIND_KMALLOC);
	kma_site_id(SITE + 64, KMA_KIND_KMALLOC);
	class = kma_class_of(KEY(1), 500, size);
	shim_cpu = 3;
	kma_class_count_objects(class, size, 7);
	kma_peak_look();
	shim_cpu = 4;
	kma_class_count_objects(class, size, 4);
	for (int i = 0; i < 11; i++)
		kma_class_credit(class, size);
	shim_cpu = 0;
	kma_class_fold(heir, left, synchronize_rcu);
	/* the number is another site's at once, and another size's */
	again = kma_class_of(KEY(2), 0, size_of(8192));
	EXPECT_EQ(again, class);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 7, 11);
	EXPECT_PEAK(kma_peak_of(2), 0, 0);
	alloc(SITE, 0x10000, 9);
	kma_peak_look();
	EXPECT_PEAK(kma_peak_of(1), 9, 11);
	stop();
}

/* More classes than a page has marks, on all CPUs, against books that are kept here. */
#define MANY_SITES	80
#define MANY_SIZES	60
#define MANY		(MANY_SITES * MANY_SIZES)

static u64 rnd(u64 below)
{
	static u64 seed = 1;

	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

TEST(a_look_misses_none_of_many_classes)
{
	static struct { u64 live, came, low, high; } book[MANY_SITES], *b;
	static bool lives[MANY];

	REQUIRE(start(100, 100000));
	memset(book, 0, sizeof(book));
	memset(lives, 0, sizeof(lives));
	for (int look = 0; look < 40; look++) {
		for (int i = 0; i < MANY / 10; i++) {
			unsigned int n = look < 10 ? look * MANY / 10 + i : rnd(MANY);
			size_t bytes = 8 + 8 * (n / MANY_SITES);
			void *ptr = (void *)(0x100000ul + n * 1024ul);

			b = &book[n % MANY_SITES];
			shim_cpu = rnd(SHIM_CPUS);
			if (lives[n])
				kma_account_free(0xf0, ptr);
			else
				kma_account_alloc(SITE + 64 * (n % MANY_SITES), ptr, bytes, bytes,
						  KMA_KIND_KMALLOC);
			b->came += lives[n] ? 0 : bytes;
			b->live += lives[n] ? -(u64)bytes : bytes;
			lives[n] = !lives[n];
			shim_cpu = 0;
			map_serve();
			REQUIRE(!tables_grow());
		}
		kma_peak_look();
		for (b = book; b < book + MANY_SITES; b++) {
			struct kma_peak peak = kma_peak_of(kma_site_id(SITE + 64 * (b - book),
								       KMA_KIND_KMALLOC));

			b->low = max(b->low, b->live);
			b->high = max(b->high, b->came);
			EXPECT_EQ(peak.low, b->low);
			EXPECT_EQ(peak.high, b->high);
			/* what lives when the next interval begins, and what comes in it */
			b->came = b->live;
		}
	}
	EXPECT(kma_class_nr() > PAGE_SIZE);
	stop();
}

TEST_MAIN()
