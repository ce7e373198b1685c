// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-series.c - host/model/numbers and host/model/leak-series: call sites of accounts of several
 * times, with texts of their own and with those of another account; series out of order, of two boots,
 * and of sites that come and go. host/store/code: columns that are not decoded. host/store/columns:
 * their names. All numbers are made here.
 */
#include <stdlib.h>

#include "store/code.h"
#include "store/columns.h"
#include "lib/cleanup.h"
#include "model/intern.h"
#include "model/leak-series.h"
#include "model/moment.h"
#include "model/numbers.h"

#include "ktap.h"

/* An account with the sites of @names, separated by blanks; site N has N + @more live bytes. */
static struct kma_account *account(const char *names, uint64_t more)
{
	struct kma_account *ret;
	size_t nr = 0;

	ret = kma_account_create("made");
	kma_account_set_metrics(ret, 1U << KMA_CURRENT | 1U << KMA_ALLOCS | 1U << KMA_FREES);
	while (*names) {
		size_t len = strcspn(names, " ");
		struct kma_values values = { .current = nr++ + more, .allocs = more };

		if (kma_account_add_site(ret, names, len, &values))
			abort();
		names += len + strspn(names + len, " ");
	}
	return ret;
}

/* The same with the texts of @from: those of its sites whose bit is in @which. */
static struct kma_account *borrow(const struct kma_account *from, unsigned int which)
{
	struct kma_account *ret = account("", 0);
	static const struct kma_values one = { .current = 1 };

	for (size_t i = 0; which >> i; i++)
		if (which >> i & 1 && kma_account_add_known(ret, from, i, &one))
			abort();
	return ret;
}

static bool numbered(struct kma_numbers *numbers, const struct kma_account *of, const char *want)
{
	const uint32_t *got;
	char text[64] = "";
	size_t nr;

	if (kma_numbers_of(numbers, of, &got))
		return false;
	kma_account_sites(of, &nr);
	for (size_t i = 0; i < nr; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%u", got[i]);
	return !strcmp(text, want);
}

TEST(numbers_by_text_and_by_address)
{
	struct kma_account *list[7];
	struct kma_numbers *numbers;

	numbers = kma_numbers_create("advice");
	list[0] = account("a b c a d", 0);
	EXPECT(numbered(numbers, list[0], "01203"));
	list[1] = account("d c new", 0);
	EXPECT(numbered(numbers, list[1], "324"));
	list[2] = borrow(list[0], 0x1f);
	EXPECT(numbered(numbers, list[2], "01203"));
	list[3] = borrow(list[0], 0x16); /* the first is gone, and one in the middle */
	EXPECT(numbered(numbers, list[3], "123"));
	list[4] = borrow(list[0], 0x1f); /* they are back */
	EXPECT(numbered(numbers, list[4], "01203"));
	/* one text, two groups */
	list[5] = account("", 0);
	for (int i = 0; i < 3; i++)
		REQUIRE(!kma_account_add_part(list[5], list[0], 1, &(struct kma_values){ 0 },
					      KMA_GROUPED_CGROUP, i % 2 ? "/x" : "/y"));
	EXPECT(numbered(numbers, list[5], "565"));
	EXPECT_EQ(kma_numbers_count(numbers), 7);
	list[6] = account("a", 0);
	EXPECT_EQ(kma_numbers_get(numbers, kma_account_sites(list[6], &(size_t){ 0 })), 0);
	for (int i = 0; i < 7; i++)
		kma_account_destroy(list[i]);
	kma_numbers_destroy(numbers);
}

/* Call sites that keep a number, and such as get one again. */
TEST(numbers_are_taken_away)
{
	static const bool keep[] = { false, true, false, true };
	struct kma_account *four = account("a b c d", 0), *five = account("a d e b c", 0);
	struct kma_numbers *numbers;

	numbers = kma_numbers_create("advice");
	EXPECT(numbered(numbers, four, "0123"));
	kma_numbers_keep(numbers, keep);
	EXPECT_EQ(kma_numbers_count(numbers), 2);
	EXPECT(!kma_numbers_is_full(numbers));
	EXPECT(numbered(numbers, four, "2031"));
	EXPECT(numbered(numbers, five, "21403"));
	kma_account_destroy(four);
	kma_account_destroy(five);
	kma_numbers_destroy(numbers);
}

/* The longest caller and the longest group are a call site; one byte more is an error that says so. */
TEST(long_names)
{
	static char longest[KMA_INTERN_MAX_TEXT + 1], group[KMA_INTERN_MAX_TEXT + 2];
	struct kma_numbers *numbers;
	struct kma_account *of;
	const uint32_t *got;
	struct kma_err *err;

	memset(longest, 'c', sizeof(longest) - 1);
	memset(group, 'g', sizeof(group) - 2);
	numbers = kma_numbers_create("advice");
	of = account(longest, 0);
	kma_account_set_group(of, KMA_GROUPED_CGROUP, group);
	EXPECT(numbered(numbers, of, "0"));
	group[sizeof(group) - 2] = 'g';
	kma_account_set_group(of, KMA_GROUPED_CGROUP, group);
	err = kma_numbers_of(numbers, of, &got);
	EXPECT(err && strstr(err->message, "more than 1024 bytes"));
	kma_err_destroy(err);
	kma_account_destroy(of);
	kma_numbers_destroy(numbers);
}

static void add(struct kma_leak_series *series, const char *boot, uint64_t up, uint64_t allocs)
{
	const struct kma_moment moment = { .boot = boot,
					   .up = up * 1000000000,
					   .time = (up + 1000) * 1000000000 };
	struct kma_account *of = account("a b", allocs);

	kma_moment_keep(of, &moment);
	if (kma_leak_series_add(series, of, -1, ""))
		abort();
}

/* Of each account but the newest of its series the sites are dropped; the samples are those of all. */
static void check_series(const uint64_t (*inputs)[3], size_t nr, const char *want_note)
{
	struct kma_leak_sample samples[8];
	struct kma_leak_series *series;
	const struct kma_site *const *sites;
	struct kma_notes notes = { 0 };
	size_t nr_sites, nr_samples;
	const char *note = NULL;
	bool said = !*want_note;

	series = kma_leak_series_create();
	for (size_t i = 0; i < nr; i++)
		add(series, inputs[i][0] ? "second" : "first", inputs[i][1], inputs[i][2]);
	kma_leak_series_finish(series, &notes);
	while ((note = kma_notes_next(&notes, note)))
		said |= strstr(note, want_note) != NULL;
	EXPECT(said);
	EXPECT_EQ(kma_leak_series_nr(series), 4);
	sites = kma_leak_series_sites(series, &nr_sites);
	REQUIRE(nr_sites == 2);
	EXPECT(!strcmp(sites[1]->caller, "b"));
	EXPECT(kma_leak_series_samples(series, sites[1], samples, &nr_samples));
	REQUIRE(nr_samples == 4);
	for (int i = 0; i < 4; i++) {
		EXPECT_EQ(samples[i].live, 10 * (i + 1) + 1);
		EXPECT_EQ(samples[i].allocs, 10 * (i + 1));
		EXPECT_EQ(samples[i].time, 1001 + i);
	}
	kma_notes_deinit(&notes);
	kma_leak_series_destroy(series);
}

TEST(series)
{
	static const uint64_t inputs[][3] = {
		{ 0, 1, 10 }, { 0, 2, 20 }, { 0, 3, 30 }, { 0, 4, 40 }
	};

	check_series(inputs, 4, "");
}

TEST(series_out_of_order)
{
	static const uint64_t inputs[][3] = {
		{ 0, 4, 40 }, { 0, 1, 10 }, { 0, 3, 30 }, { 0, 2, 20 }
	};

	check_series(inputs, 4, "not in the order of time");
}

/* The longest series is the one of the first boot, whose accounts come between the others. */
TEST(series_of_two_boots)
{
	static const uint64_t inputs[][3] = { { 1, 900, 7 }, { 0, 1, 10 }, { 1, 901, 8 },
					      { 0, 2, 20 },  { 0, 3, 30 }, { 0, 4, 40 },
					      { 1, 902, 9 } };

	check_series(inputs, 7, "using the longest series (4 of 7 inputs)");
}

/*
 * Add an account of minute @up that has the site "stays", @nr sites of its own whose names
 * have @len bytes, and, if @also, the site "returns". Sites that are not its own hold @up bytes.
 */
static void add_churn(struct kma_leak_series *series, uint64_t up, size_t nr, int len, bool also)
{
	const struct kma_moment moment = { .boot = "first",
					   .up = up * 60000000000,
					   .time = (up + 1000) * 60000000000 };
	const struct kma_values values = { .current = up, .allocs = 1000 * up };
	struct kma_account *of = account("", 0);
	static char name[KMA_INTERN_MAX_TEXT + 1];

	kma_moment_keep(of, &moment);
	if (kma_account_add_site(of, "stays", 5, &values) ||
	    (also && kma_account_add_site(of, "returns", 7, &values)))
		abort();
	for (size_t i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%0*zu", len, up * nr + i);
		if (kma_account_add_site(of, name, len, &values))
			abort();
	}
	if (kma_leak_series_add(series, of, -1, ""))
		abort();
}

/*
 * How many samples the site has. Each is of its minute, and the last ones of all are there; a minute
 * without the site has no bytes.
 */
static size_t churn_samples(struct kma_leak_series *series, const char *caller, uint64_t last,
			    uint64_t away, uint64_t back)
{
	struct kma_leak_sample samples[16];
	const struct kma_site *const *sites;
	size_t nr, nr_samples = 0;

	sites = kma_leak_series_sites(series, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(sites[i]->caller, caller))
			continue;
		kma_leak_series_samples(series, sites[i], samples, &nr_samples);
		for (size_t n = 0; n < nr_samples; n++) {
			uint64_t up = last + 1 - nr_samples + n;

			EXPECT_EQ(samples[n].time, (1000 + up) * 60);
			EXPECT_EQ(samples[n].live, up >= away && up < back ? 0 : up);
		}
	}
	return nr_samples;
}

/*
 * Sites that come and go by thousands: the rows of one that stays are all there. One that was away
 * when its number was taken away has no samples of before, and none that are made up.
 */
TEST(series_with_churn)
{
	struct kma_notes notes = { 0 };
	struct kma_leak_series *series;
	size_t returns;

	series = kma_leak_series_create();
	for (uint64_t up = 1; up <= 12; up++)
		add_churn(series, up, 5000, 8, up < 3 || up >= 9);
	kma_leak_series_finish(series, &notes);
	EXPECT_EQ(churn_samples(series, "stays", 12, 0, 0), 12);
	returns = churn_samples(series, "returns", 12, 3, 9);
	EXPECT(returns >= 4 && returns <= 10);
	kma_notes_deinit(&notes);
	kma_leak_series_destroy(series);
}

/* The texts of three accounts are more than the table of texts takes; those of one are not. */
TEST(series_with_long_names)
{
	struct kma_notes notes = { 0 };
	struct kma_leak_series *series;

	series = kma_leak_series_create();
	for (uint64_t up = 1; up <= 4; up++)
		add_churn(series, up, 52000, 1000, true);
	kma_leak_series_finish(series, &notes);
	EXPECT_EQ(churn_samples(series, "stays", 4, 0, 0), 4);
	EXPECT_EQ(churn_samples(series, "returns", 4, 0, 0), 4);
	kma_notes_deinit(&notes);
	kma_leak_series_destroy(series);
}

#define COLUMNS 6
#define SITES	300

static uint64_t state = 22;

static uint64_t number(void)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return state >> 33;
}

/* Numbers of any length; most do not change from one sample to the next. */
static void change(uint64_t *values)
{
	for (size_t i = 0; i < SITES * COLUMNS; i++)
		if (number() % 4 == 0)
			values[i] += number() >> number() % 31 << number() % 34;
	for (size_t i = 0; i < SITES; i++)
		values[i * COLUMNS + 4] = values[i * COLUMNS] - values[i * COLUMNS + 2];
}

/* What is skipped stays 0; the others are as they were written. */
TEST(columns_that_are_skipped)
{
	static const struct kma_code_rule follows = { .column = 4, .plus = 0, .minus = 2 };
	static uint64_t values[SITES * COLUMNS];

	for (uint64_t skip = 0; skip < 1 << COLUMNS; skip++) {
		_cleanup_strbuf_ struct kma_strbuf bytes = { 0 };
		struct kma_code from = { .nr_columns = COLUMNS, .rules = { follows } };
		struct kma_code to = from;
		size_t wrong = 0, begin = 0;

		/* a column that is read needs those that it follows from */
		if (!(skip >> 4 & 1) && skip & (1 | 1 << 2))
			continue;
		to.skip = skip;
		memset(values, 0, sizeof(values));
		for (int sample = 0; sample < 3; sample++) {
			change(values);
			kma_code_put(&from, values, SITES, &bytes);
			REQUIRE(!kma_code_get(&to, bytes.str + begin, bytes.len - begin, SITES));
			begin = bytes.len;
			for (size_t i = 0; i < SITES * COLUMNS; i++)
				wrong += to.values[i] != (skip >> i % COLUMNS & 1 ? 0 : values[i]);
		}
		EXPECT_EQ(wrong, 0);
		kma_code_deinit(&from);
		kma_code_deinit(&to);
	}
}

/* Names that a damaged file may have: of no column, of sums, and too many of them. */
TEST(columns_by_name)
{
	struct kma_columns columns;

	REQUIRE(kma_columns_parse("requested frees age_birth ", &columns));
	EXPECT_EQ(columns.nr, 3);
	EXPECT_EQ(columns.metrics, 1U << KMA_REQUESTED | 1U << KMA_FREES);
	EXPECT(columns.ages);
	REQUIRE(kma_columns_parse("unheard requested unseen frees ", &columns));
	EXPECT_EQ(columns.nr, 2);
	EXPECT_EQ(columns.nr_unknown, 2);
	EXPECT_EQ(columns.at[1], 3);
	EXPECT(!kma_columns_parse("unheard", &columns));
	EXPECT(!kma_columns_parse("", &columns));
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		EXPECT_EQ(kma_columns_parse(kma_metrics[id].name, &columns),
			  kma_metrics[id].set != NULL);
}

TEST_MAIN()
