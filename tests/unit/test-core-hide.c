// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-hide.c - addresses are taken out of a text, and nothing else is.
 */
#include "guard/hide.h"
#include "ktap.h"
#include "shim.h"

static const char *hidden(const char *text, bool shown)
{
	static char buf[256];

	strcpy(buf, text);
	kma_hide_addresses(buf, shown);
	return buf;
}

TEST(an_address_is_hidden_wherever_it_is)
{
	EXPECT(!strcmp(hidden("0xffffffffa0001234", false), "[no symbol]"));
	EXPECT(!strcmp(hidden("-\t-\t-\t0xffffffffa0001234", false), "-\t-\t-\t[no symbol]"));
	EXPECT(!strcmp(hidden("0xffff888000000000;0xffff800000000001", false),
		       "[no symbol];[no symbol]"));
	EXPECT(!strcmp(hidden("a+0x1/0x2;0xffff888000000000;b+0x1/0x2", false),
		       "a+0x1/0x2;[no symbol];b+0x1/0x2"));
	/* as short as an address of arm64 with 48 bits */
	EXPECT(!strcmp(hidden("0xabcdef012345", false), "[no symbol]"));
}

TEST(names_offsets_and_build_ids_stay)
{
	static const char *const texts[] = {
		"", "0x", "0", "kmalloc+0x1c/0x2c0", "alloc_inode+0x1c/0x90 [ext4]",
		"vmlinux\t0x1234567\tabcdef0123456789abcdef0123456789abcdef01\tfn+0x0/0x10",
		"ext4\tinit:0x40\t-\tfn+0x0/0x10 [ext4]", "[site table full]",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		EXPECT(!strcmp(hidden(texts[i], false), texts[i]));
}

TEST(a_reader_who_may_sees_all)
{
	EXPECT(!strcmp(hidden("0xffffffffa0001234", true), "0xffffffffa0001234"));
	EXPECT_EQ(kma_hide_address(0xffffffffa0001234, true), 0xffffffffa0001234);
	EXPECT_EQ(kma_hide_address(0xffffffffa0001234, false), 0);
}

TEST_MAIN()
