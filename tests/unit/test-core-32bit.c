// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is another thing on a 32-bit CPU: addresses, and keys of what has none. For BITS=32 alone.
 */
#include "account/key.h"
#include "account/live.h"
#include "guard/hide.h"
#include "ktap.h"
#include "account-tables.h"

/* i386 with 896 MB of low memory of 16 GiB, and vmalloc's range behind it */
static void machine(void)
{
	shim_memory_spanned = 1ul << 22;
	high_memory = (void *)0xf8000000ul;
	kma_direct_init();
}

/* One root has all addresses, those of objects and those that are keys. */
TEST(the_map_has_each_address)
{
	static const unsigned long addr[] = {
		8, 0x20000000, 0x3ffffff8, 0x40000000, 0xc0000000, 0xc1234568, 0xf7fffff8, 0xfffffff8,
	};
	struct kma_live_object o, old;
	u64 at = 0;

	machine();
	shim_init();
	REQUIRE(!tables_init(100) && !kma_live_init(1 << 20, map_wake));
	kma_live_open();
	for (size_t i = 0; i < ARRAY_SIZE(addr); i++)
		EXPECT_EQ(kma_live_put((void *)addr[i], kma_class_of(1, 0, kma_size_small(8, 8)),
				       kma_size_small(8, 8), NULL, &old), KMA_LIVE_NONE);
	for (size_t i = 0; i < ARRAY_SIZE(addr); i++) {
		at = kma_live_next(i ? at + 1 : 0);
		REQUIRE(at != KMA_LIVE_END);
		EXPECT_EQ(kma_live_read(at, &o, 1), 1);
		EXPECT_EQ(o.ptr, addr[i]);
		EXPECT(kma_live_take((void *)addr[i], &o));
	}
	kma_live_close();
	kma_live_deinit();
	tables_deinit();
}

TEST(keys_of_pages_come_back)
{
	/* the first, the last in low memory, the first in high memory, the last of 64 GiB */
	static const struct {
		unsigned long pfn, address;
	} pages[] = {
		{ 0, 0xc0000000 }, { 1, 0xc0001000 }, { 0x37fff, 0xf7fff000 }, { 0x38000, 0 },
		{ 0xfffff, 0 }, { 0x100000, 0 }, { 0xffffff, 0 },
	};

	machine();
	EXPECT(kma_key_fits());
	for (size_t i = 0; i < ARRAY_SIZE(pages); i++) {
		unsigned long key = kma_key_page(pages[i].pfn);

		EXPECT(kma_key_thing(key) == KMA_THING_PAGE);
		EXPECT(kma_key_pfn(key) == pages[i].pfn);
		EXPECT(kma_key_address(key) == pages[i].address);
		/* the map drops what is below 8 */
		EXPECT(!(key & 7));
	}
}

TEST(keys_of_per_cpu_objects_come_back)
{
	static const unsigned long addr[] = {
		0xc0000000, 0xc0000004, 0xf7c01238, 0xf8000000, 0xf8800ffc, 0xfffffffc,
	};

	machine();
	for (size_t i = 0; i < ARRAY_SIZE(addr); i++) {
		unsigned long key = 0;

		EXPECT(kma_key_percpu((void *)addr[i], &key));
		EXPECT(kma_key_thing(key) == KMA_THING_PERCPU);
		EXPECT(kma_key_address(key) == addr[i]);
		EXPECT(!(key & 7));
		EXPECT(kma_key_is_object(addr[i]));
		EXPECT(kma_key_address(addr[i]) == addr[i]);
	}
	/* no two things have one key */
	for (size_t i = 1; i < ARRAY_SIZE(addr); i++) {
		unsigned long one, other;

		EXPECT(kma_key_percpu((void *)addr[i - 1], &one));
		EXPECT(kma_key_percpu((void *)addr[i], &other));
		EXPECT(one < other);
	}
}

TEST(pages_above_64_gib_have_no_key)
{
	machine();
	EXPECT(kma_key_fits());
	shim_memory_spanned = (1ul << 24) - 1;
	kma_direct_init();
	EXPECT(kma_key_fits());
	shim_memory_spanned = (1ul << 24) + 1;
	kma_direct_init();
	EXPECT(!kma_key_fits());
}

TEST(addresses_of_eight_digits_are_hidden)
{
	char text[] = "0xc1234567;a+0x1234567/0x2;0xf8000000";

	kma_hide_addresses(text, false);
	EXPECT_STR(text, "[nosymbol];a+0x1234567/0x2;[nosymbol]");
}

TEST_MAIN()
