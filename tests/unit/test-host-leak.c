// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-leak.c - host/model/trend and host/model/leak: trends against published figures,
 * and one made series for each row of the table of verdicts. tests/host/leaks.sh has many.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/cleanup.h"
#include "model/leak-part.h"
#include "model/leak-reasons.h"
#include "model/leak.h"
#include "model/trend.h"

#include "ktap.h"

#define NR 96

static bool near(double a, double b, double by)
{
	return fabs(a - b) <= by;
}

/* Hollander and Wolfe, Nonparametric Statistical Methods, example 9.1: slope -0.056. */
TEST(cloud_seeding)
{
	static const double times[] = { 1, 2, 3, 4, 5 };
	static const double values[] = { 1.26, 1.27, 1.12, 1.16, 1.03 };
	struct kma_trend_slope slope;

	kma_trend_theil_sen(times, values, 5, &slope);
	EXPECT(near(slope.slope, -0.05625, 1e-12));
	EXPECT(slope.low < slope.slope && slope.slope < slope.high);
	/* Score -6, variance 5 * 4 * 15 / 18. */
	EXPECT(near(kma_trend_z(values, 5), -5 / sqrt(50.0 / 3), 1e-12));
}

/* S 45, variance 125; with ties the groups of 2, 3 and 2 take 18, 66 and 18 off. */
TEST(mann_kendall_by_hand)
{
	static const double up[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	static const double ties[] = { 1, 1, 2, 2, 2, 3, 3 };
	static const double flat[] = { 7, 7, 7, 7 };

	EXPECT(near(kma_trend_z(up, 10), 44 / sqrt(125), 1e-12));
	EXPECT(near(kma_trend_z(ties, 7), 15 / sqrt((7 * 6 * 19 - 18 - 66 - 18) / 18.0), 1e-12));
	EXPECT_EQ(kma_trend_z(flat, 4), 0);
	EXPECT_EQ(kma_trend_z(up, 2), 0);
}

TEST(slope_without_time)
{
	static const double times[] = { 3, 3, 3 }, values[] = { 1, 2, 3 };
	struct kma_trend_slope slope;

	kma_trend_theil_sen(times, values, 3, &slope);
	EXPECT_EQ(slope.slope, 0);
	kma_trend_theil_sen(times, values, 0, &slope);
}

/* Ten samples a unit of load, of which one in 100 objects of 1,000 bytes stays. */
static void fill(struct kma_leak_sample *samples, double (*live)(int i))
{
	double allocs = 0;

	for (int i = 0; i < NR; i++) {
		allocs += i / 7 % 2 ? 1000 : 2000;
		samples[i] = (struct kma_leak_sample){
			.time = 300.0 * i,
			.live = live ? live(i) : 1e6 + allocs * 10,
			.allocs = allocs,
		};
		samples[i].objects = samples[i].live / 1000;
	}
}

static struct kma_leak_result judge(struct kma_leak_site site)
{
	struct kma_leak_result result;

	kma_leak_judge(&site, &result);
	return result;
}

static double falling(int i)
{
	return 1e6 - 1000 * i;
}

static double swinging(int i)
{
	return 1e6 + 1e6 * (i % 6);
}

static double fading(int i)
{
	return 1e6 + 1e6 * (1 - exp(-i / 40.0));
}

static double still(int i)
{
	return 1e6 + i % 2;
}

TEST(each_row)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_site site = { .samples = s,
				      .nr = NR,
				      .has_allocs = true,
				      .reclaim = KMA_LEAK_RECLAIM_NONE,
				      .unloaded = -1,
				      .floor = 1 };
	struct kma_leak_result result;

	fill(s, NULL);
	result = judge(site);
	EXPECT_EQ(result.verdict, KMA_LEAK_LEAK);
	EXPECT(near(result.evidence.leaked, 0.01, 1e-9));
	site.reclaim = KMA_LEAK_RECLAIM_UNKNOWN;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_GROWING);
	site.reclaim = KMA_LEAK_RECLAIM_CACHE;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_FILLING);
	site.reclaim = KMA_LEAK_RECLAIM_PASSED;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_LEAK);
	site.floor = 1e9;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_PLATEAU);
	site.floor = 1;
	site.has_allocs = false;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_GROWING);
	site.has_allocs = true;
	site.nr = KMA_LEAK_MIN_SAMPLES - 1;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_TOO_EARLY);
	site.unloaded = 59;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_TOO_EARLY);
	site.unloaded = 60;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_LEAK);
	site.nr = 0;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_TOO_EARLY);
	site.nr = NR;
	site.unloaded = -1;
	fill(s, falling);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_FALLING);
	fill(s, swinging);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_CACHE);
	fill(s, fading);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_FILLING);
	fill(s, still);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_PLATEAU);
}

/*
 * One object of 128 bytes a second, sampled each minute, a second late in the middle of the series
 * and early at its ends: what is left of the line looks like a period of half the series.
 */
static double line(int i)
{
	return 1e5 + 128 * (60.0 * i + round(cos(i * 4 * M_PI / 30)));
}

/* The same with a swing that could be all of the rise. */
static double line_and_swing(int i)
{
	return 1e5 + 128 * (60.0 * i + 600 * cos(i * 4 * M_PI / 30));
}

TEST(ripple_is_no_period)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_site site = { .samples = s,
				      .nr = 30,
				      .has_allocs = true,
				      .reclaim = KMA_LEAK_RECLAIM_NONE,
				      .unloaded = -1,
				      .floor = 1 };

	for (int i = 0; i < NR; i++)
		s[i] = (struct kma_leak_sample){ .time = 60.0 * i,
						 .live = line(i),
						 .objects = line(i) / 128,
						 .allocs = 60.0 * i };
	EXPECT_EQ(judge(site).evidence.period, 0);
	EXPECT(judge(site).evidence.rises);
	for (int i = 0; i < NR; i++)
		s[i].live = line_and_swing(i);
	EXPECT(judge(site).evidence.period > 600);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_TOO_EARLY);
}

/* Runs of a workload between 24 samples, as cli/leaks-workload.c has them: the same backwards. */
static double runs_of(int i)
{
	static const int load[] = { 1, 3, 2 };

	return load[(i < 22 - i ? i : 22 - i) * 6 / 23];
}

/* 24 samples of a call site with 100,000 objects of 512 bytes: some stay of each run, others live for a run. */
static void run_workload(struct kma_leak_sample *samples, double stay, double pass)
{
	double runs = 0;

	for (int i = 0; i < 24; i++) {
		double now = i ? runs_of(i - 1) : 0;

		runs += now;
		samples[i] = (struct kma_leak_sample){
			.time = 72.0 * i,
			.objects = 100000 + stay * runs + pass * now,
			.allocs = 100000 + 40 * runs,
		};
		samples[i].live = samples[i].objects * 512;
	}
}

/* A load that swings, and rises by @rise; beside 100,000 objects live follows it, and some stay. */
static void swing(struct kma_leak_sample *samples, double rise, double stay)
{
	double allocs = 0;

	for (int i = 0; i < NR; i++) {
		double now = 1000 * (1 + rise * i / NR) * (1 + 0.2 * sin(i * 2 * M_PI / 11));

		allocs += now;
		samples[i] = (struct kma_leak_sample){ .time = 300.0 * i,
						       .objects = 100000 + now + stay * allocs,
						       .allocs = allocs };
		samples[i].live = samples[i].objects * 512;
	}
}

TEST(much_live_hides_no_leak)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_site site = { .samples = s,
				      .nr = 24,
				      .has_allocs = true,
				      .reclaim = KMA_LEAK_RECLAIM_NONE,
				      .unloaded = -1,
				      .floor = 1 };

	run_workload(s, 3, 0);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_LEAK);
	EXPECT(!judge(site).evidence.follows_load);
	run_workload(s, 3, 2);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_LEAK);
	run_workload(s, 0, 20);
	EXPECT(judge(site).verdict != KMA_LEAK_LEAK);
	site.nr = NR;
	swing(s, 0, 0.05);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_LEAK);
	swing(s, 0.5, 0);
	EXPECT(judge(site).evidence.rises && judge(site).evidence.follows_load);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_GROWING);
}

/* By hand: VALUE = 5 + 2 WITH - 3 BESIDE; a series that is the other one cannot be told apart. */
TEST(beside)
{
	static const double with[] = { 1, 2, 3, 4, 5, 6 }, beside[] = { 0, 1, 0, 0, 1, 1 };
	double values[6];
	struct kma_trend_slope slope;

	for (int i = 0; i < 6; i++)
		values[i] = 5 + 2 * with[i] - 3 * beside[i];
	slope = kma_trend_beside(values, with, beside, 6);
	EXPECT(near(slope.slope, 2, 1e-12) && near(slope.low, 2, 1e-9) &&
	       near(slope.high, 2, 1e-9));
	values[0] += 0.5;
	slope = kma_trend_beside(values, with, beside, 6);
	EXPECT(slope.low < slope.slope && slope.slope < slope.high && slope.slope < 2);
	slope = kma_trend_beside(values, with, with, 6);
	EXPECT(slope.slope == 0 && isinf(slope.low) && isinf(slope.high));
	EXPECT(isinf(kma_trend_beside(values, with, beside, 3).low));
}

#define COHORTS 8

/* A site that allocates and grows steadily, with cohorts that the caller fills in. */
static struct kma_leak_site steady(struct kma_leak_sample *s, struct kma_leak_cohort *cohorts)
{
	fill(s, NULL);
	return (struct kma_leak_site){ .samples = s,
				       .nr = NR,
				       .has_allocs = true,
				       .cohorts = cohorts,
				       .nr_cohorts = COHORTS,
				       .reclaim = KMA_LEAK_RECLAIM_NONE,
				       .unloaded = -1 };
}

TEST(cohorts_decide)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_cohort cohorts[COHORTS];
	struct kma_leak_site site = steady(s, cohorts);

	for (int i = 0; i < COHORTS; i++)
		cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 1000, 10, 10 };
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_LEAK);
	for (int i = 0; i < COHORTS; i++)
		cohorts[i].now = 5;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_FILLING);
	for (int i = 0; i < COHORTS; i++)
		cohorts[i].now = cohorts[i].before = 80 >> i;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_FILLING);
	/* a part of the old objects is gone, and most are not: neither a filling cache nor a plain leak */
	for (int i = 0; i < COHORTS; i++)
		cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 1000, 24, 20 };
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_GROWING);
}

static bool says(const struct kma_leak_result *result, const char *words)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	kma_leak_reasons(result, &text);
	return text.str && strstr(text.str, words);
}

/* 16 allocations and no free. An object that is counted in the cohort beside its own is no trend. */
TEST(few_events)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_cohort cohorts[COHORTS];
	struct kma_leak_site site = steady(s, cohorts);
	struct kma_leak_result result;

	for (int i = 0; i < COHORTS; i++)
		cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 2, 2, i < 2 ? 2 : 1 };
	for (int i = 0; i < COHORTS; i++)
		cohorts[i].before = cohorts[i].now;
	result = judge(site);
	EXPECT_EQ(result.verdict, KMA_LEAK_LEAK);
	EXPECT(says(&result, "objects of the first half are live"));
	EXPECT(!says(&result, "decreases"));
}

static bool share_is(const struct kma_leak_site *site, const char *words)
{
	struct kma_leak_result result = judge(*site);

	return says(&result, words);
}

/* A reason has the figures of its row. */
TEST(reasons_have_figures)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_cohort cohorts[COHORTS];
	struct kma_leak_site site = steady(s, cohorts);
	struct kma_leak_result result;

	for (int now = 0; now <= 40; now += 10) {
		char figure[80];

		for (int i = 0; i < COHORTS; i++)
			cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 1000, 40, now };
		result = judge(site);
		snprintf(figure, sizeof(figure),
			 "; %.0f of %.0f objects of the first half are live;",
			 result.evidence.survivors, result.evidence.old_births);
		EXPECT(result.evidence.old_births >= 3000);
		EXPECT_EQ(result.evidence.survivors * 1000, result.evidence.old_births * now);
		EXPECT(says(&result, figure));
	}
	/* the share has its two numbers, and says "ever" only of a site without a free */
	for (int i = 0; i < COHORTS; i++)
		cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 1000, 10, 10 };
	result = judge(site);
	EXPECT_EQ(result.verdict, KMA_LEAK_LEAK);
	EXPECT(near(result.evidence.grown / result.evidence.allocated, result.evidence.leaked,
		    1e-9));
	EXPECT(says(&result, "; 1 of 100 allocations is never freed ("));
	for (int i = 0; i < NR; i++)
		s[i].objects = s[i].allocs;
	EXPECT(share_is(&site, "; no allocation is ever freed ("));
	for (int i = 0; i < NR; i++)
		s[i].allocs += 25500;
	EXPECT(share_is(&site, "; no new allocation is freed ("));
	for (int i = 0; i < NR; i++)
		s[i].objects = s[i].allocs * 0.997;
	EXPECT(share_is(&site, "; 99.7 of 100 allocations are never freed ("));
	/* no object of the first half is known: no figure, instead of one of nothing */
	for (int i = 0; i < COHORTS; i++)
		cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 0, 0, 0 };
	result = judge(site);
	EXPECT(!says(&result, "first half"));
}

/* Of a few survivors, fewer of the younger births can be chance; of as many hundreds they are not. */
TEST(chance_is_no_filling)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_cohort cohorts[COHORTS];
	struct kma_leak_site site = steady(s, cohorts);
	struct kma_leak_result result;

	for (int scale = 1; scale <= 100; scale *= 100) {
		for (int i = 0; i < COHORTS; i++) {
			double left = scale * (i < 2 ? 14 : 8);

			cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 100.0 * scale,
							       left, left };
		}
		result = judge(site);
		EXPECT_EQ(result.verdict, scale == 1 ? KMA_LEAK_GROWING : KMA_LEAK_FILLING);
		EXPECT(says(&result, "; the share of allocations that stay decreases (to "));
		EXPECT_EQ(says(&result, " % of what it was), which can be chance;"), scale == 1);
	}
	/* if each birth stays, none is left to chance */
	for (int i = 0; i < COHORTS; i++)
		cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 20, 20, 20 };
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_LEAK);
}

/* Every other step of the minima goes down: no steady rise, and no all-clear. */
static double unsteady(int i)
{
	static const int steps[] = { 0, 12, 2, 25, 15, 22, 10, 40, 25, 50, 30, 60 };

	return 1e6 + 64e3 * steps[i / 8];
}

static double straight(int i)
{
	return 2e6 + i % 2;
}

TEST(no_clear_beside_growth)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_cohort cohorts[COHORTS];
	struct kma_leak_site site = steady(s, cohorts);
	struct kma_leak_result result;

	for (int i = 0; i < COHORTS; i++)
		cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 100, 9, 8 };
	fill(s, unsteady);
	result = judge(site);
	EXPECT_EQ(result.verdict, KMA_LEAK_GROWING);
	EXPECT(!result.evidence.rises && result.confidence < KMA_LEAK_SURE);
	EXPECT(says(&result, " blocks of samples rise, but not steadily (trend score z = "));
	EXPECT(says(&result, " objects of the first half are live"));
	/* below the floor there is nothing to clear */
	site.floor = 1e9;
	EXPECT(judge(site).verdict != KMA_LEAK_GROWING);
	site.floor = 0;
	fill(s, straight);
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_PLATEAU);
}

/* 16 allocations of which none was freed, beside a base: never filling, and no plateau. */
TEST(few_events_are_too_few)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_site site = { .samples = s,
				      .nr = NR,
				      .has_allocs = true,
				      .reclaim = KMA_LEAK_RECLAIM_CACHE,
				      .unloaded = -1,
				      .floor = 1 };
	struct kma_leak_result result;

	for (int reclaim = KMA_LEAK_RECLAIM_UNKNOWN; reclaim <= KMA_LEAK_RECLAIM_LATE; reclaim++)
		for (int nr = 1; nr <= 23; nr++) {
			for (int i = 0; i < NR; i++)
				s[i] = (struct kma_leak_sample){
					.time = 5.0 * i,
					.live = 512 * (100 + i * nr / (NR - 1)),
					.objects = 100 + i * nr / (NR - 1),
					.allocs = 100 + i * nr / (NR - 1)
				};
			site.reclaim = reclaim;
			result = judge(site);
			EXPECT(result.verdict == KMA_LEAK_TOO_EARLY ||
			       result.verdict == KMA_LEAK_LEAK);
		}
	EXPECT(says(&result, "23 allocations are too few to judge the growth by 11.5 KiB"));
}

/* Objects that krealloc() makes larger are as many as before, and young. */
TEST(larger_objects)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_cohort cohorts[COHORTS];
	struct kma_leak_site site = steady(s, cohorts);
	struct kma_leak_result result;

	for (int i = 0; i < COHORTS; i++)
		cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 100, 0, 0 };
	for (int i = 0; i < NR; i++)
		s[i] = (struct kma_leak_sample){ .time = 300.0 * i,
						 .live = 8 * 1024 * (i / 8 + 1),
						 .objects = 8,
						 .allocs = 100.0 * i };
	result = judge(site);
	EXPECT_EQ(result.verdict, KMA_LEAK_GROWING);
	EXPECT(result.confidence < KMA_LEAK_SURE);
	EXPECT(says(&result,
		    "; the objects become larger, not more: from 2.5 KiB to 10.5 KiB each"));
	EXPECT(says(&result, "; 0 of "));
	/* nor if their blocks of the first half stay, and they become larger by less than a half */
	for (int i = 0; i < COHORTS; i++)
		cohorts[i] = (struct kma_leak_cohort){ 3000.0 * (8 - i), 4, 3, 3 };
	for (int i = 0; i < NR; i++)
		s[i].live = 1024 * (100 + i / 8);
	result = judge(site);
	EXPECT(!result.evidence.resized && result.evidence.rises && result.evidence.residue);
	EXPECT_EQ(result.verdict, KMA_LEAK_GROWING);
	for (int i = 0; i < NR; i++)
		s[i].objects = 100 + i / 8;
	EXPECT_EQ(judge(site).verdict, KMA_LEAK_LEAK);
	/* the same bytes in as many objects more are no such case */
	for (int i = 0; i < NR; i++)
		s[i].objects = s[i].live / 1024;
	EXPECT(!judge(site).evidence.resized);
}

/* What counts runs says runs, also in a reason. */
TEST(units_are_runs)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_site site = { .samples = s,
				      .nr = 10,
				      .has_allocs = true,
				      .reclaim = KMA_LEAK_RECLAIM_NONE,
				      .unloaded = -1,
				      .floor = 1,
				      .run = KMA_LEAK_RUN };
	struct kma_leak_result result;

	for (int i = 0; i < NR; i++)
		s[i] = (struct kma_leak_sample){ .time = 72.0 * i, .live = line_and_swing(i) };
	result = judge(site);
	EXPECT(says(&result,
		    "10 samples over 18 runs are too few; at least 24 over 2 runs are needed"));
	site.nr = 30;
	result = judge(site);
	EXPECT(result.evidence.period > 0);
	EXPECT(says(&result, "30 samples over 58 runs are too few; at least 24 over "));
	EXPECT(says(&result, " runs are needed, three times the visible period of "));
	EXPECT(!says(&result, " s ") && !says(&result, " s,"));
	site.unloaded = 3 * KMA_LEAK_RUN;
	result = judge(site);
	EXPECT(says(&result, "its module was unloaded 3 runs ago and its objects stay"));
	site.run = 0;
	result = judge(site);
	EXPECT(says(&result, "its module was unloaded 108 s ago and its objects stay"));
}

/* A sample that does not tell of the site is not one of nothing, and the verdict says so. */
TEST(unknown_is_not_zero)
{
	struct kma_leak_sample s[NR];
	struct kma_leak_site site = {
		.samples = s, .missing = 1, .unloaded = -1, .run = KMA_LEAK_RUN
	};
	struct kma_leak_result result = judge(site);

	EXPECT_EQ(result.verdict, KMA_LEAK_TOO_EARLY);
	EXPECT(says(
		&result,
		"1 sample does not tell whether the site held memory, so its changes cannot be assigned to the runs"));
	EXPECT(!says(&result, "too few"));
	/* without a workload the other samples are judged */
	fill(s, NULL);
	site.run = 0;
	site.nr = 10;
	site.missing = 86;
	result = judge(site);
	EXPECT(says(
		&result,
		"10 samples over 2700 s are too few; at least 24 over 60 s are needed; 86 accounts do not tell whether the site held memory"));
}

TEST_MAIN()
