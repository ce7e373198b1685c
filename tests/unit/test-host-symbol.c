// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-symbol.c - host/symbol: spans as kallsyms has them, look-ups, names
 * of source files, System.map.
 */
#include <stdlib.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "symbol/srcpath.h"
#include "symbol/symtab.h"
#include "symbol/sysmap.h"

#include "ktap.h"

/* Returns the one symbol of a name, or NULL. */
static const struct kma_symbol *one(const struct kma_symtab *tab, const char *name)
{
	const struct kma_symbol *const *syms;
	size_t nr;

	syms = kma_symtab_named(tab, name, &nr);
	return nr == 1 ? syms[0] : NULL;
}

TEST(spans)
{
	const struct kma_symbol *const *syms;
	struct kma_symtab *tab;
	size_t nr;

	kma_symtab_create(&tab);
	kma_symtab_add(tab, "c", 0x300, 0x10);
	kma_symtab_add(tab, "a", 0x100, 0x80);
	kma_symtab_add(tab, "alias", 0x100, 0x80);
	kma_symtab_add(tab, "same", 0x200, 0);
	kma_symtab_add(tab, "same", 0x240, 0);
	kma_symtab_add(tab, ".Llocal", 0x280, 0);
	kma_symtab_add(tab, "__pfx_c", 0x2f0, 0);
	kma_symtab_add_end(tab, 0x380);
	kma_symtab_finish(tab);
	EXPECT_EQ(kma_symtab_count(tab), 5);

	/* Aliases both reach to the next different address. */
	EXPECT_EQ(one(tab, "a")->span, 0x100);
	EXPECT_EQ(one(tab, "alias")->span, 0x100);
	/* The end of the section ends the last one. */
	EXPECT_EQ(one(tab, "c")->span, 0x80);
	EXPECT_EQ(one(tab, "c")->size, 0x10);
	syms = kma_symtab_named(tab, "same", &nr);
	REQUIRE(nr == 2);
	EXPECT_EQ(syms[0]->addr, 0x200);
	EXPECT_EQ(syms[0]->span, 0x40);
	/* What kallsyms leaves out ends nothing. */
	EXPECT_EQ(syms[1]->span, 0xc0);
	EXPECT(!kma_symtab_named(tab, "sam", &nr) && !nr);
	EXPECT(!kma_symtab_named(tab, "", &nr) && !nr);
	EXPECT(!kma_symtab_named(tab, "zzz", &nr) && !nr);

	EXPECT(!kma_symtab_at(tab, 0xff));
	EXPECT_EQ(kma_symtab_at(tab, 0x1ff)->addr, 0x100);
	EXPECT_EQ(kma_symtab_at(tab, 0x240)->addr, 0x240);
	EXPECT_STR(kma_symtab_at(tab, 0x37f)->name, "c");
	EXPECT(!kma_symtab_at(tab, 0x380));
	kma_symtab_destroy(tab);
}

/* As %pS has it: of aliases the one with fewer "_", then the first. */
TEST(aliases)
{
	struct kma_symtab *tab;

	kma_symtab_create(&tab);
	kma_symtab_add(tab, "__copy", 0x100, 0x80);
	kma_symtab_add(tab, "copy", 0x100, 0x80);
	kma_symtab_add(tab, "_copy", 0x100, 0x80);
	kma_symtab_add(tab, "first", 0x200, 0x10);
	kma_symtab_add(tab, "another", 0x200, 0x10);
	kma_symtab_add_end(tab, 0x200);
	kma_symtab_add_end(tab, 0x300);
	kma_symtab_finish(tab);
	EXPECT_STR(kma_symtab_at(tab, 0x100)->name, "copy");
	EXPECT_STR(kma_symtab_at(tab, 0x1ff)->name, "copy");
	EXPECT_STR(kma_symtab_at(tab, 0x210)->name, "first");
	EXPECT_EQ(one(tab, "__copy")->span, 0x100);
	kma_symtab_destroy(tab);
}

TEST(empty_table)
{
	struct kma_symtab *tab;
	size_t nr;

	kma_symtab_create(&tab);
	kma_symtab_finish(tab);
	EXPECT(!kma_symtab_named(tab, "a", &nr));
	EXPECT(!kma_symtab_at(tab, 1));
	kma_symtab_destroy(tab);
	kma_symtab_destroy(NULL);
}

TEST(normalise)
{
	static const struct {
		const char *path, *want;
	} paths[] = {
		{ "fs/inode.c", "fs/inode.c" },
		{ "./fs//inode.c", "fs/inode.c" },
		{ "../fs/inode.c", "fs/inode.c" },
		{ "fs/../mm/slub.c", "mm/slub.c" },
		{ "a/b/../../c.c", "c.c" },
		{ "../../a.c", "a.c" },
		{ "/a/./b/../c.c", "/a/c.c" },
		{ "/../a.c", "/a.c" },
		{ "//a", "/a" },
		{ "a/", "a" },
		{ "a/..", "" },
		{ "", "" },
		{ "..a/b..c", "..a/b..c" },
		{ "/", "/" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		char path[64];

		snprintf(path, sizeof(path), "%s", paths[i].path);
		kma_srcpath_normalise(path);
		EXPECT_STR(path, paths[i].want);
	}
}

/* A set of names as compilers write them, and the same below the top of the source. */
static void relative(const char *const *names, const char *const *want, size_t nr)
{
	char *paths[8];

	for (size_t i = 0; i < nr; i++)
		paths[i] = strdup(names[i]);
	kma_srcpath_relative(paths, nr);
	for (size_t i = 0; i < nr; i++) {
		EXPECT_STR(paths[i], want[i]);
		free(paths[i]);
	}
}

TEST(relative_names)
{
	/* Debian: only assembler files are absolute, and all of these in arch/. */
	static const char *const debian[] = { "arch/x86/kernel/a.c", "fs/inode.c",
					      "/build/linux-6.1/arch/x86/kernel/head_64.S",
					      "/build/linux-6.1/arch/x86/lib/memcpy_64.S" };
	static const char *const debian_want[] = { "arch/x86/kernel/a.c", "fs/inode.c",
						   "arch/x86/kernel/head_64.S",
						   "arch/x86/lib/memcpy_64.S" };
	/* A home directory that is called like a directory of the kernel. */
	static const char *const home[] = { "fs/inode.c", "mm/slub.c", "/home/fs/mm/fs/entry.S",
					    "/home/fs/mm/mm/copy.S" };
	static const char *const home_want[] = { "fs/inode.c", "mm/slub.c", "fs/entry.S",
						 "mm/copy.S" };
	/* O= builds of older kernels: all absolute. */
	static const char *const all[] = { "/src/linux/fs/inode.c", "/src/linux/mm/slub.c" };
	static const char *const all_want[] = { "fs/inode.c", "mm/slub.c" };
	static const char *const none[] = { "fs/inode.c" };

	relative(debian, debian_want, ARRAY_SIZE(debian));
	relative(home, home_want, ARRAY_SIZE(home));
	relative(all, all_want, ARRAY_SIZE(all));
	relative(none, none, ARRAY_SIZE(none));
	relative(NULL, NULL, 0);
}

/* What they share is a directory, not the beginning of one's name. */
TEST(names_that_begin_alike)
{
	static const char *const longer[] = { "/m/drv/a.c", "/m/drv2/b.c" };
	static const char *const below_longer[] = { "drv/a.c", "drv2/b.c" };
	static const char *const inside[] = { "/m/fs/ext4/a.c", "/m/fsx/b.c", "/m/fs/c.c" };
	static const char *const below_inside[] = { "fs/ext4/a.c", "fsx/b.c", "fs/c.c" };
	static const char *const nothing[] = { "/m/a.c", "/n/b.c" };

	relative(longer, below_longer, 2);
	relative(inside, below_inside, 3);
	relative(nothing, nothing, 2);
}

TEST(strip_dir)
{
	char path[] = "/a/b/c";

	kma_srcpath_strip_dir(path, NULL);
	kma_srcpath_strip_dir(path, "");
	kma_srcpath_strip_dir(path, "/a/bb");
	kma_srcpath_strip_dir(path, "/a/b/c");
	EXPECT_STR(path, "/a/b/c");
	kma_srcpath_strip_dir(path, "/a");
	EXPECT_STR(path, "b/c");
}

static struct kma_err *sysmap(const char *text, struct kma_symtab **tab)
{
	char path[] = "/tmp/kma-map-XXXXXX";
	int fd = mkstemp(path);
	struct kma_err *err;

	EXPECT_EQ(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	err = kma_sysmap_read(path, tab);
	unlink(path);
	return err;
}

TEST(system_map)
{
	struct kma_symtab *tab;
	size_t nr;

	REQUIRE(!sysmap("0000000000000010 A absolute\nffffffff81000000 T a\n"
			"ffffffff81000040 t b\nffffffff81000100 D data\n",
			&tab));
	EXPECT_EQ(one(tab, "a")->span, 0x40);
	EXPECT_EQ(one(tab, "b")->span, 0xc0);
	EXPECT(!kma_symtab_named(tab, "data", &nr));
	kma_symtab_destroy(tab);
}

/* The kernel prints sizes up to the next symbol of its table, which may be a padding. */
TEST(system_map_with_paddings)
{
	struct kma_symtab *tab;
	size_t nr;

	REQUIRE(!sysmap(
		"ffffffff81000000 t __pfx_a\nffffffff81000010 T a\n"
		"ffffffff81000040 t __pfx_b\nffffffff81000050 t b\nffffffff81000100 D data\n",
		&tab));
	EXPECT_EQ(one(tab, "a")->span, 0x30);
	EXPECT_EQ(one(tab, "b")->span, 0xb0);
	EXPECT(!kma_symtab_named(tab, "__pfx_b", &nr));
	kma_symtab_destroy(tab);
}

TEST(system_maps_that_are_none)
{
	static const struct {
		const char *text, *words;
		unsigned int line;
	} bad[] = {
		{ "", "no symbols in this file", 1 },
		{ "ffffffffffffffff B The real System.map is in the -dbg package\n", "placeholder",
		  1 },
		{ "ffffffff81000000 T a\nhello\n", "not a line of a System.map", 2 },
		{ "ffffffff81000000 Ta\n", "not a line of a System.map", 1 },
		{ "fffffffffffffffff T a\n", "not a line of a System.map", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct kma_symtab *tab;
		struct kma_err *err = sysmap(bad[i].text, &tab);

		REQUIRE(err);
		EXPECT(strstr(err->message, bad[i].words));
		EXPECT_EQ(err->line, bad[i].line);
		kma_err_destroy(err);
	}
}

TEST_MAIN()
