// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-live.c - the live map alone, on one thread.
 */
#include "account/class.h"
#include "account/live.h"
#include "account/pool.h"
#include "account/size.h"
#include "ktap.h"
#include "account-tables.h"
#include "grown.h"
#include "shim.h"
#include "walk.h"

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

#define BYTES	256ul
/* of 2 MiB; with 32 bits, in low memory */
#define PARTS	(BITS_PER_LONG == 64 ? SHIM_PAGES / 512 : 128ul)
#define FIRST	(PAGE_OFFSET + 0x200000ul)

/* Objects as slabs have them: 256 bytes apart, 512 pages together, all over the memory. */
static void *object(unsigned long i)
{
	return (void *)(FIRST + (i / 8192 * 0x9e3779b1ul % PARTS << 21) +
			i % 8192 * BYTES);
}

static int start(unsigned long max_bytes)
{
	int err;

	shim_init();
	shim_cpu = 0;
	err = tables_init(100) ?: kma_live_init(max_bytes, map_wake);
	if (!err)
		kma_live_open();
	return err;
}

static void stop(void)
{
	kma_live_close();
	kma_live_deinit();
	tables_deinit();
}

/* Some hundred classes of objects of as many bytes; the map does not compare them. */
static u16 class_of(unsigned long i)
{
	return kma_class_of(1 + i % 97, 0, kma_size_small(BYTES, BYTES));
}

static struct kma_birth birth_of(unsigned long ptr)
{
	return (struct kma_birth){ .ns = ptr * 0x9e3779b97f4a7c15ull | 1, .cpu = ptr >> 8,
				   .kind = ptr >> 22 };
}

/* Its own, if it should have one, else none. */
static bool right_birth(const struct kma_birth *birth, unsigned long ptr)
{
	struct kma_birth want = births ? birth_of(ptr) : (struct kma_birth){};

	return birth->ns == want.ns && birth->cpu == want.cpu && birth->kind == want.kind;
}

static enum kma_live_found put_as(void *ptr, u16 class, size_t bytes, struct kma_live_object *old)
{
	struct kma_birth birth = birth_of((unsigned long)ptr);
	struct kma_size size = {};

	kma_size_pack(&size, bytes, bytes);
	return kma_live_put(ptr, class, size, births ? &birth : NULL, old);
}

static enum kma_live_found put(void *ptr, u16 class)
{
	struct kma_live_object old;

	return put_as(ptr, class, BYTES, &old);
}

static bool take(void *ptr, u16 *class)
{
	struct kma_live_object o = {}, found = {};
	bool there = kma_live_look(ptr, &found), was = kma_live_take(ptr, &o);

	EXPECT(there == was);
	*class = o.class;
	if (was) {
		EXPECT_EQ(o.class, found.class);
		EXPECT(right_birth(&o.birth, (unsigned long)ptr));
		EXPECT(right_birth(&found.birth, (unsigned long)ptr));
	}
	return was;
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

/*
 * Of a page with objects of each stride and phase, an element is found for each address where an
 * object begins, as a division says, and for no other one.
 */
TEST(each_offset_has_the_element_that_a_division_finds)
{
	for (u32 stride = 8; stride < PAGE_SIZE; stride += 8) {
		for (u32 phase = 0; phase < stride; phase += stride > 512 ? 8 * 37 : 8) {
			struct kma_slots s = { .recip = ~0u / stride + 1, .phase = phase };
			unsigned long i, wrong = 0;

			for (u32 at = 0; at < PAGE_SIZE; at += 8) {
				bool begins = at >= phase && (at - phase) % stride == 0;

				wrong += kma_slots_fit(&s, (void *)(0x7000ul + at), &i) != begins ||
					 (begins && i != (at - phase) / stride);
			}
			EXPECT_EQ(wrong, 0);
		}
	}
	for (u32 phase = 0; phase < PAGE_SIZE; phase += 8) {
		struct kma_slots s = { .recip = 1, .phase = phase };
		unsigned long i, found = 0;

		for (u32 at = 0; at < PAGE_SIZE; at += 8)
			found += kma_slots_fit(&s, (void *)(0x7000ul + at), &i) &&
				 at == phase && !i;
		EXPECT_EQ(found, 1);
	}
}

TEST_BIRTHS(put_take_put)
{
	struct kma_live_object old;
	u16 class;

	REQUIRE(!start(1 << 24));
	EXPECT_EQ(put(object(1), class_of(7)), KMA_LIVE_NONE);
	EXPECT_EQ(put_as(object(1), class_of(8), BYTES, &old), KMA_LIVE_OLD);
	EXPECT_EQ(old.class, class_of(7));
	EXPECT_EQ(old.site, 1 + 7);
	EXPECT_EQ(kma_size_bytes(old.size), BYTES);
	EXPECT(!take(object(2), &class));
	EXPECT(take(object(1), &class));
	EXPECT_EQ(class, class_of(8));
	EXPECT(!take(object(1), &class));
	stop();
}

struct seen {
	unsigned long n, wrong;
	unsigned char *hit;
	unsigned long max;
};

/* Which object is it? The factor is the inverse of the one in object(), modulo PARTS. */
static unsigned long number_of(unsigned long ptr)
{
	unsigned long part = (ptr - FIRST) >> 21;

	return (part * 0x68b2f51ul % PARTS) * 8192 + ptr % (1 << 21) / BYTES;
}

static void see(const struct kma_live_object *o, void *arg)
{
	struct seen *s = arg;
	unsigned long i = number_of(o->ptr);

	s->n++;
	if (i >= s->max || (unsigned long)object(i) != o->ptr || s->hit[i]++ ||
	    o->class != class_of(i) || kma_size_bytes(o->size) != BYTES ||
	    !right_birth(&o->birth, o->ptr))
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
		full += put(object(i), class_of(i)) == KMA_LIVE_FULL;
		map_serve();
	}
	return full;
}

static unsigned long empty(unsigned long from, unsigned long to)
{
	unsigned long lost = 0;
	u16 class;

	for (unsigned long i = from; i < to; i++)
		lost += !take(object(i), &class) || class != class_of(i);
	return lost;
}

TEST_BIRTHS(a_million_objects)
{
	unsigned long n = 1000000;
	struct kma_live_stats st;
	struct seen s;

	REQUIRE(!start(1 << 28));
	EXPECT_EQ(fill(0, n), 0);
	s = walk(n);
	EXPECT_EQ(s.n, n);
	EXPECT_EQ(s.wrong, 0);
	st = kma_live_stats();
	printf("# %lu objects, %zu bytes: %.2f bytes an object\n", n, st.bytes,
	       (double)st.bytes / n);
	EXPECT_EQ(st.slots, n);
	EXPECT_EQ(st.arrays, n / 16);
	/* 24 + 32 bytes for the 16 objects of a page, and its part of the tables; a birth has 10 */
	EXPECT((double)st.bytes / n <= (births ? 22.0 : 6.0));
	EXPECT_EQ(empty(0, n), 0);
	EXPECT_EQ(walk(n).n, 0);
	EXPECT_EQ(fill(0, n), 0);
	EXPECT_EQ(walk(n).n, n);
	stop();
}

/* Objects come and go between the reads; those that are there all the time are seen once. */
TEST_BIRTHS(a_walk_over_a_changing_map_sees_each_object_once)
{
	static struct kma_live_object buf[WALK_ROOM];
	static const struct { unsigned long from, to, again; } sizes[] = {
		{ 20000, 40000, 40000 }, { 200000, 20000, 20000 }, { 300000, 10000, 250000 },
	};

	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
		unsigned long from = sizes[k].from, to = sizes[k].to, max = max(from, to);
		unsigned long missed = 0, pages = 0, all = from / 16;
		struct seen s = { .max = max, .hit = calloc(max, 1) };

		REQUIRE(!start(1 << 28));
		EXPECT_EQ(fill(0, from), 0);
		for (u64 at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1)) {
			u32 n = kma_live_read(at, buf, WALK_ROOM);

			REQUIRE(n <= WALK_ROOM);
			for (u32 i = 0; i < n; i++)
				see(&buf[i], &s);
			pages++;
			if (pages == all / 3 && to < from)
				EXPECT_EQ(empty(to, from), 0);
			if (pages == all / 3 && to < from)
				map_shrink(true);
			if (pages == all / 3 && to > from)
				EXPECT_EQ(fill(from, to), 0);
			if (pages == all / 2 && sizes[k].again > to)
				EXPECT_EQ(fill(to, sizes[k].again), 0);
		}
		EXPECT_EQ(s.wrong, 0);
		for (unsigned long i = 0; i < min(from, to); i++)
			missed += !s.hit[i];
		EXPECT_EQ(missed, 0);
		free(s.hit);
		stop();
	}
}

/* What a map that was never larger takes for so many objects. */
static size_t bytes_for(unsigned long n, unsigned long every)
{
	size_t bytes;

	EXPECT_EQ(start(1 << 28), 0);
	for (unsigned long i = 0; i < n; i++) {
		put(object(i * every), class_of(i * every));
		map_serve();
	}
	map_shrink(true);
	bytes = kma_live_stats().bytes;
	stop();
	return bytes;
}

/* A million objects, of which a few stay: all over the map, the first ones, or none. */
TEST_BIRTHS(a_map_gives_back_what_it_does_not_need)
{
	static const struct { unsigned long keep, every; } stay[] = {
		{ 300000, 1 }, { 10000, 1 }, { 1000, 1 }, { 0, 1 },
	};
	unsigned long n = 1000000;

	for (size_t k = 0; k < ARRAY_SIZE(stay); k++) {
		size_t need = bytes_for(stay[k].keep, stay[k].every), full;
		struct kma_live_stats st;
		struct seen s;
		u16 class;

		REQUIRE(!start(1 << 28));
		EXPECT_EQ(fill(0, n), 0);
		full = kma_live_stats().bytes;
		EXPECT_EQ(map_shrink(false), 0);
		EXPECT_EQ(kma_live_stats().arrays, n / 16);
		for (unsigned long i = 0; i < n; i++)
			if (i >= stay[k].keep * stay[k].every || i % stay[k].every)
				EXPECT(take(object(i), &class));
		/* the first look finds arrays without objects, the second retires them */
		for (int look = 0; look < 8; look++)
			EXPECT_EQ(map_shrink(false), 0);
		st = kma_live_stats();
		printf("# %lu of %lu stay: %zu bytes become %zu, %zu are needed\n",
		       stay[k].keep, n, full, st.bytes, need);
		/* tables of the middle level stay */
		EXPECT(st.bytes <= need + need / 3 + (768 << 10));
		EXPECT_EQ((full - st.bytes) / PAGE_SIZE, st.given_back);
		s = walk(n);
		EXPECT_EQ(s.n, stay[k].keep);
		EXPECT_EQ(s.wrong, 0);
		for (unsigned long i = 0; i < n; i++) {
			EXPECT(put(object(i), class_of(i)) != KMA_LIVE_FULL);
			map_serve();
		}
		s = walk(n);
		EXPECT_EQ(s.n, n);
		EXPECT_EQ(s.wrong, 0);
		stop();
	}
}

/* An array that is about to be retired is used again: an object in it is not lost. */
TEST_BIRTHS(an_object_comes_while_its_array_is_retired)
{
	struct kma_slots *s;
	u16 class;

	REQUIRE(!start(1 << 24));
	put(object(0), class_of(0));
	s = kma_live_slots(object(0));
	REQUIRE(s);
	EXPECT_EQ(s->stride, BYTES);
	EXPECT(take(object(0), &class));
	/* hard: the first look sets the stride to 0 */
	EXPECT_EQ(kma_live_shrink(true, true), -EINPROGRESS);
	EXPECT_EQ(s->stride, 0);
	put(object(1), class_of(1));
	EXPECT_EQ(s->stride, BYTES);
	map_shrink(true);
	EXPECT(kma_live_slots(object(1)) == s);
	EXPECT(take(object(1), &class));
	EXPECT_EQ(class, class_of(1));
	map_shrink(true);
	EXPECT(!kma_live_slots(object(1)));
	EXPECT_EQ(kma_live_stats().arrays, 0);
	stop();
}

/* The page was given back: an array without objects makes room for one of another stride. */
TEST_BIRTHS(a_page_with_another_stride)
{
	struct kma_live_object old;
	u16 class;

	REQUIRE(!start(1 << 24));
	for (unsigned long i = 0; i < 16; i++)
		put(object(i), class_of(i));
	for (unsigned long i = 0; i < 16; i++)
		EXPECT(take(object(i), &class));
	EXPECT_EQ(put_as((char *)object(0) + 96, class_of(1), 96, &old), KMA_LIVE_NONE);
	EXPECT_EQ(kma_live_slots(object(0))->stride, 96);
	EXPECT_EQ(kma_live_slots(object(0))->phase, 0);
	EXPECT(take((char *)object(0) + 96, &class));
	/* the same stride with another phase gets a grid, which stays until it is retired */
	EXPECT_EQ(put_as((char *)object(0) + 120, class_of(1), 96, &old), KMA_LIVE_NONE);
	EXPECT_EQ(kma_live_slots(object(0))->stride, 0);
	EXPECT(take((char *)object(0) + 120, &class));
	EXPECT_EQ(class, class_of(1));
	EXPECT(!take((char *)object(0) + 96, &class));
	map_shrink(true);
	EXPECT_EQ(kma_live_stats().arrays, 0);
	stop();
}

/* Frees were missed: what is left in the page stays until its address is allocated again. */
TEST_BIRTHS(a_page_with_objects_of_two_strides)
{
	struct kma_live_object old;
	u16 class;

	REQUIRE(!start(1 << 24));
	for (unsigned long i = 0; i < 16; i++)
		put(object(i), class_of(i));
	/* 40 is no multiple of 256; 192 is, of 96, but 96 is not */
	EXPECT_EQ(put_as((char *)object(0) + 40, class_of(20), 40, &old), KMA_LIVE_NONE);
	EXPECT_EQ(kma_live_slots(object(0))->stride, 0);
	EXPECT_EQ(put_as((char *)object(0) + 96, class_of(21), 96, &old), KMA_LIVE_NONE);
	EXPECT_EQ(put_as(object(3), class_of(22), BYTES, &old), KMA_LIVE_OLD);
	EXPECT_EQ(old.class, class_of(3));
	EXPECT_EQ(put_as(object(3), class_of(23), BYTES, &old), KMA_LIVE_OLD);
	EXPECT_EQ(old.class, class_of(22));
	EXPECT(take(object(4), &class));
	EXPECT_EQ(class, class_of(4));
	EXPECT(!take(object(4), &class));
	EXPECT(take((char *)object(0) + 40, &class));
	EXPECT_EQ(class, class_of(20));
	EXPECT(take((char *)object(0) + 96, &class));
	EXPECT(take(object(3), &class));
	EXPECT_EQ(class, class_of(23));
	for (unsigned long i = 0; i < 16; i++)
		if (i != 3 && i != 4)
			EXPECT(take(object(i), &class));
	/* both arrays go */
	map_shrink(true);
	EXPECT_EQ(kma_live_stats().arrays, 0);
	stop();
}

/* An address that cannot be that of an object leads to no element. */
TEST(addresses_without_a_place)
{
	static const unsigned long none[] = {
		-22ul, 0x100001, 0x100004,
#if BITS_PER_LONG == 64 /* with 32 bits the map has a place for each aligned address */
		-4096ul, 1ul << 46,
#endif
	};
	struct kma_live_object o;

	REQUIRE(!start(1 << 24));
	put((void *)0x100000, class_of(0));
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		EXPECT(!kma_live_holds((void *)none[i]) ||
		       put((void *)none[i], class_of(1)) == KMA_LIVE_NO_PLACE);
		EXPECT(!kma_live_look((void *)none[i], &o));
		EXPECT(!kma_live_take((void *)none[i], &o));
	}
	stop();
}

TEST(a_page_with_more_than_fits_says_how_many)
{
	struct kma_live_object buf[8] = {};
	u64 at;

	REQUIRE(!start(1 << 24));
	fill(0, 16);
	at = kma_live_next(0);
	REQUIRE(at != KMA_LIVE_END);
	EXPECT_EQ(kma_live_read(at, buf, 7), 16);
	EXPECT(buf[6].ptr);
	EXPECT(!buf[7].ptr);
	EXPECT_EQ(kma_live_read(at, NULL, 0), 16);
	stop();
}

TEST_BIRTHS(a_reset_map_is_empty_and_whole)
{
	size_t smallest, full;

	REQUIRE(!start(1 << 28));
	smallest = kma_live_stats().bytes;
	EXPECT_EQ(fill(0, 200000), 0);
	full = kma_live_stats().bytes;
	kma_live_close();
	EXPECT(!kma_live_is_open());
	kma_live_reset();
	/* but for the reserve, which was larger */
	EXPECT(kma_live_stats().bytes <= smallest + (full - smallest) / 4);
	EXPECT_EQ((full - kma_live_stats().bytes) / PAGE_SIZE, kma_live_stats().given_back);
	kma_live_open();
	EXPECT_EQ(walk(200000).n, 0);
	EXPECT_EQ(fill(0, 200000), 0);
	EXPECT_EQ(walk(200000).wrong, 0);
	stop();
}

TEST(a_full_map_says_so_and_keeps_what_it_has)
{
	unsigned long n = 200000, full, held;
	struct seen s;
	u16 class;

	REQUIRE(!start(1));
	full = fill(0, n);
	EXPECT(full > 0);
	s = walk(n);
	held = s.n;
	EXPECT_EQ(held + full, n);
	EXPECT_EQ(s.wrong, 0);
	EXPECT(held > 1000);
	EXPECT(kma_live_stats().bytes <= kma_live_stats().max_bytes);
	for (unsigned long i = 0; i < n; i++)
		take(object(i), &class);
	EXPECT_EQ(walk(n).n, 0);
	EXPECT_EQ(fill(0, 1000), 0);
	stop();
}

TEST(no_memory_for_growth_drops_and_recovers)
{
	unsigned long n = 200000, full = 0;

	REQUIRE(!start(1 << 28));
	for (unsigned long i = 0; i < n; i++)
		full += put(object(i), class_of(i)) == KMA_LIVE_FULL;
	EXPECT(full > 0);
	shim_fail_at = -1;
	EXPECT_EQ(map_grow(), -ENOMEM);
	EXPECT_EQ(walk(n).n, n - full);
	shim_fail_at = 0;
	EXPECT_EQ(map_grow(), 0);
	EXPECT_EQ(walk(n).n, n - full);
	EXPECT_EQ(fill(0, n), 0);
	EXPECT_EQ(walk(n).n, n);
	stop();
}

/* Locks and roots are needed, and the smallest reserve. With more than that the map works. */
TEST(init_survives_every_failed_allocation)
{
	/* locks, roots; with 32 bits, the row */
	const int needed = (BITS_PER_LONG == 64 ? 1 + 4 : 1 + 1 + 1) + 8;
	int n;

	shim_init();
	REQUIRE(!tables_init(100));
	for (n = 1; n < 1000; n++) {
		shim_fail_at = n;
		if (!kma_live_init(1 << 24, map_wake))
			break;
		EXPECT_EQ(kma_live_stats().bytes, 0);
	}
	shim_fail_at = 0;
	EXPECT_EQ(n, needed + 1);
	EXPECT_EQ(kma_live_stats().spare, 8 * PAGE_SIZE);
	EXPECT_EQ(kma_live_stats().grow_refused, 1);
	EXPECT_EQ(map_grow(), 0);
	EXPECT(kma_live_stats().spare > 8 * PAGE_SIZE);
	kma_live_open();
	EXPECT_EQ(fill(0, 1000), 0);
	stop();
}

/* A machine with little memory: less is ready for objects, and all goes in. */
TEST(a_small_machine_has_a_small_map)
{
	size_t large, small;

	REQUIRE(!start(1 << 24));
	large = kma_live_stats().spare;
	stop();
	shim_totalram = (44ul << 20) / PAGE_SIZE;
	REQUIRE(!start(1 << 24));
	small = kma_live_stats().spare;
	printf("# %zu bytes ready, %zu on a machine with 44 MiB\n", large, small);
	EXPECT_EQ(small, 32768);
	EXPECT_EQ(fill(0, 80000), 0);
	EXPECT_EQ(walk(80000).n, 80000);
	EXPECT_EQ(empty(0, 80000), 0);
	EXPECT_EQ(map_shrink(true), 0);
	/* the reserve is halved each time */
	for (int look = 0; look < 8; look++)
		map_shrink(true);
	EXPECT(kma_live_stats().spare <= 2 * small);
	stop();
	shim_totalram = 1ul << 18;
}

/*
 * A small machine: the inline half finds objects through the row of tables. Behind the row, which is
 * twice as long as memory, only the other functions do, as all do on a large machine.
 */
TEST64(a_small_machine_has_a_row_of_tables)
{
	static const unsigned long at[] = { 1, 511, 512, 3071, 3072, 200000 };
	const size_t in_row = 4, n = ARRAY_SIZE(at);
	void *old = high_memory;
	u16 class;

	high_memory = (void *)(PAGE_OFFSET + (3ul << 30));
	REQUIRE(!start(1 << 24));
	EXPECT_EQ(kma_live_row->nr, 3072);
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < n; i++) {
			void *ptr = (void *)(PAGE_OFFSET + (at[i] << 21) + 5 * BYTES);

			EXPECT(!kma_live_slots(ptr));
			EXPECT_EQ(put(ptr, class_of(i)), KMA_LIVE_NONE);
			EXPECT_EQ(!!kma_live_slots(ptr), i < in_row);
		}
		EXPECT_EQ(walk(n).n, n);
		kma_live_close();
		EXPECT(!kma_live_slots((void *)(PAGE_OFFSET + (1ul << 21))));
		if (!round)
			kma_live_reset();
		kma_live_open();
		for (size_t i = 0; i < n; i++)
			EXPECT_EQ(take((void *)(PAGE_OFFSET + (at[i] << 21) + 5 * BYTES), &class), !!round);
		map_shrink(true);
		EXPECT_EQ(kma_live_stats().arrays, 0);
	}
	stop();
	EXPECT_EQ(kma_live_row->nr, 0);
	high_memory = (void *)(PAGE_OFFSET + (64ul << 30) + PAGE_SIZE);
	REQUIRE(!start(1 << 24));
	EXPECT_EQ(kma_live_row->nr, 0);
	put(object(0), class_of(0));
	EXPECT(kma_live_slots(object(0)));
	stop();
	high_memory = old;
}

TEST64(addresses_beyond_the_map_are_refused)
{
	void *old = high_memory;

	shim_init();
	high_memory = (void *)((1ul << 47) + 1);
	EXPECT_EQ(kma_live_init(1 << 24, map_wake), -EOPNOTSUPP);
	high_memory = (void *)(1ul << 47);
	EXPECT_EQ(kma_live_init(1 << 24, map_wake), 0);
	kma_live_deinit();
	high_memory = old;
}

/* Pieces of the pool never meet, and a pool that has them back is whole. */
TEST(pieces_of_the_pool_never_meet)
{
	static struct { unsigned char *at; size_t bytes; } piece[20000];
	unsigned long wrong = 0;
	u64 seed = 1;

	REQUIRE(!start(1 << 28));
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < ARRAY_SIZE(piece); i++) {
			seed = seed * 6364136223846793005ul + 1;
			piece[i].bytes = 1 + (seed >> 33) % (i % 10 ? 300 : PAGE_SIZE - 2 * KMA_POOL_UNIT);
			piece[i].at = kma_pool_get(piece[i].bytes);
			map_serve();
			REQUIRE(piece[i].at);
			for (size_t k = 0; k < piece[i].bytes; k++)
				wrong += piece[i].at[k];
			memset(piece[i].at, 1 + i % 255, piece[i].bytes);
		}
		for (size_t i = 0; i < ARRAY_SIZE(piece); i++) {
			for (size_t k = 0; k < piece[i].bytes; k++)
				wrong += piece[i].at[k] != 1 + i % 255;
			kma_pool_put(piece[i].at);
		}
	}
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(kma_pool_stats().spare, kma_pool_stats().pages);
	stop();
}

TEST_MAIN()
