// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-errors.c - wrong frees, and the table of recent ones.
 */
#include "account/account.h"
#include "account/budget.h"
#include "account/live.h"
#include "account/site.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"
#include "show/debugfs.h"
#include "show/rows.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/freed.h"

#define PTR(n)	((void *)((n) * 0x1000ul))
#define CACHE(n) ((struct kmem_cache *)(n))

static unsigned long missed;

static unsigned long count_missed(void)
{
	return missed;
}

static int start(unsigned int max_sites)
{
	shim_init();
	shim_cache = 1;
	missed = 0;
	kma_errors_asked = true;
	if (tables_init(max_sites) || kma_live_init(1000000 * KMA_OBJECT_BYTES, map_wake) || kma_errors_init())
		return -1;
	kma_account_reset();
	kma_errors_reset();
	kma_live_open();
	kma_errors_watch(count_missed);
	return 0;
}

static void stop(void)
{
	kma_live_close();
	kma_errors_deinit();
	kma_live_deinit();
	tables_deinit();
	kma_errors_asked = false;
}

static void alloc(unsigned long site, void *ptr, enum kma_kind kind)
{
	struct kma_event e = { .call_site = site, .ptr = ptr, .req = 64, .bytes = 64,
			       .kind = kind };

	if (kma_errors_on)
		kma_errors_alloc(&e);
	kma_account_alloc_at(kma_site_id(site, kind), &e);
	map_serve();
}

static void release(unsigned long site, void *ptr, enum kma_kind kind, struct kmem_cache *cache)
{
	struct kma_event e = { .call_site = site, .ptr = ptr, .kind = kind, .cache = cache };

	if (kma_errors_on)
		kma_errors_free(&e);
	kma_dispatch_free_as(&e);
}

/* What debugfs' errors shows below its two lines, to be freed. */
static char *rows(void)
{
	struct seq_file m = {};
	void *r = kma_error_rows.create();

	kma_error_rows.header(&m, r);
	for (size_t i = 0; i < kma_error_rows.nr(r); i++)
		kma_error_rows.row(&m, r, i);
	kma_error_rows.destroy(r);
	memmove(m.buf, strstr(m.buf, "now_caller\n") + 11, strlen(strstr(m.buf, "now_caller\n")) - 10);
	return m.buf;
}

static u64 stat_of(const char *key)
{
	struct seq_file m = {};
	u64 value = -1ull;
	char *at;

	kma_errors_show_stats(&m);
	at = strstr(m.buf, key);
	if (at)
		value = strtoull(at + strlen(key) + 2, NULL, 10);
	free(m.buf);
	return value;
}

TEST(frees_that_are_right_leave_no_row)
{
	REQUIRE(!start(10));
	for (int i = 0; i < 3; i++) {
		alloc(0xa0, PTR(1), KMA_KIND_KMALLOC);
		release(0xf0, PTR(1), KMA_KIND_KMALLOC, NULL);
		alloc(0xa0, PTR(1), KMA_KIND_CACHE);
		release(0xf0, PTR(1), KMA_KIND_CACHE, CACHE(1));
	}
	release(0xf0, PTR(7), KMA_KIND_KMALLOC, NULL);	/* older than the account */
	release(0xf0, NULL, KMA_KIND_KMALLOC, NULL);
	release(0xf0, NULL, KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(kma_errors_rows(), 0);
	EXPECT_EQ(stat_of("errors double_free"), 0);
	stop();
}

TEST(each_error_with_both_sites)
{
	char *t;

	REQUIRE(!start(20));
	alloc(0xa0, PTR(1), KMA_KIND_CACHE);
	release(0xf0, PTR(1), KMA_KIND_KMALLOC, NULL);
	alloc(0xa0, PTR(2), KMA_KIND_CACHE);
	release(0xf0, PTR(2), KMA_KIND_KMALLOC, NULL);
	alloc(0xb0, PTR(3), KMA_KIND_KMALLOC);
	release(0xf1, PTR(3), KMA_KIND_CACHE, CACHE(1));
	alloc(0xc0, PTR(4), KMA_KIND_CACHE);
	release(0xf2, PTR(4), KMA_KIND_CACHE, CACHE(2));
	release(0xf3, PTR(9), KMA_KIND_CACHE, CACHE(2));	/* of nobody known */
	alloc(0xd0, PTR(5), KMA_KIND_KMALLOC);
	release(0xf4, PTR(5), KMA_KIND_KMALLOC, NULL);
	release(0xf5, PTR(5), KMA_KIND_KMALLOC, NULL);
	release(0xf5, PTR(5), KMA_KIND_KMALLOC, NULL);
	t = rows();
	EXPECT_STR(t,
		"kfree_of_cache_object\t2\t0x1000\tcache-1\t-\t1\t2\tsym_a0+0x0/0x10\tsym_f0+0x0/0x10\n"
		"cache_free_of_kmalloc\t1\t0x3000\tcache-1\tcache-1\t3\t4\tsym_b0+0x0/0x10\tsym_f1+0x0/0x10\n"
		"wrong_cache\t1\t0x4000\tcache-1\tcache-2\t5\t6\tsym_c0+0x0/0x10\tsym_f2+0x0/0x10\n"
		"wrong_cache\t1\t0x9000\tcache-1\tcache-2\t-\t7\t-\tsym_f3+0x0/0x10\n"
		"double_free\t2\t0x5000\t-\t-\t9\t10\tsym_f4+0x0/0x10\tsym_f5+0x0/0x10\n");
	free(t);
	EXPECT_EQ(stat_of("errors kfree_of_cache_object"), 2);
	EXPECT_EQ(stat_of("errors cache_free_of_kmalloc"), 1);
	EXPECT_EQ(stat_of("errors wrong_cache"), 2);
	EXPECT_EQ(stat_of("errors double_free"), 2);
	kma_live_close();
	kma_account_reset();
	kma_errors_reset();
	EXPECT_EQ(kma_errors_rows(), 0);
	EXPECT_EQ(stat_of("errors double_free"), 0);
	stop();
}

/* One call through a pointer: its site is of the kind of its first event. */
TEST(the_kind_is_the_objects_own)
{
	REQUIRE(!start(10));
	alloc(0xa0, PTR(1), KMA_KIND_KMALLOC);
	alloc(0xa0, PTR(2), KMA_KIND_CACHE);
	release(0xf0, PTR(1), KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(stat_of("errors kfree_of_cache_object"), 0);
	release(0xf0, PTR(2), KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(stat_of("errors kfree_of_cache_object"), 1);
	stop();
}

/* The event of kmem_cache_free() alone does not say enough. */
TEST(a_free_without_its_cache_is_not_checked)
{
	REQUIRE(!start(10));
	alloc(0xa0, PTR(1), KMA_KIND_KMALLOC);
	release(0xf0, PTR(1), KMA_KIND_CACHE, NULL);
	release(0xf0, PTR(1), KMA_KIND_CACHE, NULL);
	EXPECT_EQ(kma_errors_rows(), 0);
	stop();
}

TEST(what_is_no_second_free)
{
	struct kma_event quiet = { .call_site = 0xf0, .ptr = PTR(3), .kind = KMA_KIND_KMALLOC,
				   .quiet = true };

	REQUIRE(!start(10));
	/* put off, as by kfree_rcu(): freed some other time, by another function */
	alloc(0xa0, PTR(1), KMA_KIND_KMALLOC);
	release(0xf0, PTR(1), KMA_KIND_FREE, NULL);
	release(0xf0, PTR(1), KMA_KIND_KMALLOC, NULL);
	/* a free to the wrong cache may have been refused */
	alloc(0xa0, PTR(2), KMA_KIND_CACHE);
	release(0xf0, PTR(2), KMA_KIND_CACHE, CACHE(2));
	release(0xf0, PTR(2), KMA_KIND_CACHE, CACHE(1));
	/* the worker of kfree_rcu() is not asked */
	alloc(0xa0, PTR(3), KMA_KIND_KMALLOC);
	release(0xf0, PTR(3), KMA_KIND_KMALLOC, NULL);
	kma_errors_free(&quiet);
	/* nobody looks while the account is off */
	kma_live_close();
	release(0xf0, PTR(3), KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(stat_of("errors double_free"), 0);
	stop();
}

TEST(errors_beyond_the_rows_are_counted)
{
	const unsigned int n = KMA_ERROR_ROWS + 100;

	REQUIRE(!start(4 * KMA_ERROR_ROWS));
	for (int round = 0; round < 2; round++) {
		for (unsigned long i = 0; i < n; i++) {
			alloc(0x100000 + 2 * i, PTR(1), KMA_KIND_CACHE);
			release(0x200000 + 2 * i, PTR(1), KMA_KIND_KMALLOC, NULL);
		}
	}
	EXPECT_EQ(kma_errors_rows(), KMA_ERROR_ROWS);
	EXPECT_EQ(stat_of("errors kfree_of_cache_object"), 2 * n);
	EXPECT_EQ(stat_of("errors beyond the rows"), 200);
	stop();
}

TEST(the_table_forgets_the_oldest_of_a_set)
{
	unsigned long found = 0;

	REQUIRE(!kma_freed_init());
	/* as many as there are places: most are kept, those of full sets are not */
	for (unsigned long i = 1; i <= KMA_FREED_SETS * KMA_FREED_WAYS; i++)
		EXPECT_EQ(kma_freed_remember(PTR(i), i), 0);
	for (unsigned long i = 1; i <= KMA_FREED_SETS * KMA_FREED_WAYS; i++) {
		/* to look for one that is gone may drive out another one */
		unsigned long site = kma_freed_remember(PTR(i), 1ul << (BITS_PER_LONG / 2 + 8));

		EXPECT(!site || site == i || site == 1ul << (BITS_PER_LONG / 2 + 8));
		found += site == i;
		kma_freed_forget(PTR(i));
	}
	printf("# %lu of %u found\n", found, KMA_FREED_SETS * KMA_FREED_WAYS);
	EXPECT(found > KMA_FREED_SETS * KMA_FREED_WAYS * 6 / 10);
	EXPECT_EQ(kma_freed_remember(PTR(1), 5), 0);
	EXPECT_EQ(kma_freed_remember(PTR(1), 6), 5);
	EXPECT_EQ(kma_freed_remember(PTR(1), 7), 5);
	kma_freed_reset();
	EXPECT_EQ(kma_freed_remember(PTR(1), 8), 0);
	kma_freed_deinit();
}

#define TWICE	1000		/* they fit: none is driven out */
#define ROUNDS	200

static pthread_barrier_t together;

/* One of two CPUs that free the same objects at once: how often it was second. */
static void *free_all(void *arg)
{
	unsigned long n = 0;

	for (int round = 0; round < ROUNDS; round++) {
		pthread_barrier_wait(&together);
		for (unsigned long i = 1; i <= TWICE; i++)
			n += !!kma_freed_remember(PTR(i), (unsigned long)arg);
		pthread_barrier_wait(&together);
		for (unsigned long i = 1; i <= TWICE; i++)
			kma_freed_forget(PTR(i));
	}
	return (void *)n;
}

TEST(of_two_frees_at_once_one_is_the_second)
{
	void *mine, *others;
	pthread_t other;

	REQUIRE(!kma_freed_init());
	pthread_barrier_init(&together, NULL, 2);
	pthread_create(&other, NULL, free_all, (void *)1ul);
	mine = free_all((void *)2ul);
	pthread_join(other, &others);
	printf("# second: %lu and %lu times\n", (unsigned long)mine, (unsigned long)others);
	EXPECT_EQ((unsigned long)mine + (unsigned long)others, TWICE * ROUNDS);
	pthread_barrier_destroy(&together);
	kma_freed_deinit();
}

/* The gate: what it has not seen is not judged, and is counted. */
TEST(an_object_from_before_is_not_judged)
{
	REQUIRE(!start(20));
	kma_errors_unwatch();
	alloc(0xa0, PTR(1), KMA_KIND_KMALLOC);
	alloc(0xa0, PTR(2), KMA_KIND_CACHE);
	kma_errors_watch(count_missed);
	alloc(0xa0, PTR(3), KMA_KIND_KMALLOC);
	release(0xf0, PTR(1), KMA_KIND_CACHE, CACHE(1));
	release(0xf0, PTR(2), KMA_KIND_KMALLOC, NULL);
	release(0xf0, PTR(9), KMA_KIND_KMALLOC, NULL);	/* not known at all */
	EXPECT_EQ(kma_errors_rows(), 0);
	EXPECT_EQ(stat_of("errors not watched"), 3);
	release(0xf0, PTR(3), KMA_KIND_CACHE, CACHE(1));
	EXPECT_EQ(stat_of("errors cache_free_of_kmalloc"), 1);
	EXPECT_EQ(stat_of("errors not watched"), 3);
	/* both frees were seen, whoever allocated it */
	release(0xf1, PTR(9), KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(stat_of("errors double_free"), 1);
	kma_live_close();
	kma_account_reset();
	kma_errors_reset();
	EXPECT_EQ(stat_of("errors not watched"), 0);
	stop();
}

/* An allocation that came while the gate was closed is not there to take a free back. */
TEST(no_free_is_remembered_over_a_gap)
{
	REQUIRE(!start(20));
	alloc(0xa0, PTR(1), KMA_KIND_KMALLOC);
	release(0xf0, PTR(1), KMA_KIND_KMALLOC, NULL);
	kma_errors_unwatch();
	alloc(0xa0, PTR(1), KMA_KIND_KMALLOC);
	kma_errors_watch(count_missed);
	release(0xf0, PTR(1), KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(stat_of("errors double_free"), 0);
	release(0xf0, PTR(1), KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(stat_of("errors double_free"), 1);
	stop();
}

TEST(a_missed_call_makes_frees_uncertain)
{
	REQUIRE(!start(20));
	for (unsigned int i = 1; i <= 3; i++)
		release(0xf0, PTR(i), KMA_KIND_KMALLOC, NULL);
	missed = 1;
	release(0xf1, PTR(1), KMA_KIND_KMALLOC, NULL);
	release(0xf1, PTR(2), KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(stat_of("errors double_free"), 0);
	EXPECT_EQ(stat_of("errors not certain"), 1);	/* the second is the first one again */
	release(0xf1, PTR(2), KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(stat_of("errors double_free"), 1);
	kma_errors_unwatch();
	kma_errors_watch(NULL);
	release(0xf0, PTR(3), KMA_KIND_KMALLOC, NULL);
	release(0xf0, PTR(3), KMA_KIND_KMALLOC, NULL);
	EXPECT_EQ(stat_of("errors double_free"), 1);
	EXPECT_EQ(stat_of("errors not certain"), 2);
	stop();
}

/* Off and on: rows stay, and what was watched before is still known. */
TEST(switched_off_and_on_what_is_known_stays)
{
	u64 bytes = 0;

	REQUIRE(!start(20));
	for (unsigned long i = 1; i < 20000; i++)
		alloc(0xa0 + i % 7 * 2, PTR(i), i % 2 ? KMA_KIND_KMALLOC : KMA_KIND_CACHE);
	release(0xf0, PTR(1), KMA_KIND_CACHE, CACHE(1));
	kma_errors_unwatch();
	kma_errors_release();
	EXPECT_EQ(kma_errors_rows(), 1);
	for (unsigned long i = 20000; i < 20100; i++)
		alloc(0xa0, PTR(i), KMA_KIND_KMALLOC);
	REQUIRE(!kma_errors_reserve());
	kma_errors_watch(count_missed);
	for (unsigned long i = 2; i < 20000; i++) {
		release(0xf0, PTR(i), i % 2 ? KMA_KIND_KMALLOC : KMA_KIND_CACHE, CACHE(1));
		bytes += 64;
	}
	EXPECT_EQ(kma_errors_rows(), 1);
	EXPECT_EQ(stat_of("errors not watched"), 0);
	EXPECT_EQ(bytes, 19998 * 64);
	/* of the time in between nothing is known */
	for (unsigned long i = 20000; i < 20100; i++)
		release(0xf0, PTR(i), KMA_KIND_CACHE, CACHE(1));
	EXPECT_EQ(kma_errors_rows(), 1);
	EXPECT_EQ(stat_of("errors not watched"), 100);
	EXPECT(!kma_live_look(PTR(7), &(struct kma_live_object){}));
	stop();
}

/* The switch says that nothing was changed: neither table may stay. */
TEST(a_switch_without_memory_leaves_no_table)
{
	u64 before;
	int n;

	REQUIRE(!start(20));
	kma_errors_deinit();
	before = kma_budget_stats().used;
	for (n = 1; n <= 2; n++) {
		shim_fail_at = n;
		EXPECT_EQ(kma_errors_reserve(), -ENOMEM);
		EXPECT_EQ(kma_errors_memory(), 0);
		EXPECT_EQ(kma_budget_stats().used, before);
	}
	shim_fail_at = 0;
	EXPECT(!kma_errors_reserve());
	stop();
}

TEST(every_failed_allocation_leaves_nothing)
{
	shim_init();
	kma_errors_asked = true;
	shim_fail_at = 1;
	EXPECT_EQ(kma_errors_init(), -ENOMEM);
	shim_fail_at = 2;
	EXPECT_EQ(kma_errors_init(), -ENOMEM);
	shim_fail_at = 0;
	EXPECT_EQ(kma_errors_init(), 0);
	kma_errors_deinit();
	kma_errors_asked = false;
}

TEST_MAIN()
