// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-report.c - events in, the text of /proc/kmem_account out.
 */
#include "account/account.h"
#include "account/budget.h"
#include "account/live.h"
#include "account/peak.h"
#include "account/site.h"
#include "caller/site_name.h"
#include "ktap.h"
#include "grown.h"
#include "shim.h"
#include "peak-account.h"
#include "show/report.h"
#include "show/report_text.h"

static void alloc(unsigned long site, unsigned long ptr, size_t req, size_t bytes)
{
	kma_account_alloc(site, (void *)ptr, req, bytes, KMA_KIND_KMALLOC);
	if (shim_fail_at >= 0)
		map_serve();
}

static void release(unsigned long site, unsigned long ptr)
{
	kma_account_free(site, (void *)ptr);
}

/* The whole file as text; freed by the caller. */
static char *text(const char *sort)
{
	struct kma_report *r = kma_report_create(kma_report_sort_parse(sort), false);
	struct seq_file m = {};

	kma_report_show_header(&m, r);
	for (size_t i = 0; i < kma_report_rows(r); i++)
		kma_report_show_row(&m, r, i);
	kma_report_destroy(r);
	return m.buf;
}

#define EXPECT_TEXT(sort, want) do {	\
	char *t_ = text(sort);		\
					\
	EXPECT_STR(t_, want);		\
	free(t_);			\
} while (0)

TEST(an_empty_account_has_a_header_and_no_row)
{
	REQUIRE(start(100, 200000));
	EXPECT_TEXT("total",
		"total bytes allocated:          0\n"
		"total bytes requested:          0\n"
		"slack bytes allocated:          0\n"
		"number of allocs:               0\n"
		"number of frees:                0\n"
		"number of callers:              0\n"
		"frees of unknown objects:       0\n"
		"implied frees:                  0\n"
		"events not recorded:            0\n"
		"\n"
		"   total    slack      req alloc/free  caller\n");
	stop();
}

/* As the contract's example, with a size that slabs can have: 88, not 84. */
TEST(the_example_of_the_contract)
{
	REQUIRE(start(100, 200000));
	for (int i = 0; i < 29; i++)
		alloc(0x33, 0x1000 + 256 * i, 76, 88);
	release(0x93, 0x800000);
	release(0x93, 0x800008);
	release(0x93, 0x800010);
	EXPECT_TEXT("total",
		"total bytes allocated:       2552\n"
		"total bytes requested:       2204\n"
		"slack bytes allocated:        348\n"
		"number of allocs:              29\n"
		"number of frees:                3\n"
		"number of callers:              2\n"
		"frees of unknown objects:       3\n"
		"implied frees:                  0\n"
		"events not recorded:            0\n"
		"\n"
		"   total    slack      req alloc/free  caller\n"
		"    2552      348     2204    29/0     sym_33+0x0/0x10\n"
		"       0        0        0     0/3     sym_93+0x0/0x10\n");
	stop();
}

TEST(a_free_is_credited_to_the_site_that_allocated)
{
	REQUIRE(start(100, 200000));
	alloc(0xa0, 0x1000, 10, 16);
	shim_cpu = 3;
	release(0xb0, 0x1000);
	shim_cpu = 0;
	/* handed out again without a free: implied */
	alloc(0xa0, 0x2000, 20, 32);
	alloc(0xc0, 0x2000, 24, 32);
	EXPECT_TEXT("allocs",
		"total bytes allocated:         32\n"
		"total bytes requested:         24\n"
		"slack bytes allocated:          8\n"
		"number of allocs:               3\n"
		"number of frees:                2\n"
		"number of callers:              2\n"
		"frees of unknown objects:       0\n"
		"implied frees:                  1\n"
		"events not recorded:            0\n"
		"\n"
		"   total    slack      req alloc/free  caller\n"
		"       0        0        0     2/2     sym_a0+0x0/0x10\n"
		"      32        8       24     1/0     sym_c0+0x0/0x10\n");
	stop();
}

TEST(what_is_not_recorded_is_counted)
{
	REQUIRE(start(100, 200000));
	shim_nmi = true;
	alloc(0xa0, 0x1000, 10, 16);
	release(0xa0, 0x1000);
	shim_nmi = false;
	alloc(0xa0, 0x1000, 10, 15);	/* a size that cannot be packed */
	alloc(0xa0, 0, 10, 16);		/* failed: no object */
	kma_live_close();
	alloc(0xa0, 0x3000, 10, 16);	/* closed: not looked at */
	EXPECT_TEXT("total",
		"total bytes allocated:          0\n"
		"total bytes requested:          0\n"
		"slack bytes allocated:          0\n"
		"number of allocs:               0\n"
		"number of frees:                0\n"
		"number of callers:              0\n"
		"frees of unknown objects:       0\n"
		"implied frees:                  0\n"
		"events not recorded:            3\n"
		"\n"
		"   total    slack      req alloc/free  caller\n");
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_NMI], 2);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_SIZE], 1);
	stop();
}

TEST(sites_beyond_the_table_share_a_row_with_a_name)
{
	char *t;

	REQUIRE(start(2, 200000));
	for (int i = 0; i < 10; i++)
		alloc(0x100 + 16 * i, 0x1000 + 64 * i, 60, 64);
	t = text("req");
	EXPECT(strstr(t, "     512       32      480     8/0     [site table full]\n"));
	EXPECT(strstr(t, "total bytes allocated:        640\n"));
	EXPECT(strstr(t, "number of callers:              3\n"));
	free(t);
	stop();
}

/* Three sites, each the first in another order; ties go by bytes, then address. */
TEST(every_sort_key_sorts)
{
	static const struct { const char *key, *first, *second; } order[] = {
		{ "total", "sym_b0", "sym_a0" },
		{ "slack", "sym_a0", "sym_b0" },
		{ "req", "sym_b0", "sym_a0" },
		{ "allocs", "sym_c0", "sym_b0" },
		{ "frees", "sym_c0", "sym_d0" },
		{ "peak", "sym_d0", "sym_b0" },
	};

	REQUIRE(start(100, 200000));
	alloc(0xa0, 0x1000, 100, 2048);
	alloc(0xb0, 0x9000, 4096, 4096);
	alloc(0xc0, 0x2000, 8, 8);
	release(0xc0, 0x2000);
	alloc(0xc0, 0x2000, 8, 8);
	alloc(0xd0, 0x10000, 8192, 8192);
	kma_peak_look();
	release(0xc0, 0x10000);
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		char *t = text(order[i].key), *row = strstr(t, "caller\n") + 7;
		char *next = strchr(row, '\n') + 1;

		EXPECT(strstr(row, order[i].first) && strstr(row, order[i].first) < next);
		EXPECT(strstr(next, order[i].second) &&
		       strstr(next, order[i].second) < strchr(next, '\n'));
		EXPECT_STR(kma_report_sort_name(kma_report_sort_parse(order[i].key)),
			   order[i].key);
		free(t);
	}
	EXPECT_EQ(kma_report_sort_parse("slack\n"), kma_report_sort_parse("slack"));
	EXPECT_EQ(kma_report_sort_parse("slac"), -EINVAL);
	EXPECT_EQ(kma_report_sort_parse(""), -EINVAL);
	stop();
}

TEST(wide_numbers_keep_a_space_between_them)
{
	char *t;

	REQUIRE(start(100, 4000000));
	for (unsigned long i = 0; i < 30000; i++)
		alloc(0xa0, 0x100000000ul + i * 0x400000, 4194304, 4194304);
	t = text("total");
	EXPECT(strstr(t, "total bytes allocated: 125829120000\n"));
	EXPECT(strstr(t, "\n125829120000        0 125829120000 30000/0     sym_a0"));
	free(t);
	stop();
}

/* Debugfs' sites, as text; freed by the caller. */
static char *sites_text(void)
{
	struct kma_report *r = kma_report_create(0, true);
	struct seq_file m = {};

	r->shown = true;
	kma_report_show_sites(&m, r);
	for (size_t i = 0; i < kma_report_rows(r); i++)
		kma_report_show_site(&m, r, i);
	kma_report_destroy(r);
	return m.buf;
}

TEST(sites_for_programs)
{
	char *t;

	REQUIRE(start(2, 200000));
	alloc(0xa0, 0x1000, 100, 128);
	alloc(0xa0, 0x2000, 50, 64);
	release(0xa0, 0x2000);
	alloc(0xb0, 0, 10, 16);		/* nothing but a failure: a row here */
	alloc(0xc0, 0x3000, 8, 8);	/* the table is full */
	release(0xc0, 0x9000);		/* unknown */
	t = sites_text();
	EXPECT_STR(t,
		"kmem_account sites 1\n"
		"# id\taddress\ttotal\tslack\treq\tallocs\tfrees\tunknown\tfailed\tall_total\tall_req\tfile\toffset\tbuild_id\tcaller\tkind\tcache\tpeak\tpeak_max\tstack\tremote_cpu\tremote_node\n"
		"1\t0xa0\t128\t28\t100\t2\t1\t0\t0\t192\t150\tvmlinux\t0xa0\tb1d\tsym_a0+0x0/0x10\tkmalloc\tcache-0+\t128\t192\t-\t-\t-\n"
		"0\t0x0\t8\t0\t8\t1\t0\t1\t0\t8\t8\t-\t-\t-\t[site table full]\t-\t-\t8\t8\t-\t-\t-\n"
		"2\t0xb0\t0\t0\t0\t0\t0\t0\t1\t0\t0\tvmlinux\t0xb0\tb1d\tsym_b0+0x0/0x10\tkmalloc\t-\t0\t0\t-\t-\t-\n");
	free(t);
	t = text("total");
	EXPECT(!strstr(t, "sym_b0"));
	EXPECT(strstr(t, "number of callers:              2\n"));
	free(t);
	stop();
}

/* Column @column, from 1, of the row of @site; static. */
static const char *column_of(const char *site, unsigned int column)
{
	static char word[64];
	char *t = sites_text(), *line = strstr(t, site), *next;

	*word = '\0';
	while (line && line > t && line[-1] != '\n')
		line--;
	for (; line && --column; line = line ? line + 1 : NULL)
		line = strchr(line, '\t');
	next = line ? strpbrk(line, "\t\n") : NULL;
	if (next)
		snprintf(word, sizeof(word), "%.*s", (int)(next - line), line);
	free(t);
	return word;
}

#define KIND	16
#define CACHE	17

TEST(a_site_has_a_kind_and_the_cache_of_its_first_object)
{
	REQUIRE(start(100, 200000));
	kma_account_alloc(0xa0, (void *)0x10000, 60, 64, KMA_KIND_CACHE);
	kma_account_alloc(0xa0, (void *)0x20000, 50, 64, KMA_KIND_CACHE);
	kma_account_free(0xa0, (void *)0x20000);
	EXPECT_STR(column_of("sym_a0", KIND), "cache");
	EXPECT_STR(column_of("sym_a0", CACHE), "cache-1");
	/* one of another size, although it is gone again */
	kma_account_alloc(0xa0, (void *)0x20000, 50, 72, KMA_KIND_CACHE);
	kma_account_free(0xa0, (void *)0x20000);
	EXPECT_STR(column_of("sym_a0", CACHE), "cache-1+");

	release(0xb0, 0x90000);
	EXPECT_STR(column_of("sym_b0", KIND), "free");
	EXPECT_STR(column_of("sym_b0", CACHE), "-");
	alloc(0xc0, 0x10000000, 5000, 8192);
	EXPECT_STR(column_of("sym_c0", KIND), "kmalloc");
	EXPECT_STR(column_of("sym_c0", CACHE), "[large kmalloc]");
	/* taken back by its second event: it had no object of another size */
	alloc(0xd0, 0x20000, 8, 8);
	alloc(0xd0, 0x20000000, 20000, 32768);
	alloc(0xe0, 0x20000000, 20000, 32768);
	EXPECT_STR(column_of("sym_d0", CACHE), "cache-2");
	EXPECT_STR(column_of("sym_e0", CACHE), "[large kmalloc]");
	stop();
}

static bool booked_by(unsigned long call_site)
{
	return call_site == 0xe0;
}

TEST(what_was_told_is_no_unknown_object)
{
	REQUIRE(start(100, 200000));
	kma_account_skip_frees(booked_by);
	alloc(0xa0, 0x1000, 10, 16);
	release(0xe0, 0x1000);
	release(0xe0, 0x1000);
	release(0xb0, 0x1000);
	kma_account_skip_frees(NULL);
	release(0xe0, 0x2000);
	EXPECT_TEXT("allocs",
		"total bytes allocated:          0\n"
		"total bytes requested:          0\n"
		"slack bytes allocated:          0\n"
		"number of allocs:               1\n"
		"number of frees:                3\n"
		"number of callers:              3\n"
		"frees of unknown objects:       2\n"
		"implied frees:                  0\n"
		"events not recorded:            0\n"
		"\n"
		"   total    slack      req alloc/free  caller\n"
		"       0        0        0     1/1     sym_a0+0x0/0x10\n"
		"       0        0        0     0/1     sym_b0+0x0/0x10\n"
		"       0        0        0     0/1     sym_e0+0x0/0x10\n");
	stop();
}

TEST(a_site_learns_when_something_comes_of_it)
{
	REQUIRE(start(100, 200000));
	alloc(0xa0, 0, 10, 16);
	alloc(0xb0, 0x50000, 20000, 15);	/* not recorded */
	EXPECT_STR(column_of("sym_a0", CACHE), "-");
	EXPECT(!kma_site_learnt(1) && !kma_site_learnt(2));
	alloc(0xa0, 0x60000, 10, 16);
	EXPECT_STR(column_of("sym_a0", CACHE), "cache-6");
	/* a new account forgets it, and the names are still good */
	kma_live_close();
	kma_account_reset();
	kma_live_open();
	alloc(0xc0, 0x60000, 10, 16);
	EXPECT_STR(column_of("sym_c0", CACHE), "cache-6");
	EXPECT_STR(column_of("sym_a0", CACHE), "");
	stop();
}

/* More names than there is room for; the others keep theirs. */
TEST(caches_beyond_the_table_have_no_name)
{
	REQUIRE(start(2000, 200000));
	for (unsigned long i = 0; i < 1000; i++)
		alloc(0x1000 + 16 * i, 0x10000 * (i + 1), 8, 8);
	EXPECT_STR(column_of("sym_1000+", CACHE), "cache-1");
	EXPECT_STR(column_of("sym_2f40+", CACHE), "cache-1f5");
	EXPECT_STR(column_of("sym_4e70+", CACHE), "-");
	stop();
}

static u64 stat_of(const char *key)
{
	struct kma_report *r = kma_report_create(0, true);
	struct seq_file m = {};
	size_t n = strlen(key);
	u64 value = -1ull;

	kma_report_show_stats(&m, r);
	kma_report_destroy(r);
	for (char *line = m.buf; *line; line = strchr(line, '\n') + 1)
		if (!strncmp(line, key, n) && line[n] == ':')
			value = strtoull(line + n + 1, NULL, 10);
	free(m.buf);
	return value;
}

TEST(stats_count_the_events_and_the_tables)
{
	REQUIRE(start(2, 200000));
	for (int i = 0; i < 10; i++)
		alloc(0xa0, 0x1000 + 256 * i, 100, 128);
	alloc(0xb0, 0x1000, 100, 128);	/* implied free */
	alloc(0xc0, 0x100000, 8, 8);	/* beyond the table, as the next two */
	alloc(0xc0, 0, 8, 8);
	release(0xc0, 0x900000);
	release(0xc0, 0x1100);
	alloc(0xa0, 0x200000, 10, 15);	/* no such size */
	shim_nmi = true;
	alloc(0xa0, 0x200000, 8, 8);
	shim_nmi = false;
	EXPECT_EQ(stat_of("version"), 1);
	EXPECT_EQ(stat_of("events booked"), 15);
	EXPECT_EQ(stat_of("allocations"), 12);
	EXPECT_EQ(stat_of("frees"), 2);
	EXPECT_EQ(stat_of("implied frees"), 1);
	EXPECT_EQ(stat_of("unknown frees"), 1);
	EXPECT_EQ(stat_of("failed allocations"), 1);
	EXPECT_EQ(stat_of("not recorded nmi"), 1);
	EXPECT_EQ(stat_of("not recorded size"), 1);
	EXPECT_EQ(stat_of("not recorded map full"), 0);
	EXPECT_EQ(stat_of("events beyond max sites"), 3);
	EXPECT_EQ(stat_of("sites used"), 2);
	EXPECT_EQ(stat_of("sites max"), 2);
	EXPECT_EQ(stat_of("objects live"), 10);
	EXPECT_EQ(stat_of("map arrays"), kma_live_stats().arrays);
	EXPECT_EQ(stat_of("map bytes"), kma_live_stats().bytes);
	EXPECT_EQ(stat_of("own bytes"), stat_of("sites bytes") + stat_of("classes bytes") +
		  stat_of("map bytes") +
		  stat_of("peak looks bytes") + stat_of("module bytes"));
	EXPECT_EQ(stat_of("bytes live"), 9 * 128 + 8);
	EXPECT_EQ(stat_of("peak bytes"), 9 * 128 + 8);
	/* no look was between the allocations and the two frees */
	EXPECT_EQ(stat_of("peak bytes max"), 11 * 128 + 8);
	EXPECT_EQ(stat_of("detail bytes"), 0);
	EXPECT_EQ(stat_of("no such key"), -1ull);
	stop();
}

TEST(stats_count_the_bytes_of_unknown_frees)
{
	REQUIRE(start(2, 200000));
	alloc(0xa0, 0x1000, 100, 128);
	release(0xa0, 0x1000);		/* known */
	release(0xa0, 0x1000);
	release(0xb0, 0x2000);
	release(0xb0, 0x40000000);
	release(0xb0, 0x2008);
	release(0xb0, 0);		/* no object */
	EXPECT_EQ(stat_of("unknown frees"), 4);
	EXPECT_EQ(stat_of("unknown free bytes"), 2 * 96);
	EXPECT_EQ(stat_of("unknown free large bytes"), 16384);
	EXPECT_EQ(stat_of("unknown free untold"), 1);
	stop();
	REQUIRE(start(2, 200000));
	EXPECT_EQ(stat_of("unknown free bytes"), 0);
	stop();
}

TEST(stats_count_growth_and_its_refusal)
{
	REQUIRE(start(2, 200000));
	shim_fail_at = -1;
	for (unsigned long i = 0; i < 600000; i++)
		alloc(0xa0, 0x1000000 + 64 * i, 64, 64);
	EXPECT_EQ(map_grow(), -ENOMEM);
	shim_fail_at = 0;
	EXPECT_EQ(stat_of("map growth runs"), 1);
	EXPECT_EQ(stat_of("map growth refused"), 1);
	EXPECT_EQ(stat_of("map spare bytes"), 0);
	EXPECT_EQ(stat_of("not recorded map full") + stat_of("objects live"), 600000);
	map_grow();
	EXPECT_EQ(stat_of("map growth runs"), 2);
	EXPECT_EQ(stat_of("map growth refused"), 1);
	EXPECT_EQ(stat_of("map load percent"),
		  stat_of("objects live") * 100 / stat_of("map slots"));
	stop();
}

static bool everywhere(unsigned long addr, void *arg)
{
	return true;
}

/* The tables of peaks start with 512 sites. Without memory for more, the bounds are true, but wide. */
TEST(a_site_without_memory_for_its_peak_is_bounded)
{
	unsigned int site, nr = 600, beyond = 0;
	struct kma_report *r;
	u64 live = 0;

	REQUIRE(start(1000, 200000));
	/* 1 byte is left, and each request is for a page at least */
	kma_budget_set(kma_budget_stats().used + 1, kma_budget_stats().used);
	for (site = 0; site < nr; site++) {
		alloc(0x1000 + 16 * site, 0x100000 + 256 * site, 100, 128);
		if (site % 2)
			release(0xf0, 0x100000 + 256 * site);
		else
			live += 128;
	}
	r = kma_report_create(kma_report_sort_parse("total"), true);
	REQUIRE(!IS_ERR(r));
	EXPECT_EQ(r->nr, nr);
	for (size_t i = 0; i < r->nr; i++) {
		beyond += r->rows[i].id >= 512;
		EXPECT(r->rows[i].peak.low <= 128);
		EXPECT_EQ(r->rows[i].peak.high, 128);
	}
	EXPECT(beyond > 50);
	EXPECT_EQ(r->sum.total, live);
	EXPECT(r->sum.peak.low <= live);
	EXPECT_EQ(r->sum.peak.high, nr * 128);
	kma_report_destroy(r);
	/* with memory they are what they would have been */
	kma_budget_set(0, 0);
	r = kma_report_create(kma_report_sort_parse("total"), true);
	REQUIRE(!IS_ERR(r));
	for (size_t i = 0; i < r->nr; i++)
		EXPECT_EQ(r->rows[i].peak.high, 128);
	EXPECT_EQ(r->sum.peak.low, live);
	kma_report_destroy(r);
	stop();
}

/* A report that is read slowly, and a clear: ids are given to others. */
TEST(a_row_keeps_its_name_when_the_account_begins_anew)
{
	struct seq_file m = {};
	struct kma_report *r;

	REQUIRE(start(100, 200000));
	alloc(0xa0, 0x1000, 100, 128);
	r = kma_report_create(0, false);
	kma_live_close();
	kma_account_reset();
	kma_live_open();
	alloc(0xb0, 0x1000, 100, 128);
	kma_site_name_keep(everywhere, NULL);
	kma_report_show_row(&m, r, 0);
	kma_report_show_site(&m, r, 0);
	kma_report_destroy(r);
	EXPECT(strstr(m.buf, "     1/0     sym_a0+"));
	EXPECT(strstr(m.buf, "\tb1d\tsym_a0+"));
	EXPECT(!strstr(m.buf, "sym_b0"));
	free(m.buf);
	stop();
}

TEST(no_memory_for_a_report_is_an_error)
{
	int n;

	REQUIRE(start(100, 200000));
	alloc(0xa0, 0x1000, 10, 16);
	for (n = 1; n < 10; n++) {
		struct kma_report *r;

		shim_fail_at = n;
		r = kma_report_create(0, false);
		if (!IS_ERR(r)) {
			kma_report_destroy(r);
			break;
		}
		EXPECT_EQ(PTR_ERR(r), -ENOMEM);
	}
	shim_fail_at = 0;
	EXPECT_EQ(n, 4);
	stop();
}

TEST_MAIN()
