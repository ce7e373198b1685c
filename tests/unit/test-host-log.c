// SPDX-License-Identifier: GPL-2.0-only
/*
 * What readers of event logs stand on: a ledger that begins to count anew, and the bins of
 * histograms.
 */
#include <string.h>

#include "ktap.h"
#include "lib/cleanup.h"
#include "log/log-ticks.h"
#include "model/ledger.h"
#include "reader/log-objects.h"

#define A     1
#define F     2
#define LARGE 3
#define B     4

static const char *const sites[] = { NULL, "a+0x1/0x2", "f+0x1/0x2", "__kmalloc_noprof+0x1/0x2",
				     "b+0x1/0x2" };

/* alloc 0 is a free */
static void book(struct kma_ledger *ledger, uint32_t site, uint64_t ptr, uint64_t req,
		 uint64_t alloc, uint16_t cpu)
{
	struct kma_event event = { .ptr = ptr,
				   .req = req,
				   .alloc = alloc,
				   .site = site,
				   .cpu = cpu,
				   .kind = KMA_KIND_KMALLOC,
				   .is_free = !alloc };

	kma_ledger_book(ledger, &event, 1);
}

static const struct kma_values *row(const struct kma_account *account, uint32_t site)
{
	static const struct kma_values none;
	const struct kma_site *all;
	size_t nr;

	all = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(all[i].caller, sites[site]))
			return &all[i].values;
	return &none;
}

static void book_around(struct kma_ledger *ledger)
{
	book(ledger, A, 0xffff8880, 100, 128, 0);
	book(ledger, A, 0xffff8890, 10, 16, 0);
	book(ledger, F, 0xffff8880, 0, 0, 1);
	book(ledger, F, 0xffff88a0, 0, 0, 0); /* unknown */
	book(ledger, LARGE, 0xffff9000, 9000, 16384, 0);
	EXPECT_EQ(kma_ledger_current(ledger, A), 16);
	kma_ledger_restart(ledger);
	EXPECT_EQ(kma_ledger_current(ledger, A), 16);
	EXPECT_EQ(kma_ledger_current(ledger, 1000000), 0);
	book(ledger, A, 0xffff88b0, 30, 32, 0);
	book(ledger, F, 0xffff8890, 0, 0, 0);
	/* the second event of a large one, the first of which was before */
	book(ledger, B, 0xffff9000, 9000, 16384, 0);
}

/* What is live stays, all else is of what comes; nothing goes below zero. */
TEST(restart)
{
	struct kma_account *account = NULL;
	struct kma_intern *intern = NULL;
	struct kma_ledger *ledger = NULL;
	uint64_t unknown = 7, implied = 7;

	intern = kma_intern_new();
	ledger = kma_ledger_create(intern);
	account = kma_account_create("log");
	for (uint32_t i = A; i <= B; i++)
		EXPECT_EQ(kma_intern(intern, KMA_KIND_KMALLOC, sites[i], strlen(sites[i])), i);
	book_around(ledger);
	EXPECT(!kma_ledger_close(ledger, account));
	EXPECT_EQ(row(account, A)->current, 32);
	EXPECT_EQ(row(account, A)->total, 32);
	EXPECT_EQ(row(account, A)->allocs, 1);
	EXPECT_EQ(row(account, A)->frees, 1);
	EXPECT_EQ(row(account, A)->peak, 48);
	EXPECT_EQ(row(account, A)->remote, 0);
	EXPECT_EQ(row(account, LARGE)->current, 0);
	EXPECT_EQ(row(account, LARGE)->total, 0);
	EXPECT_EQ(row(account, B)->total, 16384);
	EXPECT(kma_account_loss(account, KMA_LOSS_UNKNOWN_FREES, &unknown));
	EXPECT(kma_account_loss(account, KMA_LOSS_IMPLIED_FREES, &implied));
	EXPECT_EQ(unknown, 0);
	EXPECT_EQ(implied, 1);
	kma_account_destroy(account);
	kma_ledger_destroy(ledger);
	kma_intern_destroy(intern);
}

/* Of a counter that was at 7 at 1000 ns: by Python's fractions, to the ns below. */
static const struct {
	uint64_t rate, since, ns;
} counters[] = {
	{ 1, 5, 5000000000 },
	{ 24000000, 22705920000000001, 946080000000000041 }, /* 30 years */
	{ 62500000, 1099511627783, 17592186044528 },
	{ 1000000000, 4611686018427387903, 4611686018427387903 },
	{ 2793486123, 2793486123, 1000000000 },
	{ 2793486123, 1ULL << 63, 3301742564931573067 }, /* 104 years */
	{ 5000000000, 9223372036854788153U, 1844674407370957630 },
};

TEST(ticks)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(counters); i++) {
		struct kma_log_ticks ticks;

		kma_log_ticks_init(&ticks, 7, 1000, counters[i].rate);
		EXPECT_EQ(kma_log_ticks_ns(&ticks, 7), 1000);
		EXPECT_EQ(kma_log_ticks_ns(&ticks, 7 + counters[i].since), 1000 + counters[i].ns);
	}
}

/* Times before the log's beginning, and those that no clock has. */
TEST(ticks_at_the_ends)
{
	struct kma_log_ticks ticks = { 0 };

	EXPECT_EQ(kma_log_ticks_ns(&ticks, 12345), 12345);
	kma_log_ticks_init(&ticks, 3000000, 1000000, 3000000000);
	EXPECT_EQ(kma_log_ticks_ns(&ticks, 2999997), 999999);
	EXPECT_EQ(kma_log_ticks_ns(&ticks, 0), 0);
	kma_log_ticks_init(&ticks, 3000000000, 10, 3000000000);
	EXPECT_EQ(kma_log_ticks_ns(&ticks, 0), 0);
	kma_log_ticks_init(&ticks, 0, 1000, 1);
	EXPECT_EQ(kma_log_ticks_ns(&ticks, UINT64_MAX), UINT64_MAX);
	kma_log_ticks_init(&ticks, 0, 0, UINT64_MAX);
	EXPECT_EQ(kma_log_ticks_ns(&ticks, UINT64_MAX), 1000000000);
}

TEST(size_bins)
{
	EXPECT_EQ(kma_size_bin(0), 0);
	EXPECT_EQ(kma_size_bin(1), 1);
	EXPECT_EQ(kma_size_bin(2), 2);
	EXPECT_EQ(kma_size_bin(3), 3);
	EXPECT_EQ(kma_size_bin(4), 3);
	EXPECT_EQ(kma_size_bin(5), 4);
	EXPECT_EQ(kma_size_bin(1ULL << 63), KMA_SIZE_BINS - 2);
	EXPECT_EQ(kma_size_bin(UINT64_MAX), KMA_SIZE_BINS - 1);
}

TEST(medians)
{
	struct kma_objects_site site = { .freed = 5, .lives = { [3] = 2, [10] = 1, [63] = 2 } };

	EXPECT_EQ(kma_objects_median(&site), 1024);
	site.lives[3] = 3;
	EXPECT_EQ(kma_objects_median(&site), 8);
	site = (struct kma_objects_site){ .freed = 1, .lives = { [63] = 1 } };
	EXPECT_EQ(kma_objects_median(&site), 1ULL << 63);
}

TEST_MAIN()
