// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-page-table.c - host/heap/page-table.c: page tables that an independent script makes
 * (page-tables.py), of x86-64 and arm64, with all sizes of pages. The form of the tables is found by one
 * address, and then leads where the script says.
 */
#include <libgen.h>
#include <stdlib.h>

#include "heap/page-table.h"
#include "lib/array.h"
#include "lib/cleanup.h"

#include "ktap.h"

#define BASE	UINT64_C(0xffff900000000000)	/* where physical addresses can be read */
#define SEEDS	4

struct pair {
	uint64_t at, value;
};

struct made {
	uint64_t top;
	struct pair *words, *pages;
	size_t nr_words, room_words, nr_pages, room_pages;
};

/* The words are sorted by address. */
static bool word(void *arg, uint64_t addr, uint64_t *ret)
{
	const struct made *made = arg;
	uint64_t at = addr - BASE;
	size_t i = kma_array_search(made->nr_words, n, made->words[n].at < at);
	bool is = i < made->nr_words && made->words[i].at == at;

	*ret = is ? made->words[i].value : 0;
	return true;
}

static void line(struct made *made, const char *text)
{
	char kind[8], value[24] = "";
	struct pair pair = { 0 };

	if (sscanf(text, "%7s %lx %23s", kind, &pair.at, value) < 2)
		return;
	pair.value = strcmp(value, "none") ? strtoull(value, NULL, 16) : KMA_PAGE_TABLE_NONE;
	if (!strcmp(kind, "top")) {
		made->top = pair.at;
	} else if (!strcmp(kind, "word")) {
		kma_array_room(made->words, made->nr_words, made->room_words);
		made->words[made->nr_words++] = pair;
	} else {
		kma_array_room(made->pages, made->nr_pages, made->room_pages);
		made->pages[made->nr_pages++] = pair;
	}
}

static bool make(struct made *made, const char *words, int seed)
{
	char file[] = __FILE__, command[512], text[128];
	FILE *f;

	*made = (struct made){ 0 };
	snprintf(command, sizeof(command), "python3 %s/page-tables.py %s %d", dirname(file), words, seed);
	f = popen(command, "r");
	while (f && fgets(text, sizeof(text), f))
		line(made, text);
	return f && !pclose(f) && made->nr_pages;
}

static void compare(const struct made *made, const char *symbol, unsigned int granule)
{
	struct kma_page_table table = { .top = BASE + made->top, .base = BASE };
	const struct kma_words words = { word, (void *)made };
	const struct pair *known = made->pages;
	size_t mapped = 0;

	EXPECT(!kma_page_table_find(&table, symbol, &words, known->at, known->value + KMA_HEAP_PAGE));
	EXPECT(!table.form);
	EXPECT(!kma_page_table_find(&table, "another_table", &words, known->at, known->value));
	REQUIRE(kma_page_table_find(&table, symbol, &words, known->at, known->value));
	EXPECT_EQ(table.form->page_shift, granule);
	for (size_t i = 0; i < made->nr_pages; i++) {
		EXPECT_EQ(kma_page_table_walk(&table, &words, made->pages[i].at), made->pages[i].value);
		mapped += made->pages[i].value != KMA_PAGE_TABLE_NONE;
	}
	EXPECT(mapped > 100 && mapped < made->nr_pages);
}

static void forms(const char *words, const char *symbol, unsigned int granule)
{
	for (int seed = 0; seed < SEEDS; seed++) {
		struct made made;

		EXPECT(make(&made, words, seed));
		if (made.nr_pages)
			compare(&made, symbol, granule);
		free(made.words);
		free(made.pages);
	}
}

TEST(x86)
{
	forms("x86 12 48", "init_top_pgt", 12);
	forms("x86 12 57", "init_top_pgt", 12);
}

TEST(arm_4k)
{
	forms("arm 12 39", "swapper_pg_dir", 12);
	forms("arm 12 48", "swapper_pg_dir", 12);
	forms("arm 12 52", "swapper_pg_dir", 12);
}

TEST(arm_16k)
{
	forms("arm 14 47", "swapper_pg_dir", 14);
	forms("arm 14 48", "swapper_pg_dir", 14);
	forms("arm 14 52", "swapper_pg_dir", 14);
}

TEST(arm_64k)
{
	forms("arm 16 42", "swapper_pg_dir", 16);
	forms("arm 16 48", "swapper_pg_dir", 16);
	forms("arm 16 52", "swapper_pg_dir", 16);
}

/*
 * The first address of the direct map has the index 0 in all levels, so it alone does not tell pages
 * of 64 KiB in 48 bits from those of 4 KiB in 39.
 */
TEST(first_address)
{
	const uint64_t direct = UINT64_C(0xffff000000000000), ram = 0x40000000;
	struct pair made[18] = { { 0x10000, 0x20003 }, { 0x20000, 0x30003 } };
	struct made machine = { .words = made, .nr_words = ARRAY_SIZE(made) };
	struct kma_page_table table = { .top = BASE + 0x10000, .base = BASE };
	const struct kma_words words = { word, &machine };

	for (uint64_t i = 0; i < 16; i++)
		made[2 + i] = (struct pair){ 0x30000 + 8 * i, (ram + (i << 16)) | 3 };
	REQUIRE(kma_page_table_find(&table, "swapper_pg_dir", &words, direct, ram));
	EXPECT_EQ(table.form->page_shift, 16);
	EXPECT_EQ(kma_page_table_walk(&table, &words, direct + 0x3f000), ram + 0x3f000);
}

/* Memory that a dump of an encrypted machine describes: one bit of each entry is not of the address. */
TEST(encrypted)
{
	const struct kma_page_table_form *form = kma_page_table_x86(false);
	struct pair made[] = { { 0x1000 + 8 * 511, 0x8000000002001 },
			       { 0x2000 + 8 * 511, 0x8000000003001 },
			       { 0x3000 + 8 * 511, 0x80000000e0081 | 0x40000000 } };
	struct made machine = { .words = made, .nr_words = ARRAY_SIZE(made) };
	struct kma_page_table table = { form, BASE + 0x1000, BASE, 0x8000000000000 };
	const struct kma_words words = { word, &machine };

	EXPECT_EQ(kma_page_table_walk(&table, &words, UINT64_MAX), 0x40000000 + 0x1ff000);
}

TEST_MAIN()
