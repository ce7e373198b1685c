// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-inline.c - who owns a call with inlined functions; tables that are not sound;
 * texts that are kept once; patterns of MAINTAINERS; the distance that KASLR has moved.
 */
#include <stdlib.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "lib/texts.h"
#include "model/account.h"
#include "symbol/inline.h"
#include "tree/maintainers.h"
#include "tree/slide.h"
#include "tree/source.h"

#include "ktap.h"

static struct kma_call call_of(const char *const *files, unsigned int nr)
{
	struct kma_call call = { .unit = "fs/unit.c", .nr_frames = nr };

	for (unsigned int i = 0; i < nr; i++)
		call.frames[i] = (struct kma_frame){ "f", files[i], i + 1 };
	return call;
}

TEST(headers_own_nothing)
{
	static const char *const chain[] = { "include/slab.h", "fs/inner.c", "include/fs.h",
					     "fs/outer.c" };
	static const char *const in_header[] = { "include/slab.h", "fs/inner.c",
						 "include/trace.h" };
	static const char *const headers[] = { "include/a.h", "" };
	struct kma_call call = call_of(chain, 4);

	EXPECT_EQ(kma_call_owner(&call, KMA_INLINES_INNER), 1);
	EXPECT_EQ(kma_call_owner(&call, KMA_INLINES_OUTER), 3);
	EXPECT_EQ(kma_call_owner(&call, KMA_INLINES_BOTH), 3);
	EXPECT_STR(kma_call_file(&call, KMA_INLINES_INNER), "fs/inner.c");
	EXPECT_STR(kma_call_file(&call, KMA_INLINES_OUTER), "fs/outer.c");
	call = call_of(in_header, 3);
	EXPECT_STR(kma_call_file(&call, KMA_INLINES_OUTER), "fs/inner.c");
	/* All in headers, or nowhere: what was compiled is the unit. */
	call = call_of(headers, 2);
	EXPECT_EQ(kma_call_owner(&call, KMA_INLINES_INNER), 2);
	EXPECT_STR(kma_call_file(&call, KMA_INLINES_INNER), "fs/unit.c");
	EXPECT_STR(kma_call_file(&call, KMA_INLINES_OUTER), "fs/unit.c");
}

/* Two frames, two spans, one line, by hand. */
struct table {
	struct kma_inlines_header hdr;
	uint32_t span_start[2], span_frame[2];
	struct kma_inlines_frame frames[2];
	uint32_t line_start[2], line_file[2], line[2];
	uint32_t files[2];
	char text[32];
};

static void make_table(struct table *t)
{
	static const char text[] = "\0outer\0inner\0fs/a.c\0fs/b.h";

	*t = (struct table){
		.hdr = { .size = sizeof(*t), .base = 0x1000 },
		.span_start = { 0, 0x100 },
		.span_frame = { 1, KMA_INLINES_NONE },
		.frames = { { 1, KMA_INLINES_NONE, 0, 0 }, { 7, 0, 0, 42 } },
		.line_start = { 0x10, 0x100 },
		.line_file = { 1, KMA_INLINES_NONE },
		.line = { 7, 0 },
		.files = { 13, 20 },
	};
	memcpy(t->text, text, sizeof(text));
#define PART(i, member, n) \
	(t->hdr.parts[i].at = offsetof(struct table, member), t->hdr.parts[i].nr = (n))
	PART(KMA_PART_SPAN_START, span_start, 2);
	PART(KMA_PART_SPAN_FRAME, span_frame, 2);
	PART(KMA_PART_FRAMES, frames, 2);
	PART(KMA_PART_LINE_START, line_start, 2);
	PART(KMA_PART_LINE_FILE, line_file, 2);
	PART(KMA_PART_LINE, line, 2);
	PART(KMA_PART_FILES, files, 2);
	PART(KMA_PART_TEXT, text, sizeof(text));
}

TEST(search)
{
	struct kma_frame frames[KMA_FRAMES_MAX];
	struct kma_inlines tab;
	const char *unit;
	struct table t;

	make_table(&t);
	tab = (struct kma_inlines){ .hdr = &t.hdr };
	EXPECT(kma_inlines_sound(&t.hdr, sizeof(t)));
	REQUIRE(kma_inlines_at(&tab, 0x1010, frames, &unit) == 2);
	EXPECT_STR(frames[0].function, "inner");
	EXPECT_STR(frames[0].file, "fs/b.h");
	EXPECT_EQ(frames[0].line, 7);
	EXPECT_STR(frames[1].function, "outer");
	EXPECT_STR(frames[1].file, "fs/a.c");
	EXPECT_EQ(frames[1].line, 42);
	EXPECT_STR(unit, "fs/a.c");
	/* Before the first line; behind the last span; before and far behind the base. */
	EXPECT(kma_inlines_at(&tab, 0x100f, frames, &unit) == 2 && !frames[0].line);
	EXPECT_EQ(kma_inlines_at(&tab, 0x1100, frames, &unit), 0);
	EXPECT_EQ(kma_inlines_at(&tab, 0xfff, frames, &unit), 0);
	EXPECT_EQ(kma_inlines_at(&tab, 0x1010 + (1ULL << 32), frames, &unit), 0);
	/* A table whose numbers lie: no crash, no end. */
	t.frames[0].parent = 1;
	EXPECT_EQ(kma_inlines_at(&tab, 0x1010, frames, &unit), KMA_FRAMES_MAX);
	make_table(&t);
	t.frames[1] = (struct kma_inlines_frame){ 9999, 9999, 9999, 1 };
	EXPECT_EQ(kma_inlines_at(&tab, 0x1010, frames, &unit), 1);
	EXPECT_STR(frames[0].function, "");
	t.span_frame[0] = 2;
	EXPECT_EQ(kma_inlines_at(&tab, 0x1010, frames, &unit), 0);
}

TEST(tables_that_are_not_sound)
{
	struct table t;

	for (unsigned int i = 0; i < KMA_NR_PARTS; i++) {
		make_table(&t);
		t.hdr.parts[i].nr = UINT64_MAX / 4;
		EXPECT(!kma_inlines_sound(&t.hdr, sizeof(t)));
		make_table(&t);
		t.hdr.parts[i].at = sizeof(t) - sizeof(t) % 8;
		t.hdr.parts[i].nr = 16;
		EXPECT(!kma_inlines_sound(&t.hdr, sizeof(t)));
		make_table(&t);
		t.hdr.parts[i].at += 4;
		EXPECT(!kma_inlines_sound(&t.hdr, sizeof(t)));
	}
	make_table(&t);
	t.text[t.hdr.parts[KMA_PART_TEXT].nr - 1] = 'x';
	EXPECT(!kma_inlines_sound(&t.hdr, sizeof(t)));
	make_table(&t);
	t.hdr.parts[KMA_PART_LINE].nr = 1;
	EXPECT(!kma_inlines_sound(&t.hdr, sizeof(t)));
	make_table(&t);
	EXPECT(!kma_inlines_sound(&t.hdr, sizeof(t) - 1));
	EXPECT(!kma_inlines_sound(&t.hdr, 8));
}

TEST(texts_are_kept_once)
{
	struct kma_texts texts = { 0 };
	char text[16];
	uint32_t nr;

	EXPECT_EQ(kma_texts_add(&texts, ""), 0);
	for (unsigned int round = 0; round < 2; round++)
		for (unsigned int i = 0; i < 20000; i++) {
			snprintf(text, sizeof(text), "text %u", i);
			nr = kma_texts_add(&texts, text);
			if (nr != i + 1 || strcmp(kma_texts_get(&texts, nr), text) != 0)
				EXPECT(!"the number of a text");
		}
	EXPECT_EQ(texts.map.nr, 20001);
	EXPECT_EQ(kma_texts_add(&texts, ""), 0);
	kma_texts_deinit(&texts);
}

static const char *owner_of(const char *entries, const char *path)
{
	static char ret[64];
	char name[] = "/tmp/kma-maintainers-XXXXXX";
	struct kma_maintainers *list;
	int fd = mkstemp(name);
	const char *owner;
	struct kma_err *err;

	if (fd < 0 || write(fd, entries, strlen(entries)) < 0)
		return "cannot write";
	close(fd);
	err = kma_maintainers_create(name, &list);
	unlink(name);
	if (err) {
		kma_err_destroy(err);
		return "error";
	}
	owner = kma_maintainers_owner(list, path);
	snprintf(ret, sizeof(ret), "%s", owner ?: "nobody");
	kma_maintainers_destroy(list);
	return ret;
}

TEST(maintainers)
{
	static const struct {
		const char *entries, *path, *owner;
	} cases[] = {
		/* Anchored at the beginning only; a pattern has to have as many slashes. */
		{ "A\nF:\tfs/in", "fs/inode.c", "A" },
		{ "A\nF:\tfs/*", "fs/ext4/inode.c", "nobody" },
		{ "A\nF:\tfs/*/", "fs/ext4/inode.c", "A" },
		{ "A\nF:\tfs/e*4/inode.c", "fs/e/x4/inode.c", "nobody" },
		/* A directory may come without its slash, but a dot makes it a file. */
		{ "A\nF:\tfs/ext4", "fs/ext4/inode.c", "A" },
		{ "A\nF:\tfs/ext4.d", "fs/ext4.d/inode.c", "nobody" },
		{ "A\nF:\tfs/ext", "fs/ext4/inode.c", "nobody" },
		/* A point is a point, a question mark any letter, brackets are brackets. */
		{ "A\nF:\tfs/a.c", "fs/abc", "nobody" },
		{ "A\nF:\tfs/*.c", "fs/abc", "nobody" },
		{ "A\nF:\tfs/*.c", "fs/ab.c", "A" },
		{ "A\nF:\tfs/a?c", "fs/abc", "A" },
		{ "A\nF:\tfs/a[bx]c", "fs/abc", "A" },
		{ "A\nF:\tfs/a[bx", "fs/abc", "nobody" },
		/* The deepest, then the most letters, then the first. */
		{ "A\nF:\tfs/\n\nB\nF:\tfs/a.c\n", "fs/a.c", "B" },
		{ "A\nF:\tfs/*.c\n\nB\nF:\tfs/a*.c\n", "fs/a.c", "B" },
		{ "A\nF:\tfs/a.c\n\nB\nF:\tfs/a.c\n", "fs/a.c", "A" },
		{ "A\nN:\tsla[b]\n\nB\nF:\tmm/\n", "mm/slab.c", "B" },
		{ "A\nN:\tsla[b]\n\nB\nF:\tfs/\n", "mm/slab.c", "A" },
		/* Taken out again; takes all; none at all. */
		{ "A\nF:\tfs/\nX:\tfs/a.c\n\nB\nF:\tfs/\n", "fs/a.c", "B" },
		{ "A\nF:\tmm/\n\nTHE REST\nF:\t*\nF:\t*/\n", "fs/a.c", "nobody" },
		{ "A\nM:\tsomebody\n", "fs/a.c", "error" },
		{ "", "fs/a.c", "error" },
		/* CRLF, comments, a heading that looks like none. */
		{ "A\r\nF:\tfs/\r\n", "fs/a.c", "A" },
		{ "# no\nA B\n# F:\tmm/\nF:\tfs/\n", "fs/a.c", "A B" },
		{ "A\nF:\tfs/\n\nF:\tmm/\n", "mm/a.c", "A" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		EXPECT_STR(owner_of(cases[i].entries, cases[i].path), cases[i].owner);
}

/* What regcomp() would not come back from, or not for a long time: they match nothing. */
TEST(hostile_patterns)
{
	static char entries[1 << 20];
	char *p = stpcpy(entries, "A\nN:\t");

	memset(p, '(', sizeof(entries) - 10);
	strcpy(entries + sizeof(entries) - 6, "\n");
	EXPECT_STR(owner_of(entries, "mm/slab.c"), "nobody");
	EXPECT_STR(owner_of("A\nN:\t((a{9999}){9999}){9999}", "mm/slab.c"), "nobody");
	EXPECT_STR(owner_of("A\nF:\tmm/((a{9999}){9999}){9999}", "mm/slab.c"), "nobody");
	EXPECT_STR(owner_of("A\nN:\tsl(a|o){1}b", "mm/slab.c"), "A");
}

/* A text of 1 MiB in which each 64th byte returns from a call. */
#define FAKE_TEXT 0xffffffff81000000ULL

static const struct kma_symbol *fake_symbol(const struct kma_source *source, uint64_t addr)
{
	static const struct kma_symbol all = { "all", FAKE_TEXT, 1 << 20, 1 << 20 };

	(void)source;
	return addr - FAKE_TEXT < all.size ? &all : NULL;
}

static bool fake_text(const struct kma_source *source, uint64_t *start, uint64_t *end)
{
	(void)source;
	*start = FAKE_TEXT;
	*end = FAKE_TEXT + (1 << 20);
	return true;
}

/* Not a pattern that repeats, or any distance would do. */
static int fake_calls(const struct kma_source *source, uint64_t addr)
{
	(void)source;
	return (addr * 0x9e3779b97f4a7c15ULL) >> 58 == 0;
}

static void add_address(struct kma_account *account, uint64_t addr)
{
	struct kma_values values = { .current = 1 };
	char caller[32];

	snprintf(caller, sizeof(caller), "0x%llx", (unsigned long long)addr);
	EXPECT(!kma_account_add_site(account, caller, strlen(caller), &values));
}

/* @nr addresses of the text, moved by @distance; all return from calls, or none does. */
static void add_moved(struct kma_account *account, unsigned int nr, bool calls, uint64_t distance)
{
	for (uint64_t addr = FAKE_TEXT + 777; nr; addr += 13) {
		if (fake_calls(NULL, addr) != calls)
			continue;
		nr--;
		add_address(account, addr + distance);
	}
}

/* Tells how far, 0 when it is not told; takes the account. */
static uint64_t slide_of(struct kma_account *account)
{
	static const struct kma_source_ops ops = {
		.symbol_at = fake_symbol,
		.text = fake_text,
		.calls = fake_calls,
	};
	struct kma_source source = { .ops = &ops };
	uint64_t distance;
	bool found;

	EXPECT(!kma_account_finish(account));
	found = kma_slide_find(account, &source, &distance);
	EXPECT_EQ(found, distance != 0);
	kma_account_destroy(account);
	return distance;
}

/* @nr addresses that return from calls, and @others, of modules. */
static uint64_t slide_with(unsigned int nr, uint64_t distance, unsigned int others)
{
	struct kma_account *account;

	account = kma_account_create("test");
	add_moved(account, nr, true, distance);
	for (unsigned int i = 0; i < others; i++)
		add_address(account, 0xffffffffc0000000ULL + i * 1000);
	return slide_of(account);
}

TEST(slide)
{
	EXPECT_EQ(slide_with(40, 0x1a00000, 0), 0x1a00000);
	EXPECT_EQ(slide_with(40, 0x1a00000, 60), 0x1a00000);
	EXPECT_EQ(slide_with(8, 0x3fe00000, 0), 0x3fe00000);
	EXPECT_EQ(slide_with(400, 0x30000, 0), 0x30000);
	/* Not moved; too few to tell; moved by no multiple of an alignment. */
	EXPECT_EQ(slide_with(40, 0, 0), 0);
	EXPECT_EQ(slide_with(7, 0x1a00000, 0), 0);
	EXPECT_EQ(slide_with(7, 0x1a00000, 50), 0);
	EXPECT_EQ(slide_with(40, 0x1a00008, 0), 0);
	EXPECT_EQ(slide_with(0, 0, 50), 0);
}

/* What speaks against a distance. */
TEST(slide_in_doubt)
{
	struct kma_account *account;

	/* As many that return from no call as do. */
	account = kma_account_create("test");
	add_moved(account, 40, true, 0x1a00000);
	add_moved(account, 40, false, 0x1a00000);
	EXPECT_EQ(slide_of(account), 0);
	/* A few, as of code that changed: fine. */
	account = kma_account_create("test");
	add_moved(account, 100, true, 0x1a00000);
	add_moved(account, 5, false, 0x1a00000);
	EXPECT_EQ(slide_of(account), 0x1a00000);
	/* Two distances, as of logs of two boots. */
	account = kma_account_create("test");
	add_moved(account, 20, true, 0x1a00000);
	add_moved(account, 20, true, 0x2a00000);
	EXPECT_EQ(slide_of(account), 0);
}

TEST_MAIN()
