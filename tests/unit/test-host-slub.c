// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-slub.c - host/heap/slub.c, census.c and magazines.c on kernel structures made by hand:
 * lists of free objects per CPU and per node, plain and hardened, and lists that lead astray; slabs whose
 * slots are objects, free, listed by the module, or of KFENCE.
 */
#include <stdlib.h>

#include "heap/census.h"
#include "heap/magazines.h"
#include "heap/slub.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"

#include "ktap.h"

#define BASE   0xffff888000000000ULL
#define WORDS  8192
#define SIZE   64
#define RANDOM 0x1122334455667788ULL

/* Places of the structures, in bytes from BASE. */
enum {
	CACHES = 0x40,	  /* the list of caches */
	CACHE = 0x100,	  /* a struct kmem_cache */
	PERCPU = 0x400,	  /* kmem_cache_cpu of CPU 0; that of CPU 1 is 0x100 behind */
	NODE = 0x800,	  /* a struct kmem_cache_node */
	PCS = 0x900,	  /* slub_percpu_sheaves of CPU 0; that of CPU 1 is 0x100 behind */
	BARN = 0xb00,	  /* a struct node_barn */
	SHEAVES = 0xc00,  /* each struct slab_sheaf takes 0x80 bytes */
	SLABS = 0x1000,	  /* each struct slab takes 0x40 bytes */
	OBJECTS = 0x4000, /* each slab has a page */
};

static const struct kma_slub_layout layout = {
	.size = 0, .offset = 4, .oo = 8, .list = 16, .random = 32, .cpu_slab = 40, .node = 48,
	.cpu_freelist = 0, .cpu_slab_now = 8, .cpu_partial = 16,
	.node_nr = 0, .node_partial = 8,
	.slab_freelist = 0, .slab_list = 8, .slab_next = 24,
	.cpu_sheaves = -1, .capacity = -1, .barn = -1, .step = 8, .node_barn = -1,
};

/* As 7.2 has it: no list of a CPU, and each node has a barn beside its part of the cache. */
static const struct kma_slub_layout with_sheaves = {
	.size = 0, .offset = 4, .oo = 8, .capacity = 12, .list = 16, .random = -1, .cpu_slab = -1,
	.cpu_sheaves = 40, .barn = 48, .node = 56, .step = 16,
	.cpu_sheaf = { 8, 16, 24 },
	.node_nr = 0, .node_partial = 8, .node_barn = -1,
	.slab_freelist = 0, .slab_list = 8, .slab_next = 24,
	.barn_list = { 8, 24 }, .barn_nr = { 40, 44 },
	.sheaf_list = 0, .sheaf_cache = 16, .sheaf_nr = 24, .sheaf_objects = 32,
};

static uint64_t mem[WORDS];
static const uint64_t areas[] = { 0, 0x100 };
static uint64_t found[256];
static size_t nr;

static bool word(void *arg, uint64_t addr, uint64_t *ret)
{
	(void)arg;
	if (addr % 8 || addr - BASE >= sizeof(mem))
		return false;
	*ret = mem[(addr - BASE) / 8];
	return true;
}

static const struct kma_words words = { word, NULL };

static void take(void *arg, uint64_t addr, uint64_t len)
{
	(void)arg;
	EXPECT(len);
	if (nr < ARRAY_SIZE(found))
		found[nr] = addr;
	nr++;
}

static void put(uint64_t off, uint64_t value)
{
	mem[off / 8] = value;
}

static uint64_t object(unsigned int slab, unsigned int i)
{
	return BASE + OBJECTS + slab * 0x1000 + i * SIZE;
}

/* Link objects of a slab, the pointer at offset 16 of each. Returns the first one. */
static uint64_t list(unsigned int slab, const unsigned int *order, unsigned int n, bool hardened)
{
	for (unsigned int i = 0; i < n; i++) {
		uint64_t at = object(slab, order[i]) + 16;
		uint64_t next = i + 1 < n ? object(slab, order[i + 1]) : 0;

		put(at - BASE, hardened ? next ^ RANDOM ^ __builtin_bswap64(at) : next);
	}
	return object(slab, order[0]);
}

static const unsigned int order[] = { 5, 0, 63, 7, 1 };

/*
 * CPU 0 has a list, a slab into which other CPUs have freed, and two partial slabs; the node has two.
 * Each list has the same objects of its slab.
 */
static void make(bool hardened)
{
	memset(mem, 0, sizeof(mem));
	nr = 0;
	put(CACHES, BASE + CACHE + layout.list);
	put(CACHE + layout.list, BASE + CACHES);
	put(CACHE, SIZE | 16ULL << 32);
	put(CACHE + layout.oo, 64);
	put(CACHE + layout.random, RANDOM);
	put(CACHE + layout.cpu_slab, BASE + PERCPU);
	put(CACHE + layout.node, BASE + NODE);
	put(PERCPU, list(0, order, ARRAY_SIZE(order), hardened));
	put(PERCPU + 8, BASE + SLABS + 0x40);
	put(SLABS + 0x40, list(1, order, ARRAY_SIZE(order), hardened));
	put(PERCPU + 16, BASE + SLABS + 0x80);
	put(SLABS + 0x80, list(2, order, ARRAY_SIZE(order), hardened));
	put(SLABS + 0x80 + layout.slab_next, BASE + SLABS + 0xc0);
	put(SLABS + 0xc0, list(3, order, ARRAY_SIZE(order), hardened));
	/* CPU 1 has a list alone */
	put(PERCPU + 0x100, list(4, order, ARRAY_SIZE(order), hardened));
	put(NODE, 2);
	put(NODE + 8, BASE + SLABS + 0x100 + layout.slab_list);
	put(SLABS + 0x100, list(5, order, ARRAY_SIZE(order), hardened));
	put(SLABS + 0x100 + layout.slab_list, BASE + SLABS + 0x140 + layout.slab_list);
	put(SLABS + 0x140, list(6, order, ARRAY_SIZE(order), hardened));
	put(SLABS + 0x140 + layout.slab_list, BASE + NODE + 8);
}

static struct kma_slub_heap slub(bool hardened)
{
	struct kma_slub_heap ret = { .layout = layout,
				.caches = BASE + CACHES,
				.page = 4096,
				.cpu_areas = areas,
				.cpus = ARRAY_SIZE(areas),
				.nodes = 1 };

	if (!hardened)
		ret.layout.random = -1;
	return ret;
}

static bool has(uint64_t addr)
{
	for (size_t i = 0; i < nr && i < ARRAY_SIZE(found); i++)
		if (found[i] == addr)
			return true;
	return false;
}

static void walk(bool hardened)
{
	struct kma_slub_heap allocator = slub(hardened);
	struct kma_slub_counts counts;

	kma_slub_free(&allocator, &words, take, NULL, &counts);
	EXPECT_EQ(counts.objects, nr);
	EXPECT_EQ(counts.caches, 1);
}

TEST(lists)
{
	for (int hardened = 0; hardened < 2; hardened++) {
		make(hardened);
		walk(hardened);
		EXPECT_EQ(nr, 7 * ARRAY_SIZE(order));
		for (unsigned int slab = 0; slab < 7; slab++)
			for (size_t i = 0; i < ARRAY_SIZE(order); i++)
				EXPECT(has(object(slab, order[i])));
	}
}

/* A kernel that is not hardened, read as if it were one: only the first object of each list. */
TEST(other_kernel)
{
	make(false);
	walk(true);
	EXPECT_EQ(nr, 7);
}

/* Lists that change while they are followed: into another slab, into nothing, in a ring. */
TEST(astray)
{
	make(false);
	put(object(0, 0) + 16 - BASE, object(1, 3));
	put(object(1, 0) + 16 - BASE, object(1, 1) + 4);
	put(object(2, 0) + 16 - BASE, 0x1234);
	put(object(5, 1) + 16 - BASE, object(5, 5));
	put(SLABS + 0x140 + layout.slab_list, BASE + SLABS + 0x100 + layout.slab_list);
	put(SLABS + 0xc0 + layout.slab_next, BASE + SLABS + 0xc0);
	put(SLABS + 0xc0, 0);
	nr = 0;
	{
		struct kma_slub_heap allocator = slub(false);
		struct kma_slub_counts counts;

		kma_slub_free(&allocator, &words, take, NULL, &counts);
		EXPECT(counts.objects < 40 * 32767ULL);
	}
	EXPECT(has(object(0, 0)) && !has(object(0, 63)));
	EXPECT(has(object(1, 0)) && !has(object(1, 63)));
	EXPECT(has(object(2, 0)) && !has(object(2, 63)));
}

#define CAPACITY 10

/* A sheaf with @n objects of slab number @nr, and stale entries behind them. Returns its address. */
static uint64_t sheaf(unsigned int number, unsigned int n)
{
	uint64_t at = SHEAVES + 0x80 * number;

	put(at + with_sheaves.sheaf_cache, BASE + CACHE);
	put(at + with_sheaves.sheaf_nr, n);
	for (unsigned int i = 0; i < CAPACITY; i++)
		put(at + with_sheaves.sheaf_objects + 8ULL * i, object(number, i));
	return BASE + at;
}

/* Put sheaves into a list of the barn, and their number beside it. */
static void barn_list(unsigned int which, const unsigned int *numbers, unsigned int n)
{
	uint64_t head = BARN + with_sheaves.barn_list[which], at = head;

	for (unsigned int i = 0; i < n; i++) {
		put(at, BASE + SHEAVES + 0x80 * numbers[i]);
		at = SHEAVES + 0x80 * numbers[i];
	}
	put(at, BASE + head);
	mem[(BARN + with_sheaves.barn_nr[0]) / 8] |= (uint64_t)n << 32 * which;
}

/*
 * CPU 0 has a main sheaf, a spare one and one of kfree_rcu(), CPU 1 a main one; the barn has two full
 * ones and an empty one.
 */
static const struct {
	unsigned int number, objects;
} sheaves[] = { { 0, 4 }, { 1, CAPACITY }, { 2, 3 }, { 3, 0 }, { 4, CAPACITY }, { 5, CAPACITY }, { 6, 0 } };

static void make_sheaves(void)
{
	static const unsigned int full[] = { 4, 5 }, empty[] = { 6 };
	uint64_t at[ARRAY_SIZE(sheaves)];

	memset(mem, 0, sizeof(mem));
	nr = 0;
	for (size_t i = 0; i < ARRAY_SIZE(sheaves); i++)
		at[i] = sheaf(sheaves[i].number, sheaves[i].objects);
	put(CACHES, BASE + CACHE + with_sheaves.list);
	put(CACHE + with_sheaves.list, BASE + CACHES);
	put(CACHE, SIZE | 16ULL << 32);
	put(CACHE + with_sheaves.oo, 0 | (uint64_t)CAPACITY << 32);
	put(CACHE + with_sheaves.cpu_sheaves, BASE + PCS);
	put(CACHE + with_sheaves.barn, BASE + BARN);
	for (size_t i = 0; i < 3; i++)
		put(PCS + with_sheaves.cpu_sheaf[i], at[i]);
	put(PCS + 0x100 + with_sheaves.cpu_sheaf[0], at[3]);
	barn_list(0, full, ARRAY_SIZE(full));
	barn_list(1, empty, ARRAY_SIZE(empty));
}

static size_t walk_sheaves(struct kma_slub_layout how)
{
	struct kma_slub_heap allocator = { .layout = how,
					   .caches = BASE + CACHES,
					   .page = 4096,
					   .cpu_areas = areas,
					   .cpus = ARRAY_SIZE(areas),
					   .nodes = 1 };
	struct kma_slub_counts counts;

	nr = 0;
	kma_slub_free(&allocator, &words, take, NULL, &counts);
	EXPECT_EQ(counts.objects + counts.sheaves, nr);
	return counts.sheaves;
}

TEST(free_in_sheaves)
{
	make_sheaves();
	EXPECT_EQ(walk_sheaves(with_sheaves), ARRAY_SIZE(sheaves));
	for (size_t i = 0; i < ARRAY_SIZE(sheaves); i++) {
		EXPECT(has(BASE + SHEAVES + 0x80 * i + with_sheaves.sheaf_objects));
		for (unsigned int n = 0; n < CAPACITY; n++)
			EXPECT_EQ(has(object(i, n)), n < sheaves[i].objects);
	}
}

/* As 6.18 has it: the barn is in the node's part of the cache. */
TEST(sheaves_of_node)
{
	struct kma_slub_layout how = with_sheaves;

	make_sheaves();
	put(CACHE + how.barn, 0);
	put(CACHE + how.node, BASE + NODE);
	how.barn = -1;
	how.node_barn = 32;
	put(NODE + 8, BASE + NODE + 8);
	put(NODE + 32, BASE + BARN);
	EXPECT_EQ(walk_sheaves(how), ARRAY_SIZE(sheaves));
}

/* Sheaves of another cache, with too many objects, in a list that leads into itself. */
TEST(sheaves_astray)
{
	make_sheaves();
	put(SHEAVES + with_sheaves.sheaf_cache, BASE + CACHE + 8);
	put(SHEAVES + 0x80 + with_sheaves.sheaf_nr, CAPACITY + 1);
	put(SHEAVES + 0x80 * 5, BASE + SHEAVES + 0x80 * 4);
	/* 2, 3 and 6; 4 and 5 as often as the bound says */
	EXPECT(walk_sheaves(with_sheaves) <= 3 + 2 + 64);
	EXPECT(!has(object(0, 0)) && !has(object(1, 0)) && has(object(2, 0)) && has(object(5, 9)));
}

/* The slabs of the census: how many slots each has, and whether it is of the cache. */
static const struct {
	unsigned int slots;
	bool of_cache;
} slabs[] = { { 64, true }, { 3, true }, { 1, true }, { 64, false }, { 0, true } };

static struct kma_err *each_slab(void *arg, kma_page_fn fn, void *fn_arg)
{
	(void)arg;
	for (size_t i = 0; i < ARRAY_SIZE(slabs); i++)
		fn(fn_arg, object(i, 0), BASE + SLABS + 0x40 * i);
	return NULL;
}

static void forget(void *arg)
{
	(void)arg;
}

static void take_object(void *arg, const struct kma_listing_object *at)
{
	EXPECT_EQ(at->site, *(uint32_t *)arg);
	EXPECT_EQ(at->total, SIZE);
	take(NULL, at->addr, at->total);
}

/*
 * The cache "ab" has three slabs: one of 64 slots, of which five are free and one is listed by the
 * module, one of three slots with a pad before each object, and one that KFENCE has.
 */
static void census(uint64_t pad)
{
	static const struct kma_target_ops ops = { .word = word, .slabs = each_slab, .forget = forget };
	struct kma_running running = { .target = { .ops = &ops }, .words = words, .slub = slub(false), .has_slub = true };
	struct kma_listing_sites sites = { .nr = 64, .callers = kma_xcalloc(64, sizeof(*sites.callers)) };
	struct kma_census census = { 0 };
	struct kma_graph known = { 0 };
	uint32_t site = 64;

	running.slub.layout.slab_cache = 32;
	running.slub.layout.slab_objects = (struct kma_btf_member){ .offset = 42, .bits = 15 };
	running.slub.layout.name = 56;
	running.slub.layout.pad = 64;
	running.slub.layout.refcount = 72;
	memset(mem, 0, sizeof(mem));
	put(CACHE, SIZE + pad);
	put(CACHE + 56, BASE + 0x42);
	put(CACHE + 64, pad);
	/* Only four bytes count. kmalloc() has -1. */
	put(CACHE + 72, pad ? 0x500000002 : 0x5ffffffff);
	put(0x40, (uint64_t)('a' | 'b' << 8) << 16);
	for (size_t i = 0; i < ARRAY_SIZE(slabs); i++) {
		put(SLABS + 0x40 * i + 32, slabs[i].of_cache ? BASE + CACHE : 0);
		/* 16 bits of objects in use, 15 of slots and one flag: all but the slots are set */
		put(SLABS + 0x40 * i + 40, 0x8000ffff | slabs[i].slots << 16);
	}
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		kma_graph_add(&known, object(0, order[i]), SIZE, KMA_HEAP_FREE);
	kma_graph_add(&known, object(0, 9), SIZE, 3);
	kma_graph_finish(&known);
	for (int again = 0; again < 2; again++) {
		nr = 0;
		EXPECT(!kma_census_walk(&census, &running, &known, &sites, take_object, &site));
		EXPECT_EQ(census.slabs, 5);
		EXPECT_EQ(census.unknown, 3);
		EXPECT(!strcmp(kma_listing_caller(&sites, site),
			       pad ? "[before: ab, merged]" : "[before: ab]"));
	}
	EXPECT(has(object(1, 0) + pad) && has(object(1, 0) + 2 * (SIZE + pad) + pad));
	if (!pad) {
		EXPECT_EQ(nr, 64 - 6 + 3);
		EXPECT(has(object(0, 2)) && !has(object(0, 9)) && !has(object(0, 63)));
	}
	kma_census_deinit(&census);
	kma_graph_deinit(&known);
	kma_listing_sites_deinit(&sites);
}

TEST(census_of_slabs)
{
	census(0);
	census(16);
}

/* Entries from the count on. */
TEST(magazines)
{
	static const struct {
		uint64_t count, want;
	} cases[] = { { 0, 8 }, { 3, 5 }, { 7, 1 }, { 8, 0 }, { 1000, 0 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kma_magazines magazines = { .skbs = BASE + PERCPU, .count = 4, .array = 8,
						   .size = 64, .cpu_areas = areas, .cpus = 1 };

		memset(mem, 0, sizeof(mem));
		nr = 0;
		put(PERCPU, cases[i].count << 32 | 0xffff);
		kma_magazines_stale(&magazines, &words, take, NULL);
		EXPECT_EQ(nr, cases[i].want > 0);
		if (nr)
			EXPECT_EQ(found[0], BASE + PERCPU + 8 + 8 * cases[i].count);
	}
}

/* Spare pages of kfree_rcu(): the list of each CPU; one that leads into itself, or astray. */
TEST(spare_pages)
{
	struct kma_magazines magazines = { .rcu = BASE + PERCPU, .spare = 8, .page = 0x1000,
					   .cpu_areas = areas, .cpus = 2 };

	memset(mem, 0, sizeof(mem));
	nr = 0;
	put(PERCPU + 8, BASE + 0x4000);
	put(0x4000, BASE + 0x6000);
	put(PERCPU + 0x108, BASE + 0x5000);
	kma_magazines_stale(&magazines, &words, take, NULL);
	EXPECT_EQ(nr, 3U);
	EXPECT_EQ(found[0], BASE + 0x4000);
	EXPECT_EQ(found[1], BASE + 0x6000);
	EXPECT_EQ(found[2], BASE + 0x5000);

	nr = 0;
	put(0x6000, BASE + 0x4008);
	put(0x5000, 1);
	kma_magazines_stale(&magazines, &words, take, NULL);
	EXPECT_EQ(nr, 3U);

	nr = 0;
	magazines.cpus = 1;
	put(0x6000, BASE + 0x4000);
	kma_magazines_stale(&magazines, &words, take, NULL);
	EXPECT_EQ(nr, 64U);
}

TEST_MAIN()
