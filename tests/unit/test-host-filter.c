// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-filter.c - host/model/filter: the sites of a kind are all there, no
 * other is, and what is left out is said.
 */
#include <stdlib.h>

#include "lib/cleanup.h"
#include "model/filter.h"

#include "ktap.h"

#define ALL_KINDS ((1U << KMA_NR_KINDS) - 1)
#define SITES	  1000

static unsigned int seed = 1;

/* Kind and numbers of a made site; named rows have no kind. */
static enum kma_kind kind_of(unsigned int i)
{
	return i % 10 ? 1 + i * 7 % (KMA_NR_KINDS - 1) : KMA_KIND_UNKNOWN;
}

static struct kma_account *make(unsigned int sites, bool kinds)
{
	struct kma_account *account;
	char caller[32];

	account = kma_account_create("made");
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_PEAK);
	kma_account_set_loss(account, KMA_LOSS_IMPLIED_FREES, 17);
	kma_account_put_note(account, "kernel release", "6.1.0-test");
	kma_account_put_note(account, "other", "line");
	for (unsigned int i = 0; i < sites; i++) {
		struct kma_values values = { .current = rand_r(&seed), .peak = rand_r(&seed) };

		snprintf(caller, sizeof(caller), "f%u+0x1/0x2 [mod]", i);
		if (kma_account_add_site(account, caller, strlen(caller), &values))
			abort();
		kma_account_set_place(account, kinds ? kind_of(i) : KMA_KIND_UNKNOWN,
				      i % 3 ? "fs/file.c" : NULL);
	}
	kma_account_warn(account, "of the input");
	if (kma_account_finish(account))
		abort();
	return account;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

TEST(kinds_are_kept)
{
	struct kma_account *all = make(SITES, true), *part;
	const struct kma_site *sites, *kept;
	size_t nr, nr_kept;

	sites = kma_account_sites(all, &nr);
	for (unsigned int kinds = 0; kinds <= ALL_KINDS; kinds++) {
		struct kma_values sum = { 0 };
		size_t next = 0;

		REQUIRE(!kma_account_filter(all, kinds, &part));
		kept = kma_account_sites(part, &nr_kept);
		for (unsigned int i = 0; i < nr; i++) {
			if (!(kinds & 1U << kind_of(i)))
				continue;
			REQUIRE(next < nr_kept);
			EXPECT_STR(kept[next].caller, sites[i].caller);
			EXPECT_STR(kept[next].module, "mod");
			EXPECT_EQ(kept[next].kind, kind_of(i));
			EXPECT(same_text(kept[next].path, sites[i].path));
			EXPECT(!memcmp(&kept[next].values, &sites[i].values, sizeof(sum)));
			kma_values_add(&sum, &sites[i].values);
			next++;
		}
		EXPECT_EQ(next, nr_kept);
		EXPECT(!memcmp(&sum, kma_account_total(part), sizeof(sum)));
		kma_account_destroy(part);
	}
	kma_account_destroy(all);
}

TEST(head_is_kept)
{
	struct kma_account *all = make(SITES, true), *part;
	const char *value;
	uint64_t events;

	REQUIRE(!kma_account_filter(all, 1U << KMA_KIND_CACHE, &part));
	EXPECT_STR(kma_account_name(part), "made");
	EXPECT_EQ(kma_account_metrics(part), 1U << KMA_CURRENT | 1U << KMA_PEAK);
	EXPECT(kma_account_loss(part, KMA_LOSS_IMPLIED_FREES, &events));
	EXPECT_EQ(events, 17);
	EXPECT(!kma_account_loss(part, KMA_LOSS_UNKNOWN_FREES, &events));
	EXPECT_STR(kma_account_note_at(part, 0, &value), "kernel release");
	EXPECT_STR(value, "6.1.0-test");
	EXPECT_STR(kma_account_note_at(part, 1, &value), "other");
	EXPECT(!kma_account_note_at(part, 2, &value));
	kma_account_destroy(part);
	kma_account_destroy(all);
}

TEST(unknown_is_said)
{
	struct kma_account *all = make(SITES, true), *part;
	const struct kma_site *sites;
	uint64_t bytes = 0;
	char want[128];
	size_t nr;

	sites = kma_account_sites(all, &nr);
	for (unsigned int i = 0; i < SITES; i += 10)
		bytes += sites[i].values.current;
	snprintf(want, sizeof(want),
		 "%d call sites of unknown kind, with %llu live bytes, are left out", SITES / 10,
		 (unsigned long long)bytes);
	REQUIRE(!kma_account_filter(all, 1U << KMA_KIND_CACHE, &part));
	EXPECT_STR(kma_account_warning(part, 0), want);
	EXPECT(!kma_account_warning(part, 1));
	kma_account_destroy(part);
	REQUIRE(!kma_account_filter(all, ALL_KINDS, &part));
	EXPECT(!kma_account_warning(part, 0));
	kma_account_destroy(part);
	kma_account_destroy(all);
}

TEST(without_kinds_nothing_can_be_chosen)
{
	struct kma_account *all = make(SITES, false), *part = NULL;
	struct kma_err *err = kma_account_filter(all, 1U << KMA_KIND_CACHE, &part);

	REQUIRE(err);
	EXPECT_STR(err->file, "made");
	EXPECT(strstr(err->message, "cannot filter by kind"));
	EXPECT(!part);
	kma_err_destroy(err);
	kma_account_destroy(all);

	all = make(0, false);
	EXPECT(!kma_account_filter(all, 1U << KMA_KIND_CACHE, &part));
	kma_account_destroy(part);
	kma_account_destroy(all);
}

/* Nobody knows whether what is not there was recorded. */
TEST(a_kind_that_is_not_there)
{
	static const char *const callers[] = { "a", "b", "c" };
	static const enum kma_kind kinds[] = { KMA_KIND_KMALLOC, KMA_KIND_UNKNOWN, KMA_KIND_PAGE };
	struct kma_account *all, *part = NULL;
	struct kma_err *err;

	all = kma_account_create("made");
	for (unsigned int i = 0; i < ARRAY_SIZE(callers); i++) {
		REQUIRE(!kma_account_add_site(all, callers[i], 1, &(struct kma_values){ 0 }));
		kma_account_set_place(all, kinds[i], NULL);
	}
	REQUIRE(!kma_account_finish(all));
	err = kma_account_filter(all, 1U << KMA_KIND_PERCPU | 1U << KMA_KIND_CACHE, &part);
	REQUIRE(err && !part);
	EXPECT_STR(err->message,
		   "no call site of kind cache, percpu in this input (available: kmalloc, page)");
	kma_err_destroy(err);
	REQUIRE(!kma_account_filter(all, 1U << KMA_KIND_PERCPU | 1U << KMA_KIND_PAGE, &part));
	kma_account_destroy(part);
	kma_account_destroy(all);
}

TEST_MAIN()
