// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-diff.c - host/model/diff: against a slow and simple model, and the
 * question of one build or two.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/cleanup.h"
#include "model/diff.h"

#include "ktap.h"

static unsigned int seed = 3;

static struct kma_account *empty(const char *build_id, const char *release)
{
	struct kma_account *account;

	account = kma_account_create("made");
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_ALLOCS);
	if (build_id)
		kma_account_put_note(account, KMA_NOTE_BUILD_ID, build_id);
	if (release)
		kma_account_put_note(account, KMA_NOTE_RELEASE, release);
	return account;
}

static void add(struct kma_account *account, const char *caller, enum kma_kind kind,
		uint64_t current)
{
	struct kma_values values = { .current = current, .allocs = 1 };

	if (kma_account_add_site(account, caller, strlen(caller), &values))
		abort();
	kma_account_set_place(account, kind, NULL);
}

static struct kma_diff *compare_by(enum kma_metric_id metric, const struct kma_account *a,
				   const struct kma_account *b, enum kma_diff_match match,
				   uint64_t floor, size_t top)
{
	struct kma_diff *diff = kma_diff_create(metric);

	kma_diff_add_accounts(diff, a, b, match);
	kma_diff_finish(diff, floor, top);
	return diff;
}

static struct kma_diff *compare(const struct kma_account *a, const struct kma_account *b,
				enum kma_diff_match match, uint64_t floor, size_t top)
{
	return compare_by(KMA_CURRENT, a, b, match, floor, top);
}

static const struct kma_diff_row *find(const struct kma_diff *diff, const char *key,
				       enum kma_kind kind)
{
	const struct kma_diff_row *rows;
	size_t nr;

	rows = kma_diff_rows(diff, &nr);
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(rows[i].key, key) && rows[i].kind == kind)
			return &rows[i];
	return NULL;
}

static uint64_t change_of(const struct kma_diff_row *row)
{
	return llabs((long long)(row->number[KMA_DIFF_AFTER] - row->number[KMA_DIFF_BEFORE]));
}

/* What the site has in the account, by a look at each; *nr counts them. */
static uint64_t sum_of(const struct kma_account *account, const char *caller, enum kma_kind kind,
		       unsigned int *nr)
{
	const struct kma_site *sites;
	uint64_t sum = 0;
	size_t n;

	*nr = 0;
	sites = kma_account_sites(account, &n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(sites[i].caller, caller) && sites[i].kind == kind) {
			sum += sites[i].values.current;
			(*nr)++;
		}
	return sum;
}

static struct kma_account *random_account(void)
{
	struct kma_account *account = empty(NULL, NULL);
	unsigned int nr = rand_r(&seed) % 60;
	char caller[64];

	for (unsigned int i = 0; i < nr; i++) {
		snprintf(caller, sizeof(caller),
			 rand_r(&seed) % 9 ? "f%u+0x%x/0x40" : "[row %u %x]", rand_r(&seed) % 20,
			 1 + rand_r(&seed) % 3);
		add(account, caller, 1 + rand_r(&seed) % 2, rand_r(&seed) % 3 * 64);
	}
	if (kma_account_finish(account))
		abort();
	return account;
}

/* Each site of either side has its row, with its numbers and state, and no other is there. */
TEST(every_site_has_its_row)
{
	for (unsigned int round = 0; round < 300; round++) {
		struct kma_account *sides[] = { random_account(), random_account() };
		struct kma_diff *diff = compare(sides[0], sides[1], KMA_DIFF_BY_SITE, 0, 0);
		struct kma_diff *counts =
			compare_by(KMA_ALLOCS, sides[0], sides[1], KMA_DIFF_BY_SITE, 0, 0);
		bool kinds = kma_diff_has_kinds(diff);
		uint64_t last = UINT64_MAX;
		const struct kma_diff_row *rows;
		size_t nr, nr_sites;

		rows = kma_diff_rows(diff, &nr);
		for (unsigned int side = 0; side < 2 && kinds; side++) {
			const struct kma_site *sites = kma_account_sites(sides[side], &nr_sites);

			for (size_t i = 0; i < nr_sites; i++)
				EXPECT(find(diff, sites[i].caller, sites[i].kind));
		}
		for (size_t i = 0; i < nr; i++) {
			unsigned int nr_a, nr_b;
			uint64_t a = sum_of(sides[0], rows[i].key, rows[i].kind, &nr_a);
			uint64_t b = sum_of(sides[1], rows[i].key, rows[i].kind, &nr_b);

			EXPECT(change_of(&rows[i]) <= last);
			last = change_of(&rows[i]);
			if (!kinds)
				continue;
			EXPECT_EQ(rows[i].number[0], a);
			EXPECT_EQ(rows[i].number[1], b);
			EXPECT_EQ(find(counts, rows[i].key, rows[i].kind)->number[0], nr_a);
			EXPECT_EQ(rows[i].state, !nr_a	? KMA_DIFF_NEW :
						 !nr_b	? KMA_DIFF_GONE :
						 a == b ? KMA_DIFF_SAME :
							  KMA_DIFF_CHANGED);
		}
		kma_diff_destroy(diff);
		kma_diff_destroy(counts);
		kma_account_destroy(sides[0]);
		kma_account_destroy(sides[1]);
	}
}

/* Whatever is gathered, the rows add up to both accounts. */
TEST(rows_add_up)
{
	for (unsigned int round = 0; round < 300; round++) {
		struct kma_account *sides[] = { random_account(), random_account() };
		uint64_t floor = rand_r(&seed) % 5 * 32;
		size_t top = rand_r(&seed) % 5, nr, rest = 0, all;
		struct kma_diff *whole = compare(sides[0], sides[1], KMA_DIFF_BY_SITE, 0, 0);
		struct kma_diff *diff = compare(sides[0], sides[1], KMA_DIFF_BY_SITE, floor, top);
		uint64_t sums[2] = { 0 };
		const struct kma_diff_row *rows;

		kma_diff_rows(whole, &all);
		rows = kma_diff_rows(diff, &nr);
		for (size_t i = 0; i < nr; i++) {
			for (unsigned int side = 0; side < 2; side++)
				sums[side] += rows[i].number[side];
			rest += rows[i].nr;
			if (rows[i].nr == 1 && *rows[i].key == 'f')
				EXPECT(change_of(&rows[i]) >= floor);
		}
		EXPECT_EQ(rest, all);
		EXPECT(!top || nr <= top + 2);
		for (unsigned int side = 0; side < 2; side++) {
			EXPECT_EQ(sums[side], kma_account_total(sides[side])->current);
			EXPECT_EQ(sums[side], kma_diff_total(diff)->number[side]);
		}
		kma_diff_destroy(whole);
		kma_diff_destroy(diff);
		kma_account_destroy(sides[0]);
		kma_account_destroy(sides[1]);
	}
}

TEST(gathered_rows_have_names)
{
	struct kma_account *a = empty(NULL, NULL), *b = empty(NULL, NULL);
	struct kma_diff *diff;
	char caller[32];

	for (unsigned int i = 0; i < 10; i++) {
		snprintf(caller, sizeof(caller), "f%u+0x1/0x2", i);
		add(a, caller, 0, 100);
		add(b, caller, 0, 100 + i);
	}
	diff = compare(a, b, KMA_DIFF_BY_SITE, 1, 0);
	REQUIRE(find(diff, "[unchanged]", 0));
	EXPECT_EQ(find(diff, "[unchanged]", 0)->nr, 1);
	EXPECT_EQ(find(diff, "[unchanged]", 0)->state, KMA_DIFF_SAME);
	kma_diff_destroy(diff);
	diff = compare(a, b, KMA_DIFF_BY_SITE, 5, 2);
	REQUIRE(find(diff, "[below the floor]", 0) && find(diff, "other (3 rows)", 0));
	EXPECT_EQ(find(diff, "[below the floor]", 0)->nr, 5);
	EXPECT_EQ(change_of(find(diff, "[below the floor]", 0)), 0 + 1 + 2 + 3 + 4);
	EXPECT_EQ(change_of(find(diff, "other (3 rows)", 0)), 5 + 6 + 7);
	EXPECT(find(diff, "f9+0x1/0x2", 0) && find(diff, "f8+0x1/0x2", 0));
	kma_diff_destroy(diff);
	kma_account_destroy(a);
	kma_account_destroy(b);
}

TEST(by_function_across_builds)
{
	struct kma_account *a = empty("aa", NULL), *b = empty("bb", NULL);
	struct kma_diff *diff;

	add(a, "foo+0x10/0x80", 0, 100);
	add(a, "foo+0x40/0x80", 0, 10);
	add(a, "foo+0x40/0x80 [mod]", 0, 7);
	add(a, "bar.part.0+0x1/0x9", 0, 5);
	add(a, "[row]", 0, 1);
	add(a, "0xffffffff81000000", 0, 2);
	add(b, "foo+0x18/0x90", 0, 120);
	add(b, "foo.isra.0+0x4c/0x90", 0, 20);
	add(b, "foo+0x44/0x90 [mod]", 0, 8);
	add(b, "bar+0x2/0x9", 0, 6);
	add(b, "[row]", 0, 1);
	add(b, "0xffffffff81000000", 0, 3);
	EXPECT_EQ(kma_diff_choose(a, b), KMA_DIFF_BY_FUNCTION);
	diff = compare(a, b, KMA_DIFF_BY_FUNCTION, 0, 0);
	REQUIRE(find(diff, "foo", 0) && find(diff, "foo [mod]", 0) && find(diff, "bar", 0) &&
		find(diff, "[row]", 0) && find(diff, "0xffffffff81000000", 0));
	EXPECT_EQ(find(diff, "foo", 0)->number[0], 110);
	EXPECT_EQ(find(diff, "foo", 0)->number[1], 140);
	EXPECT_EQ(find(diff, "foo [mod]", 0)->number[1], 8);
	EXPECT_EQ(find(diff, "bar", 0)->state, KMA_DIFF_CHANGED);
	EXPECT_EQ(kma_diff_total(diff)->nr, 5);
	kma_diff_destroy(diff);
	kma_account_destroy(a);
	kma_account_destroy(b);
}

TEST(kinds_only_if_both_tell)
{
	struct kma_account *a = empty(NULL, NULL), *b = empty(NULL, NULL);
	struct kma_diff *diff;

	add(a, "foo+0x1/0x2", KMA_KIND_KMALLOC, 1);
	add(a, "foo+0x1/0x2", KMA_KIND_CACHE, 2);
	add(b, "foo+0x1/0x2", KMA_KIND_UNKNOWN, 4);
	diff = compare(a, b, KMA_DIFF_BY_SITE, 0, 0);
	EXPECT(!kma_diff_has_kinds(diff));
	REQUIRE(find(diff, "foo+0x1/0x2", 0));
	EXPECT_EQ(find(diff, "foo+0x1/0x2", 0)->number[0], 3);
	kma_diff_destroy(diff);
	add(b, "foo+0x1/0x2", KMA_KIND_CACHE, 8);
	diff = compare(a, b, KMA_DIFF_BY_SITE, 0, 0);
	EXPECT(kma_diff_has_kinds(diff));
	REQUIRE(find(diff, "foo+0x1/0x2", KMA_KIND_CACHE));
	EXPECT_EQ(find(diff, "foo+0x1/0x2", KMA_KIND_CACHE)->number[1], 8);
	EXPECT_EQ(find(diff, "foo+0x1/0x2", KMA_KIND_KMALLOC)->state, KMA_DIFF_GONE);
	kma_diff_destroy(diff);
	kma_account_destroy(a);
	kma_account_destroy(b);
}

TEST(one_build_or_two)
{
	static const struct {
		const char *ids[2], *releases[2], *callers[2];
		enum kma_diff_match match;
	} cases[] = {
		{ { "a", "a" }, { "6.1", "6.1" }, { "f+0x1/0x8", "f+0x1/0x9" }, KMA_DIFF_BY_SITE },
		{ { "a", "b" },
		  { "6.1", "6.1" },
		  { "f+0x1/0x8", "f+0x1/0x8" },
		  KMA_DIFF_BY_FUNCTION },
		{ { "a", NULL },
		  { "6.1", "6.2" },
		  { "f+0x1/0x8", "f+0x1/0x8" },
		  KMA_DIFF_BY_FUNCTION },
		{ { NULL, NULL }, { "6.1", "6.1" }, { "f+0x1/0x8", "f+0x1/0x8" }, KMA_DIFF_BY_SITE },
		{ { NULL, NULL },
		  { "6.1", "6.1" },
		  { "f+0x1/0x8", "f+0x1/0x9" },
		  KMA_DIFF_BY_FUNCTION },
		{ { NULL, NULL }, { NULL, "6.1" }, { "f+0x1/0x8", "g+0x1/0x9" }, KMA_DIFF_BY_SITE },
		{ { NULL, NULL },
		  { NULL, NULL },
		  { "f+0x1/0x8 [m]", "f+0x1/0x9" },
		  KMA_DIFF_BY_SITE },
		{ { NULL, NULL }, { NULL, NULL }, { "f+0x1", "f+0x1/0x9" }, KMA_DIFF_BY_SITE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kma_account *sides[2];

		for (unsigned int side = 0; side < 2; side++) {
			sides[side] = empty(cases[i].ids[side], cases[i].releases[side]);
			/* Namesakes of another size are no other build. */
			add(sides[side], "twin+0x1/0x30", 0, 1);
			add(sides[side], "alone+0x1/0x5", 0, 1);
			add(sides[side], cases[i].callers[side], 0, 1);
		}
		add(sides[1], "twin+0x1/0x50", 0, 1);
		EXPECT_EQ(kma_diff_choose(sides[0], sides[1]), cases[i].match);
		kma_account_destroy(sides[0]);
		kma_account_destroy(sides[1]);
	}
}

TEST(nothing_at_all)
{
	struct kma_account *a = empty(NULL, NULL), *b = empty(NULL, NULL);
	struct kma_diff *diff = compare(a, b, KMA_DIFF_BY_SITE, 1, 3);
	size_t nr;

	kma_diff_rows(diff, &nr);
	EXPECT_EQ(nr, 0);
	EXPECT_EQ(kma_diff_total(diff)->state, KMA_DIFF_SAME);
	kma_diff_destroy(diff);
	kma_account_destroy(a);
	kma_account_destroy(b);
}

TEST_MAIN()
