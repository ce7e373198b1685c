// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-site.c - the table of call sites alone, on one thread.
 */
#include "account/site.h"
#include "caller/site_name.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"

#define TEXT	KMA_TEXT
#define MODULE_BASE	0xffffffffc0000000ul

static int start(unsigned int max)
{
	shim_init();
	shim_cpu = 0;
	return tables_init(max);
}

TEST(an_id_is_given_once)
{
	unsigned int a, b;

	REQUIRE(!start(100));
	EXPECT_EQ(kma_site_nr(), 1);
	a = kma_site_id(TEXT, KMA_KIND_KMALLOC);
	b = kma_site_id(TEXT + 5, KMA_KIND_KMALLOC);
	EXPECT(a != b);
	EXPECT(a != KMA_SITE_OTHER && b != KMA_SITE_OTHER);
	EXPECT_EQ(kma_site_id(TEXT, KMA_KIND_KMALLOC), a);
	EXPECT_EQ(kma_site_id(TEXT + 5, KMA_KIND_KMALLOC), b);
	EXPECT_EQ(kma_site_nr(), 3);
	tables_deinit();
}

static void meet_the_neighbour(void)
{
	kma_site_id(TEXT + kma_site_mask + 1, KMA_KIND_KMALLOC);
}

/* Two sites want a slot: one looks at it while it is free, and then the other gets it. */
TEST(who_loses_a_free_slot_is_another_site)
{
	unsigned int mine;

	REQUIRE(!start(100));
	shim_other_cpu = meet_the_neighbour;
	shim_other_cpu_at = 1;
	mine = kma_site_id(TEXT, KMA_KIND_KMALLOC);
	EXPECT_EQ(shim_other_cpu_at, 0);
	EXPECT_EQ(kma_site_nr(), 3);
	EXPECT_EQ(kma_sites.sites[mine].call_site, TEXT);
	EXPECT_EQ(kma_site_id(TEXT, KMA_KIND_KMALLOC), mine);
	EXPECT(kma_site_id(TEXT + kma_site_mask + 1, KMA_KIND_KMALLOC) != mine);
	tables_deinit();
}

/* The same site: it has one id. */
static void meet_the_same(void)
{
	kma_site_id(TEXT, KMA_KIND_KMALLOC);
}

TEST(a_site_that_two_meet_first_has_one_id)
{
	REQUIRE(!start(100));
	shim_other_cpu = meet_the_same;
	shim_other_cpu_at = 1;
	EXPECT_EQ(kma_site_id(TEXT, KMA_KIND_KMALLOC), 1);
	EXPECT_EQ(kma_site_nr(), 2);
	tables_deinit();
}

TEST(a_full_table_keeps_its_sites_and_books_the_rest_to_other)
{
	enum { MAX = 5000 };

	REQUIRE(!start(MAX));
	for (int i = 0; i < MAX; i++)
		EXPECT_EQ(kma_site_id(TEXT + 16 * i, KMA_KIND_KMALLOC), i + 1);
	for (int i = 0; i < MAX; i++)
		EXPECT_EQ(kma_site_id(MODULE_BASE + 16 * i, KMA_KIND_KMALLOC), KMA_SITE_OTHER);
	for (int i = 0; i < MAX; i++)
		EXPECT_EQ(kma_site_id(TEXT + 16 * i, KMA_KIND_KMALLOC), i + 1);
	EXPECT_EQ(kma_site_nr(), MAX + 1);
	tables_deinit();
}

/* Code of which the kernel does not say where it puts it: BPF's on arm64. */
TEST(far_sites_are_known_by_their_whole_address)
{
	/* the first and the last that are near, others with their low halves, and those beside */
	static const unsigned long sites[] = {
		KMA_TEXT - SZ_2G, KMA_TEXT - SZ_2G - (1ul << 32), KMA_TEXT - SZ_2G - (5ul << 32),
		KMA_TEXT - SZ_2G - 4, KMA_TEXT - SZ_2G + (1ul << 32), TEXT, TEXT - (1ul << 32),
		TEXT - (1ul << 46),
	};
	unsigned int ids[ARRAY_SIZE(sites)];

	/* whichever comes first */
	for (size_t first = 0; first < ARRAY_SIZE(sites); first++) {
		REQUIRE(!start(100));
		for (size_t n = 0; n < ARRAY_SIZE(sites); n++) {
			size_t i = (first + n) % ARRAY_SIZE(sites);

			ids[i] = kma_site_id(sites[i], KMA_KIND_KMALLOC);
			EXPECT_EQ(ids[i], n + 1);
			kma_site_learn(ids[i], 8, "");
		}
		for (size_t i = 0; i < ARRAY_SIZE(sites); i++)
			EXPECT_EQ(kma_site_id(sites[i], KMA_KIND_KMALLOC), ids[i]);
		tables_deinit();
	}
}

static bool in_far_code(unsigned long addr, void *arg)
{
	return addr == TEXT - (1ul << 32);
}

TEST(a_far_site_retires_alone)
{
	unsigned int near, far, after;

	REQUIRE(!start(100));
	far = kma_site_id(TEXT - (1ul << 32), KMA_KIND_KMALLOC);
	near = kma_site_id(TEXT, KMA_KIND_KMALLOC);
	EXPECT_EQ(kma_site_name_keep(in_far_code, NULL), 1);
	after = kma_site_id(TEXT - (1ul << 32), KMA_KIND_KMALLOC);
	EXPECT(after != far && after != near);
	EXPECT_EQ(kma_site_id(TEXT, KMA_KIND_KMALLOC), near);
	tables_deinit();
}

static bool in_module(unsigned long addr, void *arg)
{
	return addr >= MODULE_BASE && addr < MODULE_BASE + *(unsigned long *)arg;
}

TEST(a_site_of_an_unloaded_module_keeps_its_name)
{
	unsigned long size = 0x1000;
	unsigned int before, after, kernel;
	char name[KSYM_SYMBOL_LEN];

	REQUIRE(!start(10));
	kernel = kma_site_id(TEXT, KMA_KIND_KMALLOC);
	before = kma_site_id(MODULE_BASE + 0x123, KMA_KIND_KMALLOC);
	EXPECT_EQ(kma_site_name_keep(in_module, &size), 1);
	EXPECT_EQ(kma_site_name_keep(in_module, &size), 0);
	/* another module at the same place */
	after = kma_site_id(MODULE_BASE + 0x123, KMA_KIND_KMALLOC);
	EXPECT(after != before);
	EXPECT_EQ(kma_site_id(MODULE_BASE + 0x123, KMA_KIND_KMALLOC), after);
	EXPECT_EQ(kma_site_id(TEXT, KMA_KIND_KMALLOC), kernel);
	kma_site_name(before, MODULE_BASE + 0x123, name);
	EXPECT_STR(name, "sym_ffffffffc0000123+0x0/0x10");
	EXPECT_EQ(kma_site_name_keep(in_module, &size), 1);
	EXPECT(kma_site_id(MODULE_BASE + 0x123, KMA_KIND_KMALLOC) != after);
	tables_deinit();
}

TEST(a_site_is_learnt_with_its_first_object)
{
	unsigned int id;

	REQUIRE(!start(10));
	id = kma_site_id(TEXT, KMA_KIND_KMALLOC);
	EXPECT(!kma_site_learnt(id));
	kma_site_learn(id, 64, "cache");
	EXPECT(kma_site_learnt(id));
	kma_site_learn(id, 128, "other");
	EXPECT_EQ(kma_sites.sites[id].bytes, 64);
	EXPECT_STR(kma_site_cache(kma_sites.sites[id].cache), "cache");
	/* the nearest that another call can return to */
	EXPECT(kma_site_id(TEXT + 2, KMA_KIND_KMALLOC) != id);
	EXPECT_EQ(kma_site_id(TEXT, KMA_KIND_KMALLOC), id);
	tables_deinit();
}

TEST(a_name_for_which_there_is_no_memory_is_an_address_later)
{
	unsigned long size = 0x1000;
	char name[KSYM_SYMBOL_LEN];
	unsigned int id;

	REQUIRE(!start(10));
	id = kma_site_id(MODULE_BASE, KMA_KIND_KMALLOC);
	shim_fail_at = -1;
	kma_site_name_keep(in_module, &size);
	shim_fail_at = 0;
	EXPECT(kma_site_id(MODULE_BASE, KMA_KIND_KMALLOC) != id);
	kma_site_name(id, MODULE_BASE, name);
	EXPECT_STR(name, "sym_ffffffffc0000000+0x0/0x10");
	tables_deinit();
}

TEST(reset_forgets_everything)
{
	char name[KSYM_SYMBOL_LEN];

	REQUIRE(!start(10));
	EXPECT_EQ(kma_site_id(TEXT, KMA_KIND_KMALLOC), 1);
	kma_site_hide();
	EXPECT_EQ(kma_site_nr(), 2);
	kma_site_reset();
	EXPECT_EQ(kma_site_nr(), 1);
	EXPECT_EQ(kma_site_id(MODULE_BASE, KMA_KIND_KMALLOC), 1);
	kma_site_name(KMA_SITE_OTHER, 0, name);
	EXPECT_STR(name, "[site table full]");
	tables_deinit();
}

TEST(init_survives_every_failed_allocation)
{
	int n;

	shim_init();
	for (n = 1; n < 100; n++) {
		shim_fail_at = n;
		if (!kma_site_init(1000))
			break;
	}
	shim_fail_at = 0;
	/* the index, the sites, and the names of caches */
	EXPECT_EQ(n, 3 + 1);
	kma_site_deinit();
}

TEST_MAIN()
