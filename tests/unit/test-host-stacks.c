// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-stacks.c - host/model/stacks: what a stack was added with comes back, also from a
 * copy; a function is one frame in all stacks.
 */
#include <stdlib.h>

#include "model/stacks.h"

#include "ktap.h"

#define STACKS 500

/* Frames of a made stack, from the call site outwards; up to 16 of 40 functions. */
static void made(unsigned int i, char *buf, size_t size)
{
	unsigned int nr = 1 + i % 16;
	size_t len = 0;

	for (unsigned int j = 0; j < nr; j++)
		len += snprintf(buf + len, size - len, "%sf%u+0x%x/0x100%s", j ? ";" : "",
				(i * 7 + j * 3) % 40, 1 + j, j % 2 ? " [mod]" : "");
}

static void check(const struct kma_stacks *stacks, const struct kma_callstack *stack, unsigned int i)
{
	char text[1024], *rest = text, *frame;

	made(i, text, sizeof(text));
	EXPECT_EQ(stack->values.current, i * 10);
	EXPECT(!stack->rest);
	for (unsigned int j = 0; (frame = strsep(&rest, ";")); j++) {
		const struct kma_site *site;
		char symbol[16];

		REQUIRE(j < stack->nr_frames);
		site = kma_stacks_frame(stacks, stack->frames[j]);
		EXPECT_STR(site->caller, frame);
		snprintf(symbol, sizeof(symbol), "f%u", (i * 7 + j * 3) % 40);
		EXPECT_STR(site->symbol, symbol);
		EXPECT_EQ(site->offset, 1 + j);
		EXPECT(!site->module == !(j % 2));
		EXPECT(rest || j + 1 == stack->nr_frames);
	}
}

TEST(stacks_come_back)
{
	struct kma_stacks *stacks, *copy;
	const struct kma_callstack *list;
	char text[1024];
	size_t nr;

	REQUIRE(!kma_stacks_create(&stacks));
	REQUIRE(!kma_stacks_create(&copy));
	EXPECT(!kma_stacks_have_frames(stacks));
	for (unsigned int i = 0; i < STACKS; i++) {
		struct kma_values values = { .current = i * 10 };

		made(i, text, sizeof(text));
		REQUIRE(!kma_stacks_add(stacks, i / 3, text, &values));
	}
	list = kma_stacks_all(stacks, &nr);
	EXPECT_EQ(nr, STACKS);
	for (unsigned int i = 0; i < STACKS; i++) {
		check(stacks, &list[i], i);
		EXPECT_EQ(list[i].site, i / 3);
		REQUIRE(!kma_stacks_copy(copy, i, stacks, &list[i]));
	}
	/* 40 functions at 16 places, and the name for too many. */
	EXPECT(kma_stacks_nr_frames(stacks) <= 40 * 16 + 1);
	EXPECT_EQ(kma_stacks_nr_frames(copy), kma_stacks_nr_frames(stacks));
	kma_stacks_destroy(stacks);
	list = kma_stacks_all(copy, &nr);
	for (unsigned int i = 0; i < STACKS; i++)
		check(copy, &list[i], i);
	kma_stacks_destroy(copy);
}

TEST(without_frames_the_reason)
{
	static const char *const texts[] = { "-", "[before]", "[not sampled]" };
	static const char *const rests[] = { "[no stack]", "[before]", "[not sampled]" };
	struct kma_values values = { 0 };
	const struct kma_callstack *list;
	struct kma_stacks *stacks;
	size_t nr;

	REQUIRE(!kma_stacks_create(&stacks));
	for (unsigned int i = 0; i < 3; i++)
		REQUIRE(!kma_stacks_add(stacks, 0, texts[i], &values));
	EXPECT(!kma_stacks_have_frames(stacks));
	REQUIRE(!kma_stacks_add(stacks, 0, "[no symbol]", &values));
	REQUIRE(!kma_stacks_add(stacks, 0, "[no symbol];f+0x1/0x2", &values));
	EXPECT(kma_stacks_have_frames(stacks));
	list = kma_stacks_all(stacks, &nr);
	for (unsigned int i = 0; i < 3; i++) {
		EXPECT_EQ(list[i].nr_frames, 0);
		EXPECT_STR(list[i].rest, rests[i]);
	}
	EXPECT_EQ(list[3].nr_frames, 1);
	EXPECT_EQ(list[4].nr_frames, 2);
	EXPECT_STR(kma_stacks_frame(stacks, list[4].frames[1])->symbol, "f");
	kma_stacks_destroy(stacks);
}

TEST_MAIN()
