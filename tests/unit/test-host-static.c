// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-static.c - host/symbol/pieces, host/kbuild/archives: how sections are cut, and what
 * commands name.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kbuild/commands.h"
#include "lib/cleanup.h"
#include "symbol/pieces.h"

#include "ktap.h"

static const struct {
	const char *name;
	const char *family;
} families[] = {
	{ ".text", ".text" },
	{ ".text.foo", ".text" },
	{ ".text.hotplug", ".text" },
	{ ".text.hot", ".text.hot" },
	{ ".text.unlikely.", ".text.unlikely." },
	{ ".text..refcount", ".text..refcount" },
	{ ".rodata.str1.8", ".rodata.str1.8" },
	{ ".rodata.cst16", ".rodata.cst16" },
	{ ".rodata.strange", ".rodata" },
	{ ".data.rel.ro", ".data.rel.ro" },
	{ ".data..percpu", ".data..percpu" },
	{ ".init.text.foo", ".init.text" },
	{ "___ksymtab_gpl+foo", "___ksymtab_gpl" },
	{ "__bug_table", "__bug_table" },
	{ "", "" },
};

TEST(section_families)
{
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		_cleanup_free_ char *got =
			strndup(families[i].name, kma_section_family(families[i].name));

		EXPECT_STR(got, families[i].family);
	}
}

static const struct kma_binary_section sections[] = {
	{ .name = ".text", .index = 1, .size = 100, .align = 16, .exec = true },
	{ .name = ".rodata.str1.1",
	  .index = 4,
	  .size = 9,
	  .align = 1,
	  .merge = true,
	  .strings = true },
	{ .name = ".altinstructions", .index = 5, .size = 12, .align = 1 },
	{ .name = "COMMON", .index = KMA_COMMON, .size = 12, .align = 1 },
};

static struct kma_binary_symbol symbols[] = {
	{ .name = "alias", .value = 0, .size = 10, .section = 1, .local = true, .func = true },
	{ .name = "first", .value = 0, .size = 10, .section = 1, .func = true },
	{ .name = "inside", .value = 4, .section = 1, .local = true },
	{ .name = "part", .value = 4, .size = 2, .section = 1, .local = true },
	{ .name = "second", .value = 16, .size = 20, .section = 1 },
	{ .name = "overlaps", .value = 30, .size = 10, .section = 1 },
	{ .name = "label", .value = 48, .section = 1, .local = true },
	{ .name = "too_long", .value = 90, .size = 1000, .section = 1 },
	{ .name = "end", .value = 100, .section = 1 },
	{ .name = "beyond", .value = 1000, .size = 4, .section = 1 },
	{ .name = "elsewhere", .value = 0, .size = 4, .section = 3 },
	{ .name = "common", .value = 4, .size = 12, .section = KMA_COMMON },
};

static const struct {
	const char *name;
	uint64_t size;
	size_t section;
} want_pieces[] = {
	{ "first", 10, 0 },    { "[padding]", 6, 0 }, { "second", 20, 0 },
	{ "overlaps", 4, 0 },  { "[padding]", 8, 0 }, { "label", 42, 0 },
	{ "too_long", 10, 0 }, { "[strings]", 9, 1 }, { ".altinstructions", 12, 2 },
	{ "common", 12, 3 },
};

TEST(pieces_of_a_section)
{
	struct kma_binary bin = {
		.sections = (struct kma_binary_section *)sections,
		.nr_sections = ARRAY_SIZE(sections),
		.symbols = symbols,
		.nr_symbols = ARRAY_SIZE(symbols),
	};
	_cleanup_free_ struct kma_piece *pieces = NULL;
	size_t nr;

	kma_pieces_cut(&bin, &pieces, &nr);
	EXPECT_EQ(nr, ARRAY_SIZE(want_pieces));
	for (size_t i = 0; i < nr && i < ARRAY_SIZE(want_pieces); i++) {
		EXPECT_STR(pieces[i].name, want_pieces[i].name);
		EXPECT_EQ(pieces[i].size, want_pieces[i].size);
		EXPECT_EQ(pieces[i].section, want_pieces[i].section);
	}
}

/* Symbols at random, aliases and overlaps among them: pieces always add up. */
TEST(pieces_add_up)
{
	srand(1);
	for (int round = 0; round < 2000; round++) {
		struct kma_binary_section section = { .name = ".x", .index = 2, .align = 8 };
		struct kma_binary_symbol some[24];
		struct kma_binary bin = { .sections = &section, .nr_sections = 1, .symbols = some };
		_cleanup_free_ struct kma_piece *pieces = NULL;
		uint64_t sum = 0;
		size_t nr;

		section.size = 1 + rand() % 200;
		section.addr = round & 1 ? 0x1000 : 0;
		bin.nr_symbols = rand() % ARRAY_SIZE(some);
		for (size_t i = 0; i < bin.nr_symbols; i++)
			some[i] = (struct kma_binary_symbol){
				.name = "s",
				.value = section.addr + rand() % 220,
				.size = rand() & 1 ? rand() % 80 : 0,
				.section = 2,
			};
		kma_pieces_cut(&bin, &pieces, &nr);
		for (size_t i = 0; i < nr; i++) {
			EXPECT(pieces[i].size);
			sum += pieces[i].size;
		}
		EXPECT_EQ(sum, section.size);
	}
}

static const struct {
	const char *path, *file, *text, *inputs;
	bool damaged;
} commands[] = {
	{ "fs/built-in.a", "fs/.built-in.a.cmd",
	  "cmd_fs/built-in.a := rm -f fs/built-in.a;  printf \"fs/%s \" open.o ext4/built-in.a | xargs ar cDPrST fs/built-in.a\n",
	  "fs/open.o fs/ext4/built-in.a" },
	{ "built-in.a", ".built-in.a.cmd",
	  "savedcmd_built-in.a := rm -f built-in.a;  printf \"./%s \" init/built-in.a | xargs ar cDPrST built-in.a\n\nother := x.o\n",
	  "init/built-in.a" },
	{ "lib/lib.a", "lib/.lib.a.cmd",
	  "cmd_lib/lib.a := rm -f lib/lib.a; ar cDPrsT lib/lib.a lib/a.o lib/b.o\n",
	  "lib/a.o lib/b.o" },
	{ "vmlinux.a", ".vmlinux.a.cmd",
	  "cmd_vmlinux.a := rm -f vmlinux.a; ar cDPrST vmlinux.a ./built-in.a lib/lib.a; ar mPiT $$(ar t vmlinux.a | sed -n 1p) vmlinux.a $$(ar t vmlinux.a | grep -F -f l.txt)\n",
	  "built-in.a lib/lib.a" },
	{ "d/m.o", "d/.m.o.cmd", "cmd_d/m.o := ld -r -o d/m.o d/x.o d/y.o ; true\n",
	  "d/x.o d/y.o" },
	{ "d/empty/built-in.a", "d/.none", "", "-" },
	{ "d/z.o", "d/.z.o.cmd", "no command", "-", true },
	{ "d/y.o", "d/.y.o.cmd", "cmd_d/y.o := ld -r -o d/y.o d/x.o d/", "-", true },
};

TEST(commands_name_their_inputs)
{
	char dir[] = "/tmp/kma-static.XXXXXX", path[256];

	REQUIRE(mkdtemp(dir));
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		_cleanup_free_ char **inputs = NULL;
		char got[256] = "-";
		struct kma_err *err;
		FILE *f;

		snprintf(path, sizeof(path), "%s/%.*s", dir, (int)strcspn(commands[i].file, "."),
			 commands[i].file);
		mkdir(path, 0700);
		snprintf(path, sizeof(path), "%s/%s", dir, commands[i].file);
		f = fopen(path, "w");
		REQUIRE(f);
		fputs(commands[i].text, f);
		fclose(f);
		err = kma_cmd_inputs(dir, commands[i].path, &inputs);
		EXPECT_EQ(kma_err_is(err, KMA_ERR_DAMAGED), commands[i].damaged);
		EXPECT(!err || commands[i].damaged);
		kma_err_destroy(err);
		for (size_t k = 0; inputs && inputs[k]; k++)
			snprintf(got + (k ? strlen(got) : 0), sizeof(got) - (k ? strlen(got) : 0),
				 "%s%s", k ? " " : "", inputs[k]);
		EXPECT_STR(got, commands[i].inputs);
		unlink(path);
	}
	snprintf(path, sizeof(path), "rm -rf '%s'", dir);
	EXPECT(!system(path));
}

TEST_MAIN()
