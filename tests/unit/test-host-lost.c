// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-lost.c - the output of lost (host/cli/lost-text.c), and the call sites whose references
 * cannot be seen (host/heap/unseen.c).
 */
#include "cli/lost-text.h"
#include "heap/unseen.h"
#include "lib/cleanup.h"

#include "ktap.h"

TEST(unseen)
{
	const struct kma_unseen *row = kma_unseen_find("hsc_msg_alloc+0x10/0x40 [hsi_char]");

	REQUIRE(row);
	EXPECT_STR(row->module, "hsi_char");
	EXPECT(kma_unseen_find("hsc_msg_alloc+0x10/0x40") == row);
	EXPECT(kma_unseen_find("hsc_msg_alloc") == row);
	EXPECT(!kma_unseen_find("hsc_msg_alloc+0x10/0x40 [hsi]"));
	EXPECT(!kma_unseen_find("hsc_msg_alloc+0x10/0x40 [hsi_char2]"));
	EXPECT(!kma_unseen_find("hsc_msg_allocs+0x10/0x40"));
	EXPECT(!kma_unseen_find("hsc_msg_allo+0x10/0x40"));
	EXPECT(!kma_unseen_find("[before]"));
	EXPECT(!kma_unseen_find(""));
}

/* Two lost call sites, the second without a head and without a place, and an unseen one. */
static void write_as(enum kma_format format, struct kma_strbuf *out)
{
	static const char unseen[] = "hsc_msg_alloc+0x10/0x40 [hsi_char]";
	struct kma_lost_row rows[] = {
		{ .caller = "foo+0x10/0x40",
		  .lost = 98,
		  .live = 100,
		  .bytes = 6272,
		  .oldest = 5000,
		  .heads = 98 },
		{ .caller = "bar+0x10/0x40 [baz]", .lost = 1, .live = 1, .bytes = 64 },
		{ .caller = unseen,
		  .lost = 7,
		  .live = 9,
		  .bytes = 448,
		  .heads = 7,
		  .unseen = kma_unseen_find(unseen) },
	};
	static const struct kma_place place = { .found = KMA_FOUND_FILE, .path = "a/b.c",
					       .line = 12, .type = "thing" };
	const struct kma_place *places[3] = { &place };
	const struct kma_lost lost = {
		.rows = rows, .nr = 2, .nr_unseen = 1, .lost = 99, .live = 110, .bytes = 6336
	};
	const struct kma_lost_text text = { .lost = &lost,
					    .places = places,
					    .has_places = true,
					    .opts = { .format = format, .bytes = true, .all = true } };

	kma_lost_write(&text, out);
}

TEST(csv)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };

	write_as(KMA_FORMAT_CSV, &out);
	EXPECT_STR(out.str, "caller,lost,live,bytes,oldest_ns,file,line,head,type\n"
			    "foo+0x10/0x40,98,100,6272,5000,a/b.c,12,98,thing\n"
			    "bar+0x10/0x40 [baz],1,1,64,,,,0,\n"
			    "[held in a way that a scan cannot see],0,7,0,,,,0,\n");
}

TEST(sentences)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };

	write_as(KMA_FORMAT_TABLE, &out);
	EXPECT(strstr(
		out.str,
		"98 of 100 objects of foo() (a/b.c:12) have no reference left in the kernel."));
	EXPECT(strstr(out.str,
		      "1 of 1 object of bar() has only references from other lost objects."));
	EXPECT(strstr(out.str, "7 objects of hsc_msg_alloc() are held by the page"));
	EXPECT(strstr(out.str, "kmemleak_ignore()"));
	EXPECT(!strstr(out.str, "of hsc_msg_alloc() have no"));
}

TEST(json)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };

	write_as(KMA_FORMAT_JSON, &out);
	EXPECT(strstr(out.str, "\"lost_objects\": 99"));
	EXPECT(strstr(out.str, "\"unseen\""));
	EXPECT(strstr(out.str, "\"kmemleak\""));
	EXPECT(strstr(out.str, "\"sentence\""));
}

TEST_MAIN()
