// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-pinned_report.c - the slabs that objects keep, by site, from objects and
 * slabs that are made up here.
 */
#include "account/kmem_cache.h"
#include "account/site.h"
#include "account/size.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"
#include "show/debugfs.h"
#include "show/rows.h"
#include "show/survey.h"

extern int (*shim_survey)(kma_survey_fn see, void *arg);

/* Slab @n has 4096 bytes; object @i of it, of 64 bytes, is of site @site. */
static int show(kma_survey_fn see, void *arg, unsigned long n, u32 used, u16 site)
{
	const struct kma_live_object object = {
		.ptr = n * 4096, .size = kma_size_small(60, 64), .site = site,
	};
	const struct kma_slab slab = { .head = 0x100000 + 64 * n, .bytes = 4096, .used = used };

	return see(arg, &object, &slab);
}

/* Rows as text, after a header; freed by the caller. */
static char *text(int (*survey)(kma_survey_fn see, void *arg))
{
	void *p;
	struct seq_file m = {};

	shim_init();
	if (tables_init(300))
		return NULL;
	for (unsigned int i = 1; i < 300; i++)
		kma_site_id(16 * i, KMA_KIND_KMALLOC);
	shim_survey = survey;
	p = kma_pinned_rows.create();
	if (IS_ERR(p)) {
		seq_printf(&m, "error %ld", PTR_ERR(p));
	} else {
		kma_pinned_rows.header(&m, p);
		for (size_t i = 0; i < kma_pinned_rows.nr(p); i++)
			kma_pinned_rows.row(&m, p, i);
		kma_pinned_rows.destroy(p);
	}
	tables_deinit();
	return m.buf;
}

#define EXPECT_ROWS(survey, want) do {	\
	char *t_ = text(survey);		\
					\
	REQUIRE(t_);			\
	EXPECT_STR(strchr(t_, '#'),	\
		   "# id\tslabs\ttotal\town\tlive\tused\tsole\tsole_total\tfill\tcaller\n" want); \
	free(t_);			\
} while (0)

/* Two share slab 1, site 2 alone has slabs 2 and 3; large objects have no slab. */
static int few(kma_survey_fn see, void *arg)
{
	const struct kma_live_object large = { .ptr = 0x10000, .site = 3 };

	return show(see, arg, 1, 3, 1) ?: show(see, arg, 1, 3, 2) ?: show(see, arg, 2, 1, 2) ?:
	       show(see, arg, 3, 64, 2) ?: show(see, arg, 3, 64, 2) ?:
	       see(arg, &large, NULL);
}

TEST(sites_that_share_slabs_and_that_do_not)
{
	EXPECT_ROWS(few,
		"16384\t3\t12288\t320\t320\t4352\t2\t8192\t35\t[all slabs]\n"
		"2\t3\t12288\t256\t320\t4352\t2\t8192\t35\tsym_20+0x0/0x10\n"
		"1\t1\t4096\t64\t128\t192\t0\t0\t4\tsym_10+0x0/0x10\n");
}

static int nothing(kma_survey_fn see, void *arg)
{
	return 0;
}

TEST(no_objects_no_rows)
{
	EXPECT_ROWS(nothing, "16384\t0\t0\t0\t0\t0\t0\t0\t0\t[all slabs]\n");
}

/* The slab's count was read before its second object came. */
static int late(kma_survey_fn see, void *arg)
{
	return show(see, arg, 1, 1, 1) ?: show(see, arg, 1, 1, 1);
}

TEST(what_is_live_is_in_use)
{
	EXPECT_ROWS(late,
		"16384\t1\t4096\t128\t128\t128\t1\t4096\t3\t[all slabs]\n"
		"1\t1\t4096\t128\t128\t128\t1\t4096\t3\tsym_10+0x0/0x10\n");
}

/* More slabs than a pass has room for; every fourth has a second object. */
#define MANY	300000

static int surveys;

static int many(kma_survey_fn see, void *arg)
{
	int err = 0;

	surveys++;
	for (unsigned long i = 0; i < MANY && !err; i++) {
		err = show(see, arg, i, 2, 1);
		if (!err && !(i % 4))
			err = show(see, arg, i, 2, 2);
	}
	return err;
}

TEST(more_slabs_than_fit_are_done_in_passes)
{
	surveys = 0;
	EXPECT_ROWS(many,
		"16384\t300000\t1228800000\t24000000\t24000000\t38400000\t225000\t921600000\t3\t[all slabs]\n"
		"1\t300000\t1228800000\t19200000\t24000000\t38400000\t225000\t921600000\t3\tsym_10+0x0/0x10\n"
		"2\t75000\t307200000\t4800000\t9600000\t9600000\t0\t0\t3\tsym_20+0x0/0x10\n");
	/* 1, 2 and 4 do not fit at 49152 slabs a pass; 8 do */
	EXPECT_EQ(surveys, 3 + 8);
}

/* Few slabs of many sites each: pairs are what does not fit. */
static int crowd(kma_survey_fn see, void *arg)
{
	int err = 0;

	surveys++;
	for (unsigned long i = 0; i < 1000 && !err; i++)
		for (u16 site = 1; site < 200 && !err; site++)
			err = show(see, arg, i, 199, site);
	return err;
}

TEST(more_pairs_than_fit_are_done_in_passes)
{
	char *t;
	int rows = 0;

	surveys = 0;
	t = text(crowd);
	EXPECT(strstr(t, "\n16384\t1000\t4096000\t12736000\t12736000\t12736000\t0\t0\t310\t"));
	EXPECT(strstr(t, "\n199\t1000\t4096000\t64000\t12736000\t12736000\t0\t0\t310\tsym_c70+"));
	for (char *line = t; *line; line = strchr(line, '\n') + 1)
		rows++;
	EXPECT_EQ(rows, 2 + 1 + 199);
	EXPECT(surveys > 2);
	free(t);
}

static int fails(kma_survey_fn see, void *arg)
{
	return show(see, arg, 1, 1, 1) ?: -ESTALE;
}

TEST(an_account_that_begins_anew_ends_it)
{
	char *t = text(fails);

	EXPECT_STR(t, "error -116");
	free(t);
}

TEST(no_memory_is_an_error)
{
	void *p;
	int n;

	shim_init();
	REQUIRE(!tables_init(10));
	shim_survey = few;
	for (n = 1; n < 10; n++) {
		shim_fail_at = n;
		p = kma_pinned_rows.create();
		if (!IS_ERR(p))
			break;
		EXPECT_EQ(PTR_ERR(p), -ENOMEM);
	}
	shim_fail_at = 0;
	EXPECT_EQ(n, 4);
	EXPECT_EQ(kma_pinned_rows.nr(p), 3);
	kma_pinned_rows.destroy(p);
	tables_deinit();
}

TEST_MAIN()
