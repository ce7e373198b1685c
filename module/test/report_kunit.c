// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_kunit.c - reports: sorted by the kernel's sort_r(), with names from its symbols,
 * and unchanged by events during the read.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "context.h"
#include "control.h"
#include "fixture.h"
#include "show/report.h"
#include "show/report_text.h"
#include "show/snapshot.h"

/*
 * Four functions of the kernel as call sites. Each is the largest in another one of
 * the columns; @order has them by each column, the largest first.
 */
static const struct kma_test_caller {
	unsigned long function;
	unsigned int allocs, frees;	/* numbers of objects; the oldest ones are freed */
	size_t req, bytes;
} kma_test_callers[] = {
	{ (unsigned long)kfree,	  2, 0, 4000, 4096 },	/* total 8192, req 8000 */
	{ (unsigned long)kvfree, 3, 1, 100, 2048 },	/* slack 3896 */
	{ (unsigned long)vfree, 9, 8, 8, 8 },		/* allocs 9, frees 8 */
	{ (unsigned long)seq_read, 5, 5, 4096, 4096 },	/* peak 20480 */
};

static const struct kma_test_order {
	const char *by;
	const char *names[ARRAY_SIZE(kma_test_callers)];
} kma_test_orders[] = {
	{ "total", { "kfree", "kvfree", "vfree", "seq_read" } },
	{ "slack", { "kvfree", "kfree", "vfree", "seq_read" } },
	{ "req", { "kfree", "kvfree", "vfree", "seq_read" } },
	{ "allocs", { "vfree", "seq_read", "kvfree", "kfree" } },
	{ "frees", { "vfree", "seq_read", "kvfree", "kfree" } },
	{ "peak", { "seq_read", "kfree", "kvfree", "vfree" } },
};

static void kma_test_order_desc(const struct kma_test_order *o, char *desc)
{
	strscpy(desc, o->by, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_order, kma_test_orders, kma_test_order_desc);

static unsigned long kma_test_caller_object(unsigned int caller, unsigned int i)
{
	return PAGE_OFFSET + ((unsigned long)caller * 64 + i + 1) * PAGE_SIZE;
}

static void kma_test_caller_allocs(unsigned int thread, void *unused)
{
	const struct kma_test_caller *c = &kma_test_callers[thread];
	unsigned int i;

	for (i = 0; i < c->allocs; i++)
		kma_test_alloc(c->function + 4,
			       kma_test_caller_object(thread, i), c->req,
			       c->bytes);
}

static void kma_test_caller_frees(unsigned int thread, void *unused)
{
	const unsigned int caller = ARRAY_SIZE(kma_test_callers) - 1 - thread;
	unsigned int i;

	for (i = 0; i < kma_test_callers[caller].frees; i++)
		kma_test_free(kma_test_caller_object(caller, i));
}

static void kma_test_report_put(void *report)
{
	kma_report_destroy(report);
}

static struct kma_report *kma_test_report_get(struct kunit *test,
					      unsigned int sort)
{
	struct kma_report *report = kma_snapshot_report(sort, false);

	KUNIT_ASSERT_FALSE(test, IS_ERR(report));
	kma_test_defer(test, kma_test_report_put, report);
	return report;
}

/* Return the text of one row. */
static char *kma_test_report_row(struct kunit *test,
				 const struct kma_report *report, size_t row)
{
	struct seq_file m = { .size = PAGE_SIZE };

	m.buf = kunit_kzalloc(test, m.size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, m.buf);
	kma_report_show_row(&m, report, row);
	KUNIT_ASSERT_FALSE(test, seq_has_overflowed(&m));
	return m.buf;
}

/* Report allocations and frees on several CPUs, with a look at the peaks in between. */
static void kma_test_report_events(struct kunit *test)
{
	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_threads(test, ARRAY_SIZE(kma_test_callers),
			 kma_test_caller_allocs, NULL);
	kma_test_report_get(test, 0);
	kma_test_threads(test, ARRAY_SIZE(kma_test_callers),
			 kma_test_caller_frees, NULL);
}

static void kma_test_report_sort(struct kunit *test)
{
	const struct kma_test_order *o = test->param_value;
	struct kma_report *report;
	size_t i;
	int sort;

	kma_test_report_events(test);
	sort = kma_report_sort_parse(o->by);
	KUNIT_ASSERT_GE(test, sort, 0);
	report = kma_test_report_get(test, sort);
	KUNIT_ASSERT_EQ(test, kma_report_rows(report),
			ARRAY_SIZE(kma_test_callers));
	for (i = 0; i < ARRAY_SIZE(kma_test_callers); i++) {
		struct kma_test_row row;
		const char *caller;

		caller = kma_test_row_parse(kma_test_report_row(test, report, i),
					    &row);
		KUNIT_ASSERT_NOT_NULL(test, caller);
		KUNIT_EXPECT_EQ_MSG(test, 0, strncmp(caller, o->names[i],
						     strlen(o->names[i])),
				    "row %zu is %s", i, caller);
		KUNIT_EXPECT_EQ(test, 0, strncmp(caller + strlen(o->names[i]),
						 "+0x4/0x", 7));
	}
}

#define KMA_TEST_NOISE	128u	/* objects */

/*
 * Report allocations on all CPUs during the test. After KMA_TEST_NOISE allocations, each one
 * has the address of an object that was not freed.
 */
static void kma_test_report_noise(void *n)
{
	unsigned long i = (atomic_long_inc_return(n) - 1) % KMA_TEST_NOISE;

	kma_test_alloc((unsigned long)kfree + 8 + 2 * (i % 32),
		       PAGE_OFFSET + SZ_16M + i * 64, 1 + i % 64, 64);
}

/* At the end, all events are counted, and each address has at most one object. */
static void kma_test_report_sum(struct kunit *test, u64 events)
{
	const u64 live = min_t(u64, events, KMA_TEST_NOISE);
	struct kma_report *report = kma_test_report_get(test, 0);
	struct kma_test_row sum = {}, row;
	size_t i;

	for (i = 0; i < kma_report_rows(report); i++) {
		char *text = kma_test_report_row(test, report, i);

		KUNIT_ASSERT_NOT_NULL(test, kma_test_row_parse(text, &row));
		sum.total += row.total;
		sum.allocs += row.allocs;
		sum.frees += row.frees;
	}
	KUNIT_EXPECT_EQ(test, sum.total, 64 * live);
	KUNIT_EXPECT_EQ(test, sum.allocs, events);
	KUNIT_EXPECT_EQ(test, sum.frees, events - live);
	KUNIT_EXPECT_EQ(test, kma_account_totals().implied, events - live);
	KUNIT_EXPECT_EQ(test, kma_test_drops(), 0ull);
}

/* A report prints the same text again after the account has changed. */
static void kma_test_report_still(struct kunit *test)
{
	struct kma_report *report;
	char *row, *again;

	kma_test_report_events(test);
	report = kma_test_report_get(test, 0);
	row = kma_test_report_row(test, report, 1);
	kma_test_alloc((unsigned long)kvfree + 4, PAGE_OFFSET + SZ_1M, 1, 8);
	again = kma_test_report_row(test, report, 1);
	KUNIT_EXPECT_STREQ(test, row, again);
	report = kma_test_report_get(test, 0);
	again = kma_test_report_row(test, report, 1);
	KUNIT_EXPECT_NE(test, 0, strcmp(row, again));
}

/* In each report, taken at any time, the rows are sorted and consistent. */
static void kma_test_report_busy(struct kunit *test)
{
	unsigned long looks = 0, end;
	atomic_long_t *noise = kunit_kzalloc(test, sizeof(*noise), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, noise);
	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_storm(test, kma_test_report_noise, noise);
	end = jiffies + HZ / 2;
	do {
		struct kma_report *report = kma_snapshot_report(0, false);
		char *buf = kzalloc(PAGE_SIZE, GFP_KERNEL);
		u64 last = U64_MAX;
		size_t i;

		KUNIT_EXPECT_FALSE(test, IS_ERR(report) || !buf);
		for (i = 0; !IS_ERR(report) && buf && i < kma_report_rows(report); i++) {
			struct seq_file m = { .buf = buf, .size = PAGE_SIZE };
			struct kma_test_row row = {};

			kma_report_show_row(&m, report, i);
			KUNIT_EXPECT_NOT_NULL(test, kma_test_row_parse(buf, &row));
			KUNIT_EXPECT_LE(test, row.total, last);
			KUNIT_EXPECT_LE(test, row.frees, row.allocs);
			KUNIT_EXPECT_EQ(test, row.total, row.req + row.slack);
			KUNIT_EXPECT_LE(test, row.slack, row.total);
			KUNIT_EXPECT_LE(test, row.total, 64ull * 512);
			last = row.total;
			looks++;
		}
		kfree(buf);
		if (!IS_ERR(report))
			kma_report_destroy(report);
		cond_resched();
	} while (time_before(jiffies, looks ? end : end + 10 * HZ));
	KUNIT_EXPECT_GT(test, looks, 0ul);
	KUNIT_EXPECT_GT(test, kma_test_storm_end(), 0ul);
	kma_test_report_sum(test, atomic_long_read(noise));
}

static struct kunit_case kma_test_report_cases[] = {
	KUNIT_CASE_PARAM(kma_test_report_sort, kma_test_order_gen_params),
	KUNIT_CASE(kma_test_report_still),
	KUNIT_CASE(kma_test_report_busy),
	{}
};

static struct kunit_suite kma_test_report_suite = {
	.name = "kma_report",
	.test_cases = kma_test_report_cases,
};

kunit_test_suite(kma_test_report_suite);
