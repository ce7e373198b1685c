// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-pages.c - keys, blocks of pages and how they are cut, per-CPU objects.
 * Long file: pages and per-CPU objects are tested on the same made tables.
 */
#include "account/account.h"
#include "account/direct_map.h"
#include "account/events.h"
#include "account/key.h"
#include "account/live.h"
#include "account/site.h"
#include "caller/origin.h"
#include "compat/pages.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"
#include "source/pages.h"
#include "source/percpu.h"
#include "walk.h"

#define PFN	0x12340ul		/* aligned to order 6 and below */
#define VMALLOC	(VMALLOC_END + 1 - (1ul << 45))
#define CHUNKS	(VMALLOC_END + 1 - (1ul << 38))	/* of per-CPU memory, at the end of the range */
#define LAST_PFN ((1ul << 28) - 1)		/* of the memory that the shim has */

/* Who asks, or frees: what a walk over the stack finds in this thread. */
#define origin	shim_origin

static void wake(void)
{
}

static bool start(unsigned long max_objects)
{
	shim_init();
	shim_cpu = 0;
	origin = (struct kma_origin){ 0x100, KMA_OWNER_CALLER };
	if (tables_init(100) || kma_live_init(max_objects * KMA_OBJECT_BYTES, wake))
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

/* What a call site has come to: allocs, frees, bytes live, unknown frees. */
static bool site_is(unsigned long call_site, u64 allocs, u64 frees, u64 live, u64 unknown)
{
	struct kma_site_count sums[101];
	unsigned int nr = kma_site_nr(), id;

	kma_site_fold(nr, sums);
	id = kma_site_id(call_site, KMA_KIND_FREE);
	if (id >= nr)
		return !allocs && !frees && !live && !unknown;
	if (sums[id].allocs == allocs && sums[id].frees == frees &&
	    sums[id].bytes - sums[id].freed_bytes == live && sums[id].unknown == unknown &&
	    sums[id].req == sums[id].bytes && sums[id].freed_req == sums[id].freed_bytes)
		return true;
	printf("# %lx: %llu %llu %llu %llu\n", call_site, sums[id].allocs, sums[id].frees,
	       sums[id].bytes - sums[id].freed_bytes, sums[id].unknown);
	return false;
}

static u64 flow(enum kma_flow f)
{
	struct kma_totals t = kma_account_totals();

	return t.in[f] - t.out[f];
}

/* Blocks in the map, and the pages that they have. */
static unsigned long blocks, pages;

static void count_block(const struct kma_live_object *o)
{
	blocks++;
	pages += kma_size_bytes(o->size) / PAGE_SIZE;
}

static void count_blocks(void)
{
	static struct kma_live_object objects[1 << 16];

	blocks = 0;
	pages = 0;
	for (u64 at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1)) {
		u32 n = kma_live_read(at, objects, ARRAY_SIZE(objects));

		while (n--)
			count_block(&objects[n]);
	}
}

TEST(the_names_of_events)
{
	static const char *const bad[] = { "", ",", "slab,", ",page", "pages", "slab page",
					   "slab\n,page", "none", "sla", "percpu,,slab" };
	char buf[KMA_EVENTS_LEN];

	EXPECT_EQ(kma_events, KMA_EVENTS_SLAB);
	EXPECT_EQ(kma_events_parse("percpu,slab,page\n"), 0);
	kma_events_print(buf);
	EXPECT_STR(buf, "slab,page,percpu");
	EXPECT_EQ(kma_events_parse("page"), 0);
	EXPECT_EQ(kma_events, KMA_EVENTS_PAGE);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_EQ(kma_events_parse(bad[i]), -EINVAL);
	kma_events_print(buf);
	EXPECT_STR(buf, "page");
	EXPECT_EQ(kma_events_parse("slab"), 0);
}

/* The account ends at each step of an event: the map, which is closed, has the counted pages. */
static void end_in(void (*event)(unsigned long pfn, unsigned int order), unsigned long cut)
{
	unsigned int at, left = 0;

	for (at = 1; at < 200 && !left; at++) {
		REQUIRE(start(1000));
		if (cut)
			kma_pages_alloc(PFN, 4, 0);
		shim_other_cpu = kma_live_close;
		shim_other_cpu_at = at;
		event(PFN + cut, 1);
		left = shim_other_cpu_at;
		shim_other_cpu_at = 0;
		kma_live_close();
		count_blocks();
		EXPECT_EQ(flow(KMA_FLOW_PAGE), pages * PAGE_SIZE);
		EXPECT(!cut || pages == 16 || pages == 14);
		EXPECT_EQ(kma_account_totals().drops[KMA_DROP_FULL], 0);
		EXPECT_EQ(kma_account_totals().unknown_pages, 0);
		stop();
	}
	EXPECT(at > 4 && at < 200);
}

static void alloc_uncharged(unsigned long pfn, unsigned int order)
{
	kma_pages_alloc(pfn, order, 0);
}

TEST(an_allocation_while_the_account_ends)
{
	end_in(alloc_uncharged, 0);
}

TEST(a_cut_while_the_account_ends)
{
	end_in(kma_pages_free, 6);
}

/* With memory that is mapped, from page 0x40000 on, at @at. */
static void keys_come_back_at(unsigned long at)
{
	const unsigned long pfns[] = { 0x40000, 0x12345678, (1ul << 34) - 1 };
	const unsigned long objects[] = { at, at - KMA_DIRECT_BELOW, at + (1ul << 45) };
	struct kma_live_object o = {};
	unsigned long key;

	shim_memory_pfn = pfns[0];
	shim_memory_at = at;
	high_memory = (void *)(at + (1ul << 40));
	REQUIRE(start(1000));
	EXPECT(kma_key_fits());
	for (size_t i = 0; i < ARRAY_SIZE(pfns); i++) {
		key = kma_key_page(pfns[i]);
		EXPECT(kma_key_thing(key) == KMA_THING_PAGE);
		EXPECT_EQ(kma_key_pfn(key), pfns[i]);
		EXPECT_EQ(kma_key_address(key), at + ((pfns[i] - pfns[0]) << PAGE_SHIFT));
	}
	EXPECT(kma_key_percpu((void *)(at + 0x7ffc), &key));
	EXPECT(kma_key_thing(key) == KMA_THING_PERCPU);
	EXPECT_EQ(kma_key_address(key), at + 0x7ffc);
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		EXPECT(kma_key_is_object(objects[i]));
		kma_account_alloc(0x1000, (void *)objects[i], 8, 8, KMA_KIND_KMALLOC);
		for (u64 page = kma_live_next(0); page != KMA_LIVE_END; page = kma_live_next(page + 1))
			if (kma_live_read(page, &o, 1))
				EXPECT_EQ(o.ptr, objects[i]);
		kma_account_free(0x1000, (void *)objects[i]);
	}
	/* one that is larger has none */
	high_memory = (void *)(at + (1ul << 46));
	EXPECT(!kma_key_fits());
	stop();
	high_memory = (void *)(1ul << 40);
	shim_memory_pfn = 0;
	shim_memory_at = 0;
	kma_direct_init();
}

TEST(keys_come_back_where_memory_is_far_up)
{
	keys_come_back_at(90ul << 40);
	/* of a kernel for 52 bits on a CPU with 48 */
	keys_come_back_at((1ul << 51) + (100ul << 40));
}

/* KASAN's, in the top byte. */
TEST(a_tag_is_no_part_of_an_address)
{
	const void *one = (void *)(0xf3ul << 56 | 4096), *other = (void *)(0xf4ul << 56 | 4096);
	struct kma_live_object found;

	shim_tag = 0xfful << 56;
	REQUIRE(start(1000));
	kma_account_alloc(0x1000, one, 8, 8, KMA_KIND_KMALLOC);
	EXPECT(kma_live_look(other, &found));
	kma_account_free(0x1000, one);
	EXPECT(site_is(0x1000, 1, 1, 0, 0));
	stop();
	shim_tag = 0;
}

TEST(keys_come_back_and_never_meet)
{
	/* the corners of what has a key */
	static const unsigned long pfns[] = { 0, 1, 0x12345, (1ul << 34) - 1 };
	static const unsigned long objects[] = { 8, (1ul << 46) - 8 };
	static const unsigned long percpu[] = {
		0, 4, 8, 0x7ffc, (1ul << 43) - 4,
		VMALLOC_END - 3, VMALLOC_END - 7, VMALLOC_END - (1ul << 44) + 1,
	};
	static const unsigned long none[] = { 1ul << 43, VMALLOC_END - (1ul << 44) - 3 };
	unsigned long keys[32], key;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(pfns); i++) {
		keys[n++] = kma_key_page(pfns[i]);
		EXPECT(kma_key_thing(keys[n - 1]) == KMA_THING_PAGE);
		EXPECT_EQ(kma_key_pfn(keys[n - 1]), pfns[i]);
		EXPECT_EQ(kma_key_address(keys[n - 1]), pfns[i] << PAGE_SHIFT);
	}
	for (size_t i = 0; i < ARRAY_SIZE(percpu); i++) {
		EXPECT(kma_key_percpu((void *)percpu[i], &keys[n]));
		EXPECT(kma_key_thing(keys[n]) == KMA_THING_PERCPU);
		EXPECT_EQ(kma_key_address(keys[n]), percpu[i]);
		n++;
	}
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		keys[n++] = objects[i];
		EXPECT(kma_key_is_object(objects[i]));
		EXPECT_EQ(kma_key_address(objects[i]), objects[i]);
	}
	for (size_t i = 0; i < n; i++) {
		EXPECT(keys[i] < BIT(47) && !(keys[i] & 7));
		for (size_t j = 0; j < i; j++)
			EXPECT(keys[i] != keys[j]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		EXPECT(!kma_key_percpu((void *)none[i], &key));
}

/* The map gives back what was put there, whatever it has dropped. */
TEST(keys_survive_the_map)
{
	REQUIRE(start(1000));
	kma_pages_alloc(LAST_PFN, 0, 0);
	for (u64 page = kma_live_next(0); page != KMA_LIVE_END; page = kma_live_next(page + 1)) {
		struct kma_live_object o;

		if (kma_live_read(page, &o, 1))
			EXPECT_EQ(o.ptr, kma_key_page(LAST_PFN));
	}
	kma_live_close();
	kma_account_reset();
	kma_live_open();
	kma_percpu_alloc((void *)(CHUNKS + 4096), 8, 0);
	for (u64 page = kma_live_next(0); page != KMA_LIVE_END; page = kma_live_next(page + 1)) {
		struct kma_live_object o;

		if (kma_live_read(page, &o, 1))
			EXPECT_EQ(kma_key_address(o.ptr), CHUNKS + 4096);
	}
	stop();
}

TEST(a_block_is_booked_and_credited)
{
	REQUIRE(start(1000));
	for (unsigned int order = 0; order <= KMA_PAGE_ORDER_MAX; order++) {
		kma_pages_alloc(PFN << 10, order, 0);
		EXPECT(site_is(0x100, order + 1, order, PAGE_SIZE << order, 0));
		EXPECT_EQ(flow(KMA_FLOW_PAGE), PAGE_SIZE << order);
		origin.call_site = 0x200;
		kma_pages_free(PFN << 10, order);
		origin.call_site = 0x100;
		EXPECT(site_is(0x100, order + 1, order + 1, 0, 0));
		EXPECT_EQ(flow(KMA_FLOW_PAGE), 0);
	}
	EXPECT(site_is(0x200, 0, 0, 0, 0));
	stop();
}

TEST(a_page_is_not_the_object_at_its_address)
{
	REQUIRE(start(1000));
	kma_pages_alloc(PFN, 0, 0);
	kma_account_alloc(0x300, (void *)(PFN << PAGE_SHIFT), 128, 128, KMA_KIND_KMALLOC);
	kma_percpu_alloc((void *)(PFN << PAGE_SHIFT), 64, 0);
	EXPECT_EQ(kma_account_totals().implied, 0);
	kma_pages_free(PFN, 0);
	EXPECT(site_is(0x300, 1, 0, 128, 0));
	kma_account_free(0x400, (void *)(PFN << PAGE_SHIFT));
	EXPECT(site_is(0x300, 1, 1, 0, 0));
	EXPECT(site_is(0x100, 2, 1, 64 * SHIM_CPUS, 0));
	stop();
}

/* Whichever part goes first, the rest stays, and all of it goes in the end. */
TEST(a_block_is_freed_page_by_page)
{
	for (unsigned int step = 1; step < 16; step += 2) {
		REQUIRE(start(1000));
		kma_pages_alloc(PFN, 4, 0);
		origin.call_site = 0x200;
		for (unsigned int i = 0; i < 16; i++) {
			kma_pages_free(PFN + i * step % 16, 0);
			count_blocks();
			EXPECT_EQ(pages, 15 - i);
			EXPECT_EQ(flow(KMA_FLOW_PAGE), (15 - i) * PAGE_SIZE);
		}
		EXPECT(site_is(0x100, 16, 16, 0, 0));
		EXPECT(site_is(0x200, 0, 0, 0, 0));
		stop();
	}
}

TEST(a_cut_block_has_as_many_objects_as_parts)
{
	REQUIRE(start(1000));
	kma_pages_alloc(PFN, 5, 0);
	kma_pages_free(PFN + 8, 2);	/* 32: 8, (4), 4, 16 */
	count_blocks();
	EXPECT_EQ(blocks, 3);
	EXPECT_EQ(pages, 28);
	EXPECT(site_is(0x100, 4, 1, 28 * PAGE_SIZE, 0));
	kma_pages_free(PFN + 16, 4);
	kma_pages_free(PFN, 3);
	EXPECT(site_is(0x100, 4, 3, 4 * PAGE_SIZE, 0));
	/* bytes that were allocated ever do not grow by a cut */
	kma_pages_free(PFN + 12, 2);
	EXPECT(site_is(0x100, 4, 4, 0, 0));
	EXPECT_EQ(kma_account_totals().in[KMA_FLOW_PAGE], 32 * PAGE_SIZE);
	stop();
}

TEST(the_head_of_a_block_is_freed)
{
	REQUIRE(start(1000));
	kma_pages_alloc(PFN, 3, 0);
	kma_pages_free(PFN, 1);
	EXPECT(site_is(0x100, 3, 1, 6 * PAGE_SIZE, 0));
	kma_pages_free(PFN + 2, 1);
	kma_pages_free(PFN + 4, 2);
	EXPECT(site_is(0x100, 3, 3, 0, 0));
	EXPECT_EQ(kma_account_totals().unknown_pages, 0);
	stop();
}

TEST(parts_are_freed_as_one_block)
{
	REQUIRE(start(1000));
	for (unsigned int i = 0; i < 8; i++)
		kma_pages_alloc(PFN + i, 0, 0);
	kma_pages_free(PFN, 3);
	EXPECT(site_is(0x100, 8, 8, 0, 0));
	EXPECT_EQ(kma_account_totals().unknown_pages, 0);
	/* two of eight pages are missing */
	kma_pages_alloc(PFN, 1, 0);
	kma_pages_alloc(PFN + 4, 2, 0);
	origin.call_site = 0x200;
	kma_pages_free(PFN, 3);
	EXPECT(site_is(0x100, 10, 10, 0, 0));
	EXPECT(site_is(0x200, 0, 0, 0, 1));
	EXPECT_EQ(kma_account_totals().unknown_pages, 2 * PAGE_SIZE);
	stop();
}

TEST(older_pages_are_unknown)
{
	REQUIRE(start(1000));
	/* its neighbours are known, and stay */
	kma_pages_alloc(PFN, 1, 0);
	kma_pages_alloc(PFN + 3, 0, 0);
	origin.call_site = 0x200;
	kma_pages_free(PFN + 2, 0);
	kma_pages_free(PFN + 64, 5);
	EXPECT(site_is(0x100, 2, 0, 3 * PAGE_SIZE, 0));
	EXPECT(site_is(0x200, 0, 0, 0, 2));
	EXPECT_EQ(kma_account_totals().unknown_pages, 33 * PAGE_SIZE);
	EXPECT_EQ(flow(KMA_FLOW_PAGE), 3 * PAGE_SIZE);
	/* of a slab: summed, but no row */
	origin.owner = KMA_OWNER_SLAB;
	kma_pages_free(PFN + 2, 0);
	EXPECT(site_is(0x200, 0, 0, 0, 2));
	EXPECT_EQ(kma_account_totals().unknown_pages, 34 * PAGE_SIZE);
	stop();
}

/* Each search is some 100 instructions: irqs are on between some of them. */
TEST(the_parts_of_a_large_block_are_searched_for_in_steps)
{
	enum { ORDER = KMA_PAGE_ORDER_MAX < 13 ? KMA_PAGE_ORDER_MAX : 13, PARTS = 1 << ORDER };
	unsigned long before;

	REQUIRE(start(3 * PARTS));
	before = shim_irqs_off[0];
	kma_pages_free(PFN, ORDER);
	/* each section changes the count twice */
	EXPECT((shim_irqs_off[0] - before) / 2 >= PARTS / 32);
	EXPECT_EQ(kma_account_totals().unknown_pages, PARTS * PAGE_SIZE);
	for (unsigned long pfn = PFN; pfn < PFN + PARTS; pfn += 2)
		kma_pages_alloc(pfn, 0, 0);
	before = shim_irqs_off[0];
	kma_pages_free(PFN, ORDER);
	EXPECT((shim_irqs_off[0] - before) / 2 >= PARTS / 32);
	EXPECT_EQ(kma_account_totals().unknown_pages, PARTS / 2 * 3 * PAGE_SIZE);
	EXPECT(site_is(0x100, PARTS / 2, PARTS / 2, 0, 2));
	stop();
}

TEST(pages_of_other_allocators_have_no_site)
{
	REQUIRE(start(1000));
	origin = (struct kma_origin){ 0x500, KMA_OWNER_SLAB };
	kma_pages_alloc(PFN, 3, 0);
	kma_pages_alloc(KMA_PFN_NONE, 3, 0);
	origin.owner = KMA_OWNER_PERCPU;
	kma_pages_alloc(PFN + 8, 0, 0);
	EXPECT_EQ(kma_site_nr(), 1);
	EXPECT_EQ(flow(KMA_FLOW_SLAB_PAGE), 8 * PAGE_SIZE);
	EXPECT_EQ(flow(KMA_FLOW_PERCPU_PAGE), PAGE_SIZE);
	EXPECT_EQ(flow(KMA_FLOW_PAGE), 0);
	origin = (struct kma_origin){ 0x200, KMA_OWNER_CALLER };
	kma_pages_free(PFN + 4, 2);
	EXPECT_EQ(flow(KMA_FLOW_SLAB_PAGE), 4 * PAGE_SIZE);
	kma_pages_free(PFN, 2);
	kma_pages_free(PFN + 8, 0);
	EXPECT_EQ(flow(KMA_FLOW_SLAB_PAGE), 0);
	EXPECT_EQ(flow(KMA_FLOW_PERCPU_PAGE), 0);
	EXPECT_EQ(kma_site_nr(), 1);
	stop();
}

TEST(what_replaces_a_block_frees_it)
{
	REQUIRE(start(1000));
	kma_pages_alloc(PFN, 2, 0);
	origin = (struct kma_origin){ 0x200, KMA_OWNER_SLAB };
	kma_pages_alloc(PFN, 0, 0);
	EXPECT(site_is(0x100, 1, 1, 0, 0));
	EXPECT_EQ(flow(KMA_FLOW_SLAB_PAGE), PAGE_SIZE);
	origin.owner = KMA_OWNER_CALLER;
	kma_pages_alloc(PFN, 0, 0);
	EXPECT_EQ(flow(KMA_FLOW_SLAB_PAGE), 0);
	EXPECT_EQ(kma_account_totals().implied, 2);
	stop();
}

TEST(a_page_that_was_seen_is_not_booked_in_bulk)
{
	REQUIRE(start(1000));
	kma_pages_alloc(PFN, 0, 0);
	kma_pages_alloc_one(PFN, (struct kma_origin){ 0x200, KMA_OWNER_CALLER });
	kma_pages_alloc_one(PFN + 1, (struct kma_origin){ 0x200, KMA_OWNER_CALLER });
	EXPECT(site_is(0x100, 1, 0, PAGE_SIZE, 0));
	EXPECT(site_is(0x200, 1, 0, PAGE_SIZE, 0));
	EXPECT_EQ(kma_account_totals().implied, 0);
	stop();
}

/* A call site that has used up its classes: pages there are booked as anywhere. */
TEST(pages_of_a_site_of_many_sizes)
{
	REQUIRE(start(10000));
	for (unsigned int i = 0; i < 200; i++)
		kma_account_alloc(0x100, (void *)(0x40000000ul + i * 4096), 600 + i, 1024,
				  KMA_KIND_KMALLOC);
	kma_pages_alloc(PFN, 0, 0);
	kma_pages_alloc(PFN + 1, 0, 0);
	kma_pages_alloc(PFN + 8, 3, 0);
	EXPECT_EQ(flow(KMA_FLOW_PAGE), 10 * PAGE_SIZE);
	kma_pages_free(PFN + 1, 0);
	kma_pages_free(PFN + 8, 1);
	EXPECT_EQ(flow(KMA_FLOW_PAGE), 7 * PAGE_SIZE);
	kma_pages_free(PFN, 0);
	kma_pages_free(PFN + 10, 1);
	kma_pages_free(PFN + 12, 2);
	EXPECT_EQ(flow(KMA_FLOW_PAGE), 0);
	EXPECT_EQ(kma_account_totals().unknown_pages, 0);
	stop();
}

/* The words around an object whose sizes are in the map belong to other objects. */
static void words_around_stay(unsigned long base)
{
	const unsigned int bytes = 16;
	unsigned long at = base + 4096;

	REQUIRE(start(100000));
	for (unsigned int i = 0; i < KMA_CLASS_SIZES; i++)
		kma_percpu_alloc((void *)(base + 65536 + i * 4096ul), 64 + i * 4, 0);
	origin.call_site = 0x200;
	for (unsigned int i = 1; i <= 3; i++) {
		kma_percpu_alloc((void *)(at - i * 4), 4, 0);
		kma_percpu_alloc((void *)(at + bytes - 4 + i * 4), 4, 0);
	}
	origin.call_site = 0x100;
	kma_percpu_alloc((void *)at, bytes, 0);
	EXPECT_EQ(kma_account_totals().implied, 0);
	EXPECT(site_is(0x200, 6, 0, 6 * 4 * SHIM_CPUS, 0));
	kma_percpu_free((void *)at);
	origin.call_site = 0x300;
	for (unsigned int i = 1; i <= 3; i++) {
		kma_percpu_free((void *)(at - i * 4));
		kma_percpu_free((void *)(at + bytes - 4 + i * 4));
	}
	EXPECT(site_is(0x200, 6, 6, 0, 0));
	EXPECT(site_is(0x300, 0, 0, 0, 0));
	stop();
}

TEST(sizes_in_the_map_are_where_no_object_is)
{
	words_around_stay(CHUNKS);
	words_around_stay(1ul << 30);
}

TEST(failed_allocations_and_nmis)
{
	struct kma_site_count sums[101];

	REQUIRE(start(1000));
	kma_pages_alloc(KMA_PFN_NONE, 9, 0);
	kma_pages_alloc(KMA_PFN_NONE, 9, 0);
	kma_site_fold(kma_site_nr(), sums);
	EXPECT_EQ(sums[1].failed, 2);
	EXPECT_EQ(sums[1].allocs, 0);
	shim_nmi = true;
	kma_pages_alloc(PFN, 0, 0);
	kma_pages_alloc_one(PFN, origin);
	kma_pages_free(PFN, 0);
	kma_percpu_alloc((void *)4096, 4, 0);
	kma_percpu_free((void *)4096);
	shim_nmi = false;
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_NMI], 5);
	EXPECT_EQ(flow(KMA_FLOW_PAGE) + flow(KMA_FLOW_PERCPU), 0);
	stop();
}

TEST(nothing_is_booked_while_it_is_off)
{
	REQUIRE(start(1000));
	kma_live_close();
	kma_pages_alloc(PFN, 0, 0);
	kma_pages_free(PFN, 0);
	kma_pages_alloc_one(PFN, origin);
	kma_percpu_alloc((void *)4096, 4, 0);
	kma_percpu_free((void *)4096);
	EXPECT_EQ(kma_site_nr(), 1);
	EXPECT_EQ(kma_account_totals().unknown_pages, 0);
	stop();
}

TEST(per_cpu_objects_count_every_copy)
{
	REQUIRE(start(1000));
	kma_percpu_alloc((void *)(CHUNKS + 4), 4, 0);
	kma_percpu_alloc((void *)(CHUNKS + 8), 32768, 0);
	EXPECT(site_is(0x100, 2, 0, 32772 * SHIM_CPUS, 0));
	EXPECT_EQ(flow(KMA_FLOW_PERCPU), 32772 * SHIM_CPUS);
	origin.call_site = 0x200;
	kma_percpu_free((void *)(CHUNKS + 4));
	kma_percpu_free((void *)(CHUNKS + 4));
	EXPECT(site_is(0x100, 2, 1, 32768 * SHIM_CPUS, 0));
	EXPECT(site_is(0x200, 0, 0, 0, 1));
	/* too large, no word, too far away */
	kma_percpu_alloc((void *)8192, 65536, 0);
	kma_percpu_alloc((void *)8192, 6, 0);
	kma_percpu_alloc((void *)(1ul << 43), 8, 0);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_SIZE], 2);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_KEY], 1);
	EXPECT_EQ(flow(KMA_FLOW_PERCPU), 32768 * SHIM_CPUS);
	stop();
}

/* A map without room: what is not in it is not booked either. */
TEST(no_room_for_what_is_cut_off)
{
	unsigned long pfn = 0, freed = 0;

	REQUIRE(start(1));
	while (!kma_account_totals().drops[KMA_DROP_FULL])
		kma_pages_alloc(pfn++ << 10, 10, 0);
	EXPECT_EQ(flow(KMA_FLOW_PAGE), (pfn - 1) * (PAGE_SIZE << 10));
	origin.call_site = 0x200;
	for (unsigned long i = 0; i < pfn; i++, freed++)
		kma_pages_free((i << 10) + 3, 0);
	count_blocks();
	EXPECT_EQ(flow(KMA_FLOW_PAGE), pages * PAGE_SIZE);
	EXPECT(pages < (pfn - 1) << 10);
	EXPECT_EQ(kma_account_totals().unknown_pages, PAGE_SIZE);
	stop();
}

/* Parts of the same blocks are freed by four CPUs: none is ever unknown. */
#define SHARED	256
#define ROUNDS	60

static pthread_barrier_t barrier;

/* All begin each block at once, in opposite corners. */
static void *free_parts(void *cpu)
{
	shim_cpu = (long)cpu;
	origin.call_site = 0x200;
	pthread_barrier_wait(&barrier);
	for (unsigned long i = 0; i < SHARED; i++)
		for (unsigned long part = 0; part < 4; part++)
			kma_pages_free((i << 4) + part * 4 + (shim_cpu + part) % 4, 0);
	return NULL;
}

TEST(four_cpus_free_parts_of_the_same_blocks)
{
	pthread_t thread[4];

	REQUIRE(start(100000));
	pthread_barrier_init(&barrier, NULL, 4);
	for (int round = 0; round < ROUNDS; round++) {
		shim_cpu = 0;
		for (unsigned long i = 0; i < SHARED; i++)
			kma_pages_alloc(i << 4, 4, 0);
		for (long cpu = 0; cpu < 4; cpu++)
			pthread_create(&thread[cpu], NULL, free_parts, (void *)cpu);
		for (long cpu = 0; cpu < 4; cpu++)
			pthread_join(thread[cpu], NULL);
	}
	shim_cpu = 0;
	EXPECT_EQ(kma_account_totals().unknown_pages, 0);
	EXPECT_EQ(kma_account_totals().implied, 0);
	EXPECT_EQ(flow(KMA_FLOW_PAGE), 0);
	EXPECT(site_is(0x100, ROUNDS * SHARED * 16, ROUNDS * SHARED * 16, 0, 0));
	stop();
}

TEST_MAIN()
