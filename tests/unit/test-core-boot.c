// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-boot.c - the hooks of a kernel that accounts from boot on.
 *
 * Those who turn the hooks, the event log or a feature off wait for sections with preemption off
 * (kma_boot_synchronize()). So a hook has to test each static key, and to count, in one such
 * section: a test whose task is preempted before it counts would be acted on after the wait.
 */
#include "ktap.h"
#include "shim.h"

#define KMA_BOOT	1
/* of the event log the test has what a hook calls */
#define KMA_RELAY_EVENT_H

struct kmem_cache {
	unsigned int size, object_size, flags;
	const char *name;
};

struct slab {
	struct kmem_cache *slab_cache;
	unsigned long counters;
};

static int depth;		/* of sections with preemption off */
static int outside;		/* tests and counts outside of such a section */
static int sections, logged, counts;
static bool hooks_off_before;	/* the next section begins after the hooks were turned off */

static bool test_key(struct static_key_false *key)
{
	outside += !depth;
	return key->on;
}

static void section(int step);

#undef static_branch_unlikely
#undef static_branch_likely
#undef local_irq_save
#define static_branch_unlikely(key)	test_key(key)
#define static_branch_likely(key)	test_key(key)
#define local_irq_save(f)		((f) = shim_irq_off(), outside += !depth)
#undef preempt_disable_notrace
#undef preempt_enable_notrace
#define preempt_disable_notrace()	section(1)
#define preempt_enable_notrace()	section(-1)
#define SLAB_KMALLOC			1
#define early_param(name, fn)		static int (*fn##_used)(char *) __attribute__((unused)) = fn
#define late_initcall(fn)		static int (*fn##_used)(void) __attribute__((unused)) = fn
#undef pr_info
#undef pr_warn
#undef pr_err
#define pr_info(...)			((void)0)
#define pr_warn(...)			((void)0)
#define pr_err(...)			((void)0)
#define synchronize_rcu()		((void)0)
#define alloc_pages_exact(size, gfp)	malloc(size)
#define free_pages_exact(ptr, size)	free(ptr)
#define get_order(size)			0
#define __ref

static struct static_key_false kma_relay_key;
struct kma_event;

static bool kma_relay_wanted(void)
{
	return static_branch_unlikely(&kma_relay_key);
}

static void kma_relay_alloc_event(const struct kma_event *e)
{
	outside += !depth;
	logged++;
}

static void kma_relay_free_event(const struct kma_event *e)
{
	outside += !depth;
	logged++;
}

#include "../../module/source/boot.c"

#include "account/site.h"
#include "account-tables.h"

static void section(int step)
{
	if (step > 0 && hooks_off_before)
		kmem_account_key.on = false;
	hooks_off_before = false;
	/* an inline half has a section of its own, within that of the hook */
	if (step > 0 && depth)
		counts++;
	else
		sections += step > 0;
	depth += step;
}

void kma_cache_know(const struct kma_cache_layout *layout)
{
}

int kma_boot_start(void)
{
	return 0;
}

static void wake(void)
{
}

static struct kmem_cache cache = { .size = 64, .object_size = 64 };
static char objects[8][64] __aligned(64);

/* Each hook once: two allocations in the map stay. */
static void call_all(void)
{
	void *bulk[] = { objects[3], objects[4] };

	__kmem_account_alloc(&cache, objects[0], 50, 0x1000);
	__kmem_account_alloc(&cache, objects[1], 50, 0x1000);
	__kmem_account_free(objects[0], 0x2000);
	__kmem_account_alloc_bulk(&cache, 2, bulk, 50, 0x1000);
	__kmem_account_free_bulk(2, bulk, 0x2000);
	__kmem_account_alloc_large(objects[5], 60, 0x1000);
}

static void start(void)
{
	shim_init();
	REQUIRE(!tables_init(64) && !kma_live_init(1000 * KMA_OBJECT_BYTES, wake));
	kma_account_reset();
	kma_live_open();
	kma_boot_attach();
	outside = sections = logged = counts = 0;
}

static void stop(void)
{
	EXPECT(!depth);
	kma_boot_detach();
	kma_live_close();
	kma_live_deinit();
	tables_deinit();
}

TEST(short_path)
{
	start();
	call_all();
	EXPECT_EQ(outside, 0);
	EXPECT_EQ(sections, 8);
	EXPECT_EQ(counts, 7);	/* the large allocation takes the long path */
	stop();
}

TEST(event_log)
{
	start();
	kma_relay_key.on = true;
	call_all();
	kma_relay_key.on = false;
	EXPECT_EQ(outside, 0);
	EXPECT_EQ(logged, 8);
	stop();
}

TEST(long_path)
{
	start();
	kma_dispatch_use(KMA_DISPATCH_OBJECTS, true);
	call_all();
	kma_dispatch_use(KMA_DISPATCH_OBJECTS, false);
	EXPECT_EQ(outside, 0);
	EXPECT_EQ(counts, 0);
	stop();
}

/* A hook that was preempted between the test in the allocator and its section. */
TEST(late_hook)
{
	start();
	hooks_off_before = true;
	__kmem_account_alloc(&cache, objects[6], 50, 0x1000);
	hooks_off_before = true;
	__kmem_account_free(objects[6], 0x2000);
	hooks_off_before = true;
	__kmem_account_alloc_large(objects[7], 50, 0x1000);
	EXPECT_EQ(counts, 0);
	EXPECT_EQ(outside, 0);
	stop();
}

TEST_MAIN()
