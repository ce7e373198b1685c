// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-live.c - the live map alone, on one thread.
 */
#include "account/live.h"
#include "account/resize.h"
#include "account/size.h"
#include "account/spare.h"
#include "ktap.h"
#include "grown.h"
#include "shim.h"
#define WALK_READ kma_live_read
#include "walk.h"

static unsigned int wakes;
static bool births;

/* A case that is run twice: in a map that keeps births, each object has its own. */
#define TEST_BIRTHS(name)						\
	static void run_##name(void);					\
	TEST(name)							\
	{								\
		run_##name();						\
	}								\
	TEST(name##_with_births)					\
	{								\
		births = true;						\
		run_##name();						\
		births = false;						\
	}								\
	static void run_##name(void)

static void wake(void)
{
	wakes++;
}

/* Objects as slabs have them: 256 bytes apart, in pages all over the memory. */
static void *object(unsigned long i)
{
	return (void *)(0x100000ul + (i / 16 * 0x9e3779b1ul % SHIM_PAGES << 12) + i % 16 * 256);
}

static int start(unsigned long max)
{
	int err;

	shim_init();
	wakes = 0;
	err = kma_live_init(max, births, wake);
	if (!err)
		kma_live_open();
	return err;
}

/* Which object is it? The factor is the inverse of the one in object(), modulo SHIM_PAGES. */
static unsigned long number_of(unsigned long ptr)
{
	unsigned long page = (ptr - 0x100000ul) >> 12;

	return (page * 0x68b2f51ul % SHIM_PAGES) * 16 + ptr % 4096 / 256;
}

/* Any number below KMA_LIVE_PART will do. */
static u16 class_of(unsigned long i)
{
	return i * 7919 % KMA_LIVE_PART;
}

static struct kma_birth birth_of(unsigned long ptr)
{
	return (struct kma_birth){ .ns = ptr * 0x9e3779b97f4a7c15ull, .cpu = ptr >> 8,
				   .kind = ptr >> 22 };
}

/* Its own, if it should have one, else what there was before. */
static bool right_birth(const struct kma_birth *birth, unsigned long ptr)
{
	struct kma_birth want = births ? birth_of(ptr) : (struct kma_birth){};

	return birth->ns == want.ns && birth->cpu == want.cpu && birth->kind == want.kind;
}

static struct kma_live_entry put(void *ptr, u16 class)
{
	u32 head;
	struct kma_bucket *home = kma_live_lock(ptr, &head);
	struct kma_birth birth = birth_of((unsigned long)ptr);

	return kma_live_put(home, head, ptr, class, births ? &birth : NULL);
}

static struct kma_live_entry take(void *ptr)
{
	struct kma_birth found = {}, birth = {};
	struct kma_live_entry e, f;
	struct kma_bucket *home;
	u32 head;

	home = kma_live_lock(ptr, &head);
	f = kma_live_look(home, head, ptr, &found);
	e = kma_live_take(home, head, ptr, &birth);
	EXPECT(e.found == f.found);
	if (e.found == KMA_LIVE_OLD) {
		EXPECT_EQ(e.class, f.class);
		EXPECT(right_birth(&birth, (unsigned long)ptr));
		EXPECT(right_birth(&found, (unsigned long)ptr));
	}
	return e;
}

TEST(sizes_survive_packing)
{
	static const struct { size_t req, bytes; } good[] = {
		{ 1, 8 }, { 0, 8 }, { 8, 8 }, { 100, 128 }, { 4097, 8192 },
		{ 9000, 9024 }, { 60000, 65528 }, { 65528, 65528 }, { 60000, 65536 },
		{ 8193, 16384 }, { 131073, 262144 }, { 262145, 524288 }, { 1, 1 << 26 },
		{ (2 << 20) + 1, 4 << 20 }, { 4 << 20, 4 << 20 }, { 65537, 131072 },
	};
	/* no words; beyond 64 KiB and no power of two; too much slack */
	static const struct { size_t req, bytes; } bad[] = {
		{ 1, 7 }, { 100, 132 }, { 1, 139264 }, { 262137, 262145 }, { 1, 1 << 27 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct kma_size size;

		EXPECT(kma_size_pack(&size, good[i].req, good[i].bytes));
		EXPECT_EQ(kma_size_bytes(size), good[i].bytes);
		EXPECT_EQ(kma_size_req(size), good[i].req);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct kma_size size;

		EXPECT(!kma_size_pack(&size, bad[i].req, bad[i].bytes));
	}
}

TEST_BIRTHS(put_take_put)
{
	struct kma_live_entry e;

	REQUIRE(!start(1000));
	e = put(object(1), 7);
	EXPECT_EQ(e.found, KMA_LIVE_NONE);
	e = put(object(1), 8);
	EXPECT_EQ(e.found, KMA_LIVE_OLD);
	EXPECT_EQ(e.class, 7);
	e = take(object(2));
	EXPECT_EQ(e.found, KMA_LIVE_NONE);
	e = take(object(1));
	EXPECT_EQ(e.found, KMA_LIVE_OLD);
	EXPECT_EQ(e.class, 8);
	EXPECT_EQ(take(object(1)).found, KMA_LIVE_NONE);
	kma_live_deinit();
}

/* A part is no object: a free does not find it, an allocation takes its place. */
TEST_BIRTHS(parts_are_no_objects)
{
	u16 part = KMA_LIVE_PART | 0x1234;

	REQUIRE(!start(1000));
	EXPECT_EQ(put(object(1), part).found, KMA_LIVE_NONE);
	EXPECT_EQ(take(object(1)).found, KMA_LIVE_NONE);
	EXPECT_EQ(kma_live_part(object(1), false), part);
	EXPECT_EQ(kma_live_part(object(2), false), 0);
	EXPECT_EQ(kma_live_part(object(1), true), part);
	EXPECT_EQ(kma_live_part(object(1), true), 0);
	EXPECT_EQ(put(object(1), part).found, KMA_LIVE_NONE);
	EXPECT_EQ(put(object(1), 7).found, KMA_LIVE_NONE);
	EXPECT_EQ(kma_live_part(object(1), true), 0);
	EXPECT_EQ(take(object(1)).class, 7);
	kma_live_deinit();
}

struct seen {
	unsigned long n, wrong;
	unsigned char *hit;
	unsigned long max;
};

/* The class of an object follows from its number: see fill(). */
static void see(const struct kma_live_object *o, void *arg)
{
	struct seen *s = arg;
	unsigned long i = number_of(o->ptr);

	s->n++;
	if (i >= s->max || (unsigned long)object(i) != o->ptr || s->hit[i]++ ||
	    o->class != class_of(i) ||
	    (births && !right_birth(&o->birth, o->ptr)))
		s->wrong++;
}

static struct seen walk(unsigned long max)
{
	struct seen s = { .max = max, .hit = calloc(max, 1) };

	walk_live(see, &s);
	free(s.hit);
	return s;
}

static unsigned long fill(unsigned long from, unsigned long to)
{
	unsigned long full = 0;

	for (unsigned long i = from; i < to; i++) {
		struct kma_live_entry e = put(object(i), class_of(i));

		full += e.found == KMA_LIVE_FULL;
		if (wakes) {
			wakes = 0;
			map_grow();
		}
	}
	return full;
}

TEST_BIRTHS(a_million_objects_grow_the_map)
{
	unsigned long n = 1000000, lost = 0;
	struct kma_live_stats st;
	struct seen s;

	REQUIRE(!start(2 * n));
	EXPECT_EQ(fill(0, n), 0);
	s = walk(n);
	EXPECT_EQ(s.n, n);
	EXPECT_EQ(s.wrong, 0);
	st = kma_live_stats();
	printf("# %lu objects, %zu bytes of tables: %.2f bytes an object, load %.0f %%\n", n,
	       st.bytes, (double)st.bytes / n, 100.0 * n / st.slots);
	/* the bar of DESIGN.md: 12 bytes an object, and four times as much with its birth */
	EXPECT((double)st.bytes / n <= (births ? 48.0 : 12.0));
	for (unsigned long i = 0; i < n; i++) {
		struct kma_live_entry e = take(object(i));

		lost += e.found != KMA_LIVE_OLD || e.class != class_of(i);
	}
	EXPECT_EQ(lost, 0);
	EXPECT_EQ(walk(n).n, 0);
	/* and again into the grown map */
	EXPECT_EQ(fill(0, n), 0);
	EXPECT_EQ(walk(n).n, n);
	kma_live_deinit();
}

/*
 * Readers of a growing map: after each bucket that is read, more objects come
 * and the map is split. Those that were there at the beginning are seen once,
 * the others once at most.
 */
TEST_BIRTHS(a_walk_over_a_growing_map_sees_each_object_once)
{
	static struct kma_live_object buf[WALK_ROOM];
	static const struct { unsigned long from, to; } sizes[] = {
		{ 20000, 40000 }, { 30000, 400000 }, { 100000, 110000 }, { 200000, 900000 },
	};

	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
		unsigned long max = sizes[k].to, at = sizes[k].from, missed = 0;
		struct seen s = { .max = max, .hit = calloc(max, 1) };
		u32 homes;

		REQUIRE(!start(max));
		EXPECT_EQ(fill(0, at), 0);
		homes = kma_live_homes();
		for (u32 h = 0; h < homes; h++) {
			unsigned long next = sizes[k].from + (max - sizes[k].from) * (h + 1) / homes;
			u32 n = kma_live_read(h, homes, buf, WALK_ROOM);

			REQUIRE(n <= WALK_ROOM);
			for (u32 i = 0; i < n; i++)
				see(&buf[i], &s);
			EXPECT_EQ(fill(at, next), 0);
			at = next;
		}
		EXPECT(kma_live_homes() > homes || max < 150000);
		EXPECT_EQ(s.wrong, 0);
		for (unsigned long i = 0; i < sizes[k].from; i++)
			missed += !s.hit[i];
		EXPECT_EQ(missed, 0);
		free(s.hit);
		kma_live_deinit();
	}
}

/* The worker, until nothing is left to give back. */
static int shrink(bool hard)
{
	return map_shrink(hard);
}

/* What a map that was never larger takes for so many objects. */
static size_t bytes_for(unsigned long n)
{
	size_t bytes;

	EXPECT_EQ(start(2000000), 0);
	EXPECT_EQ(fill(0, n), 0);
	bytes = kma_live_stats().bytes;
	kma_live_deinit();
	return bytes;
}

/*
 * A million objects, of which a few stay: all over the map, the last ones, or none. The map
 * holds at most twice what they need, and knows each of them. So it does after they have grown
 * to a million again.
 */
TEST_BIRTHS(a_map_gives_back_what_it_does_not_need)
{
	static const struct { unsigned long keep, every; } stay[] = {
		{ 300000, 3 }, { 10000, 100 }, { 0, 1 },
	};
	unsigned long n = 1000000;

	for (size_t k = 0; k < ARRAY_SIZE(stay); k++) {
		size_t need = bytes_for(stay[k].keep);
		struct kma_live_stats full, st;
		struct seen s;

		REQUIRE(!start(2 * n));
		EXPECT_EQ(fill(0, n), 0);
		full = kma_live_stats();
		EXPECT_EQ(shrink(false), 0);
		/* no home, and spare buckets only if the growth to this size needed more of them */
		EXPECT_EQ(kma_live_stats().homes, full.homes);
		EXPECT(kma_live_stats().given_back <= full.bytes / PAGE_SIZE / 10);
		for (unsigned long i = 0; i < n; i++)
			if (i >= stay[k].keep * stay[k].every || i % stay[k].every)
				EXPECT_EQ(take(object(i)).found, KMA_LIVE_OLD);
		EXPECT_EQ(shrink(false), 0);
		st = kma_live_stats();
		printf("# %lu of %lu stay: %zu bytes become %zu, %zu are needed\n",
		       stay[k].keep, n, full.bytes, st.bytes, need);
		EXPECT(st.bytes <= 2 * need);
		/* and parts of the lists of pages, which double and halve */
		EXPECT((full.bytes - st.bytes) / PAGE_SIZE - st.given_back <= st.given_back / 256);
		EXPECT_EQ(shrink(true), 0);
		st = kma_live_stats();
		EXPECT(st.bytes <= need + need / 3);
		EXPECT_EQ(kma_live_excess(), 0);
		s = walk(n);
		EXPECT_EQ(s.n, stay[k].keep);
		EXPECT_EQ(s.wrong, 0);
		for (unsigned long i = 0; i < n; i++)
			if (i >= stay[k].keep * stay[k].every || i % stay[k].every)
				put(object(i), class_of(i));
			else
				EXPECT_EQ(put(object(i), class_of(i)).found, KMA_LIVE_OLD);
		map_grow();
		EXPECT_EQ(fill(0, n), 0);
		s = walk(n);
		EXPECT_EQ(s.n, n);
		EXPECT_EQ(s.wrong, 0);
		kma_live_deinit();
	}
}

/* As above, of a map that becomes smaller and larger while it is read. */
TEST_BIRTHS(a_walk_over_a_shrinking_map_sees_each_object_once)
{
	static struct kma_live_object buf[WALK_ROOM];
	static const struct { unsigned long from, to, again; } sizes[] = {
		{ 400000, 0, 0 }, { 400000, 9000, 0 }, { 700000, 50000, 600000 },
	};

	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
		unsigned long max = sizes[k].from, missed = 0;
		struct seen s = { .max = max, .hit = calloc(max, 1) };
		u32 homes, least;

		REQUIRE(!start(max));
		EXPECT_EQ(fill(0, max), 0);
		homes = kma_live_homes();
		least = homes;
		for (u32 h = 0; h < homes; h++) {
			u32 n = kma_live_read(h, homes, buf, WALK_ROOM);

			REQUIRE(n <= WALK_ROOM);
			for (u32 i = 0; i < n; i++)
				see(&buf[i], &s);
			if (h == homes / 3) {
				for (unsigned long i = sizes[k].to; i < max; i++)
					take(object(i));
			}
			if (h >= homes / 3 && h < homes / 2 && h % 64 == 0)
				EXPECT_EQ(shrink(true), 0);
			least = min(least, kma_live_homes());
			if (h == homes / 3 * 2)
				EXPECT_EQ(fill(sizes[k].to, sizes[k].again), 0);
		}
		EXPECT(least < homes / 4);
		EXPECT_EQ(s.wrong, 0);
		for (unsigned long i = 0; i < sizes[k].to; i++)
			missed += !s.hit[i];
		EXPECT_EQ(missed, 0);
		free(s.hit);
		kma_live_deinit();
	}
}

/* Whatever is refused, the map keeps what it has, and shrinks when there is memory again. */
TEST(no_memory_to_shrink_changes_nothing)
{
	unsigned long n = 600000, keep = 20000;
	int at, refused = 0;

	for (at = 1; at < 100; at++) {
		struct seen s;
		int err;

		REQUIRE(!start(n));
		EXPECT_EQ(fill(0, n), 0);
		for (unsigned long i = keep; i < n; i++)
			take(object(i));
		shim_fail_at = at;
		err = shrink(false);
		if (shim_fail_at) {
			shim_fail_at = 0;
			kma_live_deinit();
			EXPECT_EQ(err, 0);
			break;
		}
		refused += err == -ENOMEM;
		s = walk(n);
		EXPECT_EQ(s.n, keep);
		EXPECT_EQ(s.wrong, 0);
		EXPECT_EQ(shrink(true), 0);
		EXPECT_EQ(kma_live_excess(), 0);
		EXPECT_EQ(walk(n).n, keep);
		EXPECT_EQ(fill(keep, n), 0);
		EXPECT_EQ(walk(n).n, n);
		kma_live_deinit();
	}
	/* home and overflow buckets: each mapped anew, and a note of that; a list may stay long */
	EXPECT_EQ(refused, 4);
	EXPECT_EQ(at, 6);
}

TEST(a_bucket_with_more_than_fits_says_how_many)
{
	struct kma_live_object buf[8] = {};
	u32 home, n = 0;

	REQUIRE(!start(1));
	fill(0, 60000);
	for (home = 0; home < kma_live_homes() && n <= 8; home++)
		n = kma_live_read(home, kma_live_homes(), buf, 8);
	REQUIRE(n > 8);
	home--;
	memset(buf, 0, sizeof(buf));
	EXPECT_EQ(kma_live_read(home, kma_live_homes(), buf, 7), n);
	EXPECT(buf[6].ptr);
	EXPECT(!buf[7].ptr);
	EXPECT_EQ(kma_live_read(home, kma_live_homes(), NULL, 0), n);
	kma_live_deinit();
}

TEST_BIRTHS(a_reset_map_is_empty_and_whole)
{
	size_t smallest, full;
	u32 head;

	REQUIRE(!start(300000));
	smallest = kma_live_stats().bytes;
	EXPECT_EQ(fill(0, 200000), 0);
	full = kma_live_stats().bytes;
	kma_live_close();
	EXPECT(!kma_live_lock(object(1), &head));
	kma_live_reset();
	/* what the smallest map does not need is given back */
	EXPECT_EQ(kma_live_stats().bytes, smallest);
	EXPECT((full - smallest) / PAGE_SIZE - kma_live_stats().given_back <= 20);
	kma_live_open();
	EXPECT_EQ(walk(200000).n, 0);
	EXPECT_EQ(fill(0, 200000), 0);
	EXPECT_EQ(walk(200000).wrong, 0);
	kma_live_deinit();
}

TEST_BIRTHS(a_full_map_says_so_and_keeps_what_it_has)
{
	unsigned long n = 200000, full, held;
	struct seen s;

	REQUIRE(!start(1));
	full = fill(0, n);
	EXPECT(full > 0);
	s = walk(n);
	held = s.n;
	EXPECT_EQ(held + full, n);
	EXPECT_EQ(s.wrong, 0);
	/* at least the first segments' worth of objects went in */
	EXPECT(held >= KMA_HOMES_MIN * KMA_BUCKET_SLOTS);
	for (unsigned long i = 0; i < n; i++)
		take(object(i));
	EXPECT_EQ(walk(n).n, 0);
	EXPECT_EQ(fill(0, 20000), 0);
	kma_live_deinit();
}

TEST_BIRTHS(no_memory_for_growth_drops_and_recovers)
{
	unsigned long n = 200000, full = 0;

	REQUIRE(!start(n));
	for (unsigned long i = 0; i < n; i++)
		full += put(object(i), class_of(i)).found == KMA_LIVE_FULL;
	EXPECT(full > 0);
	shim_fail_at = -1;
	EXPECT_EQ(map_grow(), -ENOMEM);
	EXPECT_EQ(walk(n).n, n - full);
	EXPECT_EQ(walk(n).wrong, 0);
	shim_fail_at = 0;
	EXPECT_EQ(map_grow(), 0);
	EXPECT_EQ(walk(n).n, n - full);
	EXPECT_EQ(walk(n).wrong, 0);
	kma_live_deinit();
}

TEST(init_survives_every_failed_allocation)
{
	int n;

	shim_init();
	for (n = 1; n < 1000; n++) {
		shim_fail_at = n;
		if (!kma_live_init(1000000, false, wake))
			break;
		EXPECT_EQ(kma_live_stats().slots, 0);
	}
	shim_fail_at = 0;
	/* two lists of pages; 64 home pages, and 64 of spare ones, mapped, and a note of that */
	EXPECT_EQ(n, 2 + 2 * 66 + 1);
	kma_live_open();
	EXPECT_EQ(fill(0, 1000), 0);
	kma_live_deinit();
}

/* A machine with little memory: fewer overflow buckets wait for objects, and all goes in. */
TEST(a_small_machine_has_a_small_map)
{
	size_t large, small;

	REQUIRE(!start(100000));
	large = kma_live_stats().bytes;
	kma_live_deinit();
	shim_totalram = (44ul << 20) / PAGE_SIZE;
	REQUIRE(!start(100000));
	small = kma_live_stats().bytes;
	printf("# %zu bytes, %zu on a machine with 44 MiB\n", large, small);
	/* home buckets, overflow buckets, their lists of pages */
	EXPECT(small <= (KMA_HOMES_MIN + 512) * sizeof(struct kma_bucket) + 32768);
	EXPECT_EQ(fill(0, 80000), 0);
	EXPECT_EQ(walk(80000).n, 80000);
	for (unsigned long i = 0; i < 80000; i++)
		take(object(i));
	EXPECT_EQ(shrink(true), 0);
	EXPECT(kma_live_stats().bytes <= small + small / 3);
	kma_live_deinit();
	shim_totalram = 1ul << 18;
}

/* What is left of a map is not with the CPUs that have freed: as much is ready as before. */
TEST(what_is_left_of_a_map_is_for_all_cpus)
{
	shim_totalram = (44ul << 20) / PAGE_SIZE;
	REQUIRE(!start(100000));
	EXPECT_EQ(fill(0, 100000), 0);
	for (unsigned long i = 0; i < 100000; i++) {
		shim_cpu = i % SHIM_CPUS;
		take(object(i));
	}
	shim_cpu = 0;
	EXPECT_EQ(shrink(true), 0);
	EXPECT(kma_spare_left() >= 512);
	kma_live_deinit();
	shim_totalram = 1ul << 18;
}

TEST64(addresses_beyond_the_map_are_refused)
{
	void *old = high_memory;

	shim_init();
	high_memory = (void *)((1ul << 47) + 1);
	EXPECT_EQ(kma_live_init(1000, false, wake), -EOPNOTSUPP);
	high_memory = (void *)(1ul << 47);
	EXPECT_EQ(kma_live_init(1000, false, wake), 0);
	kma_live_deinit();
	high_memory = old;
}

TEST_MAIN()
