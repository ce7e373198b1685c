// SPDX-License-Identifier: GPL-2.0-only
/*
 * event_kunit.c - real events of the kernel, in each context, from the allocator to the row of the
 * function that called it.
 *
 * The account also contains the events of the rest of the kernel. The tests check only the rows
 * of the functions below, which no other code calls.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "context.h"
#include "control.h"
#include "fixture.h"
#include "watch/dispatch.h"
#include "watch/errors.h"

/* An object takes two lines of 64 bytes. */
#define KMA_TEST_REQ	104u
#define KMA_TEST_BYTES	128u
#define KMA_TEST_FEW	3u

struct kma_test_box {
	struct kmem_cache *cache;
	size_t bytes;
	void *objects[KMA_TEST_FEW];
	unsigned int failed;
};

/* Separate functions without tail calls, so that each has its own symbol and row. */
static noinline __noclone
void *kma_test_caller_cache(struct kmem_cache *cache)
{
	void *object = kmem_cache_alloc(cache, kma_test_gfp());

	barrier_data(object);
	return object;
}

static noinline __noclone
void kma_test_caller_cache_free(struct kmem_cache *cache, void *object)
{
	kmem_cache_free(cache, object);
	barrier();
}

static noinline __noclone
void *kma_test_caller_kmalloc(size_t size)
{
	void *object = kmalloc(size, kma_test_gfp());

	barrier_data(object);
	return object;
}

static noinline __noclone
void kma_test_caller_kfree(void *object)
{
	kfree(object);
	barrier();
}

static void kma_test_cache_gone(void *cache)
{
	kmem_cache_destroy(cache);
}

/* A constructor, because the kernel merges similar caches that have none. */
static void kma_test_cache_ctor(void *object)
{
}

/*
 * Return the bytes that an object of a cache takes. This is @bytes without KASAN. KASAN stores
 * metadata next to each object, so the size is read from sysfs.
 */
static size_t kma_test_given(struct kunit *test, const char *cache,
			     size_t bytes)
{
	unsigned long size = 0;
	struct file *file;
	char path[64];

	if (!IS_ENABLED(CONFIG_KASAN_GENERIC))
		return bytes;
	snprintf(path, sizeof(path), "kernel/slab/%s/slab_size", cache);
	file = kma_test_open(test, "sysfs", path, O_RDONLY);
	KUNIT_ASSERT_EQ(test, kstrtoul(kma_test_read(test, file, PAGE_SIZE), 10,
				       &size), 0);
	KUNIT_EXPECT_GT(test, size, (unsigned long)bytes);
	return size;
}

/* Create a cache. Without debugging, the alignment determines the bytes that an object takes. */
static struct kma_test_box *kma_test_box(struct kunit *test)
{
	struct kma_test_box *box = kunit_kzalloc(test, sizeof(*box),
						 GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, box);
	box->cache = kmem_cache_create("kma_test", KMA_TEST_REQ, 64, 0,
				       kma_test_cache_ctor);
	KUNIT_ASSERT_NOT_NULL(test, box->cache);
	kma_test_defer(test, kma_test_cache_gone, box->cache);
	box->bytes = kma_test_given(test, "kma_test", KMA_TEST_BYTES);
	return box;
}

static void kma_test_box_fill(void *arg)
{
	struct kma_test_box *box = arg;
	unsigned int i;

	for (i = 0; i < KMA_TEST_FEW; i++) {
		box->objects[i] = kma_test_caller_cache(box->cache);
		box->failed += !box->objects[i];
	}
}

static void kma_test_box_clear(void *arg)
{
	struct kma_test_box *box = arg;
	unsigned int i;

	for (i = 0; i < KMA_TEST_FEW; i++) {
		if (box->objects[i])
			kma_test_caller_cache_free(box->cache, box->objects[i]);
		box->objects[i] = NULL;
	}
}

static void kma_test_expect_row(struct kunit *test, const char *function,
				u64 live, size_t req, size_t bytes, u64 allocs)
{
	struct kma_test_row row;

	KUNIT_EXPECT_EQ(test, kma_test_rows(test, function, &row), 1u);
	KUNIT_EXPECT_EQ(test, row.req, live * req);
	KUNIT_EXPECT_EQ(test, row.total, live * bytes);
	KUNIT_EXPECT_EQ(test, row.slack, live * (bytes - req));
	KUNIT_EXPECT_EQ(test, row.allocs, allocs);
	KUNIT_EXPECT_EQ(test, row.frees, allocs - live);
}

static const enum kma_test_context kma_test_places[] = {
	KMA_TEST_TASK, KMA_TEST_IRQ_OFF, KMA_TEST_SOFTIRQ, KMA_TEST_HARDIRQ,
	KMA_TEST_IRQ_WORK, KMA_TEST_KTHREAD, KMA_TEST_WORKER,
};

static void kma_test_place_desc(const enum kma_test_context *place, char *desc)
{
	strscpy(desc, kma_test_context_names[*place], KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_place, kma_test_places, kma_test_place_desc);

/* Allocate in one context, free in each: frees are charged to the site of the allocation. */
static void kma_test_event_context(struct kunit *test)
{
	const enum kma_test_context from =
		*(const enum kma_test_context *)test->param_value;
	struct kma_test_box *box = kma_test_box(test);
	unsigned int i;

	kma_test_account(test, KMA_TEST_SITES * 8, KMA_TEST_KERNEL_OBJECTS);
	kma_test_on(test);
	for (i = 0; i < ARRAY_SIZE(kma_test_places); i++) {
		u64 sum = (i + 1) * KMA_TEST_FEW;
		struct kma_test_row row;

		kma_test_in(test, from, kma_test_box_fill, box);
		kma_test_expect_row(test, "kma_test_caller_cache", KMA_TEST_FEW,
				    KMA_TEST_REQ, box->bytes, sum);
		kma_test_in(test, kma_test_places[i], kma_test_box_clear, box);
		kma_test_expect_row(test, "kma_test_caller_cache", 0,
				    KMA_TEST_REQ, box->bytes, sum);
		KUNIT_EXPECT_EQ(test, kma_test_rows(test, "kma_test_caller_cache_free",
						    &row), 0u);
	}
	KUNIT_EXPECT_EQ(test, box->failed, 0u);
	KUNIT_EXPECT_EQ(test, kma_test_drops(), 0ull);
}

/* Sizes that kmalloc() rounds in the same way in all kernels from 6.1 to 7.2. */
static const struct kma_test_size {
	size_t req, bytes;
} kma_test_sizes[] = {
	{ 1, 8 }, { 8, 8 }, { 9, 16 }, { 100, 128 }, { 129, 192 },
	{ 1025, 2048 }, { 8192, 8192 },
	{ 8193, 16384 }, { 40000, 65536 }, { 1 << 20, 1 << 20 },
};

static void kma_test_size_desc(const struct kma_test_size *size, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%zu of %zu", size->req,
		 size->bytes);
}

KUNIT_ARRAY_PARAM(kma_test_size, kma_test_sizes, kma_test_size_desc);

/* The caches end with 8 KiB. Larger objects are whole pages, to which KASAN adds nothing. */
static size_t kma_test_kmalloc_given(struct kunit *test, size_t bytes)
{
	char name[16];

	if (bytes > SZ_8K)
		return bytes;
	snprintf(name, sizeof(name), bytes < SZ_1K ? "kmalloc-%zu" : "kmalloc-%zuk",
		 bytes < SZ_1K ? bytes : bytes / SZ_1K);
	return kma_test_given(test, name, bytes);
}

/* A large kmalloc() has two events in newer kernels, and must count as one object. */
static void kma_test_event_kmalloc(struct kunit *test)
{
	const struct kma_test_size *size = test->param_value;
	const size_t bytes = kma_test_kmalloc_given(test, size->bytes);
	void *object;

	kma_test_account(test, KMA_TEST_SITES * 8, KMA_TEST_KERNEL_OBJECTS);
	kma_test_on(test);
	object = kma_test_caller_kmalloc(size->req);
	KUNIT_ASSERT_NOT_NULL(test, object);
	kma_test_expect_row(test, "kma_test_caller_kmalloc", 1, size->req,
			    bytes, 1);
	kma_test_caller_kfree(object);
	kma_test_expect_row(test, "kma_test_caller_kmalloc", 0, size->req,
			    bytes, 1);
}

/* Events are not seen while the account is off; an older object is unknown. */
static void kma_test_event_off(struct kunit *test)
{
	struct kma_test_box *box = kma_test_box(test);
	struct kma_test_row row;

	kma_test_account(test, KMA_TEST_SITES * 8, KMA_TEST_KERNEL_OBJECTS);
	kma_test_box_fill(box);
	kma_test_on(test);
	kma_test_box_clear(box);
	KUNIT_EXPECT_EQ(test, kma_test_rows(test, "kma_test_caller_cache",
					    &row), 0u);
	KUNIT_EXPECT_EQ(test, kma_test_rows(test, "kma_test_caller_cache_free",
					    &row), 1u);
	KUNIT_EXPECT_EQ(test, row.allocs, 0ull);
	KUNIT_EXPECT_EQ(test, row.frees, (u64)KMA_TEST_FEW);
	KUNIT_EXPECT_EQ(test, row.total, 0ull);

	KUNIT_ASSERT_EQ(test, kma_control_command("off"), 0);
	kma_test_box_fill(box);
	kma_test_box_clear(box);
	KUNIT_EXPECT_EQ(test, kma_test_rows(test, "kma_test_caller_cache",
					    &row), 0u);
	/* "on" starts a new account, without the rows of the old one */
	KUNIT_EXPECT_EQ(test, kma_test_rows(test, "kma_test_caller_cache_free",
					    &row), 1u);
	KUNIT_ASSERT_EQ(test, kma_control_command("on"), 0);
	KUNIT_EXPECT_EQ(test, kma_test_rows(test, "kma_test_caller_cache_free",
					    &row), 0u);
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
static void kma_test_ftrace(struct kunit *test, const char *on)
{
	struct file *file = kma_test_open(test, "proc",
					  "sys/kernel/ftrace_enabled", O_WRONLY);
	loff_t pos = 0;

	KUNIT_ASSERT_EQ(test, kernel_write(file, on, 1, &pos), 1l);
}

static void kma_test_no_errors(void *unused)
{
	kma_control_deinit();
	kma_errors_asked = false;
}

/*
 * The account checks for wrong frees, and uses the event of kmem_cache_free(), because ftrace was
 * off when the account began. If the log now attached the callback at the function's entry, which
 * also reports to the account, each free would be counted twice.
 */
static void kma_test_event_once(struct kunit *test)
{
	const struct kma_features features = {};
	struct kma_test_box *box = kma_test_box(test);
	struct kma_test_row row;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_KERNEL_OBJECTS);
	kma_control_deinit();
	kma_test_defer(test, kma_test_no_errors, NULL);
	kma_errors_asked = true;
	KUNIT_ASSERT_EQ(test, kma_control_init(KMA_TEST_SITES * 8,
					       KMA_TEST_KERNEL_OBJECTS, true,
					       &features), 0);
	kma_test_ftrace(test, "0");
	kma_test_on(test);
	kma_test_ftrace(test, "1");
	KUNIT_EXPECT_EQ(test, kma_control_command("log on"), 0);
	kma_test_box_fill(box);
	kma_test_box_clear(box);
	KUNIT_EXPECT_EQ(test, kma_test_rows(test, "kma_test_caller_cache_free",
					    &row), 0u);
	KUNIT_EXPECT_EQ(test, kma_control_command("log free"), 0);
}
#endif

#ifndef KMA_NO_SHEAVES
#if IS_ENABLED(CONFIG_KRETPROBES)
#define KMA_TEST_LATE	64u

/* In no slab, so in no sheaf: kfree_rcu() stores pointers in pages or, without these, a list. */
struct kma_test_late {
	struct rcu_head rcu;
	char rest[20000];
};

static noinline __noclone
void kma_test_caller_kfree_rcu(struct kma_test_late *late)
{
	kfree_rcu(late, rcu);
	barrier();
}

/* kfree_rcu() counts as the free, and the later free by its worker must not count again. */
static void kma_test_event_rcu(struct kunit *test)
{
	static const char *const ends[] = { "kvfree_rcu_list", "kfree_rcu_work",
					    "kfree_rcu_monitor", "kvfree" };
	struct kma_test_late *late[KMA_TEST_LATE];
	const size_t size = sizeof(**late);
	struct kma_test_row row;
	unsigned int i;

	kma_test_account(test, KMA_TEST_SITES * 8, KMA_TEST_KERNEL_OBJECTS);
	kma_test_on(test);
	for (i = 0; i < KMA_TEST_LATE; i++)
		late[i] = kma_test_caller_kmalloc(size);
	kma_test_expect_row(test, "kma_test_caller_kmalloc", KMA_TEST_LATE, size,
			    32768, KMA_TEST_LATE);
	for (i = 0; i < KMA_TEST_LATE; i++)
		if (late[i])
			kma_test_caller_kfree_rcu(late[i]);
	kma_test_expect_row(test, "kma_test_caller_kmalloc", 0, size, 32768,
			    KMA_TEST_LATE);
	kvfree_rcu_barrier();
	kma_test_expect_row(test, "kma_test_caller_kmalloc", 0, size, 32768,
			    KMA_TEST_LATE);
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		KUNIT_EXPECT_EQ_MSG(test, kma_test_rows(test, ends[i], &row),
				    0u, "%s: %llu frees", ends[i], row.frees);
}
#endif
#endif

#define KMA_TEST_ROUNDS	2000u

/* One object for each thread. Each thread frees the objects that its neighbour has allocated. */
struct kma_test_ring {
	struct kmem_cache *cache;
	unsigned int threads;
	void *hands[];
};

static void kma_test_ring_run(unsigned int thread, void *arg)
{
	struct kma_test_ring *ring = arg;
	void **to = &ring->hands[(thread + 1) % ring->threads], *old;
	unsigned int i;

	for (i = 0; i < KMA_TEST_ROUNDS; i++) {
		void *object = kma_test_caller_cache(ring->cache);

		if (!object)
			continue;
		old = xchg(to, object);
		if (old)
			kma_test_caller_cache_free(ring->cache, old);
		old = xchg(&ring->hands[thread], NULL);
		if (old)
			kma_test_caller_cache_free(ring->cache, old);
		if (i % 100 == 0)
			cond_resched();
	}
}

static void kma_test_ring_irq(void *unused)
{
	void *object = kma_test_caller_kmalloc(KMA_TEST_REQ);

	kma_test_caller_kfree(object);
}

/* Threads on all CPUs, with interrupts in between. */
static void kma_test_event_cpus(struct kunit *test)
{
	const unsigned int threads = 2 * num_online_cpus();
	struct kma_test_ring *ring;
	unsigned int i;
	u64 blows;

	ring = kunit_kzalloc(test, struct_size(ring, hands, threads),
			     GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring);
	ring->threads = threads;
	ring->cache = kma_test_box(test)->cache;
	kma_test_account(test, KMA_TEST_SITES * 8, KMA_TEST_KERNEL_OBJECTS);
	kma_test_on(test);
	kma_test_storm(test, kma_test_ring_irq, NULL);
	kma_test_threads(test, threads, kma_test_ring_run, ring);
	blows = kma_test_storm_end();
	for (i = 0; i < threads; i++)
		if (ring->hands[i])
			kma_test_caller_cache_free(ring->cache, ring->hands[i]);

	kma_test_expect_row(test, "kma_test_caller_cache", 0, KMA_TEST_REQ,
			    KMA_TEST_BYTES, (u64)threads * KMA_TEST_ROUNDS);
	KUNIT_EXPECT_GT(test, blows, 0ull);
	kma_test_expect_row(test, "kma_test_caller_kmalloc", 0, KMA_TEST_REQ,
			    KMA_TEST_BYTES, blows);
	KUNIT_EXPECT_EQ(test, kma_test_drops(), 0ull);
}

static struct kunit_case kma_test_event_cases[] = {
	KUNIT_CASE_PARAM(kma_test_event_context, kma_test_place_gen_params),
	KUNIT_CASE_PARAM(kma_test_event_kmalloc, kma_test_size_gen_params),
	KUNIT_CASE(kma_test_event_off),
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	KUNIT_CASE(kma_test_event_once),
#endif
#ifndef KMA_NO_SHEAVES
#if IS_ENABLED(CONFIG_KRETPROBES)
	KUNIT_CASE(kma_test_event_rcu),
#endif
#endif
	KUNIT_CASE(kma_test_event_cpus),
	{}
};

static struct kunit_suite kma_test_event_suite = {
	.name = "kma_event",
	.test_cases = kma_test_event_cases,
};

kunit_test_suite(kma_test_event_suite);
