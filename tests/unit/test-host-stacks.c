// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-stacks.c - host/model/stacks, restack, helpers: what a stack was added with comes
 * back, also from a copy; a function is one frame in all stacks; rows by stacks add up.
 */
#include <stdlib.h>

#include "lib/cleanup.h"
#include "model/filter.h"
#include "model/helpers.h"
#include "model/restack.h"
#include "model/sampled.h"
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

static void check(const struct kma_stacks *stacks, const struct kma_callstack *stack,
		  unsigned int i)
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

	stacks = kma_stacks_create();
	copy = kma_stacks_create();
	EXPECT(!kma_stacks_have_frames(stacks));
	for (unsigned int i = 0; i < STACKS; i++) {
		struct kma_values values = { .current = i * 10 };

		made(i, text, sizeof(text));
		kma_stacks_add(stacks, i / 3, text, &values);
	}
	list = kma_stacks_all(stacks, &nr);
	EXPECT_EQ(nr, STACKS);
	for (unsigned int i = 0; i < STACKS; i++) {
		check(stacks, &list[i], i);
		EXPECT_EQ(list[i].site, i / 3);
		kma_stacks_copy(copy, i, stacks, &list[i]);
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

/* Objects of 100 bytes, some of which were freed. */
static struct kma_values objects_of(uint64_t objects, uint64_t frees)
{
	return (struct kma_values){ .current = 100 * objects,
				    .req = 90 * objects,
				    .waste = 10 * objects,
				    .objects = objects,
				    .allocs = objects + frees,
				    .frees = frees,
				    .total = 100 * (objects + frees),
				    .peak = 100 * objects };
}

TEST(samples_share_what_their_call_site_holds)
{
	static const struct {
		const char *text;
		uint64_t objects, frees, live, samples;
	} rows[] = {
		{ "f+0x1/0x2;a+0x1/0x2", 8, 4, 807, 8 },
		{ "[before]", 40, 0, 40, 0 },
		{ "f+0x1/0x2;b+0x1/0x2", 2, 4, 202, 2 },
		{ "[unsampled]", 999, 500, 0, 0 },
	};
	struct kma_values values, sum = { 0 }, was = { 0 };
	const struct kma_callstack *list;
	struct kma_stacks *stacks;
	char *text;
	size_t nr;

	stacks = kma_stacks_create();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		values = objects_of(rows[i].objects, rows[i].frees);
		kma_values_add(&was, &values);
		kma_stacks_add(stacks, 0, rows[i].text, &values);
	}
	/* another call site, of which all stacks were taken */
	values = objects_of(7, 0);
	kma_stacks_add(stacks, 1, "g+0x1/0x2;a+0x1/0x2", &values);
	kma_sampled_estimate(stacks);
	list = kma_stacks_all(stacks, &nr);
	REQUIRE(nr == 5);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		EXPECT_EQ(list[i].values.objects, rows[i].live);
		EXPECT_EQ(list[i].values.samples, rows[i].samples);
		EXPECT_EQ(list[i].values.allocs, list[i].values.objects + list[i].values.frees);
		EXPECT_EQ(list[i].values.current, list[i].values.req + list[i].values.waste);
		EXPECT_EQ(!list[i].values.error, !rows[i].samples);
		kma_values_add(&sum, &list[i].values);
	}
	/* by hand: of 100,900 bytes, 1.05 * sqrt(.8 * .2 / 10 * 999 / 1008) */
	EXPECT(list[0].values.error > 13330 && list[0].values.error < 13350);
	EXPECT_EQ(sum.current, was.current);
	EXPECT_EQ(sum.allocs, was.allocs);
	EXPECT_EQ(sum.frees, was.frees);
	EXPECT_EQ(sum.total, was.total);
	EXPECT_EQ(list[4].values.objects, 7);
	EXPECT_EQ(list[4].values.samples + list[4].values.error, 0);
	kma_sampled_text(stacks, &text);
	EXPECT_STR(text, "10 of 1009 live objects of 1 call site");
	free(text);
	kma_stacks_destroy(stacks);
}

TEST(what_no_sample_says_anything_of_stays_unsampled)
{
	struct kma_values taken = objects_of(0, 3), rest = objects_of(50, 0);
	const struct kma_callstack *list;
	struct kma_stacks *stacks;
	size_t nr;

	stacks = kma_stacks_create();
	kma_stacks_add(stacks, 0, "f+0x1/0x2;a+0x1/0x2", &taken);
	kma_stacks_add(stacks, 0, "[unsampled]", &rest);
	kma_sampled_estimate(stacks);
	list = kma_stacks_all(stacks, &nr);
	/* nothing sampled is live: the live ones are of no stack; the frees are */
	EXPECT_EQ(list[0].values.objects, 0);
	EXPECT_EQ(list[0].values.frees, 3);
	EXPECT_EQ(list[1].values.objects, 50);
	EXPECT_EQ(list[1].values.frees, 0);
	kma_stacks_destroy(stacks);
}

TEST(without_frames_the_reason)
{
	static const char *const texts[] = { "-", "[before]", "[not sampled]" };
	static const char *const rests[] = { "[no stack]", "[before]", "[not sampled]" };
	struct kma_values values = { 0 };
	const struct kma_callstack *list;
	struct kma_stacks *stacks;
	size_t nr;

	stacks = kma_stacks_create();
	for (unsigned int i = 0; i < 3; i++)
		kma_stacks_add(stacks, 0, texts[i], &values);
	EXPECT(!kma_stacks_have_frames(stacks));
	kma_stacks_add(stacks, 0, "[no symbol]", &values);
	kma_stacks_add(stacks, 0, "[no symbol];f+0x1/0x2", &values);
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

/* Two sites of two kinds, with two stacks each and one without frames. */
static struct kma_account *account_with_stacks(void)
{
	static const char *const texts[] = { "help+0x1/0x2;a+0x1/0x2", "help+0x1/0x2;b+0x1/0x2",
					     "-" };
	struct kma_values sum = { .current = 111 };
	struct kma_account *account;
	struct kma_stacks *stacks;

	account = kma_account_create("made");
	stacks = kma_stacks_create();
	kma_account_set_metrics(account, 1U << KMA_CURRENT);
	for (unsigned int site = 0; site < 2; site++) {
		if (kma_account_add_site(account, "help+0x1/0x2", 12, &sum))
			abort();
		kma_account_set_place(account, KMA_KIND_KMALLOC + site, NULL);
		for (unsigned int i = 0; i < 3; i++) {
			struct kma_values values = { .current = i == 0 ? 1 : i == 1 ? 10 : 100 };

			kma_stacks_add(stacks, site, texts[i], &values);
		}
	}
	kma_account_set_stacks(account, stacks);
	if (kma_account_finish(account))
		abort();
	return account;
}

TEST(stacks_of_kinds)
{
	struct kma_account *all = account_with_stacks(), *part, *owners;
	struct kma_restack how = { .skip = "help" };
	const struct kma_callstack *list;
	const struct kma_site *sites;
	size_t nr;

	REQUIRE(!kma_account_filter(all, 1U << KMA_KIND_CACHE, &part));
	kma_account_destroy(all);
	list = kma_stacks_all(kma_account_stacks(part), &nr);
	EXPECT_EQ(nr, 3);
	for (size_t i = 0; i < nr; i++)
		EXPECT_EQ(list[i].site, 0);
	REQUIRE(!kma_restack(part, &how, &owners));
	kma_account_destroy(part);
	sites = kma_account_sites(owners, &nr);
	EXPECT_EQ(nr, 3);
	EXPECT_STR(sites[0].symbol, "a");
	EXPECT_EQ(sites[0].values.current, 1);
	EXPECT_STR(sites[1].symbol, "b");
	EXPECT_STR(sites[2].symbol, "help");
	EXPECT_EQ(sites[2].values.current, 100);
	EXPECT_EQ(sites[0].kind, KMA_KIND_CACHE);
	EXPECT_STR(kma_account_note(owners, KMA_NOTE_SKIPPED), "help");
	kma_account_destroy(owners);
}

TEST(helpers_by_name)
{
	static const struct {
		const char *list, *function;
		bool has;
	} cases[] = {
		{ "a,b", "b", true },	       { "a,b", "ab", false },
		{ "a*", "abc", true },	       { "a*", "b", false },
		{ "a", "a.isra.0", true },     { "default", "alloc_inode", true },
		{ "x,default", "x", true },    { "default", "ext4_alloc_inode", false },
		{ "alloc", "default", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		EXPECT_EQ(kma_helpers_has(cases[i].list, cases[i].function), cases[i].has);
	EXPECT(!kma_helpers_has(NULL, "a"));
	EXPECT(kma_helpers_valid("a,b*,default"));
	EXPECT(!kma_helpers_valid(""));
	EXPECT(!kma_helpers_valid("a,"));
	EXPECT(!kma_helpers_valid("*"));
	EXPECT(!kma_helpers_valid("a;b"));
}

TEST_MAIN()
