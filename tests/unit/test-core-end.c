// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-end.c - events of objects whose sizes are in the map, while the account ends.
 *
 * The account ends at each step of an event. The event is in the account, or it is not: the map,
 * which is closed then, agrees with the counts, and no event is lost.
 */
#include "caller/origin.h"
#include "class-account.h"
#include "ktap.h"
#include "source/percpu.h"

#define CALL_SITE	0x100ul
/* All classes of the call site are used up; the last object has its sizes in the map. */
#define OBJECTS		(KMA_CLASS_SIZES + 1)
#define PERCPU(n)	((void *)(4096 + (n) * 1024ul))

static void alloc_slab(unsigned long n)
{
	kma_account_alloc(CALL_SITE, PTR(n), 1000 + n, 2048, KMA_KIND_KMALLOC);
}

static void free_slab(unsigned long n)
{
	kma_account_free(CALL_SITE, PTR(n));
}

static void alloc_percpu(unsigned long n)
{
	kma_percpu_alloc(PERCPU(n), 64 + 4 * n, 0);
}

static void free_percpu(unsigned long n)
{
	kma_percpu_free(PERCPU(n));
}

/* Sum what the objects of the map have: their number, and their bytes as their site counts them. */
static struct kma_flow_count mapped(void)
{
	struct kma_flow_count sum = {};
	struct kma_live_object buf[64];

	for (u64 at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1)) {
		u32 n = kma_live_read(at, buf, ARRAY_SIZE(buf));

		for (u32 k = 0; k < n; k++) {
			sum.req += kma_class_req(buf[k].size);
			sum.bytes += kma_class_bytes(buf[k].size);
		}
		sum.objects += n;
	}
	return sum;
}

static void compare(void)
{
	struct kma_site_count sums[101];
	struct kma_flow_count map = mapped();
	unsigned int id = kma_site_id(CALL_SITE, KMA_KIND_FREE);

	kma_site_fold(kma_site_nr(), sums);
	EXPECT(map.objects >= OBJECTS - 1 && map.objects <= OBJECTS);
	EXPECT_EQ(map.objects, sums[id].allocs - sums[id].frees);
	EXPECT_EQ(map.req, sums[id].req - sums[id].freed_req);
	EXPECT_EQ(map.bytes, sums[id].bytes - sums[id].freed_bytes);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_FULL], 0);
}

/* Run @event for the last object. The object exists before if the event frees it. */
static void end_in(void (*alloc)(unsigned long n), void (*event)(unsigned long n))
{
	unsigned int at, left = 0;

	for (at = 1; at < 100 && !left; at++) {
		REQUIRE(!start(100));
		shim_origin = (struct kma_origin){ CALL_SITE, KMA_OWNER_CALLER };
		for (unsigned int i = 0; i < OBJECTS - (event == alloc); i++)
			alloc(i);
		shim_other_cpu = kma_live_close;
		shim_other_cpu_at = at;
		event(OBJECTS - 1);
		left = shim_other_cpu_at;
		shim_other_cpu_at = 0;
		kma_live_close();
		compare();
		stop();
	}
	EXPECT(at > 4 && at < 100);
}

TEST(a_slab_object_comes)
{
	end_in(alloc_slab, alloc_slab);
}

TEST(a_slab_object_goes)
{
	end_in(alloc_slab, free_slab);
}

TEST(a_percpu_object_comes)
{
	end_in(alloc_percpu, alloc_percpu);
}

TEST(a_percpu_object_goes)
{
	end_in(alloc_percpu, free_percpu);
}

TEST_MAIN()
