// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-reader.c - host/reader and host/model/account: what is read, what is
 * refused and with which line, and what a caller text means.
 */
#include <stdlib.h>

#include "lib/cleanup.h"
#include "lib/err.h"
#include "model/account.h"
#include "reader/reader.h"

#include "ktap.h"

#define SIX                                                              \
	"total bytes allocated:    100\ntotal bytes requested:     90\n" \
	"slack bytes allocated:     10\nnumber of allocs:           7\n" \
	"number of frees:            3\nnumber of callers:          1\n"
#define LOSSES "frees of unknown objects: 5\nimplied frees: 0\nevents not recorded: 2\n"
#define COLS   "   total    slack      req alloc/free  caller\n"
#define ROW    "     100       10       90     7/3     foo+0x1/0x20\n"

/* In blocks of @block bytes; 0 is one block. */
static struct kma_account *account_of_bytes(const char *text, size_t len, size_t block,
					    struct kma_err **err)
{
	struct kma_account *account = NULL;
	struct kma_input *input;

	*err = kma_input_memory("in", text, len, block, &input);
	if (*err)
		return NULL;
	*err = kma_reader_read(input, &account);
	kma_input_close(input);
	return account;
}

static struct kma_account *account_of(const char *text, struct kma_err **err)
{
	return account_of_bytes(text, strlen(text), 0, err);
}

/* An input, the line of its error (0: none), and words of the message. */
struct input_case {
	const char *text;
	unsigned int line;
	const char *words;
};

static const struct input_case input_cases[] = {
	{ SIX LOSSES "\n" COLS ROW, 0, NULL },
	{ SIX "\n" COLS ROW, 0, NULL }, /* the older form has six lines */
	{ SIX LOSSES "kernel release: 6.1\nsomething new: a b: c\n\n" COLS ROW, 0, NULL },
	{ SIX "\r\n" COLS ROW, 0, NULL },
	{ SIX "\n" COLS, 0, NULL },
	{ SIX "\n" COLS ROW "\n", 0, NULL },
	{ SIX "\n caller\n foo+0x1/0x2\n", 0, NULL },
	{ SIX "\n total caller\n 100 foo+0x1/0x2\n", 0, NULL },
	{ "", 1, "empty" },
	{ "total", 1, "truncated in the header" },
	{ "total bytes xx: 1\n", 1, "unknown type of input" },
	{ SIX, 7, "truncated in the header" },
	{ SIX LOSSES, 10, "truncated in the header" },
	{ SIX "\n", 8, "names of the columns" },
	{ SIX "\n   total    slack", 8, "names of the columns" },
	{ SIX "\n" COLS "  100", 9, "truncated in a row" },
	{ SIX "\n" COLS "  100  10  90  7/3  foo+0x1/0x20", 9, "truncated in a row" },
	{ SIX "\n total slack rek alloc/free caller\n", 8, "unknown column 'rek'" },
	{ SIX "\n total slack\n", 8, "last column" },
	{ SIX "\n\n" COLS ROW, 8, "last column" },
	{ SIX "\n" COLS "  100  11  90  7/3  foo\n", 9, "slack + req" },
	{ SIX "\n" COLS "  100  10  90  7/-3  foo\n", 9, "free is negative" },
	{ SIX "\n" COLS "  100  10  90  7/  foo\n", 9, "free is not a number" },
	{ SIX "\n" COLS "  0x10  10  90  7/3  foo\n", 9, "total is not a number" },
	{ SIX "\n" COLS "  100  10  90  7/3x  foo\n", 9, "alloc/free is not a number" },
	{ SIX "\n" COLS "  100  10  90  7/3\n", 9, "no caller" },
	{ SIX "implied frees: -1\n\n" COLS ROW, 7, "negative" },
	{ SIX "implied frees: 1 2\n\n" COLS ROW, 7, "not a number" },
	{ SIX "number of frees: 3\n\n" COLS ROW, 7, "twice" },
	{ SIX ": 3\n\n" COLS ROW, 7, "key: value" },
};

TEST(inputs)
{
	for (size_t i = 0; i < ARRAY_SIZE(input_cases); i++) {
		const struct input_case *c = &input_cases[i];
		struct kma_account *account;
		struct kma_err *err;

		account = account_of_bytes(c->text, strlen(c->text), i % 3 * 16, &err);
		if (!!err != !!c->words || !!account == !!c->words)
			KTAP_FAIL("case %zu: %s", i, err ? err->message : "is not refused");
		if (err) {
			EXPECT_STR(err->file, "in");
			EXPECT_EQ(err->line, c->line);
			if (c->words && !strstr(err->message, c->words))
				KTAP_FAIL("case %zu: \"%s\" lacks \"%s\"", i, err->message,
					  c->words);
		}
		kma_err_destroy(err);
		kma_account_destroy(account);
	}
	EXPECT_EQ(ARRAY_SIZE(input_cases), 30);
}

TEST(values)
{
	struct kma_account *account;
	const struct kma_site *sites;
	struct kma_err *err;
	uint64_t events;
	size_t nr;

	account = account_of(SIX LOSSES "kernel release: 6.1.0\n\n" COLS ROW, &err);
	REQUIRE(account);
	sites = kma_account_sites(account, &nr);
	REQUIRE(nr == 1);
	EXPECT_STR(sites[0].caller, "foo+0x1/0x20");
	EXPECT_EQ(sites[0].values.current, 100);
	EXPECT_EQ(sites[0].values.waste, 10);
	EXPECT_EQ(sites[0].values.req, 90);
	EXPECT_EQ(sites[0].values.allocs, 7);
	EXPECT_EQ(sites[0].values.frees, 3);
	EXPECT_EQ(kma_account_metrics(account), 1 << KMA_CURRENT | 1 << KMA_REQUESTED |
							1 << KMA_WASTE | 1 << KMA_ALLOCS |
							1 << KMA_FREES);
	EXPECT(kma_account_loss(account, KMA_LOSS_UNKNOWN_FREES, &events));
	EXPECT_EQ(events, 5);
	EXPECT(kma_account_loss(account, KMA_LOSS_NOT_RECORDED, &events));
	EXPECT_EQ(events, 2);
	EXPECT_STR(kma_account_note(account, "kernel release"), "6.1.0");
	EXPECT(!kma_account_note(account, "kernel"));
	EXPECT(!kma_account_warning(account, 0));
	kma_account_destroy(account);
}

/* A sum is right, or refused; room for the sites is made by what is told or not. */
TEST(sums_of_64_bits)
{
	static const struct {
		uint64_t current, expected;
		unsigned int fit; /* so many such sites */
	} sums[] = {
		{ UINT64_MAX, 0, 1 },
		{ 1ULL << 63, 1, 1 },
		{ (1ULL << 63) - 1, 2, 2 },
		{ 1ULL << 60, 1000, 15 },
		{ (1ULL << 60) - 1, 1000001, 16 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(sums); i++) {
		const struct kma_values values = { .current = sums[i].current, .allocs = 1 };
		struct kma_account *account;
		size_t nr;

		account = kma_account_create("sums");
		kma_account_expect(account, sums[i].expected);
		for (unsigned int n = 0; n < sums[i].fit; n++)
			EXPECT(!kma_account_add_site(account, "f+0x1/0x2", 9, &values));
		EXPECT_EQ(kma_account_total(account)->current, sums[i].current * sums[i].fit);
		kma_err_destroy(kma_account_add_site(account, "f+0x1/0x2", 9, &values));
		EXPECT_EQ(kma_account_total(account)->allocs, sums[i].fit);
		kma_account_sites(account, &nr);
		EXPECT_EQ(nr, sums[i].fit);
		kma_account_destroy(account);
	}
}

TEST(absent_is_not_zero)
{
	struct kma_account *account;
	struct kma_err *err;
	uint64_t events;

	account = account_of(SIX "\n total req caller\n 100 90 foo+0x1/0x20\n", &err);
	REQUIRE(account);
	EXPECT_EQ(kma_account_metrics(account), 1 << KMA_CURRENT | 1 << KMA_REQUESTED);
	EXPECT(!kma_account_loss(account, KMA_LOSS_IMPLIED_FREES, &events));
	err = kma_metric_check(1U << KMA_WASTE, kma_account_metrics(account));
	REQUIRE(err);
	EXPECT_STR(err->message,
		   "no attribute 'waste' in this input (available: current_dynamic, requested)");
	kma_err_destroy(err);
	kma_account_destroy(account);
}

TEST(header_and_rows)
{
	struct kma_account *account;
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	account = account_of(SIX "\n" COLS "  60  10  50  7/1  foo+0x1/0x20\n", &err);
	REQUIRE(account);
	sites = kma_account_sites(account, &nr);
	REQUIRE(nr == 2);
	EXPECT_STR(sites[1].caller, KMA_SITE_MISSING);
	EXPECT(sites[1].named);
	EXPECT_EQ(sites[1].values.current, 40);
	EXPECT_EQ(sites[1].values.frees, 2);
	EXPECT_EQ(kma_account_total(account)->current, 100);
	EXPECT_EQ(kma_account_total(account)->frees, 3);
	EXPECT(kma_account_warning(account, 0));
	kma_account_destroy(account);

	account = account_of(SIX "\n" COLS ROW ROW, &err);
	REQUIRE(account);
	kma_account_sites(account, &nr);
	EXPECT_EQ(nr, 2);
	EXPECT_EQ(kma_account_total(account)->current, 200);
	EXPECT(kma_account_warning(account, 0));
	kma_account_destroy(account);
}

/* A caller that is longer than any, and the next one has a place and it has none. */
TEST(sites_that_are_gathered)
{
	static const char head[] = "kmem_account sites 1\n"
				   "# total\tslack\treq\tfile\toffset\tbuild_id\tcaller\n";
	enum { LONG = 2000 };
	char text[2 * LONG], x[LONG + 1];
	struct kma_account *account;
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	memset(x, 'x', LONG);
	x[LONG] = '\0';
	for (unsigned int next = 0; next < 2; next++) {
		snprintf(text, sizeof(text), "%s7\t0\t7\tvmlinux\t0x10\tabcd\t%s\n%s", head, x,
			 next ? "1\t0\t1\tvmlinux\t0x20\tabcd\tf+0x1/0x2\n" : "");
		account = account_of(text, &err);
		REQUIRE(account);
		sites = kma_account_sites(account, &nr);
		REQUIRE(nr == 1 + next);
		EXPECT_STR(sites[0].caller, "[more call sites]");
		EXPECT_EQ(sites[0].values.current, 7);
		EXPECT(!sites[0].build_id);
		EXPECT(!next || sites[1].text == 0x20);
		kma_account_destroy(account);
	}
}

/* What %pS may print, and what it means. */
static const struct {
	const char *caller, *symbol, *module;
	uint64_t offset, size;
	bool named;
} callers[] = {
	{ "foo+0x33/0x90", "foo", NULL, 0x33, 0x90, false },
	{ "foo+0x33/0x90 [ext4]", "foo", "ext4", 0x33, 0x90, false },
	{ "foo+0x33/0x90 [ext4 0123abc]", "foo", "ext4", 0x33, 0x90, false },
	{ "foo.isra.0+0x4b/0x150", "foo.isra.0", NULL, 0x4b, 0x150, false },
	{ "foo+0x33", "foo", NULL, 0x33, 0, false },
	{ "foo+0x33 [ext4]", "foo", "ext4", 0x33, 0, false },
	{ "a+b+0x1/0x2", "a+b", NULL, 1, 2, false },
	{ "0xffffffff81234567", NULL, NULL, 0xffffffff81234567, 0, false },
	{ "c104dd2f", NULL, NULL, 0xc104dd2f, 0, false },
	{ "ffffffff81234567", NULL, NULL, 0xffffffff81234567, 0, false },
	{ "c104dd2", NULL, NULL, 0, 0, true },
	{ "c104dd2g", NULL, NULL, 0, 0, true },
	{ "[site table full]", NULL, NULL, 0, 0, true },
	{ "foo", NULL, NULL, 0, 0, true },
	{ "+0x1/0x2", NULL, NULL, 0, 0, true },
	{ "foo+0x", NULL, NULL, 0, 0, true },
	{ "foo+33/0x90", NULL, NULL, 0, 0, true },
	{ "foo+0x33/", NULL, NULL, 0, 0, true },
	{ "foo+0x33/0x90x", NULL, NULL, 0, 0, true },
	{ "foo+0xfffffffffffffffff/0x1", NULL, NULL, 0, 0, true },
	{ " [x]", NULL, NULL, 0, 0, true },
};

TEST(caller_texts)
{
	for (size_t i = 0; i < ARRAY_SIZE(callers); i++) {
		char text[64];
		struct kma_site site;

		snprintf(text, sizeof(text), "%s", callers[i].caller);
		kma_site_parse(text, &site);
		if (!callers[i].symbol)
			EXPECT(!site.symbol);
		else
			EXPECT_STR(site.symbol, callers[i].symbol);
		if (!callers[i].module)
			EXPECT(!site.module);
		else
			EXPECT_STR(site.module, callers[i].module);
		EXPECT_EQ(site.offset, callers[i].offset);
		EXPECT_EQ(site.size, callers[i].size);
		EXPECT_EQ(site.named, callers[i].named);
	}
}

#define PERF                                                                                 \
	"----------\n Callsite | Total_alloc/Per | Total_req/Per | Hit | Ping-pong | Frag\n" \
	"----------\n foo+1 | 128/64 | 100/50 | 2 | 0 | 0.000%\n----------\n"
#define GRAPH                                                     \
	" 4.1 | 1) sh-104 |               |  __alloc_pages() {\n" \
	" 4.1 | 1) sh-104 | ! 359.104 us  |  } /* __alloc_pages */\n"
#define OWNER                                                       \
	"Page allocated via order 0, mask 0x0(), pid 1, ts 1 ns\n"  \
	"PFN 1 type Unmovable Block 0 type Unmovable Flags 0x0()\n" \
	" foo+0x1/0x20\n"

/* Messages in front of what a program prints: what is read, or refused, behind how many lines. */
static const struct {
	const char *line; /* printf() format with the number of the line; 34 or 35 bytes */
	const char *text;
	unsigned int lines[3];
	const char *words; /* of the error; NULL: there is one site */
} behind_cases[] = {
	{ "Warning: some (line), of perf %4u\n", PERF, { 0, 250, 1800 }, NULL },
	{ "CPU %4u is empty, so not printed\n", GRAPH, { 0, 260, 1800 }, NULL },
	{ "CPU %4u: f(); } and g() { } too!\n", GRAPH, { 0, 260, 1800 }, NULL },
	{ "Warning: some (line), of perf %4u\n", PERF, { 2000, 2100, 5000 }, NULL },
	{ "CPU %4u is empty, so not printed\n", GRAPH, { 2100, 2200, 5000 }, NULL },
	{ "CPU %4u is empty, so not printed\n", OWNER, { 260, 300, 1000 }, NULL },
	/* behind the first MiB */
	{ "Warning: some (line), of perf %4u\n", PERF, { 33000, 34000, 35000 }, "unknown type" },
	{ "CPU %4u is empty, so not printed\n", GRAPH, { 33000, 34000, 35000 }, "unknown type" },
	{ "CPU %4u is empty, so not printed\n", "", { 240, 260, 1000 }, "unknown type" },
	/* no end of a line for long */
	{ "a message of perf with number %4u ", "\n" PERF, { 250, 300, 1800 }, NULL },
};

TEST(behind_text)
{
	static char text[35001 * 40];

	for (size_t i = 0; i < 3 * ARRAY_SIZE(behind_cases); i++) {
		const char *words = behind_cases[i / 3].words;
		struct kma_account *account;
		struct kma_err *err;
		size_t len = 0, nr = 0;

		for (unsigned int k = 0; k < behind_cases[i / 3].lines[i % 3]; k++)
			len += sprintf(text + len, behind_cases[i / 3].line, k);
		len += sprintf(text + len, "%s", behind_cases[i / 3].text);
		account = account_of_bytes(text, len, 0, &err);
		if (!!err != !!words || (err && !strstr(err->message, words)))
			KTAP_FAIL("case %zu: %s", i, err ? err->message : "is not refused");
		if (account)
			kma_account_sites(account, &nr);
		EXPECT_EQ(nr, !words);
		kma_err_destroy(err);
		kma_account_destroy(account);
	}
}

/* Any cut and any changed byte is read or refused, and never crashes. */
TEST(damage)
{
	static const char whole[] = SIX LOSSES "\n" COLS ROW "  0 0 0 1/1 bar+0x2/0x9 [m]\n";
	unsigned int read = 0, refused = 0, seed = 1;
	char text[sizeof(whole)];

	for (unsigned int i = 0; i < 20000; i++) {
		size_t len = i < sizeof(whole) ? i : sizeof(whole) - 1;
		struct kma_account *account;
		struct kma_err *err;

		memcpy(text, whole, sizeof(whole));
		if (i >= sizeof(whole))
			for (int k = 0; k < 3; k++) {
				seed = seed * 1103515245 + 12345;
				text[(seed >> 8) % len] = seed >> 24;
			}
		text[len] = '\0';
		account = account_of_bytes(text, len, i % 2 * 64, &err);
		read += !err;
		refused += err && err->line;
		kma_err_destroy(err);
		kma_account_destroy(account);
	}
	EXPECT_EQ(read + refused, 20000);
	EXPECT(read > 100);
	EXPECT(refused > 1000);
}

TEST_MAIN()
