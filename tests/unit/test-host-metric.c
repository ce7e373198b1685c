// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-metric.c - host/model/metric: the table is complete and sound.
 */
#include <stdlib.h>

#include "lib/cleanup.h"
#include "model/metric.h"

#include "ktap.h"

#define ALL ((1U << KMA_NR_METRICS) - 1)

static const struct kma_values all_different = { 1,  2,	 3,  4,	 5,  6,	 7,  8,	 9,  10, 11, 12,
						 13, 14, 15, 16, 97, 98, 95, 96, 93, 94, 92, 91 };

TEST(rows_are_whole)
{
	for (unsigned int i = 0; i < KMA_NR_METRICS; i++) {
		const struct kma_metric *m = &kma_metrics[i];

		REQUIRE(m->name && m->title && m->what && m->get && m->compare);
		for (unsigned int j = 0; j < i; j++) {
			EXPECT(strcmp(m->name, kma_metrics[j].name));
			EXPECT(!m->alias || !kma_metrics[j].alias ||
			       strcmp(m->alias, kma_metrics[j].alias));
			EXPECT(m->get(&all_different) != kma_metrics[j].get(&all_different));
		}
	}
}

TEST(what_is_set_is_got)
{
	for (unsigned int i = 0; i < KMA_NR_METRICS; i++) {
		struct kma_values values = { 0 };

		if (!kma_metrics[i].set)
			continue;
		kma_metrics[i].set(&values, UINT64_MAX);
		for (unsigned int j = 0; j < KMA_NR_METRICS; j++)
			if (kma_metrics[j].set)
				EXPECT(kma_metrics[j].get(&values) == (i == j ? UINT64_MAX : 0));
	}
}

TEST(names_of_the_contract)
{
	static const char *const names[] = { "current_dynamic",
					     "requested",
					     "waste",
					     "allocs",
					     "frees",
					     "total_dynamic",
					     "peak",
					     "objects",
					     "remote_frees",
					     "wrong_frees",
					     "text",
					     "rodata",
					     "data",
					     "bss",
					     "init",
					     "other",
					     "static",
					     "current",
					     "merged",
					     "discarded",
					     "latency",
					     "waits",
					     "samples",
					     "live_error",
					     "charged",
					     "retained" };

	_Static_assert(ARRAY_SIZE(names) == KMA_NR_METRICS, "a name for each metric");
	for (unsigned int i = 0; i < KMA_NR_METRICS; i++)
		EXPECT_STR(kma_metrics[i].name, names[i]);
}

TEST(sums)
{
	EXPECT_EQ(kma_metrics[KMA_STATIC].get(&all_different), 11 + 12 + 13 + 14 + 15 + 16);
	EXPECT_EQ(kma_metrics[KMA_FOOTPRINT].get(&all_different), 1 + 11 + 12 + 13 + 14 + 15 + 16);
}

TEST(names_people_type)
{
	static const struct {
		const char *name;
		enum kma_metric_id id;
	} typed[] = {
		{ "current_dynamic", KMA_CURRENT },
		{ "total", KMA_CURRENT },
		{ "live", KMA_CURRENT },
		{ "requested", KMA_REQUESTED },
		{ "req", KMA_REQUESTED },
		{ "waste", KMA_WASTE },
		{ "slack", KMA_WASTE },
		{ "allocs", KMA_ALLOCS },
		{ "alloc", KMA_ALLOCS },
		{ "frees", KMA_FREES },
		{ "free", KMA_FREES },
		{ "total_dynamic", KMA_TOTAL },
		{ "all_total", KMA_TOTAL },
		{ "peak", KMA_PEAK },
		{ "objects", KMA_OBJECTS },
		{ "remote", KMA_REMOTE },
		{ "wrong_frees", KMA_WRONG },
		{ "rodata", KMA_RODATA },
		{ "static", KMA_STATIC },
		{ "current", KMA_FOOTPRINT },
		{ "footprint", KMA_FOOTPRINT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(typed); i++) {
		enum kma_metric_id id = KMA_NR_METRICS;

		EXPECT(kma_metric_find(typed[i].name, &id));
		EXPECT_EQ(id, typed[i].id);
	}
}

TEST(unknown_names)
{
	static const char *const unknown[] = { "", "Total", "peaks", "total_dyn", "tot" };
	enum kma_metric_id id;

	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++)
		EXPECT(!kma_metric_find(unknown[i], &id));
}

TEST(largest_first)
{
	struct kma_values zero = { 0 };

	for (unsigned int i = 0; i < KMA_NR_METRICS; i++) {
		EXPECT(kma_metrics[i].compare(&all_different, &zero) < 0);
		EXPECT(kma_metrics[i].compare(&zero, &all_different) > 0);
		EXPECT_EQ(kma_metrics[i].compare(&zero, &zero), 0);
	}
	EXPECT(kma_values_is_zero(&zero));
	EXPECT(!kma_values_is_zero(&all_different));
	kma_values_add(&zero, &all_different);
	kma_values_add(&zero, &all_different);
	for (unsigned int i = 0; i < KMA_NR_METRICS; i++)
		EXPECT_EQ(kma_metrics[i].get(&zero), 2 * kma_metrics[i].get(&all_different));
}

TEST(columns)
{
	unsigned int few = 1U << KMA_CURRENT | 1U << KMA_PEAK, set;
	unsigned int shown = kma_metric_shown(KMA_DYNAMIC_METRICS, 1U << KMA_PEAK);
	struct kma_err *err;
	char *unknown;

	EXPECT_EQ(kma_metric_shown(few, 0), few);
	EXPECT(shown & 1U << KMA_CURRENT && shown & 1U << KMA_PEAK);
	EXPECT(!(shown & 1U << KMA_REMOTE) && !(shown & ~KMA_DYNAMIC_METRICS));
	kma_metric_find_set("live,peak", &set, &unknown);
	EXPECT(!unknown);
	EXPECT_EQ(set, few);
	kma_metric_find_set("all", &set, &unknown);
	EXPECT(!unknown);
	EXPECT_EQ(set, KMA_METRICS_ALL);
	kma_metric_find_set("live,nosuch,peak,other", &set, &unknown);
	REQUIRE(unknown);
	EXPECT(!strcmp(unknown, "nosuch"));
	free(unknown);
	kma_metric_find_set("", &set, &unknown);
	REQUIRE(unknown);
	EXPECT(!*unknown);
	free(unknown);
	EXPECT(!kma_metric_check(few, few) && !kma_metric_check(0, 0));
	kma_metric_find_set("peak,text", &set, &unknown);
	EXPECT(!unknown);
	err = kma_metric_check(set, few);
	REQUIRE(err);
	EXPECT(strstr(err->message, "'text' in this input (available: current_dynamic, peak"));
	kma_err_destroy(err);
}

TEST_MAIN()
