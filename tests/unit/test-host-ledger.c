// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-ledger.c - the ledger, the table of call sites and the booker. Random events are counted
 * beside a model that is a plain array.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "ktap.h"
#include "lib/cleanup.h"
#include "model/booker.h"
#include "model/ledger.h"
#include "rnd.h"

TEST(interning)
{
	struct kma_intern *intern;
	enum kma_kind kind;
	uint32_t a, b, c;
	size_t len;

	intern = kma_intern_new();
	EXPECT_EQ(kma_intern_count(intern), 1);
	EXPECT_STR(kma_intern_site(intern, KMA_INTERN_REST, &kind, &len), "[more call sites]");
	a = kma_intern(intern, KMA_KIND_KMALLOC, "foo+0x1/0x20xyz", 12);
	b = kma_intern(intern, KMA_KIND_CACHE, "foo+0x1/0x20", 12);
	c = kma_intern(intern, KMA_KIND_KMALLOC, "foo+0x1/0x2", 11);
	EXPECT(a && b && c && a != b && a != c && b != c);
	EXPECT_EQ(kma_intern(intern, KMA_KIND_KMALLOC, "foo+0x1/0x20", 12), a);
	EXPECT_STR(kma_intern_site(intern, b, &kind, &len), "foo+0x1/0x20");
	EXPECT_EQ(kind, KMA_KIND_CACHE);
	EXPECT_EQ(len, 12);
	EXPECT_EQ(kma_intern_count(intern), 4);
	EXPECT_EQ(kma_intern(intern, KMA_KIND_KMALLOC, "", 0), 4);
	kma_intern_destroy(intern);
}

/* All lengths, and texts that differ in one byte: none is taken for another. */
TEST(interning_is_exact)
{
	static uint32_t numbers[80][80];
	struct kma_intern *intern;
	char text[80];

	intern = kma_intern_new();
	for (int pass = 0; pass < 2; pass++)
		for (int len = 1; len < 80; len++)
			for (int at = 0; at < len; at++) {
				uint32_t number;

				memset(text, 'a', len);
				text[at] = 'b';
				number = kma_intern(intern, KMA_KIND_KMALLOC, text, len);
				if (!pass)
					numbers[len][at] = number;
				else if (numbers[len][at] != number)
					KTAP_FAIL("len %d at %d", len, at);
			}
	EXPECT_EQ(kma_intern_count(intern), 1 + 79 * 80 / 2);
	kma_intern_destroy(intern);
}

TEST(interning_ends)
{
	static char longest[KMA_INTERN_MAX_TEXT + 1];
	struct kma_intern *intern;
	char text[32];
	uint32_t last;

	intern = kma_intern_new();
	memset(longest, 'x', sizeof(longest));
	EXPECT_EQ(kma_intern(intern, KMA_KIND_CACHE, longest, sizeof(longest)), KMA_INTERN_REST);
	EXPECT_EQ(kma_intern(intern, KMA_KIND_CACHE, longest, sizeof(longest) - 1), 1);
	for (uint32_t i = 2; i < KMA_INTERN_MAX_SITES; i++) {
		int len = snprintf(text, sizeof(text), "f%u+0x1/0x2", i);

		last = kma_intern(intern, KMA_KIND_KMALLOC, text, len);
		if (last != i)
			break;
	}
	EXPECT_EQ(last, KMA_INTERN_MAX_SITES - 1);
	EXPECT_EQ(kma_intern(intern, KMA_KIND_KMALLOC, "new", 3), KMA_INTERN_REST);
	EXPECT_EQ(kma_intern(intern, KMA_KIND_KMALLOC, text, strlen(text)), last);
	EXPECT_EQ(kma_intern_count(intern), KMA_INTERN_MAX_SITES);
	kma_intern_destroy(intern);
}

/* Long texts end it sooner: memory, not the number of sites, is what is bounded. */
TEST(interning_ends_by_bytes)
{
	static char text[KMA_INTERN_MAX_TEXT];
	struct kma_intern *intern;
	uint32_t nr = 0;

	intern = kma_intern_new();
	memset(text, 'x', sizeof(text));
	for (; nr < 200000; nr++) {
		memcpy(text, &nr, sizeof(nr));
		if (!kma_intern(intern, KMA_KIND_CACHE, text, sizeof(text)))
			break;
	}
	EXPECT(nr > 90000 && nr < 100000);
	kma_intern_destroy(intern);
}

/* A ledger of texts, for the cases below. */
struct books {
	struct kma_intern *intern;
	struct kma_ledger *ledger;
	struct kma_account *account;
};

static void books_open(struct books *books)
{
	memset(books, 0, sizeof(*books));
	books->intern = kma_intern_new();
	books->account = kma_account_create("log");
	books->ledger = kma_ledger_create(books->intern);
}

static void books_free(struct books *books)
{
	kma_account_destroy(books->account);
	kma_ledger_destroy(books->ledger);
	kma_intern_destroy(books->intern);
}

/* alloc 0 is a free, of pages with req bytes */
static void book(struct books *books, const char *site, enum kma_kind kind, uint64_t ptr,
		 uint64_t req, uint64_t alloc, uint16_t cpu)
{
	struct kma_event event = {
		.ptr = ptr, .req = req, .alloc = alloc, .cpu = cpu, .kind = kind, .is_free = !alloc
	};

	if (event.is_free) {
		event.alloc = req;
		event.req = 0;
	}
	event.site = kma_intern(books->intern, kind, site, strlen(site));
	kma_ledger_book(books->ledger, &event, 1);
}

static void books_close(struct books *books)
{
	EXPECT(!kma_ledger_close(books->ledger, books->account));
	EXPECT(!kma_account_finish(books->account));
}

/* The row of a site; all zero when there is none. */
static const struct kma_values *row(const struct books *books, const char *caller)
{
	static const struct kma_values none;
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(books->account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(sites[i].caller, caller))
			return &sites[i].values;
	return &none;
}

static uint64_t loss(const struct books *books, enum kma_loss_id id)
{
	uint64_t events = 0;

	EXPECT(kma_account_loss(books->account, id, &events));
	return events;
}

TEST(rules)
{
	struct books books;

	books_open(&books);
	book(&books, "a+0x1/0x2", KMA_KIND_KMALLOC, 0xffff8880, 100, 128, 0);
	book(&books, "a+0x1/0x2", KMA_KIND_KMALLOC, 0xffff8890, 10, 16, 0);
	book(&books, "f+0x1/0x2", KMA_KIND_KMALLOC, 0xffff8880, 0, 0, 1); /* remote */
	book(&books, "b+0x1/0x2", KMA_KIND_CACHE, 0xffff8890, 30, 32, 0); /* implied */
	book(&books, "f+0x1/0x2", KMA_KIND_KMALLOC, 0xffff8890, 0, 0, 0); /* wrong */
	book(&books, "f+0x1/0x2", KMA_KIND_KMALLOC, 0xffff8890, 0, 0, 0); /* unknown */
	book(&books, "f+0x1/0x2", KMA_KIND_KMALLOC, 0, 0, 0, 0);
	book(&books, "g+0x1/0x2", KMA_KIND_KMALLOC, 0x10, 0, 0, 0);
	book(&books, "b+0x1/0x2", KMA_KIND_CACHE, 0, 30, 32, 0);	 /* failed */
	book(&books, "c+0x1/0x2", KMA_KIND_CACHE, 0xffff8890, 30, 8, 0); /* less than asked */
	books_close(&books);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->total, 144);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->current, 0);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->req, 0);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->peak, 144);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->allocs, 2);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->frees, 2);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->objects, 0);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->remote, 1);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->wrong, 0);
	EXPECT_EQ(row(&books, "b+0x1/0x2")->allocs, 1);
	EXPECT_EQ(row(&books, "b+0x1/0x2")->wrong, 1);
	EXPECT_EQ(row(&books, "c+0x1/0x2")->current, 30);
	EXPECT_EQ(row(&books, "c+0x1/0x2")->waste, 0);
	EXPECT_EQ(row(&books, "f+0x1/0x2")->frees, 1);
	EXPECT_EQ(row(&books, "f+0x1/0x2")->allocs, 0);
	EXPECT_EQ(loss(&books, KMA_LOSS_UNKNOWN_FREES), 1);
	EXPECT_EQ(loss(&books, KMA_LOSS_IMPLIED_FREES), 1);
	EXPECT_STR(kma_account_note(books.account, "frees of NULL"), "2");
	EXPECT_STR(kma_account_note(books.account, "allocations that failed"), "1");
	books_free(&books);
}

/* Two events of one large kmalloc; and what only looks like that. */
TEST(large_told_twice)
{
	static const char inner[] = "__kmalloc_noprof+0x2e0/0x3f0";
	struct books books;

	books_open(&books);
	/* a peak that stays, and is not topped by the first event */
	book(&books, inner, KMA_KIND_KMALLOC, 0xff008000, 9000, 12288, 0);
	book(&books, "f+0x1/0x2", KMA_KIND_KMALLOC, 0xff008000, 0, 0, 0);
	book(&books, inner, KMA_KIND_KMALLOC, 0xff000000, 16000, 16384, 0);
	/* an interrupt, and another CPU */
	book(&books, "irq+0x1/0x2", KMA_KIND_CACHE, 0xff770000, 60, 64, 0);
	book(&books, inner, KMA_KIND_KMALLOC, 0xff100000, 16000, 16384, 1);
	book(&books, "a+0x1/0x2", KMA_KIND_KMALLOC, 0xff000000, 16000, 16384, 0);
	book(&books, "a+0x1/0x2", KMA_KIND_KMALLOC, 0xff100000, 16000, 16384, 1);
	/* freed unseen, and given out again: not by the allocator's own function */
	book(&books, "a+0x1/0x2", KMA_KIND_KMALLOC, 0xff100000, 16000, 16384, 1);
	/* another size */
	book(&books, inner, KMA_KIND_KMALLOC, 0xff200000, 16000, 16384, 0);
	book(&books, "b+0x1/0x2", KMA_KIND_KMALLOC, 0xff200000, 16001, 16384, 0);
	/* the task has moved to another CPU */
	book(&books, inner, KMA_KIND_KMALLOC, 0xff300000, 16000, 16384, 0);
	book(&books, "c+0x1/0x2", KMA_KIND_KMALLOC, 0xff300000, 16000, 16384, 1);
	/* another CPU, but not by the allocator's own function */
	book(&books, "a+0x1/0x2", KMA_KIND_KMALLOC, 0xff500000, 16000, 16384, 0);
	book(&books, "a+0x1/0x2", KMA_KIND_KMALLOC, 0xff500000, 16000, 16384, 1);
	/* small */
	book(&books, inner, KMA_KIND_KMALLOC, 0xff400000, 8192, 8192, 0);
	book(&books, "b+0x1/0x2", KMA_KIND_KMALLOC, 0xff400000, 8192, 8192, 0);
	books_close(&books);
	EXPECT_STR(kma_account_note(books.account, "large allocations told twice"), "3");
	EXPECT_EQ(loss(&books, KMA_LOSS_IMPLIED_FREES), 4);
	EXPECT_EQ(row(&books, inner)->allocs, 3);
	EXPECT_EQ(row(&books, inner)->frees, 3);
	EXPECT_EQ(row(&books, "c+0x1/0x2")->allocs, 1);
	EXPECT_EQ(row(&books, "c+0x1/0x2")->current, 16384);
	EXPECT_EQ(row(&books, inner)->peak, 16384);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->allocs, 5);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->current, 3 * 16384);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->peak, 3 * 16384);
	books_free(&books);
}

/* Blocks of pages, freed as they come, against an array of their owners. */
TEST(pages_in_parts)
{
	enum { PAGES = 256, SITES = 4, STEPS = 60000 };
	static int owner[PAGES];
	static const char *const names[SITES] = { "p0+0x1/0x2", "p1+0x1/0x2", "p2+0x1/0x2",
						  "p3+0x1/0x2" };
	uint64_t current[SITES] = { 0 };
	struct books books;

	books_open(&books);
	memset(owner, -1, sizeof(owner));
	for (int step = 0; step < STEPS; step++) {
		unsigned int order = rnd(5), nr = 1 << order, first = rnd(PAGES / nr) * nr;
		uint64_t ptr = kma_ptr_page(0x100000 + first), bytes = 4096UL << order;
		unsigned int used = 0, site = rnd(SITES);

		for (unsigned int i = 0; i < nr; i++)
			used += owner[first + i] >= 0;
		if (!used) {
			book(&books, names[site], KMA_KIND_PAGE, ptr, bytes, bytes, 0);
			current[site] += bytes;
			for (unsigned int i = 0; i < nr; i++)
				owner[first + i] = site;
		} else if (used == nr) {
			book(&books, "f+0x1/0x2", KMA_KIND_PAGE, ptr, bytes, 0, 0);
			for (unsigned int i = 0; i < nr; i++) {
				current[owner[first + i]] -= 4096;
				owner[first + i] = -1;
			}
		}
	}
	books_close(&books);
	EXPECT_EQ(loss(&books, KMA_LOSS_UNKNOWN_FREES), 0);
	EXPECT_EQ(loss(&books, KMA_LOSS_IMPLIED_FREES), 0);
	for (int i = 0; i < SITES; i++) {
		EXPECT_EQ(row(&books, names[i])->current, current[i]);
		EXPECT_EQ(row(&books, names[i])->req, current[i]);
		EXPECT(row(&books, names[i])->objects * 4096 <= current[i]);
		EXPECT(!current[i] == !row(&books, names[i])->objects);
	}
	books_free(&books);
}

/*
 * The log lacks the free of a block, one page of which is allocated again. The rest of the block, which
 * a free of its first page leaves, takes the address of that page: an implied free.
 */
TEST(pages_in_parts_of_a_lost_free)
{
	const uint64_t ptr = kma_ptr_page(0x100000);
	struct books books;

	books_open(&books);
	book(&books, "a+0x1/0x2", KMA_KIND_PAGE, ptr, 16384, 16384, 0);
	book(&books, "b+0x1/0x2", KMA_KIND_PAGE, ptr + 4096, 4096, 4096, 0);
	book(&books, "f+0x1/0x2", KMA_KIND_PAGE, ptr, 4096, 0, 0);
	book(&books, "f+0x1/0x2", KMA_KIND_PAGE, ptr + 4096, 4096, 0, 0);
	book(&books, "f+0x1/0x2", KMA_KIND_PAGE, ptr + 8192, 8192, 0, 0);
	books_close(&books);
	EXPECT_EQ(loss(&books, KMA_LOSS_IMPLIED_FREES), 1);
	EXPECT_EQ(loss(&books, KMA_LOSS_UNKNOWN_FREES), 0);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->current, 0);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->objects, 0);
	EXPECT_EQ(row(&books, "b+0x1/0x2")->current, 0);
	EXPECT_EQ(row(&books, "b+0x1/0x2")->objects, 0);
	EXPECT_EQ(row(&books, "b+0x1/0x2")->frees, 1);
	books_free(&books);
}

/* A block whose neighbour would be past the last address; no kernel has one. */
TEST(pages_at_the_end)
{
	const uint64_t last = 3UL << 62;
	struct books books;

	books_open(&books);
	book(&books, "a+0x1/0x2", KMA_KIND_PAGE, last, 16384, 16384, 0);
	alarm(600); /* the end of an endless loop; a busy machine needs seconds */
	book(&books, "a+0x1/0x2", KMA_KIND_PAGE, last + 4096, 4096, 0, 0);
	alarm(0);
	books_close(&books);
	EXPECT_EQ(row(&books, "a+0x1/0x2")->current, 12288);
	books_free(&books);
}

TEST(sums_that_do_not_fit)
{
	struct books books;
	struct kma_err *err;

	books_open(&books);
	for (int i = 1; i < 4; i++)
		book(&books, "a+0x1/0x2", KMA_KIND_KMALLOC, i * 0x100, 1UL << 63, 1UL << 63, 0);
	err = kma_ledger_close(books.ledger, books.account);
	REQUIRE(err);
	EXPECT_STR(err->message, "the sum of the allocations exceeds 64 bits");
	kma_err_destroy(err);
	books_free(&books);

	books_open(&books);
	book(&books, "a+0x1/0x2", KMA_KIND_KMALLOC, 0x100, 1UL << 63, 1UL << 63, 0);
	book(&books, "b+0x1/0x2", KMA_KIND_KMALLOC, 0x200, 1UL << 63, 1UL << 63, 0);
	err = kma_ledger_close(books.ledger, books.account);
	EXPECT(err);
	kma_err_destroy(err);
	books_free(&books);
}

TEST(left_out)
{
	struct books books;

	books_open(&books);
	book(&books, "[slabs]", KMA_KIND_PAGE, kma_ptr_page(1), 4096, 4096, 0);
	book(&books, "a+0x1/0x2", KMA_KIND_CACHE, 0xff00, 64, 64, 0);
	kma_ledger_leave_out(books.ledger, kma_intern(books.intern, KMA_KIND_PAGE, "[slabs]", 7));
	books_close(&books);
	EXPECT_EQ(kma_account_total(books.account)->current, 64);
	EXPECT_STR(kma_account_note(books.account, "[slabs]"), "4096");
	books_free(&books);
}

/* More events than the ring holds, booked by the thread: the same as booked at once. */
TEST(booker)
{
	enum { EVENTS = 300000 };
	struct kma_booker *booker;
	struct books one, two;

	books_open(&one);
	books_open(&two);
	for (int i = 1; i < 50; i++) {
		char text[16];
		int len = snprintf(text, sizeof(text), "s%d+0x1/0x2", i);

		kma_intern(one.intern, KMA_KIND_KMALLOC, text, len);
		kma_intern(two.intern, KMA_KIND_KMALLOC, text, len);
	}
	booker = kma_booker_create(two.ledger);
	for (int i = 0; i < EVENTS; i++) {
		struct kma_event event = { .ptr = 64 * (1 + rnd(5000)),
					   .req = 50,
					   .alloc = 64,
					   .site = 1 + rnd(49),
					   .cpu = rnd(4),
					   .kind = KMA_KIND_KMALLOC,
					   .is_free = rnd(2) };
		struct kma_batch *batch = kma_booker_batch(booker);

		kma_ledger_book(one.ledger, &event, 1);
		batch->events[batch->nr++] = event;
		if (batch->nr == KMA_BATCH_EVENTS)
			kma_booker_submit(booker);
	}
	kma_booker_finish(booker);
	kma_booker_destroy(booker);
	EXPECT_EQ(kma_ledger_booked(two.ledger), EVENTS);
	books_close(&one);
	books_close(&two);
	for (int i = 1; i < 50; i++) {
		char text[32];

		snprintf(text, sizeof(text), "s%d+0x1/0x2", i);
		EXPECT(row(&one, text)->allocs > 1000);
		EXPECT(!memcmp(row(&one, text), row(&two, text), sizeof(struct kma_values)));
	}
	books_free(&one);
	books_free(&two);
}

TEST_MAIN()
