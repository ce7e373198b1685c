// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-live.c - the live map: random insertions and removals beside a model that is a plain
 * array; its memory, wide sizes, and addresses whose hashes collide.
 */
#include <stdlib.h>

#include "ktap.h"
#include "model/live.h"
#include "model/site.h"
#include "rnd.h"

/* The map beside an array with the same objects, whose places are the addresses. */
struct slot {
	bool is;
	struct kma_live_object object;
};

static bool same(const struct kma_live_object *a, const struct kma_live_object *b)
{
	return a->req == b->req && a->alloc == b->alloc && a->site == b->site && a->cpu == b->cpu &&
	       a->kind == b->kind;
}

/* Addresses of all forms: direct map, hashed, and so many regions that some are strays. */
static uint64_t address(unsigned int form, unsigned int i)
{
	switch (form) {
	case 0:
		return 0xffff888000000000 + 8UL * i;
	case 1:
		return 1 + i * 2654435761U;
	case 2:
		return ((uint64_t)i << 40) + 64;
	default:
		return UINT64_MAX - i;
	}
}

static struct kma_live_object any_object(void)
{
	struct kma_live_object object = {
		.site = rnd(KMA_LIVE_MAX_SITES),
		.cpu = rnd(65536),
		.kind = rnd(KMA_NR_KINDS),
	};

	switch (rnd(8)) {
	case 0:
		object.req = (1 << 20) - 2 + rnd(4);
		object.alloc = object.req + (1 << 20) - 2 + rnd(4);
		break;
	case 1:
		object.req = rnd(UINT64_MAX);
		object.alloc = object.req + rnd(UINT64_MAX - object.req);
		break;
	default:
		object.req = rnd(5000);
		object.alloc = object.req + rnd(3000);
	}
	return object;
}

TEST(live_map)
{
	enum { FORMS = 4, EACH = 20000, STEPS = 2000000 };
	struct slot *model = calloc(FORMS * EACH, sizeof(*model));
	struct kma_live *live;
	size_t count = 0, wrong = 0;

	REQUIRE(model);
	live = kma_live_create();
	for (unsigned int step = 0; step < STEPS; step++) {
		/* Grows, shrinks, grows: long runs of each. */
		bool grow = rnd(100) < (step / 200000 % 2 ? 30 : 70);
		unsigned int form = rnd(FORMS), i = rnd(EACH);
		struct slot *slot = &model[form * EACH + i];
		struct kma_live_object object = any_object(), old;
		uint64_t ptr = address(form, i);
		bool was;

		kma_live_prefetch(live, ptr);
		if (grow) {
			kma_live_insert(live, ptr, &object, &old, &was);
			wrong += was != slot->is || (was && !same(&old, &slot->object));
			count += !was;
			*slot = (struct slot){ true, object };
		} else {
			was = kma_live_remove(live, ptr, &old);
			wrong += was != slot->is || (was && !same(&old, &slot->object));
			count -= was;
			slot->is = false;
		}
		wrong += kma_live_count(live) != count;
	}
	EXPECT_EQ(wrong, 0);
	EXPECT(count > 1000);
	for (unsigned int i = 0; i < FORMS * EACH; i++) {
		struct kma_live_object old;
		bool was = kma_live_remove(live, address(i / EACH, i % EACH), &old);

		wrong += was != model[i].is || (was && !same(&old, &model[i].object));
	}
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(kma_live_count(live), 0);
	kma_live_destroy(live);
	free(model);
}

/* 16 bytes an object, at 75 % or better half of the time: never over 44. */
TEST(live_map_memory)
{
	struct kma_live_object object = { .req = 60, .alloc = 64, .site = 7 }, old;
	struct kma_live *live;
	size_t worst = 0, best = SIZE_MAX;
	bool was;

	live = kma_live_create();
	for (uint64_t i = 0; i < 1000000; i++) {
		kma_live_insert(live, 0xff4a6edec0000000 + 64 * i, &object, &old, &was);
		if (i >= 100000) {
			size_t each = kma_live_bytes(live) / (i + 1);

			worst = each > worst ? each : worst;
			best = each < best ? each : best;
		}
	}
	EXPECT(worst < 44);
	EXPECT(best < 23);
	kma_live_destroy(live);
}

/* Sizes that an entry has no room for take room only as long as they are live. */
TEST(live_map_wide)
{
	struct kma_live_object object = { .req = 5UL << 30, .alloc = 6UL << 30, .site = 7 }, old;
	struct kma_live *live;
	size_t before, wrong = 0;
	bool was;

	live = kma_live_create();
	before = kma_live_bytes(live);
	for (uint64_t i = 0; i < 100000; i++) {
		kma_live_insert(live, 0xff4a6edec0000000 + 64 * i, &object, &old, &was);
		if (i >= 50)
			wrong += !kma_live_remove(live, 0xff4a6edec0000000 + 64 * (i - 50), &old) ||
				 !same(&old, &object);
	}
	EXPECT_EQ(wrong, 0);
	EXPECT(kma_live_bytes(live) - before < 16384);
	kma_live_destroy(live);
}

/* What live.c does, to find addresses that it wants in one segment. */
static uint64_t hash(uint64_t where)
{
	uint64_t h = where * 0x9e3779b97f4a7c15UL;

	h ^= h >> 32;
	return h * 0xd6e8feb86659fd93UL;
}

/* Addresses whose hashes begin alike: splitting does not help, and must end. */
TEST(live_map_flood)
{
	enum { NR = 6000 };
	struct kma_live_object object = { .req = 60, .alloc = 64, .site = 7 }, old;
	uint64_t *ptrs = calloc(NR, sizeof(*ptrs));
	unsigned int nr = 0, wrong = 0;
	struct kma_live *live;
	bool was;

	REQUIRE(ptrs);
	live = kma_live_create();
	/* The first region is number 1, and 0xffffff begins it. */
	for (uint64_t low = 0; nr < NR; low++)
		if (!(hash(1UL << 40 | low) >> 50))
			ptrs[nr++] = 0xffffff0000000000 | low;
	for (unsigned int i = 0; i < NR; i++) {
		object.site = i;
		kma_live_insert(live, ptrs[i], &object, &old, &was);
		wrong += was;
	}
	EXPECT_EQ(kma_live_count(live), NR);
	EXPECT(kma_live_bytes(live) < 1 << 20);
	/* all are found, in the segment and out of it, and can be replaced */
	for (unsigned int i = 0; i < NR; i += 2) {
		kma_live_insert(live, ptrs[i], &object, &old, &was);
		wrong += !was || old.site != i;
	}
	/* one that had no room comes back when there is some */
	for (unsigned int i = 0; i < NR / 2; i++)
		wrong += !kma_live_remove(live, ptrs[i], &old) || old.site != (i % 2 ? i : NR - 1);
	for (unsigned int i = NR / 2; i < NR; i++) {
		kma_live_insert(live, ptrs[i], &object, &old, &was);
		wrong += !was || old.site != (i % 2 ? i : NR - 1);
	}
	EXPECT_EQ(kma_live_count(live), NR / 2);
	for (unsigned int i = NR / 2; i < NR; i++)
		wrong += !kma_live_remove(live, ptrs[i], &old) || old.site != NR - 1;
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(kma_live_count(live), 0);
	kma_live_destroy(live);
	free(ptrs);
}

TEST_MAIN()
