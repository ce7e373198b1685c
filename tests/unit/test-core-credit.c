// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-credit.c - events whose class is folded while they go on.
 *
 * Behind each load, exchange and count of an event in turn, another CPU begins to fold the group
 * of the object, and gets as far as its grace period, which waits for the event. Whatever the
 * event does after that must be right: numbers, flows and lifetimes of the object's call site.
 */
#include "account/account.h"
#include "account/group.h"
#include "account/live.h"
#include "account/sum.h"
#include "caller/origin.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"
#include "source/pages.h"
#include "source/percpu.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/lifetime.h"

#define GROUP	500u	/* dies */
#define HEIR	501u
#define OTHER	502u	/* lives */
#define SITE	0x1000ul
#define PTR	((void *)0x10000000ul)
#define PFN	0x12340ul
#define SIZES	70	/* more than a site has classes */

static unsigned int group_now;

static unsigned int group_of(unsigned long addr, unsigned int charged)
{
	return group_now;
}

static void stop(void)
{
	kma_live_close();
	kma_errors_unwatch();
	kma_errors_deinit();
	kma_births_on = false;
	kma_age_asked = false;
	kma_age_release();
	kma_live_deinit();
	tables_deinit();
	kma_group_use(NULL);
}

static bool start(void)
{
	shim_init();
	shim_cpu = 0;
	shim_clock = 1000;
	shim_origin = (struct kma_origin){ SITE, KMA_OWNER_CALLER };
	kma_age_asked = true;
	if (tables_init(100) || kma_live_init(1000 * KMA_OBJECT_BYTES, map_wake) || kma_age_init() ||
	    kma_errors_reserve())
		return false;
	kma_births_on = true;
	kma_account_reset();
	kma_age_reset();
	kma_live_open();
	group_now = GROUP;
	kma_group_use(group_of);
	return true;
}

static void alloc(void *ptr, size_t bytes)
{
	kma_dispatch_alloc(&(struct kma_event){
		.call_site = SITE, .ptr = ptr, .req = bytes, .bytes = bytes,
		.kind = KMA_KIND_KMALLOC,
	});
}

static void release(void *ptr)
{
	kma_dispatch_free(&(struct kma_event){
		.call_site = SITE, .ptr = ptr, .kind = KMA_KIND_KMALLOC,
	});
}

static void object(void)
{
	alloc(PTR, 64);
}

static void free_object(void)
{
	release(PTR);
}

static void watched_object(void)
{
	kma_errors_watch(NULL);
	object();
}

/* Free it to a cache: the free is checked first, against the class. */
static void free_to_cache(void)
{
	const struct kma_event e = { .call_site = SITE, .ptr = PTR, .kind = KMA_KIND_CACHE,
				     .cache = (void *)1 };

	kma_dispatch_free(&e);
}

/* All sizes but the last have classes of their own. */
static void sized_object(void)
{
	for (unsigned int i = 0; i < SIZES; i++)
		alloc(PTR + i * 65536, 1024 + 8 * i);
	for (unsigned int i = 0; i < SIZES - 1; i++)
		release(PTR + i * 65536);
}

static void free_sized(void)
{
	release(PTR + (SIZES - 1) * 65536);
}

static void percpu_object(void)
{
	kma_percpu_alloc(PTR, 8, 0);
}

static void free_percpu_object(void)
{
	kma_percpu_free(PTR);
}

static void block(void)
{
	kma_pages_alloc(PFN, 1, 0);
}

static void free_block(void)
{
	kma_pages_free(PFN, 1);
}

static void two_blocks(void)
{
	kma_pages_alloc(PFN, 0, 0);
	kma_pages_alloc(PFN + 1, 0, 0);
}

/* Of four pages two are freed, one after the other: the second cut is that of a part. */
static void large_block(void)
{
	kma_pages_alloc(PFN, 2, 0);
	kma_pages_free(PFN + 3, 0);
}

static void cut_block(void)
{
	kma_pages_free(PFN, 0);
}

static void replace_object(void)
{
	group_now = OTHER;
	object();
}

static void replace_percpu_object(void)
{
	group_now = OTHER;
	percpu_object();
}

static void replace_block(void)
{
	group_now = OTHER;
	block();
}

/* What the site, and the flows, have come to after the event. */
struct result {
	u64 allocs;
	u64 frees;
	u64 live;		/* bytes */
	u64 implied;
	u64 ended;		/* objects whose lifetime is known */
	u64 flow;		/* bytes of pages and per-CPU objects in use */
};

static struct result result(void)
{
	struct kma_totals t = kma_account_totals();
	unsigned int nr = kma_site_nr();
	struct kma_site_count sums[101];
	struct kma_age_count age;
	struct result r = { .implied = t.implied };

	kma_site_fold(nr, sums);
	for (unsigned int id = 0; id < nr; id++) {
		age = kma_age_sum(id);
		r.allocs += sums[id].allocs;
		r.frees += sums[id].frees;
		r.live += sums[id].bytes - sums[id].freed_bytes;
		for (unsigned int i = 0; i < KMA_AGE_CLASSES; i++)
			r.ended += age.lives[i];
	}
	for (int i = 0; i < KMA_NR_FLOWS; i++)
		r.flow += t.in[i] - t.out[i];
	return r;
}

static bool folded;

static void *fold(void *arg)
{
	static u16 heir[KMA_CLASS_GROUPS];
	static u32 left[KMA_CLASS_GROUPS];

	shim_cpu = 1;
	heir[GROUP] = HEIR;
	kma_class_fold(heir, left, synchronize_rcu);
	__atomic_store_n(&folded, true, __ATOMIC_SEQ_CST);
	return NULL;
}

static pthread_t folder;
static unsigned int folds;

/* Begin to fold, unless the event holds the lock that folding needs. */
static void begin_to_fold(void)
{
	unsigned int waits = __atomic_load_n(&shim_waits, __ATOMIC_SEQ_CST);

	if (pthread_mutex_trylock(&kma_sites.lock))
		return;
	pthread_mutex_unlock(&kma_sites.lock);
	folds++;
	__atomic_store_n(&folded, false, __ATOMIC_SEQ_CST);
	if (pthread_create(&folder, NULL, fold, NULL))
		abort();
	while (!__atomic_load_n(&folded, __ATOMIC_SEQ_CST) &&
	       __atomic_load_n(&shim_waits, __ATOMIC_SEQ_CST) == waits)
		sched_yield();
}

/* Check the event behind each of its loads; @want is what comes out of it alone. */
static void each_place(void (*before)(void), void (*event)(void), struct result want)
{
	bool again = true;

	folds = 0;
	for (unsigned int at = 1; again; at++) {
		unsigned int done;
		struct result got;

		REQUIRE(start());
		before();
		shim_clock += 1;
		done = folds;
		shim_other_cpu = begin_to_fold;
		shim_other_cpu_at = at;
		event();
		again = !shim_other_cpu_at;
		shim_other_cpu_at = 0;
		if (folds != done)
			pthread_join(folder, NULL);
		got = result();
		if (memcmp(&got, &want, sizeof(got)))
			KTAP_FAIL("place %u: %llu %llu %llu %llu %llu %llu", at, got.allocs,
				  got.frees, got.live, got.implied, got.ended, got.flow);
		ktap_expectations++;
		/* what is left is folded now, and the sums stay */
		fold(NULL);
		shim_cpu = 0;
		got = result();
		EXPECT(!memcmp(&got, &want, sizeof(got)));
		stop();
	}
	EXPECT(folds >= 3);
}

TEST(a_free_of_an_object)
{
	each_place(object, free_object, (struct result){ .allocs = 1, .frees = 1, .ended = 1 });
}

TEST(a_free_that_is_checked)
{
	each_place(watched_object, free_to_cache,
		   (struct result){ .allocs = 1, .frees = 1, .ended = 1 });
}

TEST(a_free_of_an_object_whose_sizes_are_in_the_map)
{
	each_place(sized_object, free_sized,
		   (struct result){ .allocs = SIZES, .frees = SIZES, .ended = SIZES });
}

TEST(a_free_of_a_percpu_object)
{
	each_place(percpu_object, free_percpu_object,
		   (struct result){ .allocs = 1, .frees = 1, .ended = 1 });
}

TEST(a_free_of_a_block)
{
	each_place(block, free_block, (struct result){ .allocs = 1, .frees = 1, .ended = 1 });
}

TEST(a_free_of_the_blocks_of_a_block)
{
	each_place(two_blocks, free_block,
		   (struct result){ .allocs = 2, .frees = 2, .ended = 2 });
}

TEST(a_free_of_a_part_of_a_block)
{
	each_place(large_block, cut_block,
		   (struct result){ .allocs = 4, .frees = 2, .live = 2 * PAGE_SIZE, .ended = 2,
				    .flow = 2 * PAGE_SIZE });
}

TEST(an_allocation_at_the_address_of_an_object)
{
	each_place(object, replace_object,
		   (struct result){ .allocs = 2, .frees = 1, .live = 64, .implied = 1 });
}

TEST(an_allocation_at_the_address_of_a_percpu_object)
{
	each_place(percpu_object, replace_percpu_object,
		   (struct result){ .allocs = 2, .frees = 1, .live = 8 * SHIM_CPUS,
				    .implied = 1, .flow = 8 * SHIM_CPUS });
}

TEST(an_allocation_of_a_block_at_a_block)
{
	each_place(block, replace_block,
		   (struct result){ .allocs = 2, .frees = 1, .live = 2 * PAGE_SIZE, .implied = 1,
				    .flow = 2 * PAGE_SIZE });
}

TEST_MAIN()
